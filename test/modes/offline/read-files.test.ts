import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { InputError } from '../../../src/modes/mode.ts';
import { readRecordings } from '../../../src/modes/offline/read-files.ts';

const test = suite('reading recordings');

let folder = '';
let folders = 0;
test.before(async () => void (folder = await mkdtemp(join(tmpdir(), 'podmend-recordings-'))));
test.after(() => rm(folder, { recursive: true }));

/** A new folder with these files. */
async function tree(files: Record<string, string>): Promise<string> {
  const root = join(folder, String(++folders));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}
const pod = (name: string): string => JSON.stringify({ kind: 'Pod', metadata: { name }, spec: { containers: [] } });
async function read(paths: string[], stdin = '') {
  const recordings = await readRecordings(paths, Readable.from([stdin]));
  return recordings.map(({ name, recording: { objects, logs } }) => ({
    name: name.replaceAll(`${folder}/`, ''),
    objects: objects.map(({ metadata }) => metadata.name),
    logs,
  }));
}
const refusal = (paths: string[], stdin = '') =>
  readRecordings(paths, Readable.from([stdin])).then(
    () => 'it was read',
    (error: Error) => (assert.instance(error, InputError), error.message.replaceAll(`${folder}/`, '')),
  );

test('plain files and standard input are one recording; a recorded folder is one of its own, after them', async () => {
  const root = await tree({ 'a.json': pod('a'), 'b.yaml': pod('b'), 'rec/pod.json': pod('p') });
  const paths = [join(root, 'a.json'), join(root, 'rec'), '-', join(root, 'b.yaml')];
  const [together, recorded, ...more] = await read(paths, pod('in'));
  assert.equal([together?.objects, together?.name], [['a', 'in', 'b'], `1/a.json, 1/rec, -, 1/b.yaml`]);
  assert.equal([recorded, more], [{ name: '1/rec', objects: ['p'], logs: [] }, []]);
});

test('a recorded folder: its four files in their order, and its logs; other files are left out', async () => {
  const root = await tree({
    'others.jsonl': `${pod('o1')}\n\n${pod('o2')}\n`,
    'events.jsonl': pod('e'),
    'pods.jsonl': pod('q'),
    'pod.json': pod('p'),
    'notes.yaml': pod('n'),
    'logs.jsonl': [
      { pod: 'p', container: 'app', stdout: 'now\n' },
      { pod: 'p', container: 'app', stdout: 'before\n', previous: true, namespace: 'shop', exitCode: 0 },
      { pod: 'p', container: 'side', stdout: 'refused', exitCode: 1 },
      { pod: 'p', container: 'side', stdout: null },
    ]
      .map((one) => JSON.stringify(one))
      .join('\n'),
  });
  assert.equal(await read([root]), [
    {
      name: String(folders),
      objects: ['p', 'q', 'e', 'o1', 'o2'],
      logs: [
        { pod: 'p', container: 'app', previous: false, text: 'now\n' },
        { pod: 'p', container: 'app', previous: true, text: 'before\n', namespace: 'shop' },
      ],
    },
  ]);
});

test('a folder of manifests is one recording by the order of its names, and what is below it is not read', async () => {
  const root = await tree({
    'c.jsonl': pod('c'),
    'b.yml': pod('b'),
    'a.yaml': pod('a'),
    'd.json': pod('d'),
    'x.txt': 'x',
    'e/f.yaml': pod('f'),
  });
  assert.equal(
    (await read([root])).map(({ objects }) => objects),
    [['a', 'b', 'c', 'd']],
  );
});

test('each folder below a folder without objects is a recording', async () => {
  const root = await tree({ 'b/pod.json': pod('b'), 'a/deep/pod.json': pod('a'), 'c/x.txt': 'x' });
  assert.equal(
    (await read([root])).map(({ name, objects }) => [name, objects]),
    [
      [`${folders}/a/deep`, ['a']],
      [`${folders}/b`, ['b']],
    ],
  );
});

const FORMS: [what: string, text: string, names: string[]][] = [
  ['YAML documents', `---\n${pod('a')}\n---\n${pod('b')}\n`, ['a', 'b']],
  ['JSON lines', `${pod('a')}\n${pod('b')}\n`, ['a', 'b']],
  [
    'a list of lists',
    `{"kind": "List", "items": [{"kind": "PodList", "items": [${pod('a').replace('"kind":"Pod",', '')}]}, ${pod('b')}]}`,
    ['a', 'b'],
  ],
  ['an array', ` [${pod('a')}, ${pod('b')}]`, ['a', 'b']],
  ['YAML that begins like JSON', '{kind: Pod, metadata: {name: a}, spec: {containers: []}}', ['a']],
];
for (const [what, text, names] of FORMS)
  test(`standard input: ${what}`, async () => {
    const [recording] = await read(['-'], text);
    assert.equal([recording?.name, recording?.objects], ['-', names]);
  });

test('an item of a typed list has its kind', async () => {
  const items = [{ metadata: { name: 'a' }, reason: 'BackOff' }];
  const [recording] = await readRecordings(['-'], Readable.from([JSON.stringify({ kind: 'EventList', items })]));
  assert.is(recording?.recording.objects[0]?.kind, 'Event');
});

const BAD: [what: string, text: string, says: string][] = [
  [
    'an item of a plain list without a kind',
    '{"kind": "List", "items": [{"metadata": {}}]}',
    'standard input, document 1, item 1: an object without a kind',
  ],
  ['an empty kind', '{"kind": "", "metadata": {}}', 'standard input, document 1: an object without a kind'],
  [
    'a list instead of an object in a list',
    '[[5]]',
    'standard input, document 1, item 1, item 1: not a Kubernetes object, a mapping with a kind is expected',
  ],
  ['no metadata', '{"kind": "Event", "metadata": []}', 'standard input, document 1: a Event without metadata'],
  [
    'a workload of a wrong shape',
    '{"kind": "Deployment", "metadata": {}, "spec": 5}',
    'standard input, document 1: a Deployment whose spec does not have the shape of one',
  ],
  ['a line that is no JSON', `${pod('a')}\n${pod('b')}\n{\n`, 'standard input, document 3: '],
];
for (const [what, text, says] of BAD)
  test(`refused: ${what}`, async () => {
    const told = await refusal(['-'], text);
    assert.ok(told.startsWith(says) && (says.endsWith(' ') ? told.length > says.length : told === says), told);
  });

test('refused: a file that is not there, nothing in any of them, and a log without its container', async () => {
  assert.is(await refusal([join(folder, 'gone')]), 'gone: cannot be read (ENOENT)');
  const root = await tree({ 'empty.yaml': '# nothing\n' });
  assert.is(
    await refusal([join(root, 'empty.yaml'), '-', root]),
    `${folders}/empty.yaml, standard input, ${folders}: no Kubernetes object in it`,
  );
  for (const log of [{ pod: 'p' }, { container: 'c' }, 5]) {
    const recorded = await tree({
      'pod.json': pod('p'),
      'logs.jsonl': `${JSON.stringify({ pod: 'p', container: 'c' })}\n${JSON.stringify(log)}`,
    });
    assert.is(await refusal([recorded]), `${folders}/logs.jsonl, document 2: a log needs pod, container and stdout`);
  }
});

test.run();
