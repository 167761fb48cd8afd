/** Collects single requests into batches. */
export interface Batcher<In, Out> {
  /** Returns what `run` answered for this item, or rejects with its error. */
  add(key: string, item: In): Promise<Out>;
  /** How many items wait for a batch. */
  waiting(): number;
}

export interface BatchOptions<In, Out> {
  /** Handles items with distinct keys. Returns one result for each, in order. */
  run(items: In[]): Promise<Out[]>;
  /** Most items of one batch. */
  size: number;
  /** How many batches run at once. No two of them share a key. */
  lanes: number;
  /** An error that any batch would meet now: everything that waits is refused at once instead of meeting it later. */
  isOutage(error: unknown): boolean;
}

interface Waiting<In, Out> {
  key: string;
  item: In;
  resolve(result: Out): void;
  reject(error: unknown): void;
}

/**
 * Requests that arrive while batches are under way form the next one, so batches grow with the load and nobody waits when there is none.
 * Items of one key are handled one after another, in the order added. When a batch fails for its content, its items are tried alone.
 */
export function batcher<In, Out>({ run, size, lanes, isOutage }: BatchOptions<In, Out>): Batcher<In, Out> {
  const busy = new Set<string>();
  let waiting: Waiting<In, Out>[] = [];
  let running = 0;
  let isScheduled = false;

  const take = (): Waiting<In, Out>[] => {
    const batch: Waiting<In, Out>[] = [];
    const rest: Waiting<In, Out>[] = [];
    for (const entry of waiting) {
      if (batch.length < size && !busy.has(entry.key)) {
        busy.add(entry.key);
        batch.push(entry);
      } else rest.push(entry);
    }
    waiting = rest;
    return batch;
  };

  const settle = async (batch: Waiting<In, Out>[]): Promise<void> => {
    try {
      const results = await run(batch.map((entry) => entry.item));
      batch.forEach((entry, index) => entry.resolve(results[index] as Out));
    } catch (error) {
      if (isOutage(error)) {
        for (const entry of [...batch, ...waiting]) entry.reject(error);
        waiting = [];
      } else if (batch.length === 1) batch[0]?.reject(error);
      else for (const entry of batch) await settle([entry]);
    }
  };

  const start = (): void => {
    isScheduled = false;
    while (running < lanes && waiting.length > 0) {
      const batch = take();
      if (batch.length === 0) return;
      running++;
      void settle(batch).finally(() => {
        running--;
        for (const entry of batch) busy.delete(entry.key);
        start();
      });
    }
  };

  return {
    waiting: () => waiting.length,
    add: (key, item) =>
      new Promise((resolve, reject) => {
        waiting.push({ key, item, resolve, reject });
        // Whatever else this turn of the event loop reads from its sockets comes along.
        if (!isScheduled && running < lanes) setImmediate(start);
        isScheduled = true;
      }),
  };
}
