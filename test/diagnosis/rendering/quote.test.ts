import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { code, fenced, heredoc, oneLine, shellText, shellWord, withoutWrappers } from '../../../src/diagnosis/rendering/quote.ts';
import { valueText } from '../../../src/diagnosis/rendering/value-text.ts';

// Texts from outside, quoted so that they stay what they are.

const test = suite('quoted texts');

/** Tests a function on texts: what it gets, and what it returns. */
const rows = (what: string, of: (text: string) => string, table: [given: string, expected: string][]): void => {
  for (const [given, expected] of table) test(`${what} of ${JSON.stringify(given)}`, () => assert.is(of(given), expected));
};

rows('one line', (text) => oneLine(text, 5), [
  ['abcde', 'abcde'],
  ['abcdef', 'abcd…'],
  [' a ', 'a'],
  ['a\r\n\tb', 'a b'],
  ['a\u2028b', 'a b'],
  ['\u202ea\u2066', 'a'],
  ['a\u007f\u009fb', 'a b'],
  ['a\ud800', 'a\ufffd'],
]);
test('a line has at most 300 characters, and code at most 200', () => {
  assert.equal([oneLine('x'.repeat(300)).length, oneLine('x'.repeat(301)).at(-1)], [300, '…']);
  assert.equal([code('x'.repeat(200)).length, code('x'.repeat(201)).at(-2)], [202, '…']);
});
rows('code', code, [
  ['a', '`a`'],
  ['', '` `'],
  ['a\nb', '`a b`'],
  ['a`b', '`` a`b ``'],
  ['``', '``` `` ```'],
]);
test('a number is code too', () => assert.is(code(7), '`7`'));
rows('a block', (text) => fenced('yaml', text), [
  ['a: 1', '```yaml\na: 1\n```'],
  ['a ``` b', '````yaml\na ``` b\n````'],
  ['`````', '``````yaml\n`````\n``````'],
]);
rows('a message without wrappers', withoutWrappers, [
  ['plain', 'plain'],
  ['Error: failed to create containerd task: runc create failed: no such file: unknown', 'no such file'],
  ['failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: x', 'x'],
  ['rpc error: code = NotFound desc = gone', 'gone'],
  ['Error response from daemon: Failed to start container: x', 'x'],
  ['it is unknown: unknown who', 'it is unknown: unknown who'],
  [`Error: ${'x'.repeat(300)}`, `${'x'.repeat(199)}…`],
]);
rows('a word of a command', shellWord, [
  ['web-1', 'web-1'],
  ['a/b:c=@%+,.', 'a/b:c=@%+,.'],
  ['a b', "'a b'"],
  ["it's", `'it'\\''s'`],
  ['$(x)', "'$(x)'"],
  ['', "''"],
  ['a\nb', "'a b'"],
]);
rows('a text of a command', shellText, [
  ['a', "'a'"],
  ["a'b\nc", `'a'\\''b\nc'`],
]);
rows('a here-document', heredoc, [
  ['a', "<<'EOF'\na\nEOF"],
  ['a\n', "<<'EOF'\na\nEOF"],
  ['a\nEOF\nb', "<<'EOF_'\na\nEOF\nb\nEOF_"],
  ['EOF\nEOF_', "<<'EOF__'\nEOF\nEOF_\nEOF__"],
]);

for (const [value, path, text] of [
  ['a "b"', 'spec.x', 'a "b"'],
  [420, 'spec.volumes[0].secret.defaultMode', '0644'],
  [256, 'spec.volumes[0].secret.items[0].mode', '0400'],
  [420, 'spec.replicas', '420'],
  [420, 'spec.mode.value', '420'],
  [null, 'spec.x', 'null'],
  [{ a: [1] }, 'spec.x', '{"a":[1]}'],
] as [unknown, string, string][])
  test(`${JSON.stringify(value)} at ${path} is ${text}`, () => assert.is(valueText(value, path), text));

test.run();
