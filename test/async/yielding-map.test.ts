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
