import { SEVERITIES, type Severity } from '../../contract/finding.ts';
import type { NotificationEvent } from '../types/service.ts';

/** An incident as it is now, or a finding. What Suppressions hide and what people ignore does not count as active. */
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
  /** Those of them that people should hear of. */
  active: number;
  /** Failed runs of all its records. */
  occurrences: number;
  /** The id of the newest active record, or else of the newest record. */
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
  /** Alerts of Alertmanager about it that fire, newest first. */
  alerts: AlertView[];
  /** Set for a finding: `reason` is its check then, and `owner` its resource. */
  finding?: { severity: Severity; remediation: string };
}

/** An alert as messages tell it, masked. */
export interface AlertView {
  name: string;
  severity: string | null;
  summary: string;
}

/** The content of the last message, to find out what is new. */
export interface Told {
  incidents: number[];
  pods: number;
  reasons: string[];
  /** Fingerprint of the solutions. */
  solution: string;
  verdict: string;
  revisions: number;
  /** Names of alerts. Threads of earlier versions have none. */
  alerts?: string[];
  /** The worst of findings. */
  severity?: Severity;
}

/** What one provider was told about one incident or group: from the first look until the end. */
export interface Thread {
  /** `waiting`: nothing was sent yet. `resolved`: the end was told, or nothing ever was. */
  status: 'waiting' | 'open' | 'resolved';
  createdAt: Date;
  /** Not opened before this: an earlier one with the same key has just ended. */
  notBefore: Date | null;
  openedAt: Date | null;
  lastSentAt: Date | null;
  resolvedAt: Date | null;
  told: Told | null;
  /** Failed runs counted while it waits, oldest first. */
  samples: { at: string; count: number }[];
}

/** What follows for a thread. Without `send` nothing is sent; `dueAt` is when to look again without a change. */
export interface ThreadDecision {
  thread: Thread;
  send?: Exclude<NotificationEvent, 'test'>;
  dueAt: Date | null;
  /** It should be opened now, but too many were. Its incidents belong in the summary. */
  folds?: true;
  /** Cancels the waiting messages about it: all of it is hidden by now. */
  hushes?: true;
}

/** The worst severity of these findings; undefined when none is a finding. */
export const worstOf = (incidents: readonly IncidentView[]): Severity | undefined =>
  SEVERITIES.find((severity) => incidents.some(({ finding }) => finding?.severity === severity));

/** Whether nothing of it fails any more. */
export const isOver = (incident: IncidentView): boolean => incident.open === 0;
