import { type Kysely, sql } from 'kysely';

/** The evidence of a verdict and its revisions, and the longest time that a pod ran before it failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table trials add column evidence jsonb, add column strength text,
    add column revisions jsonb not null default '[]', add column final boolean not null default false`.execute(db);
  await sql`update trials set final = true where ended_at is not null`.execute(db);
  await sql`alter table failures add column longest_run_seconds integer`.execute(db);
}
