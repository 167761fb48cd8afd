/** Callers that wait until pods are examined: queued pods must begin, and running examinations must end. */
export interface ExaminationWaiters {
  /** Resolves when all of these are examined, or never will be. */
  until(queued: Iterable<string>, underWay: Iterable<string>): Promise<void>;
  /** Call this when the examination of a queued pod begins. */
  begins(uid: string): void;
  ends(uid: string): void;
  /** Call this when nobody will examine the pod any more. */
  forget(uid: string): void;
  /** Ends every wait. */
  stop(): void;
}

interface Waiter {
  queued: Set<string>;
  underWay: Set<string>;
  resolve(): void;
}

/** Each caller waits only for the pods at the time of its call, however many are queued later. */
export function examinationWaiters(): ExaminationWaiters {
  const waiters = new Set<Waiter>();
  const ends = (uid: string) => {
    for (const waiter of waiters) {
      waiter.underWay.delete(uid);
      if (waiter.queued.size > 0 || waiter.underWay.size > 0) continue;
      waiters.delete(waiter);
      waiter.resolve();
    }
  };
  return {
    until: (queued, underWay) =>
      new Promise<void>((resolve) => {
        const waiter = { queued: new Set(queued), underWay: new Set(underWay), resolve };
        if (waiter.queued.size > 0 || waiter.underWay.size > 0) waiters.add(waiter);
        else resolve();
      }),
    begins(uid) {
      for (const { queued, underWay } of waiters) if (queued.delete(uid)) underWay.add(uid);
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
