import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useCallback } from 'react';
import type { Severity } from '../../contract/finding.ts';
import type { Search as AddressSearch } from '../components/address.ts';
import { ClearFilters, Filters as FilterBox } from '../components/filters.tsx';
import { SearchField } from '../components/search.tsx';
import { SEVERITIES, SEVERITY_NAMES } from '../components/severity.ts';
import { FRAMEWORK_NAMES } from './facts.ts';
import { type Filters, hasUsualSeverities, isFiltered, STATUS_NAMES, toggled } from './filters.ts';
import classes from './security.module.css';

interface ToolbarProps {
  filters: Filters;
  /** The number of findings of each severity that pass the other filters; undefined while unknown. */
  counts: Record<Severity, number> | undefined;
  /** The checks of loaded findings: id and title. */
  checks: readonly [id: string, title: string][];
  /** The number of new findings; undefined on the first visit. */
  news: number | undefined;
  change(changes: AddressSearch, how?: 'replace' | 'push'): void;
  searchField: React.RefObject<HTMLInputElement | null>;
}

/** The filters of the list. All of them are in the address. */
export function Toolbar({ filters, counts, checks, news, change, searchField }: ToolbarProps) {
  const { status, severities, check, framework, isNew, by } = filters;
  const search = useCallback((q: string) => change({ q }), [change]);
  return (
    <div className={classes['toolbar']}>
      <div className={classes['choice']}>
        <SegmentedControl
          size="xs"
          aria-label="Which findings"
          data={Object.entries(STATUS_NAMES).map(([value, label]) => ({ value, label }))}
          value={status}
          onChange={(value) => change({ status: value, open: undefined }, 'push')}
        />
      </div>
      <SearchField
        ref={searchField}
        className={classes['search'] ?? ''}
        aria-label="Search findings"
        placeholder="Search workload, check, message  ( / )"
        value={filters.q}
        onSearch={search}
      />
      <FilterBox
        isUsed={check !== '' || framework !== '' || isNew || !hasUsualSeverities(filters)}
        beside={
          <div className={classes['choice']}>
            <SegmentedControl
              size="xs"
              aria-label="Grouped by"
              data={[
                { value: 'workload', label: 'By workload' },
                { value: 'check', label: 'By check' },
              ]}
              value={by}
              onChange={(value) => change({ by: value === 'workload' ? undefined : value })}
            />
          </div>
        }
      >
        <NativeSelect
          size="xs"
          aria-label="Check"
          className={classes['select']}
          value={check}
          data={[{ value: '', label: 'Any check' }, ...withChosen(checks, check).map(([value, label]) => ({ value, label }))]}
          onChange={(event) => change({ check: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          aria-label="Framework"
          className={classes['select']}
          value={framework}
          data={[{ value: '', label: 'Any framework' }, ...Object.entries(FRAMEWORK_NAMES).map(([value, label]) => ({ value, label }))]}
          onChange={(event) => change({ framework: event.currentTarget.value })}
        />
        <div className={classes['severities']} role="group" aria-label="Severities">
          {SEVERITIES.map((one) => (
            <button
              key={one}
              type="button"
              className={classes['severity']}
              data-severity={one}
              aria-pressed={severities.includes(one)}
              onClick={() => change({ severity: toggled(severities, one) })}
            >
              {SEVERITY_NAMES[one]}{' '}
              {counts && (
                <span className={classes['number']} data-zero={counts[one] === 0 || undefined}>
                  {counts[one].toLocaleString('en')}
                </span>
              )}
            </button>
          ))}
          <button
            type="button"
            className={classes['severity']}
            aria-pressed={isNew}
            disabled={news === undefined && !isNew}
            title={news === undefined ? 'This is your first visit in this browser: all are new' : 'Only what came since your last visit'}
            onClick={() => change({ new: isNew ? undefined : 'yes' })}
          >
            New{' '}
            {news !== undefined && (
              <span className={classes['number']} data-zero={news === 0 || undefined}>
                {news.toLocaleString('en')}
              </span>
            )}
          </button>
        </div>
      </FilterBox>
      {isFiltered(filters) && (
        <ClearFilters
          onClick={() => change({ q: undefined, severity: undefined, check: undefined, framework: undefined, new: undefined })}
        />
      )}
    </div>
  );
}

/** The selected check is listed even when it has no findings. */
function withChosen(checks: ToolbarProps['checks'], chosen: string): ToolbarProps['checks'] {
  return chosen === '' || checks.some(([id]) => id === chosen) ? checks : [...checks, [chosen, chosen]];
}
