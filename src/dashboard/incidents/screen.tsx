import { Button, Center, SegmentedControl, Skeleton, Stack, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { askPage } from '../live/ask.ts';
import { Search } from '../components/icons.tsx';
import type { ListName, Page } from '../live/apply.ts';
import { useAddress, useScope } from '../components/address.ts';
import { Ago } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { PageHead } from '../components/page-head.tsx';
import { type Incident, incidentsOf } from './incidents.ts';
import { StatusDot } from '../components/status.tsx';

const PAGE_SIZE = 100;
const NAMES: { value: ListName; label: string }[] = [
  { value: 'failed', label: 'Active' },
  { value: 'ignored', label: 'Ignored' },
  { value: 'history', label: 'Resolved' },
];
const NOTHING: Record<ListName, string> = {
  failed: 'Nothing fails. A failing pod appears here at once.',
  ignored: 'Nothing is ignored.',
  history: 'Nothing has been resolved yet.',
};

/** The failures of one list, by incident, newest first; new ones appear by themselves. */
export function Screen() {
  const [{ list: wanted = 'failed', q = '' }, change] = useAddress();
  const list = NAMES.find(({ value }) => value === wanted)?.value ?? 'failed';
  const namespace = useScope();
  const [typed, setTyped] = useState(q);
  const [search] = useDebouncedValue(typed.trim(), 250);
  useEffect(() => change({ q: search }), [change, search]);
  const asked = { limit: String(PAGE_SIZE), ...(search && { q: search }), ...(namespace && { namespace }) };
  const query = useInfiniteQuery({
    queryKey: ['failures', list, search, namespace],
    initialPageParam: `/api/pods/${list}?${new URLSearchParams(asked).toString()}`,
    queryFn: ({ pageParam, signal }): Promise<Page> => askPage<Page['body']>(pageParam, { signal }),
    getNextPageParam: ({ next }) => next,
  });
  const incidents = incidentsOf(query.data?.pages.flatMap(({ body }) => body) ?? []);
  return (
    <>
      <PageHead title="Incidents" />
      <Stack gap="xs" className="list-head">
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label="Which failures"
          data={NAMES}
          value={list}
          onChange={(value) => change({ list: value === 'failed' ? undefined : value }, 'push')}
        />
        <TextInput
          type="search"
          size="sm"
          aria-label="Search failures"
          placeholder="Search pod, namespace, reason"
          leftSection={<Search size={15} />}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </Stack>
      {list === 'failed' && search === '' && <Announcement incidents={incidents} isLoaded={query.isSuccess} />}
      <div className="list-body" aria-busy={query.isPending}>
        <ErrorNotice error={query.error} onRetry={() => void query.refetch()} />
        {query.isPending && !query.error && <Loading />}
        {query.isSuccess && incidents.length === 0 && <EmptyState title={search ? `Nothing here matches “${search}”.` : NOTHING[list]} />}
        <ul className="incidents">
          {incidents.map((incident) => (
            <Row key={incident.id} incident={incident} />
          ))}
        </ul>
        {query.hasNextPage && (
          <Center p="sm">
            <Button variant="default" size="xs" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show more
            </Button>
          </Center>
        )}
      </div>
    </>
  );
}

function Row({ incident: { records, name } }: { incident: Incident }) {
  const [newest] = records;
  return (
    <li>
      <Link className="incident" to="/incidents/$id" params={{ id: String(newest.id) }}>
        <StatusDot status={newest.status} />
        <span className="incident-name">{name}</span>
        <span className="incident-time">
          <Ago at={newest.last_seen} />
        </span>
        <span className="incident-reason">{newest.failure_reason}</span>
        <span className="incident-where">
          {newest.namespace}
          {records.length > 1 && ` · ${records.length} pods`}
        </span>
      </Link>
    </li>
  );
}

/** Announces new failures to screen readers. Ids only grow: a record with a lower id was loaded late and is not new. */
function Announcement({ incidents, isLoaded }: { incidents: Incident[]; isLoaded: boolean }) {
  const highest = useRef<number | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!isLoaded) return;
    const known = highest.current ?? Number.POSITIVE_INFINITY;
    const fresh = incidents.filter(({ records: [{ id }] }) => id > known);
    highest.current = Math.max(highest.current ?? 0, ...incidents.map(({ records: [{ id }] }) => id));
    if (fresh.length > 0)
      setText(fresh.map(({ name, records: [{ failure_reason }] }) => `New failure: ${name}, ${failure_reason}`).join('. '));
  }, [incidents, isLoaded]);
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
}

function Loading() {
  return (
    <Stack gap={8} p="xs" aria-label="Loading failures" role="img">
      {[1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} height={58} radius="md" />
      ))}
    </Stack>
  );
}
