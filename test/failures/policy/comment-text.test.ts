import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commentText } from '../../../src/failures/policy/comment-text.ts';

const test = suite('text of a comment');

const KEPT: [sentence: string, given: string, stored: string][] = [
  ['plain text stays', 'Rolled back to 1.4.', 'Rolled back to 1.4.'],
  ['lines, blanks within and tabs stay', 'a\n\n\tb  c', 'a\n\n\tb  c'],
  ['blanks around it go', ' \n a \n', 'a'],
  ['lines of other systems end with a line feed', 'a\r\nb', 'a\nb'],
  ['what looks the same is the same', 'cafe\u0301', 'caf\u00e9'],
  ['emoji that are joined stay joined', 'done 👩‍🚒', 'done 👩‍🚒'],
  ['letters of every script', 'עברית и 日本語', 'עברית и 日本語'],
  ['the longest', 'é'.repeat(4000), 'é'.repeat(4000)],
  ['characters count, not halves of them', '👍'.repeat(4000), '👍'.repeat(4000)],
  ['decomposed characters count once', 'e\u0301'.repeat(4000), 'é'.repeat(4000)],
];
for (const [sentence, given, stored] of KEPT) test(sentence, () => assert.is(commentText(given), stored));

const REFUSED: [sentence: string, given: string, why: RegExp][] = [
  ['nothing', '', /blank/],
  ['only blanks', ' \n\t', /blank/],
  ['one character too many', 'a'.repeat(4001), /more than 4000 characters/],
  ['a control character', 'a\u0007b', /control characters/],
  ['a colour of a terminal', '\u001b[31mred', /control characters/],
  ['a zero byte', 'a\0b', /control characters/],
  ['a lone carriage return', 'good\rbad', /control characters/],
  ['half a character', 'a\ud83d', /control characters/],
  ['text that is turned around', 'safe\u202eexe.doc', /direction/],
  ['an isolate', '\u2067abc\u2069', /direction/],
];
for (const [sentence, given, why] of REFUSED)
  test(`refused: ${sentence}`, () =>
    assert.throws(
      () => commentText(given),
      ({ message }: Error) => why.test(message),
    ));

test.run();
