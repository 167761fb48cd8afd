import { setTimeout as sleep } from 'node:timers/promises';

/** So many reports wait for the model at once; the next ones are answered by the rules. */
const MOST = 4;

/** Those who wait for an answer, and for no longer than their budget. */
export interface WaitingRoom {
  /** Whether the record's answer is waited for now. */
  has(id: number): boolean;
  /** Waits for `work` at most `budgetMs`; undefined, at once, when nobody else may wait. Never rejects. */
  wait(id: number, work: () => Promise<unknown>): Promise<void> | undefined;
}

export function waitingRoom(budgetMs: number): WaitingRoom {
  const waiting = new Set<number>();
  return {
    has: (id) => waiting.has(id),
    wait(id, work) {
      if (budgetMs === 0 || waiting.size >= MOST || waiting.has(id)) return undefined;
      waiting.add(id);
      const over = new AbortController();
      const budget = sleep(budgetMs, undefined, { signal: over.signal });
      return Promise.race([work(), budget])
        .catch(() => undefined)
        .then(() => {
          over.abort();
          waiting.delete(id);
        });
    },
  };
}

/** Waits for `work` at most `ms`: what it comes to, or `late`. It goes on all the same. Throws what it throws meanwhile. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  const wait = new AbortController();
  const late = sleep(ms, 'late' as const, { signal: wait.signal }).catch(() => 'late' as const);
  try {
    return await Promise.race([work, late]);
  } finally {
    wait.abort();
  }
}
