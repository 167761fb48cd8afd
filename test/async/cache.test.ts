import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { remember } from '../../src/async/cache.ts';

const memory = suite('remember');

function world(most = 2) {
  let at = 0;
  const asked: string[] = [];
  const open = new Map<string, PromiseWithResolvers<string>>();
  const ask = remember(
    (key) => {
      asked.push(key);
      const waiting = Promise.withResolvers<string>();
      open.set(key, waiting);
      return waiting.promise;
    },
    { ttlMs: 100, most, now: () => new Date(at) },
  );
  return {
    ask,
    asked,
    set: (ms: number) => void (at = ms),
    async answer(key: string) {
      open.get(key)?.resolve(`${key} ${at}`);
      await open.get(key)?.promise;
    },
    fail: (key: string) => open.get(key)?.reject(new Error('no')),
  };
}

memory('all who ask for a key share one answer until its time is over', async () => {
  const { ask, asked, answer, set } = world();
  const [one, two] = [ask('a'), ask('a')];
  await answer('a');
  assert.equal([await one, await two, await ask('a')], ['a 0', 'a 0', 'a 0']);
  set(99);
  assert.is(await ask('a'), 'a 0');
  set(100);
  const again = ask('a');
  await answer('a');
  assert.is(await again, 'a 100');
  assert.equal(asked, ['a', 'a']);
});

memory('a clock that was set back makes an answer old', async () => {
  const { ask, asked, answer, set } = world();
  set(1000);
  void ask('a');
  await answer('a');
  set(0);
  void ask('a');
  assert.is(asked.length, 2);
});

memory('a request that takes longer than the cache time is still sent once', async () => {
  const { ask, asked, answer, set } = world();
  const one = ask('a');
  set(500);
  const two = ask('a');
  await answer('a');
  assert.equal([asked.length, await one, await two], [1, 'a 500', 'a 500']);
});

memory('the oldest answer makes room', async () => {
  const { ask, asked, answer } = world();
  for (const key of ['a', 'b', 'c']) {
    void ask(key);
    await answer(key);
  }
  void ask('b');
  void ask('a');
  assert.equal(asked, ['a', 'b', 'c', 'a']);
});

memory('a failure is told to all who wait, and not kept', async () => {
  const { ask, asked, fail, answer } = world();
  const both = Promise.allSettled([ask('a'), ask('a')]);
  fail('a');
  assert.equal(
    (await both).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  const again = ask('a');
  await answer('a');
  assert.is(await again, 'a 0');
  assert.is(asked.length, 2);
});

memory.run();
