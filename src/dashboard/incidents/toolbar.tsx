import { NativeSelect, SegmentedControl } from '@mantine/core';
import { useCallback } from 'react';
import type { IncidentTotals } from '../../contract/incident.ts';
import { type Search as AddressSearch } from '../components/address.ts';
import { ClearFilters, Filters as FilterBox } from '../components/filters.tsx';
import { SearchField } from '../components/search.tsx';
import {
  ACTIVE_STATUS_NAMES,
  ASSIGNEE_NAMES,
  type Filters,
  isFiltered,
  LIST_NAMES,
  SORT_NAMES,
  usualOrder,
  VERDICT_NAMES,
} from './filters.ts';
import classes from './incidents.module.css';

interface ToolbarProps {
  filters: Filters;
  totals: IncidentTotals | undefined;
  /** Reasons that the loaded incidents have. */
  reasons: readonly string[];
  /** Assignees of the loaded incidents. */
  assignees: readonly string[];
  change(changes: AddressSearch, how?: 'replace' | 'push'): void;
  searchField: React.RefObject<HTMLInputElement | null>;
}

const options = (all: string, names: Partial<Record<string, string>>): { value: string; label: string }[] => [
  { value: '', label: all },
  ...Object.entries(names).map(([value, label = value]) => ({ value, label })),
];

/** The filters of the list. All of them are in the address. */
export function Toolbar({ filters, totals, reasons, assignees, change, searchField }: ToolbarProps) {
  const { list, sort, order, reason = '', status = '', verdict = '', assignee = '' } = filters;
  const people = new Set([...assignees, ...(assignee && !Object.hasOwn(ASSIGNEE_NAMES, assignee) ? [assignee] : [])]);
  const names = [...people].toSorted((one, other) => one.localeCompare(other));
  const search = useCallback((q: string) => change({ q }), [change]);
  const lists = Object.entries(LIST_NAMES).map(([value, name]) => ({
    value,
    label: totals ? `${name} ${totals[value as keyof IncidentTotals].toLocaleString('en')}` : name,
  }));
  return (
    <div className={classes['toolbar']}>
      <div className={classes['lists']}>
        <SegmentedControl
          size="xs"
          aria-label="Which incidents"
          data={lists}
          value={list}
          onChange={(value) => change({ list: value === 'active' ? undefined : value, status: undefined }, 'push')}
        />
      </div>
      <SearchField
        ref={searchField}
        className={classes['search'] ?? ''}
        aria-label="Search incidents"
        placeholder="Search cause, culprit, workload  ( / )"
        value={filters.q}
        onSearch={search}
      />
      <FilterBox
        isUsed={[reason, status, verdict, assignee].some((one) => one !== '')}
        beside={
          <NativeSelect
            size="xs"
            aria-label="Sorted by"
            className={`${classes['select']} ${classes['sorting']}`}
            value={`${sort} ${order}`}
            data={Object.entries(SORT_NAMES).flatMap(([value, names]) =>
              Object.entries(names).map(([direction, label]) => ({ value: `${value} ${direction}`, label })),
            )}
            onChange={(event) => {
              const [by = '', direction = ''] = event.currentTarget.value.split(' ');
              change({ sort: by, order: direction === usualOrder(by as Filters['sort']) ? undefined : direction });
            }}
          />
        }
      >
        <NativeSelect
          size="xs"
          className={classes['select']}
          aria-label="Reason"
          value={reason}
          data={options(
            'Any reason',
            Object.fromEntries([...new Set([...reasons, ...(reason ? [reason] : [])])].sort().map((one) => [one, one])),
          )}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        {list === 'active' && (
          <NativeSelect
            size="xs"
            className={classes['select']}
            aria-label="Status"
            value={status}
            data={options('Any status', ACTIVE_STATUS_NAMES)}
            onChange={(event) => change({ status: event.currentTarget.value })}
          />
        )}
        <NativeSelect
          size="xs"
          className={classes['select']}
          aria-label="Verdict"
          value={verdict}
          data={options('Any verdict', VERDICT_NAMES)}
          onChange={(event) => change({ verdict: event.currentTarget.value })}
        />
        <NativeSelect
          size="xs"
          className={`${classes['select']} ${classes['people']}`}
          aria-label="Assignee"
          value={assignee}
          data={options('Any assignee', { ...ASSIGNEE_NAMES, ...Object.fromEntries(names.map((name) => [name, name])) })}
          onChange={(event) => change({ assignee: event.currentTarget.value })}
        />
      </FilterBox>
      {isFiltered(filters) && (
        <ClearFilters
          onClick={() => change({ q: undefined, reason: undefined, status: undefined, verdict: undefined, assignee: undefined })}
        />
      )}
    </div>
  );
}
