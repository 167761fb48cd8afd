import type { EventEvidence, FailureReport } from '../../contract/failure.ts';

/** A failing pod often changes between labels, for example `Error` and `CrashLoopBackOff`. Labels of one family are one incident. */
export type Family = 'image' | 'create' | 'start' | 'crash' | 'unready' | 'waiting' | 'volume' | 'node' | 'controller' | 'other';

const FAMILIES: Record<string, Family> = {
  InvalidImageName: 'image',
  ErrImageNeverPull: 'image',
  ImageInspectError: 'image',
  ImagePullBackOff: 'image',
  ErrImagePull: 'image',
  RegistryUnavailable: 'image',
  SignatureValidationFailed: 'image',
  CreateContainerConfigError: 'create',
  CreateContainerError: 'create',
  PreCreateHookError: 'create',
  StartError: 'start',
  RunContainerError: 'start',
  ContainerCannotRun: 'start',
  PreStartHookError: 'start',
  OOMKilled: 'crash',
  PostStartHookError: 'crash',
  CrashLoopBackOff: 'crash',
  Error: 'crash',
  ContainerStatusUnknown: 'crash',
  ReadinessGatesNotReady: 'unready',
  NotReady: 'unready',
  Unschedulable: 'waiting',
  SchedulerError: 'waiting',
  PodInitializing: 'waiting',
  ContainerCreating: 'waiting',
  Pending: 'waiting',
  FailedMount: 'volume',
  FailedMapVolume: 'volume',
  FailedAttachVolume: 'volume',
  FailedCreatePodSandBox: 'volume',
  FailedCreatePodContainer: 'volume',
  NetworkNotReady: 'volume',
  FailedPrepareDynamicResources: 'volume',
  Evicted: 'node',
  Preempted: 'node',
  Preempting: 'node',
  NodeLost: 'node',
  DeadlineExceeded: 'node',
  UnexpectedAdmissionError: 'node',
  NodeAffinity: 'node',
  NodeSelectorMismatching: 'node',
  NodePorts: 'node',
  NodeName: 'node',
  NodeShutdown: 'node',
  Shutdown: 'node',
  Terminated: 'node',
  TopologyAffinityError: 'node',
  ResourceAllocationError: 'node',
  SysctlForbidden: 'node',
  AppArmor: 'node',
  PodOSSelectorNodeLabelDoesNotMatch: 'node',
  PodOSNotSupported: 'node',
  PodLevelResourcesNotSupported: 'node',
  BackoffLimitExceeded: 'controller',
  PodFailurePolicy: 'controller',
  FailedIndexes: 'controller',
  MaxFailedIndexesExceeded: 'controller',
  FailedCreate: 'controller',
};

type Labelled = Pick<FailureReport, 'container' | 'container_statuses' | 'events' | 'failure_message' | 'resource_kind'> & {
  reason: string;
};

/**
 * The family of a failure's label. `Unhealthy` is of family `crash` when a probe had the container killed and `unready` when it
 * only keeps it out of Services; `DeadlineExceeded` is a pod's (`node`) or a Job's (`controller`). Unknown labels are `other`.
 */
export function familyOf(failure: Labelled): Family {
  if (failure.resource_kind && failure.resource_kind !== 'Pod') return 'controller';
  if (failure.reason === 'Unhealthy') return probeFamily(failure);
  if (failure.reason.startsWith('OutOf')) return 'node';
  return (Object.hasOwn(FAMILIES, failure.reason) && FAMILIES[failure.reason]) || 'other';
}

function probeFamily({ container, container_statuses, events, failure_message }: Labelled): Family {
  const statuses = (container_statuses ?? []).filter((status) => !container || status.name === container);
  if (statuses.some((status) => status.state !== 'running')) return 'crash';
  if (!statuses.some((status) => status.last_state)) return 'unready';
  // If readiness fails too, its event may be the newest although the liveness probe had the container killed. The message says which.
  const probed = /^(Liveness|Startup|Readiness) probe/.exec(failure_message ?? '')?.[1];
  if (probed) return probed === 'Readiness' ? 'unready' : 'crash';
  const probe = (events ?? []).findLast((event) => event.reason === 'Unhealthy' || event.reason === 'Killing');
  return probe && isReadinessFailure(probe) ? 'unready' : 'crash';
}

function isReadinessFailure(event: EventEvidence): boolean {
  return event.reason === 'Unhealthy' && (event.message ?? '').startsWith('Readiness');
}
