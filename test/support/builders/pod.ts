import type { ContainerStatus, CoreEvent, Pod, PodCondition, PodSpec, PodStatus } from '../../../src/crd/kubernetes.ts';

/** The fields of a pod that a test sets. Otherwise, the pod runs and has been Ready since its start. */
export interface PodWish {
  name?: string;
  namespace?: string;
  uid?: string;
  metadata?: Partial<Pod['metadata']>;
  spec?: Partial<PodSpec>;
  status?: Partial<PodStatus>;
  /** The status of container `app`. */
  app?: Partial<ContainerStatus>;
  /** Status of the Ready condition, and since when; False when `app` is not ready. */
  ready?: 'True' | 'False';
  readySince?: string;
}

/** The creation time of test pods. */
export const CREATED = '2026-01-01T00:00:00Z';

/** The time `seconds` after the creation of the test pods, in Kubernetes' format. */
export function after(seconds: number): string {
  return new Date(Date.parse(CREATED) + seconds * 1000).toISOString().replace('.000Z', 'Z');
}

export function aPod({
  name = 'app',
  namespace = 'shop',
  uid = 'uid-1',
  metadata,
  spec,
  status,
  app,
  ready,
  readySince,
}: PodWish = {}): Pod {
  const isReady = ready ?? (app && app.ready !== true ? 'False' : 'True');
  const conditions: PodCondition[] = [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: CREATED },
    { type: 'Ready', status: isReady, lastTransitionTime: readySince ?? CREATED },
  ];
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, uid, resourceVersion: '1', creationTimestamp: CREATED, ...metadata },
    spec: { nodeName: 'node-1', restartPolicy: 'Always', containers: [{ name: 'app', image: 'web:1' }], ...spec },
    status: {
      phase: 'Running',
      startTime: CREATED,
      conditions,
      containerStatuses: [
        { name: 'app', image: 'web:1', ready: true, started: true, restartCount: 0, state: { running: { startedAt: CREATED } }, ...app },
      ],
      ...status,
    },
  };
}

/** An event about the pod of `aPod`, seen once, `seconds` after the pod's creation. */
export function anEvent(reason: string, message: string, seconds = 0, more: Partial<CoreEvent> = {}): CoreEvent {
  return {
    metadata: { name: `${reason}-${seconds}`, namespace: 'shop' },
    type: 'Warning',
    reason,
    message,
    count: 1,
    firstTimestamp: after(seconds),
    lastTimestamp: after(seconds),
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'app', uid: 'uid-1' },
    source: { component: 'kubelet' },
    ...more,
  };
}
