import { globSync, readFileSync } from 'node:fs';
import { dump, loadAll } from 'js-yaml';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifests } from '../../src/crd/manifest.ts';
import { readPlainYaml } from '../../src/crd/plain-yaml.ts';
import { loadReport } from '../support/load/report.ts';
import { longOr } from '../support/runner/long.ts';
import { random } from '../support/builders/random.ts';

const here = new URL('../', import.meta.url).pathname;
/** Manifests of programs (the pod of each capture, as YAML) and of people (every YAML file of the tests, `deploy/` and `crds/`). */
const PODS = globSync('captures/*/pod.json', { cwd: here }).map((file) => JSON.parse(readFileSync(here + file, 'utf8')) as object);
const FILES = globSync(['**/*.yaml', '../deploy/**/*.yaml', '../crds/*.yaml'], { cwd: here }).flatMap((file) =>
  readFileSync(here + file, 'utf8').split(/^---\n/m),
);
const LOAD = (JSON.parse(loadReport(1, 'web')) as { manifest: string }).manifest;
const DUMPED = PODS.map((pod) => dump(pod, { noRefs: true, lineWidth: -1 }));
const TEXTS = [...DUMPED, ...FILES, LOAD];

/** Reads with the full parser. The added comment makes the text not plain, and does not change its value. */
function whole(text: string): unknown {
  try {
    return loadManifests(`#\n${text}`);
  } catch {
    return 'no manifest';
  }
}

function same(text: string): boolean {
  const plain = readPlainYaml(text);
  if (plain !== undefined) assert.equal([plain], whole(text), `read otherwise:\n${text}`);
  return plain !== undefined;
}

test('YAML that a program writes is plain, and is read as by the full parser', () => {
  assert.ok(same(LOAD));
  const plain = DUMPED.filter(same).length;
  assert.ok(plain > DUMPED.length * 0.9, `${plain} of ${DUMPED.length} are plain`);
  // People use comments and flow style, so most of these files are not plain.
  FILES.forEach(same);
});

const PLAIN: [string, object][] = [
  ['a: b', { a: 'b' }],
  ['---\na:\n- b\n- c: 1\n  d: true\n', { a: ['b', { c: 1, d: true }] }],
  ['a:\n  b:\n    c: x:1\n  d: "no: \'t"\n', { a: { b: { c: 'x:1' }, d: "no: 't" } }],
  ["a: 'it''s'\nb: echo \"x\" >&2; exit 1\nc: 10.0.0.1\nd:\n- -c\n", { a: "it's", b: 'echo "x" >&2; exit 1', c: '10.0.0.1', d: ['-c'] }],
  ['a: []\nb: {}\nc:\n', { a: [], b: {}, c: null }],
  ['a: "1"\nb: "true"\nc: ""\nd: \'"\'\n', { a: '1', b: 'true', c: '', d: '"' }],
  ['image: registry.example:5000/shop/web@sha256:abc\n', { image: 'registry.example:5000/shop/web@sha256:abc' }],
];
for (const [text, value] of PLAIN) {
  test(`${JSON.stringify(text)} is plain`, () => {
    assert.equal(readPlainYaml(text), value);
    same(text);
  });
}

const NOT_PLAIN = [
  '',
  '- a',
  'a',
  'a: |\n  b',
  'a: &x b\nc: *x',
  'a: {b: c}',
  'a: b # c',
  'a: b\n  c',
  'a: b\na: c',
  'a: yes',
  'a: 0644',
  'a: 1e3',
  'a: ~',
  'a: 2026-05-01',
  'a: "b\\n"',
  'a: "',
  'a: "b" c',
  'a: "b"c"',
  'true: b',
  '1: b',
  '? a',
  'a:\tb',
  'a: b\n\nc: d',
  'a:\n   b: c\n  d: e',
  'a: é',
  '__proto__: b',
  '<<: b',
  'a: b: c',
  'a:\r\n  b: c',
  'a: b\n---\nc: d',
];
for (const text of NOT_PLAIN) test(`${JSON.stringify(text)} is left to the whole parser`, () => assert.is(readPlainYaml(text), undefined));

test('a deeply nested text is left to the full parser', () => {
  const deep = Array.from({ length: 5_000 }, (_, n) => `${' '.repeat(n)}a:`).join('\n');
  assert.is(readPlainYaml(deep), undefined);
});

test('a manifest with any change is read as by the full parser, or left to it', () => {
  const { pick, integer } = random(7);
  const bits = [
    ' ',
    '  ',
    '-',
    '- ',
    ':',
    ': ',
    '#',
    '"',
    "'",
    '\n',
    '\n  ',
    '\n- ',
    '0',
    '1',
    'yes',
    'null',
    '~',
    '&a',
    '*a',
    '|',
    '>',
    '{',
    '}',
    '[]',
    '\t',
    '.',
    '!',
    '@',
    '%',
    'e5',
    '0x1',
    '---\n',
  ];
  const lines = TEXTS.flatMap((text) => (readPlainYaml(text) ? [text.split('\n')] : []));
  let plain = 0;
  for (let n = 0; n < longOr(200_000, 1_500); n++) {
    const from = pick(lines);
    const start = integer(from.length);
    const some = from.slice(start, start + 12);
    const indent = Math.min(...some.filter(Boolean).map((line) => line.length - line.trimStart().length));
    let text = some.map((line) => line.slice(indent)).join('\n');
    for (let changes = integer(3); changes > 0; changes--) {
      const at = integer(text.length + 1);
      text = text.slice(0, at) + pick(bits) + text.slice(at + integer(3));
    }
    if (same(text)) plain++;
  }
  assert.ok(plain > 100, `${plain} were plain`);
});

test('the code calls the full parser in the same way as this test', () => {
  assert.is(readPlainYaml('#\na: 1'), undefined);
  assert.equal(whole('a: 1'), loadAll('a: 1'));
});

test.run();
