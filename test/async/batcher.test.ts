import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { batcher } from '../../src/async/batcher.ts';

class Outage extends Error {}

/** A batcher whose batches end when the test ends them. */
function held({ size = 3, lanes = 1, fails = (_: string[]): Error | undefined => undefined } = {}) {
  const batches: string[][] = [];
  const ends: (() => void)[] = [];
  const { add } = batcher<string, string>({
    size,
    lanes,
    isOutage: (error) => error instanceof Outage,
    run: async (items) => {
      batches.push(items);
      await new Promise<void>((resolve) => ends.push(resolve));
      const error = fails(items);
      if (error) throw error;
      return items.map((item) => item.toUpperCase());
    },
  });
  /** Ends all batches, also those that start meanwhile. */
  const drain = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (ends.length > 0) quiet = 0;
      ends.shift()?.();
    }
  };
  return { add, batches, drain };
}

test('what arrives together goes together, what arrives meanwhile goes next, each with its own answer', async () => {
  const { add, batches, drain } = held();
  const answers = ['a', 'b', 'c', 'd', 'e'].map((item) => add(item, item));
  await drain();
  assert.equal(batches, [
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
  assert.equal(await Promise.all(answers), ['A', 'B', 'C', 'D', 'E']);
});

test('items of one key are never under way together and keep their order', async () => {
  const { add, batches, drain } = held({ lanes: 2 });
  const answers = [add('k', 'first'), add('k', 'second'), add('other', 'x'), add('k', 'third')];
  await drain();
  assert.equal(batches, [['first', 'x'], ['second'], ['third']]);
  await Promise.all(answers);
});

test('a batch that fails for its content is tried item by item', async () => {
  const { add, drain } = held({ fails: (items) => (items.includes('poison') ? new Error('bad') : undefined) });
  const answers = Promise.allSettled([add('a', 'a'), add('b', 'poison'), add('c', 'c')]);
  await drain();
  assert.equal(
    (await answers).map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
});

test('an outage refuses what is under way and what waits, and later items are tried again', async () => {
  let isAway = true;
  const { add, batches, drain } = held({ fails: () => (isAway ? new Outage() : undefined) });
  const answers = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((item) => add(item, item)));
  await drain();
  assert.ok((await answers).every((answer) => answer.status === 'rejected' && answer.reason instanceof Outage));
  assert.is(batches.length, 1);
  isAway = false;
  const later = add('a', 'a');
  await drain();
  assert.is(await later, 'A');
});

test.run();
