import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The name of the mirror pod, once its log is kept.
  `alter table trials add column log_pod_name text`,
  `create index trials_log_pod_name on trials (log_pod_name) where log_pod_name is not null`,
  // A table of its own: lists of trials read whole rows.
  `create table mirror_logs (mirror_id text primary key references trials on delete cascade, log jsonb not null)`,
];

/** The end of the log of each mirror, kept for as long as its trial. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
