import { CompiledQuery, type Kysely, sql } from 'kysely';
import { type FailureRecord, type FailureStatus, type KnownFailure, LOG_DUE, NO_LOG } from '../contract/failure.ts';
import { retryDeadlock } from './errors.ts';
import { failureRepository } from './failures.ts';
import { isSuspect, storable } from './json.ts';
import { RECORD_COLUMNS, type RecordRow, shownColumns, shownRecord, toRecords } from './failure-records.ts';
import { columnsOn, type ReportedFields, reportedColumns, reportedTypes } from './failure-columns.ts';
import { type Repeat, repeatNoter } from './repeats.ts';
import { hourOf, afterOccurrence } from './occurrence-hours.ts';
import type { Database } from './schema.ts';

/** One report, ready to be stored: every field is decided, times are ISO 8601. Each row of a batch belongs to a different record. */
export interface ReportRow extends ReportedFields {
  /** `Deployment/web`, or `Pod/name`. Together with cluster, namespace, container and family it identifies the incident. */
  owner: string;
  /** The incident in which the open record stays, if there is one. */
  kept_incident: number | null;
  occurrence_key: string;
  /** When the sender saw the failure. */
  now: string;
  /** `now` if `pod_failure` will be sent about this report. */
  announced_at: string | null;
  /** The record that already contains everything in this report, if there is one. It is only marked as seen again. */
  repeats: number | null;
  /** The uid of the record's previous object, if this report turns the record into one about another object. */
  joins: string | null;
}

/** A report that adds nothing to its record. `whole` builds its full row, which is needed if the record has changed since. */
export interface RepeatedReport extends Repeat {
  whole(): ReportRow;
}

/** A pod of a Job, and the Job's record. */
export interface JobPod {
  cluster: string;
  namespace: string;
  pod_name: string;
  pod_uid: string;
  failure_id: number;
}

/** The open record that already exists for an identity, as it was before the new report is stored. */
export interface KnownRecord extends KnownFailure {
  cluster: string;
  identity: string;
  newest_occurrence: string;
}

/** A report as it was stored. */
export interface StoredReport {
  record: FailureRecord;
  isNew: boolean;
}

/** A record keeps this many occurrence keys. If an older occurrence is sent again, it is counted twice. */
const KEYS_KEPT = 32;
/** The reports of a statement are sent in this many texts: as many as the intake stores at once. */
const PARTS = 64;

export type ReportRepository = ReturnType<typeof reportRepository>;

/** The write path of failure reports: many reports at a time, each becoming a record or the repeat of one. */
export function reportRepository(db: Kysely<Database>) {
  // Compiled once, because assembling the statement costs more than running it.
  const storeSql = STORE.compile(db).sql;
  const knownSql = KNOWN.compile(db).sql;
  const endedSql = ENDED.compile(db).sql;
  const noteRepeats = repeatNoter(db);

  /** Stores whole rows in one statement, and therefore in one transaction. */
  const storeWhole = async (reports: ReportRow[]): Promise<(StoredReport | undefined)[]> => {
    const { rows, parts } = cleaned(reports);
    const stored = await retryDeadlock(() => db.executeQuery<StoredRow>(CompiledQuery.raw(storeSql, parts)));
    const byIdentity = new Map(stored.rows.map((row) => [`${row.cluster}\n${row.identity}`, row]));
    const repeats = new Map<number, FailureRecord>();
    const ids = stored.rows.filter((row) => !row.is_new).map((row) => row.id);
    if (ids.length > 0) for (const record of await readRecords(db, ids)) repeats.set(record.id, record);
    return rows.map((report) => {
      const row = byIdentity.get(`${report.cluster}\n${report.identity}`);
      return row && { record: repeats.get(row.id) ?? newRecord(report, row), isNew: row.is_new };
    });
  };

  return {
    /** The stored record, for a report that joins it. */
    detail: failureRepository(db).detail,

    /** The open records of these reports' identities. */
    async known(reports: Pick<ReportRow, 'cluster' | 'identity' | 'occurrence_key'>[]): Promise<KnownRecord[]> {
      const wanted = [reports.map((row) => row.cluster), reports.map((row) => row.identity), reports.map((row) => row.occurrence_key)];
      const { rows } = await db.executeQuery<KnownRecord>(CompiledQuery.raw(knownSql, wanted));
      return rows;
    },

    /** The ended records of deleted Jobs with these identities. */
    async ended(reports: Pick<ReportRow, 'cluster' | 'identity'>[]): Promise<EndedJob[]> {
      const wanted = [reports.map((row) => row.cluster), reports.map((row) => row.identity)];
      const { rows } = await db.executeQuery<EndedRow>(CompiledQuery.raw(endedSql, wanted));
      if (rows.length === 0) return [];
      const ids = rows.map(({ id }) => id);
      const records = new Map((await readRecords(db, ids)).map((record) => [record.id, record]));
      return rows.flatMap(({ id, cluster, identity }) => {
        const record = records.get(id);
        return record ? [{ cluster, identity, record }] : [];
      });
    },

    /**
     * Stores the reports, and returns them in the given order. Repeats only update their record. All others, and repeats whose record has
     * changed since, are stored as whole rows. Undefined for a report whose record is now about another object: the caller must decide about
     * this report again.
     */
    async store(reports: (ReportRow | RepeatedReport)[]): Promise<(StoredReport | undefined)[]> {
      const noted = await noteRepeats(reports.filter((report): report is (ReportRow & Repeat) | RepeatedReport => report.repeats !== null));
      const notedFor = ({ repeats }: ReportRow | RepeatedReport) => (repeats === null ? undefined : noted.get(repeats));
      const rest = reports.filter((report) => !notedFor(report)).map((report) => ('whole' in report ? report.whole() : report));
      const stored = (rest.length > 0 ? await storeWhole(rest) : []).values();
      return reports.map((report) => {
        const record = notedFor(report);
        return record ? { record, isNew: false } : (stored.next().value as StoredReport | undefined);
      });
    },

    /** Stores which pods a Job's record is about. */
    async noteJobPods(pods: JobPod[]): Promise<void> {
      if (pods.length === 0) return;
      const rows = [...new Map(pods.map((pod) => [`${pod.cluster} ${pod.pod_uid}`, storable(pod)])).values()];
      await db
        .insertInto('failure_pods')
        .values(rows)
        .onConflict((conflict) =>
          conflict
            .columns(['cluster', 'pod_uid'])
            .doUpdateSet({ failure_id: sql<number>`excluded.failure_id` })
            .where('failure_pods.failure_id', '!=', sql<number>`excluded.failure_id`),
        )
        .execute();
    },
  };
}

interface EndedRow {
  id: number;
  cluster: string;
  identity: string;
}

/** The record of a Job that was deleted. */
export interface EndedJob {
  cluster: string;
  identity: string;
  record: FailureRecord;
}

interface StoredRow {
  id: number;
  cluster: string;
  identity: string;
  incident_id: number;
  status: FailureStatus;
  is_new: boolean;
}

/**
 * The rows and their JSON, without characters that PostgreSQL refuses. Most rows need no cleaning. The JSON is split into parts, usually one
 * for each report. A single text would be a large object, which only a full garbage collection frees, and one letter beyond Latin-1 would
 * double its size.
 */
function cleaned(rows: ReportRow[]): { rows: ReportRow[]; parts: (string | null)[] } {
  const parts = partsOf(rows);
  if (!parts.some((part) => part !== null && isSuspect(part))) return { rows, parts };
  const clean = storable(rows);
  return { rows: clean, parts: partsOf(clean) };
}

function partsOf(rows: ReportRow[]): (string | null)[] {
  const size = Math.ceil(rows.length / PARTS);
  return Array.from({ length: PARTS }, (_, index) => {
    const part = rows.slice(index * size, (index + 1) * size);
    return part.length > 0 ? JSON.stringify(part) : null;
  });
}

async function readRecords(db: Kysely<Database>, ids: number[]): Promise<FailureRecord[]> {
  const query = db.selectFrom('failures').select(shownColumns()).$castTo<RecordRow>();
  return toRecords(db, await query.where((eb) => eb('id', '=', eb.fn.any(eb.val(ids)))).execute());
}

/** Builds a new record from the report and the defaults of a new record, so that it need not be read back. */
function newRecord(report: ReportRow, { id, incident_id, status }: StoredRow): FailureRecord {
  const { now } = report;
  const first = { id, incident_id, status, occurrences: 1, timestamp: now, last_seen: now, resolved_at: null };
  const known: Partial<FailureRecord> = { ...report, ...first };
  const record = Object.fromEntries(RECORD_COLUMNS.map((column) => [column, known[column]]));
  return shownRecord({ ...(record as Omit<FailureRecord, 'trials'>), trials: [] }, report.brief);
}

/**
 * Finds known records one by one. The statement is planned only once, and a join that was planned for an empty table would later read all
 * of a large table.
 */
const KNOWN = sql`/* prepared: known_records */
select f.* from unnest($1::text[], $2::text[], $3::text[]) as wanted (cluster, identity, occurrence) cross join lateral (
  select id, cluster, identity, pod_uid, pod_name, resource_kind, incident_id, family, container, status, failure_reason, solution is not null as has_solution,
    occurrence_keys @> array[wanted.occurrence] as has_occurrence,
    occurrence_keys[cardinality(occurrence_keys)] as newest_occurrence, announced_at
  from failures where closed_at is null and cluster = wanted.cluster and identity = wanted.identity limit 1) f`;

const ENDED = sql`/* prepared: ended_jobs */
select f.* from unnest($1::text[], $2::text[]) as wanted (cluster, identity) cross join lateral (
  select id, cluster, identity from failures
  where is_deleted and identity like 'Job/%' and cluster = wanted.cluster and identity = wanted.identity order by id desc limit 1) f`;

/**
 * Stores reports in one statement. `kept` holds the incidents that records stay in (locked: nobody closes them meanwhile), `made` finds or
 * opens the others, `placed` joins them to the reports. On conflict with the open record, `moved` is another family or container,
 * `fresh` an occurrence not yet counted, `sharper` a label at least as specific. Locks are taken incidents first, each kind in order.
 */
const moved = sql.raw(`(f.family <> excluded.family or coalesce(f.container <> excluded.container, false))`);
const fresh = sql.raw(`(not f.occurrence_keys @> excluded.occurrence_keys)`);
const sharper = sql.raw(`(excluded.reason_rank <= f.reason_rank)`);
/** The report turns the record into one about another object: a Job that has given up, or the newest of its pods. */
const joined = sql.raw(`(f.pod_uid is distinct from excluded.pod_uid)`);
const relabelled = sql`(${moved} or ${joined} or (${sharper} and (${fresh} or f.failure_reason <> excluded.failure_reason)))`;
const news = sql`(${relabelled} or ${fresh})`;
/** Whether the report brings the log that was missing when the newest occurrence was reported. */
const lateLog = sql`(starts_with(f.logs, ${sql.lit(LOG_DUE)}) and f.occurrence_keys[cardinality(f.occurrence_keys)] = excluded.occurrence_keys[1])`;
const status = sql`case when f.status = 'ignored' then f.status when ${moved} or (f.status = 'resolved' and (${fresh} or ${joined})) then excluded.status else f.status end`;
/** Whether a report has a reason instead of the failing container's log: alone, or in that container's section. */
const lacksLog = (column: string) => sql`${sql.ref(column)} ~ ${sql.lit(`^(==> [^\\n]+ <==\\n)?${NO_LOG}`)}`;
/** A Job that gives up may delete its pod before the log of the last run can be read. The log of an earlier run serves instead. */
const losesLog = sql`(f.identity like 'Job/%/%/%' and ${lacksLog('excluded.logs')} and f.logs <> '' and not ${lacksLog('f.logs')})`;
const newer = (column: string) =>
  sql`${sql.ref(column)} = case when ${news} then excluded.${sql.ref(column)} else f.${sql.ref(column)} end`;
const label = (column: string) =>
  sql`${sql.ref(column)} = case when ${relabelled} then excluded.${sql.ref(column)} else f.${sql.ref(column)} end`;
const joining = (column: string) =>
  sql`${sql.ref(column)} = case when ${joined} then excluded.${sql.ref(column)} else f.${sql.ref(column)} end`;
const placing = (column: string) =>
  sql`${sql.ref(column)} = case when ${moved} then excluded.${sql.ref(column)} else f.${sql.ref(column)} end`;

const STORE = sql`/* prepared: store_reports */
with input as materialized (
  select x.* from unnest(array[${sql.raw(Array.from({ length: PARTS }, (_, index) => `cast($${index + 1} as text)`).join())}]) part, json_to_recordset(part::json) as x(
    ${reportedTypes}, owner text, kept_incident bigint, joins text, occurrence_key text, now timestamptz, announced_at timestamptz)),
kept as materialized (
  select i.* from (select distinct kept_incident from input where kept_incident is not null order by 1) k cross join lateral (
    select id, ignored from incidents where id = k.kept_incident and closed_at is null limit 1 for share) i),
made as (
  insert into incidents (cluster, namespace, owner, container, family, opened_at)
  select distinct on (1, 2, 3, 4, 5) cluster, namespace, owner, coalesce(container, ''), family, now from input
  where kept_incident is null or kept_incident not in (select id from kept)
  order by 1, 2, 3, 4, 5
  on conflict (cluster, namespace, owner, container, family) where closed_at is null do update set family = excluded.family
  returning id, cluster, namespace, owner, container, family, ignored),
placed as (
  select i.*, coalesce(k.id, m.id) as incident_id, coalesce(k.ignored, m.ignored) as ignored from input i
  left join kept k on k.id = i.kept_incident
  left join made m on k.id is null and m.cluster = i.cluster and m.namespace = i.namespace and m.owner = i.owner
    and m.container = coalesce(i.container, '') and m.family = i.family)
insert into failures as f (
  ${reportedColumns}, incident_id, status, occurrences, occurrence_keys, occurrence_hour, occurrence_counts, timestamp, last_seen, status_at, announced_at)
select
  ${reportedColumns}, incident_id, case when ignored then 'ignored' else 'new' end, 1, array[occurrence_key], ${hourOf('now')}, array[1], now, now, now, announced_at
from placed order by cluster, identity
on conflict (cluster, identity) where closed_at is null do update set
  timestamp = least(f.timestamp, excluded.timestamp),
  last_seen = greatest(f.last_seen, excluded.last_seen),
  longest_run_seconds = greatest(f.longest_run_seconds, excluded.longest_run_seconds),
  suppressed_by = excluded.suppressed_by,
  announced_at = coalesce(excluded.announced_at, f.announced_at),
  occurrences = f.occurrences + case when ${fresh} then 1 else 0 end,
  occurrence_keys = case when ${fresh} then (f.occurrence_keys || excluded.occurrence_keys)[greatest(1, cardinality(f.occurrence_keys) + 2 - ${sql.lit(KEYS_KEPT)}):] else f.occurrence_keys end,
  occurrence_hour = case when ${fresh} then ${afterOccurrence.hour} else f.occurrence_hour end,
  occurrence_counts = case when ${fresh} then ${afterOccurrence.counts} else f.occurrence_counts end,
  status = ${status},
  status_at = case when f.status <> ${status} then excluded.last_seen else f.status_at end,
  resolved_at = case when ${status} = 'resolved' then f.resolved_at end,
  solution = case when ${moved} or (f.is_fallback and (${joined} or excluded.solution is not null)) then excluded.solution else coalesce(f.solution, excluded.solution) end,
  is_fallback = case when ${moved} or f.solution is null then excluded.is_fallback else f.is_fallback end,
  ${sql.join([...columnsOn('label').map(label), ...['incident_id', 'family'].map(placing)])},
  container = case when ${moved} then excluded.container else coalesce(f.container, excluded.container) end,
  ${sql.join(columnsOn('newest').map(newer))},
  ${sql.join(columnsOn('joined').map(joining))},
  logs = case when (${news} or ${lateLog}) and not ${losesLog} then excluded.logs else f.logs end
where f.pod_uid is not distinct from excluded.pod_uid
  or f.pod_uid = (select p.joins from placed p where p.cluster = excluded.cluster and p.identity = excluded.identity)
returning id, cluster, identity, incident_id, status, xmax = 0 as is_new`;
