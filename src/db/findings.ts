import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { Finding, FindingStatus, Severity } from '../contract/finding.ts';
import { FINDING_COLUMNS, FINDING_FIELDS, type FindingRecord, toFinding } from './finding-records.ts';
import { type ReplacedResource, storeFindings } from './finding-reports.ts';
import { storable, storableText } from './json.ts';
import { holdsText, isPlaceVisible, type Scope } from './failure-page.ts';
import { pagedList, ROW_VERSION } from './paged-list.ts';
import type { Database } from './schema.ts';

/** A part of the list. Default: active findings, which are `open` or `reopened`. */
export interface FindingPage {
  status?: FindingStatus | 'suppressed' | undefined;
  severity?: Severity | undefined;
  namespace?: string | undefined;
  check?: string | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  before?: number | undefined;
  scope?: Scope | undefined;
}

/** A pass ends after this time at the latest. The first findings of a scanner also begin a pass (migration 019). */
const PASS_MS = 3_600_000;

export type FindingRepository = ReturnType<typeof findingRepository>;

/** Security findings and their states. */
export function findingRepository(db: Kysely<Database>) {
  return {
    store: storeFindings(db),

    /** Suppressed findings are only in the list `suppressed`. Stale findings are in no list. */
    list: pagedList<FindingPage, Finding>(db, {
      fields: FINDING_FIELDS,
      version: ROW_VERSION,
      rows: (columns, page) => narrowed(db.selectFrom('findings').select(columns), page),
    }),

    async byId(id: number): Promise<Finding | undefined> {
      const row = await db.selectFrom('findings').select(FINDING_COLUMNS).where('id', '=', id).executeTakeFirst();
      return row && toFinding(row);
    },

    /** The findings among `ids` that exist, newest first. */
    async byIds(ids: number[]): Promise<Finding[]> {
      const some = db
        .selectFrom('findings')
        .select(FINDING_COLUMNS)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))));
      return (await some.orderBy('id', 'desc').execute()).map(toFinding);
    },

    /** Active → `dismissed`. A finding in any other state does not change. Undefined if it does not exist. */
    async dismiss(id: number): Promise<Finding | undefined> {
      return change(db, id, { from: ['open', 'reopened'], to: 'dismissed' });
    },

    /** `dismissed` → `open`. A finding in any other state does not change. Undefined if it does not exist. */
    async restore(id: number): Promise<Finding | undefined> {
      return change(db, id, { from: ['dismissed'], to: 'open' });
    },

    /** Marks a scanner's findings on a resource as stale. Returns the findings that were visible. */
    async staleOf(resource: ReplacedResource, now: Date): Promise<Finding[]> {
      const { cluster, resource_type, namespace, resource_name, source } = storable(resource);
      const rows = await db
        .updateTable('findings')
        .set({ stale_at: now })
        .where('cluster', '=', cluster)
        .where('resource_type', '=', resource_type)
        .where('namespace', '=', namespace)
        .where('resource_name', '=', resource_name)
        .where('source', '=', source)
        .where('stale_at', 'is', null)
        .where('status', '!=', 'resolved')
        .returning(FINDING_COLUMNS)
        .execute();
      return rows.filter(isShown).map(toFinding);
    },

    /** For the next hour, or until the pass ends, findings that come back are not news. */
    async beginPass({ cluster, source }: { cluster: string; source: string }, now: Date): Promise<void> {
      const until = new Date(now.getTime() + PASS_MS);
      await db
        .insertInto('finding_scanners')
        .values({ cluster, source, baseline_until: until, returning_until: until })
        .onConflict((conflict) => conflict.columns(['cluster', 'source']).doUpdateSet({ returning_until: until }))
        .execute();
    },

    /** Ends all passes, so that findings count as new from now on. */
    async endPasses(cluster: string, now: Date): Promise<void> {
      const least = (column: 'baseline_until' | 'returning_until') => sql<Date>`least(${sql.ref(column)}, ${now})`;
      const ends = { baseline_until: least('baseline_until'), returning_until: least('returning_until') };
      await db.updateTable('finding_scanners').set(ends).where('cluster', '=', cluster).execute();
    },

    /** Marks at most `limit` findings of a scanner stale; returns how many. */
    async stale({ cluster, source }: { cluster: string; source: string }, now: Date, limit: number): Promise<number> {
      const some = db
        .selectFrom('findings')
        .select('id')
        .where('cluster', '=', cluster)
        .where('source', '=', source)
        .where('stale_at', 'is', null)
        .where('status', '!=', 'resolved')
        .limit(limit);
      return Number((await db.updateTable('findings').set({ stale_at: now }).where('id', 'in', some).executeTakeFirst()).numUpdatedRows);
    },

    /** Resolves at most `limit` findings that were stale before that time; returns how many. Dismissed ones keep their status. */
    async resolveStale(before: Date, now: Date, limit: number): Promise<number> {
      const some = db
        .selectFrom('findings')
        .select('id')
        .where('stale_at', '<', before)
        .where('status', 'in', ['open', 'reopened'])
        .limit(limit);
      const { numUpdatedRows } = await db
        .updateTable('findings')
        .set({ status: 'resolved', resolved_at: now, stale_at: null })
        .where('id', 'in', some)
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },

    /** Deletes at most `limit` findings that were resolved, or dismissed and stale, before that time; returns how many. */
    async deleteVanished(before: Date, limit: number): Promise<number> {
      const old = db
        .selectFrom('findings')
        .select('id')
        .where((eb) => eb.or([eb('resolved_at', '<', before), eb.and([eb('stale_at', '<', before), eb('status', '=', 'dismissed')])]))
        .limit(limit);
      return Number((await db.deleteFrom('findings').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },

    /** The number of active, visible findings, by severity. */
    async countBySeverity(scope: Scope): Promise<Partial<Record<Severity, number>>> {
      const counts = db.selectFrom('findings').select(['severity', sql<number>`count(*)::int`.as('count')]);
      const rows = await narrowed(counts, { scope }, false).groupBy('severity').execute();
      return Object.fromEntries(rows.map(({ severity, count }) => [severity, count]));
    },
  };
}

type Query<O> = SelectQueryBuilder<Database, 'findings', O>;

function narrowed<O>(query: Query<O>, page: FindingPage, isOrdered = true): Query<O> {
  const { status, severity, namespace, check, q, limit, before, scope } = page;
  let some = query.where('stale_at', 'is', null);
  if (isOrdered) some = some.orderBy('id', 'desc');
  // Written as literals, because a plan for any value would not use the list's own index.
  const active = [sql.lit<FindingStatus>('open'), sql.lit<FindingStatus>('reopened')];
  if (status === 'suppressed') some = some.where('suppressed_by', 'is not', null).where('status', 'in', active);
  else some = some.where('suppressed_by', 'is', null).where('status', 'in', status ? [sql.lit(status)] : active);
  if (severity) some = some.where('severity', '=', severity);
  if (namespace !== undefined) some = some.where('namespace', '=', storableText(namespace));
  if (check !== undefined) some = some.where('check_name', '=', storableText(check));
  if (q) some = some.where(holdsText(['resource_name', 'namespace', 'check_name', 'message'], q));
  if (limit !== undefined) some = some.limit(limit);
  if (before !== undefined) some = some.where('id', '<', before);
  return scope ? some.where(isPlaceVisible(scope, { kind: 'resource_type', name: 'resource_name' })) : some;
}

async function change(db: Kysely<Database>, id: number, { from, to }: { from: FindingStatus[]; to: FindingStatus }) {
  await db.updateTable('findings').set({ status: to }).where('id', '=', id).where('status', 'in', from).execute();
  return findingRepository(db).byId(id);
}

function isShown({ status, suppressed_by }: FindingRecord): boolean {
  return (status === 'open' || status === 'reopened') && suppressed_by === null;
}
