/** Those who wait for looks at pods to be over: for those in the queue at first to begin, then for those under way. */
export interface Waiting {
  /** Resolves when the looks at all of these are over, or will never be. */
  until(queued: Iterable<string>, underWay: Iterable<string>): Promise<void>;
  /** A look that was in the queue is under way. */
  begins(uid: string): void;
  ends(uid: string): void;
  /** Nobody will look at it any more. */
  forget(uid: string): void;
  /** Lets everybody go. */
  stop(): void;
}

interface Waiter {
  queued: Set<string>;
  running: Set<string>;
  resolve(): void;
}

/** Waits for what was asked for at the time, however much comes after it. */
export function waitingForLooks(): Waiting {
  const waiters = new Set<Waiter>();
  const ends = (uid: string) => {
    for (const waiter of waiters) {
      waiter.running.delete(uid);
      if (waiter.queued.size > 0 || waiter.running.size > 0) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  };
  return {
    until: (queued, underWay) =>
      new Promise<void>((resolve) => {
        const waiter = { queued: new Set(queued), running: new Set(underWay), resolve };
        if (waiter.queued.size > 0 || waiter.running.size > 0) waiters.add(waiter);
        else resolve();
      }),
    begins(uid) {
      for (const { queued, running } of waiters) if (queued.delete(uid)) running.add(uid);
    },
    ends,
    forget(uid) {
      for (const { queued } of waiters) queued.delete(uid);
      ends(uid);
    },
    stop() {
      for (const { resolve } of waiters) resolve();
      waiters.clear();
    },
  };
}
