import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { modelSweep } from '../../src/models/sweep.ts';

const NOW = new Date('2026-06-01T00:00:00Z');

test('a sweep fills the queue up to a hundred, with incidents of more than a minute, without hidden ones', async () => {
  const swept = async (pending: number, model: object | undefined = {}) => {
    const asked: unknown[] = [];
    const work = { pending: async () => pending, offerLeft: async (...given: unknown[]) => (asked.push(given), 3) };
    const current = async () => model as never;
    return [await modelSweep({ setups: { current }, work: work as never, hiddenNamespaces: ['hidden'] })(NOW), asked];
  };
  const before = new Date('2026-05-31T23:59:00Z');
  assert.equal(await swept(0), [3, [[{ before, hidden: ['hidden'] }, NOW, 100]]]);
  assert.equal(await swept(99), [3, [[{ before, hidden: ['hidden'] }, NOW, 1]]]);
  assert.equal(
    [await swept(100), await swept(101)],
    [
      [0, []],
      [0, []],
    ],
  );
});

test('without a model the sweep queues nothing', async () => {
  const work = { pending: async () => 0, offerLeft: () => assert.unreachable() };
  assert.is(await modelSweep({ setups: { current: async () => undefined }, work: work as never, hiddenNamespaces: [] })(NOW), 0);
});

test.run();
