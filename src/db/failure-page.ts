import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { CLUSTER_WIDE } from '../contract/finding.ts';
import { storableText } from './json.ts';
import type { Database } from './schema.ts';

/** The namespaces that the caller may see. */
export interface Scope {
  /** `*` = all. */
  namespaces: '*' | string[];
  /** Namespaces that are never shown to anyone. */
  hidden: string[];
}

/** Selects a part of a list. Without `limit`, there is no limit. */
export interface Page {
  limit?: number | undefined;
  /** Only records with a smaller id. For the next page, set it to the id of the last record on this page. */
  before?: number | undefined;
  namespace?: string | undefined;
  reason?: string | undefined;
  /** Text that occurs in the pod's name, namespace, reason or message, in upper or lower case. */
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

/** Whether one of the columns or expressions, or two neighbouring ones, contain the text, in upper or lower case. */
export function holdsText(columns: (string | RawBuilder<unknown>)[], text: string): RawBuilder<boolean> {
  const like = `%${storableText(text).replace(/[\\%_]/g, '\\$&')}%`;
  // ASCII case rules take a fraction of the time, and suffice for a text without other letters.
  const collation = isAscii(like) ? sql`collate "C"` : sql``;
  return sql<boolean>`concat_ws(' ', ${sql.join(columns.map((column) => (typeof column === 'string' ? sql.ref(column) : column)))}) ${collation} ilike ${like}`;
}

const isAscii = (text: string): boolean => /^[ -~\s]*$/.test(text);

/** Whether the caller may see the namespace in column `namespace`. */
export function isVisible({ namespaces, hidden }: Scope): RawBuilder<boolean> {
  const isNotHidden = sql<boolean>`namespace <> all(${hidden}::text[])`;
  return namespaces === '*' ? isNotHidden : sql<boolean>`(namespace = any(${namespaces}::text[]) and ${isNotHidden})`;
}

/** Whether the caller may see findings on an object, by the columns with its kind and name. `isHiddenPlace` does the same in TypeScript. */
export function isPlaceVisible(scope: Scope, { kind, name }: { kind: string; name: string }): RawBuilder<boolean> {
  if (scope.hidden.length === 0) return isVisible(scope);
  const isNamed = sql`${sql.ref(name)} = any(${scope.hidden}::text[]) and (namespace = ${CLUSTER_WIDE} or ${sql.ref(kind)} ~* '^namespaces?$')`;
  return sql<boolean>`(${isVisible(scope)} and not (${isNamed}))`;
}
