/** Deadlines of many keys on one timer. */
export interface DeadlineQueue {
  /** Gives the key a deadline. A key has one at most: the soonest that was added. */
  add(key: string, instant: Date): void;
  cancel(key: string): void;
  stop(): void;
}

/** The timer runs no longer than this, so that a clock that was set is noticed. Node's timers hold 24 days at most. */
const MAX_WAIT_MS = 60_000;
/** A clock that went back by more than this was set by somebody. */
const SET_BACK_MS = 5_000;

/**
 * Calls `onDue` once for each deadline, at it or as soon as the process gets to it. When the clock was set back, all keys are due: their
 * deadlines were computed with the old clock, and a call that comes too early is harmless.
 */
export function deadlineQueue({ now, onDue }: { now: () => Date; onDue: (key: string) => void }): DeadlineQueue {
  const deadlines = new Map<string, number>();
  /** A binary heap, ordered by time. An entry that is no longer its key's deadline is skipped. */
  const heap: [at: number, key: string][] = [];
  let timer: NodeJS.Timeout | undefined;
  let armedFor = Infinity;
  let armed = { at: 0, monotonic: 0 };

  const arm = () => {
    for (let top = heap[0]; top && deadlines.get(top[1]) !== top[0]; top = heap[0]) pop(heap);
    const next = heap[0]?.[0] ?? Infinity;
    if (next === armedFor) return;
    clearTimeout(timer);
    armedFor = next;
    armed = { at: now().getTime(), monotonic: performance.now() };
    timer = next === Infinity ? undefined : setTimeout(ring, Math.min(MAX_WAIT_MS, Math.max(0, next - now().getTime())));
  };
  const ring = () => {
    armedFor = Infinity;
    const due: string[] = [];
    const isSetBack = now().getTime() - armed.at < performance.now() - armed.monotonic - SET_BACK_MS;
    for (let top = heap[0]; top && (isSetBack || top[0] <= now().getTime()); top = heap[0]) {
      pop(heap);
      if (deadlines.get(top[1]) !== top[0]) continue;
      deadlines.delete(top[1]);
      due.push(top[1]);
    }
    arm();
    for (const key of due) onDue(key);
  };
  return {
    add(key, instant) {
      const at = instant.getTime();
      if ((deadlines.get(key) ?? Infinity) <= at) return;
      deadlines.set(key, at);
      push(heap, [at, key]);
      arm();
    },
    cancel(key) {
      if (deadlines.delete(key)) arm();
    },
    stop() {
      clearTimeout(timer);
      deadlines.clear();
      heap.length = 0;
      armedFor = Infinity;
    },
  };
}

type Heap = [at: number, key: string][];

function push(heap: Heap, entry: [number, string]): void {
  let index = heap.push(entry) - 1;
  while (index > 0) {
    const parent = (index - 1) >> 1;
    if (before(heap, parent, index)) break;
    swap(heap, parent, index);
    index = parent;
  }
}

function pop(heap: Heap): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  heap[0] = last;
  let index = 0;
  for (;;) {
    const left = 2 * index + 1;
    const child = left + 1 < heap.length && !before(heap, left, left + 1) ? left + 1 : left;
    if (child >= heap.length || before(heap, index, child)) return;
    swap(heap, index, child);
    index = child;
  }
}

function before(heap: Heap, a: number, b: number): boolean {
  return (heap[a]?.[0] ?? Infinity) <= (heap[b]?.[0] ?? Infinity);
}

function swap(heap: Heap, a: number, b: number): void {
  const [one, other] = [heap[a], heap[b]];
  if (one && other) [heap[a], heap[b]] = [other, one];
}
