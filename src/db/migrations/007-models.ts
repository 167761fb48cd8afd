import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table model_config (
    id smallint primary key check (id = 1), provider text not null, model text not null, base_url text, api_key text not null,
    updated_at timestamptz not null)`,
  `create table model_answers (
    fingerprint text primary key, answer jsonb not null, provider text not null, model text not null, created_at timestamptz not null,
    used_at timestamptz not null)`,
  `create table model_work (
    incident_id bigint primary key, failure_id bigint not null, state text not null check (state in ('pending', 'answered', 'given-up')),
    attempts integer not null default 0, due_at timestamptz not null, leased_until timestamptz, holder text, fingerprint text,
    created_at timestamptz not null)`,
  `create index model_work_due on model_work (due_at) where state = 'pending'`,
  `create table model_calls (
    id bigint generated always as identity primary key, setup text not null, provider text not null, started_at timestamptz not null,
    leased_until timestamptz not null, ended_at timestamptz, outcome text, input_tokens integer not null default 0,
    output_tokens integer not null default 0, retry_at timestamptz, message text)`,
  `create index model_calls_started on model_calls (started_at)`,
];

/** Which language model is asked, what it answered, which incidents wait for it, and the ledger of its calls. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
