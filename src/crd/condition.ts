import type { Condition } from './kubernetes.ts';

/** A condition as a reconciler states it. `setCondition` adds the times. */
export type Stated = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/**
 * The list with `stated` in it, in the order in which the types first appeared. `lastTransitionTime` becomes `now` only when the status
 * changes. A condition that does not change at all is returned as the same object. The given list is not modified.
 */
export function setCondition(conditions: readonly Condition[], stated: Stated, now: Date, observedGeneration?: number): Condition[] {
  const old = conditions.find(({ type }) => type === stated.type);
  const lastTransitionTime = old?.status === stated.status ? old.lastTransitionTime : instant(now);
  const next: Condition = { ...stated, lastTransitionTime, ...(observedGeneration === undefined ? {} : { observedGeneration }) };
  if (!old) return [...conditions, next];
  const same = old.reason === next.reason && old.message === next.message && old.status === next.status;
  return conditions.map((one) => (one !== old ? one : same && old.observedGeneration === next.observedGeneration ? old : next));
}

/** A time as Kubernetes writes metav1.Time: UTC, whole seconds. */
export function instant(at: Date): string {
  return `${at.toISOString().slice(0, 19)}Z`;
}
