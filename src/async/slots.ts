/** Gives leave to at most so many at once. */
export interface Slots {
  /** Waits for a turn, first come, first served. Returns how to give it back (safe to call twice); undefined when `waitMs` are over. */
  take(waitMs: number): Promise<(() => void) | undefined>;
  /** How many wait. */
  waiting(): number;
}

export function slots(most: number): Slots {
  const queue = new Set<() => void>();
  let taken = 0;
  const giver = (): (() => void) => {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      taken--;
      const [next] = queue;
      next?.();
    };
  };
  return {
    waiting: () => queue.size,
    take: (waitMs) =>
      new Promise((resolve) => {
        const begin = (): void => {
          clearTimeout(late);
          queue.delete(begin);
          taken++;
          resolve(giver());
        };
        const late = setTimeout(() => {
          queue.delete(begin);
          resolve(undefined);
        }, waitMs);
        if (taken < most) begin();
        else queue.add(begin);
      }),
  };
}
