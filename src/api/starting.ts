import { backgroundWorker } from '../async/background-worker.ts';
import type { Logger } from '../log.ts';

/** Where to answer, and with which version. */
export interface StartingAnswers {
  host: string;
  port: number;
  version: string;
}

export interface StartingServer {
  /** Frees the port for the facade. A second call changes nothing. */
  close(): Promise<void>;
}

/** A start that waits for PostgreSQL may take as long as that is away. */
const LONGEST_START_MS = 24 * 3_600_000;
const HEAP_MB = 32;

/**
 * Answers `/health` until the facade listens: creating the embedded database, or waiting for a PostgreSQL that is away, may take longer
 * than a startup probe waits, and a restart would only begin it again. In a thread of its own, because creating the embedded database stops the
 * event loop for seconds. Everything else gets 503. A port that is taken is the facade's to report; port 0 would be another port than the
 * facade's, so nobody could ask there.
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
