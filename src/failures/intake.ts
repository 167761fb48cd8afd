import { batcher } from '../async/batcher.ts';
import type { FailureRecord, FailureReport } from '../contract/failure.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { IncidentRepository } from '../db/incidents.ts';
import type { KnownRecord, ReportRepository, ReportRow, StoredReport } from '../db/failure-reports.ts';
import type { FailureSuppressionRepository } from '../db/suppressible.ts';
import { type Case, caseOfReport } from '../diagnosis/case.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import { renderDiagnosis } from '../diagnosis/rendering/render.ts';
import type { Hub, InternalBus } from '../events.ts';
import type { Logger } from '../log.ts';
import type { ReportMask } from '../redact/report.ts';
import { sourceMask } from '../redact/source-mask.ts';
import { recheckRecords } from '../suppressions/recheck.ts';
import { boundReport } from './policy/bounds.ts';
import { decideReport, messagesOf } from './policy/intake.ts';
import { failingImages } from './policy/label.ts';
import { reportRow, type UndecidedRow } from './report-row.ts';

/** What Suppressions look at. */
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
  failureSuppressions: Pick<FailureSuppressionRepository, 'set'>;
  hub: Hub;
  bus: Pick<InternalBus, 'emit'>;
  /** Of reports that name none. */
  cluster: string;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: ReportSubject, now: Date): string | undefined;
  mask: ReportMask;
  diagnose(subject: Case): Diagnosis;
  /** Asks a model about a record whose solution the rules have just made. Where that is worth waiting for: the record as it is then. Never rejects. */
  askModel?(record: FailureRecord): Promise<FailureRecord | undefined> | undefined;
  log: Logger;
}

/** What became of a report. */
export type IntakeOutcome =
  | { kind: 'stored'; record: FailureRecord; isNew: boolean }
  | { kind: 'suppressed'; id: number; suppression: string };

export interface Intake {
  /**
   * Resolves once the report is stored and the sockets have heard of it. `seenAt` is when its sender saw the failure: the record's
   * instants are those of the failure and not of the delivery. Of a report that is too large, a part is stored. Throws DatabaseUnavailable.
   */
  report(report: FailureReport, now: Date, seenAt?: Date): Promise<IntakeOutcome>;
  /** How many reports wait to be stored. */
  waiting(): number;
}

/** A report on its way. Only the diagnosis reads what was sent; what is stored and shown comes from the masked report. */
interface Arrival {
  sent: Case;
  hasSecrets: boolean;
  report: FailureReport;
  row: UndecidedRow;
  now: Date;
}

/** What became of one, with what it was decided by. */
interface Handled extends StoredReport {
  row: ReportRow;
  known: KnownRecord | undefined;
  /** The record with the model's answer, where that is waited for. Nobody waits in the batch, so that no other report waits too. */
  improved: Promise<FailureRecord> | undefined;
}

/**
 * Takes failure reports in the order that the specification asks for: suppressed? → solution by the rules → store → `pod_failure`. Reports
 * that come together are stored together; two of one pod never in the same statement.
 */
export function failureIntake(deps: IntakeDeps): Intake {
  const batch = batcher<Arrival, Handled>({
    run: (arrivals) => handle(deps, arrivals),
    size: 64,
    lanes: 2,
    isOutage: (error) => error instanceof DatabaseUnavailable,
  });
  return {
    waiting: batch.waiting,
    async report(given, now, seenAt = now) {
      const bound = boundReport(given);
      const sent = caseOfReport(bound);
      // Agents mask what they send. Other reporters may not, and nothing in a report can prove that its sender did. What is cut is masked
      // as a whole first, because half of a token does not look like one.
      const masked = deps.mask(given, bound === given ? sent.manifest : undefined);
      const report = boundReport(masked);
      const row = reportRow(report, { cluster: deps.cluster, seenAt });
      const { record, isNew, improved } = await batch.add(keyOf(row), { sent, hasSecrets: masked !== given, report, row, now });
      const { id, suppressed_by } = record;
      if (suppressed_by !== null) return { kind: 'suppressed', id, suppression: suppressed_by };
      return { kind: 'stored', record: improved ? await improved : record, isNew };
    },
  };
}

async function handle(deps: IntakeDeps, arrivals: Arrival[]): Promise<Handled[]> {
  const known = new Map((await deps.reports.known(arrivals.map(({ row }) => row))).map((record) => [keyOf(record), record]));
  const rows = arrivals.map((arrival) => decide(deps, arrival, known.get(keyOf(arrival.row))));
  const stored = await suppressAgain(deps, arrivals, await deps.reports.store(rows));
  const handled = stored.map((report, index) => announce(deps, { ...report, row: rows[index] as ReportRow }, known));
  await closeEmptied(deps, handled, latestOf(arrivals));
  return handled;
}

function decide(deps: IntakeDeps, arrival: Arrival, known: KnownRecord | undefined): ReportRow {
  const { row, now } = arrival;
  const suppressionFor = (reason: string) => suppressionOf(deps, arrival, reason);
  const { needsSolution, ...decided } = decideReport({ reported: row, known, suppressionFor, now });
  return { ...row, ...decided, solution: needsSolution ? solve(deps, arrival) : null };
}

function suppressionOf(deps: IntakeDeps, { report, row, now }: Arrival, failure_reason: string): string | null {
  const { namespace, pod_name, labels } = row;
  return deps.suppressionOf({ namespace, pod_name, labels, failure_reason, images: failingImages(report) }, now) ?? null;
}

/** The mask for what is said about a case whose sender masked nothing. */
function maskOf({ message, logs, events, statuses, labels, manifest }: Case): (text: string) => string {
  return sourceMask({ texts: [message, logs, ...events.map((event) => event.message ?? '')], objects: [statuses, labels, manifest()] });
}

/** A report is worth storing even when a rule breaks over it. */
function solve({ diagnose, log }: IntakeDeps, { sent, hasSecrets, row }: Arrival): string | null {
  const { namespace, pod_name, failure_reason } = row;
  try {
    const solution = renderDiagnosis(diagnose({ ...sent, reason: failure_reason }));
    return hasSecrets ? maskOf(sent)(solution) : solution;
  } catch (error) {
    log.error({ err: error, namespace, pod: pod_name, reason: failure_reason }, 'no solution: a rule broke');
    return null;
  }
}

/** The reports with the Suppressions that hide their records now that they are stored. */
async function suppressAgain(deps: IntakeDeps, arrivals: Arrival[], stored: StoredReport[]): Promise<StoredReport[]> {
  const records = stored.map(({ record }) => record);
  const nameFor = ({ failure_reason }: FailureRecord, index: number) => suppressionOf(deps, arrivals[index] as Arrival, failure_reason);
  const changed = await recheckRecords(records, nameFor, deps.failureSuppressions);
  if (changed.length === 0) return stored;
  if (changed.some(({ name }) => name === null)) void deps.bus.emit('recordsUnsuppressed', {});
  const names = new Map(changed.map(({ record, name }) => [record, name]));
  return stored.map(({ record, isNew }) => {
    const name = names.get(record);
    return { record: name === undefined ? record : { ...record, suppressed_by: name }, isNew };
  });
}

function announce(deps: IntakeDeps, report: StoredReport & { row: ReportRow }, records: Map<string, KnownRecord>): Handled {
  const { record, isNew, row } = report;
  const { announced_at, solution, logs } = row;
  const known = records.get(keyOf(row));
  const publish = (shown: FailureRecord, newSolution: string | null) => {
    for (const message of messagesOf({ record: shown, isNew, known, announced_at, newSolution })) deps.hub.publish(message);
    return shown;
  };
  if (record.suppressed_by !== null) return { ...report, known, improved: undefined };
  void deps.bus.emit('recordStored', { record, logs, isNewSolution: solution !== null });
  const isIgnored = record.status === 'ignored';
  const better = isIgnored || solution === null ? undefined : deps.askModel?.(record);
  const improved = better?.then((answered = record) => publish(answered, answered.solution));
  if (!isIgnored && !improved) publish(record, solution);
  return { ...report, known, improved };
}

/** Closes incidents that lost their last record to another one. Should this fail, retention finds them. */
async function closeEmptied({ incidents, log }: IntakeDeps, handled: Handled[], now: Date): Promise<void> {
  const left = handled.flatMap(({ known, record }) => (known && known.incident_id !== record.incident_id ? [known.incident_id] : []));
  if (left.length === 0) return;
  await incidents
    .closeEmpty([...new Set(left)], now)
    .catch((error: unknown) => log.warn({ err: error }, 'an empty incident stays open for now'));
}

function latestOf(arrivals: Arrival[]): Date {
  return arrivals.reduce((latest, { now }) => (now > latest ? now : latest), new Date(0));
}

function keyOf({ cluster, identity }: Pick<ReportRow, 'cluster' | 'identity'>): string {
  return `${cluster}\n${identity}`;
}
