import { Button, Skeleton, Stack, VisuallyHidden } from '@mantine/core';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Incident, IncidentListName } from '../../contract/incident.ts';
import { useAddress, useScope } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useKeys } from '../components/use-keys.ts';
import { PageHead } from '../components/page-head.tsx';
import { Bulk } from './bulk.tsx';
import { type Filters, filtersOf, isFiltered, questionOf, usualOrder } from './filters.ts';
import classes from './incidents.module.css';
import { waitingText } from '../components/shown.ts';
import { SavedViews } from './saved-views.tsx';
import { Table } from './table.tsx';
import { Toolbar } from './toolbar.tsx';
import { type Entry, useIncidents } from './use-incidents.ts';

const NOTHING: Record<IncidentListName, [title: string, text: string]> = {
  active: ['Nothing fails', 'A failing pod appears here at once.'],
  ignored: ['Nothing is dismissed', 'An incident that somebody dismisses is kept here until it is restored.'],
  suppressed: ['Nothing is suppressed', 'What a Suppression hides is kept here.'],
  resolved: ['Nothing has been resolved yet', 'An incident comes here when its pods work again or are gone.'],
};

/** The incident that was opened last. It outlives the screen, so that Back can find it. */
let openedLast: number | null = null;
const opened = { get: () => openedLast, set: (id: number) => void (openedLast = id) };

/** The incidents, one row for each workload. */
export function Screen() {
  const [search, change] = useAddress();
  const namespace = useScope();
  const filters = filtersOf(search);
  const searchField = useRef<HTMLInputElement>(null);
  const [reasons, setReasons] = useState<ReadonlySet<string>>(new Set());
  const [assignees, setAssignees] = useState<ReadonlySet<string>>(new Set());
  const [totals, setTotals] = useState<ReturnType<typeof useIncidents>['totals']>();
  useKeys({ '/': () => searchField.current?.focus() });
  const told = useCallback((list: ReturnType<typeof useIncidents>) => {
    setTotals(list.totals);
    setReasons(withAll(list.entries.map(({ incident }) => incident.reason)));
    setAssignees(withAll(list.entries.flatMap(({ incident }) => incident.assignee ?? [])));
  }, []);
  return (
    <>
      <PageHead title="Incidents">
        <SavedViews search={search} change={change} />
      </PageHead>
      <Toolbar
        filters={filters}
        totals={totals}
        reasons={[...reasons]}
        assignees={[...assignees]}
        change={change}
        searchField={searchField}
      />
      <List
        key={questionOf(filters, namespace, 1)}
        filters={filters}
        namespace={namespace}
        told={told}
        onSort={(sort) => {
          const flipped = filters.order === 'asc' ? 'desc' : 'asc';
          const order = filters.sort === sort ? flipped : usualOrder(sort);
          change({ sort: sort === 'first_seen' ? undefined : sort, order: order === usualOrder(sort) ? undefined : order });
        }}
      />
    </>
  );
}

/** Adds values to a set. Returns the same set when all of them are known. */
const withAll =
  (found: readonly string[]) =>
  (known: ReadonlySet<string>): ReadonlySet<string> => {
    const all = new Set([...known, ...found]);
    return all.size === known.size ? known : all;
  };

interface ListProps {
  filters: Filters;
  namespace: string | undefined;
  onSort: Parameters<typeof Table>[0]['onSort'];
  /** Called when the list's content changes. */
  told(list: ReturnType<typeof useIncidents>): void;
}

function List({ filters, namespace, onSort, told }: ListProps) {
  const box = useRef<HTMLDivElement>(null);
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const hasSelected = selected.size > 0;
  const isUsed = useCallback(() => {
    if (document.visibilityState !== 'visible' || !box.current) return false;
    return hasSelected || scrollY > 0 || box.current.matches(':hover') || box.current.contains(document.activeElement);
  }, [hasSelected]);
  const list = useIncidents(filters, namespace, isUsed);
  const { entries, fresh, gone, total = 0, apply } = list;
  const news = useNews(entries, fresh, list.totals !== undefined && (entries.length > 0 || total === 0));
  useEffect(() => {
    if (list.totals) told(list);
    // Called for new data only: `list` is another object in each pass.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [list.totals, entries, told]);
  const lastSelected = useRef<number | null>(null);
  const ids = useMemo(() => entries.map(({ incident }) => incident.id), [entries]);
  const select = useCallback(
    (id: number, isSelected: boolean, withRange: boolean) => {
      const [from, to] = [ids.indexOf(lastSelected.current ?? id), ids.indexOf(id)].sort((a, b) => a - b) as [number, number];
      const range = withRange && from >= 0 ? ids.slice(from, to + 1) : [id];
      lastSelected.current = id;
      setSelected((before) => {
        const next = new Set(before);
        for (const one of range) {
          if (isSelected) next.add(one);
          else next.delete(one);
        }
        return next;
      });
    },
    [ids],
  );
  const [isAssigning, setAssigning] = useState(false);
  const clear = useCallback(() => {
    setSelected(new Set());
    setAssigning(false);
  }, []);
  /** Opens the menu of assignees for the selected incidents, or for this one when none is selected. */
  const assign = (id: number): void => {
    setSelected((before) => (before.size > 0 ? before : new Set([id])));
    setAssigning(true);
  };
  useKeys({ Escape: clear });
  const chosen = entries.filter(({ incident, isGone }) => selected.has(incident.id) && !isGone).map(({ incident }) => incident);
  const [title, text] = NOTHING[filters.list];
  const waiting = waitingText(fresh.length, gone);
  const isShown = entries.length > 0;
  return (
    <div ref={box} aria-busy={list.isPending}>
      <ErrorNotice error={list.error} onRetry={() => void list.reload()} />
      {list.isPending && !list.error && <Loading />}
      {isShown && (
        <div className={classes['above']}>
          <span className={classes['quiet']}>{total === 1 ? 'One incident' : `${total.toLocaleString('en')} incidents`}</span>
          {waiting && (
            <Button size="compact-sm" variant="light" onClick={apply}>
              {waiting}
            </Button>
          )}
        </div>
      )}
      <VisuallyHidden role="status">{news}</VisuallyHidden>
      {isShown && (
        <Table
          entries={entries}
          total={total}
          filters={filters}
          onSort={onSort}
          selected={selected}
          select={select}
          opened={opened}
          more={list.more}
          assign={assign}
        />
      )}
      {!isShown &&
        list.totals &&
        (isFiltered(filters) ? (
          <EmptyState title="Nothing here matches">Clear the filters, or look through another list.</EmptyState>
        ) : (
          <EmptyState title={title}>{text}</EmptyState>
        ))}
      {chosen.length > 0 && (
        <Bulk
          list={filters.list}
          incidents={chosen}
          clear={clear}
          reload={list.reload}
          isAssigning={isAssigning}
          setAssigning={setAssigning}
        />
      )}
    </div>
  );
}

/** Announces incidents that began after the list was loaded to screen readers. Ids only grow, so smaller ones are not new. */
function useNews(entries: readonly Entry[], fresh: readonly Incident[], isLoaded: boolean): string {
  const highest = useRef<number | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    if (!isLoaded) return;
    const all = [...entries.map(({ incident }) => incident), ...fresh];
    const known = highest.current ?? Number.POSITIVE_INFINITY;
    const begun = all.filter(({ id }) => id > known);
    highest.current = Math.max(highest.current ?? 0, ...all.map(({ id }) => id));
    if (begun.length > 0) setText(begun.map(({ workload, reason }) => `New incident: ${workload.name}, ${reason}`).join('. '));
  }, [entries, fresh, isLoaded]);
  return text;
}

function Loading() {
  return (
    <Stack gap={8} role="img" aria-label="Loading incidents">
      {[1, 2, 3, 4, 5].map((line) => (
        <Skeleton key={line} height={50} />
      ))}
    </Stack>
  );
}
