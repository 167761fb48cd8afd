import type { Api } from '../api/api.ts';
import type { Change } from '../store/store.ts';

/** Keys that wait to be looked at; each pass looks at the whole world for one key. */
export interface Loop {
  enqueue(key: string, afterMs?: number): void;
  stop(): void;
}

/**
 * Calls `reconcile(key)` for every key that `keysOf` names for a change, once per turn of the event loop however often the key
 * was named. A pass that throws is tried again after a second: what it needed may be there then.
 */
export function controllerLoop(api: Api, keysOf: (change: Change) => string[], reconcile: (key: string) => void): Loop {
  const pending = new Map<string, () => void>();
  const failures = new Map<string, number>();
  let isStopped = false;

  function run(key: string): void {
    pending.delete(key);
    if (isStopped) return;
    try {
      reconcile(key);
      failures.delete(key);
    } catch {
      const tries = (failures.get(key) ?? 0) + 1;
      failures.set(key, tries);
      enqueue(key, Math.min(20 * 2 ** tries, 300_000));
    }
  }

  /** A later wish never delays an earlier one; an earlier one replaces a later one. */
  function enqueue(key: string, afterMs = 0): void {
    if (isStopped) return;
    if (pending.has(key) && afterMs > 0) return;
    pending.get(key)?.();
    pending.set(
      key,
      api.clock.after(afterMs, () => run(key)),
    );
  }

  const forget = api.store.onChange((change) => {
    for (const key of keysOf(change)) enqueue(key);
  });
  return {
    enqueue,
    stop: () => {
      isStopped = true;
      forget();
      for (const cancel of pending.values()) cancel();
      pending.clear();
    },
  };
}
