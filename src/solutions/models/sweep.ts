import type { ModelWorkRepository } from '../../db/model-work.ts';
import type { ModelSetups } from './setup.ts';

/** So many wait at most when old ones join them: what fails now is not to wait behind all that failed before. */
const MOST_WAITING = 100;
/** What was stored just now is on its way to the queue. */
const GRACE_MS = 60_000;

export interface SweepDeps {
  setups: Pick<ModelSetups, 'current'>;
  work: Pick<ModelWorkRepository, 'pending' | 'offerLeft'>;
}

/**
 * Finds the incidents that nobody is going to ask the model about, and puts some of them in the queue: those of a process that was killed
 * between storing and queueing, and those that were open before a model was configured. Answers how many. Throws DatabaseUnavailable.
 */
export function modelSweep({ setups, work }: SweepDeps) {
  return async (now: Date): Promise<number> => {
    if (!(await setups.current())) return 0;
    const room = MOST_WAITING - (await work.pending());
    return room > 0 ? work.offerLeft(new Date(now.getTime() - GRACE_MS), now, room) : 0;
  };
}
