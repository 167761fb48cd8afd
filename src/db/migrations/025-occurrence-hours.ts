import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The newest hour with an occurrence, in hours since 1970, and the counts of that hour and of those before it, newest first. Both are empty
  // for records that are older than these columns.
  `alter table failures add column occurrence_hour integer, add column occurrence_counts integer[] not null default '{}'`,
];

/** Counts occurrences of a record by hour. Its occurrence keys cannot tell: only the newest 32 are kept. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
