import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The lists of incidents are computed from the records. With the states in it, this index alone gives the length of the lists.
  `create index failures_incident_states on failures (incident_id, status, suppressed_by, closed_at)`,
  `drop index failures_incident`,
];

/** Finds the records of an incident together with their lists. Writes need no additional index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
