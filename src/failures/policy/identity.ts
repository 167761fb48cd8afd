import type { ContainerEvidence, FailureReport } from '../../contract/failure.ts';

/** The parts of a Job's identity that identify its records. */
export interface JobIdentity {
  namespace: string;
  name: string;
  uid: string;
}

type Identified = Pick<FailureReport, 'pod_uid' | 'namespace' | 'pod_name' | 'resource_kind' | 'labels' | 'workload' | 'job'>;

/** Reports with the same identity are one record while it is open: the Job's for a Job and its pods, else the pod's uid, else `namespace/name`. */
export function recordIdentity(report: Identified): string {
  const job = jobOf(report);
  if (job) return jobIdentity(job);
  return report.pod_uid || `${report.namespace}/${report.pod_name}`;
}

export function jobIdentity({ namespace, name, uid }: JobIdentity): string {
  return `Job/${namespace}/${name}/${uid}`;
}

/** The Job of an identity; undefined for other identities. */
export function jobOfIdentity(identity: string): JobIdentity | undefined {
  const [kind, namespace, name, uid, ...more] = identity.split('/');
  return kind === 'Job' && namespace && name && uid && more.length === 0 ? { namespace, name, uid } : undefined;
}

/**
 * The Job that a report is about, itself or by one of its pods. The Job controller labels its pods, unless the Job has a selector of its own;
 * a pod that nothing controls is no Job's, whatever its labels say.
 */
export function jobOf({ pod_uid, namespace, pod_name, resource_kind, labels, workload, job }: Identified): JobIdentity | undefined {
  if (!pod_uid) return undefined;
  if (resource_kind === 'Job') return { namespace, name: pod_name, uid: pod_uid };
  const [uid, name] = [labelled(labels, 'controller-uid') || job?.uid, labelled(labels, 'job-name') || job?.name];
  if (!isPod({ resource_kind }) || !workload || !uid || !name) return undefined;
  return { namespace, name, uid };
}

export function isPod({ resource_kind }: { resource_kind?: string | null | undefined }): boolean {
  return !resource_kind || resource_kind === 'Pod';
}

/** Clusters before 1.27 write these labels without a prefix. */
function labelled(labels: FailureReport['labels'], name: string): string | undefined {
  return labels?.[`batch.kubernetes.io/${name}`] || labels?.[name];
}

/**
 * What makes an occurrence distinct: container, restart count and end of the run that failed, and the pod where a record has several. The
 * count is the ended run's (the kubelet counts up when the next one starts), so that the same crash seen before and after the restart is
 * one occurrence.
 */
export function occurrenceOf(report: FailureReport): string {
  return (isPod(report) && jobOf(report) ? `${report.pod_uid} ` : '') + occurrenceKey(report);
}

/** The same among the occurrences of one pod. */
export function occurrenceKey(report: Pick<FailureReport, 'container' | 'container_statuses'>): string {
  const { container } = report;
  const status = container ? (report.container_statuses ?? []).find(({ name }) => name === container) : undefined;
  if (!status) return `${container ?? ''}|0|`;
  const finishedAt = status.finished_at ?? status.last_state?.finished_at ?? '';
  return `${container}|${endedRun(status)}|${finishedAt}`;
}

function endedRun(status: ContainerEvidence): number {
  const count = status.restart_count ?? 0;
  return status.state === 'running' ? Math.max(0, count - 1) : count;
}
