import type { ContainerEvidence } from '../../contract/failure.ts';
import type { Case } from '../case.ts';
import type { Quote } from './message.ts';

/** A waiting container, with kubelet's reason. */
export interface WaitingFact {
  kind: 'waiting';
  container: string;
  reason: string;
  evidence: Quote;
}

/** The newest ended run of a container. */
export interface RunFact {
  kind: 'run';
  container: string;
  init: boolean;
  exitCode: number;
  signal: number | null;
  reason: string;
  restarts: number;
  /** How long it ran; null when times are missing or invalid (a `StartError` has a start in 1970). */
  seconds: number | null;
  evidence: Quote;
}

/** Waiting and ended containers, the failing one first. */
export function readStatuses(subject: Case): (WaitingFact | RunFact)[] {
  const ordered = subject.statuses.toSorted((a, b) => Number(b.name === subject.container) - Number(a.name === subject.container));
  return ordered.flatMap((status) => [...waiting(status), ...ended(status)]);
}

function waiting(status: ContainerEvidence): WaitingFact[] {
  if (status.state !== 'waiting' || !status.reason) return [];
  return [
    {
      kind: 'waiting',
      container: status.name,
      reason: status.reason,
      evidence: {
        from: `status of container ${status.name}`,
        text: `waiting: ${status.reason}${status.message ? `: ${status.message}` : ''}`,
      },
    },
  ];
}

function ended(status: ContainerEvidence): RunFact[] {
  const run = status.state === 'terminated' ? status : status.last_state;
  const exitCode = run?.exit_code;
  if (!run || typeof exitCode !== 'number') return [];
  const restarts = status.restart_count ?? 0;
  const tail = restarts > 0 ? `, restarted ${restarts} ${restarts === 1 ? 'time' : 'times'}` : '';
  return [
    {
      kind: 'run',
      container: status.name,
      init: status.kind === 'init',
      exitCode,
      signal: run.signal ?? null,
      reason: run.reason ?? '',
      restarts,
      seconds: secondsBetween(run.started_at, run.finished_at),
      evidence: { from: `status of container ${status.name}`, text: `terminated: ${run.reason ?? 'Error'}, exit code ${exitCode}${tail}` },
    },
  ];
}

function secondsBetween(from: string | null | undefined, to: string | null | undefined): number | null {
  const start = Date.parse(from ?? '');
  const seconds = (Date.parse(to ?? '') - start) / 1000;
  return start > 0 && seconds >= 0 ? seconds : null;
}
