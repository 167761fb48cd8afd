import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table tokens (
    id bigint generated always as identity primary key, user_id bigint not null references users on delete cascade,
    name text not null, digest text not null unique, role text not null check (role in ('read', 'write', 'admin')),
    created_at timestamptz not null, expires_at timestamptz, used_at timestamptz)`,
  `create index tokens_user on tokens (user_id)`,
];

/** API tokens of people, for their scripts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
