import { setTimeout as sleep } from 'node:timers/promises';

/** At most this many reports wait for the model at once; the rules answer the next ones. */
const MAX_WAITING = 4;

/** Records whose report waits for the model's answer, each no longer than the budget. */
export interface WaitBudget {
  isWaiting(id: number): boolean;
  /** Waits for `work` at most the budget. undefined at once when too many wait already, or the record waits. Never rejects. */
  wait(id: number, work: () => Promise<unknown>): Promise<void> | undefined;
}

export function waitBudget(budgetMs: number): WaitBudget {
  const waiting = new Set<number>();
  return {
    isWaiting: (id) => waiting.has(id),
    wait(id, work) {
      if (budgetMs === 0 || waiting.size >= MAX_WAITING || waiting.has(id)) return undefined;
      waiting.add(id);
      return within(budgetMs, work())
        .catch(() => undefined)
        .then(() => void waiting.delete(id));
    },
  };
}

/**
 * Waits at most `ms` for `work`. Returns its result, or `late`; late work still runs to its end. Throws what it throws within that time.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | 'late'> {
  const wait = new AbortController();
  const late = sleep(ms, 'late' as const, { signal: wait.signal }).catch(() => 'late' as const);
  try {
    return await Promise.race([work, late]);
  } finally {
    wait.abort();
  }
}
