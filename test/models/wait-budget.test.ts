import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { waitBudget, within } from '../../src/models/wait-budget.ts';

test('four reports wait at once, each record once, and only within the budget', async () => {
  const budget = waitBudget(60_000);
  const work = Array.from({ length: 5 }, () => Promise.withResolvers<void>());
  const waits = work.map(({ promise }, id) => budget.wait(id, () => promise));
  assert.equal(
    waits.map((wait) => wait !== undefined),
    [true, true, true, true, false],
  );
  assert.is(
    budget.wait(0, async () => {}),
    undefined,
  );
  assert.equal([budget.isWaiting(0), budget.isWaiting(4)], [true, false]);
  work[0]!.reject(new Error('an error is not passed on'));
  await waits[0];
  assert.is(budget.isWaiting(0), false);
  for (const { resolve } of work) resolve();
  for (const wait of waits) await wait;
  assert.is(
    waitBudget(0).wait(1, async () => {}),
    undefined,
  );
});

test('work that ends in time has its result or error; other work is late', async () => {
  assert.is(await within(60_000, Promise.resolve('done')), 'done');
  assert.is(await within(1, new Promise(() => {})), 'late');
  await within(60_000, Promise.reject(new Error('no'))).then(
    () => assert.unreachable(),
    ({ message }: Error) => assert.is(message, 'no'),
  );
});

test.run();
