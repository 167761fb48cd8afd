import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureDetail } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { Hub } from '../events.ts';
import type { Logger } from '../log.ts';
import { type Case, type Surroundings, caseOfReport } from '../solutions/case.ts';
import type { Diagnosis } from '../solutions/diagnose.ts';
import { renderSolution } from '../solutions/render.ts';

/** Records that wait for their second look; beyond it the oldest keep the solution they have. */
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

  return {
    offer(id) {
      if (stopped.signal.aborted || queue.has(id)) return;
      const oldest = queue.values().next();
      if (queue.size >= QUEUE && !oldest.done) queue.delete(oldest.value);
      queue.add(id);
      // In a later turn: the report that offers it is answered first.
      working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(work);
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

async function enrich({ failures, hub, surroundings, diagnose }: EnrichDeps, id: number): Promise<void> {
  const detail = await failures.detail(id);
  if (!detail || detail.suppressed_by !== null || !detail.is_fallback) return;
  const first = diagnose(caseOfReport(detail));
  const second = diagnose(caseOfReport(detail, await surroundings(detail)));
  if (!isBetter(second, first)) return;
  const solution = renderSolution(second);
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
