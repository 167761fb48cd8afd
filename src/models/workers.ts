import type { Logger } from '../log.ts';

/** The maximum number of questions at once in this process. The limits in the settings apply to all processes together. */
const MAX_WORKERS = 4;

export interface QueueWorkersDeps {
  /** Asks the next question of the queue; false when none is due. */
  askNext(): Promise<boolean>;
  /** Whether a model is configured, as last read. */
  isConfigured(): boolean;
  /** Reads the configuration again if the cached one is old. */
  refresh(): Promise<unknown>;
  /** How often the queue is polled. */
  pollMs: number;
  log: Logger;
}

/** Works through the queue on every `wake` and on every poll. */
export function queueWorkers({ askNext, isConfigured, refresh, pollMs, log }: QueueWorkersDeps) {
  let timer: NodeJS.Timeout | undefined;
  const workers = new Set<Promise<void>>();

  const wake = (): void => {
    if (timer === undefined || workers.size >= MAX_WORKERS || !isConfigured()) return;
    const worker: Promise<void> = askNext()
      .then((asked) => void (asked && setImmediate(wake)))
      .catch((error: unknown) => log.debug({ err: error }, 'the next question could not be asked'))
      .finally(() => workers.delete(worker));
    workers.add(worker);
  };
  const poll = (): void => void refresh().then(wake, () => {});

  return {
    /** Starts one more worker if the queue is started and there is room for one. */
    wake,
    start(): void {
      timer ??= setInterval(poll, pollMs);
      poll();
    },
    /** Starts no new worker. `finished` resolves when the running ones have ended. */
    stop(): { finished: Promise<unknown> } {
      clearInterval(timer);
      timer = undefined;
      return { finished: Promise.all(workers) };
    },
  };
}
