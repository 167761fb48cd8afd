import { setTimeout as sleep } from 'node:timers/promises';
import type { FailureDetail } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { Hub, InternalBus } from '../events.ts';
import type { Logger } from '../log.ts';
import { type Case, type Surroundings, caseOfReport } from '../diagnosis/case.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import { renderDiagnosis } from '../diagnosis/rendering/render.ts';

/** How many records may wait for a new diagnosis or for their log. When there are more, the oldest keep their solution. */
const QUEUE = 1_000;
/** After each millisecond of work, this many milliseconds of rest, so that new reports do not have to wait. */
const REST = 19;
const LONGEST_REST_MS = 2_000;

export interface SecondDiagnosesDeps {
  failures: Pick<FailureRepository, 'detail' | 'improveFallback'>;
  hub: Hub;
  bus: Pick<InternalBus, 'on'>;
  /** The objects around the failing one, as they are now. Rejects while the cluster is away. */
  surroundings(failure: FailureDetail): Promise<Surroundings>;
  diagnose(subject: Case): Diagnosis;
  log: Logger;
}

export interface SecondDiagnoses {
  /** How many records wait. */
  waiting(): number;
  /** Resolves when the queue is empty. */
  idle(): Promise<void>;
  /** Drops the queue; resolves when the record under way is done. */
  stop(): Promise<void>;
}

/**
 * Diagnoses new records again, in the background and one at a time: with what is around them in the cluster (names of ConfigMaps, nodes,
 * images…) the rules may know more. A better answer replaces the solution and is sent as `solution_updated`. A record whose log comes later is
 * diagnosed again then: its solution was made without the log.
 */
export function secondDiagnoses(deps: SecondDiagnosesDeps): SecondDiagnoses {
  const queue = new Set<number>();
  const logDue = new Set<number>();
  let working: Promise<void> | undefined;
  const stopped = new AbortController();

  const work = async (): Promise<void> => {
    for (const id of queue) {
      queue.delete(id);
      const begun = performance.now();
      await diagnoseAgain(deps, id).catch((error: unknown) => deps.log.debug({ err: error, failure: id }, 'no second look at a failure'));
      const restMs = Math.min(LONGEST_REST_MS, Math.floor(performance.now() - begun) * REST);
      if (restMs > 0 && queue.size > 0) await sleep(restMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
    working = undefined;
  };

  const offer = (id: number): void => {
    if (stopped.signal.aborted || queue.has(id)) return;
    addBounded(queue, id);
    // In a later turn of the event loop, so that the report is answered first.
    working ??= new Promise<void>((resolve) => setImmediate(resolve)).then(work);
  };

  const unsubscribe = deps.bus.on('recordStored', ({ record: { id }, log, isNewSolution }) => {
    if (isNewSolution) offer(id);
    if (log === 'due') addBounded(logDue, id);
    else if (log === 'given' && logDue.delete(id)) offer(id);
  });

  return {
    waiting: () => queue.size,
    idle: async () => working,
    async stop() {
      unsubscribe();
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

async function diagnoseAgain({ failures, hub, surroundings, diagnose }: SecondDiagnosesDeps, id: number): Promise<void> {
  const detail = await failures.detail(id);
  if (!detail || detail.suppressed_by !== null || !detail.is_fallback) return;
  const around = await surroundings(detail);
  const first = diagnose(caseOfReport(detail));
  const second = diagnose(caseOfReport(detail, around));
  const solution = renderDiagnosis(isBetter(second, first) ? second : first);
  // Differs only when more is known now: the surroundings, or a log that came late.
  if (solution === detail.solution) return;
  const { namespace } = detail;
  if (await failures.improveFallback(id, solution)) hub.publish({ type: 'solution_updated', data: { id, solution }, namespace });
}

/** It knows more, so that it also says what is in the way of a correction. An answer without a culprit is no better than one with it. */
function isBetter(second: Diagnosis, first: Diagnosis): boolean {
  const says = ({ culprit, corrections, noCorrection }: Diagnosis) => culprit !== null || corrections.length > 0 || noCorrection !== null;
  return says(second) && (second.culprit !== null || first.culprit === null);
}
