import { setTimeout as sleep } from 'node:timers/promises';

/** After a second of waiting, a tenth of a second more does not matter. But fifty checks a second cost CPU. */
const EVERY_AT_MOST_MS = 100;

/**
 * Waits until `check` returns a true value, and returns that value. If `check` throws, it is tried again. It runs every `everyMs`, and less
 * often the longer the wait takes. After `timeoutMs`, `until` fails with `what` and the last error. A function `what` is called only then.
 * With forty busy processes on two cores, one second of CPU takes twenty seconds, so the limit is far above that.
 */
export async function until<T>(
  check: () => T | Promise<T>,
  { timeoutMs = 60_000, everyMs = 20, what }: { timeoutMs?: number; everyMs?: number; what: string | (() => string) },
): Promise<NonNullable<T>> {
  const begun = performance.now();
  const deadline = begun + timeoutMs;
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
    await sleep(Math.max(everyMs, Math.min(EVERY_AT_MOST_MS, (performance.now() - begun) / 10)));
  }
}
