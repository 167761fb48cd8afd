import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The lists of incidents are computed from the records. With the states in it, this index alone says how long the lists are.
  `create index failures_incident_states on failures (incident_id, status, suppressed_by, closed_at)`,
  `drop index failures_incident`,
];

/** The records of an incident are found together with the list that each is on. No write pays for another index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
