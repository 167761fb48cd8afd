/** Time as the sandbox sees it; tests may bring their own. */
export interface Clock {
  now(): Date;
  /** Calls `run` once after `ms` milliseconds; the returned function takes it back. */
  after(ms: number, run: () => void): () => void;
}

/** Longer waits (25 days) overflow a timer; nothing here lives so long. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers do not keep the process alive. */
export const machineClock = (): Clock => ({
  now: () => new Date(),
  after: (ms, run) => {
    if (ms > MAX_TIMER_MS) return () => undefined;
    const timer = setTimeout(run, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
});

/** The same time, with waits divided by `speed`, and `stop()` that takes back every wait and refuses new ones. */
export function stoppableClock(clock: Clock, speed: number): Clock & { stop(): void } {
  const pending = new Set<() => void>();
  let stopped = false;
  return {
    now: () => clock.now(),
    after: (ms, run) => {
      if (stopped) return () => undefined;
      const cancel = clock.after(ms / speed, () => {
        pending.delete(cancel);
        run();
      });
      pending.add(cancel);
      return () => {
        pending.delete(cancel);
        cancel();
      };
    },
    stop: () => {
      stopped = true;
      for (const cancel of pending) cancel();
      pending.clear();
    },
  };
}
