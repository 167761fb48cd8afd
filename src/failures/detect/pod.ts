import type { ContainerStatus, CoreEvent, Pod, PodCondition, PodStatus } from '../../crd/kubernetes.ts';
import { familyOf } from '../policy/family.ts';
import { firstSeen, lastSeen, newest } from './events.ts';
import { type Failure, type Look, millis } from './view.ts';

/** Waiting is normal for longer after an autoscaler has announced a node, and as long as nothing explains the delay. */
const LONGER_GRACE_FACTOR = 5;
/** The default scheduler looks at a pod within this time. Whether another scheduler exists is unknown. */
const SCHEDULER_SECONDS = 30;
/** The longest time between the event about a node and its effect on pods. */
const NODE_SLACK_MS = 60_000;
const PREPARATION = [
  'FailedMount',
  'FailedMapVolume',
  'FailedAttachVolume',
  'FailedCreatePodSandBox',
  'FailedCreatePodContainer',
  'FailedPrepareDynamicResources',
  'NetworkNotReady',
];
/** The kubelet's summary about a volume that was not mounted. Another event has the cause. */
const MOUNT_TIMEOUT = /^Unable to (?:attach or )?mount volumes/;

/** What the node did to the whole pod: refused, evicted or preempted it, lost it, or ended it at its deadline (family node). */
export function nodeFailure({ pod: { status = {} } }: Look, events: CoreEvent[]): Failure | undefined {
  const { message } = status;
  const preempted = preemption(status, events);
  if (preempted) return said('Preempted', message || preempted);
  const lost = lostNode(status, events);
  if (lost) return said('NodeLost', message || lost);
  return status.phase === 'Failed' ? ending(status, events) : undefined;
}

/** Why a pod was ended as a whole; undefined when its containers say why. */
function ending({ reason, message, containerStatuses = [] }: PodStatus, events: CoreEvent[]): Failure | undefined {
  if (reason) return said(reason, message);
  const ended = newest(events, 'Evicted', 'Preempted');
  if (ended?.reason) return said(ended.reason, ended.message);
  if (containerStatuses.length > 0) return undefined;
  // Refused without a reason in the status: the event has it.
  const refusal = events.findLast((event) => event.type === 'Warning');
  return said(refusal?.reason || 'Error', message || refusal?.message || 'the pod failed before any container was started');
}

function preemption({ conditions, phase, reason }: PodStatus, events: CoreEvent[]): string | undefined {
  const disruption = condition(conditions, 'DisruptionTarget');
  if (disruption?.reason !== 'PreemptionByScheduler' && !(reason === 'Preempting' && phase === 'Failed')) return undefined;
  return disruption?.message || newest(events, 'Preempted')?.message || 'the pod was preempted';
}

function lostNode({ conditions, phase, reason }: PodStatus, events: CoreEvent[]): string | undefined {
  if (reason === 'NodeLost' || phase === 'Unknown') return 'the node that runs the pod is lost';
  const disruption = condition(conditions, 'DisruptionTarget');
  if (disruption?.reason === 'DeletionByPodGC') return disruption.message || 'the node does not exist any more';
  const ready = condition(conditions, 'Ready');
  const gone = newest(events, 'NodeNotReady', 'NodeLost');
  if (!gone || phase !== 'Running' || ready?.status === 'True') return undefined;
  // This event is also written for nodes that recovered. It counts only if the pod has been unready since.
  const isSince = (millis(ready?.lastTransitionTime) ?? 0) >= firstSeen(gone) - NODE_SLACK_MS && lastProgress(events) <= lastSeen(gone);
  return isSince ? gone.message || 'Node is not ready' : undefined;
}

/** A pod without a node (family waiting). A pod with a scheduling gate waits on purpose: that is no failure. */
export function schedulingFailure(look: Look, events: CoreEvent[]): Failure | undefined {
  const { pod, graces } = look;
  const scheduled = condition(pod.status?.conditions, 'PodScheduled');
  if (pod.spec.nodeName || scheduled?.status === 'True' || isGated(pod, scheduled)) return undefined;
  if (!scheduled) return unlooked(look, events);
  const promised = newest(events, 'TriggeredScaleUp');
  const isPatient = promised !== undefined && !look.past(lastSeen(promised), graces.pendingSeconds * LONGER_GRACE_FACTOR);
  const since = scheduled.lastTransitionTime ?? pod.metadata.creationTimestamp;
  if (isPatient || !look.past(since, graces.pendingSeconds)) return undefined;
  const reason = scheduled.reason || 'Unschedulable';
  return { reason, family: 'waiting', message: scheduled.message || newest(events, 'FailedScheduling')?.message || reason };
}

function isGated({ spec }: Pod, scheduled: PodCondition | undefined): boolean {
  return scheduled?.reason === 'SchedulingGated' || (spec.schedulingGates ?? []).length > 0;
}

function unlooked(look: Look, events: CoreEvent[]): Failure | undefined {
  const { pod, graces } = look;
  const failed = newest(events, 'FailedScheduling');
  const isUsual = (pod.spec.schedulerName ?? 'default-scheduler') === 'default-scheduler';
  // Before its claims are made, no scheduler looks at a pod.
  const isRefused = newest(events, 'FailedResourceClaimCreation') !== undefined;
  const seconds = isUsual && !failed && !isRefused ? Math.max(graces.pendingSeconds, SCHEDULER_SECONDS) : graces.pendingSeconds;
  if (!look.past(pod.metadata.creationTimestamp, seconds)) return undefined;
  const claims = (pod.spec.resourceClaims ?? []) as { resourceClaimName?: string; name?: string }[];
  const waits = claims.map((claim) => JSON.stringify(claim.resourceClaimName ?? claim.name ?? '')).join(', ');
  const waiting = isUsual && waits ? `the pod waits for its resource claims ${waits}` : '';
  const message = failed?.message || waiting || `no scheduler named ${pod.spec.schedulerName ?? 'default-scheduler'} has looked at the pod`;
  return { reason: 'Unschedulable', family: 'waiting', message };
}

/** A pod whose volumes, network or sandbox the node cannot prepare (family volume), or that shows no progress (family waiting). */
export function preparationFailure(look: Look, events: CoreEvent[]): Failure | undefined {
  const { pod, graces } = look;
  const { conditions, phase, startTime } = pod.status ?? {};
  if (phase !== 'Pending' || !isAssigned(pod) || hasBegun(pod)) return undefined;
  const since = condition(conditions, 'PodScheduled')?.lastTransitionTime ?? startTime ?? pod.metadata.creationTimestamp;
  const untaken = startTime || events.length > 0 ? undefined : notTaken(look, since);
  if (untaken) return untaken;
  if (!look.past(since, graces.pendingSeconds)) return undefined;
  const isPrepared = condition(conditions, 'PodReadyToStartContainers')?.status === 'True';
  const blocked = isPrepared ? undefined : blocker(events);
  if (blocked?.reason) return { reason: blocked.reason, family: familyOf({ reason: blocked.reason }), message: blocked.message ?? '' };
  return isSilent(look, since, events) ? silence(pod) : undefined;
}

/** All containers are ready but the pod is not, because the condition of one of its readiness gates is not true (family unready). */
export function gateFailure({ pod, past, graces }: Look): Failure | undefined {
  const { conditions } = pod.status ?? {};
  const ready = condition(conditions, 'ContainersReady');
  const missing = (pod.spec.readinessGates ?? []).filter(({ conditionType }) => condition(conditions, conditionType)?.status !== 'True');
  if (ready?.status !== 'True' || missing.length === 0 || !past(ready.lastTransitionTime, graces.unreadySeconds)) return undefined;
  const names = missing.map(({ conditionType }) => JSON.stringify(conditionType)).join(', ');
  return { reason: 'ReadinessGatesNotReady', family: 'unready', message: `the readiness gates ${names} are not true` };
}

function isAssigned({ spec, status }: Pod): boolean {
  return Boolean(spec.nodeName) || condition(status?.conditions, 'PodScheduled')?.status === 'True';
}

/** A node takes a pod that is bound to it within a second. */
const TAKEN_SECONDS = 10;

/** A pod that is bound to a node which never started it: no kubelet is working there. */
function notTaken({ pod, past, graces }: Look, since: string | undefined): Failure | undefined {
  const { nodeName } = pod.spec;
  if (!nodeName || statusesOf(pod).length > 0 || !past(since, Math.max(TAKEN_SECONDS, graces.pendingSeconds))) return undefined;
  return { reason: 'Pending', family: 'waiting', message: `the node ${JSON.stringify(nodeName)} has not taken the pod` };
}

function statusesOf({ status }: Pod): ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
}

function hasBegun(pod: Pod): boolean {
  return statusesOf(pod).some(({ state }) => state?.running || state?.terminated);
}

/** Whether there was no progress for so long that something must be wrong. Before that, the pod is examined again at each grace time. */
function isSilent(look: Look, since: string | undefined, events: CoreEvent[]): boolean {
  const { pendingSeconds } = look.graces;
  if (pendingSeconds === 0 || isPulling(events)) return false;
  for (let times = 2; times <= LONGER_GRACE_FACTOR; times += 1) if (!look.past(since, pendingSeconds * times)) return false;
  return true;
}

function silence(pod: Pod): Failure {
  const reason = statusesOf(pod).length > 0 ? 'ContainerCreating' : 'Pending';
  return { reason, family: 'waiting', message: 'the node has not started any container and does not say why' };
}

/** The event that says why preparation fails: the first of the list that is newer than every sign of progress. */
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

/** Each kubelet version has new reasons for refusing a pod. Unknown ones belong to the family node too. */
function said(reason: string, message: string | undefined): Failure {
  const family = familyOf({ reason });
  return { reason, family: family === 'other' ? 'node' : family, message: message?.trim() || reason };
}
