import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent, Pod } from '../../src/crd/kubernetes.ts';
import { judge, secondsToFail, type VerdictView } from '../../src/mirrors/verdict.ts';
import { aMirrorsPod, at, atText, BORN } from '../support/mirror.ts';

const test = suite('verdict');

const view = (pod: Pod, over: Partial<VerdictView> = {}): VerdictView => ({
  pod,
  events: [],
  now: at(60),
  graces: { pendingSeconds: 120, unreadySeconds: 60 },
  ttlSeconds: 180,
  jobLike: false,
  failSeconds: 0,
  ...over,
});

const ended = (exitCode: number, reason: string, restartCount = 0): Pod =>
  aMirrorsPod({
    ready: false,
    containerStatuses: [
      {
        name: 'app',
        ready: false,
        restartCount,
        image: 'web:1',
        state: { terminated: { exitCode, reason, startedAt: BORN, finishedAt: atText(3) } },
      },
    ],
  });
const waiting = (reason: string): Pod =>
  aMirrorsPod({
    phase: 'Pending',
    ready: false,
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: 'web:1', state: { waiting: { reason, message: reason } } }],
  });
const slowInit = aMirrorsPod({
  phase: 'Pending',
  ready: false,
  initContainerStatuses: [{ name: 'migrate', ready: false, restartCount: 0, image: 'web:1', state: { running: { startedAt: BORN } } }],
  containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: 'web:1', state: { waiting: { reason: 'PodInitializing' } } }],
});
slowInit.spec.initContainers = [{ name: 'migrate', image: 'web:1' }];
const unschedulable = (message: string): Pod => {
  const pod = aMirrorsPod({
    phase: 'Pending',
    containerStatuses: [],
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime: BORN }],
  });
  delete pod.spec.nodeName;
  return pod;
};
const restarted = aMirrorsPod({
  containerStatuses: [{ name: 'app', ready: true, restartCount: 1, image: 'web:1', state: { running: { startedAt: atText(55) } } }],
});
const unready = (kind: string): { pod: Pod; events: CoreEvent[] } => ({
  pod: aMirrorsPod({ ready: false }, { uid: 'uid-pod' }),
  events: [
    {
      metadata: {},
      type: 'Warning',
      reason: 'Unhealthy',
      message: `${kind} probe failed: connection refused`,
      lastTimestamp: atText(59),
      firstTimestamp: atText(5),
      count: 9,
      involvedObject: { kind: 'Pod', name: 'web-mirror-12345678', namespace: 'shop', uid: 'uid-pod', fieldPath: 'spec.containers{app}' },
    },
  ],
});
const replaced = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, annotations: { 'podmend.dev/replaced-volumes': 'data' } } });

const CASES: [what: string, view: VerdictView, verdict: string, reason: string][] = [
  ['Ready for longer than 10 s', view(aMirrorsPod(), { now: at(11) }), 'Fixed', 'PodReady'],
  ['Ready for 9 s', view(aMirrorsPod(), { now: at(9) }), 'not yet', ''],
  ['Ready for a minute where the source failed after one', view(aMirrorsPod(), { failSeconds: 60 }), 'not yet', ''],
  ['Ready for longer than the source lived', view(aMirrorsPod(), { failSeconds: 60, now: at(73) }), 'Fixed', 'PodReady'],
  ['Ready for less than a kubelet takes to evict', view(aMirrorsPod(), { reasonBefore: 'Evicted', now: at(24) }), 'not yet', ''],
  ['Ready for longer than a kubelet takes to evict', view(aMirrorsPod(), { reasonBefore: 'Evicted', now: at(26) }), 'Fixed', 'PodReady'],
  ['Ready, but its container started again a moment ago', view(restarted), 'not yet', ''],
  ['running, not Ready, within the grace time', view(aMirrorsPod({ ready: false }), { now: at(20) }), 'not yet', ''],
  [
    'failing its readiness probe past a quarter of its time',
    view(unready('Readiness').pod, { events: unready('Readiness').events }),
    'StillFailing',
    'Unhealthy',
  ],
  ['crashed once, to be restarted', view(ended(1, 'Error', 0)), 'StillFailing', 'CrashLoopBackOff'],
  ['killed for its memory', view(ended(137, 'OOMKilled', 1)), 'StillFailing', 'OOMKilled'],
  ['image not found', view(waiting('ErrImagePull')), 'StillFailing', 'ImagePullBackOff'],
  ['creating its container', view(waiting('ContainerCreating'), { now: at(5) }), 'not yet', ''],
  ['a slow init container of a source that crashed', view(slowInit, { reasonBefore: 'CrashLoopBackOff', now: at(119) }), 'not yet', ''],
  [
    'the same past the usual grace time',
    view(slowInit, { reasonBefore: 'CrashLoopBackOff', now: at(121) }),
    'StillFailing',
    'PodInitializing',
  ],
  [
    'the same on a busy node, however short the grace time is',
    view(slowInit, { reasonBefore: 'Error', graces: { pendingSeconds: 3, unreadySeconds: 3 }, now: at(29) }),
    'not yet',
    '',
  ],
  [
    'the same past what a busy node may take',
    view(slowInit, { reasonBefore: 'Error', graces: { pendingSeconds: 3, unreadySeconds: 3 }, now: at(31) }),
    'StillFailing',
    'PodInitializing',
  ],
  [
    'the same past three quarters of its time',
    view(slowInit, { reasonBefore: 'CrashLoopBackOff', ttlSeconds: 60, now: at(46) }),
    'StillFailing',
    'PodInitializing',
  ],
  ['an init container as slow as its source', view(slowInit, { reasonBefore: 'PodInitializing' }), 'StillFailing', 'PodInitializing'],
  ['job-like and completed', view(aMirrorsPod({ phase: 'Succeeded', ready: false }), { jobLike: true }), 'Fixed', 'PodCompleted'],
  ['job-like and running', view(aMirrorsPod(), { jobLike: true }), 'not yet', ''],
  ['ended at its deadline', view(aMirrorsPod({ phase: 'Failed', reason: 'DeadlineExceeded', ready: false })), 'Inconclusive', 'TimeOver'],
  ['preempted', view(aMirrorsPod({ phase: 'Failed', reason: 'Preempting', ready: false })), 'Inconclusive', 'NotComparable'],
  [
    'evicted, which the source was not',
    view(aMirrorsPod({ phase: 'Failed', reason: 'Evicted', ready: false })),
    'Inconclusive',
    'NotComparable',
  ],
  [
    'evicted like its source',
    view(aMirrorsPod({ phase: 'Failed', reason: 'Evicted', ready: false }), { reasonBefore: 'Evicted' }),
    'StillFailing',
    'Evicted',
  ],
  ['no room for a second copy', view(unschedulable('0/1 nodes are available: 1 Insufficient cpu.')), 'Inconclusive', 'NotComparable'],
  [
    'no room, like its source',
    view(unschedulable('0/1 nodes are available: 1 Insufficient cpu.'), { reasonBefore: 'Unschedulable' }),
    'StillFailing',
    'Unschedulable',
  ],
  [
    'no room, like its source, which its node refused',
    view(unschedulable('0/1 nodes are available: 1 Insufficient cpu.'), { reasonBefore: 'OutOfcpu' }),
    'StillFailing',
    'Unschedulable',
  ],
  [
    'repelled by its own source',
    view(unschedulable("0/1 nodes: 1 node(s) didn't match pod anti-affinity rules."), { reasonBefore: 'Unschedulable' }),
    'Inconclusive',
    'NotComparable',
  ],
  [
    'a port of the node is taken',
    view(unschedulable("0/1 nodes: 1 node(s) didn't have free ports"), { reasonBefore: 'Unschedulable' }),
    'Inconclusive',
    'NotComparable',
  ],
  ['Ready on an empty volume', view(replaced(aMirrorsPod())), 'Inconclusive', 'VolumeReplaced'],
  ['crashing on an empty volume', view(replaced(ended(1, 'Error'))), 'Inconclusive', 'VolumeReplaced'],
];
for (const [what, seen, verdict, reason] of CASES)
  test(`${what}: ${verdict}`, () => {
    const { judgement } = judge(seen);
    assert.equal([judgement?.verdict ?? 'not yet', judgement?.reason ?? ''], [verdict, reason]);
  });

test('says when time alone will tell', () => {
  assert.equal(judge(view(aMirrorsPod(), { now: at(4) })).lookAgainAt, at(10));
  assert.equal(judge(view(aMirrorsPod(), { now: at(4), failSeconds: 100 })).lookAgainAt, at(120));
});

test('tells the old reason beside the new one', () => {
  const told = (reasonBefore?: string) => judge(view(ended(137, 'OOMKilled', 1), reasonBefore ? { reasonBefore } : {})).judgement?.message;
  assert.is(told('OOMKilled'), 'The mirror fails as before: OOMKilled in container app.');
  assert.is(told('ImagePullBackOff'), 'The mirror no longer shows ImagePullBackOff, but fails: OOMKilled in container app.');
  assert.is(told(), 'The mirror fails: OOMKilled in container app.');
});

test('reads how long the source ran from its last failure', () => {
  const run = (from: number, to: number, exit_code: number) => ({
    state: 'terminated',
    exit_code,
    started_at: atText(from),
    finished_at: atText(to),
  });
  assert.is(secondsToFail([{ name: 'app', last_state: run(0, 42, 1) }]), 42);
  assert.is(secondsToFail([{ name: 'app', ...run(0, 5, 1), last_state: run(10, 40, 1) }]), 30);
  assert.is(secondsToFail([{ name: 'init', ...run(0, 300, 0) }]), 0, 'a container that ended well');
  assert.is(
    secondsToFail([{ name: 'app', state: 'terminated', exit_code: 128, started_at: '1970-01-01T00:00:00Z', finished_at: atText(5) }]),
    0,
    'never started',
  );
  assert.is(secondsToFail([]), 0);
});

test.run();
