import { Readable, Writable } from 'node:stream';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifest } from '../../../src/crd/manifest.ts';
import type { Case } from '../../../src/diagnosis/case.ts';
import { InputError, type Io } from '../../../src/modes/mode.ts';
import { type Format, formatOf, orBadInput, printAll } from '../../../src/modes/offline/output.ts';
import { aCase, aPodManifest } from '../../support/builders/cases.ts';
import { spoken } from '../../support/processes/command.ts';

const test = suite('what diagnose and why print');

const SECRET = 'hunter2-tr0ub4dor';
const ownerReference = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'rs', controller: true };
const manifest = (memory = '64Mi') => ({
  ...aPodManifest({ resources: { limits: { memory } }, env: [{ name: 'DB_PASSWORD', value: SECRET }] }),
  metadata: { name: 'web', namespace: 'shop', uid: 'u', ownerReferences: [ownerReference] },
});
const owner = (memory = '64Mi'): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'd' },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec: (manifest(memory) as unknown as { spec: object }).spec } },
  }) as KubeObject;

/** A pod that was killed for its memory, and whose owner is known. */
const killed = (over: Partial<Case> = {}, memory = '64Mi'): Case => ({
  ...aCase({
    failure_reason: 'OOMKilled',
    failure_message: `killed, password=${SECRET}`,
    status: { state: 'terminated', reason: 'OOMKilled', exit_code: 137 },
    manifest: manifest(memory),
    logs: `password=${SECRET}\n`,
  }),
  owner: owner(memory),
  ...over,
});
/** A pod for which no manifest is known. */
const bare = (): Case => aCase({ pod_name: 'db', failure_reason: 'Evicted', failure_message: 'the node was low on memory' });

interface Shown {
  where?: string;
  showSecrets?: boolean;
  isTTY?: boolean;
  env?: NodeJS.ProcessEnv;
}
async function print(cases: Case[], format: Format, { isTTY = false, env = {}, where, showSecrets = false }: Shown = {}) {
  const presentation = { format, showSecrets, ...(where === undefined ? {} : { where }) };
  return spoken((_, io) => printAll(io, cases, presentation), [], { isTTY, env });
}

const NOTHING: [format: Format, where: string | undefined, text: string][] = [
  ['text', undefined, 'Nothing fails.\n'],
  ['text', ' in namespace "shop"', 'Nothing fails in namespace "shop".\n'],
  ['patch', ' in namespace "shop"', '# Nothing fails in namespace "shop".\n'],
  ['json', undefined, '{\n  "failures": []\n}\n'],
  ['yaml', undefined, 'failures: []\n'],
];
for (const [format, where, text] of NOTHING)
  test(`nothing fails: ${text.trim()}`, async () =>
    assert.equal(await print([], format, where === undefined ? {} : { where }), { code: 0, stdout: text, stderr: '' }));

test('data has every fact of a failure, with secrets masked', async () => {
  const { stdout, code } = await print([killed()], 'json');
  const [{ solution, evidence, owner_patch: patch, fixed_manifest: fixed, ...rest }] = JSON.parse(stdout).failures;
  assert.is(code, 1);
  assert.equal(rest, {
    pod_name: 'web',
    namespace: 'shop',
    failure_reason: 'OOMKilled',
    failure_message: 'killed, password=***',
    container: 'app',
    changes: [{ path: 'spec.containers[0].resources.limits.memory', from: '64Mi', to: '128Mi', why: 'it was killed at this limit' }],
    title: 'Raise the memory limit to `128Mi`',
    confidence: 'likely',
    is_fallback: true,
  });
  assert.equal(evidence.at(-1), 'log of the pod, last line: password=***');
  assert.match(solution, /^## What happened\n/);
  assert.equal([patch.kind, patch.name, patch.type], ['Deployment', 'web', 'json']);
  assert.match(patch.body, '128Mi');
  const { metadata } = loadManifest(fixed) as { metadata: object };
  assert.not.ok('uid' in metadata, 'without what the server sets');
  assert.match(fixed, '128Mi');
  for (const format of ['text', 'json', 'yaml', 'patch'] as const)
    assert.not.match((await print([killed()], format)).stdout, SECRET, format);
  const open = await print([killed()], 'json', { showSecrets: true });
  for (const field of ['failure_message', 'fixed_manifest', 'solution', 'evidence'])
    assert.match(JSON.stringify(JSON.parse(open.stdout).failures[0][field]), SECRET, field);
});

test('without a manifest there is no correction', async () => {
  const [{ fixed_manifest, owner_patch, changes, title, confidence }] = JSON.parse((await print([bare()], 'json')).stdout).failures;
  assert.equal([fixed_manifest, owner_patch, changes, title, confidence], [null, null, [], null, null]);
});

test('commands: one for each correction of a workload; what has none is said', async () => {
  const { owner: _none, ...orphan } = killed();
  const cases = [
    killed(),
    killed({ pod_name: 'web-2' }),
    killed({ pod_name: 'big' }, '1Gi'),
    { ...orphan, pod_name: 'alone' } as Case,
    bare(),
  ];
  const { stdout } = await print(cases, 'patch');
  const lines = stdout.split('\n');
  assert.equal(
    lines.filter((line) => line.startsWith('#')),
    [
      '# shop/web: Raise the memory limit to `128Mi` (likely)',
      '# shop/big: Raise the memory limit to `2Gi` (likely)',
      '# shop/alone: Raise the memory limit to `128Mi` (likely); the owner of the pod cannot be patched from here',
      '# shop/db: no known change of the manifest fixes this failure',
    ],
  );
  assert.equal(
    lines.filter((line) => line.startsWith('kubectl patch deployment web -n shop ')).map((line) => /\d+[MG]i/.exec(line)?.[0]),
    ['128Mi', '2Gi'],
  );
});

test('each format comes in the order of the cases, and a terminal changes the text only', async () => {
  const cases = [killed(), bare()];
  const { stdout } = await print(cases, 'text');
  assert.equal(
    [...stdout.matchAll(/^# (.*)$/gm)].map(([, title]) => title),
    ['shop/web: OOMKilled', 'shop/db: Evicted'],
  );
  const shown = await print(cases, 'text', { isTTY: true, env: { NO_COLOR: '1' } });
  assert.match(shown.stdout, /^shop\/web: OOMKilled$/m);
  for (const format of ['json', 'yaml', 'patch'] as const)
    assert.is((await print(cases, format, { isTTY: true })).stdout, (await print(cases, format)).stdout, format);
});

test('a name cannot forge lines', async () => {
  const { stdout } = await print([{ ...bare(), pod_name: 'a\n# shop/b: Error' }], 'patch');
  assert.is(stdout.trim().split('\n').length, 1);
});

test('the formats', () => {
  assert.equal([undefined, 'text', 'json', 'yaml', 'patch'].map(formatOf), ['text', 'text', 'json', 'yaml', 'patch']);
  assert.throws(() => formatOf('xml'), /^unknown output "xml": -o is text, json, yaml or patch$/);
});

test('bad input is one line on stderr and 2; a defect is thrown; else the code is that of the command', async () => {
  const run = (fails?: Error) => spoken((_, io) => orBadInput('why', io, async () => (fails ? Promise.reject(fails) : 7)), []);
  assert.equal(await run(), { code: 7, stdout: '', stderr: '' });
  assert.equal(await run(new InputError('no\nsuch pod')), { code: 2, stdout: '', stderr: 'podmend why: no such pod\n' });
  const { stderr } = await run(new InputError('x'.repeat(2_000)));
  assert.ok(stderr.length > 500 && stderr.length < 530, String(stderr.length));
  assert.is(await run(new TypeError('defect')).catch((error: Error) => error.message), 'defect');
});

test('an output that refuses the text fails the command', async () => {
  const stdout = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  stdout.on('error', () => undefined);
  const io: Io = { stdin: Readable.from([]), stdout, stderr: stdout, env: {} };
  assert.is(await printAll(io, [], { format: 'text', showSecrets: false }).catch((error: Error) => error.message), 'EPIPE');
});

test.run();
