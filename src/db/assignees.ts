import { type Kysely, sql } from 'kysely';
import { storableText } from './json.ts';
import type { Database } from './schema.ts';

export type AssigneeRepository = ReturnType<typeof assigneeRepository>;

/** Who takes care of which incident. An assignment ends with its incident and with its user. */
export function assigneeRepository(db: Kysely<Database>) {
  return {
    /** Gives an incident to the user of that name, in any case; answers the name as it is stored, undefined when there is no such user. */
    async assign(incidentId: number, username: string): Promise<string | undefined> {
      const { rows } = await sql<{ username: string }>`
        with wanted as (
          select i.id as incident_id, u.id as user_id, u.username from incidents i, users u
          where i.id = ${incidentId} and lower(u.username) = lower(${storableText(username)})),
        done as (
          insert into incident_assignees (incident_id, user_id) select incident_id, user_id from wanted
          on conflict (incident_id) do update set user_id = excluded.user_id)
        select username from wanted`.execute(db);
      return rows[0]?.username;
    },

    async unassign(incidentId: number): Promise<void> {
      await db.deleteFrom('incident_assignees').where('incident_id', '=', incidentId).execute();
    },

    /** The names of all who can be assigned, in the order of the alphabet. */
    async names(): Promise<string[]> {
      const rows = await db
        .selectFrom('users')
        .select('username')
        .orderBy(sql`lower(username)`)
        .execute();
      return rows.map(({ username }) => username);
    },
  };
}
