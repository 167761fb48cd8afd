import type { ModelWorkRepository } from '../db/model-work.ts';
import type { ModelSetups } from './setup.ts';

/** The sweep fills the queue up to this many incidents, so that new failures do not wait behind all the old ones. */
const MOST_WAITING = 100;
/** A newer record may still be on its way to the queue, so it does not count as missing. */
const GRACE_MS = 60_000;

export interface SweepDeps {
  setups: Pick<ModelSetups, 'current'>;
  work: Pick<ModelWorkRepository, 'pending' | 'offerLeft'>;
  hiddenNamespaces: readonly string[];
}

/**
 * Queues open incidents that are missing from the queue, because a process died between storing and queueing, or because a model was only
 * configured now. Returns their number. Throws DatabaseUnavailable.
 */
export function modelSweep({ setups, work, hiddenNamespaces }: SweepDeps) {
  return async (now: Date): Promise<number> => {
    if (!(await setups.current())) return 0;
    const room = MOST_WAITING - (await work.pending());
    return room > 0 ? work.offerLeft({ before: new Date(now.getTime() - GRACE_MS), hidden: hiddenNamespaces }, now, room) : 0;
  };
}
