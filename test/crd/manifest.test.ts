import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { dumpManifest, isTooDeep, loadManifest, loadManifests, ManifestError } from '../../src/crd/manifest.ts';

const refusal = (text: string): string => {
  try {
    loadManifests(text);
    return 'taken';
  } catch (error) {
    return error instanceof ManifestError ? error.message : `it threw ${String(error)}`;
  }
};

/** A YAML bomb: each line refers to the line before `times` times. A few hundred characters become `times ** lines` words. */
function bomb(lines: number, times: number): string {
  const names = Array.from({ length: lines }, (_, line) => `a${line}`);
  return names
    .map(
      (name, line) =>
        `${name}: &${name} [${Array(times)
          .fill(line === 0 ? 'x' : `*a${line - 1}`)
          .join(', ')}]`,
    )
    .join('\n');
}

const TOO_LARGE = 'the aliases of the YAML stand for far more than its text holds';
const ROWS: [what: string, text: string, said: string | RegExp][] = [
  ['aliases as people write them', 'a: &a {cpu: 1}\nb: *a\nc: {<<: *a, memory: 2}', 'taken'],
  ['many aliases', `a: &a 1\nb: [${'*a, '.repeat(200)}]`, 'the YAML holds 200 aliases; at most 100 are allowed'],
  ['an alias bomb', bomb(12, 10), /at most 100 are allowed$/],
  ['an alias bomb of fewer aliases', bomb(10, 10), TOO_LARGE],
  ['an alias bomb of text', `a: &a ${'x'.repeat(20_000)}\nb: &b [*a, *a, *a, *a, *a]\nc: [*b, *b]`, TOO_LARGE],
  ['what holds itself', 'a: &a [*a]', /nests deeper than 100 levels|not valid YAML/],
  ['deep nesting', `a: ${'['.repeat(2_000)}${']'.repeat(2_000)}`, /nests deeper|maxDepth/],
  ['nesting beyond all stacks', '['.repeat(200_000), /^not valid YAML/],
  ['no YAML', '{"kind": [', /^not valid YAML/],
  ['a NUL', 'a: \0', /^not valid YAML/],
];
for (const [what, text, said] of ROWS)
  test(what, () => {
    if (typeof said === 'string') assert.is(refusal(text), said);
    else assert.match(refusal(text), said);
  });

test('what is merged into a mapping stands in it, after its own', () => {
  assert.equal(loadManifests('a: &a {cpu: 1, memory: 1}\nb: {<<: *a, memory: 2}'), [
    { a: { cpu: 1, memory: 1 }, b: { cpu: 1, memory: 2 } },
  ]);
});

const SCALARS: [text: string, value: unknown][] = [
  ['0', 0],
  ['-12', -12],
  ['+12', 12],
  ['1_000', 1000],
  ['0644', 420],
  ['0o644', 420],
  ['-0644', -420],
  ['0x1fF', 511],
  ['0b101', 5],
  ['089', 89],
  ['1.5', 1.5],
  ['12a', '12a'],
  ...['true', 'True', 'TRUE', 'yes', 'Yes', 'YES', 'on', 'On', 'ON'].map((text): [string, unknown] => [text, true]),
  ...['false', 'False', 'FALSE', 'no', 'No', 'NO', 'off', 'Off', 'OFF'].map((text): [string, unknown] => [text, false]),
  ['y', 'y'],
  ['oN', 'oN'],
  ['"yes"', 'yes'],
  ['~', null],
  ['2026-01-01', '2026-01-01'],
];
test('scalars are read as kubectl reads them', () => {
  for (const [text, value] of SCALARS) assert.equal(loadManifest(`#\na: ${text}`), { a: value }, text);
});

test('what is written is read back as the same value, without aliases and folds', () => {
  const shared = { cpu: '1' };
  const value = { b: shared, a: shared, args: ['yes', '0644', '1e3', 'null', `echo ${'word '.repeat(40)}`] };
  const text = dumpManifest(value);
  assert.equal(loadManifest(text), value);
  assert.not.match(text, /[&*]/);
  assert.is(
    text.split('\n').findIndex((line) => line.startsWith('b:')),
    0,
  );
  assert.ok(text.includes('word '.repeat(40).trim()), text);
});

test('a manifest is one document that is a mapping; empty documents do not count', () => {
  const rows: [text: string, said: string][] = [
    ['', 'expected one YAML document, found 0'],
    ['a: 1\n---\nb: 2', 'expected one YAML document, found 2'],
    ['---\n---\na: 1\n---\n', 'taken'],
    ['- a', 'the manifest must be a mapping of fields'],
    ['text', 'the manifest must be a mapping of fields'],
    ['null\n---\n7', 'the manifest must be a mapping of fields'],
  ];
  for (const [text, said] of rows) {
    let message = 'taken';
    try {
      loadManifest(text);
    } catch (error) {
      message = error instanceof ManifestError ? error.message : `it threw ${String(error)}`;
    }
    assert.is(message, said, text);
  }
});

test('100 levels are read, one more is refused', () => {
  const levels = (count: number): string => `a: ${'['.repeat(count - 1)}${']'.repeat(count - 1)}`;
  assert.is(refusal(levels(100)), 'taken');
  assert.match(refusal(levels(101)), /nests deeper than 100 levels|maxDepth/);
  const nested = (count: number): unknown => Array.from({ length: count }).reduce((inner) => [inner], 'x');
  assert.equal(
    [isTooDeep(nested(100)), isTooDeep(nested(101)), isTooDeep(nested(2), 2), isTooDeep(nested(3), 2)],
    [false, true, false, true],
  );
  assert.equal([isTooDeep(null), isTooDeep('x'), isTooDeep([nested(99), 1])], [false, false, false]);
  assert.ok(isTooDeep([nested(1), nested(100)]));
});

test('100 aliases are read, one more is refused', () => {
  assert.is(refusal(`a: &a 1\nb: [${'*a, '.repeat(100)}]`), 'taken');
  assert.is(refusal(`a: &a 1\nb: [${'*a, '.repeat(101)}]`), 'the YAML holds 101 aliases; at most 100 are allowed');
  assert.is(refusal(`b: [${'"2 * 3", '.repeat(200)}]`), 'taken', 'a star in a text is no alias');
});

test('keys such as __proto__ are ordinary keys', () => {
  const manifest = loadManifest('__proto__: {hostNetwork: true}\nspec: {constructor: 1}');
  assert.is((manifest as { hostNetwork?: boolean }).hostNetwork, undefined);
  assert.is(({} as { hostNetwork?: boolean }).hostNetwork, undefined);
});

test.run();
