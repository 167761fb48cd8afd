/** Runs `work` once for all callers that come while it runs. They get the same promise. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/**
 * Runs `work` at most once at a time. A call during a run gets the next run, which sees everything that the caller saw; all calls during
 * one run share the next one. A run that fails does not keep the next one from starting.
 */
export function nextFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const begin = (): Promise<T> => {
    running = work().finally(() => (running = undefined));
    return running;
  };
  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
