import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Change } from '../../../src/contract/failure.ts';
import { applyChanges } from '../../../src/crd/field-path.ts';
import type { KubeObject, PodSpec } from '../../../src/crd/kubernetes.ts';
import { loadManifest } from '../../../src/crd/manifest.ts';
import { ownerPatch } from '../../../src/diagnosis/changes/owner-patch.ts';

const test = suite('owner patch');

const SPEC: PodSpec = { containers: [{ name: 'app', image: 'web:9' }] };
const ofKind = (kind: string, spec: object, metadata: object = {}): KubeObject =>
  ({ apiVersion: 'apps/v1', kind, metadata: { name: 'web', namespace: 'shop', ...metadata }, spec }) as KubeObject;
const aPod = (spec: PodSpec = SPEC, metadata: object = {}): KubeObject => ({ ...ofKind('Pod', spec, metadata), apiVersion: 'v1' });
const workload = (kind: string, more: object = {}, template: object = {}): KubeObject =>
  ofKind(kind, { ...more, template: { ...template, spec: SPEC } });
const change = (to: unknown, path = 'spec.containers[0].image'): Change => ({ path, from: null, to, why: '' });

const patchFor = (
  owner: KubeObject,
  manifest: KubeObject = aPod(),
  changes: Change[] = [change('web:1')],
  podName: string | undefined = 'web-0',
) => ownerPatch({ before: manifest, after: applyChanges(manifest, changes) }, { owner, podName });

const REPLACE_IMAGE = (at: string) => [
  { op: 'test', path: `${at}/spec/containers/0/name`, value: 'app' },
  { op: 'replace', path: `${at}/spec/containers/0/image`, value: 'web:1' },
];

for (const kind of ['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet'])
  test(`a ${kind} gets the change in its template`, () => {
    const patch = patchFor(workload(kind));
    assert.is(patch?.type, 'json');
    assert.equal(JSON.parse(patch?.body ?? ''), REPLACE_IMAGE('/spec/template'));
    assert.ok(patch?.command.startsWith(`kubectl patch ${kind.toLowerCase()} web -n shop --type=json -p '[`));
  });

test('a CronJob gets it in the template of its Jobs, and one is started', () => {
  const patch = patchFor(ofKind('CronJob', { jobTemplate: { spec: { template: { spec: SPEC } } } }));
  assert.equal(JSON.parse(patch?.body ?? ''), REPLACE_IMAGE('/spec/jobTemplate/spec/template'));
  assert.match(patch?.command ?? '', /\nkubectl create job -n shop web-corrected --from=cronjob\/web$/);
});

test('a Job that fails below a CronJob changes the CronJob', () => {
  const job = workload('Job', { activeDeadlineSeconds: 1 });
  const cronJob = ofKind('CronJob', { jobTemplate: { spec: { activeDeadlineSeconds: 1, template: { spec: SPEC } } } });
  const patch = patchFor(cronJob, job, [change(600, 'spec.activeDeadlineSeconds')]);
  assert.equal(JSON.parse(patch?.body ?? ''), [{ op: 'replace', path: '/spec/jobTemplate/spec/activeDeadlineSeconds', value: 600 }]);
});

test('a ReplicaSet that cannot create its pods changes its Deployment', () => {
  const template = { spec: SPEC, metadata: { labels: { app: 'web', 'pod-template-hash': 'x' } } };
  const patch = patchFor(
    workload('Deployment', { replicas: 1 }, { metadata: { labels: { app: 'web' } } }),
    ofKind('ReplicaSet', { replicas: 1, template }),
    [change('web:1', 'spec.template.spec.containers[0].image')],
    undefined,
  );
  assert.equal(JSON.parse(patch?.body ?? ''), REPLACE_IMAGE('/spec/template'));
});

test('a Job is made again, without what its controller wrote', () => {
  const labels = { app: 'web', 'controller-uid': 'u', 'batch.kubernetes.io/job-name': 'web' };
  const job = ofKind(
    'Job',
    { selector: { matchLabels: { 'controller-uid': 'u' } }, template: { metadata: { labels }, spec: SPEC } },
    { uid: 'u', resourceVersion: '7', labels },
  );
  const patch = patchFor(job);
  assert.is(patch?.type, 'replace');
  assert.match(patch?.note ?? '', /template of a Job cannot be changed/);
  assert.equal(loadManifest(patch?.body ?? ''), {
    apiVersion: 'apps/v1',
    kind: 'Job',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: { template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'web:1' }] } } },
  });
  assert.match(patch?.command ?? '', /^kubectl replace --force -f - <<'EOF'\n[^]*\nEOF$/);
});

test('a bare pod needs a new one, without its node and its token', () => {
  const token = { name: 'kube-api-access-x', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' };
  const spec: PodSpec = {
    nodeName: 'node-1',
    priority: 0,
    containers: [{ name: 'app', image: 'web:9', volumeMounts: [token], ports: [{ containerPort: 80, hostPort: 80 }] }],
    volumes: [{ name: 'kube-api-access-x', projected: {} }],
  };
  const pod = aPod(spec, { uid: 'u' });
  const patch = patchFor(pod, pod);
  assert.equal(loadManifest(patch?.body ?? '')['spec'], {
    containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 80, hostPort: 80 }] }],
  });
  assert.match(patch?.note ?? '', /needs a new Pod/);
});

test('fields that admission added to the pod do not shift the change', () => {
  const pod = aPod({ containers: [{ name: 'injected', image: 'proxy:1' }, ...SPEC.containers] });
  const patch = patchFor(workload('Deployment'), pod, [change('web:1', 'spec.containers[1].image')]);
  assert.equal(JSON.parse(patch?.body ?? ''), REPLACE_IMAGE('/spec/template'));
  assert.is(patchFor(workload('Deployment'), pod, [change('proxy:2')]), null, 'nothing of the Deployment changes an injected container');
});

test('a pod with an unknown controller gets no patch', () => {
  const owned = workload('ReplicaSet');
  owned.metadata.ownerReferences = [{ apiVersion: 'a/v1', kind: 'Rollout', name: 'web', uid: 'r', controller: true }];
  assert.is(patchFor(owned), null);
  assert.is(patchFor(workload('Rollout')), null);
});

test('an owner of the workload that does not control it does not stop the patch', () => {
  const owned = workload('Deployment');
  owned.metadata.ownerReferences = [{ apiVersion: 'a/v1', kind: 'Shop', name: 'web', uid: 's' }];
  assert.is(patchFor(owned)?.type, 'json');
});

test('names and values cannot break out of their shell quotes', () => {
  const command = patchFor(workload('Deployment'), aPod(), [change(`it's $(reboot)\n;`)])?.command ?? '';
  assert.is(command.split('\n').length, 1);
  assert.ok(command.endsWith(`it'\\''s $(reboot)\\n;"}]'`), command);
  const pod = aPod();
  const body = patchFor(pod, pod, [change('x\nEOF\nreboot\n', 'metadata.annotations.a')])?.command ?? '';
  assert.is(body.split('\n').at(-1), 'EOF');
  assert.is(body.split('\n').filter((line) => line === 'EOF').length, 1);
});

test('a masked value is never written, and a mask in a manifest is named', () => {
  const env = [{ name: 'PASSWORD', value: '***' }];
  const masked: PodSpec = { containers: [{ name: 'app', image: 'web:9', env }] };
  const job = ofKind('Job', { template: { spec: masked } });
  assert.match(patchFor(job, aPod(masked))?.note ?? '', /stands for a secret/);
  const deployment = ofKind('Deployment', { template: { spec: masked } });
  const patch = patchFor(deployment, aPod(masked));
  assert.not.ok(patch?.body.includes('***'));
  assert.is(patch?.note, '');
});

for (const [kind, note] of [
  ['StatefulSet', 'never was ready'],
  ['ReplicaSet', 'does not change the pods'],
] as const)
  test(`a ${kind} keeps its failing pod until it is deleted`, () => {
    const patch = patchFor(workload(kind));
    assert.ok(patch?.note.includes(note));
    assert.match(patch?.command ?? '', /\nkubectl delete pod web-0 -n shop$/);
  });

for (const [selector, deletes] of [
  [{ matchLabels: { app: 'web', tier: 'a' } }, 'pods -l app=web,tier=a'],
  [{ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'x', operator: 'Exists' }] }, 'pod web-0'],
] as const)
  test(`a StatefulSet whose pods block each other deletes ${deletes}`, () => {
    const term = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } }];
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term } };
    const owner = ofKind('StatefulSet', { selector, template: { metadata: { labels: { app: 'web' } }, spec: { ...SPEC, affinity } } });
    const path = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution';
    const patch = patchFor(owner, aPod({ ...SPEC, affinity }), [change(null, path)]);
    assert.is(patch?.command.split('\n').at(-1), `kubectl delete ${deletes} -n shop`);
  });

test('a Deployment whose old pods block the new ones makes room first', () => {
  const term = [{ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } }];
  const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: term } };
  const owner = ofKind('Deployment', {
    strategy: { type: 'RollingUpdate', rollingUpdate: {} },
    template: { metadata: { labels: { app: 'web' } }, spec: { ...SPEC, affinity } },
  });
  const path = 'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution';
  const patch = patchFor(owner, aPod({ ...SPEC, affinity }), [change(null, path)]);
  assert.equal(JSON.parse(patch?.body ?? ''), [
    { op: 'replace', path: '/spec/strategy/type', value: 'Recreate' },
    { op: 'remove', path: '/spec/strategy/rollingUpdate' },
    { op: 'remove', path: '/spec/template/spec/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution' },
  ]);
  assert.match(patch?.note ?? '', /Set it back/);
});

test.run();
