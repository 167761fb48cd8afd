import type { FailureRecord, KnownFailure } from '../../contract/failure.ts';
import type { SocketMessage } from '../../contract/socket.ts';
import { reasonRank } from './label.ts';

/** Sockets get a record's repeats at most this often. */
const REPEAT_MS = 10_000;

export interface ReportView {
  reported: { family: string; container: string | null; failure_reason: string; reason_rank: number };
  known: KnownFailure | undefined;
  /** The report adds the Job's failure or another pod's evidence to a Job's record, which is diagnosed and sent again. */
  isJoining: boolean;
  /** The name of the Suppression that hides the pod when it fails for this reason. */
  suppressionFor(failure_reason: string): string | null;
  now: Date;
}

/** What a report means for its record. */
export interface ReportDecision {
  /** The incident in which the record stays; null when it is new or moves to another one. */
  kept_incident: number | null;
  /** The record that already has everything in this report. It only counts as seen again. */
  repeats: number | null;
  suppressed_by: string | null;
  /** `now` when sockets hear of the failure. */
  announced_at: string | null;
  needsSolution: boolean;
}

export function decideReport({ reported, known, isJoining, suppressionFor, now }: ReportView): ReportDecision {
  const kept = known && !isMoved(reported, known) ? known : undefined;
  // A less specific label does not replace the record's label. So the label that stays decides which Suppression hides the record.
  const keepsLabel = kept !== undefined && !isJoining && reasonRank(kept.failure_reason) < reported.reason_rank;
  const suppressed_by = suppressionFor(keepsLabel ? kept.failure_reason : reported.failure_reason);
  const isShown = suppressed_by === null;
  const isDue = isJoining || !known?.announced_at || now.getTime() - known.announced_at.getTime() >= REPEAT_MS;
  return {
    kept_incident: kept ? kept.incident_id : null,
    repeats: kept && !isJoining && saysAll(kept, reported) ? kept.id : null,
    suppressed_by,
    announced_at: isShown && isDue ? now.toISOString() : null,
    needsSolution: isShown && (isJoining || !kept?.has_solution),
  };
}

/** Another family, or another container of the pod, means another incident. The SQL statement makes the same test. */
function isMoved(reported: ReportView['reported'], known: KnownFailure): boolean {
  const { family, container } = reported;
  return known.family !== family || (known.container !== null && container !== null && known.container !== container);
}

/** Whether a report that stays in its incident adds nothing to the record. */
function saysAll(kept: KnownFailure, { failure_reason, container }: ReportView['reported']): boolean {
  const isSame = kept.failure_reason === failure_reason && (kept.container !== null || container === null);
  return isSame && kept.has_occurrence && kept.has_solution;
}

/** A visible record after its report was stored. */
export interface StoredView {
  record: FailureRecord;
  isNew: boolean;
  known: KnownFailure | undefined;
  /** What the decision said. */
  announced_at: string | null;
  /** The solution that was made for this report. */
  newSolution: string | null;
}

/** The messages for sockets: the whole failure, or what changed. */
export function messagesOf({ record, isNew, known, announced_at, newSolution }: StoredView): SocketMessage[] {
  const { id, status, namespace, failure_reason } = record;
  if (isNew || (known && announced_at !== null)) return [{ type: 'pod_failure', data: { ...record, reason: failure_reason } }];
  const messages: SocketMessage[] = [];
  if (known && known.status !== status) messages.push({ type: 'pod_status_change', data: { id, status }, namespace });
  if (known && newSolution !== null) messages.push({ type: 'solution_updated', data: { id, solution: newSolution }, namespace });
  return messages;
}
