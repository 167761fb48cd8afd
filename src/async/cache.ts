/** How long answers are kept, and how many. */
export interface Memory {
  ttlMs: number;
  most: number;
  now(): Date;
}

/**
 * Asks once for each key at a time, and keeps the answer for `ttlMs` from when it was asked. Failures are not kept. The oldest answer makes room for a new key,
 * and answers whose time is over go whenever anybody asks.
 */
export function remember<T>(gather: (key: string) => Promise<T>, { ttlMs, most, now }: Memory): (key: string) => Promise<T> {
  const kept = new Map<string, { at: number; isUnderWay: boolean; answer: Promise<T> }>();
  // An answer from the future is from before the clock was set back.
  return (key) => {
    const moment = now().getTime();
    for (const [other, { at, isUnderWay }] of kept) if (!isUnderWay && Math.abs(moment - at) >= ttlMs) kept.delete(other);
    const found = kept.get(key);
    if (found) return found.answer;
    const answer = gather(key);
    const one = { at: moment, isUnderWay: true, answer };
    kept.set(key, one);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    answer.then(
      () => (one.isUnderWay = false),
      () => kept.get(key) === one && kept.delete(key),
    );
    return answer;
  };
}
