import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { deadlineQueue } from '../../src/async/deadline-queue.ts';
import { until } from '../support/runner/wait.ts';

const now = () => new Date();
const soon = (ms: number) => new Date(Date.now() + ms);

test('keys wake in the order of their times, each only at its earliest time', async () => {
  const woken: string[] = [];
  const deadlines = deadlineQueue({ now, onDue: (key) => woken.push(key) });
  deadlines.add('c', soon(60));
  deadlines.add('a', soon(500));
  deadlines.add('b', soon(30));
  deadlines.add('a', soon(10));
  deadlines.add('gone', soon(20));
  deadlines.cancel('gone');
  await until(() => woken.length === 3, { what: 'three keys' });
  assert.equal(woken, ['a', 'b', 'c']);
  deadlines.add('a', soon(5));
  await until(() => woken.length === 4, { what: 'a key again' });
  deadlines.stop();
});

test('a deadline wakes only its own keys', async () => {
  const woken: string[] = [];
  const deadlines = deadlineQueue({ now, onDue: (key) => woken.push(key) });
  deadlines.add('in an hour', soon(3_600_000));
  deadlines.add('soon', soon(5));
  deadlines.add('tomorrow', soon(86_400_000));
  await until(() => woken.length > 0, { what: 'the first key' });
  deadlines.add('soon after', soon(5));
  await until(() => woken.includes('soon after'), { what: 'the second key' });
  assert.equal(woken, ['soon', 'soon after']);
  deadlines.stop();
});

test('many keys wake in order', async () => {
  const woken: number[] = [];
  const clock = { ms: 0 };
  const deadlines = deadlineQueue({ now: () => new Date(clock.ms), onDue: (key) => woken.push(Number(key)) });
  const numbers = Array.from({ length: 500 }, (_, index) => (index * 7919) % 500);
  for (const number of numbers) deadlines.add(String(number), new Date(100_000 + number));
  clock.ms = 200_000;
  deadlines.add('-1', new Date(1));
  await until(() => woken.length === 501, { what: 'all keys' });
  assert.equal(
    woken,
    [...woken].sort((a, b) => a - b),
  );
  deadlines.stop();
});

test('few keys wake in order too, however they were added', async () => {
  for (const order of ['123', '132', '213', '231', '312', '321', '1243', '4132', '3421', '24135', '53142', '415263', '7361524']) {
    const woken: string[] = [];
    const clock = { ms: 0 };
    const deadlines = deadlineQueue({ now: () => new Date(clock.ms), onDue: (key) => woken.push(key) });
    for (const key of order) deadlines.add(key, new Date(100_000 + Number(key)));
    clock.ms = 200_000;
    deadlines.add('0', new Date(1));
    await until(() => woken.length > order.length, { what: `the keys added as ${order}` });
    assert.equal(woken, ['0', ...order.split('').sort()], order);
    deadlines.stop();
  }
});

test('a clock that was set back delays no key', async () => {
  let setMs = 0;
  const woken: string[] = [];
  const deadlines = deadlineQueue({ now: () => new Date(Date.now() + setMs), onDue: (key) => woken.push(key) });
  deadlines.add('a', soon(50));
  deadlines.add('b', soon(3_600_000));
  setMs = -7_200_000;
  await until(() => woken.length === 2, { what: 'both keys' });
  setMs = 0;
  deadlines.add('c', soon(50));
  await until(() => woken.includes('c'), { what: 'a key of later' });
  assert.equal(woken, ['a', 'b', 'c'], 'each was due once');
  deadlines.stop();
});

test('a clock that was set forward wakes the keys that are now due', async () => {
  let setMs = 0;
  const woken: string[] = [];
  const deadlines = deadlineQueue({ now: () => new Date(Date.now() + setMs), onDue: (key) => woken.push(key) });
  deadlines.add('b', soon(3_600_000));
  deadlines.add('a', soon(50));
  setMs = 7_200_000;
  await until(() => woken.length === 2, { what: 'both keys' });
  deadlines.stop();
});

test('a key that was cancelled and has a later deadline does not wake at its earlier one', async () => {
  let setMs = 0;
  const woken: string[] = [];
  const deadlines = deadlineQueue({ now: () => new Date(Date.now() + setMs), onDue: (key) => woken.push(key) });
  deadlines.add('b', soon(50));
  deadlines.add('a', soon(60_000));
  deadlines.cancel('a');
  deadlines.add('a', soon(86_400_000));
  setMs = 3_600_000;
  await until(() => woken.length > 0, { what: 'the key that is due' });
  assert.equal(woken, ['b']);
  deadlines.stop();
});

test('nothing wakes after the end', async () => {
  const woken: string[] = [];
  const onDue = (key: string) => woken.push(key);
  const [ended, other] = [deadlineQueue({ now, onDue }), deadlineQueue({ now, onDue })];
  ended.add('a', soon(5));
  other.add('b', soon(20));
  ended.stop();
  await until(() => woken.includes('b'), { what: 'a later deadline of another queue' });
  assert.equal(woken, ['b']);
  other.stop();
});

test.run();
