import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Headline, headlineOf } from '../../../src/diagnosis/rendering/headline.ts';

// The cause and culprit that lists show, extracted from Markdown by rules, models or people.

const ROWS: [sentence: string, markdown: string, expected: Headline][] = [
  ['a summary with its culprit', 'It ends.\n\n**Culprit:** `DATABASE_URL`', { cause: 'It ends.', culprit: 'DATABASE_URL' }],
  ['a summary alone', '\n\nIt ends.\n', { cause: 'It ends.', culprit: null }],
  ['code keeps its signs', 'The key `a&lt;b\\[` of `**x**` is gone.', { cause: 'The key a&lt;b\\[ of **x** is gone.', culprit: null }],
  ['escapes outside of code are read', 'It is \\[1\\] &lt;b&gt; and **bold**.', { cause: 'It is [1] <b> and bold.', culprit: null }],
  ['code of one character', 'It asks for `1`, `0` are (`a`).', { cause: 'It asks for 1, 0 are (a).', culprit: null }],
  ['code with backticks', 'It is `` a`b `` here.', { cause: 'It is a`b here.', culprit: null }],
  ['code over two lines', 'It is `a\nb` here.', { cause: 'It is a b here.', culprit: null }],
  ['a culprit with backticks', 'It ends.\n\n**Culprit:** `` a`b ``', { cause: 'It ends.', culprit: 'a`b' }],
  ['only the first paragraph counts', 'One.\nStill one.\n\nTwo.', { cause: 'One. Still one.', culprit: null }],
  ['headings and blocks are no paragraphs', '## Cause\n\n```text\nx\n```\n\nIt ends.', { cause: 'It ends.', culprit: null }],
  ['nothing', '', { cause: '', culprit: null }],
  ['blanks', ' \n \n', { cause: '', culprit: null }],
  ['only a culprit', '**Culprit:** `x`', { cause: '', culprit: 'x' }],
  ['an open code span', 'It ends with `x.', { cause: 'It ends with `x.', culprit: null }],
  ['characters that change the direction', 'a\u202eb\u0000c', { cause: 'a b c', culprit: null }],
  [
    'a long text ends with a sentence',
    `${'word '.repeat(30)}end. ${'more '.repeat(60)}`,
    { cause: `${'word '.repeat(30)}end.`, culprit: null },
  ],
  ['a text without an end is cut', 'x'.repeat(400), { cause: `${'x'.repeat(299)}…`, culprit: null }],
];

const test = suite('headline');
for (const [sentence, markdown, expected] of ROWS) test(sentence, () => assert.equal(headlineOf(markdown), expected));

test('a long hostile text is read in no time', () => {
  for (const part of ['`', '``x', '**Culprit:** `', '\\[', '\n\n#']) assert.type(headlineOf(part.repeat(1_000)).cause, 'string');
});

test.run();
