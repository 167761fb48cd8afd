import { type Kysely, sql } from 'kysely';

/** Trials are listed page by page, so each has a number that grows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table trials add column id bigint generated always as identity`.execute(db);
  await sql`create unique index trials_id on trials (id)`.execute(db);
}
