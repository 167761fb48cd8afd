import { type Kysely, sql } from 'kysely';

/** Stores the reason that people give when they ignore advice. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table advice add column ignored_reason text, add column ignored_by text, add column ignored_at timestamptz`.execute(db);
}
