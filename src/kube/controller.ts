import type { Logger } from '../log.ts';
import { isKubeError, retryAfterOf } from './errors.ts';

/** How a pass ends well: nothing, or when to look again. */
export type Pass = void | { requeueAfterMs: number };

/** Trying again cannot help until the object changes. */
export class TerminalError extends Error {}

/** Time as a controller uses it; tests bring their own. */
export interface Timers {
  /** Calls `wake` once after `ms`; the answer cancels. */
  after(ms: number, wake: () => void): () => void;
  /** From 0 up to 1. */
  random(): number;
}

export interface ControllerOptions {
  name: string;
  /** One pass over the object of a key, level-based: running it twice changes nothing. */
  reconcile: (key: string) => Promise<Pass>;
  /** Passes at once, over different keys. */
  concurrency?: number;
  log: Logger;
  now?: () => Date;
  timers?: Timers;
}

export interface Controller {
  readonly name: string;
  /** Wants a pass soon, or after that time; wanted twice is one pass, the earlier wish counts. Works before the start. */
  enqueue(key: string, afterMs?: number): void;
  /** What failed is tried now instead of when its wait is over, and as if it were the first time: the cluster is back. */
  retryNow(): void;
  /** Begins with what was enqueued. Call it when the caches have synced. */
  start(): void;
  /** No new passes; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 60_000;
/** Of a pass that wants another one at once, again and again. */
const SHORTEST_SLEEP_MS = 50;
/**
 * Long sleeps are taken in naps (setTimeout's own limit is 24 days), after each of which the clock is looked at: it may have been set. A
 * key sleeps no longer than it asked for, and not past its instant.
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
 * The only place that knows about retry (DESIGN section 7): a pass that ends well forgets its failures, `requeueAfterMs` wakes
 * then, `TerminalError` waits for a change, any other error comes again after a doubling, jittered, capped wait. One pass per key
 * at a time; a wish during a pass is a pass after it.
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
    const afterMs = Number.isNaN(ms) ? LAST_RETRY_MS : Math.max(ms, SHORTEST_SLEEP_MS);
    const at = now().getTime() + afterMs;
    const planned = sleeping.get(key);
    if (state === 'stopped' || (planned && planned.at <= at)) return;
    planned?.cancel();
    nap(key, at, afterMs);
  };
  const retryMs = (key: string) => {
    const failed = failures.get(key) ?? 0;
    failures.set(key, failed + 1);
    return Math.min(FIRST_RETRY_MS * 2 ** failed, LAST_RETRY_MS) * (0.75 + timers.random() / 2);
  };
  const ended = (key: string, error: unknown) => {
    if (error instanceof TerminalError) {
      failures.delete(key);
      log.warn({ controller: name, key, why: error.message }, 'pass cannot succeed until the object changes');
      return;
    }
    const retryInMs = retryAfterOf(error) + retryMs(key);
    // Somebody else wrote first: the ordinary way of things, told to those who look closely.
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
      // What this pass answers decides when the next one is.
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
      // Also those that run: a cluster that is back may still be starting, and what it refuses then shall not wait as long as the outage.
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
