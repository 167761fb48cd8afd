import { Button, Center, SegmentedControl, Skeleton, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { addressOf, type Place } from '../place.ts';
import { askPage } from '../live/ask.ts';
import { Search } from '../components/icons.tsx';
import type { ListName, Page } from '../live/apply.ts';
import { Ago } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
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

interface FailureListProps {
  place: Place;
  go(place: Place): void;
}

/** The failures of one list, by incident, newest first; new ones appear by themselves. */
export function FailureList({ place, go }: FailureListProps) {
  const { list } = place;
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const query = useInfiniteQuery({
    queryKey: ['failures', list, search],
    initialPageParam: `/api/pods/${list}?${new URLSearchParams({ limit: String(PAGE_SIZE), ...(search && { q: search }) }).toString()}`,
    queryFn: ({ pageParam, signal }): Promise<Page> => askPage<Page['body']>(pageParam, { signal }),
    getNextPageParam: ({ next }) => next,
  });
  const incidents = incidentsOf(query.data?.pages.flatMap(({ body }) => body) ?? []);
  return (
    <>
      <Stack gap="xs" className="list-head">
        <SegmentedControl
          fullWidth
          size="sm"
          aria-label="Which failures"
          data={NAMES}
          value={list}
          onChange={(value) => go({ failure: null, list: value as ListName })}
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
        {query.isSuccess && incidents.length === 0 && (
          <Center p="xl">
            <Text c="dimmed" ta="center" size="sm">
              {search ? `Nothing here matches “${search}”.` : NOTHING[list]}
            </Text>
          </Center>
        )}
        <ul className="incidents">
          {incidents.map((incident) => (
            <Row key={incident.id} incident={incident} place={place} go={go} />
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

function Row({ incident, place, go }: FailureListProps & { incident: Incident }) {
  const { records, name } = incident;
  const [newest] = records;
  const isOpen = records.some(({ id }) => id === place.failure);
  const target = { ...place, failure: newest.id };
  const open = (event: MouseEvent): void => {
    // With a modifier key the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(target);
  };
  return (
    <li>
      <a className="incident" href={addressOf(target)} onClick={open} aria-current={isOpen || undefined}>
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
      </a>
    </li>
  );
}

/** Announces new failures to screen readers. Ids only grow: a record with a lower id was loaded late and is not new. */
function Announcement({ incidents, isLoaded }: { incidents: Incident[]; isLoaded: boolean }) {
  const highest = useRef<number | null>(null);
  const [text, setText] = useState('');
  const count = incidents.length;
  useEffect(() => {
    if (!isLoaded) return;
    const known = highest.current ?? Number.POSITIVE_INFINITY;
    const fresh = incidents.filter(({ records: [{ id }] }) => id > known);
    highest.current = Math.max(highest.current ?? 0, ...incidents.map(({ records: [{ id }] }) => id));
    if (fresh.length > 0)
      setText(fresh.map(({ name, records: [{ failure_reason }] }) => `New failure: ${name}, ${failure_reason}`).join('. '));
  }, [incidents, isLoaded]);
  useEffect(() => {
    document.title = count > 0 ? `(${count}) Podmend` : 'Podmend';
  }, [count]);
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
