import type { FailureDetail } from '../contract/failure.ts';
import type { Suppression } from '../crd/suppression.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { Logger } from '../log.ts';
import { findSuppression } from './suppress.ts';

export interface ResuppressDeps {
  failures: Pick<FailureRepository, 'openSubjects' | 'setSuppressed' | 'detail' | 'setSolution'>;
  /** All Suppressions, with an effect or without. */
  suppressions(): readonly Suppression[];
  operatorNamespace: string;
  /** Makes the solution that a record did not get while it was hidden. */
  solve(detail: FailureDetail): Promise<{ solution: string; isFallback: boolean }>;
  now(): Date;
  log: Logger;
}

/** How many open records each Suppression hides; the key is `<namespace>/<name>`, absent means none. */
export type Matched = ReadonlyMap<string, number>;

/**
 * Holds the open records to the Suppressions as they are now, and answers what each of them hides. Records that come back get the
 * solution they lack; nobody is told about the failures themselves. Calls that come while it works share the next run, which begins
 * after them. Throws DatabaseUnavailable; it may then simply be called again.
 */
export function resuppression(deps: ResuppressDeps): () => Promise<Matched> {
  let running: Promise<Matched> | undefined;
  let next: Promise<Matched> | undefined;
  const begin = (): Promise<Matched> => {
    running = resuppress(deps).finally(() => (running = undefined));
    return running;
  };
  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}

async function resuppress(deps: ResuppressDeps): Promise<Matched> {
  const { failures } = deps;
  const subjects = await failures.openSubjects();
  // Only now are the Suppressions read: what changed while the records were read counts too.
  const { matched, changes } = compare(subjects, deps.suppressions(), deps.now(), deps.operatorNamespace);
  for (const [name, ids] of changes) await failures.setSuppressed(ids, name);
  for (const id of changes.get(null) ?? []) await solveLifted(deps, id);
  return matched;
}

type Subjects = Awaited<ReturnType<FailureRepository['openSubjects']>>;

/** What each Suppression hides, and the records whose `suppressed_by` is to become another name, or null. */
function compare(subjects: Subjects, suppressions: readonly Suppression[], now: Date, operatorNamespace: string) {
  const matched = new Map<string, number>();
  const changes = new Map<string | null, number[]>();
  for (const subject of subjects) {
    const found = findSuppression(subject, suppressions, now, operatorNamespace)?.metadata;
    if (found) add(matched, `${found.namespace}/${found.name}`);
    const name = found?.name ?? null;
    if (name === subject.suppressed_by) continue;
    const ids = changes.get(name);
    if (ids) ids.push(subject.id);
    else changes.set(name, [subject.id]);
  }
  return { matched, changes };
}

function add(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** A record is worth showing even when no solution can be made. */
async function solveLifted({ failures, solve, log }: ResuppressDeps, id: number): Promise<void> {
  const detail = await failures.detail(id);
  if (!detail || detail.solution !== null) return;
  try {
    const { solution, isFallback } = await solve(detail);
    await failures.setSolution(id, solution, isFallback);
  } catch (error) {
    log.error({ err: error, failure: id }, 'no solution for a failure that came back');
  }
}
