import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifest, loadManifests, ManifestError } from '../../src/crd/manifest.ts';

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
    const started = performance.now();
    if (typeof said === 'string') assert.is(refusal(text), said);
    else assert.match(refusal(text), said);
    assert.ok(performance.now() - started < 1_000);
  });

test('keys such as __proto__ are ordinary keys', () => {
  const manifest = loadManifest('__proto__: {hostNetwork: true}\nspec: {constructor: 1}');
  assert.is((manifest as { hostNetwork?: boolean }).hostNetwork, undefined);
  assert.is(({} as { hostNetwork?: boolean }).hostNetwork, undefined);
});

test.run();
