import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { lengthIn, lengthText } from '../../src/dashboard/admin/duration.ts';

const test = suite('lengths of time in settings');

for (const [text, minutes] of [
  ['30 days', 43_200],
  ['30d', 43_200],
  ['1 day', 1_440],
  ['2 Weeks', 20_160],
  ['12 hours', 720],
  ['1.5 h', 90],
  ['1 hour, 30 minutes', 90],
  ['1h30m', 90],
  [' 90 min ', 90],
  ['120 seconds', 2],
  ['0', 0],
  ['0 days', 0],
] as const)
  test(`${text} is read`, () => assert.is(lengthIn(text, 'minutes'), minutes));

for (const text of ['', '30', 'days', '30 parsecs', '-1 day', '30 seconds', '1e3 days', '1 day 5', 'for ever', '1.2.3 h'])
  test(`“${text}” is not taken for minutes`, () => assert.is(lengthIn(text, 'minutes'), undefined));

test('a length is written in natural units, and reading it gives the same length', () => {
  for (const [value, unit, text] of [
    [43_200, 'minutes', '30 days'],
    [1_440, 'minutes', '1 day'],
    [1_530, 'minutes', '1 day 1 hour 30 minutes'],
    [52_704_000, 'minutes', '36600 days'],
    [0, 'minutes', '0'],
    [180, 'seconds', '3 minutes'],
    [45, 'seconds', '45 seconds'],
    [3_600, 'seconds', '1 hour'],
  ] as const) {
    assert.is(lengthText(value, unit), text);
    assert.is(lengthIn(text, unit), value);
  }
});

test.run();
