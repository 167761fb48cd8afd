import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Tables of their own: a report writes incidents, and a trigger looks at each change of one.
  `create table incident_assignees (
    incident_id bigint primary key references incidents on delete cascade,
    user_id bigint not null references users on delete cascade)`,
  `create index incident_assignees_user on incident_assignees (user_id)`,
  // The name is kept apart from the user: it stays when the user is deleted.
  `create table incident_comments (
    id bigint generated always as identity primary key, incident_id bigint not null references incidents on delete cascade,
    author_id bigint references users on delete set null, author text not null, text text not null,
    created_at timestamptz not null, edited_at timestamptz)`,
  `create index incident_comments_incident on incident_comments (incident_id)`,
  `create index incident_comments_author on incident_comments (author_id)`,
];

/** Who takes care of an incident, and what people say about it, kept for as long as the incident. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
