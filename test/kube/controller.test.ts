import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { controller, type ControllerOptions, type Pass, TerminalError } from '../../src/kube/controller.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/runner/wait.ts';

const keys = suite('controller');
const log = createLog({ level: 'silent' });

/** A clock and timers that move only when a test moves them. The random jitter is always in the middle. */
function stillTimers() {
  let nowMs = 0;
  let setMs = 0;
  const planned = new Map<symbol, { at: number; wake: () => void }>();
  return {
    waits: () => [...planned.values()].map(({ at }) => at - nowMs),
    now: () => new Date(nowMs + setMs),
    /** Moves the wall clock but not the timers. */
    set: (ms: number) => void (setMs += ms),
    timers: {
      random: () => 0.5,
      after(ms: number, wake: () => void) {
        const id = Symbol('timer');
        planned.set(id, { at: nowMs + ms, wake });
        return () => void planned.delete(id);
      },
    },
    async pass(ms: number) {
      nowMs += ms;
      for (const [id, { at, wake }] of planned)
        if (at <= nowMs) {
          planned.delete(id);
          wake();
        }
      await settle();
    },
  };
}

/** Waits one turn of the event loop, so that everything that is ready runs. */
const settle = () => new Promise((wake) => setImmediate(wake));

function begin(reconcile: (key: string, count: number) => Promise<Pass> | Pass, options: Partial<ControllerOptions> = {}) {
  const time = stillTimers();
  const passes: string[] = [];
  const made = controller({
    name: 'test',
    log,
    now: time.now,
    timers: time.timers,
    reconcile: async (key) => await reconcile(key, passes.push(key)),
    ...options,
  });
  return { time, passes, made };
}

keys('does nothing before the start, then each queued key once', async () => {
  const { passes, made } = begin(() => undefined);
  made.enqueue('a');
  made.enqueue('a');
  made.enqueue('b');
  await settle();
  assert.equal(passes, []);
  made.start();
  await settle();
  assert.equal(passes, ['a', 'b']);
});

keys('wakes when a pass asks for it, and forgets that when another pass comes first', async () => {
  const { time, passes, made } = begin((_, count) => (count === 1 ? { requeueAfterMs: 5000 } : undefined));
  made.start();
  made.enqueue('a');
  await settle();
  assert.equal(time.waits(), [5000]);
  made.enqueue('a');
  await settle();
  assert.equal(time.waits(), []);
  await time.pass(10_000);
  assert.equal(passes, ['a', 'a']);
});

keys('of two wake-up times the earlier one counts', async () => {
  const { time, passes, made } = begin(() => undefined);
  made.start();
  made.enqueue('a', 900);
  made.enqueue('a', 300);
  made.enqueue('a', 600);
  assert.equal(time.waits(), [300]);
  await time.pass(300);
  assert.equal(passes, ['a']);
  assert.equal(time.waits(), []);
});

keys('retries with a doubling, capped backoff, and resets it after a success', async () => {
  let failing = true;
  const { time, made } = begin(() => {
    if (failing) throw new Error('no');
  });
  made.start();
  made.enqueue('a');
  const waits: number[] = [];
  for (let turn = 0; turn < 11; turn++) {
    await settle();
    const [wait = 0] = time.waits();
    waits.push(wait);
    await time.pass(wait);
  }
  assert.equal(waits, [250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  failing = false;
  await time.pass(60_000);
  assert.equal(time.waits(), []);
  failing = true;
  made.enqueue('a');
  await settle();
  assert.equal(time.waits(), [250]);
});

keys('retries no sooner than the API server asked', async () => {
  const { time, made } = begin(() => {
    throw new KubeError(429, 'TooManyRequests', 'later', 5_000);
  });
  made.start();
  made.enqueue('a');
  await settle();
  assert.equal(time.waits(), [5_250]);
});

keys('a terminal error is not tried again until the object changes', async () => {
  const { time, passes, made } = begin(() => {
    throw new TerminalError('only you can help');
  });
  made.start();
  made.enqueue('a');
  await settle();
  assert.equal(time.waits(), []);
  made.enqueue('a');
  await settle();
  assert.equal(passes, ['a', 'a']);
});

keys('one pass per key at a time, several keys at once, and a change during a pass causes another pass', async () => {
  const open: { key: string; finish: () => void }[] = [];
  const finish = (key: string) =>
    open
      .splice(
        open.findIndex((one) => one.key === key),
        1,
      )[0]!
      .finish();
  const { passes, made } = begin((key) => new Promise((resolve) => open.push({ key, finish: () => resolve() })), { concurrency: 2 });
  made.start();
  for (const key of ['a', 'b', 'c', 'a']) made.enqueue(key);
  await settle();
  assert.equal(passes, ['a', 'b']);
  finish('b');
  await settle();
  assert.equal(passes, ['a', 'b', 'c']);
  finish('c');
  await settle();
  assert.equal(passes, ['a', 'b', 'c']);
  finish('a');
  await settle();
  assert.equal(passes, ['a', 'b', 'c', 'a']);
  finish('a');
  await made.stop();
});

keys('stop waits for running passes and starts no new ones', async () => {
  let finish = () => undefined as void;
  const { time, passes, made } = begin(() => new Promise((resolve) => (finish = () => resolve({ requeueAfterMs: 1 }))));
  made.start();
  made.enqueue('a');
  made.enqueue('b', 100);
  await settle();
  let stopped = false;
  const stopping = made.stop().then(() => (stopped = true));
  made.enqueue('c');
  await settle();
  assert.is(stopped, false);
  finish();
  await stopping;
  await time.pass(1000);
  assert.equal(passes, ['a']);
});

const HOUR_MS = 3_600_000;
keys('after the clock is set forward, keys that are due wake within a minute', async () => {
  const { time, passes, made } = begin((_, count) => (count === 1 ? { requeueAfterMs: 2 * HOUR_MS } : undefined));
  made.start();
  made.enqueue('a');
  await settle();
  time.set(3 * HOUR_MS);
  await time.pass(60_000);
  assert.equal(passes, ['a', 'a']);
});

keys('after the clock is set back, no key sleeps for longer than it asked for', async () => {
  const { time, passes, made } = begin((_, count) => (count === 1 ? { requeueAfterMs: 150_000 } : undefined));
  made.start();
  made.enqueue('a');
  await settle();
  time.set(-5 * HOUR_MS);
  await time.pass(60_000);
  await time.pass(60_000);
  assert.equal(passes, ['a']);
  await time.pass(30_000);
  assert.equal(passes, ['a', 'a']);
});

for (const [says, wish, waits] of [
  ['nothing', 0, 50],
  ['the past', -HOUR_MS, 50],
  ['no number', Number.NaN, 60_000],
  ['100 days', 100 * 24 * HOUR_MS, 60_000],
  ['never', Infinity, 60_000],
] as const)
  keys(`a pass that wants ${says} makes no hot loop`, async () => {
    const { time, passes, made } = begin(() => ({ requeueAfterMs: wish }));
    made.start();
    made.enqueue('a');
    await settle();
    assert.equal(time.waits(), [waits]);
    await time.pass(waits - 1);
    assert.equal(passes, ['a']);
  });

keys('when the cluster is back, failed keys are retried at once, and only those', async () => {
  let isAway = true;
  const { time, passes, made } = begin((key) => {
    if (isAway && key === 'failing') throw new Error('away');
    return { requeueAfterMs: 30_000 };
  });
  made.start();
  made.enqueue('failing');
  made.enqueue('well');
  await settle();
  assert.equal(time.waits(), [250, 30_000]);
  isAway = false;
  made.retryNow();
  await settle();
  assert.equal(passes, ['failing', 'well', 'failing']);
  made.retryNow();
  await settle();
  assert.is(passes.length, 3);
});

keys('a key that fails while the cluster comes back starts its backoff anew, however long the outage was', async () => {
  const under = Promise.withResolvers<void>();
  const { time, passes, made } = begin((_, count) => {
    if (count === 7) return under.promise;
    throw new Error('away');
  });
  made.start();
  made.enqueue('a');
  await settle();
  for (let failed = 0; failed < 6; failed++) await time.pass(10_000);
  assert.is(passes.length, 7);
  // The seventh pass is running.
  made.retryNow();
  under.reject(new Error('starting'));
  await settle();
  assert.equal(time.waits(), [250]);
  made.retryNow();
  await settle();
  assert.is(passes.length, 8);
  assert.equal(time.waits(), [250]);
});

keys('runs on the system clock too', async () => {
  let count = 0;
  const made = controller({ name: 'test', log, reconcile: async () => (++count < 3 ? { requeueAfterMs: 5 } : undefined) });
  made.start();
  made.enqueue('a');
  await until(() => count === 3, { what: 'three passes' });
  await made.stop();
});

keys.run();
