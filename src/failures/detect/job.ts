import type { KubeObject, OwnerReference, PodCondition, Workload } from '../../crd/kubernetes.ts';
import { millis } from './view.ts';

/** What is known of the CronJob that made a Job. */
export interface Schedule {
  cronJob: KubeObject | undefined;
  /** Jobs of the namespace, as far as they are known. */
  jobs: readonly KubeObject[];
}

/** The condition by which a Job has given up; undefined for one that works, has succeeded, or still tries. */
export function givenUp(job: KubeObject): PodCondition | undefined {
  return holds(job, 'Failed') ?? holds(job, 'FailureTarget');
}

/** Whether a Job has succeeded, by completions or by its success policy. Its failed pods are then only kept for their logs. */
export function hasSucceeded(job: KubeObject): boolean {
  return (holds(job, 'Complete') ?? holds(job, 'SuccessCriteriaMet')) !== undefined;
}

/** The reference to the CronJob that created a Job, on schedule or on request. */
export function cronJobReference({ metadata }: KubeObject): OwnerReference | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === 'CronJob');
}

/**
 * Whether a Job that has given up is overtaken: a later run of its CronJob was complete. Nobody has to act then, although the failed Job stays
 * in the history for a long time. A run that still tries is not overtaken.
 */
export function isOvertaken(job: KubeObject, { cronJob, jobs }: Schedule): boolean {
  const uid = cronJobReference(job)?.uid;
  const failedAt = millis(givenUp(job)?.lastTransitionTime);
  const madeAt = millis(job.metadata.creationTimestamp);
  if (!uid || !failedAt || !madeAt) return false;
  const complete = jobs.filter((other) => hasSucceeded(other) && cronJobReference(other)?.uid === uid);
  if (complete.some(({ metadata }) => (millis(metadata.creationTimestamp) ?? 0) > madeAt)) return true;
  // Complete Jobs may be deleted at once, but the CronJob records when the last one ended. That may be an earlier Job that took longer.
  const lastAt = cronJob?.metadata.uid === uid ? millis(statusOf(cronJob).lastSuccessfulTime) : undefined;
  return lastAt !== undefined && lastAt > failedAt && !complete.some((other) => millis(statusOf(other).completionTime) === lastAt);
}

function holds(job: KubeObject, type: string): PodCondition | undefined {
  return (job as Workload).status?.conditions?.find((one) => one.type === type && one.status === 'True');
}

function statusOf(object: KubeObject): { lastSuccessfulTime?: string; completionTime?: string } {
  return (object as KubeObject & { status?: object }).status ?? {};
}
