import type { ContainerEvidence } from '../../contract/failure.ts';

/** One run of a container that ended in a failure. */
export interface FailedRun {
  container: string;
  seconds: number;
  isMemoryKill: boolean;
  startedAt: string;
}

/** The runs before a failure, in both states of a status. Exit code 0 is a failure if the container should run for ever. */
export function runsBeforeFailure(status: ContainerEvidence, restartPolicy: string): FailedRun[] {
  return [status, status.last_state ?? {}].flatMap((run) => {
    const [from, to] = [Date.parse(run.started_at ?? ''), Date.parse(run.finished_at ?? '')];
    // A container that never started has a start time in 1970.
    if (!(from > 0) || !(to >= from) || (run.exit_code === 0 && restartPolicy !== 'Always')) return [];
    const isMemoryKill = run.reason === 'OOMKilled';
    return [{ container: status.name, seconds: (to - from) / 1000, isMemoryKill, startedAt: run.started_at ?? '' }];
  });
}

/**
 * The longest run before a failure that these statuses show, in whole seconds; undefined if there is none. Init containers do not count,
 * because they are supposed to end.
 */
export function longestRunIn(statuses: readonly ContainerEvidence[], restartPolicy = 'Always'): number | undefined {
  const runs = statuses
    .filter(({ kind }) => kind !== 'init')
    .flatMap((status) => runsBeforeFailure(status, status.kind === 'sidecar' ? 'Always' : restartPolicy));
  return runs.length === 0 ? undefined : Math.round(Math.max(...runs.map(({ seconds }) => seconds)));
}
