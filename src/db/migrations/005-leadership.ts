import { type Kysely, sql } from 'kysely';

/** Which leader may write (see leadership.ts): one row for each Lease over this database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table leadership (name text primary key, epoch bigint not null, holder text not null)`.execute(db);
}
