import { nextFlight } from '../async/single-flight.ts';
import type { FailureDetail } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { FailureSuppressionRepository } from '../db/suppressible.ts';
import type { InternalBus } from '../events.ts';
import type { Logger } from '../log.ts';

export interface UnsuppressedDeps {
  bus: Pick<InternalBus, 'on'>;
  failures: Pick<FailureRepository, 'detail'>;
  failureSuppressions: Pick<FailureSuppressionRepository, 'unsolved' | 'solve'>;
  /** Makes a solution with all that can be known now. */
  solve(detail: FailureDetail): Promise<{ solution: string; isFallback: boolean }>;
  log: Logger;
}

export interface UnsuppressedSolutions {
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Resolves when the record under way is done. */
  stop(): Promise<void>;
}

/**
 * Makes the solutions of records that were suppressed and are shown again: in the background, one at a time, and without a message to the
 * sockets. When more records come back meanwhile, it looks once more. A record that breaks a rule is shown without a solution, and is not
 * tried again until it was suppressed once more.
 */
export function unsuppressedSolutions(deps: UnsuppressedDeps): UnsuppressedSolutions {
  const { bus, failures, failureSuppressions, solve, log } = deps;
  let hopeless = new Set<number>();
  let working: Promise<void> | undefined;
  let isStopped = false;

  const solveOne = async (id: number): Promise<void> => {
    const detail = await failures.detail(id);
    if (!detail || detail.solution !== null || detail.suppressed_by !== null) return;
    const made = await solve(detail).catch((error: unknown) => {
      hopeless.add(id);
      log.error({ err: error, failure: id }, 'no solution for a failure that came back');
    });
    if (made) await failureSuppressions.solve(id, made.solution, made.isFallback);
  };
  const work = async (): Promise<void> => {
    const ids = isStopped ? [] : await failureSuppressions.unsolved();
    hopeless = new Set(ids.filter((id) => hopeless.has(id)));
    for (const id of ids) {
      if (isStopped) return;
      if (!hopeless.has(id)) await solveOne(id);
    }
  };
  const solveAll = nextFlight(work);

  const unsubscribe = bus.on('recordsUnsuppressed', () => {
    working = solveAll().catch((error: unknown) => log.warn({ err: error }, 'solutions of failures that came back are made later'));
  });

  return {
    idle: async () => working,
    async stop() {
      unsubscribe();
      isStopped = true;
      await working;
    },
  };
}
