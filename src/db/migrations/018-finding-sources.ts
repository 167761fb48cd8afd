import { type Kysely, sql } from 'kysely';

/** Which scanner reports a finding, so that none clears what another one found. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table findings add column source text not null default ''`.execute(db);
}
