import { SEVERITIES, type Severity } from '../../contract/finding.ts';
import type { NotificationEvent } from '../types/service.ts';

/** An incident or a finding as it is now. Suppressed and ignored records do not count as active. */
export interface IncidentView {
  /** Negative for a finding. */
  id: number;
  cluster: string;
  namespace: string;
  /** `Deployment/web`, or `Pod/name`. */
  owner: string;
  container: string;
  family: string;
  /** The number of records that still fail, including hidden ones. */
  open: number;
  /** The number of records that people should hear of. */
  active: number;
  /** The number of failed runs of all records. */
  occurrences: number;
  /** The id of the newest active record, or of the newest record if none is active. */
  recordId: number | null;
  pod: string;
  node: string | null;
  labels: Record<string, string>;
  reason: string;
  message: string;
  solution: string | null;
  /** The newest trial that has a verdict. */
  verdict: { verdict: string; strength: string | null; revisions: number; message: string } | null;
  openedAt: Date;
  /** Firing Alertmanager alerts about the incident, newest first. */
  alerts: AlertView[];
  /** Set for a finding. `reason` is then its check and `owner` its resource. */
  finding?: { severity: Severity; remediation: string };
}

/** An alert as messages show it, masked. */
export interface AlertView {
  name: string;
  severity: string | null;
  summary: string;
}

/** The content of the last message, used to detect news. */
export interface Told {
  incidents: number[];
  pods: number;
  reasons: string[];
  /** Fingerprint of the solutions. */
  solution: string;
  verdict: string;
  revisions: number;
  /** Names of alerts. Missing in threads that earlier versions stored. */
  alerts?: string[];
  /** The worst severity among the findings. */
  severity?: Severity;
}

/** The conversation with one provider about one incident or group, from the first message until the end. */
export interface Thread {
  /** `waiting`: nothing was sent yet, but something may be. `resolved`: the end was sent, or the incident ended before anything was sent. */
  status: 'waiting' | 'open' | 'resolved';
  createdAt: Date;
  /** The thread is not opened before this time, because an earlier thread with the same key has just ended. */
  notBefore: Date | null;
  openedAt: Date | null;
  lastSentAt: Date | null;
  resolvedAt: Date | null;
  told: Told | null;
  /** Failed runs counted while it waits, oldest first. */
  samples: { at: string; count: number }[];
}

/** The decision about a thread. Without `send`, no message is sent. `dueAt` is when to decide again if nothing changes. */
export interface ThreadDecision {
  thread: Thread;
  send?: Exclude<NotificationEvent, 'test'>;
  dueAt: Date | null;
  /** The thread should open now, but too many were opened lately. Its incidents go into the summary. */
  folds?: true;
  /** Cancels the waiting messages of the thread, because all its incidents are hidden now. */
  hushes?: true;
}

/** The worst severity among findings; undefined when there is no finding. */
export const worstOf = (incidents: readonly IncidentView[]): Severity | undefined =>
  SEVERITIES.find((severity) => incidents.some(({ finding }) => finding?.severity === severity));

/** Whether no record of the incident fails any more. */
export const isOver = (incident: IncidentView): boolean => incident.open === 0;
