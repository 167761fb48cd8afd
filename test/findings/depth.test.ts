import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { isDeeperThan } from '../../src/findings/depth.ts';

const cases: [levels: number, value: unknown, isDeeper: boolean][] = [
  [0, 'text', false],
  [0, null, false],
  [0, {}, true],
  [0, [], true],
  [1, { a: 1, b: null }, false],
  [1, [1, [2]], true],
  [1, { a: 1, b: {} }, true],
  [2, { a: [1], b: { c: 'd' } }, false],
  [2, { a: { b: [] } }, true],
];
for (const [levels, value, isDeeper] of cases)
  test(`${JSON.stringify(value)} is ${isDeeper ? '' : 'not '}deeper than ${levels} levels`, () =>
    assert.is(isDeeperThan(levels, value), isDeeper));

test.run();
