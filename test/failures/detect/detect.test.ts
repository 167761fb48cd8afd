import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent, Pod } from '../../../src/crd/kubernetes.ts';
import { detectControllerFailure, detectFailure } from '../../../src/failures/detect/detect.ts';
import { containerEvidence, eventEvidence } from '../../../src/failures/detect/evidence.ts';
import { type Family, familyOf } from '../../../src/failures/policy/family.ts';
import { type Capture, capture, captureNames, newestInstant } from '../../support/expected/recordings.ts';

const PAST = { pendingSeconds: 0, unreadySeconds: 0 };

/** For each recording: the label and family of its pod (none: healthy), and the label of its controllers. */
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

/** For our own recordings (`test/captures-own`): the label of the pod and of its controllers (none: healthy). */
const OWN: Record<string, { pod?: string; controller?: string }> = {
  'crash-once': {},
  'deployment-policy': { controller: 'FailedCreate' },
  'deployment-runtime-class': { controller: 'FailedCreate' },
  'exit-zero-loop': { pod: 'CrashLoopBackOff' },
  'healthy-deleted': {},
  'healthy-restarted': {},
  'healthy-sidecar-job': {},
  'healthy-slow-start': {},
  'healthy-unready-once': {},
  'image-user-unknown': { pod: 'CreateContainerError' },
  'image-wrong-format': { pod: 'CrashLoopBackOff' },
  'init-script-not-executable': { pod: 'StartError' },
  'init-slow': {},
  'init-waiting': { pod: 'PodInitializing' },
  'job-deadline': { controller: 'DeadlineExceeded' },
  'liveness-grpc': { pod: 'Unhealthy' },
  'liveness-slow-start': { pod: 'Unhealthy' },
  'liveness-timeout': { pod: 'Unhealthy' },
  'memory-too-small': { pod: 'FailedCreatePodSandBox' },
  'mount-image-missing': { pod: 'ImagePullBackOff' },
  'mount-nfs': { pod: 'FailedMount' },
  'post-start-http': { pod: 'PostStartHookError' },
  'readiness-timeout': { pod: 'Unhealthy' },
  'rejected-sysctl': { pod: 'SysctlForbidden' },
  'script-interpreter-missing': { pod: 'CrashLoopBackOff' },
  'seccomp-profile-missing': { pod: 'CreateContainerError' },
  'service-account-missing': { controller: 'FailedCreate' },
  'sidecar-crash-loop': { pod: 'CrashLoopBackOff' },
  'sidecar-image-missing': { pod: 'ImagePullBackOff' },
  'startup-probe-failing': { pod: 'Unhealthy' },
  'subpath-file': { pod: 'StartError' },
  'subpath-key-missing': { pod: 'CrashLoopBackOff' },
  'unschedulable-scheduler': { pod: 'Unschedulable' },
  'unschedulable-spread': { pod: 'Unschedulable' },
  'working-dir-file': { pod: 'StartError' },
  'shop-accounts': { pod: 'CrashLoopBackOff' },
  'shop-cart': { pod: 'CreateContainerConfigError' },
  'shop-catalog': { pod: 'Unhealthy' },
  'shop-checkout': { pod: 'ImagePullBackOff' },
  'shop-inventory': { pod: 'Unschedulable' },
  'shop-ledger': { pod: 'CrashLoopBackOff' },
  'shop-mailer': { pod: 'StartError' },
  'shop-payments': { pod: 'Unhealthy' },
  'shop-recommendations': { pod: 'OOMKilled' },
  'shop-shipping': {},
  'shop-storefront': {},
  'shop-storefront-preview': { controller: 'FailedCreate' },
  'shop-tax': { pod: 'CrashLoopBackOff' },
  'story-restart': { pod: 'StartError' },
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

recorded('every recording of our own has an expectation', () => {
  assert.equal(captureNames('captures-own').sort(), Object.keys(OWN).sort());
});

for (const [name, expected] of Object.entries(OWN)) {
  recorded(`${name} → ${expected.pod ?? expected.controller ?? 'well'}`, () => {
    const { pod, events, others } = capture(name, 'captures-own');
    const now = newestInstant(pod, events, others);
    assert.is(pod && detectFailure({ pod, events, now, graces: PAST })?.reason, expected.pod);
    const controllers = others.flatMap((object) => detectControllerFailure({ object, events, now, graces: PAST })?.reason ?? []);
    assert.equal(controllers, expected.controller ? [expected.controller] : []);
  });
}

/** The pod at one line of a timeline. The timeline writes a condition as `status reason message`. */
function podAt(pod: Pod, { status }: Capture['timeline'][number]): Pod {
  const {
    conditions = {},
    containers,
    initContainers,
    ...rest
  } = status as Record<string, never> & { conditions?: Record<string, string> };
  const listed = Object.entries(conditions).map(([type, text]) => {
    const [is = '', reason = '', ...message] = text.split(' ');
    return { type, status: is, reason, message: message.join(' '), lastTransitionTime: pod.metadata.creationTimestamp ?? '' };
  });
  return {
    ...pod,
    status: { ...rest, conditions: listed, containerStatuses: containers ?? [], initContainerStatuses: initContainers ?? [] },
  };
}

const USUAL = { pendingSeconds: 120, unreadySeconds: 60 };
const EVERY = [
  ...Object.entries(RECORDED).map(([name, { pod }]) => ({ name, folder: 'captures', reason: pod?.[0] })),
  ...Object.entries(OWN).map(([name, { pod }]) => ({ name, folder: 'captures-own', reason: pod })),
];

for (const { name, folder, reason } of EVERY) {
  recorded(`${name}: no state on the way is called anything but ${reason ?? 'well'}`, () => {
    const { pod, events, timeline } = capture(name, folder);
    if (!pod) return;
    const begun = Date.parse(pod.metadata.creationTimestamp ?? '');
    const isWell = reason === undefined;
    const { deletionTimestamp: _gone, ...metadata } = pod.metadata;
    // A pod that is healthy in the end may fail for a moment. The usual grace times ignore that.
    const forgiving = isWell && folder === 'captures-own' ? [USUAL] : [PAST, USUAL];
    for (const state of timeline.filter((one) => one.pod === pod.metadata.name)) {
      const now = new Date(begun + state.seconds * 1000 + 999);
      const known = events.filter((event) => newestInstant(event.firstTimestamp ?? event.lastTimestamp, event.eventTime) <= now);
      for (const graces of forgiving) {
        const found = detectFailure({
          pod: podAt({ ...pod, metadata: isWell ? pod.metadata : metadata }, state),
          events: known,
          now,
          graces,
        });
        // PodInitializing does not count: an init container may still run, and a preempted pod fails only when its status says so.
        if (found && found.reason !== 'PodInitializing') assert.is(found.reason, reason, `after ${state.seconds} s`);
      }
    }
  });
}

recorded.run();

const hook = suite('a postStart hook that does not end');
const STARTED = '2026-01-01T00:00:00Z';
const HOOKED: [sentence: string, reason: string, newest: string, seconds: number, expected: string | undefined][] = [
  ['started a minute ago', 'ContainerCreating', 'Started', 60, 'PostStartHookError'],
  ['started a moment ago', 'ContainerCreating', 'Started', 59, undefined],
  ['created, and not started yet', 'ContainerCreating', 'Created', 600, undefined],
  ['an init container runs', 'PodInitializing', 'Started', 600, undefined],
];
for (const [sentence, reason, newest, seconds, expected] of HOOKED)
  hook(sentence, () => {
    const pod = {
      kind: 'Pod',
      metadata: { name: 'web', namespace: 'shop', uid: 'u' },
      spec: { containers: [{ name: 'app' }] },
      status: { phase: 'Pending', containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason } } }] },
    } as Pod;
    const event = {
      kind: 'Event',
      metadata: { name: 'e', namespace: 'shop' },
      involvedObject: { kind: 'Pod', name: 'web', namespace: 'shop', uid: 'u', fieldPath: 'spec.containers{app}' },
      ...{ reason: newest, message: `Container ${newest}`, lastTimestamp: STARTED },
    } as CoreEvent;
    const now = new Date(Date.parse(STARTED) + seconds * 1000);
    assert.is(detectFailure({ pod, events: [event], now, graces: { pendingSeconds: 10, unreadySeconds: 10 } })?.reason, expected);
  });
hook.run();
