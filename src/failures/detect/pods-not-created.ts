import type { CoreEvent, PodCondition, Workload } from '../../crd/kubernetes.ts';
import { eventsOf, firstSeen, lastSeen, newest } from './events.ts';
import { givenUp, hasSucceeded } from './job.ts';
import { type Failure, look } from './view.ts';
import type { Graces } from './view.ts';

/** A controller at one moment. `events` may hold events of other objects. */
export interface ControllerView {
  object: Workload;
  events: CoreEvent[];
  now: Date;
  graces: Graces;
}

/**
 * Why a Job has given up, or why a ReplicaSet, StatefulSet, DaemonSet or Job cannot create its pods; undefined for what works,
 * is suspended, scaled to nothing or being deleted. The ReplicaSet of a Deployment shows the Deployment's failure.
 */
export function controllerFailure(view: ControllerView): Failure | undefined {
  const { object } = view;
  if (object.metadata.deletionTimestamp || object.kind === 'Deployment') return undefined;
  return ended(object) ?? cannotCreate(view);
}

function ended(object: Workload): Failure | undefined {
  const failed = object.kind === 'Job' ? givenUp(object) : undefined;
  return failed ? said(failed.reason || 'BackoffLimitExceeded', failed.message) : undefined;
}

function cannotCreate(view: ControllerView): Failure | undefined {
  const { object, graces } = view;
  if (isSatisfied(object)) return undefined;
  const events = eventsOf(object, view.events);
  const refused = refusal(events);
  const condition = replicaFailure(object);
  if (!condition && !refused) return undefined;
  const { past } = look({ ...view, pod: { metadata: {}, spec: { containers: [] } } });
  return past(begun(condition, events), graces.pendingSeconds) ? said('FailedCreate', refused?.message || condition?.message) : undefined;
}

/** The newest refusal, unless a pod could be created since. */
function refusal(events: CoreEvent[]): CoreEvent | undefined {
  const refused = newest(events, 'FailedCreate');
  const succeeded = newest(events, 'SuccessfulCreate');
  return refused && succeeded && lastSeen(succeeded) > lastSeen(refused) ? undefined : refused;
}

/** ReplicaSets keep this condition until a pod could be created. */
function replicaFailure({ status }: Workload): PodCondition | undefined {
  return status?.conditions?.find(
    ({ type, status: is, reason }) => type === 'ReplicaFailure' && is === 'True' && reason === 'FailedCreate',
  );
}

/** Since when no pod could be created: the condition's time, or else the first refusal in the events. */
function begun(condition: PodCondition | undefined, events: CoreEvent[]): string | number | undefined {
  if (condition?.lastTransitionTime) return condition.lastTransitionTime;
  const first = events.find(({ reason }) => reason === 'FailedCreate');
  return first ? firstSeen(first) : undefined;
}

/** Whether as many pods exist as are wanted, or none is wanted. */
function isSatisfied(object: Workload): boolean {
  const { kind, spec, status } = object;
  const count = (field: string): number => Number(status?.[field] ?? 0);
  if (kind === 'DaemonSet') return count('currentNumberScheduled') >= count('desiredNumberScheduled');
  if (kind !== 'Job') return count('replicas') >= (spec?.replicas ?? 1);
  return hasSucceeded(object) || spec?.['suspend'] === true || count('active') > 0;
}

function said(reason: string, message: string | undefined): Failure {
  return { reason, family: 'controller', message: message?.trim() || reason };
}
