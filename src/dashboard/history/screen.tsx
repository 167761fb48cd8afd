import { Anchor, SegmentedControl, Skeleton, Table, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { History, OneWorkloadHistory, WorkloadHistory } from '../../contract/incident.ts';
import { useAddress, useScope } from '../components/address.ts';
import { Ago, useNow } from '../components/ago.tsx';
import { Bars } from '../components/bars.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SearchField } from '../components/search.tsx';
import { Verdict } from '../components/verdict.tsx';
import { ask } from '../live/request.ts';
import { durationOf } from './duration.ts';
import classes from './history.module.css';

const DAYS = ['7', '30', '90'];
const DAY = new Intl.DateTimeFormat(undefined, { month: 'short', day: 'numeric' });
const DAY_MS = 86_400_000;

/** Workloads that failed repeatedly, and how long each failure lasted. */
export function Screen() {
  const [{ days: wanted = '30', q = '', workload }, change] = useAddress();
  const days = DAYS.includes(wanted) ? wanted : '30';
  const range = (
    <SegmentedControl
      size="xs"
      aria-label="How far back"
      data={DAYS.map((value) => ({ value, label: `${value} days` }))}
      value={days}
      onChange={(value) => change({ days: value === '30' ? undefined : value })}
    />
  );
  if (workload)
    return <OneWorkload key={workload} id={workload} days={days} range={range} onBack={() => change({ workload: undefined }, 'push')} />;
  return (
    <>
      <PageHead title="History">{range}</PageHead>
      <Workloads days={days} q={q} change={change} />
    </>
  );
}

interface WorkloadsProps {
  days: string;
  q: string;
  change: ReturnType<typeof useAddress>[1];
}

function Workloads({ days, q: search, change }: WorkloadsProps) {
  const namespace = useScope();
  const onSearch = useCallback((text: string) => change({ q: text }), [change]);
  const asked = new URLSearchParams({ days, ...(search && { q: search }), ...(namespace && { namespace }) });
  const { data, error, refetch } = useQuery({
    queryKey: ['history', asked.toString()],
    queryFn: ({ signal }) => ask<History>(`/api/history/workloads?${asked.toString()}`, { signal }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <SearchField
        className={classes['search'] ?? ''}
        aria-label="Search workloads"
        placeholder="Search workload, namespace"
        value={search}
        onSearch={onSearch}
      />
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={240} role="img" aria-label="Loading the history" />}
      {data?.workloads.length === 0 && (
        <EmptyState title={search ? `No workload matches “${search}”.` : `Nothing failed in the last ${days} days.`}>
          Incidents stay here when they are over, until retention deletes them.
        </EmptyState>
      )}
      {data && data.workloads.length > 0 && <WorkloadTable history={data} />}
    </>
  );
}

function WorkloadTable({ history: { workloads, total, days } }: { history: History }) {
  return (
    <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Workloads by number of incidents">
      <Table verticalSpacing={6} highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Workload</Table.Th>
            <Table.Th>Incidents</Table.Th>
            <Table.Th>Time to resolve</Table.Th>
            <Table.Th className={classes['wide']}>Longest</Table.Th>
            <Table.Th className={classes['wide']}>Last</Table.Th>
            <Table.Th className={classes['wide']}>Trend</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {workloads.map((one) => (
            <Row key={idOf(one)} workload={one} days={days} />
          ))}
        </Table.Tbody>
      </Table>
      {total > workloads.length && (
        <Text size="sm" c="dimmed" mt="xs">
          The first {workloads.length} of {total} workloads. Search to see others.
        </Text>
      )}
    </div>
  );
}

const idOf = ({ namespace, kind, name }: WorkloadHistory): string => `${namespace}/${kind}/${name}`;

function Row({ workload, days }: { workload: WorkloadHistory; days: number }) {
  const { namespace, kind, name, incidents, open, median_seconds, longest_seconds, last_opened, reasons } = workload;
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes['workload']}>
        <Anchor
          component={Link}
          size="sm"
          fw={600}
          to="."
          search={((before: object) => ({ ...before, workload: idOf(workload) })) as never}
          title={`${kind} ${name} in ${namespace}`}
        >
          <bdi>{name}</bdi>
        </Anchor>
        <span className={classes['small']}>
          <bdi>{namespace}</bdi> · {reasons.join(', ')}
        </span>
      </Table.Th>
      <Table.Td>
        {incidents}
        {open > 0 && (
          <>
            {open < incidents && ','} <span className={classes['open']}>{open === incidents ? 'open' : `${open} open`}</span>
          </>
        )}
      </Table.Td>
      <Table.Td>{durationOf(median_seconds)}</Table.Td>
      <Table.Td className={classes['wide']}>{durationOf(longest_seconds)}</Table.Td>
      <Table.Td className={`${classes['when']} ${classes['wide']}`}>
        <Ago at={last_opened} />
      </Table.Td>
      <Table.Td className={classes['wide']}>
        <Trend workload={workload} days={days} isSmall />
      </Table.Td>
    </Table.Tr>
  );
}

function Trend({ workload: { trend, name }, days, isSmall }: { workload: WorkloadHistory; days: number; isSmall?: boolean }) {
  const from = useNow(DAY_MS).getTime() - days * DAY_MS;
  const bars = trend.map((up, index) => {
    const day = DAY.format(new Date(from + index * DAY_MS));
    return { key: String(index), title: `24 hours from ${day}: ${up} new`, up };
  });
  const began = trend.reduce((sum, count) => sum + count, 0);
  return <Bars bars={bars} says={`${name}: ${began} incidents began in ${days} days`} isSmall={isSmall === true} />;
}

interface OneProps {
  id: string;
  days: string;
  range: React.ReactNode;
  onBack(): void;
}

function OneWorkload({ id, days, range, onBack }: OneProps) {
  const path = id.split('/').map(encodeURIComponent).join('/');
  const { data, error, refetch } = useQuery({
    queryKey: ['history', 'one', id, days],
    queryFn: ({ signal }) => ask<OneWorkloadHistory>(`/api/history/workloads/${path}?days=${days}`, { signal }),
    placeholderData: keepPreviousData,
  });
  const [namespace = '', kind = '', name = ''] = id.split('/');
  return (
    <>
      <PageHead title={`History of ${name}`} beside={<Text c="dimmed">{`${kind} in ${namespace}`}</Text>}>
        {range}
      </PageHead>
      <Anchor component="button" type="button" size="sm" mb="sm" onClick={onBack}>
        All workloads
      </Anchor>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={240} role="img" aria-label="Loading the history" />}
      {data && <Detail one={data} />}
    </>
  );
}

function Detail({ one }: { one: OneWorkloadHistory }) {
  return (
    <div className={classes['detail']}>
      <Text size="sm">
        {one.incidents} {one.incidents === 1 ? 'incident' : 'incidents'} in {one.days} days, {one.open} open.
        {one.median_seconds !== null &&
          ` Half were over within ${durationOf(one.median_seconds)}; the longest took ${durationOf(one.longest_seconds)}.`}
      </Text>
      <Trend workload={one} days={one.days} />
      <div className={classes['scroll']} tabIndex={0} role="region" aria-label="Incidents of the workload">
        <Table verticalSpacing={6} highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reason</Table.Th>
              <Table.Th>Container</Table.Th>
              <Table.Th>Pods</Table.Th>
              <Table.Th>Began</Table.Th>
              <Table.Th>Took</Table.Th>
              <Table.Th>Verdict</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {one.list.map(({ id, failure_id, reason, container, pods, opened_at, closed_at, verdict }) => (
              <Table.Tr key={id}>
                <Table.Th scope="row">
                  <Anchor component={Link} size="sm" to="/incidents/$id" params={{ id: String(failure_id) } as never}>
                    <bdi>{reason}</bdi>
                  </Anchor>
                </Table.Th>
                <Table.Td>
                  <bdi>{container ?? '–'}</bdi>
                </Table.Td>
                <Table.Td>{pods}</Table.Td>
                <Table.Td className={classes['when']}>
                  <Ago at={opened_at} />
                </Table.Td>
                <Table.Td>
                  {closed_at ? (
                    durationOf((Date.parse(closed_at) - Date.parse(opened_at)) / 1000)
                  ) : (
                    <span className={classes['open']}>open</span>
                  )}
                </Table.Td>
                <Table.Td>{verdict ? <Verdict verdict={verdict} /> : '–'}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </div>
  );
}
