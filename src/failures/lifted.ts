import type { FailureDetail } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { HidingRepository } from '../db/hiding.ts';
import type { Logger } from '../log.ts';

export interface LiftedDeps {
  failures: Pick<FailureRepository, 'detail'>;
  hiding: Pick<HidingRepository, 'unsolved' | 'solve'>;
  /** Makes a solution with all that can be known now. */
  solve(detail: FailureDetail): Promise<{ solution: string; isFallback: boolean }>;
  log: Logger;
}

export interface Lifted {
  /** Looks for shown records without a solution, in the background, once more if it is looking already. Never throws. */
  look(): void;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
  /** Resolves when the record under way is done. */
  stop(): Promise<void>;
}

/**
 * Makes the solutions of records that were hidden and are shown again, one at a time and without a word to the sockets. A record that
 * breaks a rule is shown without one, and not tried again until it was hidden once more.
 */
export function liftedSolutions(deps: LiftedDeps): Lifted {
  const { failures, hiding, solve, log } = deps;
  let hopeless = new Set<number>();
  let working: Promise<void> | undefined;
  let isAskedAgain = false;
  let isStopped = false;

  const solveOne = async (id: number): Promise<void> => {
    const detail = await failures.detail(id);
    if (!detail || detail.solution !== null || detail.suppressed_by !== null) return;
    const made = await solve(detail).catch((error: unknown) => {
      hopeless.add(id);
      log.error({ err: error, failure: id }, 'no solution for a failure that came back');
    });
    if (made) await hiding.solve(id, made.solution, made.isFallback);
  };
  const work = async (): Promise<void> => {
    do {
      isAskedAgain = false;
      const ids = await hiding.unsolved();
      hopeless = new Set(ids.filter((id) => hopeless.has(id)));
      for (const id of ids) {
        if (isStopped) return;
        if (!hopeless.has(id)) await solveOne(id);
      }
    } while (isAskedAgain);
  };

  return {
    look() {
      if (isStopped) return;
      isAskedAgain = true;
      working ??= work()
        .catch((error: unknown) => log.warn({ err: error }, 'solutions of failures that came back are made later'))
        .finally(() => (working = undefined));
    },
    idle: async () => working,
    async stop() {
      isStopped = true;
      await working;
    },
  };
}
