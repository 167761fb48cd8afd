import { useInfiniteQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Incident, IncidentPage, IncidentTotals } from '../../contract/incident.ts';
import { askPage } from '../live/request.ts';
import { type Filters, PAGE_SIZE, questionOf } from './filters.ts';
import { keepShown } from '../components/shown.ts';

/** One entry of the list. `isGone` means that it left the list after it was shown. */
export interface Entry {
  incident: Incident;
  isGone: boolean;
}

/** The shown list, and changes that wait until a person asks for them. */
export interface IncidentList {
  entries: readonly Entry[];
  /** New incidents, in order. */
  fresh: readonly Incident[];
  gone: number;
  /** The number of matches; undefined before the first answer. */
  total: number | undefined;
  totals: IncidentTotals | undefined;
  error: Error | null;
  isPending: boolean;
  isMoreThere: boolean;
  more(): void;
  /** Shows the waiting changes. */
  apply(): void;
  /** Reloads the list and shows it at once. */
  reload(): Promise<void>;
}

interface Kept {
  order: readonly number[];
  known: ReadonlyMap<number, Incident>;
}

const NONE: Kept = { order: [], known: new Map() };

/**
 * The matching incidents. While `isUsed` returns true (a person points at or works in the list), the shown entries stay in place. The
 * caller uses another `key` for other filters.
 */
export function useIncidents(filters: Filters, namespace: string | undefined, isUsed: () => boolean): IncidentList {
  const first = questionOf(filters, namespace, PAGE_SIZE);
  const query = useInfiniteQuery({
    queryKey: ['incidents', first],
    initialPageParam: first,
    queryFn: ({ pageParam, signal }) => askPage<IncidentPage>(pageParam, { signal }),
    getNextPageParam: ({ next }) => next,
  });
  const { data, fetchNextPage, hasNextPage, isFetchingNextPage, refetch } = query;
  const [kept, keep] = useState(NONE);
  const fresh = useMemo(() => new Map(data?.pages.flatMap(({ body }) => body.incidents.map((one) => [one.id, one])) ?? []), [data]);
  useEffect(() => {
    if (!data) return;
    // The rows to show depend on where the pointer and the focus are when the answer arrives.
    // oxlint-disable-next-line react/set-state-in-effect
    keep((before) => {
      const ids = [...fresh.keys()];
      const order = isUsed() ? keepShown(before.order, ids).order : ids;
      return { order, known: new Map([...before.known, ...fresh]) };
    });
  }, [data, fresh, isUsed]);
  const apply = useCallback(() => keep({ order: [...fresh.keys()], known: fresh }), [fresh]);
  const waiting = useMemo(() => keepShown(kept.order, [...fresh.keys()]).waiting.flatMap((id) => fresh.get(id) ?? []), [kept.order, fresh]);
  const entries = useMemo(
    () =>
      kept.order.flatMap((id): Entry[] => {
        const incident = fresh.get(id) ?? kept.known.get(id);
        return incident ? [{ incident, isGone: !fresh.has(id) }] : [];
      }),
    [kept, fresh],
  );
  const head = data?.pages[0]?.body;
  return {
    entries,
    fresh: waiting,
    gone: entries.filter(({ isGone }) => isGone).length,
    total: head?.total,
    totals: head?.totals,
    error: query.error,
    isPending: query.isPending,
    isMoreThere: hasNextPage,
    more: () => {
      if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
    },
    apply,
    reload: async () => {
      const { data: answered } = await refetch();
      if (!answered) return;
      const all = new Map(answered.pages.flatMap(({ body }) => body.incidents.map((one) => [one.id, one])));
      keep({ order: [...all.keys()], known: all });
    },
  };
}
