import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../src/log.ts';
import { queueWorkers } from '../../src/models/workers.ts';
import { until } from '../support/runner/wait.ts';

const started: ReturnType<typeof queueWorkers>[] = [];

/** Workers on a queue with this many questions. Only the first poll and `wake` start work. */
function workersOn(waiting: number, { isConfigured = true, isSlow = false } = {}) {
  const seen = { asked: 0, atOnce: 0, most: 0 };
  const gate = Promise.withResolvers<void>();
  const workers = queueWorkers({
    async askNext() {
      if (seen.asked >= waiting) return false;
      seen.asked++;
      seen.most = Math.max(seen.most, ++seen.atOnce);
      if (isSlow) await gate.promise;
      seen.atOnce--;
      return true;
    },
    isConfigured: () => isConfigured,
    refresh: async () => {},
    pollMs: 3_600_000,
    log: createLog({ level: 'silent' }),
  });
  started.push(workers);
  return { workers, seen, go: gate.resolve };
}

const test = suite('workers of the question queue');
// Also after a failed test: a running timer would keep the process alive.
test.after.each(() => started.splice(0).forEach((workers) => void workers.stop()));

test('one poll works off the whole queue', async () => {
  const { workers, seen } = workersOn(9);
  workers.start();
  await until(() => seen.asked === 9, { what: 'nine questions' });
});

test('four questions are under way at once', async () => {
  const { workers, seen, go } = workersOn(9, { isSlow: true });
  workers.start();
  for (let n = 0; n < 9; n++) workers.wake();
  await until(() => seen.atOnce === 4, { what: 'four questions' });
  assert.is(seen.asked, 4);
  go();
  await until(() => seen.asked === 9, { what: 'the others' });
  assert.is(seen.most, 4);
});

test('nothing is asked before the start, after the stop, and without a model', async () => {
  const { workers, seen } = workersOn(3);
  workers.wake();
  workers.start();
  await workers.stop().finished;
  workers.wake();
  const unconfigured = workersOn(3, { isConfigured: false });
  unconfigured.workers.start();
  unconfigured.workers.wake();
  await new Promise(setImmediate);
  assert.equal([seen.asked, unconfigured.seen.asked], [0, 0]);
});

test.run();
