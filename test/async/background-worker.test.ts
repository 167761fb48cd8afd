import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { until } from '../support/runner/wait.ts';
import { backgroundWorker, type WorkerLimits } from '../../src/async/background-worker.ts';

type Job = { double: number } | { end: true } | { fail: true } | { hang: true } | { size: Uint8Array };
const thread = (times?: WorkerLimits) =>
  backgroundWorker<Job, { answer: number; thread: number }>(
    './thread',
    new URL('../support/threads/', import.meta.url).href + 'x.ts',
    times,
  );
const refused = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (error: Error) => error.message,
  );

test('jobs are answered in order, by one thread', async () => {
  const worker = thread();
  const answers = await Promise.all([1, 2, 3].map((double) => worker.run({ double })));
  assert.equal(
    answers.map(({ answer }) => answer),
    [2, 4, 6],
  );
  assert.is(new Set(answers.map((one) => one.thread)).size, 1);
  await worker.stop();
});

test('a buffer is handed over', async () => {
  const worker = thread();
  const size = new Uint8Array(5_000);
  const { answer } = await worker.run({ size }, [size.buffer]);
  assert.equal([answer, size.byteLength], [5_000, 0]);
  await worker.stop();
});

for (const [what, job, error] of [
  ['ends', { end: true }, /ended before it answered/],
  ['throws', { fail: true }, /broken/],
] as const) {
  test(`a thread that ${what} fails its job only: the next one gets a new thread`, async () => {
    const worker = thread();
    const [lost, kept] = await Promise.all([refused(worker.run(job)), worker.run({ double: 4 })]);
    assert.match(lost, error);
    assert.is(kept.answer, 8);
    await worker.stop();
  });
}

test('a job that takes too long is given up', async () => {
  const worker = thread({ jobMs: 200 });
  assert.match(await refused(worker.run({ hang: true })), /took too long/);
  await worker.stop();
});

test('a thread that idles ends, and another one starts when there is work', async () => {
  const worker = thread({ idleMs: 1 });
  const first = await worker.run({ double: 1 });
  // Every check is itself work for the thread, which idles again afterwards.
  await until(async () => (await worker.run({ double: 1 })).thread !== first.thread, { what: 'another thread' });
  await worker.stop();
});

test('after a stop nothing waits for ever', async () => {
  const worker = thread();
  const jobs = [worker.run({ hang: true }), worker.run({ double: 1 })].map(refused);
  await worker.stop();
  assert.equal(await Promise.all(jobs), ['stopped', 'stopped']);
});

test.run();
