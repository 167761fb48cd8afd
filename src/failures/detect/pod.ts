import type { CoreEvent, PodCondition } from '../../crd/kubernetes.ts';
import { familyOf } from '../identity.ts';
import { firstSeen, lastSeen, newest } from './events.ts';
import { type Failure, type Look, millis } from './view.ts';

/** After an autoscaler has promised a node, or while nothing tells what takes so long, waiting is normal for longer. */
const PATIENCE = 5;
/** A scheduler that exists looks at a pod within this time. */
const SCHEDULER_SECONDS = 30;
const PREPARATION = [
  'FailedMount',
  'FailedMapVolume',
  'FailedAttachVolume',
  'FailedCreatePodSandBox',
  'FailedCreatePodContainer',
  'FailedPrepareDynamicResources',
  'NetworkNotReady',
];
/** The kubelet's summary of a volume that did not come; the cause is in another event. */
const MOUNT_TIMEOUT = /^Unable to (?:attach or )?mount volumes/;

/** What the node did to the pod as a whole: refused, evicted, preempted, lost it, or ended it at its deadline (family node). */
export function nodeFailure({ pod }: Look, events: CoreEvent[]): Failure | undefined {
  const { phase, reason, message } = pod.status ?? {};
  const disruption = condition(pod.status?.conditions, 'DisruptionTarget');
  if (disruption?.reason === 'PreemptionByScheduler' || (reason === 'Preempting' && phase === 'Failed'))
    return said('Preempted', message || disruption?.message || newest(events, 'Preempted')?.message);
  const lost = lostNode(pod.status?.conditions, phase, reason, events);
  if (lost) return said('NodeLost', message || lost);
  if (phase !== 'Failed') return undefined;
  if (reason) return { ...said(reason, message), family: familyOf({ reason }) === 'other' ? 'node' : familyOf({ reason }) };
  const evicted = newest(events, 'Evicted', 'Preempted');
  if (evicted?.reason) return said(evicted.reason, evicted.message);
  if (pod.status?.containerStatuses?.length) return undefined;
  // Refused without a word in the status: the event has it.
  const refusal = events.findLast((event) => event.type === 'Warning');
  return said(refusal?.reason || 'Error', message || refusal?.message || 'the pod failed before any container was started');
}

function lostNode(conditions: PodCondition[] | undefined, phase: string | undefined, reason: string | undefined, events: CoreEvent[]) {
  if (reason === 'NodeLost' || phase === 'Unknown') return 'the node that runs the pod is lost';
  if (condition(conditions, 'DisruptionTarget')?.reason === 'DeletionByPodGC') return condition(conditions, 'DisruptionTarget')?.message;
  const ready = condition(conditions, 'Ready');
  const gone = newest(events, 'NodeNotReady', 'NodeLost');
  if (!gone || phase !== 'Running' || ready?.status === 'True') return undefined;
  // The event also comes for nodes that recovered: it counts while the pod has been unready since.
  const isSince = (millis(ready?.lastTransitionTime) ?? 0) >= firstSeen(gone) - 60_000 && lastProgress(events) <= lastSeen(gone);
  return isSince ? gone.message || 'Node is not ready' : undefined;
}

/** A pod without a node (family waiting). A scheduling gate is somebody's wish, not a failure. */
export function schedulingFailure(look: Look, events: CoreEvent[]): Failure | undefined {
  const { pod, graces } = look;
  const scheduled = condition(pod.status?.conditions, 'PodScheduled');
  if (pod.spec.nodeName || scheduled?.status === 'True' || scheduled?.reason === 'SchedulingGated') return undefined;
  if (pod.spec.schedulingGates?.length) return undefined;
  if (!scheduled) return unlooked(look, events);
  const promised = newest(events, 'TriggeredScaleUp');
  const patient = promised ? look.past(lastSeen(promised), graces.pendingSeconds * PATIENCE) : true;
  const since = scheduled.lastTransitionTime ?? pod.metadata.creationTimestamp;
  if (!look.past(since, graces.pendingSeconds) || !patient) return undefined;
  const reason = scheduled.reason || 'Unschedulable';
  return { reason, family: 'waiting', message: scheduled.message || newest(events, 'FailedScheduling')?.message || reason };
}

function unlooked(look: Look, events: CoreEvent[]): Failure | undefined {
  const { pod, graces } = look;
  const failed = newest(events, 'FailedScheduling');
  const seconds = failed ? graces.pendingSeconds : Math.max(graces.pendingSeconds, SCHEDULER_SECONDS);
  if (!look.past(pod.metadata.creationTimestamp, seconds)) return undefined;
  const message = failed?.message || `no scheduler named ${pod.spec.schedulerName ?? 'default-scheduler'} has looked at the pod`;
  return { reason: 'Unschedulable', family: 'waiting', message };
}

/** A pod whose volumes, network or sandbox the node cannot prepare (family volume), or of which nothing is heard (waiting). */
export function preparationFailure(look: Look, events: CoreEvent[]): Failure | undefined {
  const { pod, graces } = look;
  const { conditions, containerStatuses, initContainerStatuses, phase, startTime } = pod.status ?? {};
  if (phase !== 'Pending') return undefined;
  const scheduled = condition(conditions, 'PodScheduled');
  if (!pod.spec.nodeName && scheduled?.status !== 'True') return undefined;
  const statuses = [...(initContainerStatuses ?? []), ...(containerStatuses ?? [])];
  if (statuses.some(({ state }) => state?.running || state?.terminated)) return undefined;
  const since = scheduled?.lastTransitionTime ?? startTime ?? pod.metadata.creationTimestamp;
  if (!look.past(since, graces.pendingSeconds)) return undefined;
  const isPrepared = condition(conditions, 'PodReadyToStartContainers')?.status === 'True';
  const blocked = isPrepared ? undefined : blocker(events);
  if (blocked?.reason) return { reason: blocked.reason, family: familyOf({ reason: blocked.reason }), message: blocked.message ?? '' };
  if (graces.pendingSeconds === 0 || isPulling(events) || !look.past(since, graces.pendingSeconds * PATIENCE)) return undefined;
  const reason = statuses.length ? 'ContainerCreating' : 'Pending';
  return { reason, family: 'waiting', message: 'the node has not started any container and does not say why' };
}

/** The event that tells what preparation fails at: the first of the list that is newer than every sign of progress. */
function blocker(events: CoreEvent[]): CoreEvent | undefined {
  const after = lastProgress(events);
  const attached = newest(events, 'SuccessfulAttachVolume');
  const current = PREPARATION.flatMap((reason) => newest(events, reason) ?? []).filter(
    (event) => lastSeen(event) >= after && !(event.reason === 'FailedAttachVolume' && attached && lastSeen(attached) > lastSeen(event)),
  );
  const [first] = current;
  const attach = current.find(({ reason }) => reason === 'FailedAttachVolume');
  return attach && first && MOUNT_TIMEOUT.test(first.message ?? '') ? attach : first;
}

function lastProgress(events: CoreEvent[]): number {
  const progress = newest(events, 'Pulling', 'Pulled', 'Created', 'Started');
  return progress ? lastSeen(progress) : 0;
}

function isPulling(events: CoreEvent[]): boolean {
  return newest(events, 'Pulling', 'Pulled', 'Failed')?.reason === 'Pulling';
}

function condition(conditions: PodCondition[] | undefined, type: string): PodCondition | undefined {
  return conditions?.find((one) => one.type === type && (type !== 'DisruptionTarget' || one.status === 'True'));
}

function said(reason: string, message: string | undefined): Failure {
  return { reason, family: 'node', message: message?.trim() || reason };
}
