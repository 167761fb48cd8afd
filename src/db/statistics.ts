import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** A table is due when it was never analyzed, or when this many rows and half of its rows have changed. */
const CHANGED_ROWS = 50;
/** A tenth of the default sample, because the embedded database blocks the operator's thread while it works. */
const SAMPLE = 10;

/**
 * Analyzes the tables that have changed much since the last time, and returns their names. PostgreSQL's autovacuum does this; the embedded
 * database has none. Without statistics the planner expects empty tables, and the overview of 5,000 incidents takes a minute.
 */
export async function refreshStatistics(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
    where s.n_mod_since_analyze > ${sql.lit(CHANGED_ROWS)} + greatest(c.reltuples, 0) / 2
      or (c.reltuples < 0 and pg_relation_size(c.oid) > 0) order by s.relname`.execute(db);
  for (const { name } of rows)
    await db.transaction().execute(async (transaction) => {
      await sql`set local default_statistics_target = ${sql.lit(SAMPLE)}`.execute(transaction);
      await sql`analyze ${sql.table(name)}`.execute(transaction);
    });
  return rows.map(({ name }) => name);
}
