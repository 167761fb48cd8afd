import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely';
import type { Advice, AdviceCategory, AdviceSort, AdviceStatus } from '../contract/advice.ts';
import { SEVERITIES, type Severity } from '../contract/finding.ts';
import { retryDeadlock } from './errors.ts';
import { json, storableText } from './json.ts';
import { holdsText, isPlaceVisible, type Scope } from './failure-page.ts';
import { isoText, pagedList, ROW_VERSION } from './paged-list.ts';
import type { AdviceTable, Database } from './schema.ts';

/** A piece of advice ready to be stored. Within one pass, each has a different identity. */
export interface AdviceRow extends Pick<
  Advice,
  | 'detector_id'
  | 'severity'
  | 'category'
  | 'title'
  | 'summary'
  | 'resource_kind'
  | 'resource_name'
  | 'evidence'
  | 'recommended_change'
  | 'suppressed_by'
> {
  labels: Record<string, string>;
  images: string[];
}

/** The result of a pass over a namespace: all advice, and the detectors that ran. Advice of other detectors does not change. */
export interface AdvicePass {
  cluster: string;
  namespace: string;
  detectors: string[];
  rows: AdviceRow[];
  /** Kinds that may not be read in the namespace. */
  unreadable: string[];
}

/** A part of the list, beginning after the id `before`. Default: open advice, newest first. */
export interface AdvicePage {
  status?: AdviceStatus | 'suppressed' | undefined;
  severity?: Severity | undefined;
  category?: AdviceCategory | undefined;
  detector?: string | undefined;
  namespace?: string | undefined;
  q?: string | undefined;
  limit?: number | undefined;
  sort?: AdviceSort | undefined;
  before?: number | undefined;
  scope?: Scope | undefined;
}

const SHOWN = [
  'id',
  'detector_id',
  'severity',
  'category',
  'title',
  'summary',
  'resource_kind',
  'resource_name',
  'namespace',
  'evidence',
  'recommended_change',
  'explanation',
  'is_fallback',
  'status',
  'ignored_reason',
  'ignored_by',
  'ignored_at',
  'suppressed_by',
  'created_at',
] as const satisfies (keyof AdviceTable)[];
/** A piece of advice as the API shows it, in SQL, by field name; `toAdvice` is the same in TypeScript. */
const FIELDS = {
  ...Object.fromEntries(SHOWN.map((column) => [column, sql.ref(column)])),
  ignored_at: isoText('ignored_at'),
  created_at: isoText('created_at'),
};
type Row = Pick<Selectable<AdviceTable>, (typeof SHOWN)[number]>;

export type AdviceRepository = ReturnType<typeof adviceRepository>;

/** Advice of the detectors: open, ignored by people, or resolved when it is no longer found. */
export function adviceRepository(db: Kysely<Database>) {
  const byId = async (id: number): Promise<Advice | undefined> => {
    const row = await db.selectFrom('advice').select(SHOWN).where('id', '=', id).executeTakeFirst();
    return row && toAdvice(row);
  };
  /** A namespace without unreadable kinds, or that no longer exists, has no row. */
  const noteUnreadable = async ({ cluster, namespace, unreadable }: Pick<AdvicePass, 'cluster' | 'namespace' | 'unreadable'>) => {
    const statement =
      unreadable.length === 0
        ? sql`delete from advice_passes where cluster = ${cluster} and namespace = ${namespace}`
        : sql`
          insert into advice_passes as p (cluster, namespace, unreadable)
          values (${cluster}, ${namespace}, cast(${json(unreadable)} as text)::jsonb)
          on conflict (cluster, namespace) do update set unreadable = excluded.unreadable where p.unreadable <> excluded.unreadable`;
    await statement.execute(db);
  };

  return {
    /**
     * Stores the advice found in a namespace, and resolves advice that was not found again. Returns the rows that changed, in any order.
     * Unchanged rows are neither written nor returned.
     */
    async store({ cluster, namespace, detectors, rows, unreadable }: AdvicePass, now: Date): Promise<Advice[]> {
      const input = json(rows);
      const statement = sql<Row>`
        with input as materialized (
          select * from json_to_recordset(cast(${input} as text)::json) as x(
            detector_id text, resource_kind text, resource_name text, severity text, category text, title text, summary text,
            evidence jsonb, recommended_change text, suppressed_by text, labels jsonb, images jsonb)),
        gone as (
          update advice a set gone_at = ${now}, status = case when a.status = 'ignored' then a.status else 'resolved' end
          where a.cluster = ${cluster} and a.namespace = ${namespace} and a.gone_at is null and a.detector_id = any(${detectors}::text[])
            and not exists (select 1 from input i where i.detector_id = a.detector_id and i.resource_kind = a.resource_kind
              and i.resource_name = a.resource_name)
          returning ${shownOf('a')}),
        stored as (
          insert into advice as a (cluster, namespace, detector_id, resource_kind, resource_name, severity, category, title, summary,
            evidence, recommended_change, suppressed_by, labels, images, status, created_at)
          select ${cluster}, ${namespace}, detector_id, resource_kind, resource_name, severity, category, title, summary, evidence,
            recommended_change, suppressed_by, labels, images, 'open', ${now} from input
          order by detector_id, resource_kind, resource_name
          on conflict (cluster, namespace, detector_id, resource_kind, resource_name) do update set
            severity = excluded.severity, category = excluded.category, title = excluded.title, summary = excluded.summary,
            evidence = excluded.evidence, recommended_change = excluded.recommended_change, suppressed_by = excluded.suppressed_by,
            labels = excluded.labels, images = excluded.images, gone_at = null,
            status = case when a.status = 'resolved' then 'open' else a.status end,
            explanation = case when a.summary = excluded.summary then a.explanation end,
            is_fallback = a.is_fallback or a.summary <> excluded.summary
          where a.gone_at is not null
            or (a.severity, a.category, a.title, a.summary, a.evidence, a.recommended_change, a.suppressed_by, a.labels, a.images)
              is distinct from (excluded.severity, excluded.category, excluded.title, excluded.summary, excluded.evidence,
              excluded.recommended_change, excluded.suppressed_by, excluded.labels, excluded.images)
          returning ${shownOf('a')})
        select * from stored union all select * from gone`;
      const changed = await retryDeadlock(() => statement.execute(db));
      await noteUnreadable({ cluster, namespace, unreadable });
      return changed.rows.map(toAdvice);
    },

    /** The kinds that could not be read somewhere in the cluster during the last pass. */
    async unreadable(cluster: string): Promise<string[]> {
      const kinds = sql<string>`jsonb_array_elements_text(unreadable)`;
      const rows = await db.selectFrom('advice_passes').select(kinds.as('kind')).distinct().where('cluster', '=', cluster).execute();
      return rows.map(({ kind }) => kind);
    },

    /** Namespaces of the cluster with stored rows that the next pass may end: advice, or unreadable kinds. */
    async namespaces(cluster: string): Promise<string[]> {
      const advised = db.selectFrom('advice').select('namespace').where('cluster', '=', cluster).where('gone_at', 'is', null);
      const unread = db.selectFrom('advice_passes').select('namespace').where('cluster', '=', cluster);
      return (await advised.union(unread).execute()).map(({ namespace }) => namespace);
    },

    /** Suppressed advice is only in the list `suppressed`. */
    list: pagedList<AdvicePage, Advice>(db, {
      fields: FIELDS,
      version: ROW_VERSION,
      rows: (columns, page) => {
        const rows = narrowed(db.selectFrom('advice').select(columns), page);
        return (page.sort === 'severity' ? rows.orderBy(rankOf('advice')) : rows).orderBy('id', 'desc');
      },
    }),

    byId,

    /** `open` → `ignored`, with the person and the reason. Advice in any other state does not change. Undefined if it does not exist. */
    async ignore(id: number, { reason, by }: { reason: string | null; by: string }, now: Date): Promise<Advice | undefined> {
      const why = { ignored_reason: reason && storableText(reason), ignored_by: storableText(by), ignored_at: now };
      await db
        .updateTable('advice')
        .set({ status: 'ignored', ...why })
        .where('id', '=', id)
        .where('status', '=', 'open')
        .execute();
      return byId(id);
    },

    /** `ignored` → `open`. Advice in any other state does not change. Undefined if it does not exist. */
    async restore(id: number): Promise<Advice | undefined> {
      // Advice that disappeared while it was ignored is restored as resolved.
      const status = sql<AdviceStatus>`case when gone_at is null then 'open' else 'resolved' end`;
      const forgotten = { ignored_reason: null, ignored_by: null, ignored_at: null };
      await db
        .updateTable('advice')
        .set({ status, ...forgotten })
        .where('id', '=', id)
        .where('status', '=', 'ignored')
        .execute();
      return byId(id);
    },

    /** Stores the explanation, unless the advice has changed since. */
    async explain({ id, summary }: Pick<Advice, 'id' | 'summary'>, explanation: string, isFallback: boolean): Promise<void> {
      const answer = { explanation: storableText(explanation), is_fallback: isFallback };
      await db.updateTable('advice').set(answer).where('id', '=', id).where('summary', '=', summary).execute();
    },

    /** Deletes at most `limit` pieces of advice that disappeared before that time. Returns their number. */
    async deleteVanished(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('advice').select('id').where('gone_at', '<', before).limit(limit);
      return Number((await db.deleteFrom('advice').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },

    /** The number of open, visible pieces of advice, by severity. */
    async countBySeverity(scope: Scope): Promise<Partial<Record<Severity, number>>> {
      const counts = db.selectFrom('advice').select(['severity', sql<number>`count(*)::int`.as('count')]);
      const rows = await narrowed(counts, { scope }).groupBy('severity').execute();
      return Object.fromEntries(rows.map(({ severity, count }) => [severity, count]));
    },
  };
}

function shownOf(table: string) {
  return sql.join(SHOWN.map((column) => sql.ref(`${table}.${column}`)));
}

function narrowed<O>(query: SelectQueryBuilder<Database, 'advice', O>, page: AdvicePage) {
  const { status, severity, category, detector, namespace, q, limit, before, scope } = page;
  let some = query;
  if (status === 'suppressed') some = some.where('suppressed_by', 'is not', null).where('status', '=', sql.lit('open'));
  else some = some.where('suppressed_by', 'is', null).where('status', '=', sql.lit(status ?? 'open'));
  if (status !== 'resolved') some = some.where('gone_at', 'is', null);
  if (severity) some = some.where('severity', '=', severity);
  if (category) some = some.where('category', '=', category);
  if (detector !== undefined) some = some.where('detector_id', '=', storableText(detector));
  if (namespace !== undefined) some = some.where('namespace', '=', storableText(namespace));
  if (q) some = some.where(holdsText(['resource_name', 'namespace', 'detector_id', 'summary'], q));
  if (limit !== undefined) some = some.limit(limit);
  if (before !== undefined) some = some.where(page.sort === 'severity' ? standsAfter(before) : sql<boolean>`id < ${before}`);
  return scope ? some.where(isPlaceVisible(scope, { kind: 'resource_kind', name: 'resource_name' })) : some;
}

/** The rank of a severity; 1 is the most severe. */
function rankOf(table: string): RawBuilder<number> {
  return sql`array_position(array[${sql.join(SEVERITIES.map((one) => sql.lit(one)))}], ${sql.ref(`${table}.severity`)})`;
}

/** Whether a row comes after this one in a list sorted by severity. If the row with this id was deleted, the list ends. */
function standsAfter(id: number): RawBuilder<boolean> {
  return sql`(${rankOf('advice')}, -advice.id) > (select ${rankOf('last')}, -last.id from advice last where last.id = ${id})`;
}

function toAdvice({ created_at, ignored_at, ...row }: Row): Advice {
  // The fields get a fixed order, because drivers order columns differently.
  const { id, detector_id, severity, category, title, summary, resource_kind, resource_name, namespace, evidence } = row;
  const { recommended_change, explanation, is_fallback, status, ignored_reason, ignored_by, suppressed_by } = row;
  const what = { id, detector_id, severity, category, title, summary, resource_kind, resource_name, namespace, evidence };
  return {
    ...{ ...what, recommended_change, explanation, is_fallback, status, ignored_reason, ignored_by },
    ignored_at: ignored_at?.toISOString() ?? null,
    ...{ suppressed_by, created_at: created_at.toISOString() },
  };
}
