import type { ContainerEvidence, FailureReport } from '../../contract/failure.ts';

/** Labels that are less specific than others of their family; a larger number is less specific. A record keeps its most specific label. */
const DULLNESS: Record<string, number> = {
  ErrImagePull: 1,
  RunContainerError: 1,
  ContainerCannotRun: 1,
  Pending: 1,
  CrashLoopBackOff: 1,
  Error: 2,
  ContainerStatusUnknown: 3,
  Unknown: 9,
};

/** How specific a label is within its family: 0 is the most specific. */
export function reasonRank(reason: string): number {
  return (Object.hasOwn(DULLNESS, reason) && DULLNESS[reason]) || 0;
}

/** The reported label; without one, the label from the statuses (the failing container's first), otherwise `Unknown`. */
export function reasonOf({ failure_reason, container, container_statuses }: FailureReport): string {
  if (failure_reason) return failure_reason;
  const statuses = container_statuses ?? [];
  const failing = statuses.filter((status) => status.name === container);
  return [...failing, ...statuses].map(statusReason).find((reason) => reason !== undefined) ?? 'Unknown';
}

/** Reasons of containers that do not fail. */
const WELL = new Set(['Completed', 'ContainerCreating', 'PodInitializing']);

function statusReason(status: ContainerEvidence): string | undefined {
  for (const run of [status, status.last_state]) {
    if (run?.reason && run.state !== 'running' && !WELL.has(run.reason)) return run.reason;
    if (run?.state === 'terminated' && run.exit_code) return 'Error';
  }
  return undefined;
}

/** The image of the failing container; all images of the pod if that container is not known. */
export function failingImages({ container, container_statuses, images }: FailureReport): string[] {
  const image = container_statuses?.find((status) => status.name === container)?.image;
  return image ? [image] : (images ?? []);
}
