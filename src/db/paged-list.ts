import { hash } from 'node:crypto';
import { type AliasedRawBuilder, type Compilable, type Kysely, type RawBuilder, sql } from 'kysely';
import { PREPARED } from './prepared.ts';
import type { Database } from './schema.ts';

/** The version of a row, which changes with every change of the row. */
export const ROW_VERSION = sql<string>`xmin::text`;

/** The time in a column, in the form of `Date.toISOString`. */
export function isoText(column: string): RawBuilder<string> {
  return sql<string>`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** JSON text of a value of this type. */
export type JsonText<T> = string & { readonly reads?: T };

/** A page of a list. */
export interface PageText<T = unknown> {
  /** The rows as the API shows them. */
  rows: JsonText<T>[];
  /** The id of the last row; undefined for an empty page. */
  last: number | undefined;
  /** Changes whenever the visible content of the page changes. */
  version: string;
}

/** A list that people page through, newest (highest id) first. */
export interface PagedList<P, T = unknown> {
  page(page: P): Promise<PageText<T>>;
  /** The version of a page without its content, for a fraction of the cost. */
  version(page: P): Promise<string>;
}

/** The visible fields of a list's rows, and where the rows come from. */
export interface Listing<P> {
  /** By API field name, in the API's order. */
  fields: Record<string, RawBuilder<unknown>>;
  /** Changes whenever the visible content of the row changes. */
  version: RawBuilder<string>;
  /** These columns of the rows of a page, in the order of the page. */
  rows(columns: AliasedRawBuilder<unknown, string>[], page: P): Compilable;
}

/**
 * A list whose pages are written as JSON by the database. Parsing a hundred rows and writing them as text again would occupy the only thread
 * of this process three times as long.
 */
export function pagedList<P extends object, T>(db: Kysely<Database>, { fields, version, rows }: Listing<P>): PagedList<P, T> {
  const names = Object.keys(fields);
  const object = sql.join(Object.entries(fields).map(([name, value]) => value.as(name)));
  const named = [sql.ref('id').as('id'), version.as('version')];
  const shown = sql`(select row_to_json(object)::text from (select ${object}) object)`.as('shown');
  // Versions include the names of the fields, so that they change with a release that shows other fields.
  const shape = names.join();
  return {
    async page(page) {
      const query = sql<Shown<T>>`${preparedFor(page)}${rows([...named, shown], page)}`;
      const { rows: found } = await query.execute(db);
      const versions = found.map(({ id, version }) => `${id} ${version}`).join();
      return { rows: found.map((row) => row.shown), last: found.at(-1)?.id, version: hash('sha256', `${shape};${versions}`) };
    },
    async version(page) {
      const query = sql<{ version: string }>`${preparedFor(page)}
        select encode(sha256(convert_to(${shape}::text || ';' || coalesce(string_agg(id || ' ' || version, ','), ''), 'UTF8')), 'hex') as version
        from (${rows(named, page)}) page`;
      return (await query.execute(db)).rows[0]?.version ?? '';
    },
  };
}

/** The filters of every page. Statements with other filters are not prepared: there are too many for each connection to keep them. */
const COMMON = new Set(['limit', 'before', 'scope']);

/** Prepared, because the database takes longer to plan a page than to read it. */
function preparedFor(page: object): RawBuilder<unknown> {
  const isCommon = Object.entries(page).every(([name, value]) => value === undefined || COMMON.has(name));
  return isCommon ? PREPARED : sql``;
}

interface Shown<T> {
  id: number;
  version: string;
  shown: JsonText<T>;
}
