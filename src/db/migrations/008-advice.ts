import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table advice (
    id bigint generated always as identity primary key,
    cluster text not null, namespace text not null, detector_id text not null, resource_kind text not null, resource_name text not null,
    severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
    category text not null, title text not null, summary text not null, evidence jsonb not null, recommended_change text not null,
    explanation text, is_fallback boolean not null default true,
    status text not null check (status in ('open', 'ignored', 'resolved')), suppressed_by text,
    labels jsonb not null, images jsonb not null, created_at timestamptz not null, gone_at timestamptz)`,
  `create unique index advice_identity on advice (cluster, namespace, detector_id, resource_kind, resource_name)`,
  `create index advice_gone on advice (gone_at) where gone_at is not null`,
  `create table advice_passes (cluster text not null, namespace text not null, unreadable jsonb not null, primary key (cluster, namespace))`,
];

/** The advice of detectors, and the kinds of objects that they could not read. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
