import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec } from '../../../src/crd/kubernetes.ts';
import { mirrorHash, mirrorPodName, isMirrorPod } from '../../../src/crd/mirrorpod.ts';
import { isolate, type Isolation } from '../../../src/mirrors/policy/isolated-pod.ts';
import { completeTemplate } from '../../../src/mirrors/policy/read-template.ts';
import { hashTemplate, notesOf, replacedVolumes } from '../../../src/mirrors/policy/mirror-notes.ts';
import { aMirrorPod, aSource, aTemplate } from '../../support/builders/mirror.ts';

const UNKNOWN = { containers: [], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 };

const made = (spec: Partial<PodSpec> = {}, over: Partial<Isolation> = {}) =>
  isolate({
    mirror: aMirrorPod(),
    source: aSource(),
    template: aTemplate(spec),
    neighbours: { unsharedClaims: [], hasPriorityClass: false },
    secondsLeft: 100.9,
    notes: { templateHash: 'abc', history: UNKNOWN },
    ...over,
  });

test('labels become annotations, only our own labels remain, and agents recognise the pod', () => {
  const pod = made();
  assert.equal(pod.metadata.labels, { 'podmend.dev/mirror': 'true', 'podmend.dev/mirror-of': 'uid-try' });
  assert.is(pod.metadata.annotations?.['app'], 'web');
  assert.is(isMirrorPod(pod), true);
  assert.equal(
    pod.metadata.ownerReferences?.map(({ kind, uid, controller }) => [kind, uid, controller]),
    [['MirrorPod', 'uid-try', true]],
  );
});

test('a label never becomes an annotation that a tool or Podmend obeys', () => {
  const label = 'container.apparmor.security.beta.kubernetes.io/app';
  const annotations = made({}, { template: aTemplate({}, { app: 'web', [label]: 'unconfined', 'podmend.dev/failure': '9' }) }).metadata
    .annotations;
  assert.is(annotations?.['app'], 'web');
  assert.is(annotations?.[label], undefined);
  assert.is(annotations?.['podmend.dev/failure'], undefined);
  assert.equal(JSON.parse(annotations?.['podmend.dev/source-labels'] ?? ''), { [label]: 'unconfined', 'podmend.dev/failure': '9' });
});

test('names fit into 63 characters and end in the hash of the owner', () => {
  assert.is(mirrorPodName('web', 'uid-try'), `web-mirror-${mirrorHash('uid-try')}`);
  for (const source of ['a'.repeat(253), `${'a'.repeat(46)}.b`, `${'a'.repeat(46)}--b`]) {
    const name = mirrorPodName(source, 'u');
    assert.ok(name.length <= 63, name);
    assert.match(name, /^a+-mirror-[0-9a-f]{8}$/);
  }
});

test('what API servers, schedulers and the host added is removed', () => {
  const token = { name: 'kube-api-access-x1', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
  const { spec } = made({
    nodeName: 'node-1',
    priority: 5,
    priorityClassName: 'high',
    preemptionPolicy: 'Never',
    readinessGates: [{ conditionType: 'x' }],
    ephemeralContainers: [{}],
    volumes: [token, { name: 'data', emptyDir: {} }],
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'team', operator: 'Exists' },
    ],
    containers: [
      {
        name: 'app',
        image: 'web:1',
        ports: [{ containerPort: 80, hostPort: 80, hostIP: '0.0.0.0', name: 'http' }],
        volumeMounts: [
          { name: 'kube-api-access-x1', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
          { name: 'data', mountPath: '/data' },
        ],
      },
    ],
  });
  assert.equal(spec, {
    containers: [
      { name: 'app', image: 'web:1', ports: [{ containerPort: 80, name: 'http' }], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    ],
    volumes: [{ name: 'data', emptyDir: {} }],
    tolerations: [{ key: 'team', operator: 'Exists' }],
    terminationGracePeriodSeconds: 10,
    activeDeadlineSeconds: 100,
  });
});

test('annotations that mark a tool’s own objects are dropped, others are copied', () => {
  const template = aTemplate();
  template.metadata = {
    annotations: { 'argocd.argoproj.io/tracking-id': 'x', 'kubernetes.io/config.mirror': 'x', 'podmend.dev/failure': '9', note: 'kept' },
  };
  const annotations = made({}, { template }).metadata.annotations ?? {};
  assert.equal(Object.keys(annotations).sort(), [
    'note',
    'podmend.dev/source-history',
    'podmend.dev/source-pod',
    'podmend.dev/template-hash',
  ]);
});

test('the smaller deadline and the shorter grace period apply', () => {
  const rows: [Partial<PodSpec>, number, number][] = [
    [{ activeDeadlineSeconds: 30, terminationGracePeriodSeconds: 3 }, 30, 3],
    [{ activeDeadlineSeconds: 3000, terminationGracePeriodSeconds: 300 }, 100, 10],
  ];
  for (const [spec, deadline, grace] of rows) {
    const pod = made(spec).spec;
    assert.equal([pod.activeDeadlineSeconds, pod.terminationGracePeriodSeconds], [deadline, grace]);
  }
  assert.is(made({}, { secondsLeft: 0.2 }).spec.activeDeadlineSeconds, 1);
});

test('claims that cannot be shared are replaced, and the pod says so', () => {
  const volumes = ['own', 'shared'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } }));
  const pod = made({ volumes }, { neighbours: { unsharedClaims: ['own'], hasPriorityClass: true } });
  assert.equal(pod.spec.volumes, [{ name: 'own', emptyDir: {} }, volumes[1]]);
  assert.equal(replacedVolumes(pod), ['own']);
  assert.is(pod.spec.priorityClassName, 'podmend-mirror');
});

test('what a verdict needs is read back from the pod, whatever people did to it', () => {
  const history = { containers: [{ name: 'app', hasRun: true, memoryLimit: 1024 }], knownRuns: 2, endedRuns: 3, longestRunSeconds: 12.5 };
  const notes = {
    templateHash: 'abc',
    history,
    backoffLimit: 4,
    failureId: 7,
    reasonBefore: 'OOMKilled',
    correction: { origin: 'Rules' as const },
  };
  const pod = made({}, { notes });
  assert.equal(notesOf(pod), notes);
  const spoilt = {
    ...pod,
    metadata: {
      annotations: { 'podmend.dev/failure': 'x', 'podmend.dev/source-history': '{"knownRuns":-1}', 'podmend.dev/correction': '{' },
    },
  };
  assert.equal(notesOf(spoilt), { templateHash: '', history: UNKNOWN });
});

test('a template without a service account or images takes those of the source', () => {
  const source = aTemplate({ serviceAccountName: 'shop' });
  const complete = completeTemplate({ spec: { containers: [{ name: 'app' }, { name: 'new', image: 'x' }] } }, source).spec;
  assert.equal([complete.serviceAccountName, complete.containers.map(({ image }) => image)], ['shop', ['web:1', 'x']]);
  assert.is(completeTemplate(aTemplate({ serviceAccountName: 'own' }), source).spec.serviceAccountName, 'own');
});

test('the hash depends on what runs, not on how it is written', () => {
  const hash = hashTemplate({ spec: { containers: [{ name: 'a', image: 'b' }], hostname: 'h' } });
  assert.is(hashTemplate({ spec: { hostname: 'h', containers: [{ image: 'b', name: 'a' }] } }), hash);
  assert.is.not(hashTemplate({ spec: { hostname: 'i', containers: [{ image: 'b', name: 'a' }] } }), hash);
});

test.run();
