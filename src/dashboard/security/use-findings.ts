import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Finding } from '../../contract/finding.ts';
import { usePerson } from '../components/current-user.ts';
import { queryOf } from '../components/query-of.ts';
import type { FindingList } from '../live/apply.ts';
import { askPage } from '../live/request.ts';
import type { LoadedFindings } from '../live/use-live.ts';
import type { Filters, Status } from './filters.ts';
import type { Entry } from './group.ts';
import { seeing, storedVisit, type Visit, visitAt } from './visit.ts';

const PAGE = 1000;
/** The maximum number grouped in the browser, which stays fast; nobody reads more. */
const MOST = 10_000;

/** A list that the server filters, because there are more findings than are loaded. */
type Wish = FindingList & { check?: string; severity?: string; q?: string };

async function load({ status, ...wish }: Wish, signal: AbortSignal): Promise<LoadedFindings> {
  const findings: Finding[] = [];
  let next: string | null = `/api/security/findings${queryOf({ ...wish, status, limit: String(PAGE) })}`;
  while (next !== null && findings.length < MOST) {
    const page: { body: Finding[]; next: string | null } = await askPage<Finding[]>(next, { signal });
    findings.push(...page.body);
    next = page.next;
  }
  return { findings, isWhole: next === null };
}

function useLoaded(wish: Wish, isEnabled = true) {
  return useQuery({
    queryKey: ['findings', wish],
    queryFn: ({ signal }) => load(wish, signal),
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  });
}

/** The findings of a state in the scope. If there are too many to load, the server's filters select among all of them. */
export function useFindings({ status, severities, check, q }: Filters, namespace: string | undefined) {
  const all = useLoaded({ status, namespace });
  const narrow = { ...(check && { check }), ...(q && { q }), ...(severities.length === 1 && { severity: severities[0] ?? '' }) };
  const isNarrow = all.data?.isWhole === false && Object.keys(narrow).length > 0;
  const some = useLoaded({ status, namespace, ...narrow }, isNarrow);
  return isNarrow ? some : all;
}

/** One finding that the list lacks, by its id and in any state. The API has no endpoint for one finding. */
export function useOneFinding(id: number | undefined, known: Finding | undefined) {
  const query = useQuery({
    queryKey: ['finding', id],
    queryFn: async ({ signal }) => {
      for (const status of ['', 'dismissed', 'suppressed', 'resolved'] satisfies Status[]) {
        const { body } = await askPage<Finding[]>(
          `/api/security/findings${queryOf({ status, before: String((id ?? 0) + 1), limit: '1' })}`,
          { signal },
        );
        if (body[0]?.id === id) return body[0] ?? null;
      }
      return null;
    },
    enabled: id !== undefined && !known,
  });
  return { finding: known ?? query.data ?? undefined, isMissing: !known && query.data === null, error: query.error };
}

/** The shown findings, and changes that wait until a person asks for them. */
export interface ShownFindings {
  entries: readonly Entry[];
  /** Findings that have arrived since. */
  fresh: readonly Finding[];
  /** Shows the waiting changes. */
  apply(): void;
  /** Called when this person removed findings or restored them. */
  done(ids: readonly number[], isDone: boolean): void;
}

const NONE: readonly Finding[] = [];

/** Keeps shown entries in place while `isUsed` returns true (a person points at or works in the list). */
export function useShown(findings: readonly Finding[] | undefined, isUsed: () => boolean): ShownFindings {
  const [basis, setBasis] = useState<readonly Finding[] | undefined>();
  const [done, setDone] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    if (!findings) return;
    // The findings to show depend on where the pointer and the focus are when the answer arrives.
    // oxlint-disable-next-line react/set-state-in-effect
    setBasis((before) => (before && before.length > 0 && isUsed() ? before : findings));
  }, [findings, isUsed]);
  const apply = useCallback(() => {
    setBasis(findings);
    setDone(new Set());
  }, [findings]);
  const now = useMemo(() => new Map((findings ?? NONE).map((one) => [one.id, one])), [findings]);
  const entries = useMemo(
    () =>
      (basis ?? findings ?? NONE).map((finding): Entry => {
        const fresh = now.get(finding.id);
        return { finding: fresh ?? finding, state: fresh ? 'here' : done.has(finding.id) ? 'done' : 'gone' };
      }),
    [basis, findings, now, done],
  );
  const shown = useMemo(() => new Set((basis ?? findings ?? NONE).map(({ id }) => id)), [basis, findings]);
  return {
    entries,
    fresh: (findings ?? NONE).filter(({ id }) => !shown.has(id)),
    apply,
    done: useCallback((ids, isDone) => {
      setDone((before) => {
        const next = new Set(before);
        for (const id of ids) {
          if (isDone) next.add(id);
          else next.delete(id);
        }
        return next;
      });
    }, []),
  };
}

/** The highest id of this person's previous visit in this browser, or null. Stores what is seen now. */
export function useVisit(findings: readonly Finding[] | undefined): number | null {
  const key = `visit:findings:${usePerson().id}`;
  const [begun] = useState((): Visit => visitAt(storedVisit(localStorage.getItem(key)), Date.now()));
  useEffect(() => {
    if (!findings) return;
    const ids = findings.map(({ id }) => id);
    localStorage.setItem(key, JSON.stringify(seeing(begun, ids, Date.now())));
  }, [findings, begun, key]);
  return begun.since;
}

/** Applies changed findings to the loaded data. Other browsers learn of them by messages. */
export function useTakenFindings(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ['findings'] });
}
