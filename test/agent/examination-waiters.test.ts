import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { examinationWaiters } from '../../src/agent/examination-waiters.ts';

/** Lets all pending callbacks run. Returns whether the wait is over then. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => (over = true));
  await new Promise((resolve) => setImmediate(resolve));
  return over;
}

test('nothing to wait for is no wait', async () => {
  assert.is(await isOver(examinationWaiters().until([], [])), true);
});

test('a waiter stays while one of its pods is queued, even when the running examinations have ended', async () => {
  const waiters = examinationWaiters();
  const wait = waiters.until(['queued'], ['running']);
  waiters.ends('running');
  assert.is(await isOver(wait), false);
  waiters.begins('queued');
  assert.is(await isOver(wait), false);
  waiters.ends('queued');
  assert.is(await isOver(wait), true);
});

test('a waiter stays while one of its two pods is examined', async () => {
  const waiters = examinationWaiters();
  const wait = waiters.until([], ['one', 'other']);
  waiters.ends('one');
  assert.is(await isOver(wait), false);
  waiters.ends('other');
  assert.is(await isOver(wait), true);
});

test('each waiter waits for its own pods alone', async () => {
  const waiters = examinationWaiters();
  const [mine, theirs] = [waiters.until(['a'], []), waiters.until(['b'], [])];
  for (const step of ['begins', 'ends'] as const) waiters[step]('a');
  assert.equal([await isOver(mine), await isOver(theirs)], [true, false]);
  waiters.stop();
});

test('nobody waits for a pod that is forgotten, nor after the end', async () => {
  const waiters = examinationWaiters();
  const [forgotten, kept] = [waiters.until(['gone'], []), waiters.until(['gone', 'there'], [])];
  waiters.forget('gone');
  assert.equal([await isOver(forgotten), await isOver(kept)], [true, false]);
  waiters.stop();
  assert.is(await isOver(kept), true);
});

test.run();
