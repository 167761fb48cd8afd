import { type Backoff, backoffMs, jittered } from '../async/backoff.ts';
import type { Logger } from '../log.ts';
import { isKubeError, retryAfterOf } from './errors.ts';

/** The result of a successful pass: nothing, or when to look again. */
export type Pass = void | { requeueAfterMs: number };

/** An error that no retry can fix until the object changes. */
export class TerminalError extends Error {}

/** The clock of a controller; tests bring their own. */
export interface Timers {
  /** Calls `wake` once after `ms`. Returns a function that cancels it. */
  after(ms: number, wake: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
}

export interface ControllerOptions {
  name: string;
  /** One pass over the object of a key, level-based: running it twice changes nothing. */
  reconcile: (key: string) => Promise<Pass>;
  /** How many passes run at once, for different keys. */
  concurrency?: number;
  log: Logger;
  now?: () => Date;
  timers?: Timers;
}

export interface Controller {
  readonly name: string;
  /**
   * Requests a pass soon, or after `afterMs`. Two requests for one key give one pass, at the earlier time. May be called before the start.
   */
  enqueue(key: string, afterMs?: number): void;
  /** Retries failed keys now, with the shortest backoff. Call it when the cluster is back. */
  retryNow(): void;
  /** Starts with the keys that were enqueued. Call it when the caches have synced. */
  start(): void;
  /** Starts no new passes. Resolves when the running ones have ended. */
  stop(): Promise<void>;
}

const RETRY: Backoff = { firstMs: 250, maxMs: 60_000 };
/** The shortest wait when a pass asks for another pass immediately. */
const SHORTEST_SLEEP_MS = 50;
/**
 * A long wait is split into waits of this length, because setTimeout cannot wait longer than 24 days, and because somebody may set the clock
 * meanwhile. A key waits no longer than it asked for, and not past the time that it asked for.
 */
const NAP_MS = 60_000;

const systemTimers: Timers = {
  after(ms, wake) {
    const timer = setTimeout(wake, ms);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/**
 * Runs passes. This is the only place with retry logic. A successful pass resets the backoff of its key. `requeueAfterMs` runs the key
 * again after that time. After a `TerminalError` the key waits for a change of the object. Any other error is retried with a doubling,
 * jittered and capped backoff. Each key has one pass at a time; a request during a pass starts another pass after it.
 */
export function controller(options: ControllerOptions): Controller {
  const { name, reconcile, concurrency = 4, log, now = () => new Date(), timers = systemTimers } = options;
  const ready = new Set<string>();
  const running = new Map<string, Promise<void>>();
  const sleeping = new Map<string, { at: number; cancel: () => void }>();
  const failures = new Map<string, number>();
  let state: 'waiting' | 'started' | 'stopped' = 'waiting';

  const wakeUp = (key: string) => {
    sleeping.get(key)?.cancel();
    sleeping.delete(key);
  };
  const nap = (key: string, at: number, leftMs: number): void => {
    const ms = Math.min(leftMs, NAP_MS);
    const wake = () => (leftMs <= ms || now().getTime() >= at ? enqueue(key) : nap(key, at, leftMs - ms));
    sleeping.set(key, { at, cancel: timers.after(ms, wake) });
  };
  const sleep = (key: string, ms: number) => {
    const afterMs = Number.isNaN(ms) ? RETRY.maxMs : Math.max(ms, SHORTEST_SLEEP_MS);
    const at = now().getTime() + afterMs;
    const planned = sleeping.get(key);
    if (state === 'stopped' || (planned && planned.at <= at)) return;
    planned?.cancel();
    nap(key, at, afterMs);
  };
  const retryMs = (key: string) => {
    const failed = (failures.get(key) ?? 0) + 1;
    failures.set(key, failed);
    return jittered(backoffMs(RETRY, failed), timers.random());
  };
  const ended = (key: string, error: unknown) => {
    if (error instanceof TerminalError) {
      failures.delete(key);
      log.warn({ controller: name, key, why: error.message }, 'pass cannot succeed until the object changes');
      return;
    }
    const retryInMs = retryAfterOf(error) + retryMs(key);
    // Somebody else wrote first. This happens in normal operation, so it is logged at debug level only.
    const level = isKubeError(error, 409) ? 'debug' : 'warn';
    log[level]({ controller: name, key, err: error, retry_in_ms: Math.round(retryInMs) }, 'pass failed');
    sleep(key, retryInMs);
  };
  const pass = async (key: string) => {
    try {
      const result = await reconcile(key);
      failures.delete(key);
      if (result) sleep(key, result.requeueAfterMs);
    } catch (error) {
      ended(key, error);
    } finally {
      running.delete(key);
      pump();
    }
  };
  const pump = () => {
    if (state !== 'started') return;
    for (const key of ready) {
      if (running.size >= concurrency) return;
      if (running.has(key)) continue;
      ready.delete(key);
      // The result of this pass decides when the next one runs.
      wakeUp(key);
      running.set(key, pass(key));
    }
  };
  const enqueue = (key: string, afterMs = 0) => {
    if (state === 'stopped') return;
    if (afterMs > 0) return sleep(key, afterMs);
    wakeUp(key);
    ready.add(key);
    pump();
  };
  return {
    name,
    enqueue,
    retryNow() {
      const failed = [...failures.keys()];
      // Reset the backoff of running passes, too. The cluster may still be starting, and if it refuses a request, the next wait must not be
      // as long as after an outage.
      failures.clear();
      for (const key of failed) if (sleeping.has(key)) enqueue(key);
    },
    start() {
      if (state === 'waiting') state = 'started';
      pump();
    },
    async stop() {
      state = 'stopped';
      for (const key of sleeping.keys()) wakeUp(key);
      ready.clear();
      await Promise.all(running.values());
    },
  };
}
