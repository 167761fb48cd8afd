import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { durationText, waitsBefore } from '../../../src/sandbox/kubelet/backoff.ts';

const test = suite('waits before a restart');

const WAITS: [sentence: string, by: Parameters<typeof waitsBefore>[1], crashes: number, delayMs: number, beforeMs: number][] = [
  ['the first crash', 'itself', 1, 200, 0],
  ['the second crash', 'itself', 2, 10_000, 1000],
  ['the third crash', 'itself', 3, 20_000, 19_200],
  ['the sixth crash', 'itself', 6, 160_000, 159_200],
  ['the seventh crash', 'itself', 7, 300_000, 299_200],
  ['crash after crash', 'itself', 100, 300_000, 299_200],
  ['the first start that failed', 'start', 1, 1000, 0],
  ['the second start that failed', 'start', 2, 10_000, 9200],
  ['the second kill by a probe', 'probe', 2, 200, 0],
  ['the third kill by a probe', 'probe', 3, 10_000, 0],
];
for (const [sentence, by, crashes, delayMs, beforeMs] of WAITS)
  test(`${sentence}: ${durationText(delayMs)}`, () =>
    assert.equal(waitsBefore(crashes, by), { isFree: delayMs < 10_000, beforeMs, delayMs }));

test('durations are written as Go writes them', () => {
  assert.equal([59_000, 60_000, 80_000, 300_000].map(durationText), ['59s', '1m0s', '1m20s', '5m0s']);
});

test.run();
