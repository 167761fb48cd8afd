import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ageText } from '../../../src/sandbox/table/column.ts';

// Go's HumanDuration, which a real API server uses for the ages in its tables.

const test = suite('ages in tables');

const FROM = '2026-05-01T10:00:00Z';
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const AGES: [seconds: number, text: string][] = [
  [-5, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * MINUTE, '2m'],
  [9 * MINUTE + 59, '9m59s'],
  [10 * MINUTE + 5, '10m'],
  [3 * HOUR - 1, '179m'],
  [3 * HOUR, '3h'],
  [8 * HOUR - 1, '7h59m'],
  [8 * HOUR + 5 * MINUTE, '8h'],
  [2 * DAY - 1, '47h'],
  [2 * DAY, '2d'],
  [8 * DAY - 1, '7d23h'],
  [8 * DAY + HOUR, '8d'],
  [2 * 365 * DAY - 1, '729d'],
  [2 * 365 * DAY, '2y'],
];
for (const [seconds, text] of AGES)
  test(`after ${seconds} seconds: ${text}`, () => assert.is(ageText(FROM, new Date(Date.parse(FROM) + seconds * 1000)), text));

test('without an instant the age is unknown', () =>
  assert.equal([ageText(undefined, new Date()), ageText(null, new Date())], Array(2).fill('<unknown>')));

test.run();
