import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { endAt, stopAt } from '../../src/redact/stops.ts';

const stops = suite('where a value ends');

const end = (text: string, characters: string, { from = 0, most = Infinity } = {}): number =>
  endAt(text, from, { stops: stopAt(characters), most });

for (const [sentence, found, expected] of [
  ['at a character', end('abc;def', ';'), 3],
  ['at the first of several', end('ab&c;d', ';&'), 2],
  ['at the end of the text', end('abc', ';'), 3],
  ['at the most', end('abc;', ';', { most: 2 }), 2],
  ['not before its beginning', end('abc', ';', { from: 2, most: 1 }), 2],
  ['behind its beginning', end(';ab;', ';', { from: 1 }), 3],
  ['at a blank of ASCII', end('ab c', ' '), 2],
  ['at a wide blank, where a space ends it', end('ab\u00a0c', ' '), 2],
  ['at a line separator, where a space ends it', end('ab\u2028c', ' ;'), 2],
  ['not at a wide blank, where no space ends it', end('ab\u00a0c', ';'), 4],
  ['not at a letter outside of ASCII', end('abäc', ' ;'), 4],
  ['not at a tab, which is a blank of its own', end('a\tb', ' '), 3],
] as const)
  stops(sentence, () => assert.is(found, expected));

stops.run();
