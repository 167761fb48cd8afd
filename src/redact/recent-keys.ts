/** The keys that were added or asked for most recently. */
export interface RecentKeys {
  /** Whether the key is remembered. If so, it counts as new again. */
  has(key: string): boolean;
  add(key: string): void;
}

/** Remembers at least the `most` / 2 newest keys and at most `most`. Forgets the older half at once: this costs less than finding the oldest key. */
export function recentKeys(most: number): RecentKeys {
  let [newer, older] = [new Set<string>(), new Set<string>()];
  const add = (key: string): void => {
    if (newer.size >= most / 2) [newer, older] = [new Set(), newer];
    newer.add(key);
  };
  return {
    add,
    has(key) {
      if (newer.has(key)) return true;
      if (!older.has(key)) return false;
      add(key);
      return true;
    },
  };
}
