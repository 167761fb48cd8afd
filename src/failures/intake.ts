import type { FailureRecord, FailureReport } from '../contract/failure.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import { storableText } from '../db/json.ts';
import type { HidingRepository } from '../db/hiding.ts';
import type { IncidentRepository } from '../db/incidents.ts';
import type { KnownRecord, ReportRepository, ReportRow, StoredReport } from '../db/reports.ts';
import type { Hub } from '../events.ts';
import type { Logger } from '../log.ts';
import { type Case, caseOfReport } from '../solutions/case.ts';
import type { Diagnosis } from '../solutions/diagnose.ts';
import { renderSolution } from '../solutions/render.ts';
import { batcher } from './batch.ts';
import type { Enrichment } from './enrich.ts';
import { familyOf, occurrenceKey, recordIdentity } from './identity.ts';
import { failingImages, reasonOf, reasonRank } from './label.ts';

/** A record's repeats are told to the sockets at most this often. */
const REPEAT_MS = 10_000;
/** Kubernetes' longest name. Longer ones are cut: they are keys of indexes. */
const NAME_LENGTH = 253;

/** What suppressions look at. */
export interface ReportSubject {
  namespace: string;
  pod_name: string;
  labels: Record<string, string>;
  failure_reason: string;
  /** Of the failing container where that is known, else of the pod. */
  images: string[];
}

export interface IntakeDeps {
  reports: ReportRepository;
  incidents: Pick<IncidentRepository, 'closeEmpty'>;
  hub: Hub;
  /** Of reports that name none. */
  cluster: string;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: ReportSubject, now: Date): string | undefined;
  hiding: Pick<HidingRepository, 'set'>;
  /** Told when a record is shown that was stored as hidden, and so without a solution. */
  lifted(): void;
  diagnose(subject: Case): Diagnosis;
  /** Offered each record whose solution was just made, and told of every log. */
  secondLook?: Pick<Enrichment, 'offer' | 'heard'>;
  /** Told the same, for a model to answer. Where the record is worth waiting for: the record as it is then. Never rejects. */
  askModel?(record: FailureRecord): Promise<FailureRecord | undefined> | undefined;
  log: Logger;
}

/** What became of a report. */
export type IntakeOutcome =
  | { kind: 'stored'; record: FailureRecord; isNew: boolean }
  | { kind: 'suppressed'; id: number; suppression: string };

export interface Intake {
  /**
   * Resolves once the report is stored and told to the sockets. `seenAt` is when its sender saw the failure: the record's instants
   * are those of the failure and not of the delivery. Throws DatabaseUnavailable.
   */
  report(report: FailureReport, now: Date, seenAt?: Date): Promise<IntakeOutcome>;
  /** How many reports wait to be stored. */
  waiting(): number;
}

/**
 * The way of a failure report in the specification's order: suppressed? → solution by the rules → store → `pod_failure`. Reports that come
 * together are stored together; two of one pod never in the same statement.
 */
export function failureIntake(deps: IntakeDeps): Intake {
  const batch = batcher<Draft, StoredReport>({
    run: (drafts) => handle(deps, drafts),
    size: 64,
    lanes: 2,
    isOutage: (error) => error instanceof DatabaseUnavailable,
  });
  return {
    waiting: batch.waiting,
    async report(report, now, seenAt = now) {
      const draft = draftOf(deps, report, { now, seenAt });
      const stored = await batch.add(`${draft.row.cluster}\n${draft.row.identity}`, draft);
      const { isNew } = stored;
      const suppression = draft.row.suppressed_by;
      const record = draft.later ? await draft.later() : stored.record;
      return suppression === null ? { kind: 'stored', record, isNew } : { kind: 'suppressed', id: record.id, suppression };
    },
  };
}

/** A report on its way, with the row it becomes; what depends on the record it repeats is filled in later. */
interface Draft {
  report: FailureReport;
  row: ReportRow;
  now: Date;
  /** Waits for the model and then tells the sockets; set where somebody may wait. Outside the batch, so that no other report waits too. */
  later?: () => Promise<FailureRecord>;
}

function draftOf(deps: IntakeDeps, report: FailureReport, { now, seenAt }: { now: Date; seenAt: Date }): Draft {
  const name = (text: string): string => storableText(text).slice(0, NAME_LENGTH);
  const reason = name(reasonOf(report));
  const pod = { namespace: name(report.namespace), pod_name: name(report.pod_name), pod_uid: report.pod_uid ? name(report.pod_uid) : null };
  const resource_kind = name(report.resource_kind || 'Pod');
  const { workload } = report;
  const labels = report.labels ?? {};
  const row: ReportRow = {
    ...pod,
    cluster: name(report.cluster || deps.cluster),
    identity: recordIdentity(pod),
    node_name: report.node_name ? name(report.node_name) : null,
    resource_kind,
    container: report.container ? name(report.container) : null,
    workload: workload ? { kind: workload.kind, name: workload.name } : null,
    labels,
    images: report.images ?? [],
    owner: name(workload ? `${workload.kind}/${workload.name}` : `${resource_kind}/${pod.pod_name}`),
    kept_incident: null,
    family: familyOf({ ...report, reason }),
    failure_reason: reason,
    failure_message: report.failure_message ?? '',
    reason_rank: reasonRank(reason),
    solution: null,
    is_fallback: true,
    events: report.events ?? [],
    container_statuses: report.container_statuses ?? [],
    manifest: report.manifest ?? null,
    logs: report.logs ?? null,
    occurrence_key: storableText(occurrenceKey(report)),
    now: seenAt.toISOString(),
    suppressed_by: null,
    announced_at: null,
    repeats: null,
  };
  row.suppressed_by = hidingOf(deps, { report, row, now }, reason);
  return { report, row, now };
}

/** The name of the Suppression that hides the pod when it fails for this reason. */
function hidingOf({ suppressionOf }: IntakeDeps, { report, row, now }: Draft, failure_reason: string): string | null {
  const { namespace, pod_name, labels } = row;
  return suppressionOf({ namespace, pod_name, labels, failure_reason, images: failingImages(report) }, now) ?? null;
}

async function handle(deps: IntakeDeps, drafts: Draft[]): Promise<StoredReport[]> {
  const found = await deps.reports.known(drafts.map((draft) => draft.row));
  const byIdentity = new Map(found.map((record) => [`${record.cluster}\n${record.identity}`, record]));
  const known = drafts.map(({ row }) => byIdentity.get(`${row.cluster}\n${row.identity}`));
  drafts.forEach((draft, index) => complete(deps, draft, known[index]));
  const stored = await deps.reports.store(drafts.map((draft) => draft.row));
  await holdAgain(deps, drafts, stored);
  stored.forEach((report, index) => announce(deps, drafts[index] as Draft, { stored: report, known: known[index] }));
  await closeLeft(deps, stored, known, drafts);
  return stored;
}

/**
 * A Suppression that came or went while reports were on their way was applied to the records that there were, not to theirs: now that
 * they are stored, they are looked at again.
 */
async function holdAgain(deps: IntakeDeps, drafts: Draft[], stored: StoredReport[]): Promise<void> {
  const changes = drafts.flatMap((draft, index) => {
    const { record } = stored[index] as StoredReport;
    const { id, failure_reason } = record;
    const { suppressed_by } = draft.row;
    const name = hidingOf(deps, draft, failure_reason);
    if (name === suppressed_by) return [];
    draft.row.suppressed_by = record.suppressed_by = name;
    return [{ id, failure_reason, suppressed_by, name }];
  });
  if (changes.length === 0) return;
  await deps.hiding.set(changes);
  if (changes.some(({ name }) => name === null)) deps.lifted();
}

/** Fills in what depends on the record that the report repeats: its incident, whether a solution is needed, whether sockets hear of it. */
function complete(deps: IntakeDeps, { report, row, now }: Draft, known: KnownRecord | undefined): void {
  const stays = known !== undefined && !isMoved(row, known);
  if (stays) row.kept_incident = known.incident_id;
  if (stays && tellsAll(known, row)) row.repeats = known.id;
  // A duller label does not become the record's, so it is not what hides or shows the record.
  if (stays && reasonRank(known.failure_reason) < row.reason_rank)
    row.suppressed_by = hidingOf(deps, { report, row, now }, known.failure_reason);
  if (row.suppressed_by !== null) return;
  if (!stays || !known.has_solution) row.solution = solve(deps, report, row);
  const isDue = !known?.announced_at || now.getTime() - known.announced_at.getTime() >= REPEAT_MS;
  if (isDue) row.announced_at = now.toISOString();
}

/** Whether a record that the report stays in has nothing to learn from it. */
function tellsAll(known: KnownRecord, row: ReportRow): boolean {
  const { has_occurrence, has_solution, failure_reason, container } = known;
  return has_occurrence && has_solution && failure_reason === row.failure_reason && (container !== null || row.container === null);
}

/** Another family, or another container of the pod, is another incident. The same test is in the statement that stores. */
function isMoved(row: ReportRow, known: KnownRecord): boolean {
  return known.family !== row.family || (known.container !== null && row.container !== null && known.container !== row.container);
}

/** A report is worth storing even when a rule breaks over it. */
function solve({ diagnose, log }: IntakeDeps, report: FailureReport, row: ReportRow): string | null {
  try {
    return renderSolution(diagnose(caseOfReport({ ...report, failure_reason: row.failure_reason })));
  } catch (error) {
    log.error({ err: error, namespace: row.namespace, pod: row.pod_name, reason: row.failure_reason }, 'no solution: a rule broke');
    return null;
  }
}

function announce(deps: IntakeDeps, draft: Draft, report: { stored: StoredReport; known: KnownRecord | undefined }): void {
  const { row } = draft;
  const { record } = report.stored;
  if (row.suppressed_by !== null) return;
  if (row.solution !== null) deps.secondLook?.offer(record.id);
  deps.secondLook?.heard(record.id, row.logs);
  if (record.status === 'ignored') return;
  const better = row.solution === null ? undefined : deps.askModel?.(record);
  if (!better) return tell(deps, row, report);
  draft.later = async () => {
    const final = (await better) ?? record;
    tell(deps, { ...row, solution: final.solution }, { ...report, stored: { ...report.stored, record: final } });
    return final;
  };
}

function tell({ hub }: IntakeDeps, row: ReportRow, { stored, known }: { stored: StoredReport; known: KnownRecord | undefined }): void {
  const { record, isNew } = stored;
  if (isNew || (known && row.announced_at !== null)) {
    hub.publish({ type: 'pod_failure', data: { ...record, reason: record.failure_reason } });
    return;
  }
  const { id, status, namespace } = record;
  if (known && known.status !== status) hub.publish({ type: 'pod_status_change', data: { id, status }, namespace });
  if (known && row.solution !== null) hub.publish({ type: 'solution_updated', data: { id, solution: row.solution }, namespace });
}

/** Closes incidents that lost their last record to another one. Should this fail, retention finds them. */
async function closeLeft(
  { incidents, log }: IntakeDeps,
  stored: StoredReport[],
  known: (KnownRecord | undefined)[],
  drafts: Draft[],
): Promise<void> {
  const left = known.flatMap((record, index) =>
    record && record.incident_id !== stored[index]?.record.incident_id ? [record.incident_id] : [],
  );
  if (left.length === 0) return;
  const now = drafts.reduce((latest, draft) => (draft.now > latest ? draft.now : latest), new Date(0));
  await incidents
    .closeEmpty([...new Set(left)], now)
    .catch((error: unknown) => log.warn({ err: error }, 'an empty incident stays open for now'));
}
