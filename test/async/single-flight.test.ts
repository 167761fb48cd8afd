import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { nextFlight, singleFlight } from '../../src/async/single-flight.ts';

/** Work whose runs end when the test ends them. */
function held() {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const run = ends.length + 1;
      ends.push((error) => (error ? reject(error) : resolve(run)));
    });
  return { ends, work };
}

test('all who ask during a run share it; whoever asks afterwards gets a new one, also after a failure', async () => {
  const { ends, work } = held();
  const ask = singleFlight(work);
  const [first, second] = [ask(), ask()];
  ends[0]?.(new Error('broken'));
  assert.equal(
    (await Promise.allSettled([first, second])).map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.is(ends.length, 1);
  const third = ask();
  ends[1]?.();
  assert.is(await third, 2);
});

test('requests during a run share the next run, which starts when the run has ended', async () => {
  const { ends, work } = held();
  const ask = nextFlight(work);
  const first = ask();
  const [second, third] = [ask(), ask()];
  assert.is(ends.length, 1);
  ends[0]?.(new Error('broken'));
  assert.equal(
    (await Promise.allSettled([first])).map(({ status }) => status),
    ['rejected'],
  );
  while (ends.length < 2) await Promise.resolve();
  const fourth = ask();
  ends[1]?.();
  assert.equal(await Promise.all([second, third]), [2, 2]);
  while (ends.length < 3) await Promise.resolve();
  ends[2]?.();
  assert.is(await fourth, 3);
  assert.is(ends.length, 3);
});

test.run();
