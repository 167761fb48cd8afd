import { batcher } from '../async/batcher.ts';
import { yieldingMap } from '../async/yielding-map.ts';
import { type FailureRecord, type FailureReport, LOG_DUE } from '../contract/failure.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { IncidentRepository } from '../db/incidents.ts';
import type { JobPod, KnownRecord, RepeatedReport, ReportRepository, ReportRow, StoredReport } from '../db/failure-reports.ts';
import type { FailureSuppressionRepository } from '../db/suppressible.ts';
import { type Case, caseOfReport } from '../diagnosis/case.ts';
import type { Diagnosis } from '../diagnosis/diagnose.ts';
import { renderDiagnosis } from '../diagnosis/rendering/render.ts';
import type { Hub, InternalBus, ReportedLog } from '../events.ts';
import type { Logger } from '../log.ts';
import type { ReportMask } from '../redact/report.ts';
import { maskOfValues } from '../redact/source-mask.ts';
import { recheckRecords } from '../suppressions/recheck.ts';
import { boundReport } from './policy/bounds.ts';
import { isPod, jobOf } from './policy/identity.ts';
import { decideReport, messagesOf } from './policy/intake.ts';
import { joinReport, meetingOf } from './policy/job-and-pods.ts';
import { failingImages, reasonOf } from './policy/label.ts';
import { type ReadReport, secretsIn } from './policy/secrets-in.ts';
import { type ReportKey, reportKey, reportRow } from './report-row.ts';

/** What Suppressions look at. */
export interface ReportSubject {
  namespace: string;
  pod_name: string;
  labels: Record<string, string>;
  failure_reason: string;
  /** The images of the failing container when it is known, else of the whole pod. */
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
  /**
   * Asks a model about a record that has just got a solution from the rules. If the answer is worth waiting for, returns the record with
   * it. Never rejects.
   */
  askModel?(record: FailureRecord): Promise<FailureRecord | undefined> | undefined;
  log: Logger;
}

/** What became of a report. */
export type IntakeOutcome =
  /** `isEnded`: it is about a Job that was deleted since, and its record has ended. Nothing was stored. */
  { kind: 'stored'; record: FailureRecord; isNew: boolean; isEnded: boolean } | { kind: 'suppressed'; id: number; suppression: string };

export interface Intake {
  /**
   * Resolves once the report is stored and the sockets have the message. `seenAt` is when the sender saw the failure: the record has the
   * times of the failure, not of the delivery. A report that is too large is cut before it is stored. `read` is what another thread has made of
   * it. Throws DatabaseUnavailable.
   */
  report(report: FailureReport, now: Date, seenAt?: Date, read?: ReadReport): Promise<IntakeOutcome>;
  /** How many reports wait to be stored. */
  waiting(): number;
}

/** A report on its way. Only the diagnosis reads the original. What is stored and shown comes from the masked report. */
interface Arrival {
  sent: Case;
  /** What `sent` was made of. */
  given: FailureReport;
  /** From masked names, labels and reason. */
  key: ReportKey;
  /** What Suppressions look at, masked. */
  images: string[];
  /** Masks on first use, because repeats, which most reports are, do not need it. */
  shown(): Shown;
  /** The secrets of `sent`, where they are known already. */
  secrets: readonly string[] | undefined;
  /** Whether it brings the record of a Job something new about the Job or another pod. */
  isJoining: boolean;
  now: Date;
}

/** What is known of a report besides its content. */
interface Delivery {
  now: Date;
  seenAt: Date;
  read: ReadReport | undefined;
}

/** A report as it may be stored and shown. */
interface Shown {
  report: FailureReport;
  hasSecrets: boolean;
}

/** The stored columns of a report. A repeat has no solution. */
type Decided = ReportRow | (RepeatedReport & { solution: null });

/** The result for one report, and the data that decided it. */
interface Handled extends StoredReport {
  key: ReportKey;
  known: KnownRecord | undefined;
  /**
   * The record with the model's answer, if somebody waits for it. It is not awaited within a batch, so that other reports do not wait too.
   */
  improved: Promise<FailureRecord> | undefined;
  /** Whether the record had ended already. */
  isEnded: boolean;
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
    async report(given, now, seenAt = now, read?) {
      const arrival = arrivalOf(deps, given, { now, seenAt, read });
      const { record, isNew, improved, isEnded } = await batch.add(keyOf(arrival.key), arrival);
      const { id, suppressed_by } = record;
      if (suppressed_by !== null) return { kind: 'suppressed', id, suppression: suppressed_by };
      return { kind: 'stored', record: improved ? await improved : record, isNew, isEnded };
    },
  };
}

function arrivalOf(deps: IntakeDeps, whole: FailureReport, { now, seenAt, read }: Delivery): Arrival {
  const given = boundReport(whole);
  const sent = { ...caseOfReport(given), ...(read ? { manifest: () => read.manifest } : {}) };
  const { pod_name, namespace } = given;
  const names = { failure_reason: reasonOf(given), labels: given.labels ?? {}, images: failingImages(given) };
  // Agents mask what they send. Other reporters may not, and nothing in a report can prove that its sender did.
  const { failure_reason = null, labels = null, images } = deps.mask({ pod_name, namespace, ...names });
  let shown: Shown | undefined;
  return {
    ...{ sent, given, now },
    key: reportKey({ ...given, failure_reason, labels }, { cluster: deps.cluster, seenAt }),
    images: images ?? [],
    shown: () => (shown ??= shownOf(whole, given, read?.masked ?? deps.mask(whole, given === whole ? sent.manifest : undefined))),
    secrets: read?.secrets,
    isJoining: false,
  };
}

/** Texts that will be cut are masked as a whole first, because half of a token does not look like a token. `given` is `whole` within bounds. */
function shownOf(whole: FailureReport, given: FailureReport, masked: FailureReport): Shown {
  return masked === whole ? { report: given, hasSecrets: false } : { report: boundReport(masked), hasSecrets: true };
}

async function handle(deps: IntakeDeps, arrived: Arrival[]): Promise<Handled[]> {
  const known = new Map((await deps.reports.known(arrived.map(({ key }) => key))).map((record) => [keyOf(record), record]));
  const ended = await endedJobs(deps, arrived, known);
  if (ended.size > 0) {
    const ofEnded = ({ key }: Arrival): Handled | undefined => {
      const record = ended.get(keyOf(key));
      return record && { record, isNew: false, key, known: undefined, improved: undefined, isEnded: true };
    };
    return await withRest(deps, arrived, arrived.map(ofEnded));
  }
  const arrivals = await Promise.all(arrived.map((arrival) => join(deps, arrival, known.get(keyOf(arrival.key)))));
  const rows = await yieldingMap(arrivals, (arrival) => decide(deps, arrival, known.get(keyOf(arrival.key))));
  const answers = await deps.reports.store(rows);
  await deps.reports.noteJobPods(jobPods(arrived, answers));
  const isStored = (_: unknown, index: number) => answers[index] !== undefined;
  const [kept, keptRows] = [arrivals.filter(isStored), rows.filter(isStored)];
  const stored = await suppressAgain(
    deps,
    kept,
    answers.filter((answer) => answer !== undefined),
  );
  const handled = stored.map((report, index) =>
    announce(deps, { ...report, arrival: kept[index] as Arrival, row: keptRows[index] as Decided }, known),
  );
  await closeEmptied(deps, handled, latestOf(arrivals));
  const done = handled.values();
  // Another replica may have stored a report about the Job or another of its pods meanwhile.
  return await withRest(
    deps,
    arrived,
    answers.map((answer) => answer && (done.next().value as Handled)),
  );
}

/**
 * The ended records of Jobs that were deleted. A Job and its pods are seen by different processes, so a report about one may come when the other
 * process has told already that the Job is gone.
 */
async function endedJobs(
  { reports }: IntakeDeps,
  arrived: Arrival[],
  known: Map<string, KnownRecord>,
): Promise<Map<string, FailureRecord>> {
  const late = arrived.filter(({ given, key }) => jobOf(given) !== undefined && !known.has(keyOf(key)));
  const ended = late.length > 0 ? await reports.ended(late.map(({ key }) => key)) : [];
  return new Map(ended.map((one) => [keyOf(one), one.record]));
}

/** Handles the arrivals that have no result yet, and returns all results in the order of the arrivals. */
async function withRest(deps: IntakeDeps, arrived: Arrival[], done: (Handled | undefined)[]): Promise<Handled[]> {
  const rest = arrived.filter((_, index) => done[index] === undefined);
  const handled = (rest.length > 0 ? await handle(deps, rest) : []).values();
  return done.map((one) => one ?? (handled.next().value as Handled));
}

/** The arrival, completed with what the record of its Job knows. Nothing is read for other reports. */
async function join(deps: IntakeDeps, arrival: Arrival, known: KnownRecord | undefined): Promise<Arrival> {
  const { key, given } = arrival;
  if (!known || !jobOf(given)) return arrival;
  const meeting = meetingOf({ ...given, failure_reason: key.failure_reason }, known);
  const { id, family, container, failure_reason, pod_uid, pod_name, resource_kind } = known;
  // What is about the Job stays in the incident of its pods, and theirs in that of the Job.
  const place = { family, container: container ?? key.container };
  // A Job fails once, so its own report is not an occurrence besides those of its pods.
  const noOccurrence = { occurrence_key: known.newest_occurrence };
  if (meeting === 'same') return isPod(given) ? arrival : { ...arrival, key: { ...key, ...place, ...noOccurrence } };
  if (meeting === 'past') return { ...arrival, key: { ...key, ...place, pod_uid, pod_name, resource_kind, failure_reason } };
  if (meeting === 'next pod') return { ...arrival, isJoining: true, key: { ...key, joins: pod_uid } };
  const stored = await deps.reports.detail(id);
  if (!stored) return arrival;
  const shown = arrival.shown();
  const report = joinReport(shown.report, stored, meeting);
  const isJob = meeting === 'becomes the Job';
  const { occurrence_key, identity } = { ...key, ...(isJob ? noOccurrence : {}) };
  const kept = { ...place, identity, occurrence_key, joins: isJob ? pod_uid : null };
  return {
    ...arrival,
    isJoining: isJob || !known.has_occurrence,
    sent: caseOfReport(joinReport(given, stored, meeting)),
    shown: () => ({ ...shown, report }),
    key: { ...reportKey(report, { cluster: key.cluster, seenAt: new Date(key.now) }), ...kept },
    images: failingImages(report),
  };
}

/** The pods of Jobs among the reports, each with the record that it belongs to. */
function jobPods(arrived: Arrival[], answers: (StoredReport | undefined)[]): JobPod[] {
  return arrived.flatMap(({ given, key }, index) => {
    const [{ cluster, namespace, pod_name, pod_uid }, failure_id] = [key, answers[index]?.record.id];
    return pod_uid && failure_id && isPod(given) && jobOf(given) ? [{ cluster, namespace, pod_name, pod_uid, failure_id }] : [];
  });
}

function decide(deps: IntakeDeps, arrival: Arrival, known: KnownRecord | undefined): Decided {
  const { key, isJoining, now } = arrival;
  const suppressionFor = (reason: string) => suppressionOf(deps, arrival, reason);
  const { needsSolution, repeats, ...decided } = decideReport({ reported: key, known, isJoining, suppressionFor, now });
  const whole = (): ReportRow => ({
    ...reportRow(arrival.shown().report, key),
    ...decided,
    repeats,
    solution: needsSolution ? solve(deps, arrival) : null,
  });
  return repeats === null ? whole() : { ...key, ...decided, repeats, solution: null, whole };
}

function suppressionOf(deps: IntakeDeps, { key, images, now }: Arrival, failure_reason: string): string | null {
  const { namespace, pod_name, labels } = key;
  return deps.suppressionOf({ namespace, pod_name, labels, failure_reason, images }, now) ?? null;
}

/** A report is worth storing even if a rule throws. */
function solve({ diagnose, log }: IntakeDeps, { sent, shown, secrets, key }: Arrival): string | null {
  const { namespace, pod_name, failure_reason } = key;
  try {
    const solution = renderDiagnosis(diagnose({ ...sent, reason: failure_reason }));
    return shown().hasSecrets ? maskOfValues(secrets ?? secretsIn(sent))(solution) : solution;
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

function announce(deps: IntakeDeps, report: StoredReport & { arrival: Arrival; row: Decided }, records: Map<string, KnownRecord>): Handled {
  const { record, isNew, row, arrival } = report;
  const { key, given } = arrival;
  const { announced_at, solution } = row;
  const known = records.get(keyOf(key));
  const publish = (shown: FailureRecord, newSolution: string | null) => {
    for (const message of messagesOf({ record: shown, isNew, known, announced_at, newSolution })) deps.hub.publish(message);
    return shown;
  };
  if (record.suppressed_by !== null) return { record, isNew, key, known, improved: undefined, isEnded: false };
  void deps.bus.emit('recordStored', { record, log: logOf(given), isNewSolution: solution !== null });
  const isIgnored = record.status === 'ignored';
  const better = isIgnored || solution === null ? undefined : deps.askModel?.(record);
  const improved = better?.then((answered = record) => publish(answered, answered.solution));
  if (!isIgnored && !improved) publish(record, solution);
  return { record, isNew, key, known, improved, isEnded: false };
}

function logOf({ logs }: FailureReport): ReportedLog {
  if (!logs) return 'none';
  return logs.startsWith(LOG_DUE) ? 'due' : 'given';
}

/** Closes incidents whose last record moved to another one. If this fails, retention closes them later. */
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

function keyOf({ cluster, identity }: Pick<ReportKey, 'cluster' | 'identity'>): string {
  return `${cluster}\n${identity}`;
}
