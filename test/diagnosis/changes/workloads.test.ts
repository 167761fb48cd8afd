import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, PodSpec } from '../../../src/crd/kubernetes.ts';
import type { Surroundings } from '../../../src/diagnosis/case.ts';
import { correctedTemplate } from '../../../src/diagnosis/changes/corrected-template.ts';
import { differences } from '../../../src/diagnosis/changes/differences.ts';
import { unifiedDiff } from '../../../src/diagnosis/changes/diff.ts';
import { oldPodsFirst } from '../../../src/diagnosis/changes/old-pods-first.ts';
import { oneAtATime } from '../../../src/diagnosis/changes/one-at-a-time.ts';
import { ownerPatch } from '../../../src/diagnosis/changes/owner-patch.ts';
import { revisionsOf } from '../../../src/diagnosis/changes/revisions.ts';
import { isApartLifted, rolloutBlock } from '../../../src/diagnosis/changes/rollout.ts';
import type { RuleInput } from '../../../src/diagnosis/facts/input.ts';
import { anInput, inShort } from '../../support/builders/cases.ts';
import { guess, likely } from '../../support/builders/corrections.ts';

const test = suite('workloads and their revisions');

const pod = (container: object, more: object = {}) =>
  ({ containers: [{ name: 'app', image: 'web:1', ...container }], ...more }) as unknown as PodSpec;
const short = (before: PodSpec, after: PodSpec) =>
  differences(before, after).map(({ container, field, steps, before: old, after: young }) => [
    container,
    field,
    steps.map((step) => (typeof step === 'string' ? step : `[${step.is}]`)).join('.'),
    old,
    young,
  ]);
const IN = 'containers.[app]';
test('what differs between two revisions', () => {
  const env = (...names: string[]) => ({ env: names.map((name) => ({ name, value: '1' })) });
  assert.equal(short(pod({}), pod({ image: 'web:2' })), [['app', 'image', `${IN}.image`, 'web:1', 'web:2']]);
  assert.equal(short(pod(env('A', 'B')), pod(env('B', 'C'))), [
    ['app', 'env', `${IN}.env.[A]`, { name: 'A', value: '1' }, null],
    ['app', 'env', `${IN}.env.[C]`, null, { name: 'C', value: '1' }],
  ]);
  assert.equal(
    short(pod({ resources: { limits: { cpu: '1', memory: '1Gi' } } }), pod({ resources: { limits: { cpu: '2', memory: '1Gi' } } })),
    [['app', 'resources', `${IN}.resources.limits.cpu`, '1', '2']],
  );
  assert.equal(short(pod({ volumeMounts: [{ name: 'v', mountPath: '/a' }] }), pod({ volumeMounts: [{ name: 'w', mountPath: '/a' }] })), [
    ['app', 'volumeMounts', `${IN}.volumeMounts.[/a]`, { name: 'v', mountPath: '/a' }, { name: 'w', mountPath: '/a' }],
  ]);
  assert.equal(short(pod({ args: ['a'] }), pod({ args: ['b'] })), [['app', 'args', `${IN}.args`, ['a'], ['b']]]);
  assert.equal(short(pod({ args: [] }), pod({})), [], 'empty is none');
  assert.equal(
    short(pod({ lifecycle: { preStop: { exec: { command: ['a'] } } } }), pod({ lifecycle: { preStop: { exec: { command: ['b'] } } } })).map(
      ([, , steps]) => steps,
    ),
    [`${IN}.lifecycle`],
    'hooks as a whole',
  );
  assert.equal(
    short(pod({}, { affinity: { a: { b: 1 } } }), pod({}, { affinity: { a: { b: 2 } } })),
    [[null, 'affinity', 'affinity', { a: { b: 1 } }, { a: { b: 2 } }]],
    'affinities as a whole',
  );
  assert.equal(short(pod({}, { nodeSelector: { a: '1' } }), pod({}, { nodeSelector: { a: '2', b: '3' } })), [
    [null, 'nodeSelector', 'nodeSelector.a', '1', '2'],
    [null, 'nodeSelector', 'nodeSelector.b', null, '3'],
  ]);
  assert.equal(short(pod({}, { initContainers: [{ name: 'i', image: 'x' }] }), pod({}, { initContainers: [] })), [
    ['i', '', 'initContainers.[i]', { name: 'i', image: 'x' }, null],
  ]);
});
for (const field of [
  'image',
  'imagePullPolicy',
  'command',
  'args',
  'workingDir',
  'env',
  'envFrom',
  'resources',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'ports',
  'volumeMounts',
  'securityContext',
])
  test(`a container's ${field} may make it fail`, () =>
    assert.equal(
      differences(pod({ image: 'a' }), pod({ image: 'a', [field]: 'x' })).map((one) => one.field),
      [field],
    ));
for (const field of [
  'nodeSelector',
  'affinity',
  'topologySpreadConstraints',
  'volumes',
  'securityContext',
  'serviceAccountName',
  'runtimeClassName',
])
  test(`a pod's ${field} may make it fail`, () =>
    assert.equal(
      differences(pod({}), pod({}, { [field]: 'x' })).map((one) => [one.container, one.field]),
      [[null, field]],
    ));
test('other fields make no container fail', () =>
  assert.equal(differences(pod({ tty: true }, { hostname: 'a' }), pod({ tty: false }, { hostname: 'b' })), []));

test('a diff of lines that repeat', () => {
  const body = (before: string, after: string) => unifiedDiff(before, after).split('\n').slice(2).join('|');
  assert.is(body('a\na\nb\n', 'a\nb\n'), '@@ -1,3 +1,2 @@| a|-a| b|');
  assert.is(body('a\nb\n', 'a\na\nb\n'), '@@ -1,2 +1,3 @@| a|+a| b|');
  assert.is(body('a\nb\nc\nd\n', 'b\na\nd\nc\n'), '@@ -1,4 +1,4 @@|-a| b|-c|+a| d|+c|');
  assert.is(body('a', 'a\nb'), '@@ -1 +1,2 @@| a|+b|');
  assert.is(body('a\nb\n', ''), '@@ -1,2 +1 @@|-a|-b|+|');
});

const node = (name: string, more: object = {}) => ({ name, labels: {}, taints: [], allocatable: { cpu: '2' }, ...more });
const deployment = (spec: object, more: object = {}, status: object = {}) =>
  ({
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      ...more,
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'a' }], ...spec } },
    },
    status,
  }) as unknown as KubeObject;
const apart = (...terms: unknown[]) => ({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: terms } } });
const OWN = { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'h' };
const port = { containers: [{ name: 'app', image: 'a', ports: [{ containerPort: 80, hostPort: 80 }] }] };
const blocked = (young: KubeObject, surroundings: object = { nodes: [node('a')] }, old = young) =>
  rolloutBlock({ old, young, surroundings: surroundings as Surroundings });
test('an update that blocks itself, by how many pods may end first', () => {
  const of = (replicas: number, maxUnavailable?: number | string, type?: string) =>
    blocked(
      deployment(port, {
        replicas,
        strategy: { ...(type ? { type } : {}), rollingUpdate: maxUnavailable === undefined ? {} : { maxUnavailable } },
      }),
      { nodes: Array.from({ length: replicas }, (_, index) => node(`n${index}`)) },
    ) !== undefined;
  assert.equal(
    [of(1), of(3), of(4), of(1, 1), of(1, 0), of(1, '99%'), of(1, '100%'), of(10, '9%'), of(10, '10%'), of(1, 0, 'Recreate')],
    [true, true, false, false, true, true, false, true, false, false],
  );
});
test('an update that blocks itself, by its nodes', () => {
  assert.match(blocked(deployment(port)) ?? '', 'it holds port 80 of the node');
  assert.equal(
    [blocked(deployment(port), { nodes: [node('a'), node('b')] }), blocked(deployment(port), {}), blocked(deployment({}))],
    [undefined, undefined, undefined],
  );
  assert.ok(blocked(deployment(port, { replicas: 2 }), { nodes: [node('a'), node('b')] }));
  assert.ok(
    blocked(deployment(port), { nodes: [node('a'), node('b', { taints: [{ key: 'x', effect: 'NoSchedule' }] })] }),
    'a node that does not take the pod',
  );
  assert.ok(blocked(deployment(port), { nodes: [node('a', { allocatable: { cpu: '0' } })] }), 'a node without room counts');
  assert.is(blocked(deployment({}), undefined, deployment(port)), undefined, 'the new pods have no port');
});
test('an update that blocks itself, by its anti-affinity', () => {
  assert.match(blocked(deployment(apart(OWN))) ?? '', 'its required anti-affinity keeps the new ones away');
  assert.match(
    blocked(deployment({}), { nodes: [node('a'), node('b')] }, deployment(apart(OWN))) ?? '',
    'anti-affinity',
    'of the old pods alone',
  );
  assert.is(blocked(deployment(apart({ labelSelector: { matchLabels: { app: 'x' } } }, null, {}))), undefined, 'to others');
  assert.equal(
    [
      isApartLifted(deployment(apart(OWN)), deployment({})),
      isApartLifted(deployment(apart(OWN)), deployment(apart(OWN))),
      isApartLifted(deployment({}), deployment(apart(OWN))),
      isApartLifted({ kind: 'X' } as never, deployment({})),
    ],
    [true, false, false, false],
  );
});
const CLAIM = {
  volumes: [
    { name: 'e', emptyDir: {} },
    { name: 'd', persistentVolumeClaim: { claimName: 'data' } },
  ],
};
test('an update that blocks itself, by its volume', () => {
  const of = (accessModes: string[] | undefined, nodes: object[], usedOn: string[] | undefined = ['a'], spec: object = CLAIM) =>
    blocked(deployment(spec), {
      nodes,
      claims: [
        { name: 'other', phase: 'Bound', accessModes: ['ReadWriteOncePod'], usedOn: ['a'] },
        { name: 'data', phase: 'Bound', accessModes, usedOn },
      ],
    });
  const both = [node('a'), node('b')];
  assert.equal(
    [of(['ReadWriteOnce'], both), of(['ReadWriteOncePod'], [node('a')])],
    ['While an old pod runs, it holds the volume of claim data', 'While an old pod runs, it holds the volume of claim data'],
  );
  assert.equal(
    [
      of(['ReadWriteOnce'], [node('a')]),
      of(['ReadWriteMany'], both),
      of(['ReadOnlyMany'], both),
      of(undefined, both),
      of(['ReadWriteOnce'], both, []),
      of(['ReadWriteOnce'], both, ['a'], {}),
    ],
    Array.from({ length: 6 }, () => undefined),
  );
  assert.is(
    of(['ReadWriteOnce'], [node('a'), node('b', { taints: [{ key: 'x', effect: 'NoSchedule' }] })]),
    undefined,
    'no other node takes the pod',
  );
});
const asks = (cpu: string) => ({ containers: [{ name: 'app', image: 'a', resources: { requests: { cpu } } }] });
test('an update that blocks itself, by the room and the quota', () => {
  const full = node('a', { used: { cpu: 1.5, pods: 3 } });
  assert.match(blocked(deployment(asks('1')), { nodes: [full] }) ?? '', 'no node has room for a new one');
  assert.equal(
    [
      blocked(deployment(asks('1')), { nodes: [full, node('b', { used: { cpu: 0 } })] }),
      blocked(deployment(asks('1')), { nodes: [node('a', { used: { cpu: 1 } })] }),
      blocked(deployment(asks('2')), { nodes: [full] }, deployment(asks('500m'))),
      blocked(deployment(asks('1')), { nodes: [full, node('b')] }),
    ],
    [undefined, undefined, undefined, undefined],
  );
  const quota = (used: string, more: object = {}) => ({
    quotas: [{ name: 'q', scopes: [], hard: { 'requests.cpu': '2' }, used: { 'requests.cpu': used }, ...more }],
  });
  assert.match(blocked(deployment(asks('1')), quota('1500m')) ?? '', 'quota q has no room');
  assert.equal(
    [
      blocked(deployment(asks('1')), quota('1')),
      blocked(deployment(asks('1')), quota('1500m', { scopes: ['BestEffort'] })),
      blocked(deployment(asks('2')), quota('1500m'), deployment(asks('1'))),
    ],
    [undefined, undefined, undefined],
  );
});

const owned = (input: RuleInput, owner: KubeObject, surroundings?: object): RuleInput => ({
  ...input,
  subject: { ...input.subject, owner, ...(surroundings ? { surroundings: surroundings as Surroundings } : {}) },
});
const UPDATING = { replicas: 2, updatedReplicas: 1, readyReplicas: 1 };
const first = (status: object = UPDATING, owner = deployment(port, {}, status), surroundings: object = { nodes: [node('a')] }) =>
  oldPodsFirst(owned(anInput(), owner, surroundings));
const STRATEGY = { 'spec.strategy.rollingUpdate.maxUnavailable': 1, 'spec.strategy.rollingUpdate.maxSurge': 0 };
test('an old pod that ends before a new one comes', () => {
  assert.equal(inShort(first()), likely(STRATEGY));
  assert.equal(
    inShort(
      first(
        { replicas: 3, updatedReplicas: 1, readyReplicas: 1 },
        deployment(port, { replicas: 2 }, { replicas: 3, updatedReplicas: 1, readyReplicas: 1 }),
      ),
    ),
    guess(STRATEGY),
  );
  assert.equal(
    [
      first({ replicas: 1, updatedReplicas: 1, readyReplicas: 1 }),
      first({ replicas: 2, updatedReplicas: 1 }),
      first({}),
      first(UPDATING, deployment(port, {}, UPDATING), {}),
      oldPodsFirst(anInput()),
    ],
    [[], [], [], [], []],
  );
  const revisions = { previous: pod({ ports: [{ containerPort: 80, hostPort: 80 }] }), current: pod({}) };
  assert.equal(first(UPDATING, deployment({}, {}, UPDATING), { nodes: [node('a')], revisions }), [], 'the new template has no port');
  assert.ok(
    first(UPDATING, deployment(port, {}, UPDATING), { nodes: [node('a')], revisions })[0]?.changes.every(({ of }) => of === 'owner'),
  );
  assert.equal(
    first(UPDATING, deployment(port, {}, UPDATING), { nodes: [node('a')], revisions: { ...revisions, previous: pod({}) } }),
    [],
    'the old template had no port',
  );
});
const MOUNT = {
  volumeMounts: [
    { name: 'x', mountPath: '/x', readOnly: true },
    { name: 'd', mountPath: '/d' },
  ],
};
const locked = (owner: KubeObject, volume: object = { persistentVolumeClaim: { claimName: 'c' } }, mount: object = MOUNT) =>
  inShort(
    oneAtATime(
      owned(
        anInput(mount, {
          volumes: [
            { name: 'x', hostPath: { path: '/x' } },
            { name: 'd', ...volume },
          ],
        }),
        owner,
      ),
    ),
  );
test('a lock that only one pod can have', () => {
  const RECREATE = likely({ 'spec.strategy': { type: 'Recreate' } });
  assert.equal(
    [locked(deployment({}, {}, UPDATING)), locked(deployment({}, {}, UPDATING), { hostPath: { path: '/d' } })],
    [RECREATE, RECREATE],
  );
  assert.equal(locked(deployment({}, { replicas: 2 }, UPDATING)), guess({ 'spec.replicas': 1 }));
  assert.equal(
    [
      locked(deployment({}, {}, { replicas: 1, updatedReplicas: 1, readyReplicas: 1 })),
      locked(deployment({}, {}, { replicas: 2, updatedReplicas: 1 })),
      locked(deployment({}, { strategy: { type: 'Recreate' } }, UPDATING)),
      locked(deployment({}, {}, UPDATING), { emptyDir: {} }),
      locked({ ...deployment({}, {}, UPDATING), kind: 'StatefulSet' }),
    ],
    [[], [], [], [], []],
  );
  assert.equal(
    locked(deployment({}, {}, UPDATING), undefined, { volumeMounts: [{ name: 'd', mountPath: '/d', readOnly: true }] }),
    [],
    'a read-only mount locks nothing',
  );
});

const ANSWER = (to: unknown, confidence: 'likely' | 'guess' = 'likely', more: object = {}) => ({
  summary: 'It fails.',
  culprit: 'x',
  evidence: [],
  advice: ['A.'],
  commands: ['c'],
  corrections: [
    {
      title: 't',
      confidence,
      explanation: 'e',
      mirrorable: true,
      changes: [{ path: 'spec.containers[0].image', from: 'old', to, why: 'w', ...more }],
    },
  ],
});
const corrected = (image: string, kind = 'StatefulSet', answer = ANSWER('new')) =>
  correctedTemplate(owned(anInput(), { ...deployment({ containers: [{ name: 'app', image }] }), kind }), answer as never);
test('a pod of an earlier revision, whose template is right by now', () => {
  const found = corrected('new');
  assert.equal([found.corrections, found.commands], [[], ['kubectl delete pod web -n shop', 'c']]);
  assert.is(found.summary, 'It fails. The template of the StatefulSet `web` is corrected already: the pod is of an earlier revision.');
  assert.match(found.advice[0] ?? '', 'Delete the pod: the StatefulSet `web` makes it again');
  assert.equal(corrected('new', 'ReplicaSet').corrections, []);
  assert.equal(
    [corrected('old'), corrected('other'), corrected('new', 'Deployment')].map(({ corrections }) => corrections?.length),
    [1, 1, 1],
  );
  assert.equal(corrected('other', 'StatefulSet', ANSWER('new', 'guess')).corrections, [], 'what somebody wrote is better than a guess');
  assert.is(corrected('new', 'StatefulSet', ANSWER('new', 'likely', { of: 'owner' })).corrections?.length, 1, 'a change of the owner');
  assert.is(correctedTemplate(anInput(), ANSWER('new') as never).corrections?.length, 1, 'without an owner');
});

const patched = (
  owner: object,
  spec: object = { containers: [{ name: 'app', image: 'b' }] },
  more: object = {},
  before: object = { containers: [{ name: 'app', image: 'a' }] },
) => {
  const manifest = (one: object) =>
    ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web-1', namespace: 'shop' }, spec: one }) as unknown as KubeObject;
  return ownerPatch(
    { before: manifest(before), after: manifest(spec) },
    { owner: { apiVersion: 'apps/v1', ...owner } as unknown as KubeObject, ...more },
  );
};
test('how an owner is patched', () => {
  const made = patched(deployment({}));
  assert.equal([made?.type, made?.kind, made?.name, made?.namespace, made?.note], ['json', 'Deployment', 'web', 'shop', '']);
  assert.equal(JSON.parse(made?.body ?? ''), [
    { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'app' },
    { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'b' },
  ]);
  assert.match(made?.command ?? '', /^kubectl patch deployment web -n shop --type=json -p '\[/);
  assert.is(patched(deployment({}), { containers: [{ name: 'app', image: 'a' }] }), null, 'nothing changes');
  assert.is(patched({ ...deployment({}), kind: 'Rollout' }), null, 'of an unknown kind');
  assert.is(
    patched({ ...deployment({}), metadata: { name: 'web', ownerReferences: [{ controller: true }] } }),
    null,
    'that another one controls',
  );
  assert.ok(patched({ ...deployment({}), metadata: { name: 'web', ownerReferences: [{ controller: false }] } }));
});
test('what remains to be done after the patch of an owner', () => {
  const set = (kind: string, more: object = {}) => patched({ ...deployment({}, more), kind }, undefined, { podName: 'web-1' });
  assert.match(set('StatefulSet')?.command ?? '', /\nkubectl delete pod web-1 -n shop$/);
  assert.match(set('ReplicaSet')?.note ?? '', 'those that fail are deleted');
  assert.equal(
    [set('DaemonSet')?.note, set('DaemonSet', { updateStrategy: { type: 'OnDelete' } })?.note],
    ['', 'Its update strategy is OnDelete: a pod gets the change when it is deleted.'],
  );
  const job = patched({
    kind: 'CronJob',
    apiVersion: 'batch/v1',
    metadata: { name: 'n'.repeat(50), namespace: 'shop' },
    spec: { jobTemplate: { spec: { template: { spec: { containers: [{ name: 'app', image: 'a' }] } } } } },
  });
  assert.match(job?.command ?? '', `kubectl create job -n shop ${'n'.repeat(45)}-corrected --from=cronjob/${'n'.repeat(50)}`);
  assert.equal(JSON.parse(job?.body ?? '').at(-1).path, '/spec/jobTemplate/spec/template/spec/containers/0/image');
  assert.match(
    patched(deployment(port), undefined, { surroundings: { nodes: [node('a')] } })?.note ?? '',
    /^While an old pod runs, it holds port 80 of the node: the strategy becomes `Recreate`/,
  );
  const lifted = patched(
    { ...deployment(apart(OWN)), kind: 'ReplicaSet' },
    { containers: [{ name: 'app', image: 'a' }] },
    {},
    { containers: [{ name: 'app', image: 'a' }], ...apart(OWN) },
  );
  assert.match(lifted?.command ?? '', 'kubectl delete pods -l app=web -n shop');
  assert.match(
    patched(deployment({}), { containers: [{ name: 'app', image: 'b', env: [{ name: 'A', value: '***' }] }] })?.note ?? '',
    /^(?:`\*\*\*` stands for a secret.*)?$/,
  );
});
test('a pod or a Job that is made anew, without what the cluster added', () => {
  const VOLUMES = {
    volumes: [
      { name: 'kube-api-access-x', projected: { sources: [] } },
      { name: 'd', emptyDir: {} },
    ],
  };
  const mounts = {
    volumeMounts: [
      { name: 'kube-api-access-x', mountPath: '/t' },
      { name: 'd', mountPath: '/d' },
    ],
  };
  const spec = (image: string) => ({
    containers: [{ name: 'app', image, ...mounts }],
    initContainers: [{ name: 'i', image: 'i', volumeMounts: [mounts.volumeMounts[0]] }],
    ...VOLUMES,
  });
  const made = patched(
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        namespace: 'shop',
        generateName: 'web-',
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
      },
      spec: { ...spec('a'), nodeName: 'n', priority: 1, preemptionPolicy: 'p', ephemeralContainers: [] },
    },
    spec('b'),
    {},
    spec('a'),
  );
  assert.is(made?.type, 'replace');
  const body = made?.body ?? '';
  for (const word of [
    'generateName',
    'last-applied',
    'annotations',
    'nodeName',
    'priority',
    'preemptionPolicy',
    'ephemeralContainers',
    'kube-api-access',
  ])
    assert.not.match(body, word);
  for (const word of ['image: b', 'emptyDir', '/d', 'name: i']) assert.match(body, word);
  assert.match(made?.note ?? '', 'it needs a new Pod');
  const labels = {
    'controller-uid': 'u',
    'batch.kubernetes.io/controller-uid': 'u',
    'job-name': 'j',
    'batch.kubernetes.io/job-name': 'j',
    app: 'web',
  };
  const job = (more: object = {}) =>
    patched({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j', namespace: 'shop', labels, annotations: { 'batch.kubernetes.io/job-tracking': '', a: 'b' } },
      spec: {
        selector: { matchLabels: { x: 'y' } },
        ...more,
        template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'a' }] } },
      },
    })?.body ?? '';
  for (const word of ['controller-uid', 'job-name', 'selector', 'job-tracking']) assert.not.match(job(), word);
  assert.match(job(), 'a: b');
  assert.match(job({ manualSelector: true }), 'selector');
});

const PROBED = { containers: [{ name: 'app', image: 'a', readinessProbe: { httpGet: { port: 1 } } }] };
const replicaSet = (number: number, status: object, createdAt: string, spec: object = PROBED, more: object = {}) =>
  ({
    kind: 'ReplicaSet',
    metadata: {
      name: `web-${number}`,
      ownerReferences: [{ uid: 'u' }],
      annotations: { 'deployment.kubernetes.io/revision': `${number}` },
      labels: { 'pod-template-hash': `h${number}` },
      creationTimestamp: createdAt,
      ...more,
    },
    spec: { template: { spec } },
    status,
  }) as never;
const AT = (minute: number) => `2026-01-01T00:0${minute}:00Z`;
const available = (status: string, minute: number) => ({
  conditions: [{ type: 'Progressing' }, { type: 'Available', status, lastTransitionTime: AT(minute) }],
});
const revisions = (status: object, ...history: never[]) => revisionsOf(deployment({}, {}, status), history);
test('the revisions of a Deployment', () => {
  const all = [replicaSet(1, { readyReplicas: 2, replicas: 2 }, AT(1)), replicaSet(3, {}, AT(3)), replicaSet(2, {}, AT(2))];
  const found = revisions({}, ...all);
  assert.equal(found && [found.kind, found.name, found.before, found.serving, found.worked, found.hash], [
    'Deployment',
    'web',
    1,
    2,
    true,
    'h3',
  ]);
  assert.equal(revisions({}, all[1]!, all[2]!)?.before, 2);
  assert.equal(
    [
      revisions({}, all[0]!),
      revisions({}),
      revisions({}, replicaSet(1, { replicas: 1 }, AT(1)), all[1]!),
      revisions({}, replicaSet(0, {}, AT(1)), all[1]!),
    ],
    [undefined, undefined, undefined, undefined],
  );
  assert.is(revisions({}, replicaSet(1, {}, AT(1), PROBED, { ownerReferences: [{ uid: 'x' }] }), all[1]!), undefined, 'of another owner');
});
test('whether the previous revision of a Deployment worked', () => {
  const of = (status: object, spec: object = PROBED) => revisions(status, replicaSet(1, {}, AT(1), spec), replicaSet(2, {}, AT(3)))?.worked;
  assert.equal(
    [
      of(available('False', 4)),
      of(available('False', 3)),
      of(available('False', 2)),
      of(available('True', 4)),
      of({}),
      of(available('False', 4), { containers: [{ name: 'app', image: 'a' }] }),
    ],
    [true, true, false, false, false, false],
  );
  const steady = (status: object, spec: object) =>
    revisions(status, replicaSet(1, { readyReplicas: 1, replicas: 1 }, AT(1), spec), replicaSet(2, {}, AT(3)))?.serving;
  const BARE = { containers: [{ name: 'app', image: 'a' }] };
  assert.equal(
    [
      steady(available('True', 2), BARE),
      steady(available('True', 3), BARE),
      steady(available('True', 4), BARE),
      steady(available('False', 2), BARE),
      steady({}, BARE),
      steady(available('True', 4), PROBED),
    ],
    [1, 1, 0, 0, 1, 1],
  );
  const waits = (minReadySeconds: number) =>
    revisionsOf(deployment({}, { minReadySeconds }, available('True', 4)), [
      replicaSet(1, { readyReplicas: 1 }, AT(1), BARE),
      replicaSet(2, {}, AT(3)),
    ])?.serving;
  assert.equal([waits(9), waits(10)], [0, 1]);
});
const kept = (number: number, minute: number) =>
  ({
    kind: 'ControllerRevision',
    revision: number,
    metadata: { name: `r${number}`, ownerReferences: [{ uid: 'u' }], creationTimestamp: AT(minute) },
    data: { spec: { template: { spec: PROBED } } },
  }) as never;
const set = (status: object, kind = 'StatefulSet', ...history: never[]) =>
  revisionsOf({ ...deployment({}, {}, status), kind }, history.length > 0 ? history : [kept(1, 1), kept(2, 2), kept(3, 3)]);
test('the revisions of a set', () => {
  const found = set({ currentRevision: 'r2', updateRevision: 'r3', currentReplicas: 2, readyReplicas: 1 });
  assert.equal(found && [found.before, found.serving, found.worked, found.hash], [2, 1, true, 'r3']);
  assert.equal(
    [
      set({ currentRevision: 'r2', updateRevision: 'r3' })?.worked,
      set({ currentRevision: 'r1', updateRevision: 'r3' })?.worked,
      set({ currentRevision: 'r2', updateRevision: 'r2' })?.worked,
    ],
    [true, false, false],
  );
  assert.is(
    set({ currentRevision: 'r1', updateRevision: 'r2' }, 'StatefulSet', kept(1, 1), kept(2, 2))?.worked,
    false,
    'the first one is current from the start',
  );
  assert.equal(
    [
      set({ numberReady: 3, updatedNumberScheduled: 1 }, 'DaemonSet')?.serving,
      set({ numberReady: 1, updatedNumberScheduled: 1 }, 'DaemonSet')?.serving,
    ],
    [2, 0],
  );
  assert.is(revisionsOf({ ...deployment({}), kind: 'Job' }, [kept(1, 1), kept(2, 2)]), undefined);
});

test.run();
