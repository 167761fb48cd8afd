import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { keyedMutex } from '../../src/async/keyed-mutex.ts';

test('work of one key runs in the order asked and never together, also after a failure; other keys do not wait', async () => {
  const exclusively = keyedMutex();
  const said: string[] = [];
  const ends: (() => void)[] = [];
  const held = (name: string) => async () => {
    said.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.push(resolve));
    said.push(`${name} ends`);
    if (name === 'a1') throw new Error('broken');
    return name;
  };
  const [a1, a2, b1] = [exclusively('a', held('a1')), exclusively('a', held('a2')), exclusively('b', held('b1'))];
  const results = Promise.allSettled([a1, a2, b1]);
  for (let quiet = 0; quiet < 3; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (ends.length > 0) quiet = 0;
    ends.shift()?.();
  }
  assert.equal(
    (await results).map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason))),
    ['Error: broken', 'a2', 'b1'],
  );
  assert.equal(said.slice(0, 2), ['a1 begins', 'b1 begins']);
  assert.ok(said.indexOf('a2 begins') > said.indexOf('a1 ends'), said.join());
});

test.run();
