import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { barsOf, spokenCounts } from '../../src/dashboard/components/sparkline-bars.ts';

const test = suite('sparklines');
const day = (...newest: number[]): number[] => [...Array<number>(24 - newest.length).fill(0), ...newest];

for (const [sentence, counts, said] of [
  ['nothing', day(0), 'No failed run in the last 24 hours'],
  ['one now', day(1), '1 failed run in the last 24 hours, the last one in this hour'],
  ['many in one hour', day(1200, 0), '1,200 failed runs in the last 24 hours, the last one an hour ago'],
  ['several hours', day(3, 12, 0, 0), '15 failed runs in the last 24 hours, at most 12 in one hour, the last one 2 hours ago'],
] as const)
  test(`${sentence} in words`, () => assert.is(spokenCounts(counts), said));

for (const [sentence, counts, path] of [
  ['nothing has no bar', [0, 0], ''],
  ['the most is as high as the box', [0, 4], 'M1 16v-16h.7V16z'],
  ['half is half as high', [2, 4], 'M0 16v-8h.7V16zM1 16v-16h.7V16z'],
  ['little is seen beside much', [1, 1000], 'M0 16v-2h.7V16zM1 16v-16h.7V16z'],
] as const)
  test(sentence, () => assert.is(barsOf(counts, 16), path));

test.run();
