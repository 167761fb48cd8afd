import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifest } from '../../src/crd/manifest.ts';
import { runDiagnose } from '../../src/modes/diagnose.ts';
import { aPodManifest } from '../support/builders/cases.ts';
import { spoken } from '../support/processes/command.ts';

const diagnosing = suite('podmend diagnose');

const captures = new URL('../captures/', import.meta.url).pathname;
let folder = '';
diagnosing.before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'podmend-diagnose-'));
});
diagnosing.after(() => rm(folder, { recursive: true }));

const run = (argv: string[], stdin = '') => spoken(runDiagnose, argv, { stdin });

async function file(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const failing = {
  ...aPodManifest({ image: 'web:9' }),
  status: {
    phase: 'Pending',
    containerStatuses: [
      {
        name: 'app',
        ready: false,
        restartCount: 0,
        image: 'web:9',
        state: { waiting: { reason: 'ErrImagePull', message: 'docker.io/library/web:9: not found' } },
      },
    ],
  },
};
const healthy = {
  ...aPodManifest(),
  metadata: { name: 'well', namespace: 'shop' },
  status: {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True' }],
    containerStatuses: [{ name: 'app', ready: true, restartCount: 0, image: 'web:1', imageID: 'x', state: { running: {} } }],
  },
};

diagnosing('a recorded folder: the shape of its JSON, field by field', async () => {
  const { code, stdout } = await run(['-f', join(captures, 'oom-killed'), '-o', 'json']);
  assert.is(code, 1);
  const { failures, ...rest } = JSON.parse(stdout);
  assert.equal(rest, {});
  assert.equal(Object.keys(failures[0]), [
    'pod_name',
    'namespace',
    'failure_reason',
    'failure_message',
    'container',
    'evidence',
    'solution',
    'fixed_manifest',
    'owner_patch',
    'changes',
    'title',
    'confidence',
    'is_fallback',
  ]);
  const [{ solution, fixed_manifest, owner_patch, changes, evidence, title, ...fields }] = failures;
  assert.equal(
    { ...fields, failure_message: '' },
    {
      pod_name: 'app',
      namespace: 'oom-killed',
      failure_reason: 'OOMKilled',
      failure_message: '',
      container: 'app',
      confidence: 'likely',
      is_fallback: true,
    },
  );
  assert.equal(Object.keys(changes[0]), ['path', 'from', 'to', 'why']);
  assert.match(solution, '## What happened');
  assert.ok(evidence.length > 0);
  assert.is(typeof title, 'string');
  assert.equal([owner_patch.kind, owner_patch.type, owner_patch.body === ''], ['Pod', 'replace', false]);
  const fixed = loadManifest(fixed_manifest) as {
    spec: { containers: { resources: { limits: object } }[] };
    status?: object;
    metadata: object;
  };
  assert.equal(fixed.spec.containers[0]?.resources.limits, { memory: '256Mi' });
  assert.is(fixed.status, undefined);
  assert.equal(Object.keys(fixed.metadata).includes('uid'), false);
});

diagnosing('what no manifest cures changes nothing', async () => {
  const { stdout } = await run(['-f', join(captures, 'preempted'), '-o', 'json']);
  const [failure] = JSON.parse(stdout).failures;
  assert.equal([failure.fixed_manifest, failure.changes, failure.confidence], [null, [], null]);
  assert.match(failure.solution, 'No change to the manifest corrects this');
});

diagnosing('a folder of manifests: its logs are no objects', async () => {
  const manifests = await mkdtemp(join(folder, 'manifests-'));
  await writeFile(join(manifests, 'pod.yaml'), JSON.stringify(failing));
  await writeFile(join(manifests, 'logs.jsonl'), JSON.stringify({ pod: 'app', container: 'app', stdout: 'ready\n' }));
  assert.equal((await run(['-f', manifests])).stderr, '');
});

diagnosing('nothing fails: an empty list, and exit code 0', async () => {
  assert.equal(await run(['-f', join(captures, 'healthy'), '-o', 'json']), { code: 0, stdout: '{\n  "failures": []\n}\n', stderr: '' });
  assert.is((await run(['-f', join(captures, 'exit-success')])).stdout, 'Nothing fails.\n');
});

diagnosing('a list of kubectl, as a file and from standard input; other pods tell which image there is', async () => {
  const list = JSON.stringify({ kind: 'List', apiVersion: 'v1', items: [failing, healthy] });
  for (const { code, stdout } of [
    await run(['-f', await file('list.json', list), '-o=json'.replace('=', '')]),
    await run(['-f', '-', '-o', 'json'], list),
  ]) {
    assert.is(code, 1);
    const { failures } = JSON.parse(stdout);
    assert.equal(
      failures.map(({ pod_name, changes }: { pod_name: string; changes: { to: string }[] }) => [pod_name, changes[0]?.to]),
      [['web', 'web:1']],
    );
  }
});

diagnosing('YAML documents in, YAML or text out', async () => {
  const path = await file('pods.yaml', `---\n${JSON.stringify(healthy)}\n---\n${JSON.stringify(failing)}\n`);
  const { stdout } = await run(['--filename', path, '--output', 'yaml']);
  assert.is((loadManifest(stdout) as { failures: { failure_reason: string }[] }).failures[0]?.failure_reason, 'ImagePullBackOff');
  assert.match((await run(['-f', path])).stdout, /^# shop\/web: ImagePullBackOff\n\n- \*\*What happened:\*\* /);
});

diagnosing('a folder of recordings: each is its own', async () => {
  const { failures } = JSON.parse((await run(['-f', captures, '-o', 'json'])).stdout);
  assert.is(new Set(failures.map(({ namespace }: { namespace: string }) => namespace)).size, 45);
});

const pod = (spec: string) => `{"kind": "Pod", "metadata": {"name": "x"}, "spec": ${spec}}`;
const BAD: [sentence: string, name: string, text: string, says: RegExp][] = [
  ['no YAML', 'bad.yaml', 'kind: Pod\na: [', /bad\.yaml.*not valid YAML/],
  ['no JSON', 'bad.json', '{"kind": ', /bad\.json/],
  [
    'a second document that is none',
    'two.yaml',
    `${pod('{"containers": []}')}\n---\njust text`,
    /two\.yaml, document 2: not a Kubernetes object/,
  ],
  ['an object without a kind', 'kindless.yaml', 'metadata: {name: x}', /kindless\.yaml, document 1: an object without a kind/],
  ['a pod of a wrong shape', 'shape.json', pod('{"containers": 5}'), /shape\.json, document 1: a Pod whose spec/],
  ['an item of a list', 'item.json', `{"kind": "List", "items": [${pod('{"containers": []}')}, 5]}`, /document 1, item 2/],
  ['a status of a wrong shape', 'status.json', pod('{"containers": [{"name": "a"}]}, "status": {"containerStatuses": 5}'), /status\.json/],
  ['nothing', 'empty.yaml', '', /empty\.yaml: no Kubernetes object/],
];
for (const [sentence, name, text, says] of BAD)
  diagnosing(`bad input: ${sentence}`, async () => {
    const { code, stdout, stderr } = await run(['-f', await file(name, text)]);
    assert.is(code, 2);
    assert.is(stdout, '');
    assert.match(stderr, says);
    assert.is(stderr.trimEnd().split('\n').length, 1);
  });

diagnosing('empty standard input is named as such', async () => {
  const { code, stderr } = await run(['-f', '-'], '');
  assert.equal([code, stderr], [2, 'podmend diagnose: standard input: no Kubernetes object in it\n']);
});

diagnosing('a crash recorded without logs: the answer does not claim that it wrote none', async () => {
  const ended = { terminated: { exitCode: 3, reason: 'Error' } };
  const containerStatuses = [{ name: 'app', ready: false, restartCount: 4, image: 'web:1', state: ended, lastState: ended }];
  const crashing = { ...aPodManifest(), status: { phase: 'Running', containerStatuses } };
  const { code, stdout } = await run(['-f', '-'], JSON.stringify(crashing));
  assert.is(code, 1);
  assert.match(stdout, 'No line of its log is known');
  assert.not.match(stdout, 'wrote no log');
});

diagnosing('what a mirror cannot prove is said once', async () => {
  const { stdout } = await run(['-f', join(captures, 'deadline-exceeded')]);
  assert.is(stdout.match(/cannot (?:prove|try)/g)?.length, 1, stdout);
});

for (const [sentence, options, expected] of [
  ['a terminal has colours', { isTTY: true }, true],
  ['a file has none', {}, false],
  ['NO_COLOR is obeyed', { isTTY: true, env: { NO_COLOR: '1' } }, false],
  ['an empty NO_COLOR says nothing', { isTTY: true, env: { NO_COLOR: '' } }, true],
  ['a terminal without colours', { isTTY: true, env: { TERM: 'dumb' } }, false],
] as const)
  diagnosing(`colours: ${sentence}`, async () => {
    const argv = ['-f', join(captures, 'oom-killed')];
    const { stdout } = await spoken(runDiagnose, argv, options);
    assert.is(stdout.includes('\u001b['), expected);
    const plain = await run(argv);
    // oxlint-disable-next-line no-control-regex
    const text = stdout.replaceAll(/\u001b\[[\d;]*m/g, '');
    if (!('isTTY' in options)) assert.is(text, plain.stdout, 'a file is Markdown');
    else assert.not.match(text, /^#|\*\*|`/m);
    if (expected) assert.ok(stdout.includes('\u001b[32m+ spec.containers[0].resources.limits.memory: 256Mi\u001b[39m'), stdout);
  });

diagnosing('colours: JSON has none on a terminal either', async () => {
  const { stdout } = await spoken(runDiagnose, ['-f', join(captures, 'oom-killed'), '-o', 'json'], { isTTY: true });
  assert.not.ok(stdout.includes('\u001b'));
});

for (const argv of [[], ['-f'], ['-f', '/does/not/exist'], ['-o', 'xml', '-f', '-'], ['--wat'], ['file.yaml']])
  diagnosing(`bad arguments: ${argv.join(' ') || 'none'}`, async () => {
    const { code, stderr } = await run(argv);
    assert.is(code, 2);
    assert.is(stderr.trimEnd().split('\n').length, 1);
  });

diagnosing.run();
