import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Change, Trial } from '../../../src/contract/failure.ts';
import type { PatchFormat } from '../../../src/contract/diagnosis.ts';
import { applyChanges } from '../../../src/crd/field-path.ts';
import type { KubeObject, PodSpec } from '../../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest } from '../../../src/crd/manifest.ts';
import { ownerPatch } from '../../../src/diagnosis/changes/owner-patch.ts';
import { patchFormats, type TakenCorrection } from '../../../src/mirrors/policy/patch-formats.ts';

// Gives the texts that people copy to the tools for them: `git apply` and a shell.

const test = suite('patch formats');

const NASTY = [
  "it's",
  '"double"',
  '$HOME `id` $(id) \\',
  'two\nlines\n',
  'EOF\n---\n+++ b/x\n@@ -1 +1 @@\n',
  'spaces at the end  \n  and tabs\t',
  'a\r\nb',
  ' \n\n',
  'a\u2028b\u0000',
];

const aSpec = (value = 'plain', image = 'web:9'): PodSpec => ({
  containers: [{ name: 'app', image, command: ['serve', value], env: [{ name: 'TEXT', value }] }],
});
const object = (kind: string, spec: object, more: object = {}): KubeObject =>
  ({ apiVersion: 'apps/v1', kind, metadata: { name: 'web', namespace: 'shop', ...more }, spec }) as KubeObject;
const aPod = (spec: PodSpec): KubeObject => ({ ...object('Pod', spec, { name: 'web-1', labels: { app: 'web' } }), apiVersion: 'v1' });
const aTemplate = (spec: PodSpec) => ({ metadata: { labels: { app: 'web' } }, spec });
const change = (path: string, to: unknown): Change => ({ path, from: 'before', to, why: 'Because.' });
const IMAGE = change('spec.containers[0].image', 'web:1');
/** The changes that lead back to `aSpec(value)`. */
const reverse = (changes: readonly Change[], value: string): Change[] =>
  changes.map(({ path }) => change(path, path === IMAGE.path ? 'web:9' : value));

/** The correction of a manifest for a user whose workload is `owner`. Null: the workload is gone. */
function taken(owner: KubeObject | null, manifest: KubeObject, changes: Change[], over: Partial<TakenCorrection> = {}): TakenCorrection {
  const after = applyChanges(manifest, changes);
  return {
    correction: {
      title: 'Use `web:1`',
      fixed_manifest: dumpManifest(after),
      changes,
      explanation: 'Perhaps.',
      owner_patch: owner && ownerPatch({ before: manifest, after }, { owner, podName: 'web-1' }),
    },
    manifest: dumpManifest(manifest),
    failure: { failure_reason: 'Error', namespace: 'shop', pod_name: 'web-1', workload: owner && { kind: owner.kind ?? '', name: 'web' } },
    summary: 'It fails.',
    trial: undefined,
    ...over,
  };
}

function form(name: PatchFormat['name'], of: TakenCorrection): string {
  const found = patchFormats(of).find((one) => one.name === name);
  assert.ok(found, `${name} is there`);
  return found?.text ?? '';
}

/** The file after `git apply`. Git must accept the diff unchanged. */
function gitApply(diff: string, path: string, before: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-diff-'));
  try {
    writeFileSync(join(folder, path), before);
    // Ignores the Git configuration of this machine, and any repository around the folder.
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: tmpdir(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
    const { status, stderr, error } = spawnSync('git', ['apply', '-'], { cwd: folder, input: diff, encoding: 'utf8', env });
    assert.is(status, 0, error?.message ?? stderr);
    return readFileSync(join(folder, path), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a shell passes to kubectl. Each call has its arguments, then its input. */
function shell(script: string): string[][] {
  const kubectl = `kubectl() { for word in "$@"; do printf '%s\\0' "$word"; done; case "$*" in *'-f -'*) cat;; esac; printf '\\1'; }`;
  const { status, stdout, stderr, error } = spawnSync('sh', ['-euc', `${kubectl}\n${script}`], { input: '', encoding: 'utf8' });
  assert.is(status, 0, error?.message ?? stderr);
  return stdout
    .split('\u0001')
    .slice(0, -1)
    .map((call) => call.split('\0'));
}

for (const value of NASTY) {
  const shown = JSON.stringify(value);
  test(`Git applies a diff beside and of ${shown}`, () => {
    const owner = (spec: PodSpec) => object('Deployment', { template: aTemplate(spec) });
    for (const [changes, wanted] of [
      [[IMAGE], aSpec(value, 'web:1')],
      [[change('spec.containers[0].env[0].value', 'short'), change('spec.containers[0].command[1]', 'short')], aSpec('short')],
    ] as const) {
      const diff = form('Git diff', taken(owner(aSpec(value)), aPod(aSpec(value)), [...changes]));
      assert.is(gitApply(diff, 'deployment-web.yaml', dumpManifest(owner(aSpec(value)))), dumpManifest(owner(wanted)));
      const back = form('Git diff', taken(owner(wanted), aPod(wanted), reverse(changes, value)));
      assert.is(gitApply(back, 'deployment-web.yaml', dumpManifest(owner(wanted))), dumpManifest(owner(aSpec(value))));
    }
  });

  test(`a shell passes ${shown} to kubectl as it is`, () => {
    const owner = object('Deployment', { template: aTemplate(aSpec()) });
    const [patch = []] = shell(form('kubectl patch', taken(owner, aPod(aSpec()), [change('spec.containers[0].env[0].value', value)])));
    assert.equal(patch.slice(0, 7), ['patch', 'deployment', 'web', '-n', 'shop', '--type=json', '-p']);
    const operations = JSON.parse(patch[7] ?? '') as { op: string; value: unknown }[];
    assert.is(operations.find(({ op }) => op !== 'test')?.value, value);

    const pod = aPod(aSpec(value));
    const [replace = []] = shell(form('kubectl patch', taken(pod, pod, [IMAGE])));
    assert.equal(replace.slice(0, 4), ['replace', '--force', '-f', '-']);
    assert.equal(loadManifest(replace[4] ?? '')['spec'], aSpec(value, 'web:1'));
  });
}

const JOB = { activeDeadlineSeconds: 1, template: { spec: aSpec() } };
const LIMIT = change('spec.activeDeadlineSeconds', 600);
const IN_TEMPLATE = change('spec.template.spec.containers[0].image', 'web:1');
for (const [sentence, owner, manifest, changes, path, wanted] of [
  [
    'a CronJob whose pod fails',
    object('CronJob', { jobTemplate: { spec: { template: aTemplate(aSpec()) } } }),
    aPod(aSpec()),
    [IMAGE],
    'cronjob-web.yaml',
    { jobTemplate: { spec: { template: aTemplate(aSpec('plain', 'web:1')) } } },
  ],
  [
    'a CronJob whose Job fails',
    object('CronJob', { jobTemplate: { spec: JOB } }),
    object('Job', { ...JOB, selector: { matchLabels: { 'controller-uid': 'x' } } }, { name: 'web-123' }),
    [LIMIT],
    'cronjob-web.yaml',
    { jobTemplate: { spec: { ...JOB, activeDeadlineSeconds: 600 } } },
  ],
  [
    'a Deployment whose ReplicaSet cannot create pods',
    object('Deployment', { template: aTemplate(aSpec()) }),
    object('ReplicaSet', { replicas: 2, template: aTemplate(aSpec()) }, { name: 'web-5d4f' }),
    [IN_TEMPLATE],
    'deployment-web.yaml',
    { template: aTemplate(aSpec('plain', 'web:1')) },
  ],
  [
    'a StatefulSet that cannot create pods',
    object('StatefulSet', { replicas: 2, template: aTemplate(aSpec()) }),
    object('StatefulSet', { replicas: 2, template: aTemplate(aSpec()) }),
    [IN_TEMPLATE],
    'statefulset-web.yaml',
    { replicas: 2, template: aTemplate(aSpec('plain', 'web:1')) },
  ],
] as [string, KubeObject, KubeObject, Change[], string, object][])
  test(`the diff is that of ${sentence}`, () =>
    assert.is(
      gitApply(form('Git diff', taken(owner, manifest, changes)), path, dumpManifest(owner)),
      dumpManifest({ ...owner, spec: wanted }),
    ));

const DEPLOYMENT = object('Deployment', { template: aTemplate(aSpec()) });

test('the YAML of a patch is the same patch', () => {
  const one = taken(DEPLOYMENT, aPod(aSpec()), [IMAGE]);
  // The patch is a list, and `loadManifest` accepts only objects. So the list becomes the value of a key.
  const yaml = `patch:\n${form('YAML', one)}`;
  assert.equal(loadManifest(yaml)['patch'], JSON.parse(one.correction.owner_patch?.body ?? ''));
});

test('without an owner there are the corrected manifest and the text for a review only', () => {
  const one = taken(null, aPod(aSpec()), [IMAGE]);
  assert.equal(
    patchFormats(one).map(({ name }) => name),
    ['YAML', 'Pull request'],
  );
  assert.is(form('YAML', one), one.correction.fixed_manifest);
  assert.match(form('Pull request', one), 'web-1: Use web:1');
  assert.not.match(form('Pull request', one), 'Apply it without Git');
});

for (const text of ['', '{', '- a', 'a: 1\n---\nb: 1', 'kind: Pod'])
  test(`a manifest of ${JSON.stringify(text)} is no error, and the other forms are there`, () => {
    const names = patchFormats(taken(DEPLOYMENT, aPod(aSpec()), [IMAGE], { manifest: text })).map(({ name }) => name);
    assert.ok(names.includes('kubectl patch') && names.includes('Pull request'));
  });

test('the review says what is proven and what is not', () => {
  const trial = {
    verdict: 'Fixed',
    strength: 'Strong',
    shown_after: { message: '', restarts: 0, ready_seconds: 42 },
    evidence: { window_seconds: 30, window_reason: '30 s is the least.', weaknesses: ['It got no traffic.'] },
  } as unknown as Trial;
  const one = taken(DEPLOYMENT, aPod(aSpec()), [change('spec.containers[0].env[0].value', '`tick` | bar')]);
  const proven = form('Pull request', { ...one, trial });
  for (const said of [
    '**Fixed**, strong evidence. It was Ready for 42 s, without a restart. It is watched for 30 s. 30 s is the least.',
    '- It got no traffic.',
    'Deployment `web` in namespace `shop`: `Error`. It fails.',
    '`before` → `` `tick` | bar ``. Because.',
    "kubectl patch deployment web -n shop --type=json -p '",
  ])
    assert.match(proven, said);
  assert.match(form('Pull request', one), 'No mirror has proven this change.');
  assert.match(form('Pull request', { ...one, trial: { ...trial, verdict: null } }), 'No mirror has proven this change.');
});

test.run();
