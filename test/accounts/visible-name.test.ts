import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { shownName, storedName, visibleName } from '../../src/accounts/visible-name.ts';

const TAKEN: [what: string, text: string, stored?: string][] = [
  ['letters', 'ada'],
  ['a blank inside', 'Ada Lovelace'],
  ['an address', 'ada+ops@podmend.example'],
  ['Greek', 'Ἑλένη'],
  ['Arabic', 'مریم'],
  ['Devanagari, whose vowels are marks', 'हिन्दी'],
  ['Chinese outside the first plane', '𠮷野'],
  ['an emoji', 'ops🚀'],
  ['a letter and its accent, which become one character', 'Rene\u0301', 'Ren\u00e9'],
  ['a character that Unicode treats as another letter', '\u212b', '\u00c5'],
  ['the largest number of characters', 'x'.repeat(128)],
];
for (const [what, text, stored = text] of TAKEN) test(`${what} make a name`, () => assert.is(storedName(text), stored));

const REFUSED: [what: string, text: string][] = [
  ['nothing', ''],
  ['a blank', ' '],
  ['a blank before', ' ada'],
  ['a blank after', 'ada '],
  ['a line break', 'ada\nadmin'],
  ['a tabulator', 'ada\tadmin'],
  ['NUL', 'ad\0min'],
  ['a control character of the second row', 'ada\u009b31m'],
  ['DEL', 'ada\u007f'],
  ['a zero-width space', 'ad\u200bmin'],
  ['a zero-width joiner', 'ad\u200dmin'],
  ['a word joiner', 'ad\u2060min'],
  ['a byte order mark', '\ufeffadmin'],
  ['a soft hyphen', 'ad\u00admin'],
  ['an override of the direction', '\u202enimda'],
  ['an isolate', '\u2066admin\u2069'],
  ['a mark of the direction', 'admin\u200f'],
  ['an Arabic mark of the direction', 'admin\u061c'],
  ['a line separator', 'ada\u2028admin'],
  ['a blank that does not break', 'ada\u00a0admin'],
  ['an ideographic blank', 'ada\u3000admin'],
  ['a Hangul filler', 'admin\u3164'],
  ['an empty Braille cell', 'admin\u2800'],
  ['a combining grapheme joiner', 'ad\u034fmin'],
  ['a variation selector', 'admin\ufe0f'],
  ['a tag', 'admin\u{e0061}'],
  ['half a surrogate pair', 'ada\ud83d'],
  ['a private character', 'ada\ue000'],
  ['a noncharacter', 'ada\uffff'],
  ['too many characters', 'x'.repeat(129)],
  ['too many characters after normalisation', '\u0958'.repeat(65)],
];
for (const [what, text] of REFUSED) {
  test(`${what} is no valid name, and nothing is removed to make it one`, () => {
    assert.is(storedName(text), undefined);
    assert.throws(() => visibleName('username', text), /^username must be at most 128 visible characters, without blanks around them$/);
  });
}

test('a log shows the invisible characters of a name', () => {
  assert.is(shownName('Ada Ren\u00e9'), 'Ada Ren\u00e9');
  assert.is(shownName('ad\0min\u202e\u{e0061}\ud800'), 'ad\\u{0}min\\u{202e}\\u{e0061}\\u{d800}');
});

test.run();
