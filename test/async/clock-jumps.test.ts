import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clockJumps } from '../../src/async/clock-jumps.ts';

const test = suite('clock jumps');

test('a clock that is set ahead or back has jumped; a slow correction is no jump', () => {
  let [wall, steady] = [1_000_000, 0];
  const jumps = clockJumps(
    () => new Date(wall),
    () => steady,
  );
  const pass = (ms: number, off = 0): number => {
    wall += ms + off;
    steady += ms;
    return jumps();
  };
  assert.is(pass(5_000), 0);
  assert.is(pass(5_000, 1_500), 0, 'slowly');
  assert.is(pass(5_000, 60_000), 1, 'ahead');
  assert.is(pass(5_000), 1, 'it goes on from there');
  assert.is(pass(5_000, -60_000), 2, 'back');
});

test.run();
