import { Button, NativeSelect, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Advice, AdviceDetector } from '../../contract/advice.ts';
import { useAddress, useScope } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SEVERITIES, SEVERITY_NAMES } from '../components/severity.ts';
import { usePages } from '../components/pages.ts';
import { queryOf } from '../components/query-of.ts';
import { Rows } from '../components/rows.tsx';
import { SearchField } from '../components/search.tsx';
import { ask } from '../live/request.ts';
import classes from './advice.module.css';
import { groupsOf } from './group.ts';
import { AdviceGroup, AdviceRow } from './row.tsx';

const STATUSES = [
  { value: '', label: 'Open' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'suppressed', label: 'Suppressed' },
  { value: 'resolved', label: 'Resolved' },
];

/** The advice: problems that could cause failures later, and the changes that prevent them. */
export function Screen() {
  const namespace = useScope();
  const [{ status, severity, detector, q }] = useAddress();
  const wish = { namespace, status, severity, detector, q };
  const list = usePages<Advice>(['advice', wish], `/api/advice/findings${queryOf({ ...wish, sort: 'severity' })}`);
  const { data: detectors = [] } = useQuery({
    queryKey: ['detectors'],
    queryFn: ({ signal }) => ask<AdviceDetector[]>('/api/advice/detectors', { signal }),
  });
  const off = detectors.filter(({ enabled }) => !enabled);
  return (
    <>
      <PageHead title="Advice" beside={list.rows && <Text c="dimmed">{`${list.rows.length}${list.hasNextPage ? '+' : ''}`}</Text>} />
      <Filters detectors={detectors} />
      <ErrorNotice error={list.error} onRetry={() => void list.refetch()} />
      <Found list={list} isNarrowed={Object.values(wish).some(Boolean)} looking={detectors.length} />
      {off.length > 0 && (
        <Text size="sm" c="dimmed" mt="md">
          {off.length} of {detectors.length} detectors are off somewhere, because what they need may not be read:{' '}
          {off.map(({ title }) => title).join(', ')}.
        </Text>
      )}
    </>
  );
}

function Filters({ detectors }: { detectors: readonly AdviceDetector[] }) {
  const [{ status = '', severity = '', detector = '', q }, change] = useAddress();
  return (
    <div className={classes['filters']}>
      <SegmentedControl
        size="xs"
        aria-label="Status"
        data={STATUSES}
        value={status}
        onChange={(value) => change({ status: value, open: undefined })}
      />
      <NativeSelect
        className={classes['select']}
        size="xs"
        aria-label="Severity"
        data={[{ value: '', label: 'Any severity' }, ...SEVERITIES.map((one) => ({ value: one, label: SEVERITY_NAMES[one] }))]}
        value={severity}
        onChange={(event) => change({ severity: event.currentTarget.value })}
      />
      <NativeSelect
        className={classes['select']}
        size="xs"
        aria-label="Detector"
        data={[{ value: '', label: 'Any detector' }, ...detectors.map(({ id, title }) => ({ value: id, label: title }))]}
        value={detector}
        onChange={(event) => change({ detector: event.currentTarget.value })}
      />
      <SearchField
        className={classes['search'] ?? ''}
        aria-label="Search advice"
        placeholder="Name, namespace, words"
        value={q}
        onSearch={(text) => change({ q: text })}
      />
    </div>
  );
}

interface FoundProps {
  list: ReturnType<typeof usePages<Advice>>;
  isNarrowed: boolean;
  /** How many detectors look. */
  looking: number;
}

function Found({ list: { rows, error, hasNextPage, fetchNextPage, isFetchingNextPage }, isNarrowed, looking }: FoundProps) {
  const [{ open }, change] = useAddress();
  if (!rows) return error ? null : <Skeleton height={160} />;
  if (rows.length === 0)
    return (
      <EmptyState title={isNarrowed ? 'Nothing here matches' : 'There is no advice'}>
        {isNarrowed
          ? 'Change what is shown, or the namespace in the bar above.'
          : `${looking} detectors look for what could fail, each time a workload changes.`}
      </EmptyState>
    );
  const rowOf = (one: Advice, isBelowTitle = false): ReactNode => (
    <AdviceRow
      key={one.id}
      one={one}
      isBelowTitle={isBelowTitle}
      isOpen={open === String(one.id)}
      onToggle={() => change({ open: open === String(one.id) ? undefined : String(one.id) })}
    />
  );
  return (
    <Stack gap="sm">
      <Rows label="Advice">
        {groupsOf(rows).map((group) => {
          const [first] = group;
          if (group.length === 1) return rowOf(first);
          return (
            <AdviceGroup key={`group of ${first.id}`} group={group}>
              {group.map((one) => rowOf(one, true))}
            </AdviceGroup>
          );
        })}
      </Rows>
      {hasNextPage && (
        <Button variant="default" size="xs" w="fit-content" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </Stack>
  );
}
