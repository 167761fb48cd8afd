import type { PathsWanted } from '../access/paths/paths.ts';
import type { World } from '../access/paths/world.ts';
import { backgroundWorker } from '../async/background-worker.ts';
import { slots } from '../async/slots.ts';
import type { EscalationPaths } from '../contract/access.ts';
import type { Logger } from '../log.ts';
import { ApiError } from './errors.ts';

/** The parts of a cluster that decide where rights lead, and the question about it. `limit` is the most paths in the answer. */
export interface PathsQuestion {
  world: World;
  wanted: PathsWanted;
  limit: number;
}

const WAIT_MS = 30_000;
/** What the effort of find-paths.ts needs at the most, with room: 2,000,000 moves of the worst cluster known took some 400 MB. */
const HEAP_MB = 768;
const BUSY = 'Escalation paths are searched for others now: ask again later';
const TOO_MUCH = 'The roles and bindings of this cluster take too long: `podmend access paths --effort all` takes the time that it needs';

/**
 * Searches escalation paths in a thread of its own: many bindings take seconds, and whoever may bind in one namespace can make many. Of too many, the
 * answer says how much is left out.
 */
export interface PathsSearch {
  /** One search at a time. `read` is called when it is this one's turn. Throws ApiError 503 when it is not in time. */
  find(read: () => Promise<PathsQuestion>): Promise<EscalationPaths>;
  stop(): Promise<void>;
}

export function pathsSearch(log: Pick<Logger, 'warn'>, { waitMs = WAIT_MS, jobMs }: { waitMs?: number; jobMs?: number } = {}): PathsSearch {
  const thread = backgroundWorker<PathsQuestion, EscalationPaths>('./find-paths', import.meta.url, {
    heapMb: HEAP_MB,
    ...(jobMs === undefined ? {} : { jobMs }),
  });
  const turn = slots(1);
  return {
    stop: thread.stop,
    async find(read) {
      const leave = await turn.take(waitMs);
      if (!leave) throw new ApiError(503, BUSY);
      try {
        const question = await read();
        return await thread.run(question).catch((error: unknown) => {
          log.warn({ err: error }, 'escalation paths were not found in time');
          throw new ApiError(503, TOO_MUCH);
        });
      } finally {
        leave();
      }
    },
  };
}
