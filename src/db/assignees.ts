import { type Kysely, sql } from 'kysely';
import { storableText } from './json.ts';
import type { Database } from './schema.ts';

export type AssigneeRepository = ReturnType<typeof assigneeRepository>;

/** The assignees of incidents. An assignment is deleted together with its incident or its user. */
export function assigneeRepository(db: Kysely<Database>) {
  return {
    /** Assigns an incident to a user. Ignores the case of the name, and returns the stored name; undefined if there is no such user. */
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

    /** The names of all users who can be assigned, in alphabetical order. */
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
