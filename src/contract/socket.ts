import type { Advice } from './advice.ts';
import type { AgentRecord } from './agent.ts';
import type { FailureRecord, FailureStatus } from './failure.ts';
import type { Finding } from './finding.ts';
import type { MirrorRecord } from './mirror.ts';
import type { SuppressionRecord } from './suppression.ts';

/** The messages of the WebSocket `/api/ws`: message type → `data` (specification, "Events"). */
export interface SocketData {
  pod_failure: FailureRecord & { reason: string };
  pod_deleted: { namespace: string; pod_name: string };
  /** With `incident_id`: somebody was assigned to the incident of the record, or commented on it. The status is as it was. */
  pod_status_change: { id: number; status: FailureStatus; incident_id?: number };
  solution_updated: { id: number; solution: string };
  namespace_exclusion: { namespace: string; action: 'excluded' | 'included' };
  trusted_registry_change: { registry: string; action: 'added' | 'removed' };
  mirror_status: MirrorRecord;
  suppression_change: SuppressionRecord & { action: 'added' | 'changed' | 'removed' };
  agent_status: AgentRecord;
  security_finding: Finding;
  finding_deleted: Finding;
  advice_finding: Advice;
  security_rescan_status: { status: 'requested' | 'started' | 'completed' | 'failed'; reason: string };
}

/**
 * A message on its way to the sockets. `namespace` says to which namespace it belongs, if `data` does not say so: sockets that may not see
 * that namespace do not get it. Only `type` and `data` are sent.
 */
export type SocketMessage = {
  [K in keyof SocketData]: { type: K; data: SocketData[K] } & (SocketData[K] extends { id: number; namespace?: never }
    ? { namespace: string }
    : unknown);
}[keyof SocketData];
