import { CompiledQuery, type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Finding, FindingStatus, Severity } from '../contract/finding.ts';
import { retryDeadlock } from './errors.ts';
import { isSuspect, storable, storableText } from './json.ts';
import { holdsText, isVisible, ROW_VERSION, type Scope, versionOf } from './page.ts';
import type { Database, FindingTable } from './schema.ts';

/** A finding ready to be stored; `now` ISO 8601. No two rows of a batch may have one identity. */
export interface FindingRow {
  cluster: string;
  resource_type: string;
  namespace: string;
  resource_name: string;
  check_name: string;
  item: string;
  severity: Severity;
  message: string;
  remediation: string;
  details: Record<string, unknown>;
  now: string;
  suppressed_by: string | null;
}

/** A resource whose findings are all in the batch. */
export interface ReplacedResource {
  cluster: string;
  resource_type: string;
  namespace: string;
  resource_name: string;
}

/** A stored finding. `isNews`: it was not shown before (new, reopened, or hidden as stale). */
export interface StoredFinding {
  finding: Finding;
  isNews: boolean;
}

/** A part of the list. Without `status` the active ones: `open` and `reopened`. */
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

/** How long a stale finding may come back as what it was. */
const STALE = sql.raw(`interval '10 minutes'`);
const COLUMNS = [
  'id',
  'cluster',
  'resource_type',
  'resource_name',
  'namespace',
  'check_name',
  'severity',
  'message',
  'remediation',
  'details',
  'status',
  'first_seen',
  'last_seen',
  'resolved_at',
  'suppressed_by',
] as const satisfies (keyof FindingTable)[];
type Row = Pick<Selectable<FindingTable>, (typeof COLUMNS)[number]>;

export type FindingRepository = ReturnType<typeof findingRepository>;

/** Security findings and their life (DESIGN section 5, "Findings"). */
export function findingRepository(db: Kysely<Database>) {
  const storeSql = STORE.compile(db).sql;
  return {
    /**
     * Stores findings in one statement, and resolves what `replaced` resources have besides (a dismissed one stays dismissed, hidden).
     * Answers the findings in the order given, and those that were shown and are not any more.
     */
    async store(rows: FindingRow[], replaced: ReplacedResource[], now: Date): Promise<{ stored: StoredFinding[]; gone: Finding[] }> {
      const clean = cleaned(rows);
      const parameters = [JSON.stringify(clean), JSON.stringify(storable(replaced)), now];
      const answer = await retryDeadlock(() => db.executeQuery<StoredRow>(CompiledQuery.raw(storeSql, parameters)));
      const byIdentity = new Map(answer.rows.map((row) => [identityOf(row), row]));
      return {
        stored: clean.map((row) => {
          const found = byIdentity.get(identityOf(row));
          if (!found) throw new Error('a stored finding was not answered');
          return { finding: toFinding(found), isNews: found.is_news };
        }),
        gone: answer.rows.filter((row) => row.is_gone).map(toFinding),
      };
    },

    /** Newest first. What a Suppression hides is only in `suppressed`, what is stale nowhere. */
    async list(page: FindingPage = {}): Promise<Finding[]> {
      return (await narrowed(db.selectFrom('findings').select(COLUMNS), page).execute()).map(toFinding);
    },

    /** A text that is another one whenever the page would be shown otherwise. */
    version: (page: FindingPage = {}): Promise<string> =>
      versionOf(db, narrowed(db.selectFrom('findings').select(['id', ROW_VERSION]), page), { shape: COLUMNS, trials: false }),

    async byId(id: number): Promise<Finding | undefined> {
      const row = await db.selectFrom('findings').select(COLUMNS).where('id', '=', id).executeTakeFirst();
      return row && toFinding(row);
    },

    /** Those that there are, the newest first. */
    async byIds(ids: number[]): Promise<Finding[]> {
      const some = db
        .selectFrom('findings')
        .select(COLUMNS)
        .where((eb) => eb('id', '=', eb.fn.any(eb.val(ids))));
      return (await some.orderBy('id', 'desc').execute()).map(toFinding);
    },

    /** Active → `dismissed`. Any other finding stays as it is. Undefined when there is none. */
    async dismiss(id: number): Promise<Finding | undefined> {
      return change(db, id, { from: ['open', 'reopened'], to: 'dismissed' });
    },

    /** `dismissed` → `open`. Any other finding stays as it is. Undefined when there is none. */
    async restore(id: number): Promise<Finding | undefined> {
      return change(db, id, { from: ['dismissed'], to: 'open' });
    },

    /** Marks the findings of a resource stale; answers those that were shown. */
    async staleOf(resource: ReplacedResource, now: Date): Promise<Finding[]> {
      const { cluster, resource_type, namespace, resource_name } = storable(resource);
      const rows = await db
        .updateTable('findings')
        .set({ stale_at: now })
        .where('cluster', '=', cluster)
        .where('resource_type', '=', resource_type)
        .where('namespace', '=', namespace)
        .where('resource_name', '=', resource_name)
        .where('stale_at', 'is', null)
        .where('status', '!=', 'resolved')
        .returning(COLUMNS)
        .execute();
      return rows.filter(isShown).map(toFinding);
    },

    /** Marks at most `limit` findings of the cluster stale; answers how many. */
    async stale(cluster: string, now: Date, limit: number): Promise<number> {
      const some = db
        .selectFrom('findings')
        .select('id')
        .where('cluster', '=', cluster)
        .where('stale_at', 'is', null)
        .where('status', '!=', 'resolved')
        .limit(limit);
      return Number((await db.updateTable('findings').set({ stale_at: now }).where('id', 'in', some).executeTakeFirst()).numUpdatedRows);
    },

    /** Resolves at most `limit` findings that were stale before that instant; answers how many. Dismissed ones keep their status. */
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

    /** Deletes at most `limit` findings that were resolved, or dismissed and stale, before that instant; answers how many. */
    async deleteVanished(before: Date, limit: number): Promise<number> {
      const old = db
        .selectFrom('findings')
        .select('id')
        .where((eb) => eb.or([eb('resolved_at', '<', before), eb.and([eb('stale_at', '<', before), eb('status', '=', 'dismissed')])]))
        .limit(limit);
      return Number((await db.deleteFrom('findings').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },

    /** How many are active, by severity. */
    async countBySeverity(): Promise<Partial<Record<Severity, number>>> {
      const rows = await narrowed(db.selectFrom('findings').select(['severity', sql<number>`count(*)::int`.as('count')]), {}, false)
        .groupBy('severity')
        .execute();
      return Object.fromEntries(rows.map(({ severity, count }) => [severity, count]));
    },
  };
}

type Query<O> = SelectQueryBuilder<Database, 'findings', O>;

function narrowed<O>(query: Query<O>, page: FindingPage, isOrdered = true): Query<O> {
  const { status, severity, namespace, check, q, limit, before, scope } = page;
  let some = query.where('stale_at', 'is', null);
  if (isOrdered) some = some.orderBy('id', 'desc');
  if (status === 'suppressed') some = some.where('suppressed_by', 'is not', null).where('status', 'in', ['open', 'reopened']);
  else some = some.where('suppressed_by', 'is', null).where('status', 'in', status ? [status] : ['open', 'reopened']);
  if (severity) some = some.where('severity', '=', severity);
  if (namespace !== undefined) some = some.where('namespace', '=', storableText(namespace));
  if (check !== undefined) some = some.where('check_name', '=', storableText(check));
  if (q) some = some.where(holdsText(['resource_name', 'namespace', 'check_name', 'message'], q));
  if (limit !== undefined) some = some.limit(limit);
  if (before !== undefined) some = some.where('id', '<', before);
  return scope ? some.where(isVisible(scope)) : some;
}

async function change(db: Kysely<Database>, id: number, { from, to }: { from: FindingStatus[]; to: FindingStatus }) {
  await db.updateTable('findings').set({ status: to }).where('id', '=', id).where('status', 'in', from).execute();
  return findingRepository(db).byId(id);
}

interface StoredRow extends Row {
  item: string;
  is_news: boolean;
  is_gone: boolean;
}

function cleaned(rows: FindingRow[]): FindingRow[] {
  return isSuspect(JSON.stringify(rows)) ? storable(rows) : rows;
}

function identityOf(row: Pick<FindingRow, 'cluster' | 'namespace' | 'resource_type' | 'resource_name' | 'check_name' | 'item'>): string {
  return [row.cluster, row.namespace, row.resource_type, row.resource_name, row.check_name, row.item].join('\n');
}

function isShown({ status, suppressed_by }: Row): boolean {
  return (status === 'open' || status === 'reopened') && suppressed_by === null;
}

function toFinding({ id, first_seen, last_seen, resolved_at, ...row }: Row): Finding {
  const { cluster, resource_type, resource_name, namespace, check_name, severity, message, remediation, details, status, suppressed_by } =
    row;
  const seen = { first_seen: first_seen.toISOString(), last_seen: last_seen.toISOString(), timestamp: first_seen.toISOString() };
  const what = { id, cluster, resource_type, resource_name, namespace, check_name, severity, message, remediation, details, status };
  return { ...what, ...seen, resolved_at: resolved_at?.toISOString() ?? null, suppressed_by };
}

/**
 * `input` are the findings, `resources` what is replaced as a whole. Both parts read the table as it was before the statement and touch
 * different rows, each in the order of the identity, so that batches never wait for each other in a circle.
 */
const hadEnded = sql`(f.status = 'resolved' or (f.status <> 'dismissed' and f.stale_at < $3::timestamptz - ${STALE}))`;
const identity = sql.raw(`cluster, namespace, resource_type, resource_name, check_name, item`);
const shown = sql.raw(COLUMNS.map((column) => `f.${column}`).join(', '));
const STORE = sql`/* prepared: store_findings */
with input as materialized (
  select * from json_to_recordset(cast($1 as text)::json) as x(
    cluster text, resource_type text, namespace text, resource_name text, check_name text, item text, severity text, message text,
    remediation text, details jsonb, now timestamptz, suppressed_by text)),
old as materialized (
  select o.* from input i cross join lateral (
    select ${identity}, status, stale_at, suppressed_by from findings
    where cluster = i.cluster and namespace = i.namespace and resource_type = i.resource_type and resource_name = i.resource_name
      and check_name = i.check_name and item = i.item limit 1) o),
left_over as materialized (
  select f.id, f.stale_at is null as was_fresh from json_to_recordset(cast($2 as text)::json) as r(
    cluster text, resource_type text, namespace text, resource_name text) cross join lateral (
    select * from findings
    where cluster = r.cluster and namespace = r.namespace and resource_type = r.resource_type and resource_name = r.resource_name
      and status <> 'resolved'
      and not exists (select 1 from input i where i.cluster = findings.cluster and i.namespace = findings.namespace
        and i.resource_type = findings.resource_type and i.resource_name = findings.resource_name
        and i.check_name = findings.check_name and i.item = findings.item)
    order by ${identity} for update) f),
gone as (
  update findings f set
    status = case when f.status = 'dismissed' then f.status else 'resolved' end,
    resolved_at = case when f.status = 'dismissed' then null else $3::timestamptz end,
    stale_at = case when f.status = 'dismissed' then coalesce(f.stale_at, $3::timestamptz) end
  from left_over l where l.id = f.id
  returning ${shown}, f.item, false as is_news, l.was_fresh and f.status = 'resolved' and f.suppressed_by is null as is_gone),
stored as (
  insert into findings as f (${identity}, severity, message, remediation, details, status, first_seen, last_seen, suppressed_by)
  select ${identity}, severity, message, remediation, details, 'open', now, now, suppressed_by from input order by ${identity}
  on conflict (${sql.raw('cluster, namespace, resource_type, resource_name, check_name, item')}) do update set
    severity = excluded.severity, message = excluded.message, remediation = excluded.remediation, details = excluded.details,
    last_seen = greatest(f.last_seen, excluded.last_seen), suppressed_by = excluded.suppressed_by, stale_at = null, resolved_at = null,
    status = case when ${hadEnded} then 'reopened' else f.status end
  returning ${shown}, f.item)
select s.*, s.suppressed_by is null and s.status in ('open', 'reopened')
  and (o.status is null or o.status = 'resolved' or o.stale_at is not null) as is_news,
  s.suppressed_by is not null and o.status in ('open', 'reopened') and o.stale_at is null and o.suppressed_by is null as is_gone
from stored s left join old o using (${identity})
union all select * from gone`;
