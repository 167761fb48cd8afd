import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

/** How long a worker stays when nothing is asked of it: it takes some 20 MB. */
const IDLE_MS = 30_000;
/** A job takes a second at the most. */
const JOB_MS = 30_000;
const HEAP_MB = 256;

/** Work in a thread of its own, for what would stop the event loop for too long. */
export interface BackgroundWorker<Job, Answer> {
  /** Jobs run one after another. `given` are buffers that the thread takes over. Rejects when the thread ends before it answers. */
  run(job: Job, given?: ArrayBuffer[]): Promise<Answer>;
  /** Ends the thread. What still waits is rejected. */
  stop(): Promise<void>;
}

export interface WorkerLimits {
  idleMs?: number;
  jobMs?: number;
  /** A thread that needs more memory ends, and its job rejects. */
  heapMb?: number;
}

interface Waiting<Job, Answer> {
  job: Job;
  given: ArrayBuffer[];
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/**
 * A thread that starts with its first job, and ends when it idles or when a job takes too long. `module` names a file beside `base` (an
 * `import.meta.url`) without its extension: it answers each message of its parent with one message.
 */
export function backgroundWorker<Job, Answer>(
  module: string,
  base: string,
  { idleMs = IDLE_MS, jobMs = JOB_MS, heapMb = HEAP_MB }: WorkerLimits = {},
): BackgroundWorker<Job, Answer> {
  // A .ts file in the repository, a .js file in the built package.
  const file = fileURLToPath(new URL(module + extname(base), base));
  const waiting: Waiting<Job, Answer>[] = [];
  let worker: Worker | undefined;
  let current: Waiting<Job, Answer> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const fail = (error: Error) => {
    current?.reject(error);
    current = undefined;
  };
  const end = async (error: Error) => {
    const ended = worker;
    worker = undefined;
    clearTimeout(timer);
    fail(error);
    await ended?.terminate();
  };
  const start = (): Worker => {
    // Without the arguments of the main thread: its preloaded modules are not for this one.
    const started = new Worker(file, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMb } });
    started.on('message', (answer: Answer) => {
      current?.resolve(answer);
      current = undefined;
      next();
    });
    const lost = (error: Error) => {
      if (worker !== started) return;
      worker = undefined;
      fail(error);
      next();
    };
    started.on('error', lost);
    started.on('exit', () => lost(new Error('the thread ended before it answered')));
    return started;
  };
  const giveUp = () => {
    void end(new Error('the thread took too long'));
    next();
  };
  const next = () => {
    clearTimeout(timer);
    if (current) return;
    current = waiting.shift();
    if (!current) {
      // A thread that waits keeps no process alive.
      worker?.unref();
      timer = setTimeout(() => void end(new Error('idle')), idleMs).unref();
      return;
    }
    timer = setTimeout(giveUp, jobMs).unref();
    worker ??= start();
    worker.ref();
    worker.postMessage(current.job, current.given);
  };

  return {
    run(job, given = []) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      waiting.push({ job, given, resolve, reject });
      next();
      return promise;
    },
    async stop() {
      const stopped = new Error('stopped');
      for (const { reject } of waiting.splice(0)) reject(stopped);
      await end(stopped);
    },
  };
}
