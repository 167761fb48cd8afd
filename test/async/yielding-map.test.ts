import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { yieldingMap } from '../../src/async/yielding-map.ts';

test('the answers come in the order of the items, and other work has its turn in between', async () => {
  let turns = 0;
  const timer = setInterval(() => turns++, 1);
  const busy = (n: number): number => {
    const end = performance.now() + 15;
    while (performance.now() < end);
    return n * 2;
  };
  try {
    assert.equal(await yieldingMap([1, 2, 3, 4, 5], busy), [2, 4, 6, 8, 10]);
    assert.ok(turns > 0);
  } finally {
    clearInterval(timer);
  }
});

test('work of 10 ms in all does not wait for other work', async () => {
  let ms = 1_000;
  let turns = 0;
  const turn = (): void => {
    turns += 1;
    other = setImmediate(turn);
  };
  let other = setImmediate(turn);
  const before: number[] = [];
  const steps = [4, 6, 1, 10, 10, 1];
  await yieldingMap(
    steps,
    (step) => {
      before.push(turns);
      ms += step;
    },
    () => ms,
  );
  clearImmediate(other);
  const yields = before.map((count, index) => index > 0 && count > (before[index - 1] ?? 0));
  assert.equal(yields, [false, false, false, true, false, true]);
});

test('what `work` throws is thrown', async () => {
  const failing = (): never => {
    throw new Error('no');
  };
  await yieldingMap([1], failing).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'no'),
  );
  assert.equal(await yieldingMap([], failing), []);
});

test.run();
