import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import * as fields from '../../src/contract/fields.ts';

const test = suite('patterns of fields');

/** What a schema says about its values. */
interface Rules {
  type?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  description?: string;
}
const rulesOf = (schema: Rules): Rules => schema;
const patternOf = ({ pattern = '' }: Rules): string => pattern;

/** Characters that neither names nor lines of people may contain; `written`: but which texts of people may. */
const UNSEEN: [what: string, character: string, written?: 'written'][] = [
  ['NUL', '\0'],
  ['backspace', '\b'],
  ['a vertical tabulator', '\v'],
  ['an escape', '\u001b'],
  ['DEL', '\u007f'],
  ['a control character of the second row', '\u009f'],
  ['an Arabic mark of the direction', '\u061c'],
  ['a mark of the direction', '\u200e'],
  ['another mark of the direction', '\u200f'],
  ['a line separator', '\u2028'],
  ['an override of the direction', '\u202e'],
  ['an isolate', '\u2066'],
  ['the end of an isolate', '\u2069'],
  ['half a surrogate pair', '\ud800'],
  ['the other half', '\udfff'],
  ['a soft hyphen', '\u00ad', 'written'],
  ['a combining grapheme joiner', '\u034f', 'written'],
  ['a Hangul filler', '\u3164', 'written'],
  ['a Khmer vowel that nobody sees', '\u17b4', 'written'],
  ['a Mongolian vowel separator', '\u180e', 'written'],
  ['a zero-width space', '\u200b', 'written'],
  ['a word joiner', '\u2060', 'written'],
  ['an empty Braille cell', '\u2800', 'written'],
  ['a private character', '\ue000', 'written'],
  ['a variation selector', '\ufe0f', 'written'],
  ['a byte order mark', '\ufeff', 'written'],
  ['a half-width filler', '\uffa0', 'written'],
  ['an interlinear anchor', '\ufff9', 'written'],
  ['a shorthand format control', '\u{1bca0}', 'written'],
  ['a musical beam', '\u{1d173}', 'written'],
  ['a tag', '\u{e0061}', 'written'],
];

const matches = (pattern: string, text: string): boolean => new RegExp(pattern, 'u').test(text);
const NAMES = [fields.ObjectName, fields.OptionalName, fields.ShownName('')].map(patternOf);

for (const [what, character, written] of UNSEEN)
  test(`${what} is in no name${written ? ', but may be in a text of people' : ' and in no text of people'}`, () => {
    const text = `web${character}1`;
    for (const pattern of [...NAMES, fields.SEEN_OR_NONE]) assert.not.ok(matches(pattern, text), pattern);
    for (const pattern of [fields.WRITTEN, fields.WRITTEN_LINE]) assert.is(matches(pattern, text), written !== undefined, pattern);
    assert.is(matches(fields.NOT_IN_LINE, text), written === undefined);
  });

const LABEL_GLOB = patternOf(fields.NamespaceGlob);
const CLUSTER = patternOf(fields.OptionalCluster);
const TEXTS: [what: string, pattern: string, taken: string[], refused: string[]][] = [
  ['the name of an object', patternOf(fields.ObjectName), ['web-1', 'Ünïcode', 'a.b:c*'], ['', 'a b', 'a/b', 'a\tb', 'a\nb']],
  ['a name or nothing', patternOf(fields.OptionalName), ['', 'web'], ['a b', 'a/b']],
  ['a name that is shown', patternOf(fields.ShownName('')), ['system:node/a b', ' a'], ['', ' ', 'a\nb', 'a\tb']],
  ['a visible line', fields.SEEN_OR_NONE, ['', ' ', 'a b/c'], ['a\nb', 'a\tb']],
  ['a text of people', fields.WRITTEN, ['', 'one\n\ttwo ❤️'], ['one\rtwo']],
  ['a line of people', fields.WRITTEN_LINE, ['', 'one two ❤️'], ['one\ntwo', 'one\ttwo', 'one\rtwo']],
  ['what is not blank', fields.NOT_BLANK, ['a', ' a '], ['', ' \n']],
  ['what is printable', fields.PRINTABLE, ['https://a.example/?b=~!'], ['', 'a b', 'ä', 'a\n']],
  ['a DNS label', fields.DNS_LABEL, ['a', '0', 'a-b', 'a--1'], ['', '-a', 'a-', 'A', 'a.b', 'a*', 'a_b']],
  ['a glob of labels', LABEL_GLOB, ['*', 'a*', '*-b', 'a-*', 'web'], ['', '-a', 'a-', 'A', 'a.b', 'a b']],
  ['an action', fields.ACTION, ['failure', 'failure.ignore', 'api-token.sign_in-x'], ['', 'Failure', 'a.', '.a', 'a.b.c', 'a_b', 'a1']],
  ['a pod with its namespace', fields.NAMESPACED, ['shop/web-1'], ['', 'shop', '/web', 'shop/', 'a/b/c']],
  ['a cluster', CLUSTER, ['', 'arn:aws:eks:eu/prod_1.A-b'], ['a b', 'ä', 'a@b']],
  [
    'an instant',
    patternOf(fields.Instant),
    [
      ...['2026-05-01T10:00:00Z', '2026-05-01t10:00:00z', '2026-05-01 10:00:00', '2026-05-01T10:00', '2026-01-31T23:59:60.123456789Z'],
      ...['2026-02-29T00:00:00+05:30', '2026-04-30T00:00:00-0800', '2026-12-31T00:00:00.1'],
    ],
    [
      ...[
        '',
        '2026-05-01',
        '26-05-01T10:00:00Z',
        '2026-13-01T10:00:00Z',
        '2026-00-01T10:00:00Z',
        '2026-02-30T10:00:00Z',
        '2026-04-31T10:00:00Z',
      ],
      ...['2026-05-32T10:00:00Z', '2026-05-00T10:00:00Z', '2026-05-01T24:00:00Z', '2026-05-01T10:60:00Z', '2026-05-01T10:00:61Z'],
      ...[
        '2026-05-01T10:00:00.Z',
        '2026-05-01T10:00:00.1234567890Z',
        '2026-05-01T10:00:00+24:00',
        '2026-05-01T10:00:00 Z',
        'x2026-05-01T10:00:00Z',
      ],
    ],
  ],
];
for (const [what, pattern, taken, refused] of TEXTS)
  test(`${what} is taken, and what is none is refused`, () => {
    for (const text of taken) assert.ok(matches(pattern, text), `${text} is refused`);
    for (const text of refused) assert.not.ok(matches(pattern, text), `${text} is taken`);
  });

test('every pattern has words of its own for people', () => {
  const said = TEXTS.map(([, pattern]) => fields.PATTERN_WORDS.get(pattern));
  assert.not.ok(said.includes(undefined));
  assert.is(fields.PATTERN_WORDS.size, TEXTS.length);
  // Both names of objects are explained by the same words.
  assert.is(new Set(said).size, TEXTS.length - 1);
});

test('a list is asked for by pages of at most 1000 rows, and searched by at most 200 characters', () => {
  const { minimum, maximum, description } = rulesOf(fields.ListLimit('by default 7'));
  assert.equal([minimum, maximum, description], [1, 1000, 'by default 7']);
  assert.is('description' in fields.ListLimit(), false);
  const before = rulesOf(fields.ListBefore('rows'));
  assert.equal([before.minimum, before.maximum], [1, Number.MAX_SAFE_INTEGER]);
  assert.match(before.description ?? '', /^only rows with a smaller id/);
  assert.is(rulesOf(fields.ListText('name')).maxLength, 200);
  assert.match(rulesOf(fields.HourlyCounts('runs')).description ?? '', /^runs in each of the last 24 hours of UTC, oldest first/);
});

test.run();
