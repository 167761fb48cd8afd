/** Runs `work` once for all callers that come while it runs. They get the same promise. */
export function singleFlight<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= work().finally(() => (running = undefined)));
}

/**
 * Runs `work` at most once at a time. Whoever asks while it runs gets the run after it, which sees what the asker saw; all who ask
 * meanwhile share that one. A run that fails does not keep the next one from starting.
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
