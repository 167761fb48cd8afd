import { setImmediate as turn } from 'node:timers/promises';

/** The sandbox's time. */
export interface Clock {
  now(): Date;
  /** Calls `run` once after `ms` milliseconds; the returned function cancels that. */
  after(ms: number, run: () => void): () => void;
}

/** Longer waits (above 25 days) would overflow a timer. Nothing here lives so long. */
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

/** A clock that stands still until `advance` is called. */
export interface SteppedClock extends Clock {
  /**
   * Runs every wait that ends within the next `ms`, in order and each at its own time, including the waits that these start in this
   * process.
   */
  advance(ms: number): Promise<void>;
}

/** A clock that simulates minutes of pod time in milliseconds. Time passes only in `advance`, and waits take no real time. */
export function steppedClock(start: Date): SteppedClock {
  const waits = new Set<{ at: number; run: () => void }>();
  let time = start.getTime();
  /** Of the waits that end first, the one that was added first: a Set keeps this order. */
  const next = () =>
    [...waits].reduce<{ at: number; run: () => void } | undefined>((first, one) => (first && first.at <= one.at ? first : one), undefined);
  return {
    now: () => new Date(time),
    after: (ms, run) => {
      const wait = { at: time + Math.max(0, ms), run };
      waits.add(wait);
      return () => void waits.delete(wait);
    },
    advance: async (ms) => {
      const end = time + ms;
      await turn();
      for (let wait = next(); wait && wait.at <= end; wait = next()) {
        waits.delete(wait);
        time = wait.at;
        wait.run();
        // One turn of the event loop suffices for all promises that this settles.
        await turn();
      }
      time = end;
    },
  };
}

/** The same time, with waits divided by `speed`, and `stop()` that cancels every wait and refuses new ones. */
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
