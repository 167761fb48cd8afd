import { type Kysely, sql } from 'kysely';

/** Gives trials increasing numbers, because they are listed page by page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table trials add column id bigint generated always as identity`.execute(db);
  await sql`create unique index trials_id on trials (id)`.execute(db);
}
