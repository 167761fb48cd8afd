import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { slots } from '../../src/async/slots.ts';

const LONG_MS = 60_000;

test('a limited number at once, the others in order', async () => {
  const { take, waiting } = slots(2);
  const order: number[] = [];
  const leave = await Promise.all([take(LONG_MS), take(LONG_MS)]);
  const later = [3, 4].map(async (n) => {
    const done = await take(LONG_MS);
    order.push(n);
    return done;
  });
  assert.is(waiting(), 2);
  leave[0]?.();
  await later[0];
  assert.equal([order, waiting()], [[3], 1]);
  leave[1]?.();
  await later[1];
  assert.equal(order, [3, 4]);
});

test('one holder has a limited number of slots, and others overtake its waiting requests', async () => {
  const { take, waiting } = slots(3, 2);
  const [first] = await Promise.all([take(LONG_MS, 'greedy'), take(LONG_MS, 'greedy')]);
  const more = [take(LONG_MS, 'greedy'), take(LONG_MS, 'greedy')];
  assert.is(waiting(), 0, 'a turn is free, but not for the holder');
  const leave = await take(LONG_MS, 'other');
  const late = take(LONG_MS, 'third');
  assert.is(waiting(), 1);
  leave?.();
  assert.ok(await late);
  first?.();
  (await more[0])?.();
  assert.ok(await more[1]);
});

test('a turn is given back once', async () => {
  const { take, waiting } = slots(1);
  const leave = await take(LONG_MS);
  const [second, third] = [take(LONG_MS), take(LONG_MS)];
  leave?.();
  leave?.();
  const leaveToo = await second;
  assert.is(waiting(), 1);
  leaveToo?.();
  (await third)?.();
});

test('a request that waits too long gets no slot, and leaves the queue', async () => {
  const { take, waiting } = slots(1);
  const leave = await take(LONG_MS);
  assert.is(await take(1), undefined);
  assert.is(waiting(), 0);
  leave?.();
  assert.ok(await take(LONG_MS));
});

test.run();
