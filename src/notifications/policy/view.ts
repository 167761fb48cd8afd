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
  /** Records that still fail, shown or not. */
  open: number;
  /** The number of records that people should hear of. */
  active: number;
  /** Failed runs of all its records. */
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
  /** Firing Alertmanager alerts about it, newest first. */
  alerts: AlertView[];
  /** Set for a finding. `reason` is then its check and `owner` its resource. */
  finding?: { severity: Severity; remediation: string };
}

/** An alert as messages tell it, masked. */
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
  /** Names of alerts. Threads that earlier versions stored have none. */
  alerts?: string[];
  /** The worst of findings. */
  severity?: Severity;
}

/** What one provider was told about one incident or group, from the first message until the end. */
export interface Thread {
  /** `waiting`: nothing was sent yet, but something may be. `resolved`: the end was sent, or the incident ended before anything was sent. */
  status: 'waiting' | 'open' | 'resolved';
  createdAt: Date;
  /** The earliest time to open it, because an earlier thread with the same key has just ended. */
  notBefore: Date | null;
  openedAt: Date | null;
  lastSentAt: Date | null;
  resolvedAt: Date | null;
  told: Told | null;
  /** Failed runs counted while it waits, oldest first. */
  samples: { at: string; count: number }[];
}

/** The decision about a thread. Without `send`, nothing is sent; `dueAt` is when to look again if nothing changes. */
export interface ThreadDecision {
  thread: Thread;
  send?: Exclude<NotificationEvent, 'test'>;
  dueAt: Date | null;
  /** It should be opened now, but there were too many openings; its incidents go into the summary. */
  folds?: true;
  /** Cancels its waiting messages, because all of it is hidden by now. */
  hushes?: true;
}

/** The worst severity among findings; undefined when there is no finding. */
export const worstOf = (incidents: readonly IncidentView[]): Severity | undefined =>
  SEVERITIES.find((severity) => incidents.some(({ finding }) => finding?.severity === severity));

/** Whether nothing of it fails any more. */
export const isOver = (incident: IncidentView): boolean => incident.open === 0;
