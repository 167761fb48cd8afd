import { setTimeout as sleep } from 'node:timers/promises';

/** The maximum number of reports that wait for the model at once. The rules answer the others. */
const MAX_WAITING = 4;

/** Tracks the records whose report waits for the model's answer. None waits longer than the budget. */
export interface WaitBudget {
  isWaiting(id: number): boolean;
  /**
   * Waits for `work`, at most as long as the budget. Returns undefined at once when too many are waiting, or when this record already
   * waits. Never rejects.
   */
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
 * Waits for `work` for at most `ms`. Returns its result, or `late` if the work then continues in the background. An error of `work` within
 * that time is thrown.
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
