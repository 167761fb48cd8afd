import { setImmediate as immediate } from 'node:timers/promises';

/** How long the event loop may wait, in milliseconds. */
const LONGEST_MS = 10;

/** The answers of `work` for these items, in order. Between two of them, the event loop has its turn when it has waited for long. */
export async function yieldingMap<In, Out>(items: readonly In[], work: (item: In) => Out): Promise<Out[]> {
  const done: Out[] = [];
  let begun = performance.now();
  for (const item of items) {
    if (performance.now() - begun > LONGEST_MS) {
      await immediate();
      begun = performance.now();
    }
    done.push(work(item));
  }
  return done;
}
