import type { ContainerEvidence } from '../../contract/failure.ts';
import { parseQuantity } from '../../crd/quantity.ts';
import type { PodSpec } from '../../crd/kubernetes.ts';
import { type FailedRun, runsBeforeFailure } from '../../failures/policy/failed-runs.ts';
import { lasting, type SourceHistory } from './observation-window.ts';

/** The facts about all occurrences in a failure record. */
export interface RecordedRuns {
  container?: string | null;
  failure_reason?: string | null;
  container_statuses?: readonly ContainerEvidence[] | null;
  /** The longest run before a failure over all occurrences, in seconds; null when none is known. */
  longest_run_seconds?: number | null;
  occurrences?: number | null;
}

/**
 * The runs of a source before its failures, from its record and from the status of the live pod (`live`). The current and the last state of
 * each status count, and so does the longest run in the record. `spec` is the spec of the source.
 */
export function sourceHistory({
  spec,
  live = [],
  record,
}: {
  spec: PodSpec;
  live?: readonly ContainerEvidence[];
  record?: RecordedRuns | undefined;
}): SourceHistory {
  const statuses = [...(record?.container_statuses ?? []), ...live];
  const containers = lasting(spec);
  const runs = distinct(
    containers.flatMap((container) =>
      statuses
        .filter(({ name }) => name === container.name)
        .flatMap((status) => runsBeforeFailure(status, restartPolicyOf(container, spec))),
    ),
  );
  const recorded = record?.longest_run_seconds ?? 0;
  const isMemoryRecord = record?.failure_reason === 'OOMKilled';
  return {
    containers: containers.map(({ name, resources }) => {
      const kills = runs.filter(({ container, isMemoryKill }) => container === name && isMemoryKill).map(({ seconds }) => seconds);
      const toKill = Math.max(...kills, isMemoryRecord && record.container === name ? recorded : 0);
      const memoryLimit = parseQuantity(resources?.limits?.['memory'] ?? spec.resources?.limits?.['memory']);
      return {
        name,
        hasRun: statuses.some((status) => status.name === name && hasRun(status)) || (record?.container === name && recorded > 0),
        ...(kills.length > 0 || (isMemoryRecord && toKill > 0) ? { longestToMemoryKillSeconds: toKill } : {}),
        ...(memoryLimit === undefined ? {} : { memoryLimit }),
      };
    }),
    knownRuns: Math.max(runs.length, recorded > 0 ? (record?.occurrences ?? 1) : 0),
    endedRuns: Math.max(
      runs.length,
      containers.reduce((sum, { name }) => sum + Math.max(0, ...statuses.filter((status) => status.name === name).map(endsOf)), 0),
    ),
    longestRunSeconds: Math.max(0, recorded, ...runs.map(({ seconds }) => seconds)),
  };
}

const restartPolicyOf = (container: { restartPolicy?: string }, spec: PodSpec): string =>
  container.restartPolicy ?? spec.restartPolicy ?? 'Always';

/** Removes duplicates: the record and the live pod may describe the same run. */
function distinct(runs: FailedRun[]): FailedRun[] {
  return [...new Map(runs.map((run) => [`${run.container} ${Date.parse(run.startedAt)}`, run])).values()];
}

function hasRun(status: ContainerEvidence): boolean {
  return status.ready === true || [status, status.last_state ?? {}].some((run) => Date.parse(run.started_at ?? '') > 0);
}

function endsOf(status: ContainerEvidence): number {
  return (status.restart_count ?? 0) + (status.state === 'running' || !(status.finished_at ?? status.last_state) ? 0 : 1);
}
