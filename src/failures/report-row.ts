import type { FailureDetail, FailureReport, ReportedField } from '../contract/failure.ts';
import { storableText } from '../db/json.ts';
import type { ReportRow } from '../db/failure-reports.ts';
import type { ReportDecision } from './policy/intake.ts';
import { briefEvidence } from './policy/brief.ts';
import { occurrenceKey, recordIdentity } from './policy/identity.ts';
import { familyOf } from './policy/family.ts';
import { reasonOf, reasonRank } from './policy/label.ts';
import { longestRunIn } from './policy/runs.ts';

/** The longest name in Kubernetes. Longer ones are cut, because names are keys of indexes. */
const NAME_LENGTH = 253;

/** The row of a report without what is decided about it. */
export type UndecidedRow = Omit<ReportRow, keyof Omit<ReportDecision, 'needsSolution'> | 'solution'>;

/** `seenAt` is when the sender saw the failure; `cluster` is for reports that name none. */
export function reportRow(report: FailureReport, { cluster, seenAt }: { cluster: string; seenAt: Date }): UndecidedRow {
  const fields = reportedFields(report, cluster);
  const { workload, resource_kind, pod_name, failure_reason } = fields;
  return {
    ...fields,
    identity: recordIdentity(fields),
    occurrence_key: storableText(occurrenceKey(report)),
    owner: name(workload ? `${workload.kind}/${workload.name}` : `${resource_kind}/${pod_name}`),
    longest_run_seconds:
      longestRunIn(report.container_statuses ?? [], workload?.kind === 'Job' || workload?.kind === 'CronJob' ? 'OnFailure' : 'Always') ??
      null,
    family: familyOf({ ...report, reason: failure_reason }),
    reason_rank: reasonRank(failure_reason),
    brief: briefEvidence(fields.events, fields.container_statuses),
    is_fallback: true,
    now: seenAt.toISOString(),
  };
}

/** What a record takes from its report, one line a field. A field that is new in both schemas does not compile without its line. */
function reportedFields(report: FailureReport, cluster: string): Pick<FailureDetail, ReportedField> {
  const { workload } = report;
  return {
    pod_name: name(report.pod_name),
    namespace: name(report.namespace),
    pod_uid: optionalName(report.pod_uid),
    cluster: name(report.cluster || cluster),
    node_name: optionalName(report.node_name),
    resource_kind: name(report.resource_kind || 'Pod'),
    container: optionalName(report.container),
    workload: workload ? { kind: workload.kind, name: workload.name } : null,
    labels: report.labels ?? {},
    images: report.images ?? [],
    failure_reason: name(reasonOf(report)),
    failure_message: report.failure_message ?? '',
    events: report.events ?? [],
    container_statuses: report.container_statuses ?? [],
    manifest: report.manifest ?? null,
    logs: report.logs ?? null,
  };
}

function name(text: string): string {
  return storableText(text).slice(0, NAME_LENGTH);
}

function optionalName(text: string | null | undefined): string | null {
  return text ? name(text) : null;
}
