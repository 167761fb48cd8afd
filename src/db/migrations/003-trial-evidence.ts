import { type Kysely, sql } from 'kysely';

/** Stores the evidence of a verdict with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table trials add column shown_before jsonb, add column shown_after jsonb`.execute(db);
}
