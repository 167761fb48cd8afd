import { type Kysely, sql } from 'kysely';

/** Whoever ignores advice says why, for people who read it later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table advice add column ignored_reason text, add column ignored_by text, add column ignored_at timestamptz`.execute(db);
}
