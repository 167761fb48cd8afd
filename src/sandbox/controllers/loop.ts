import type { Api } from '../api/api.ts';
import type { Change } from '../store/store.ts';

/** A queue of keys. Each pass reads everything that it needs for one key. */
export interface Loop {
  enqueue(key: string, afterMs?: number): void;
  stop(): void;
}

/**
 * Calls `reconcile(key)` for every key that `keysOf` names for a change, once per turn of the event loop however often the key was named. A
 * pass that throws is repeated after a second, because what it needed may exist then.
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

  /** A later time never delays an earlier one. An earlier time replaces a later one. */
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
