import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { detectControllerFailure, detectFailure } from '../../src/failures/detect.ts';
import { containerEvidence, eventEvidence } from '../../src/failures/evidence.ts';
import { type Family, familyOf } from '../../src/failures/identity.ts';
import { capture, captureNames, newestInstant } from '../support/captures.ts';

const PAST = { pendingSeconds: 0, unreadySeconds: 0 };

/** Each recording: the label and family of its pod (none for healthy ones), and of its controllers. */
const RECORDED: Record<string, { pod?: [string, Family]; controller?: string }> = {
  'command-missing': { pod: ['StartError', 'start'] },
  'command-missing-once': { pod: ['StartError', 'start'] },
  'command-not-executable': { pod: ['StartError', 'start'] },
  'configmap-key-missing': { pod: ['CreateContainerConfigError', 'create'] },
  'crash-loop': { pod: ['CrashLoopBackOff', 'crash'] },
  'crash-loop-between': { pod: ['CrashLoopBackOff', 'crash'] },
  'deadline-exceeded': { pod: ['DeadlineExceeded', 'node'] },
  'deployment-pod-security': { controller: 'FailedCreate' },
  'deployment-quota': { controller: 'FailedCreate' },
  'deployment-stuck': { pod: ['ImagePullBackOff', 'image'] },
  'evicted-container-storage': { pod: ['Evicted', 'node'] },
  'exit-error': { pod: ['Error', 'crash'] },
  'exit-success': {},
  healthy: {},
  'image-name-invalid': { pod: ['InvalidImageName', 'image'] },
  'image-never-pull': { pod: ['ErrImageNeverPull', 'image'] },
  'image-private': { pod: ['ImagePullBackOff', 'image'] },
  'image-pull-secret-missing': { pod: ['ImagePullBackOff', 'image'] },
  'image-repository-missing': { pod: ['ImagePullBackOff', 'image'] },
  'image-tag-missing': { pod: ['ImagePullBackOff', 'image'] },
  'init-crash-loop': { pod: ['CrashLoopBackOff', 'crash'] },
  'init-error': { pod: ['Error', 'crash'] },
  'job-backoff-limit': { pod: ['Error', 'crash'], controller: 'BackoffLimitExceeded' },
  'liveness-failing': { pod: ['Unhealthy', 'crash'] },
  'mount-configmap-missing': { pod: ['FailedMount', 'volume'] },
  'mount-host-path-missing': { pod: ['FailedMount', 'volume'] },
  'mount-secret-missing': { pod: ['FailedMount', 'volume'] },
  'no-command': { pod: ['CreateContainerError', 'create'] },
  'oom-killed': { pod: ['OOMKilled', 'crash'] },
  'oom-killed-once': { pod: ['OOMKilled', 'crash'] },
  'permission-denied': { pod: ['CrashLoopBackOff', 'crash'] },
  'post-start-failing': { pod: ['PostStartHookError', 'crash'] },
  'pre-stop-failing': { pod: ['Unhealthy', 'crash'] },
  preempted: { pod: ['Preempted', 'node'] },
  'readiness-command': { pod: ['Unhealthy', 'unready'] },
  'readiness-failing': { pod: ['Unhealthy', 'unready'] },
  'readiness-refused': { pod: ['Unhealthy', 'unready'] },
  'rejected-out-of-cpu': { pod: ['OutOfcpu', 'node'] },
  'run-as-root-refused': { pod: ['CreateContainerConfigError', 'create'] },
  'sandbox-runtime-missing': { pod: ['FailedCreatePodSandBox', 'volume'] },
  'scheduling-gated': {},
  'secret-key-missing': { pod: ['CreateContainerConfigError', 'create'] },
  'unschedulable-affinity': { pod: ['Unschedulable', 'waiting'] },
  'unschedulable-claim-missing': { pod: ['Unschedulable', 'waiting'] },
  'unschedulable-claim-unbound': { pod: ['Unschedulable', 'waiting'] },
  'unschedulable-cpu': { pod: ['Unschedulable', 'waiting'] },
  'unschedulable-device': { pod: ['Unschedulable', 'waiting'] },
  'unschedulable-selector': { pod: ['Unschedulable', 'waiting'] },
};

const recorded = suite('what a real node wrote');

recorded('every recording has an expectation', () => {
  assert.equal(captureNames().sort(), Object.keys(RECORDED).sort());
});

for (const [name, expected] of Object.entries(RECORDED)) {
  recorded(`${name} → ${expected.pod?.join(' of ') ?? 'no failing pod'}`, () => {
    const { pod, events } = capture(name);
    if (!pod) return assert.is(expected.pod, undefined);
    const failure = detectFailure({ pod, events, now: newestInstant(pod, events), graces: PAST });
    assert.equal(failure && [failure.reason, failure.family], expected.pod);
    if (!failure) return;
    assert.ok(failure.message, 'says something');
    const report = { container_statuses: containerEvidence(pod), events: eventEvidence(events), container: failure.container ?? null };
    assert.is(familyOf({ reason: failure.reason, ...report }), failure.family, 'the report tells the same family');
  });

  recorded(`${name} → ${expected.controller ?? 'no failing controller'}`, () => {
    const { others, events } = capture(name);
    const found = others
      .filter(({ kind }) => kind !== 'PersistentVolumeClaim')
      .flatMap((object) => detectControllerFailure({ object, events, now: newestInstant(others, events), graces: PAST }) ?? []);
    assert.equal(
      found.map(({ reason }) => reason),
      expected.controller ? [expected.controller] : [],
    );
  });
}

recorded.run();
