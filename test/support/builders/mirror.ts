import type { Pod, PodSpec, PodTemplate } from '../../../src/crd/kubernetes.ts';
import { API_VERSION, type MirrorPod, type MirrorPodSpec, type MirrorPodStatus } from '../../../src/crd/mirrorpod.ts';
import type { Source } from '../../../src/mirrors/policy/source.ts';

export const BORN = '2026-05-01T10:00:00Z';

/** The time `seconds` after `BORN`. */
export const at = (seconds: number): Date => new Date(Date.parse(BORN) + seconds * 1000);

export const atText = (seconds: number): string => at(seconds).toISOString();

/** A MirrorPod `try` for pod `web`, created at `BORN` with a TTL of 120 s. */
export function aMirrorPod(
  spec: Partial<MirrorPodSpec> = {},
  status?: MirrorPodStatus,
  metadata: Partial<Pod['metadata']> = {},
): MirrorPod {
  return {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: { name: 'try', namespace: 'shop', uid: 'uid-try', generation: 1, creationTimestamp: BORN, ...metadata },
    spec: { source: { name: 'web' }, ttlSeconds: 120, ...spec },
    ...(status ? { status } : {}),
  };
}

/** A template with container `app`. */
export function aTemplate(spec: Partial<PodSpec> = {}, labels: Record<string, string> = { app: 'web' }): PodTemplate {
  return { metadata: { labels }, spec: { containers: [{ name: 'app', image: 'web:1' }], ...spec } };
}

export function aSource(template: PodTemplate = aTemplate(), over: Partial<Source> = {}): Source {
  return { name: 'web', namespace: 'shop', template, labels: template.metadata?.labels ?? {}, ...over };
}

/** A mirror pod whose container has been running since `BORN`, Ready or not. */
export function aMirrorsPod(status: Partial<Pod['status']> & { ready?: boolean } = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  const { ready = true, ...rest } = status;
  const condition = { type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: BORN };
  return {
    metadata: { name: 'web-mirror-12345678', namespace: 'shop', uid: 'uid-pod', creationTimestamp: BORN, ...metadata },
    spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'web:1' }] },
    status: {
      phase: 'Running',
      startTime: BORN,
      conditions: [{ type: 'PodScheduled', status: 'True' }, condition],
      containerStatuses: [{ name: 'app', ready, restartCount: 0, image: 'web:1', state: { running: { startedAt: BORN } } }],
      ...rest,
    },
  };
}

/** The status of a pod whose container has been Ready for `seconds`. */
export function readyFor(seconds: number, now: Date): Pod['status'] {
  const since = `${new Date(now.getTime() - seconds * 1000).toISOString().slice(0, 19)}Z`;
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }],
    containerStatuses: [
      { name: 'app', ready: true, restartCount: 0, image: 'web:1', imageID: '', state: { running: { startedAt: since } } },
    ],
  };
}

/** The status of a pod whose container exited with 1 and waits for its first restart. */
export const CRASHED_STATUS: Pod['status'] = {
  phase: 'Running',
  containerStatuses: [
    {
      name: 'app',
      ready: false,
      restartCount: 1,
      image: 'web:1',
      imageID: '',
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
      lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: '2026-05-01T10:00:00Z', finishedAt: '2026-05-01T10:00:03Z' } },
    },
  ],
};
