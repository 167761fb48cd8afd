import { setTimeout as sleep } from 'node:timers/promises';
import { type FailureDetail, LOG_DUE } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { Hub } from '../events.ts';
import type { Logger } from '../log.ts';
import { type Case, type Surroundings, caseOfReport } from '../solutions/case.ts';
import type { Diagnosis } from '../solutions/diagnose.ts';
import { renderSolution } from '../solutions/render.ts';

/** Records that wait for their second look, or for their log; beyond it the oldest keep the solution they have. */
const QUEUE = 1_000;
/** For each millisecond of a look this many of rest: what comes in must not wait for second thoughts. */
const REST = 19;
const LONGEST_REST_MS = 2_000;
const CONFIDENCES = ['guess', 'likely', 'certain'];

export interface EnrichDeps {
  failures: Pick<FailureRepository, 'detail' | 'improveFallback'>;
  hub: Hub;
  /** What is around the failing object now. Rejects while the cluster is away. */
  surroundings(failure: FailureDetail): Promise<Surroundings>;
  diagnose(subject: Case): Diagnosis;
  log: Logger;
}

export interface Enrichment {
  /** Puts a record in the queue, once. Returns at once and never throws. */
  offer(id: number): void;
  /** Notes a log that is still to come. When it is there, the record is put in the queue: its solution was made without. */
  heard(id: number, logs: string | null): void;
  /** How many records wait. */
  waiting(): number;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
  /** Drops the queue; resolves when the record under way is done. */
  stop(): Promise<void>;
}

/**
 * A second look at new records, in the background and one at a time: with what is around them in the cluster (names of ConfigMaps, nodes, images…)
 * the rules may know more. A better answer replaces the solution and is sent as `solution_updated`.
 */
export function enrichment(deps: EnrichDeps): Enrichment {
  const queue = new Set<number>();
  const logDue = new Set<number>();
  let working: Promise<void> | undefined;
  const stopped = new AbortController();

  const work = async (): Promise<void> => {
    for (const id of queue) {
      queue.delete(id);
      const begun = performance.now();
      await enrich(deps, id).catch((error: unknown) => deps.log.debug({ err: error, failure: id }, 'no second look at a failure'));
      const restMs = Math.min(LONGEST_REST_MS, Math.floor(performance.now() - begun) * REST);
      if (restMs > 0 && queue.size > 0) await sleep(restMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
    working = undefined;
  };

  const offer = (id: number): void => {
    if (stopped.signal.aborted || queue.has(id)) return;
    addBounded(queue, id);
    // In a later turn: the report that offers it is answered first.
    working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(work);
  };

  return {
    offer,
    heard(id, logs) {
      if (logs?.startsWith(LOG_DUE)) addBounded(logDue, id);
      else if (logs && logDue.delete(id)) offer(id);
    },
    waiting: () => queue.size,
    idle: async () => working,
    async stop() {
      queue.clear();
      stopped.abort();
      await working;
    },
  };
}

function addBounded(ids: Set<number>, id: number): void {
  const oldest = ids.values().next();
  if (ids.size >= QUEUE && !oldest.done) ids.delete(oldest.value);
  ids.add(id);
}

async function enrich({ failures, hub, surroundings, diagnose }: EnrichDeps, id: number): Promise<void> {
  const detail = await failures.detail(id);
  if (!detail || detail.suppressed_by !== null || !detail.is_fallback) return;
  const around = await surroundings(detail);
  const first = diagnose(caseOfReport(detail));
  const second = diagnose(caseOfReport(detail, around));
  const solution = renderSolution(isBetter(second, first) ? second : first);
  // The same as was answered, unless something more is known: what is around it, or a log that came late.
  if (solution === detail.solution) return;
  const { namespace } = detail;
  if (await failures.improveFallback(id, solution)) hub.publish({ type: 'solution_updated', data: { id, solution }, namespace });
}

/** More is known: a surer correction, a culprit, or at least more to say about the same one. */
function isBetter(second: Diagnosis, first: Diagnosis): boolean {
  const gain = score(second) - score(first);
  return gain > 0 || (gain === 0 && renderSolution(second).length > renderSolution(first).length);
}

function score({ corrections, culprit, noCure }: Diagnosis): number {
  const best = corrections[0];
  const certainty = best ? 1 + CONFIDENCES.indexOf(best.confidence) : 0;
  return certainty * 4 + (noCure ? 2 : 0) + (culprit ? 1 : 0);
}
