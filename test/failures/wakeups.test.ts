import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { wakeups } from '../../src/failures/wakeups.ts';
import { until } from '../support/wait.ts';

const now = () => new Date();
const soon = (ms: number) => new Date(Date.now() + ms);

test('keys wake in the order of their instants, each at its soonest only', async () => {
  const woken: string[] = [];
  const alarm = wakeups({ now, wake: (key) => woken.push(key) });
  alarm.at('c', soon(60));
  alarm.at('a', soon(500));
  alarm.at('b', soon(30));
  alarm.at('a', soon(10));
  alarm.at('gone', soon(20));
  alarm.cancel('gone');
  await until(() => woken.length === 3, { what: 'three keys' });
  assert.equal(woken, ['a', 'b', 'c']);
  alarm.at('a', soon(5));
  await until(() => woken.length === 4, { what: 'a key again' });
  alarm.stop();
});

test('many keys wake in order', async () => {
  const woken: number[] = [];
  const clock = { ms: 0 };
  const alarm = wakeups({ now: () => new Date(clock.ms), wake: (key) => woken.push(Number(key)) });
  const numbers = Array.from({ length: 500 }, (_, index) => (index * 7919) % 500);
  for (const number of numbers) alarm.at(String(number), new Date(100_000 + number));
  clock.ms = 200_000;
  alarm.at('-1', new Date(1));
  await until(() => woken.length === 501, { what: 'all keys' });
  assert.equal(
    woken,
    [...woken].sort((a, b) => a - b),
  );
  alarm.stop();
});

test('a clock that was set back keeps no key asleep', async () => {
  let setMs = 0;
  const woken: string[] = [];
  const alarm = wakeups({ now: () => new Date(Date.now() + setMs), wake: (key) => woken.push(key) });
  alarm.at('a', soon(50));
  alarm.at('b', soon(3_600_000));
  setMs = -7_200_000;
  await until(() => woken.length === 2, { what: 'both keys' });
  await new Promise((done) => setTimeout(done, 50));
  assert.equal(woken, ['a', 'b']);
  alarm.stop();
});

test('a clock that was set forward wakes what is due by it', async () => {
  let setMs = 0;
  const woken: string[] = [];
  const alarm = wakeups({ now: () => new Date(Date.now() + setMs), wake: (key) => woken.push(key) });
  alarm.at('b', soon(3_600_000));
  alarm.at('a', soon(50));
  setMs = 7_200_000;
  await until(() => woken.length === 2, { what: 'both keys' });
  alarm.stop();
});

test('nothing wakes after the end', async () => {
  let woken = 0;
  const alarm = wakeups({ now, wake: () => (woken += 1) });
  alarm.at('a', soon(5));
  alarm.stop();
  await new Promise((done) => setTimeout(done, 20));
  assert.is(woken, 0);
});

test.run();
