import { type Kysely, sql } from 'kysely';

/** What somebody wrote for a mirror, kept for as long as its trial. A table of its own: lists of trials read whole rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table written_manifests (mirror_id text primary key references trials on delete cascade, written jsonb not null)`.execute(
    db,
  );
}
