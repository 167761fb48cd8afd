import type { EventEvidence, FailureDetail, FailureReport, KnownFailure } from '../../contract/failure.ts';
import { REPORT_BOUNDS } from '../../contract/report-bounds.ts';
import { isPod } from './identity.ts';

/** How a report about a Job or one of its pods relates to the Job's record. There is one record, whichever report comes first. */
export type Meeting =
  /** As any repeat: about the same object. */
  | 'same'
  /** An earlier failure of a pod that the record has left behind. */
  | 'past'
  /** The Job's own report: the record becomes the Job's and keeps the evidence of its pod. */
  | 'becomes the Job'
  /** A pod's evidence for the record of a Job that has given up. */
  | 'evidence'
  /** Another pod of a Job that still tries: the record is about the newest. */
  | 'next pod';

export function meetingOf(report: FailureReport, known: KnownFailure | undefined): Meeting {
  if (!known) return 'same';
  if (known.pod_uid === report.pod_uid) return isPod(report) || known.failure_reason === report.failure_reason ? 'same' : 'becomes the Job';
  if (!isPod(known)) return 'evidence';
  if (!isPod(report)) return 'becomes the Job';
  return known.has_occurrence ? 'past' : 'next pod';
}

/** The report with what the record knows already about the Job, or about its pod. Never changes what it gets. */
export function joinReport(report: FailureReport, stored: FailureDetail, meeting: Meeting): FailureReport {
  if (meeting === 'becomes the Job')
    return { ...report, ...evidenceOf(stored), ...shared(report, stored, report.manifest ?? stored.manifest) };
  if (meeting !== 'evidence') return report;
  const { pod_name, pod_uid, resource_kind, workload, failure_reason, failure_message, container } = stored;
  const job = { pod_name, pod_uid, resource_kind, failure_reason, failure_message, ...(workload ? { workload } : {}) };
  return {
    ...report,
    ...job,
    container: container ?? report.container ?? null,
    ...shared(report, stored, stored.manifest ?? report.manifest),
  };
}

function evidenceOf({ node_name, container, container_statuses, images, logs }: FailureDetail): Partial<FailureReport> {
  return { node_name, container, container_statuses, images, logs };
}

/** The fields that both reports have. The manifest is the Job's, because a correction changes its template. */
function shared(report: FailureReport, stored: FailureDetail, manifest: string | null | undefined): Partial<FailureReport> {
  return {
    labels: { ...stored.labels, ...report.labels },
    events: eventsOfBoth(stored.events, report.events ?? []),
    ...(manifest ? { manifest } : {}),
  };
}

/** The newest, oldest first, each once. */
function eventsOfBoth(stored: EventEvidence[], reported: EventEvidence[]): EventEvidence[] {
  const all = new Map([...stored, ...reported].map((event) => [JSON.stringify(event), event]));
  const at = ({ timestamp }: EventEvidence): string => timestamp ?? '';
  return [...all.values()].sort((a, b) => at(a).localeCompare(at(b))).slice(-REPORT_BOUNDS.events);
}
