import type { Container, ContainerState, ContainerStatus, Pod, Probe } from '../crd/kubernetes.ts';
import { withoutUndefined } from '../crd/without-undefined.ts';

/** A termination message may hold 4 KB, and one of the runtime more. The reason is at its beginning or its end. */
const MESSAGE_LENGTH = 1000;

/**
 * The part of a pod that detection needs, about 2 KB. The agent keeps this part of every pod, and reads the whole pod when it fails.
 * It has all fields that `detect.ts` and `evidence.ts` read.
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

/** Like `projectPod`, with the CPU and memory of each container: the amounts that the node has granted, if known, or else the requested ones. */
export function projectPodWithResources(pod: Pod): Pod {
  const { spec, ...rest } = projectPod(pod);
  const granted = new Map(
    [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])].map((one) => [one.name, one.resources]),
  );
  const asked = new Map([...(pod.spec.initContainers ?? []), ...pod.spec.containers].map((one) => [one.name, one.resources]));
  const withResources = (container: Container): Container => {
    const resources = projectResources(granted.get(container.name) ?? asked.get(container.name));
    return resources ? { ...container, resources } : container;
  };
  const whole = projectResources(pod.spec.resources);
  const { initContainers, containers } = spec;
  return {
    ...rest,
    spec: {
      ...spec,
      ...(initContainers && { initContainers: initContainers.map(withResources) }),
      containers: containers.map(withResources),
      ...(whole && { resources: whole }),
    },
  };
}

function projectResources(resources: Container['resources']): Container['resources'] {
  if (!resources) return undefined;
  const { requests, limits } = resources;
  return withoutUndefined({ requests: cpuAndMemory(requests), limits: cpuAndMemory(limits) }) as NonNullable<Container['resources']>;
}

type Quantities = Record<string, string | number>;

function cpuAndMemory(quantities: Quantities | undefined): Quantities | undefined {
  return quantities && (withoutUndefined({ cpu: quantities['cpu'], memory: quantities['memory'] }) as Quantities);
}

function projectContainer({ name, image, restartPolicy, restartPolicyRules, readinessProbe, startupProbe }: Container): Container {
  return withoutUndefined({
    name,
    image,
    restartPolicy,
    restartPolicyRules,
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
