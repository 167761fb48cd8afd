import { backgroundWorker } from '../async/background-worker.ts';
import type { Logger } from '../log.ts';

/** The address to answer at, and the version in the answer. */
export interface StartingAnswers {
  host: string;
  port: number;
  version: string;
}

export interface StartingServer {
  /** Frees the port for the facade. A second call changes nothing. */
  close(): Promise<void>;
}

/** A start waits as long as PostgreSQL is away, at most this long. */
const LONGEST_START_MS = 24 * 3_600_000;
const HEAP_MB = 32;

/**
 * Answers `/health` until the facade listens, and 503 to everything else. Creating the embedded database, or waiting for a PostgreSQL that
 * is away, may take longer than a startup probe waits, and a restart would only begin it again. Runs in its own thread, because creating the
 * embedded database blocks the event loop for seconds. If the port is taken, the facade reports it. With port 0 nothing is started, because
 * the facade would get another port.
 */
export async function answerWhileStarting({ log, ...where }: StartingAnswers & { log: Logger }): Promise<StartingServer> {
  if (where.port === 0) return { close: async () => undefined };
  const thread = backgroundWorker<StartingAnswers, string | null>('./answer-starting', import.meta.url, {
    idleMs: LONGEST_START_MS,
    heapMb: HEAP_MB,
  });
  const problem = await thread.run(where).catch((error: unknown) => String(error));
  if (problem !== null) log.debug({ problem }, 'nobody answers until the facade listens');
  return { close: thread.stop };
}
