/** The rows that a list shows while its data changes. */
export interface Shown {
  /** Ids in the order shown. */
  order: readonly number[];
  /** New ids that would push others down. */
  waiting: readonly number[];
}

/**
 * The list after new data. Nothing shown moves or disappears: entries after the last known one are appended, entries before it wait. If
 * nothing was shown, everything is.
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
