/** What a list shows while the data changes. */
export interface Shown {
  /** Ids in the order in which they are shown. */
  order: readonly number[];
  /** Ids that came since, and that would push others down. */
  waiting: readonly number[];
}

/**
 * The list after fresh data: nothing that is shown moves or goes. What comes after the last known entry is appended; what would come
 * before it waits. Where nothing is known, everything is shown.
 */
export function keepShown(order: readonly number[], fresh: readonly number[]): Shown {
  const known = new Set(order);
  const last = fresh.findLastIndex((id) => known.has(id));
  if (last < 0) return { order: fresh, waiting: [] };
  const appended = fresh.slice(last + 1);
  return {
    order: appended.length > 0 ? [...order, ...appended] : order,
    waiting: fresh.slice(0, last).filter((id) => !known.has(id)),
  };
}

/** `3 new, 1 gone`; empty when nothing waits. */
export function waitingText(fresh: number, gone: number): string {
  return [fresh > 0 && `${fresh} new`, gone > 0 && `${gone} gone`].filter(Boolean).join(', ');
}
