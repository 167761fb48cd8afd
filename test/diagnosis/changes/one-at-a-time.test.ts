import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest, crashed } from '../../support/builders/cases.ts';

const test = suite('pods of one workload that need each other, or something that only one can have');

const LOCKED = 'level=error err="opening storage failed: lock DB directory: resource temporarily unavailable"';
const CLAIM = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'tsdb' } }] };
const MOUNT = { volumeMounts: [{ name: 'data', mountPath: '/data' }] };
const UPDATE = { replicas: 2, updatedReplicas: 1, readyReplicas: 1 };
const ROLLING = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } };

const firstOf = (logs: string, owner: object, volumes: object = CLAIM) => {
  const subject = aCase({ status: crashed(), logs, manifest: aPodManifest(MOUNT, volumes) });
  const [one] = diagnose({ ...subject, owner: { metadata: { name: 'web' }, ...owner } as KubeObject }).corrections;
  return one && [one.confidence, ...one.changes.map(({ path, to, of }) => [path, to, of])];
};
const deployment = (spec: object, status: object = UPDATE) => ({
  kind: 'Deployment',
  spec: { replicas: 1, strategy: ROLLING, ...spec },
  status,
});

const RECREATE = ['likely', ['spec.strategy', { type: 'Recreate' }, 'owner']];
for (const line of [
  LOCKED,
  'Error: IO error: While lock file: /data/LOCK: Resource temporarily unavailable',
  'sqlite3.OperationalError: database is locked',
])
  test(`the old pod of an update holds the lock: ${line.slice(0, 40)}`, () => assert.equal(firstOf(line, deployment({})), RECREATE));

test('several replicas can never all have one lock', () =>
  assert.equal(firstOf(LOCKED, deployment({ replicas: 3 })), ['guess', ['spec.replicas', 1, 'owner']]));

const SILENT: [sentence: string, owner: object, volumes?: object][] = [
  ['it ends old pods first already', deployment({ strategy: { type: 'Recreate' } })],
  ['no older pod is there', deployment({}, { replicas: 1, updatedReplicas: 1, readyReplicas: 0 })],
  ['only this pod has the data', deployment({}), { volumes: [{ name: 'data', emptyDir: {} }] }],
  ['each pod has a claim of its own', { kind: 'StatefulSet', spec: { replicas: 1 }, status: UPDATE }],
];
for (const [sentence, owner, volumes] of SILENT)
  test(`no change of the owner: ${sentence}`, () => assert.is(firstOf(LOCKED, owner, volumes), undefined));

const PEERS = [
  'WARN  Cannot open channel to 2 at election address zk-1.zk:3888 (java.net.UnknownHostException: zk-1.zk)',
  'WARN  Cannot open channel to 3 at election address zk-2.zk:3888 (java.net.UnknownHostException: zk-2.zk)',
].join('\n');
const set = (spec: object, status: object = { replicas: 1 }) => ({
  kind: 'StatefulSet',
  metadata: { name: 'zk' },
  spec: { replicas: 3, ...spec },
  status,
});
const member = (pod: string, logs: string, owner: object, reason = 'Unhealthy') => {
  const unready = {
    pod_name: pod,
    failure_reason: 'Unhealthy',
    status: { state: 'running' },
    events: [{ type: 'Warning', reason: 'Unhealthy', message: 'Readiness probe failed: not serving' }],
  };
  const manifest = aPodManifest({ readinessProbe: { exec: { command: ['ready'] } } });
  const parts = reason === 'Unhealthy' ? unready : { pod_name: pod, status: crashed() };
  return diagnose({ ...aCase({ ...parts, logs, manifest }), owner: owner as KubeObject });
};

test('a member waits for members that wait for it', () => {
  const { culprit, corrections, summary, advice } = member('zk-0', PEERS, set({}));
  assert.is(culprit, 'podManagementPolicy OrderedReady: zk-0 waits for zk-1, zk-2');
  assert.equal(corrections, []);
  assert.match(summary, /starts only after `zk-0` is ready/);
  assert.match(advice.join(), /Parallel.*publishNotReadyAddresses/);
  const crash = 'FATAL: getaddrinfo zk-1.zk.shop.svc.cluster.local: no such host';
  assert.is(member('zk-0', crash, set({}), 'CrashLoopBackOff').culprit, 'podManagementPolicy OrderedReady: zk-0 waits for zk-1');
});

const ALONE: [sentence: string, pod: string, logs: string, owner: object][] = [
  ['all start at once', 'zk-0', PEERS, set({ podManagementPolicy: 'Parallel' })],
  ['the others are there', 'zk-0', PEERS, set({}, { replicas: 3 })],
  ['it misses one that came before', 'zk-1', PEERS.split('\n')[0] ?? '', set({}, { replicas: 2 })],
  ['it misses no member', 'zk-0', 'cannot reach zk-10.other and my-zk-1', set({})],
  ['a member is only named', 'zk-0', 'INFO members: zk-0, zk-1, zk-2', set({})],
  ['it is the last one', 'zk-2', PEERS, set({}, { replicas: 3 })],
];
for (const [sentence, pod, logs, owner] of ALONE)
  test(`the order is not the cause: ${sentence}`, () => assert.not.match(member(pod, logs, owner).culprit ?? '', /OrderedReady/));

test.run();
