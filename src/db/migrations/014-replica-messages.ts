import { type Kysely, sql } from 'kysely';

/**
 * Socket messages on their way between replicas (see replica-channel.ts). Unlogged, because listeners start anew anyway after a crash of
 * the database.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create unlogged table replica_messages (
    id bigint generated always as identity primary key, body text not null, created_at timestamptz not null default now())`.execute(db);
}
