import type { ContainerStatus, CoreEvent, KubeObject, Pod, PodSpec } from '../../../../src/crd/kubernetes.ts';
import type { Recording } from '../../../../src/failures/detect/recording.ts';
import { aPod, after, anEvent } from '../../builders/pod.ts';

// Cases written from the Kubernetes documentation alone, before their author looked at a rule. The diagnosis must understand what the
// documentation says: its pages, its API reference and the messages that it quotes.

/** What the diagnosis must say about one failing object. */
export interface Expectation {
  /** The reason that the detection must give. */
  reason: string;
  /** The pattern must occur in the culprit. */
  culprit: RegExp;
  /** The paths that the best correction changes. Null: no change to the manifest helps. Absent: any answer is right. */
  fix?: string[] | null;
}

/** One case. `page` is the path below kubernetes.io/docs that describes it. */
export interface Documented {
  page: string;
  /** The pod, or the controller that cannot create its pods. */
  object: KubeObject;
  events?: [reason: string, message: string, type?: 'Normal' | 'Warning'][];
  /**
   * The log of container `logOf`. By default, that is the first container that exited, or else the first one. A crashed container wrote it
   * in its previous run.
   */
  log?: string;
  logOf?: string;
  /** The pod that wrote the log, if that is not the object, for example a pod of a Job. */
  logPod?: string;
  /** Other objects in the namespace and the cluster. */
  others?: KubeObject[];
  is: Expectation | 'healthy';
}

/** The status of a container. */
export function container(name: string, status: Partial<ContainerStatus>): ContainerStatus {
  return { name, image: 'registry.k8s.io/busybox', ready: false, restartCount: 0, ...status };
}

export const waits = (reason: string, message?: string): Partial<ContainerStatus> => ({
  state: { waiting: { reason, ...(message ? { message } : {}) } },
});
export const runs = (more: Partial<ContainerStatus> = {}): Partial<ContainerStatus> => ({
  started: true,
  state: { running: { startedAt: after(5) } },
  ...more,
});
export const serves = (): Partial<ContainerStatus> => runs({ ready: true });
export const ended = (exitCode: number, reason = exitCode === 0 ? 'Completed' : 'Error', message?: string): Partial<ContainerStatus> => ({
  state: { terminated: { exitCode, reason, startedAt: after(5), finishedAt: after(25), ...(message ? { message } : {}) } },
});
/** Restarts again and again, always after an exit like this. */
export const loops = (exitCode: number, reason?: string, message?: string): Partial<ContainerStatus> => ({
  restartCount: 4,
  state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 1m20s restarting failed container' } },
  lastState: ended(exitCode, reason, message).state!,
});

/** A pod with these containers. Its phase and readiness follow from their states. */
export function pod(name: string, spec: PodSpec, statuses: ContainerStatus[], more: Partial<Pod> & { status?: Pod['status'] } = {}): Pod {
  const inits = new Set((spec.initContainers ?? []).map((init) => init.name));
  const [initContainerStatuses, containerStatuses] = [
    statuses.filter((status) => inits.has(status.name)),
    statuses.filter((status) => !inits.has(status.name)),
  ];
  const sidecars = new Set((spec.initContainers ?? []).flatMap((init) => (init.restartPolicy === 'Always' ? [init.name] : [])));
  const counting = statuses.filter((status) => !inits.has(status.name) || sidecars.has(status.name));
  const isReady = containerStatuses.length > 0 && counting.every(({ ready }) => ready);
  const isStarted = containerStatuses.some(({ state, restartCount }) => state?.running || restartCount > 0);
  const made = aPod({
    name,
    namespace: 'default',
    uid: `uid-${name}`,
    spec: { restartPolicy: 'Always', ...spec },
    status: {
      phase: isStarted ? 'Running' : 'Pending',
      ...(initContainerStatuses.length > 0 ? { initContainerStatuses } : {}),
      containerStatuses,
      ...more.status,
    },
    ready: isReady ? 'True' : 'False',
  });
  return { ...made, ...more, metadata: { ...made.metadata, ...more.metadata }, spec: made.spec, status: made.status! };
}

/** A pod with one container, in this state. */
export function one(
  name: string,
  status: Partial<ContainerStatus>,
  spec: Partial<PodSpec['containers'][0]> = {},
  podSpec: Partial<PodSpec> = {},
): Pod {
  const image = spec.image ?? 'registry.k8s.io/busybox';
  return pod(name, { containers: [{ name: 'app', image, ...spec }], ...podSpec }, [container(spec.name ?? 'app', { image, ...status })]);
}

/** A pod that cannot be scheduled, with the scheduler's message. */
export function homeless(name: string, spec: Partial<PodSpec>, message: string): Pod {
  const made = pod(name, { containers: [{ name: 'app', image: 'nginx' }], ...spec }, []);
  delete made.spec.nodeName;
  made.status = {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastTransitionTime: after(1) }],
  };
  return made;
}

/** A pod that its node ended or refused. */
export function rejected(
  name: string,
  reason: string,
  message: string,
  spec: Partial<PodSpec> = {},
  statuses: ContainerStatus[] = [],
): Pod {
  return pod(name, { containers: [{ name: 'app', image: 'nginx' }], ...spec }, statuses, { status: { phase: 'Failed', reason, message } });
}

/** A controller with this pod template. */
export function controller(kind: string, name: string, template: PodSpec, more: { spec?: object; status?: object } = {}): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: kind === 'Job' ? 'batch/v1' : 'apps/v1',
    kind,
    metadata: { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: after(0), generation: 1 },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec: template }, ...more.spec },
    status: {
      ...(kind === 'DaemonSet' ? { desiredNumberScheduled: 1, currentNumberScheduled: 0 } : { replicas: 0 }),
      observedGeneration: 1,
      ...more.status,
    },
  } as KubeObject;
}

/** Another object, with only the fields that matter. */
export function other(kind: string, name: string, more: object = {}): KubeObject {
  const isInNamespace = !['Node', 'StorageClass', 'PersistentVolume'].includes(kind);
  return { apiVersion: 'v1', kind, metadata: { name, ...(isInNamespace ? { namespace: 'default' } : {}) }, ...more };
}

/** A node with these labels and this allocatable capacity. */
export function node(
  name: string,
  labels: Record<string, string> = {},
  allocatable: Record<string, string> = {},
  taints: object[] = [],
): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { 'kubernetes.io/hostname': name, ...labels } },
    spec: { taints },
    status: { allocatable: { cpu: '2', memory: '4Gi', pods: '110', ...allocatable } },
  } as KubeObject;
}

/** The case as `podmend diagnose` reads it. */
export function recordingOf({ object, events = [], log, logOf, logPod, others = [] }: Omit<Documented, 'page' | 'is'>): Recording {
  const { kind = 'Pod', metadata } = object;
  const about = { kind, namespace: 'default', name: metadata.name ?? '', uid: metadata.uid ?? '' };
  const told: CoreEvent[] = events.map(([reason, message, type = 'Warning'], index) => ({
    kind: 'Event',
    ...anEvent(reason, message, 20 + index, { type, involvedObject: about, metadata: { name: `e${index}`, namespace: 'default' } }),
  }));
  const statuses = [...((object as Pod).status?.initContainerStatuses ?? []), ...((object as Pod).status?.containerStatuses ?? [])];
  const writer = statuses.find(({ name }) => name === logOf) ?? statuses.find(({ lastState }) => lastState?.terminated) ?? statuses[0];
  const logs = log
    ? [{ pod: logPod ?? about.name, container: writer?.name ?? 'app', previous: Boolean(writer?.lastState?.terminated), text: log }]
    : [];
  return { objects: [object, ...told, ...others], logs };
}
