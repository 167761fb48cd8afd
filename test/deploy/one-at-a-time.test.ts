import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oneAtATime } from '../../deploy/one-at-a-time.ts';

const test = suite('work of which one process at a time does its part');
const folder = mkdtempSync(join(tmpdir(), 'podmend-lock-'));
const lock = join(folder, 'lock');
test.after(() => rmSync(folder, { recursive: true }));

test('the second begins when the first has ended, and nothing is left', async () => {
  const said: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const first = oneAtATime(lock, async () => {
    said.push('first begins');
    await promise;
    said.push('first ends');
  });
  const second = oneAtATime(lock, async () => said.push('second begins'));
  assert.ok(existsSync(lock));
  resolve();
  await Promise.all([first, second]);
  assert.equal(said, ['first begins', 'first ends', 'second begins']);
  assert.not.ok(existsSync(lock));
});

test('a process that lives is waited for, and its work is seen', async () => {
  // It holds the lock until it is told to end; its end removes nothing, as a kill would not.
  const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  writeFileSync(lock, String(holder.pid));
  let isEnded = false;
  const waiting = oneAtATime(lock, async () => isEnded);
  // Had it not waited, it would have answered in this turn.
  await new Promise((done) => setImmediate(done));
  holder.stdin?.end();
  await once(holder, 'exit');
  isEnded = true;
  assert.is(await waiting, true);
});

test('the lock of a process that is gone, and an old one, count for nothing', async () => {
  const gone = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' });
  await once(gone, 'exit');
  writeFileSync(lock, String(gone.pid));
  assert.is(await oneAtATime(lock, async () => 'done'), 'done');
  writeFileSync(lock, String(process.pid));
  utimesSync(lock, 0, 0);
  assert.is(await oneAtATime(lock, async () => 'done'), 'done');
});

test('work that fails gives the lock back', async () => {
  const failing = oneAtATime(lock, () => Promise.reject(new Error('no')));
  await failing.then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'no'),
  );
  assert.not.ok(existsSync(lock));
});

test.run();
