import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readManifests } from '../../../src/modes/offline/read-manifests.ts';

const test = suite('reading manifests with their places');

let folder = '';
test.before(async () => void (folder = await mkdtemp(join(tmpdir(), 'podmend-manifests-'))));
test.after(() => rm(folder, { recursive: true }));

const read = (text: string) => readManifests(['-'], Readable.from([text]));
/** Each object as `kind name@line`; for one whose lines are not known, without the line. */
async function places(text: string): Promise<string[]> {
  const { objects } = await read(text);
  return objects.map(
    ({ object, source }) => `${object.kind} ${object.metadata.name}${source.lines.length > 0 ? `@${source.firstLine}` : ''}`,
  );
}

const OBJECT = 'kind: Pod\nmetadata: {name: a}\n';
const TEXTS: [what: string, text: string, objects: string[]][] = [
  ['one document', OBJECT, ['Pod a@1']],
  [
    'documents with text after the dashes',
    `--- # first\n${OBJECT}--- {kind: Pod, metadata: {name: b}}\n---\n${OBJECT}`,
    ['Pod a@1', 'Pod b@4', 'Pod a@5'],
  ],
  ['an end of document', `${OBJECT}...\n${OBJECT}`, ['Pod a@1', 'Pod a@3']],
  ['dashes that belong to a text', `kind: ConfigMap\nmetadata: {name: c}\ndata:\n  x: |\n    ---\n    a\n`, ['ConfigMap c@1']],
  ['dashes in the middle of a word', `kind: Pod\nmetadata: {name: a}\n---x: 1\n`, ['Pod a@1']],
  ['comments and directives alone', `%YAML 1.2\n# a\n---\n\n# b\n---\n${OBJECT}`, ['Pod a@6']],
  ['line ends of Windows', OBJECT.replaceAll('\n', '\r\n'), ['Pod a@1']],
  ['what is no object of Kubernetes', `replicas: 3\n---\nkind: ''\n---\nkind: 5\n---\n${OBJECT}`, ['Pod a@6']],
  [
    'a list, whose items have no lines of their own',
    `kind: List\nitems:\n- {kind: Pod, metadata: {name: a}}\n- {kind: Job, metadata: {name: b}}\n`,
    ['Pod a', 'Job b'],
  ],
  ['JSON', '{"kind": "Pod", "metadata": {"name": "a"}}', ['Pod a']],
  ['a list in JSON', ' [{"kind": "Pod", "metadata": {"name": "a"}}, {"kind": "Pod", "metadata": {"name": "b"}}]', ['Pod a', 'Pod b']],
  ['YAML that begins like JSON', '{kind: Pod, metadata: {name: a}}', ['Pod a@1']],
];
for (const [what, text, objects] of TEXTS) test(what, async () => assert.equal(await places(text), objects));

test('items of a typed list have its kind and version unless they name their own', async () => {
  const items = [{ metadata: { name: 'a' } }, { kind: 'Job', apiVersion: 'batch/v1', metadata: { name: 'b' } }, 5];
  const { objects, problems } = await read(JSON.stringify({ kind: 'PodList', apiVersion: 'v1', items }));
  assert.equal(
    objects.map(({ object: { kind, apiVersion, metadata } }) => [kind, apiVersion, metadata.name]),
    [
      ['Pod', 'v1', 'a'],
      ['Job', 'batch/v1', 'b'],
    ],
  );
  assert.equal(problems, ['standard input:1: not a Kubernetes object, a mapping with a kind is expected']);
  const plain = await read(JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [{ metadata: { name: 'a' } }] }));
  assert.equal(plain, { objects: [], problems: [] }, 'an item of a plain list needs a kind');
  const odd = await read(JSON.stringify({ kind: 'WishList', apiVersion: 'x/v1', metadata: { name: 'w' } }));
  assert.is(odd.objects[0]?.object.kind, 'WishList', 'a kind of this name is no list');
});

test('metadata that is no mapping is replaced by none', async () => {
  for (const metadata of ['null', '5', '[a]']) {
    const { objects } = await read(`kind: Pod\nmetadata: ${metadata}\n`);
    assert.equal(objects[0]?.object.metadata, {}, metadata);
  }
});

test('a template of Helm is the source, without lines', async () => {
  const { objects } = await read(`---\n# Source: shop/templates/web.yaml\n${OBJECT}---\n# Source: a b\n${OBJECT}`);
  assert.equal(
    objects.map(({ source: { file, lines, firstLine } }) => [file, lines.length > 0, firstLine]),
    [
      ['shop/templates/web.yaml', false, 1],
      ['standard input', true, 5],
    ],
  );
});

const IGNORES: [comment: string, ids: string[]][] = [
  ['# podmend-ignore: privileged', ['privileged']],
  ['#podmend-ignore: privileged, host-path', ['privileged', 'host-path']],
  ['spec: {} # podmend-ignore: a b', ['a', 'b']],
  ['x: "y#podmend-ignore: a"', []],
  ['# podmend-ignored: a', []],
];
for (const [comment, ids] of IGNORES)
  test(`what ${JSON.stringify(comment)} disables, in its document only`, async () => {
    const { objects } = await read(`${OBJECT}${comment}\n---\n${OBJECT}`);
    assert.equal(
      objects.map(({ source }) => [...source.ignored].filter(Boolean)),
      [ids, []],
    );
  });

test('a document that cannot be read is named with its line, and the others are read', async () => {
  const { objects, problems } = await read(`${OBJECT}---\nkind: Pod\nx: [\n---\njust text\n---\n${OBJECT}`);
  assert.is(objects.length, 2);
  assert.match(problems[0] ?? '', /^standard input:[5-6]: not valid YAML/);
  assert.not.match(problems[0] ?? '', /\(\d+:\d+\)/);
  assert.equal(problems.slice(1), ['standard input:6: not a Kubernetes object, a mapping with a kind is expected']);
});

test('a document with an error that has no place is named with its first line', async () => {
  const { problems } = await read(`${OBJECT}---\nkind: Pod\na: &a 1\nx: [${'*a,'.repeat(101)}]\n`);
  assert.is(problems.length, 1);
  assert.match(problems[0] ?? '', /^standard input:3: the YAML holds 101 aliases/);
});

test('folders, files and standard input, in the order in which they are named', async () => {
  await mkdir(join(folder, 'a', '.git'), { recursive: true });
  for (const [path, name] of [
    ['a/2.json', 'two'],
    ['a/1.yml', 'one'],
    ['a/3.yaml', 'three'],
    ['a/x.txt', 'x'],
    ['a/.git/y.yaml', 'y'],
    ['b.conf', 'b'],
  ] as const)
    await writeFile(join(folder, path), JSON.stringify({ kind: 'Pod', metadata: { name } }));
  const paths = [join(folder, 'b.conf'), '-', join(folder, 'a'), join(folder, 'gone')];
  const { objects, problems } = await readManifests(paths, Readable.from(['{"kind": "Pod", "metadata": {"name": "in"}}']));
  assert.equal(
    objects.map(({ object, source }) => `${object.metadata.name} ${source.file.replace(folder, '')}`),
    ['b /b.conf', 'in standard input', 'one /a/1.yml', 'two /a/2.json', 'three /a/3.yaml'],
  );
  assert.equal(problems, [`${join(folder, 'gone')}: cannot be read (ENOENT)`]);
});

test('standard input that breaks is named', async () => {
  const broken = new Readable({ read: () => void broken.destroy(new Error('cut')) });
  assert.equal(await readManifests(['-'], broken), { objects: [], problems: ['standard input: cannot be read (cut)'] });
});

test.run();
