import type { CoreEvent, Pod } from '../../../src/crd/kubernetes.ts';
import { detectFailure, type Failure, type Graces } from '../../../src/failures/detect/detect.ts';
import { aPod, after, anEvent, type PodWish } from '../builders/pod.ts';

// Kinds of failing and healthy pods that no recording shows, as old and new kubelets, containerd, CRI-O and controllers write them.

/** Grace times that have already passed, as in a recording. */
export const PAST: Graces = { pendingSeconds: 0, unreadySeconds: 0 };
/** The usual grace times. */
export const LIVE: Graces = { pendingSeconds: 120, unreadySeconds: 60 };
/** The end of a container. */
export const ended = (exitCode: number, reason = 'Error', more = {}) => ({
  exitCode,
  reason,
  startedAt: after(10),
  finishedAt: after(20),
  ...more,
});
/** A container that ended and waits for its restart. */
export const crashed = (exitCode: number, reason?: string, more = {}): PodWish => ({
  app: {
    ready: false,
    started: false,
    restartCount: 2,
    state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 20s restarting failed container=app' } },
    lastState: { terminated: ended(exitCode, reason, more) },
  },
});
/** A container that has not started, and why. */
export const waiting = (reason: string, message?: string): PodWish => ({
  app: { ready: false, started: false, state: { waiting: { reason, ...(message ? { message } : {}) } } },
  status: { phase: 'Pending' },
});
/** A container that has been running and ready since `seconds` after the creation. */
export const running = (seconds: number, more = {}): NonNullable<PodWish['app']> => ({
  ready: false,
  state: { running: { startedAt: after(seconds) } },
  ...more,
});
const failed = (reason: string, message = reason): PodWish => ({
  status: { phase: 'Failed', reason, message, containerStatuses: [] },
  ready: 'False',
});
const creating = waiting('ContainerCreating');
/** An init container in this state. */
export const initContainer = (state: object, more = {}, spec = {}): PodWish => ({
  spec: { initContainers: [{ name: 'wait', image: 'busybox:1.35', ...spec }], containers: [{ name: 'app', image: 'web:1' }] },
  status: {
    phase: 'Pending',
    initContainerStatuses: [{ name: 'wait', image: 'busybox:1.35', ready: false, restartCount: 0, state, ...more }],
    containerStatuses: [{ name: 'app', image: 'web:1', ready: false, restartCount: 0, state: { waiting: { reason: 'PodInitializing' } } }],
  },
  ready: 'False',
});
/** A pod that cannot be scheduled. */
export const unscheduled = (reason = 'Unschedulable', message = '0/3 nodes are available'): Pod => {
  const pod = aPod({ status: { phase: 'Pending', containerStatuses: [] }, ready: 'False' });
  delete pod.spec.nodeName;
  pod.status!.conditions = [{ type: 'PodScheduled', status: 'False', reason, message, lastTransitionTime: after(0) }];
  return pod;
};
const disrupted = (reason: string, message: string, more: PodWish = {}): Pod => {
  const pod = aPod({ ready: 'False', ...more });
  pod.status!.conditions!.push({ type: 'DisruptionTarget', status: 'True', reason, message });
  return pod;
};

/** A pod, and what must be detected in it. */
export interface KindRow {
  pod: Pod | PodWish;
  events?: CoreEvent[];
  /** Seconds after the pod's creation. */
  at?: number;
  graces?: Graces;
  is: [label: string, family: string, container?: string] | 'no failure';
}

/** All kinds by their sentences. */
export const KIND_ROWS: Record<string, KindRow> = {
  'a pull error of CRI-O': {
    pod: waiting('ErrImagePull', 'reading manifest 9 in docker.io/library/web: manifest unknown'),
    is: ['ImagePullBackOff', 'image', 'app'],
  },
  'an unreachable registry': { pod: waiting('RegistryUnavailable'), is: ['ImagePullBackOff', 'image', 'app'] },
  'a refused signature': { pod: waiting('SignatureValidationFailed'), is: ['ImagePullBackOff', 'image', 'app'] },
  'an image that cannot be inspected': {
    pod: waiting('ImageInspectError', 'failed to inspect'),
    is: ['ImageInspectError', 'image', 'app'],
  },
  'a command missing under CRI-O': {
    pod: waiting('CreateContainerError', 'container create failed: executable file `x` not found in $PATH'),
    is: ['CreateContainerError', 'create', 'app'],
  },
  'a subPath that cannot be prepared': {
    pod: waiting('CreateContainerConfigError', 'failed to prepare subPath for volumeMount "data" of container "app"'),
    is: ['CreateContainerConfigError', 'create', 'app'],
  },
  'a word nobody here knows': { pod: waiting('SomethingNewError', 'new'), is: ['SomethingNewError', 'other', 'app'] },
  'a start error while it waits': {
    pod: waiting('RunContainerError', 'failed to create containerd task'),
    is: ['StartError', 'start', 'app'],
  },
  'an old runtime that cannot run it': {
    pod: crashed(127, 'ContainerCannotRun', { message: 'OCI runtime create failed' }),
    is: ['StartError', 'start', 'app'],
  },
  'exit code 128 with a runtime message': {
    pod: crashed(128, 'Error', { message: 'OCI runtime start failed: exec format error' }),
    is: ['StartError', 'start', 'app'],
  },
  'exit code 128 of a program': { pod: crashed(128), is: ['CrashLoopBackOff', 'crash', 'app'] },
  'a wrong format that the program itself tells': { pod: crashed(255), is: ['CrashLoopBackOff', 'crash', 'app'] },
  'a program that ends well and should not': { pod: crashed(0, 'Completed'), is: ['CrashLoopBackOff', 'crash', 'app'] },
  'an out-of-memory kill of a child, by an event': {
    pod: crashed(1),
    events: [anEvent('OOMKilling', 'Memory cgroup out of memory: Killed process 7 (node)', 15)],
    is: ['OOMKilled', 'crash', 'app'],
  },
  'an out-of-memory kill, by the termination message': {
    pod: crashed(137, 'Error', { message: 'Out of memory: Killed process 12' }),
    is: ['OOMKilled', 'crash', 'app'],
  },
  'a kill by a startup probe': {
    pod: crashed(137),
    events: [
      anEvent('Unhealthy', 'Startup probe failed: HTTP probe failed with statuscode: 503', 15),
      anEvent('Killing', 'Container app failed startup probe, will be restarted', 16),
    ],
    is: ['Unhealthy', 'crash', 'app'],
  },
  'a kill by a liveness probe, in the words of old kubelets': {
    pod: crashed(143),
    events: [
      anEvent(
        'Killing',
        'Killing container with id docker://app:pod "app_shop" container "app" is unhealthy, it will be killed and re-created.',
        16,
      ),
    ],
    is: ['Unhealthy', 'crash', 'app'],
  },
  'a kill by a liveness probe that ended well': {
    pod: crashed(0, 'Completed'),
    events: [anEvent('Killing', 'Container app failed liveness probe, will be restarted', 16)],
    is: ['Unhealthy', 'crash', 'app'],
  },
  'a kill by a liveness probe whose event was dropped': {
    pod: crashed(137),
    events: [anEvent('Unhealthy', 'Liveness probe failed: command timed out', 16)],
    is: ['Unhealthy', 'crash', 'app'],
  },
  'a gRPC probe': {
    pod: crashed(143),
    events: [anEvent('Unhealthy', 'Liveness probe failed: service unhealthy (responded with "NOT_SERVING")', 16)],
    is: ['Unhealthy', 'crash', 'app'],
  },
  'a crash of its own after an earlier kill by a probe': {
    pod: crashed(1),
    events: [
      anEvent('Killing', 'Container app failed liveness probe, will be restarted', 2),
      anEvent('Started', 'Started container app', 10, { type: 'Normal' }),
    ],
    is: ['CrashLoopBackOff', 'crash', 'app'],
  },
  'a hook that failed, seen between two restarts': {
    pod: crashed(137),
    events: [anEvent('FailedPostStartHook', 'PostStartHook failed', 12)],
    is: ['PostStartHookError', 'crash', 'app'],
  },
  'a crash of a pod that is not restarted': {
    pod: { app: { ready: false, state: { terminated: ended(3) } }, spec: { restartPolicy: 'Never' }, status: {} },
    is: ['Error', 'crash', 'app'],
  },
  'a crash of a Job pod that is restarted on failure': {
    pod: { app: { ready: false, restartCount: 1, state: { terminated: ended(3) } }, spec: { restartPolicy: 'OnFailure' } },
    is: ['CrashLoopBackOff', 'crash', 'app'],
  },
  'an unknown end of a pod that failed': {
    pod: {
      app: { ready: false, state: { terminated: ended(137, 'ContainerStatusUnknown') } },
      status: { phase: 'Failed', reason: 'Evicted', message: 'The node was low on resource: memory.' },
    },
    is: ['Evicted', 'node'],
  },
  'a lost status without more': {
    pod: aPod({
      ready: 'False',
      status: {
        phase: 'Failed',
        containerStatuses: [
          { name: 'app', image: 'web:1', ready: false, restartCount: 0, state: { terminated: ended(137, 'ContainerStatusUnknown') } },
        ],
      },
    }),
    is: ['Error', 'crash', 'app'],
  },
  'an init container in a crash loop, running just now': {
    pod: initContainer({ running: { startedAt: after(30) } }, { restartCount: 2, lastState: { terminated: ended(1) } }),
    is: ['CrashLoopBackOff', 'crash', 'wait'],
  },
  'an init container that waits for ever': {
    pod: initContainer({ running: { startedAt: after(1) } }),
    is: ['PodInitializing', 'waiting', 'wait'],
  },
  'the same, within its grace time': { pod: initContainer({ running: { startedAt: after(1) } }), graces: LIVE, at: 60, is: 'no failure' },
  'the same, past its grace time': {
    pod: initContainer({ running: { startedAt: after(1) } }),
    graces: LIVE,
    at: 130,
    is: ['PodInitializing', 'waiting', 'wait'],
  },
  'a sidecar in a crash loop': {
    pod: initContainer(
      { waiting: { reason: 'CrashLoopBackOff' } },
      { restartCount: 3, lastState: { terminated: ended(2) } },
      { restartPolicy: 'Always' },
    ),
    is: ['CrashLoopBackOff', 'crash', 'wait'],
  },
  'a sidecar whose image is missing': {
    pod: initContainer({ waiting: { reason: 'ImagePullBackOff' } }, {}, { restartPolicy: 'Always' }),
    is: ['ImagePullBackOff', 'image', 'wait'],
  },
  'the end of a sidecar after its pod failed': {
    pod: aPod({
      spec: {
        restartPolicy: 'Never',
        initContainers: [{ name: 'proxy', image: 'p:1', restartPolicy: 'Always' }],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      ready: 'False',
      status: {
        phase: 'Failed',
        initContainerStatuses: [{ name: 'proxy', image: 'p:1', ready: false, restartCount: 0, state: { terminated: ended(137) } }],
        containerStatuses: [{ name: 'app', image: 'web:1', ready: false, restartCount: 0, state: { terminated: ended(3) } }],
      },
    }),
    is: ['Error', 'crash', 'app'],
  },
  'the end of a sidecar after its Job is done': {
    pod: aPod({
      spec: {
        restartPolicy: 'Never',
        initContainers: [{ name: 'proxy', image: 'p:1', restartPolicy: 'Always' }],
        containers: [{ name: 'app', image: 'web:1' }],
      },
      ready: 'False',
      status: {
        initContainerStatuses: [{ name: 'proxy', image: 'p:1', ready: false, restartCount: 0, state: { terminated: ended(143) } }],
        containerStatuses: [{ name: 'app', image: 'web:1', ready: false, restartCount: 0, state: { terminated: ended(0, 'Completed') } }],
      },
    }),
    is: 'no failure',
  },
  'a readiness probe that fails': {
    pod: { app: running(0) },
    events: [anEvent('Unhealthy', 'Readiness probe failed: timeout: failed to connect service ":50051" within 1s', 5)],
    is: ['Unhealthy', 'unready', 'app'],
  },
  'the same, within its grace time (live)': {
    pod: { app: running(0) },
    events: [anEvent('Unhealthy', 'Readiness probe failed: x', 5)],
    graces: LIVE,
    at: 40,
    is: 'no failure',
  },
  'the same, past its grace time (live)': {
    pod: { app: running(0) },
    events: [anEvent('Unhealthy', 'Readiness probe failed: x', 50)],
    graces: LIVE,
    at: 61,
    is: ['Unhealthy', 'unready', 'app'],
  },
  'a readiness probe whose events were dropped': {
    pod: { app: running(0), spec: { containers: [{ name: 'app', image: 'web:1', readinessProbe: {} }] } },
    graces: LIVE,
    at: 70,
    is: ['Unhealthy', 'unready', 'app'],
  },
  'a slow start under a startup probe': {
    pod: {
      app: running(0, { started: false }),
      spec: { containers: [{ name: 'app', image: 'web:1', startupProbe: { periodSeconds: 10, failureThreshold: 30 } }] },
    },
    events: [anEvent('Unhealthy', 'Startup probe failed: connection refused', 90)],
    graces: LIVE,
    at: 200,
    is: 'no failure',
  },
  'a start whose startup probe has succeeded at last, with no grace left': {
    pod: { app: running(0, { started: true }), spec: { containers: [{ name: 'app', image: 'web:1', startupProbe: {} }] } },
    events: [anEvent('Unhealthy', 'Startup probe failed: connection refused', 90)],
    at: 100,
    is: 'no failure',
  },
  'a start after one crash': {
    pod: { app: running(30, { restartCount: 1, lastState: { terminated: ended(1) } }) },
    graces: LIVE,
    at: 60,
    is: 'no failure',
  },
  'the first moment after a crash': {
    pod: { app: { ready: false, restartCount: 0, state: { terminated: ended(1) } } },
    graces: LIVE,
    at: 21,
    is: 'no failure',
  },
  'a crash that is not followed by a restart for long': {
    pod: { app: { ready: false, restartCount: 0, state: { terminated: ended(1) } } },
    graces: LIVE,
    at: 26,
    is: ['CrashLoopBackOff', 'crash', 'app'],
  },
  'a pod that recovered after one restart': {
    pod: { app: { ready: true, restartCount: 1, state: { running: { startedAt: after(21) } }, lastState: { terminated: ended(1) } } },
    events: [anEvent('Unhealthy', 'Liveness probe failed: x', 15)],
    is: 'no failure',
  },
  'a Ready pod with an early warning': {
    pod: {},
    events: [anEvent('Unhealthy', 'Readiness probe failed: x', 1), anEvent('FailedMount', 'x', 0)],
    is: 'no failure',
  },
  'a pod that is being deleted': { pod: { ...crashed(137), metadata: { deletionTimestamp: after(30) } }, is: 'no failure' },
  'a completed pod': {
    pod: { status: { phase: 'Succeeded' }, app: { ready: false, state: { terminated: ended(0, 'Completed') } }, ready: 'False' },
    is: 'no failure',
  },
  'a debugging container that failed': {
    pod: {
      status: {
        ephemeralContainerStatuses: [{ name: 'debug', image: 'x', ready: false, restartCount: 0, state: { terminated: ended(1) } }],
      },
    },
    is: 'no failure',
  },
  'a container that is being created': { pod: creating, is: 'no failure' },
  'the same after a quarter of an hour (live)': { pod: creating, graces: LIVE, at: 900, is: ['ContainerCreating', 'waiting'] },
  'a long pull (live)': {
    pod: creating,
    events: [anEvent('Pulling', 'Pulling image "big:1"', 2, { type: 'Normal' })],
    graces: LIVE,
    at: 900,
    is: 'no failure',
  },
  'a missing CSI driver': {
    pod: creating,
    events: [
      anEvent(
        'FailedMount',
        'MountVolume.MountDevice failed for volume "pvc-1" : driver name csi.example.com not found in the list of registered CSI drivers',
        5,
      ),
    ],
    is: ['FailedMount', 'volume'],
  },
  'a volume that is attached elsewhere': {
    pod: creating,
    events: [
      anEvent('FailedAttachVolume', 'Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) web-0', 5, {
        source: { component: 'attachdetach-controller' },
      }),
    ],
    is: ['FailedAttachVolume', 'volume'],
  },
  'the same, and the kubelet has lost patience': {
    pod: creating,
    events: [
      anEvent('FailedAttachVolume', 'Multi-Attach error for volume "pvc-1"', 5),
      anEvent(
        'FailedMount',
        'Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[]: timed out waiting for the condition',
        125,
      ),
    ],
    is: ['FailedAttachVolume', 'volume'],
  },
  'a mount that failed and went on': {
    pod: creating,
    events: [
      anEvent('FailedMount', 'failed to sync configmap cache: timed out', 1),
      anEvent('Pulling', 'Pulling image "web:1"', 3, { type: 'Normal' }),
    ],
    is: 'no failure',
  },
  'a mount that failed a moment ago (live)': {
    pod: creating,
    events: [anEvent('FailedMount', 'x', 1)],
    graces: LIVE,
    at: 10,
    is: 'no failure',
  },
  'a network that is not ready': {
    pod: creating,
    events: [anEvent('NetworkNotReady', 'network is not ready: container runtime network not ready: cni plugin not initialized', 1)],
    is: ['NetworkNotReady', 'volume'],
  },
  'an address pool that is empty': {
    pod: creating,
    events: [
      anEvent(
        'FailedCreatePodSandBox',
        'failed to setup network for sandbox: plugin type="ptp" failed (add): no IP addresses available',
        1,
      ),
    ],
    is: ['FailedCreatePodSandBox', 'volume'],
  },
  'an eviction for memory': {
    pod: failed('Evicted', 'The node was low on resource: memory. Threshold quantity: 100Mi'),
    is: ['Evicted', 'node'],
  },
  'an eviction for process ids': { pod: failed('Evicted', 'The node was low on resource: pids.'), is: ['Evicted', 'node'] },
  'a refusal for want of pods': { pod: failed('OutOfpods'), is: ['OutOfpods', 'node'] },
  'a refusal for affinity': {
    pod: failed('NodeAffinity', "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match"),
    is: ['NodeAffinity', 'node'],
  },
  'a refusal for a device': { pod: failed('UnexpectedAdmissionError', 'Allocate failed'), is: ['UnexpectedAdmissionError', 'node'] },
  'a refusal nobody here knows': { pod: failed('QuantumMismatch'), is: ['QuantumMismatch', 'node'] },
  'the end with its node': {
    pod: failed('Terminated', 'Pod was terminated in response to imminent node shutdown.'),
    is: ['Terminated', 'node'],
  },
  'a preemption by the kubelet': { pod: failed('Preempting', 'Preempted in order to admit critical pod'), is: ['Preempted', 'node'] },
  'a preemption by the scheduler': {
    pod: disrupted('PreemptionByScheduler', 'default-scheduler: preempting', { metadata: { deletionTimestamp: after(30) } }),
    is: ['Preempted', 'node'],
  },
  'a drain': {
    pod: disrupted('EvictionByEvictionAPI', 'Eviction API: evicting', { metadata: { deletionTimestamp: after(30) } }),
    is: 'no failure',
  },
  'a node that is not heard of': {
    pod: { ready: 'False', readySince: after(100) },
    events: [anEvent('NodeNotReady', 'Node is not ready', 100, { source: { component: 'node-controller' } })],
    is: ['NodeLost', 'node'],
  },
  'the same, in the words of old controllers': {
    pod: {
      status: { reason: 'NodeLost', message: 'Node node-1 which was running pod app is unresponsive' },
      ready: 'False',
      metadata: { deletionTimestamp: after(300) },
    },
    is: ['NodeLost', 'node'],
  },
  'a node that was not heard of for a while': { pod: {}, events: [anEvent('NodeNotReady', 'Node is not ready', 100)], is: 'no failure' },
  'a node that does not exist any more': {
    pod: disrupted('DeletionByPodGC', 'PodGC: node no longer exists', { status: { phase: 'Failed' } }),
    is: ['NodeLost', 'node'],
  },
  'a claim of an ephemeral volume': {
    pod: unscheduled(
      'Unschedulable',
      '0/1 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "app-data".',
    ),
    is: ['Unschedulable', 'waiting'],
  },
  'a scheduler in trouble': {
    pod: unscheduled('SchedulerError', 'binding volumes: context deadline exceeded'),
    is: ['SchedulerError', 'waiting'],
  },
  'a pod that waits for its gate': { pod: unscheduled('SchedulingGated'), is: 'no failure' },
  'a pod without a place for a moment (live)': { pod: unscheduled(), graces: LIVE, at: 60, is: 'no failure' },
  'a pod without a place for long (live)': { pod: unscheduled(), graces: LIVE, at: 121, is: ['Unschedulable', 'waiting'] },
  'a pod for which a node is on its way (live)': {
    pod: unscheduled(),
    events: [anEvent('TriggeredScaleUp', 'pod triggered scale-up', 30, { type: 'Normal' })],
    graces: LIVE,
    at: 400,
    is: 'no failure',
  },
  'a node that never came (live)': {
    pod: unscheduled(),
    events: [anEvent('TriggeredScaleUp', 'pod triggered scale-up', 30, { type: 'Normal' })],
    graces: LIVE,
    at: 700,
    is: ['Unschedulable', 'waiting'],
  },
};

/** What the detection finds in a row. */
export function detectedIn({ pod, events = [], at = 3_000, graces = PAST }: KindRow): Failure | undefined {
  const whole = 'metadata' in pod && 'spec' in pod && 'apiVersion' in pod ? (pod as Pod) : aPod(pod as PodWish);
  const now = new Date(after(graces === PAST && at === 3_000 ? 60 : at));
  return detectFailure({ pod: whole, events, now, graces });
}
