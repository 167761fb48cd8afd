import { test } from 'uvu';
import * as assert from 'uvu/assert';
import Value from 'typebox/value';
import type { ObjectMeta } from '../../../src/crd/kubernetes.ts';
import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorHash, isMirrorPod } from '../../../src/crd/mirrorpod.ts';
import { ContainerEvidence, EventEvidence } from '../../../src/contract/failure.ts';
import { containerEvidence, eventEvidence } from '../../../src/failures/detect/evidence.ts';
import { capture, captureNames } from '../../support/expected/recordings.ts';
import { aPod, after, anEvent } from '../../support/builders/pod.ts';

test('the evidence of a container that waits after a crash holds both', () => {
  const terminated = { exitCode: 137, signal: 9, reason: 'OOMKilled', startedAt: after(1), finishedAt: after(2) };
  const pod = aPod({
    app: {
      ready: false,
      restartCount: 1,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } },
      lastState: { terminated },
    },
  });
  assert.equal(containerEvidence(pod), [
    {
      name: 'app',
      kind: 'app',
      image: 'web:1',
      ready: false,
      restart_count: 1,
      state: 'waiting',
      reason: 'CrashLoopBackOff',
      message: 'back-off',
      last_state: { state: 'terminated', exit_code: 137, signal: 9, reason: 'OOMKilled', started_at: after(1), finished_at: after(2) },
    },
  ]);
});

test('containers stand in the order they start, with their kinds', () => {
  const status = (name: string) => ({ name, image: 'x', ready: true, restartCount: 0, state: { running: {} } });
  const pod = aPod({
    spec: { initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }] },
    status: { initContainerStatuses: [status('proxy'), status('migrate')], containerStatuses: [status('app')] },
  });
  assert.equal(
    containerEvidence(pod).map(({ name, kind }) => `${kind} ${name}`),
    ['init migrate', 'sidecar proxy', 'app app'],
  );
});

test('events stand oldest first, with newer writers read too, without our own', () => {
  const series = {
    metadata: {},
    reason: 'FailedScheduling',
    message: 'x',
    eventTime: '2026-01-01T00:00:05.123456Z',
    series: { count: 7, lastObservedTime: '2026-01-01T00:01:00.5Z' },
    reportingComponent: 'default-scheduler',
  };
  const events = eventEvidence([series, anEvent('BackOff', 'y', 9), anEvent('Mirrored', 'z', 1, { reportingComponent: 'podmend' })]);
  assert.equal(
    events.map(({ reason, count, first_timestamp, timestamp, source }) => [reason, count, first_timestamp, timestamp, source]),
    [
      ['BackOff', 1, '2026-01-01T00:00:09.000Z', '2026-01-01T00:00:09.000Z', 'kubelet'],
      ['FailedScheduling', 7, '2026-01-01T00:00:05.123Z', '2026-01-01T00:01:00.500Z', 'default-scheduler'],
    ],
  );
});

test('what a real node wrote fits the contract', () => {
  for (const name of captureNames()) {
    const { pod, events } = capture(name);
    for (const status of pod ? containerEvidence(pod) : [])
      assert.ok(Value.Check(ContainerEvidence, status), `${name}: ${JSON.stringify(status)}`);
    for (const event of eventEvidence(events)) assert.ok(Value.Check(EventEvidence, event), `${name}: ${JSON.stringify(event)}`);
  }
});

const uid = '6d0ecb6c-7f4b-4a2c-9d5a-000000000001';
const mirror = (over: Partial<ObjectMeta> = {}) =>
  aPod({
    name: `app-mirror-${mirrorHash(uid)}`,
    metadata: {
      labels: { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: uid },
      ownerReferences: [{ apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', name: 'm', uid, controller: true }],
      ...over,
    },
  });

const owner = { apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', name: 'm', uid, controller: true };
const mirrors: [sentence: string, over: Partial<ObjectMeta>, is: boolean][] = [
  ['label, owner and name', {}, true],
  ['no label', { labels: {} }, false],
  ['label and name of a mirror, but no owner any more', { ownerReferences: [] }, true],
  ['a label alone', { ownerReferences: [], name: 'app' }, false],
  ['a name that only ends like that of a mirror', { name: `app-${mirrorHash(uid)}` }, false],
  ['the label of another', { labels: { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: 'other' } }, false],
  ['an owner that does not control', { ownerReferences: [{ ...owner, controller: false }] }, false],
  ['an owner of another group', { ownerReferences: [{ ...owner, apiVersion: 'evil.dev/v1' }] }, false],
  ['an owner of another kind', { ownerReferences: [{ ...owner, kind: 'ReplicaSet' }] }, false],
  ['a name of its own', { name: 'app' }, false],
];
for (const [sentence, over, is] of mirrors)
  test(`a pod with ${sentence} is ${is ? 'a' : 'no'} mirror`, () => assert.is(isMirrorPod(mirror(over)), is));

test('a container that the spec names without an image has that of its status', () => {
  const pod = aPod({ spec: { containers: [{ name: 'app' }] }, app: { image: 'web:2' } });
  assert.equal(
    containerEvidence(pod).map(({ image }) => image),
    ['web:2'],
  );
});

test.run();
