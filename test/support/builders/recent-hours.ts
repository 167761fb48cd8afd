import * as assert from 'uvu/assert';

/** Checks that all of `count` runs of the last 24 hours are in the current hour or, where an hour has just ended, in the one before. */
export function assertRecent(hours: readonly number[], count: number): void {
  const [last, before] = [hours.at(-1) ?? 0, hours.at(-2) ?? 0];
  assert.equal([hours.length, before + last, Math.max(...hours.slice(0, -2))], [24, count, 0], hours.join());
}
