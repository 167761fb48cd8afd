import type { PathsWanted } from '../access/paths/paths.ts';
import type { World } from '../access/paths/world.ts';
import { backgroundWorker } from '../async/background-worker.ts';
import { slots } from '../async/slots.ts';
import type { EscalationPaths } from '../contract/access.ts';
import type { Logger } from '../log.ts';
import { ApiError } from './errors.ts';

/** The question, and the parts of the cluster that decide where rights lead. The answer has at most `limit` paths. */
export interface PathsQuestion {
  world: World;
  wanted: PathsWanted;
  limit: number;
}

const WAIT_MS = 30_000;
/** Enough for the most expensive search: the `EFFORT` of find-paths.ts took about 400 MB for the worst cluster known. */
const HEAP_MB = 768;
const BUSY = 'Escalation paths are searched for others now: ask again later';
const TOO_MUCH = 'The roles and bindings of this cluster take too long: `podmend access paths --effort all` takes the time that it needs';

/**
 * Searches escalation paths in its own thread, because many bindings take seconds, and anybody who may bind roles in one namespace can
 * create many. If there are too many bindings, the answer says how much was left out.
 */
export interface PathsSearch {
  /** Searches run one at a time. `read` is called when this search may start. Throws ApiError 503 when it waits too long. */
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
