import { CompiledQuery, type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { FailureDetail, FailureRecord, FailureStatus } from '../contract/failure.ts';
import { retryDeadlock } from './errors.ts';
import { json, storableText } from './json.ts';
import { closeEmptyIncidents, lockIncidents } from './incidents.ts';
import {
  DETAIL_COLUMNS,
  type DetailRow,
  hasTrials,
  RECORD_FIELDS,
  RECORD_VERSION,
  type RecordRow,
  shownColumns,
  toRecords,
} from './failure-records.ts';
import { type Page, pageOf } from './failure-page.ts';
import { hourAt, type HourCount, occurrenceHours } from './occurrence-hours.ts';
import { pagedList } from './paged-list.ts';
import type { Database } from './schema.ts';

/** A record whose status a statement changed. */
export interface StatusChange {
  id: number;
  status: FailureStatus;
}

/** A record that recovery or deletion closed. `previous` is its status before. */
export interface ClosedRecord {
  id: number;
  namespace: string;
  pod_name: string;
  previous: FailureStatus;
  suppressed_by: string | null;
}

/** Selects the records to delete because of their age. */
export interface OldRecords {
  status: 'resolved' | 'ignored';
  statusBefore: Date;
  lastSeenBefore?: Date;
}

type PageRow = DetailRow & Pick<FailurePage, 'assignee' | 'hours'> & { has_alerts: boolean };

export type FailureRepository = ReturnType<typeof failureRepository>;

/** A record, with the parts of its incident that the record's page shows. */
export interface FailurePage {
  detail: FailureDetail;
  /** The name of the incident's assignee. */
  assignee: string | null;
  /** The hours within the last 24 in which the incident occurred; null if there are none. */
  hours: HourCount[] | null;
  /** Whether the incident has alerts. Most incidents have none, and this saves requesting them. */
  hasAlerts: boolean;
}

const DETAIL_PART = sql.join([...DETAIL_COLUMNS.map((column) => sql.ref(`failures.${column}`)), hasTrials()]);
const DETAIL = sql`select ${DETAIL_PART} from failures where id = $1`;
const PAGE = sql`select ${DETAIL_PART},
  (select u.username from incident_assignees a join users u on u.id = a.user_id where a.incident_id = failures.incident_id) as assignee,
  ${occurrenceHours(sql`failures.incident_id`, sql`$2::int`)} as hours,
  exists (select from alerts where incident_id = failures.incident_id) as has_alerts from failures where id = $1`;

/** Failure records: lists (newest first; suppressed records are only in `suppressed`), single records, and changes of their status. */
export function failureRepository(db: Kysely<Database>) {
  // The status is part of the statement, because a plan for any value would not use the list's index.
  const list = (only: (query: Listed) => Listed) =>
    pagedList<Page, FailureRecord>(db, {
      fields: RECORD_FIELDS,
      version: RECORD_VERSION,
      rows: (columns, page) => pageOf(only(db.selectFrom('failures')).select(columns), page),
    });

  // Compiled once, because assembling the statement costs as much as running it. Not prepared, because a plan made for an empty table would
  // read the whole of a large one.
  const detailSql = DETAIL.compile(db).sql;
  const pageSql = PAGE.compile(db).sql;

  return {
    /** `new` and `investigating`. */
    active: list((query) =>
      query
        .where('status', 'in', [sql.lit<FailureStatus>('new'), sql.lit<FailureStatus>('investigating')])
        .where('suppressed_by', 'is', null),
    ),
    /** `resolved`, by people or by recovery. */
    history: list((query) => query.where('status', '=', sql.lit<FailureStatus>('resolved')).where('suppressed_by', 'is', null)),
    ignored: list((query) => query.where('status', '=', sql.lit<FailureStatus>('ignored')).where('suppressed_by', 'is', null)),
    /** Open records that a Suppression hides, whatever their status. */
    suppressed: list((query) => query.where('suppressed_by', 'is not', null).where('closed_at', 'is', null)),

    async record(id: number): Promise<FailureRecord | undefined> {
      const rows = await db.selectFrom('failures').select(shownColumns()).where('id', '=', id).$castTo<RecordRow>().execute();
      return (await toRecords(db, rows))[0];
    },

    async detail(id: number): Promise<FailureDetail | undefined> {
      const { rows } = await db.executeQuery<DetailRow>(CompiledQuery.raw(detailSql, [id]));
      return (await toRecords(db, rows))[0];
    },

    /** A record with what its page shows, in one statement. */
    async page(id: number, now: Date): Promise<FailurePage | undefined> {
      const { rows } = await db.executeQuery<PageRow>(CompiledQuery.raw(pageSql, [id, hourAt(now)]));
      const [row] = rows;
      if (!row) return undefined;
      const { assignee, hours, has_alerts, ...shown } = row;
      const [detail] = await toRecords(db, [shown]);
      return detail && { detail, assignee, hours, hasAlerts: has_alerts };
    },

    /** The open records of a pod, newest first, including its Job's. If the uid is given, only of that pod. */
    async openByPod(namespace: string, podName: string, podUid?: string): Promise<FailureDetail[]> {
      const rows = await db
        .selectFrom('failures')
        .select([...DETAIL_COLUMNS, hasTrials()])
        .where('namespace', '=', namespace)
        .where(({ or, eb }) => or([eb('pod_name', '=', podName), eb('id', 'in', ofPod(db, namespace, podName))]))
        .where('closed_at', 'is', null)
        .$if(podUid !== undefined, (query) => query.where('pod_uid', '=', podUid ?? null))
        .orderBy('id', 'desc')
        .execute();
      return toRecords(db, rows);
    },

    /** Whether the record belongs to a Job and is also about that pod. */
    async hasPod(id: number, namespace: string, podName: string): Promise<boolean> {
      return (await ofPod(db, namespace, podName).where('failure_id', '=', id).executeTakeFirst()) !== undefined;
    },

    /**
     * Ids of the open records of pods and Jobs: by uid if one is given (and the record has one), otherwise by name. A Job's record does not
     * belong to its pods; `leave` says which pods end it.
     */
    async openIds(gone: GoneObject[], cluster: string): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        with gone as (${goneObjects(gone)})
        select f.id from gone p join failures f on f.namespace = p.namespace and f.pod_name = p.pod_name and f.closed_at is null
        where (p.pod_uid is null or f.pod_uid is null or f.pod_uid = p.pod_uid) and not (${OF_JOB} and f.resource_kind = 'Pod')
        union
        select f.id from gone p join failures f on f.closed_at is null and f.cluster = ${cluster}
          and f.identity = 'Job/' || p.namespace || '/' || p.pod_name || '/' || p.pod_uid`.execute(db);
      return rows.map((row) => row.id);
    },

    /** Removes pods that no longer fail from the open records of their Jobs. Returns the ids of the records without a failing pod. */
    async leave(pods: GoneObject[], cluster: string): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        with gone as (${goneObjects(pods)}),
        left_behind as (
          delete from failure_pods m using gone p, failures f
          where m.cluster = ${cluster} and m.pod_uid = p.pod_uid and f.id = m.failure_id and f.closed_at is null returning m.failure_id, m.pod_uid)
        select distinct f.id from left_behind l join failures f on f.id = l.failure_id
        where f.closed_at is null and f.resource_kind = 'Pod' and not exists (
          select from failure_pods m where m.failure_id = f.id and m.pod_uid not in (select pod_uid from left_behind))`.execute(db);
      return rows.map((row) => row.id);
    },

    /**
     * Gives a record a status. Returns the record and every record that changed with it; undefined when there is no such record.
     * Ignoring an open record ignores its incident, and so the incident's other open records. Making it `new` or `investigating` again
     * undoes that for all of them.
     */
    setStatus(id: number, status: FailureStatus, now: Date): Promise<{ record: FailureRecord; changed: StatusChange[] } | undefined> {
      return retryDeadlock(() => db.transaction().execute((trx) => setStatus(trx, { id, status, now })));
    },

    /**
     * Closes open records without a report after `now`: they become `resolved`. An incident is closed together with its last open record.
     * `isDeleted`: their objects were deleted. Returns the records that were closed. Every statement locks incidents before records, so that
     * there are no deadlocks.
     */
    close(ids: number[], now: Date, { isDeleted = false } = {}): Promise<ClosedRecord[]> {
      if (ids.length === 0) return Promise.resolve([]);
      return retryDeadlock(() => db.transaction().execute((trx) => close(trx, { ids, now, isDeleted })));
    },

    /** The objects of all open records. `pods` are the uids of the pods in a Job's record. */
    openObjects: () =>
      db
        .selectFrom('failures')
        .select(['namespace', 'pod_name', 'pod_uid', 'node_name', 'resource_kind', 'identity'])
        .select(sql<string[]>`array(select m.pod_uid from failure_pods m where m.failure_id = failures.id)`.as('pods'))
        .where('closed_at', 'is', null)
        .execute(),

    /** The open, visible records of one namespace: the names of their objects, and why they fail. */
    openInNamespace: (cluster: string, namespace: string) =>
      db
        .selectFrom('failures')
        .select(['id', 'pod_name', 'failure_reason'])
        .where('cluster', '=', cluster)
        .where('namespace', '=', storableText(namespace))
        .where('closed_at', 'is', null)
        .where('suppressed_by', 'is', null)
        .execute(),

    /**
     * Deletes at most `limit` records that got the status before `statusBefore` and, if `lastSeenBefore` is given, were last reported before
     * that time. Returns their number. `abandoned` finds incidents that lose their last record in this way.
     */
    async deleteOld({ status, statusBefore, lastSeenBefore }: OldRecords, limit: number): Promise<number> {
      let old = db.selectFrom('failures').select('id').where('status', '=', status).where('status_at', '<', statusBefore).limit(limit);
      if (lastSeenBefore) old = old.where('last_seen', '<', lastSeenBefore);
      const { numDeletedRows } = await db.deleteFrom('failures').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },

    /** Replaces the rules' answer of a record, unless a model has answered in the meantime. Returns whether it was replaced. */
    async improveFallback(id: number, solution: string): Promise<boolean> {
      const fallback = db.updateTable('failures').where('id', '=', id).where('is_fallback', '=', true);
      return (await fallback.set({ solution }).executeTakeFirst()).numUpdatedRows > 0n;
    },

    /** Stores a solution. Returns false if the record is gone. */
    async setSolution(id: number, solution: string, isFallback: boolean): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('failures')
        .set({ solution, is_fallback: isFallback })
        .where('id', '=', id)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
  };
}

/** An object that was deleted or has recovered, so that its record must be closed. */
type GoneObject = { namespace: string; pod_name: string; pod_uid?: string | undefined };

function goneObjects(gone: GoneObject[]) {
  return sql`select distinct * from json_to_recordset(cast(${json(gone)} as text)::json) as p(namespace text, pod_name text, pod_uid text)`;
}

/** Whether the record `f` belongs to a Job. The heartbeat of a node tells nothing about such a record. */
export const OF_JOB = sql`f.identity like 'Job/%/%/%'`;

function ofPod(db: Kysely<Database>, namespace: string, podName: string) {
  return db.selectFrom('failure_pods').select('failure_id').where('namespace', '=', namespace).where('pod_name', '=', podName);
}

type Listed = SelectQueryBuilder<Database, 'failures', object>;

async function setStatus(trx: Kysely<Database>, { id, status, now }: { id: number; status: FailureStatus; now: Date }) {
  const found = await trx.selectFrom('failures').select(['incident_id', 'closed_at']).where('id', '=', id).executeTakeFirst();
  if (!found) return undefined;
  const change = { status_at: now, resolved_at: status === 'resolved' ? now : null };
  const changed: StatusChange[] = [];
  const open = found.closed_at === null;
  if (open && status !== 'resolved') {
    const ignored = status === 'ignored';
    await lockIncidents(trx, [found.incident_id]);
    await trx.updateTable('incidents').set({ ignored }).where('id', '=', found.incident_id).where('ignored', '!=', ignored).execute();
    const others = trx
      .updateTable('failures')
      .set({ ...change, status: ignored ? 'ignored' : 'new' })
      .where('incident_id', '=', found.incident_id)
      .where('closed_at', 'is', null)
      .where('id', '!=', id)
      .where('status', ignored ? '!=' : '=', 'ignored')
      .returning(['id', 'status']);
    changed.push(...(await others.execute()));
  }
  const own = trx
    .updateTable('failures')
    .set({ ...change, status })
    .where('id', '=', id)
    .where('status', '!=', status)
    .returning(['id', 'status']);
  changed.unshift(...(await own.execute()));
  const rows = await trx.selectFrom('failures').select(shownColumns()).where('id', '=', id).$castTo<RecordRow>().execute();
  const [record] = await toRecords(trx, rows);
  return record && { record, changed };
}

async function close(
  trx: Kysely<Database>,
  { ids, now, isDeleted }: { ids: number[]; now: Date; isDeleted: boolean },
): Promise<ClosedRecord[]> {
  const held = await trx
    .selectFrom('failures')
    .select('incident_id')
    .distinct()
    .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))))
    .where('closed_at', 'is', null)
    .execute();
  const incidents = held.map((row) => row.incident_id);
  await lockIncidents(trx, incidents);
  const { rows } = await sql<ClosedRecord>`
    update failures set status = 'resolved', closed_at = ${now}, is_deleted = ${isDeleted},
      status_at = case when failures.status = 'resolved' then failures.status_at else ${now}::timestamptz end,
      resolved_at = case when failures.status = 'resolved' then failures.resolved_at else ${now}::timestamptz end
    from (select id, status from failures where id = any(${ids}::bigint[]) order by id for update) old
    where failures.id = old.id and closed_at is null and last_seen <= ${now}
    returning failures.id, namespace, pod_name, old.status as previous, suppressed_by`.execute(trx);
  await closeEmptyIncidents(trx, incidents, now);
  return rows;
}
