import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Whether the record ended because its object was deleted. The uid of a deleted object does not come back.
  `alter table failures add column is_deleted boolean not null default false`,
  `create index failures_deleted_jobs on failures (cluster, identity) where is_deleted and identity like 'Job/%'`,
];

/** Finds the ended record of a deleted Job by its identity: reports about it that come late are about that record. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
