import { type Kysely, sql } from 'kysely';
import { isHiddenPlace } from '../contract/hidden.ts';
import { type FindingSubject, type Subject, subjectOfFinding } from '../crd/suppression-subject.ts';
import { retryDeadlock } from './errors.ts';
import { json } from './json.ts';
import type { Database } from './schema.ts';

/** A record as suppressions see it. */
export interface OpenSubject extends Subject {
  id: number;
  suppressed_by: string | null;
  /** Whether it counts as hidden by a Suppression. A dismissed finding does not count, but is suppressed for the time when it is restored. */
  isCounted: boolean;
  /** Kind and name of the object that a finding or advice describes. Absent for failures. */
  resource_type?: string;
  resource_name?: string;
}

/** Whether `HIDDEN_NAMESPACES` hides the record. */
export function isHiddenSubject({ namespace, resource_type = '', resource_name = '' }: OpenSubject, hidden: readonly string[]): boolean {
  return isHiddenPlace({ kind: resource_type, namespace, name: resource_name }, hidden);
}

/** A record to hide by the Suppression `name`, or to show if that is null, unless the record has changed since it was read. */
export interface SuppressionChange extends Pick<OpenSubject, 'id' | 'suppressed_by'> {
  failure_reason?: string | null | undefined;
  severity?: string | null | undefined;
  name: string | null;
}

/** One kind of record that may be hidden. It is read and written in parts, so that reports are stored in between. */
export interface SuppressibleRows {
  /** The ids of the records that Suppressions apply to, the newest first. */
  openIds(): Promise<number[]>;
  /** The records among `ids` that still exist, in any order. */
  subjects(ids: number[]): Promise<OpenSubject[]>;
  /**
   * Hides and shows records. Returns the ids of the records that changed. A record that was closed, relabelled or hidden in the meantime stays
   * unchanged, because the code that did this has also checked the Suppressions.
   */
  set(changes: SuppressionChange[]): Promise<number[]>;
}

export type FailureSuppressionRepository = ReturnType<typeof failureSuppressionRepository>;

/** Hides and shows failure records, as long as they are open. */
export function failureSuppressionRepository(db: Kysely<Database>) {
  return {
    ...suppressibleRows<OpenSubject & { namespace: string; pod_name: string; failure_reason: string; images: string[] }>(db, FAILURES),

    /** Open records that are shown without a solution: they were suppressed from the start. */
    async unsolved(): Promise<number[]> {
      const rows = await db
        .selectFrom('failures')
        .select('id')
        .where('closed_at', 'is', null)
        .where('suppressed_by', 'is', null)
        .where('solution', 'is', null)
        .orderBy('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Gives a record the solution it lacks. */
    async solve(id: number, solution: string, isFallback: boolean): Promise<void> {
      const lacking = db.updateTable('failures').where('id', '=', id).where('solution', 'is', null);
      await lacking.set({ solution, is_fallback: isFallback }).execute();
    },
  };
}

/** The findings that Suppressions hide or show: all that are neither resolved nor stale. A report decides anew about the others. */
export function findingSuppressionRepository(db: Kysely<Database>): SuppressibleRows {
  const { subjects, ...rows } = suppressibleRows<FindingSubject & Pick<OpenSubject, 'id' | 'suppressed_by' | 'isCounted'>>(db, FINDINGS);
  return {
    ...rows,
    subjects: async (ids) =>
      (await subjects(ids)).map(({ id, suppressed_by, isCounted, ...found }) => ({
        ...subjectOfFinding(found),
        resource_type: found.resource_type,
        resource_name: found.resource_name,
        id,
        suppressed_by,
        isCounted,
      })),
  };
}

/** Hides and shows advice, as long as its detector still finds it. */
export function adviceSuppressionRepository(db: Kysely<Database>): SuppressibleRows {
  return suppressibleRows<OpenSubject>(db, ADVICE);
}

/** The table of a kind of record, with its conditions in SQL. */
interface Table {
  name: 'failures' | 'findings' | 'advice';
  /** The condition for rows that are read and changed. */
  isOpen: string;
  /** The column that may have changed before the row is written. */
  seen: 'failure_reason' | 'severity';
  /** The order in which reports lock rows. */
  identity: string;
  columns: string;
}

const FAILURES: Table = {
  name: 'failures',
  isOpen: 'closed_at is null',
  seen: 'failure_reason',
  identity: 'cluster, identity',
  // The image is the failing container's, or those of all when that is not known.
  columns: `id, namespace, pod_name, labels, failure_reason, suppressed_by, true as "isCounted",
    coalesce((select jsonb_build_array(s -> 'image') from jsonb_array_elements(container_statuses) s
      where s ->> 'name' = container and s ->> 'image' <> '' limit 1), images) as images`,
};
const FINDINGS: Table = {
  name: 'findings',
  isOpen: `stale_at is null and status <> 'resolved'`,
  seen: 'severity',
  identity: 'cluster, namespace, resource_type, resource_name, check_name, item',
  columns: `id, namespace, resource_type, resource_name, check_name, severity, suppressed_by, status <> 'dismissed' as "isCounted",
    jsonb_build_object('images', details -> 'images', 'labels', details -> 'labels') as details`,
};

const ADVICE: Table = {
  name: 'advice',
  isOpen: 'gone_at is null',
  seen: 'severity',
  identity: 'cluster, namespace, detector_id, resource_kind, resource_name',
  columns: `id, namespace, detector_id as "check", severity, labels, images, suppressed_by, status = 'open' as "isCounted",
    resource_kind as resource_type, resource_name, case when resource_kind = 'Pod' then resource_name end as pod_name`,
};

/** Rows are read as one value: reading thousands of small values is slow with the embedded database. */
function suppressibleRows<S>(db: Kysely<Database>, { name, isOpen, seen, identity, columns }: Table) {
  const [table, open, order] = [sql.table(name), sql.raw(isOpen), sql.raw(identity)];
  return {
    async openIds(): Promise<number[]> {
      const { rows } = await sql<{ ids: number[] | null }>`select json_agg(id order by id desc) as ids from ${table} where ${open}`.execute(
        db,
      );
      return rows[0]?.ids ?? [];
    },

    async subjects(ids: number[]): Promise<S[]> {
      const { rows } = await sql<{ found: S[] | null }>`
        select json_agg(r) as found
        from (select ${sql.raw(columns)} from ${table} where id = any(${ids}::bigint[]) and ${open}) r`.execute(db);
      return rows[0]?.found ?? [];
    },

    /** Looks up rows one by one, because the plan of a join may have been made while the table was small. */
    async set(changes: SuppressionChange[]): Promise<number[]> {
      if (changes.length === 0) return [];
      const wanted = json(changes.map((change) => ({ ...change, seen: change[seen] })));
      const statement = sql<{ ids: number[] | null }>`
        with wanted as materialized (
          select f.id, w.name from (
            select r.* from json_to_recordset(cast(${wanted} as text)::json) as r(id bigint, seen text, suppressed_by text, name text)
            cross join lateral (select ${order} from ${table} where id = r.id limit 1) o order by ${order}) w
          cross join lateral (
            select id from ${table} where id = w.id and ${open} and ${sql.ref(seen)} = w.seen
              and suppressed_by is not distinct from w.suppressed_by limit 1 for update) f),
        done as (update ${table} t set suppressed_by = wanted.name from wanted where t.id = wanted.id returning t.id)
        select json_agg(id) as ids from done`;
      const { rows } = await retryDeadlock(() => statement.execute(db));
      return rows[0]?.ids ?? [];
    },
  };
}
