import type { FailureDetail, FailureReport, ReportedField } from '../contract/failure.ts';
import { storableText } from '../db/json.ts';
import type { ReportRow } from '../db/failure-reports.ts';
import type { ReportDecision } from './policy/intake.ts';
import { briefEvidence } from './policy/brief.ts';
import { occurrenceOf, recordIdentity } from './policy/identity.ts';
import { familyOf } from './policy/family.ts';
import { reasonOf, reasonRank } from './policy/label.ts';
import { longestRunIn } from './policy/failed-runs.ts';

/** The longest name in Kubernetes. Longer ones are cut, because names are keys of indexes. */
const NAME_LENGTH = 253;

/** The row of a report without what is decided about it. */
export type UndecidedRow = Omit<ReportRow, keyof Omit<ReportDecision, 'needsSolution'> | 'solution'>;

/** The columns that find the record of a report and decide about it. A repeat needs no others. */
export type ReportKey = Pick<
  UndecidedRow,
  | 'cluster'
  | 'identity'
  | 'occurrence_key'
  | 'namespace'
  | 'pod_name'
  | 'pod_uid'
  | 'resource_kind'
  | 'container'
  | 'labels'
  | 'failure_reason'
  | 'reason_rank'
  | 'family'
  | 'joins'
  | 'now'
>;

/** `seenAt` is when the sender saw the failure; `cluster` is for reports that name none. */
export function reportKey(report: FailureReport, { cluster, seenAt }: { cluster: string; seenAt: Date }): ReportKey {
  const failure_reason = name(reasonOf(report));
  const fields = {
    pod_name: name(report.pod_name),
    namespace: name(report.namespace),
    pod_uid: optionalName(report.pod_uid),
    cluster: name(report.cluster || cluster),
    resource_kind: name(report.resource_kind || 'Pod'),
    container: optionalName(report.container),
    labels: report.labels ?? {},
    failure_reason,
  };
  return {
    ...fields,
    identity: storableText(recordIdentity({ ...fields, workload: workloadOf(report), job: report.job ?? null })),
    occurrence_key: storableText(occurrenceOf(report)),
    family: familyOf({ ...report, reason: failure_reason }),
    reason_rank: reasonRank(failure_reason),
    joins: null,
    now: seenAt.toISOString(),
  };
}

/** The row of a report without what is decided about it. */
export function reportRow(report: FailureReport, key: ReportKey): UndecidedRow {
  const fields = { ...reportedFields(report), ...key };
  const { workload, resource_kind, pod_name, events, container_statuses } = fields;
  return {
    ...fields,
    owner: name(workload ? `${workload.kind}/${workload.name}` : `${resource_kind}/${pod_name}`),
    longest_run_seconds:
      longestRunIn(container_statuses, workload?.kind === 'Job' || workload?.kind === 'CronJob' ? 'OnFailure' : 'Always') ?? null,
    brief: briefEvidence(events, container_statuses),
    is_fallback: true,
  };
}

/**
 * The fields that a record takes from its report besides its key, one line for each. A field that is new in both schemas does not compile
 * without its line.
 */
function reportedFields(report: FailureReport): Pick<FailureDetail, Exclude<ReportedField, keyof ReportKey>> {
  return {
    node_name: optionalName(report.node_name),
    workload: workloadOf(report),
    images: report.images ?? [],
    failure_message: report.failure_message ?? '',
    events: report.events ?? [],
    container_statuses: report.container_statuses ?? [],
    manifest: report.manifest ?? null,
    logs: report.logs ?? null,
  };
}

function workloadOf({ workload }: FailureReport): FailureDetail['workload'] {
  return workload ? { kind: workload.kind, name: workload.name } : null;
}

function name(text: string): string {
  return storableText(text).slice(0, NAME_LENGTH);
}

function optionalName(text: string | null | undefined): string | null {
  return text ? name(text) : null;
}
