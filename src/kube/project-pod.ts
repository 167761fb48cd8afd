import type { Container, ContainerState, ContainerStatus, Pod, Probe } from '../crd/kubernetes.ts';
import { withoutUndefined } from '../crd/without-undefined.ts';

/** A termination message may hold 4 KB, and one of the runtime more. The reason is at its beginning or its end. */
const MESSAGE_LENGTH = 1000;

/**
 * What detection needs of a pod, about 2 KB: the agent keeps this of every pod, and reads the whole one when it fails.
 * Everything that `detect.ts` and `evidence.ts` look at is in here.
 */
export function projectPod({ metadata, spec, status = {} }: Pod): Pod {
  const { name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, ownerReferences } = metadata;
  return withoutUndefined({
    kind: 'Pod',
    metadata: withoutUndefined({ name, namespace, uid, resourceVersion, creationTimestamp, deletionTimestamp, labels, ownerReferences }),
    spec: withoutUndefined({
      nodeName: spec.nodeName,
      restartPolicy: spec.restartPolicy,
      schedulerName: spec.schedulerName,
      schedulingGates: spec.schedulingGates,
      initContainers: spec.initContainers?.map(projectContainer),
      containers: spec.containers.map(projectContainer),
    }),
    status: withoutUndefined({
      phase: status.phase,
      reason: status.reason,
      message: status.message,
      startTime: status.startTime,
      conditions: status.conditions?.map(({ type, status: is, reason, message, lastTransitionTime }) =>
        withoutUndefined({ type, status: is, reason, message, lastTransitionTime }),
      ),
      initContainerStatuses: status.initContainerStatuses?.map(projectStatus),
      containerStatuses: status.containerStatuses?.map(projectStatus),
    }),
  }) as Pod;
}

function projectContainer({ name, image, restartPolicy, readinessProbe, startupProbe }: Container): Container {
  return withoutUndefined({
    name,
    image,
    restartPolicy,
    readinessProbe: projectProbe(readinessProbe),
    startupProbe: projectProbe(startupProbe),
  }) as Container;
}

function projectProbe(probe: Probe | undefined): Probe | undefined {
  if (!probe) return undefined;
  const { initialDelaySeconds, periodSeconds, failureThreshold } = probe;
  return withoutUndefined({ initialDelaySeconds, periodSeconds, failureThreshold }) as Probe;
}

function projectStatus({ name, ready, started, restartCount, image, state, lastState }: ContainerStatus): ContainerStatus {
  const status = { name, ready, started, restartCount, image, state: projectState(state), lastState: projectState(lastState) };
  return withoutUndefined(status) as ContainerStatus;
}

function projectState(state: ContainerState | undefined): ContainerState | undefined {
  if (!state) return undefined;
  const { waiting, running, terminated } = state;
  return withoutUndefined({
    waiting: waiting && { ...waiting, ...shortened(waiting.message) },
    running,
    terminated: terminated && { ...terminated, ...shortened(terminated.message) },
  }) as ContainerState;
}

function shortened(message: string | undefined): { message?: string } {
  if (!message || message.length <= MESSAGE_LENGTH) return {};
  return { message: `${message.slice(0, MESSAGE_LENGTH / 2)} … ${message.slice(-MESSAGE_LENGTH / 2)}` };
}
