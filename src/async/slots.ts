/** Gives leave to at most so many at once. */
export interface Slots {
  /**
   * Waits for a turn, first come, first served. One `holder` has only so many turns at once, and does not keep others waiting. Returns how
   * to give the turn back (safe to call twice); undefined when `waitMs` are over.
   */
  take(waitMs: number, holder?: number | string): Promise<(() => void) | undefined>;
  /** How many wait for a turn that they could have. */
  waiting(): number;
}

interface Waiting {
  holder: number | string | undefined;
  begin(): void;
}

/** `perHolder` is how many turns one holder has at once. Who takes a turn for nobody has no such bound. */
export function slots(most: number, perHolder = most): Slots {
  const queue = new Set<Waiting>();
  const held = new Map<number | string | undefined, number>();
  let taken = 0;
  const heldBy = (holder: number | string | undefined): number => held.get(holder) ?? 0;
  const mayHold = ({ holder }: Waiting): boolean => holder === undefined || heldBy(holder) < perHolder;
  const count = (holder: number | string | undefined, more: 1 | -1): void => {
    taken += more;
    if (heldBy(holder) + more > 0) held.set(holder, heldBy(holder) + more);
    else held.delete(holder);
  };
  const giver = (holder: number | string | undefined): (() => void) => {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      count(holder, -1);
      [...queue].find(mayHold)?.begin();
    };
  };
  return {
    waiting: () => [...queue].filter(mayHold).length,
    take: (waitMs, holder) =>
      new Promise((resolve) => {
        const one: Waiting = {
          holder,
          begin() {
            clearTimeout(late);
            queue.delete(one);
            count(holder, 1);
            resolve(giver(holder));
          },
        };
        const late = setTimeout(() => {
          queue.delete(one);
          resolve(undefined);
        }, waitMs);
        if (taken < most && mayHold(one)) one.begin();
        else queue.add(one);
      }),
  };
}
