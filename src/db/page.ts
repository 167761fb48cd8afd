import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { storableText } from './json.ts';
import type { Database } from './schema.ts';

/** Which namespaces the caller may see. */
export interface Scope {
  /** `*` = all. */
  namespaces: '*' | string[];
  /** Never shown, whoever asks. */
  hidden: string[];
}

/** A part of a list. Without `limit` everything. */
export interface Page {
  limit?: number | undefined;
  /** Only records with a smaller id: the last one of the page before. */
  before?: number | undefined;
  namespace?: string | undefined;
  reason?: string | undefined;
  /** Text that the pod's name, namespace, reason or message holds, in any case. */
  q?: string | undefined;
  scope?: Scope | undefined;
}

/** The page of a list of failures, newest first. */
export function pageOf<O>(query: SelectQueryBuilder<Database, 'failures', O>, page: Page): SelectQueryBuilder<Database, 'failures', O> {
  const { limit, before, namespace, reason, q, scope } = page;
  let narrowed = query.orderBy('id', 'desc');
  if (limit !== undefined) narrowed = narrowed.limit(limit);
  if (before !== undefined) narrowed = narrowed.where('id', '<', before);
  if (namespace !== undefined) narrowed = narrowed.where('namespace', '=', storableText(namespace));
  if (reason !== undefined) narrowed = narrowed.where('failure_reason', '=', storableText(reason));
  if (q) narrowed = narrowed.where(holdsText(['pod_name', 'namespace', 'failure_reason', 'failure_message'], q));
  return scope ? narrowed.where(isVisible(scope)) : narrowed;
}

/** Whether one of the columns, or two beside each other, hold the text in any case. */
export function holdsText(columns: string[], text: string): RawBuilder<boolean> {
  const like = `%${storableText(text).replace(/[\\%_]/g, '\\$&')}%`;
  return sql<boolean>`concat_ws(' ', ${sql.join(columns.map((column) => sql.ref(column)))}) ilike ${like}`;
}

/** Whether the caller may see what is in column `namespace`. */
export function isVisible({ namespaces, hidden }: Scope): RawBuilder<boolean> {
  const isNotHidden = sql<boolean>`namespace <> all(${hidden}::text[])`;
  return namespaces === '*' ? isNotHidden : sql<boolean>`(namespace = any(${namespaces}::text[]) and ${isNotHidden})`;
}

/** Which version of a row this is: every change of a row makes another. */
export const ROW_VERSION = sql<string>`xmin::text`.as('version');

/**
 * A text that is another one whenever a page would be shown otherwise: by its rows, their versions and, where records have them, their
 * trials. It costs a fraction of the page. `shape` is what the page shows of a row.
 */
export async function versionOf(
  db: Kysely<Database>,
  rows: RawBuilder<unknown> | SelectQueryBuilder<Database, never, { id: number; version: string }>,
  { shape, trials }: { shape: readonly string[]; trials: boolean },
): Promise<string> {
  const tried = trials
    ? sql`(select string_agg(mirror_id || ' ' || xmin::text, ',' order by mirror_id) from trials where failure_id in (select id from shown))`
    : sql`null`;
  const { rows: found } = await sql<{ version: string }>`with shown as materialized (${rows})
    select md5(concat_ws(';', ${shape.join()}::text, (select string_agg(id || ' ' || version, ',' order by id desc) from shown), ${tried})) as version`.execute(
    db,
  );
  return found[0]?.version ?? '';
}
