import type { Pod } from '../../crd/kubernetes.ts';
import { containerFailure, recentCrash, returningCrash } from './container.ts';
import { type ControllerView, controllerFailure } from './pods-not-created.ts';
import { eventsOf } from './events.ts';
import { leftRunning } from './left-running.ts';
import { gateFailure, nodeFailure, preparationFailure, schedulingFailure } from './pod.ts';
import { type Failure, type Look, type PodView, look, millis } from './view.ts';

export type { Failure, Graces, PodView } from './view.ts';

/**
 * Whether and why a pod fails; the first match wins. Undefined for a pod that is healthy, completed, gated, being deleted, within its grace
 * time, or starting without a failed attempt. Knows the wording of every supported kubelet.
 */
export function detectFailure(view: PodView): Failure | undefined {
  return failureIn(look(view));
}

/**
 * Like the function above, but also returns when to look again: the time at which the result may change even if the pod does not change
 * and no event arrives. Undefined if it cannot.
 */
export function examine(view: PodView): { failure: Failure | undefined; lookAgainAt: Date | undefined } {
  const looking = look(view);
  const failure = failureIn(looking);
  return { failure, lookAgainAt: failure ? undefined : looking.lookAgainAt() };
}

/** The crash from which a pod that is Ready again has not recovered: it was less than `recoverySeconds` ago. */
export function detectRecentCrash(view: PodView & { recoverySeconds: number }): Failure | undefined {
  return recentCrash(look(view), eventsOf({ ...view.pod, kind: 'Pod' }, view.events), view.recoverySeconds);
}

/** The same if only this moment of the pod is known: a crash counts if it happens repeatedly. */
export function detectCrashLoop(view: PodView & { recoverySeconds: number }): Failure | undefined {
  return returningCrash(look(view), eventsOf({ ...view.pod, kind: 'Pod' }, view.events), view.recoverySeconds);
}

/** Why a controller fails (family controller): see `controllerFailure`. */
export function detectControllerFailure(view: ControllerView): Failure | undefined {
  return controllerFailure(view);
}

/**
 * The state of a pod that failed: `recovered` when it has been Ready without a restart for `recoverySeconds`, or has completed; `failing`
 * while `detectFailure` says so; `unsettled` in between (a crash loop that is running at the moment).
 */
export function podHealth(view: PodView & { recoverySeconds: number }): 'failing' | 'unsettled' | 'recovered' {
  if (detectFailure(view)) return 'failing';
  if (view.pod.status?.phase === 'Succeeded') return 'recovered';
  const at = recoversAt(view.pod, view.recoverySeconds);
  return at && view.now >= at ? 'recovered' : 'unsettled';
}

/** When a Ready pod will have been Ready for long enough, counted from the start of its last container; undefined when it is not Ready. */
export function recoversAt({ status }: Pod, recoverySeconds: number): Date | undefined {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  if (ready?.status !== 'True') return undefined;
  const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const starts = statuses.map(({ state }) => millis(state?.running?.startedAt) ?? 0);
  return new Date(Math.max(millis(ready.lastTransitionTime) ?? 0, ...starts) + recoverySeconds * 1000);
}

function failureIn(looking: Look): Failure | undefined {
  const { pod } = looking;
  if (pod.status?.phase === 'Succeeded') return undefined;
  const events = eventsOf({ ...pod, kind: 'Pod' }, looking.events);
  const byNode = nodeFailure(looking, events);
  if (byNode || pod.metadata.deletionTimestamp) return byNode;
  if (pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True')) return undefined;
  return (
    schedulingFailure(looking, events) ??
    containerFailure(looking, events) ??
    preparationFailure(looking, events) ??
    leftRunning(looking) ??
    gateFailure(looking)
  );
}
