import { Button, Skeleton, Stack } from '@mantine/core';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Finding, Severity } from '../../contract/finding.ts';
import { useAddress, useScope } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { useKeys } from '../components/use-keys.ts';
import { waitingText } from '../components/shown.ts';
import { PageHead } from '../components/page-head.tsx';
import { ExportMenu } from './export-menu.tsx';
import { titleOf } from './facts.ts';
import { type Filters, filtersOf, isFiltered, isNews, matches, matchesElse, type Status } from './filters.ts';
import { countsOf, type GroupLine, groupOf, type KubeLine, linesOf, rowWith } from './group.ts';
import { List } from './list.tsx';
import { Panel } from './panel.tsx';
import { Registries } from './registries.tsx';
import { NoScanner, Rescan, useScanner } from './rescan.tsx';
import classes from './security.module.css';
import { Toolbar } from './toolbar.tsx';
import { useFindings, useShown, useVisit } from './use-findings.ts';

const GRAVE: readonly Severity[] = ['critical', 'high'];
/** Up to this many groups are open by default. */
const FEW_GROUPS = 4;

const NOTHING: Record<Status, [title: string, text: string]> = {
  '': ['No findings', 'The scanner watches, and nothing that the checks look for is there.'],
  dismissed: ['Nothing is dismissed', 'A finding that somebody dismisses is kept here until it is restored.'],
  suppressed: ['Nothing is suppressed', 'What a Suppression hides is kept here.'],
  resolved: ['Nothing has been resolved yet', 'A finding comes here when the scanner finds it no more.'],
};

const NOT_WATCHED = {
  no: 'Nothing was reported, and no scanner looks now.',
  unknown: 'Nothing was reported. Whether a scanner looks now is not known.',
};

/** Insecure settings, by workload or by check, with their corrections. */
export function Screen() {
  const [search, change] = useAddress();
  const namespace = useScope();
  const filters = filtersOf(search);
  return (
    <>
      <Findings key={`${filters.status} ${namespace ?? ''}`} filters={filters} namespace={namespace} />
      {search['registries'] !== undefined && <Registries onClose={() => change({ registries: undefined })} />}
    </>
  );
}

/** The findings that the address selects, as lines, with their counts. */
function useView(filters: Filters, namespace: string | undefined, openId: number | undefined, isUsed: () => boolean) {
  const loaded = useFindings(filters, namespace);
  const since = useVisit(loaded.data?.findings);
  const shown = useShown(loaded.data?.findings, isUsed);
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(new Map());
  const passing = useMemo(() => shown.entries.filter(({ finding }) => matches(finding, filters, since)), [shown.entries, filters, since]);
  const there = useMemo(() => shown.entries.filter(({ state }) => state === 'here').map(({ finding }) => finding), [shown.entries]);
  const isAllOpen = filters.q !== '' || new Set(passing.map(({ finding }) => groupOf(finding, filters.by))).size <= FEW_GROUPS;
  const lines = linesOf(passing, {
    by: filters.by,
    foldsKube: namespace?.startsWith('kube-') !== true,
    hasKube: filters.hasKube,
    opened,
    shown: openId,
    usual: (worst) => isAllOpen || GRAVE.includes(worst),
  });
  return {
    loaded,
    shown,
    since,
    lines,
    heads: lines.filter((line): line is GroupLine => line.kind === 'group'),
    waiting: waitingText(
      shown.fresh.filter((finding) => matches(finding, filters, since)).length,
      passing.filter(({ state }) => state === 'gone').length,
    ),
    /** The findings that pass the filters. */
    here: passing.filter(({ state }) => state === 'here').map(({ finding }) => finding),
    /** The same, of any severity. */
    ofAnySeverity: there.filter((finding) => matchesElse(finding, filters, since)),
    news: since === null ? undefined : there.filter((finding) => isNews(finding, since)).length,
    toggleGroups: (keys: readonly string[], isOpen: boolean) =>
      setOpened((before) => new Map([...before, ...keys.map((key) => [key, isOpen] as const)])),
  };
}

function Findings({ filters, namespace }: { filters: Filters; namespace: string | undefined }) {
  const [{ open }, change] = useAddress();
  const box = useRef<HTMLDivElement>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const focusRow = useRef<(id: number) => void>(() => {});
  const openId = open !== undefined && /^[1-9]\d{0,15}$/.test(open) ? Number(open) : undefined;
  const isOpen = openId !== undefined;
  const isUsed = useCallback(() => {
    if (document.visibilityState !== 'visible' || !box.current) return false;
    return isOpen || scrollY > 0 || box.current.matches(':hover') || box.current.contains(document.activeElement);
  }, [isOpen]);
  const view = useView(filters, namespace, openId, isUsed);
  const { loaded, shown, lines } = view;
  const close = useCallback(() => {
    change({ open: undefined });
    // The panel is gone in the next frame.
    if (openId !== undefined) requestAnimationFrame(() => focusRow.current(openId));
  }, [change, openId]);
  useKeys({ '/': () => searchField.current?.focus(), ...(isOpen && { Escape: close }) });
  const toggle = (line: GroupLine | KubeLine): void => {
    if (line.kind === 'kube') change({ kube: line.isOpen ? undefined : 'yes' });
    else view.toggleGroups([line.key], !line.isOpen);
  };
  return (
    <>
      <PageHead title="Security">
        <Rescan />
        <Button size="compact-sm" variant="default" onClick={() => change({ registries: 'yes' })}>
          Trusted registries
        </Button>
        <ExportMenu findings={view.here} filters={filters} namespace={namespace} />
      </PageHead>
      <NoScanner />
      <Toolbar
        filters={filters}
        counts={loaded.data && countsOf(view.ofAnySeverity)}
        checks={checksOf(shown.entries.map(({ finding }) => finding))}
        news={view.news}
        change={change}
        searchField={searchField}
      />
      <ErrorNotice error={loaded.error} onRetry={() => void loaded.refetch()} />
      {loaded.isPending && !loaded.error && <Loading />}
      <div className={classes['split']} data-open={isOpen || undefined}>
        <div ref={box} className={classes['main']} aria-busy={loaded.isFetching}>
          {(lines.length > 0 || view.waiting) && <Above view={view} by={filters.by} />}
          {lines.length > 0 ? (
            <List
              lines={lines}
              by={filters.by}
              since={view.since}
              open={openId}
              onOpen={(id) => change({ open: String(id) }, isOpen ? 'replace' : 'push')}
              onToggle={toggle}
              returning={(focus) => void (focusRow.current = focus)}
            />
          ) : (
            loaded.data && <Nothing filters={filters} others={view.ofAnySeverity.length} change={change} />
          )}
        </div>
        {isOpen && (
          <Panel id={openId} row={rowOf(view, openId)} onOpen={(id) => change({ open: String(id) })} onClose={close} done={shown.done} />
        )}
      </div>
    </>
  );
}

type View = ReturnType<typeof useView>;

/** The findings in the same row; only the finding itself if a filter hides the row. */
function rowOf({ lines, shown }: View, id: number): Finding[] {
  const entries = rowWith(lines, id)?.entries ?? shown.entries.filter(({ finding }) => finding.id === id);
  return entries.map(({ finding }) => finding);
}

/** The area above the list: counts and waiting changes. */
function Above({ view: { loaded, shown, waiting, here, heads, toggleGroups }, by }: { view: View; by: Filters['by'] }) {
  const isAnyClosed = heads.some(({ isOpen }) => !isOpen);
  return (
    <>
      <div className={classes['above']}>
        <span className={classes['quiet']} role="status">
          {totalText(here.length, heads.length, by)}
        </span>
        {waiting && (
          <Button size="compact-sm" variant="light" onClick={shown.apply}>
            {waiting}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          className={classes['all'] ?? ''}
          onClick={() =>
            toggleGroups(
              heads.map(({ key }) => key),
              isAnyClosed,
            )
          }
        >
          {isAnyClosed ? 'Open all' : 'Close all'}
        </Button>
      </div>
      {loaded.data?.isWhole === false && (
        <p className={classes['quiet']}>
          The newest {loaded.data.findings.length.toLocaleString('en')} are shown: there are more. Choose a namespace, a check or one
          severity to see all of those.
        </p>
      )}
    </>
  );
}

function totalText(findings: number, groups: number, by: Filters['by']): string {
  const many = (count: number, one: string): string => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`;
  return `${many(findings, 'finding')}, ${many(groups, by === 'check' ? 'check' : 'resource')}`;
}

/** The checks with findings, by title. */
function checksOf(findings: readonly { check_name: string; details: Record<string, unknown> }[]): [id: string, title: string][] {
  const known = new Map(findings.map((finding) => [finding.check_name, titleOf(finding)]));
  return [...known].sort(([, one], [, other]) => one.localeCompare(other));
}

interface NothingProps {
  filters: Filters;
  /** Findings of hidden severities. */
  others: number;
  change: ReturnType<typeof useAddress>[1];
}

function Nothing({ filters, others, change }: NothingProps) {
  const { scanner, isPending } = useScanner();
  const [title, text] = NOTHING[filters.status];
  if (isFiltered(filters))
    return (
      <EmptyState title="Nothing here matches">
        {filters.isNew ? 'Nothing came since your last visit.' : 'Clear the filters, or look through another list.'}
      </EmptyState>
    );
  const isActive = filters.status === '';
  // An empty list means something else if nothing scans.
  if (isActive && isPending) return <Loading />;
  return (
    <EmptyState title={title}>
      {isActive && scanner?.state !== 'ok' ? NOT_WATCHED[scanner ? 'no' : 'unknown'] : text}
      {others > 0 && (
        <div>
          <Button size="compact-sm" variant="subtle" onClick={() => change({ severity: 'info' })}>
            {others === 1 ? 'Show one that only informs' : `Show ${others.toLocaleString('en')} that only inform`}
          </Button>
        </div>
      )}
    </EmptyState>
  );
}

function Loading() {
  return (
    <Stack gap={6} role="img" aria-label="Loading findings">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <Skeleton key={line} height={36} />
      ))}
    </Stack>
  );
}
