import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { oneAtATime } from '../../deploy/one-at-a-time.ts';

const test = suite('work that only one process does at a time');
const folder = mkdtempSync(join(tmpdir(), 'podmend-lock-'));
const lock = join(folder, 'lock');
test.after(() => rmSync(folder, { recursive: true }));

test('the second starts when the first has ended, and no lock file is left', async () => {
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

test('a live process is waited for, and its work is visible', async () => {
  // This process has the lock until its stdin ends. Like a killed process, it leaves the lock file.
  const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  writeFileSync(lock, String(holder.pid));
  let isEnded = false;
  const waiting = oneAtATime(lock, async () => isEnded);
  // If it does not wait, it is done after this turn of the event loop.
  await new Promise((done) => setImmediate(done));
  holder.stdin?.end();
  await once(holder, 'exit');
  isEnded = true;
  assert.is(await waiting, true);
});

test('the lock of a dead process, and an old lock, are ignored', async () => {
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
