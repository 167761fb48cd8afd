/** Some keys that were added lately. */
export interface RecentKeys {
  /** Whether it is remembered. If so, it is new again. */
  has(key: string): boolean;
  add(key: string): void;
}

/** Remembers at least the `most` / 2 newest keys and at most `most`. Keys are forgotten by halves, because asking for the oldest one costs more. */
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
