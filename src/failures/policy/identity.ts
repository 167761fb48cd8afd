import type { ContainerEvidence, FailureReport } from '../../contract/failure.ts';

/** Reports with the same identity are one record while it is open: the pod's uid, else `namespace/name`. */
export function recordIdentity(report: Pick<FailureReport, 'pod_uid' | 'namespace' | 'pod_name'>): string {
  return report.pod_uid || `${report.namespace}/${report.pod_name}`;
}

/**
 * What makes an occurrence distinct: container, restart count and end of the run that failed. The count is the ended run's (the
 * kubelet counts up when the next one starts), so that the same crash seen before and after the restart is one occurrence.
 */
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
