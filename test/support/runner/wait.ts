import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Waits until `check` returns a true value, and returns it. A `check` that throws counts as not yet. After `timeoutMs` it fails with `what`
 * (a function is called only then) and the last error. With forty busy processes on two cores, one second of CPU takes twenty seconds, so
 * the limit is far above that.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 20, what }: { timeoutMs?: number; everyMs?: number; what: string | (() => string) },
): Promise<NonNullable<T>> {
  const deadline = performance.now() + timeoutMs;
  let trouble: unknown;
  for (;;) {
    try {
      const answer = await check();
      if (answer) return answer;
      trouble = undefined;
    } catch (error) {
      trouble = error;
    }
    if (performance.now() > deadline)
      throw new Error(`gave up waiting for ${typeof what === 'string' ? what : what()} after ${timeoutMs} ms`, { cause: trouble });
    await sleep(everyMs);
  }
}
