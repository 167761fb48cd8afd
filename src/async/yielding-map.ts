import { setImmediate as immediate } from 'node:timers/promises';

/** How long the event loop may wait, in milliseconds. */
const LONGEST_MS = 10;

/**
 * The answers of `work` for these items, in order. Between two of them, the event loop has its turn when it has waited for long by
 * `steadyMs`, a clock that nobody can set.
 */
export async function yieldingMap<In, Out>(
  items: readonly In[],
  work: (item: In) => Out,
  steadyMs: () => number = () => performance.now(),
): Promise<Out[]> {
  const done: Out[] = [];
  let begun = steadyMs();
  for (const item of items) {
    if (steadyMs() - begun > LONGEST_MS) {
      await immediate();
      begun = steadyMs();
    }
    done.push(work(item));
  }
  return done;
}
