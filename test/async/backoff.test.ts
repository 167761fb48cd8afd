import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { backoffMs, jittered } from '../../src/async/backoff.ts';

test('each wait is twice the one before, up to the longest, however often it failed', () => {
  const backoff = { firstMs: 250, maxMs: 10_000 };
  assert.equal(
    [1, 2, 3, 6, 7, 5_000].map((failures) => backoffMs(backoff, failures)),
    [250, 500, 1_000, 8_000, 10_000, 10_000],
  );
});

test('another factor is used where one is given', () => {
  assert.equal(
    [1, 2, 3].map((failures) => backoffMs({ firstMs: 15, maxMs: Infinity, factor: 4 }, failures)),
    [15, 60, 240],
  );
});

test('jitter adds or takes at most a quarter', () => {
  assert.equal([jittered(1_000, 0), jittered(1_000, 0.5), jittered(1_000, 1)], [750, 1_000, 1_250]);
  const drawn = jittered(1_000);
  assert.ok(drawn >= 750 && drawn < 1_250, `${drawn}`);
});

test.run();
