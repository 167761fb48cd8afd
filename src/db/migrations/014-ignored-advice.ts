import { type Kysely, sql } from 'kysely';

/** People who ignore advice give a reason, for those who read it later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table advice add column ignored_reason text, add column ignored_by text, add column ignored_at timestamptz`.execute(db);
}
