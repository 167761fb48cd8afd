import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table findings (
    id bigint generated always as identity primary key,
    cluster text not null, resource_type text not null, namespace text not null, resource_name text not null, check_name text not null,
    item text not null, severity text not null check (severity in ('critical', 'high', 'medium', 'low', 'info')),
    message text not null, remediation text not null, details jsonb not null,
    status text not null check (status in ('open', 'dismissed', 'resolved', 'reopened')),
    first_seen timestamptz not null, last_seen timestamptz not null, stale_at timestamptz, resolved_at timestamptz, suppressed_by text)`,
  `create unique index findings_identity on findings (cluster, namespace, resource_type, resource_name, check_name, item)`,
  `create index findings_stale on findings (stale_at) where stale_at is not null`,
  `create index findings_resolved on findings (resolved_at) where resolved_at is not null`,
  `create table rescans (
    id bigint generated always as identity primary key, reason text not null, requested_by text not null, requested_at timestamptz not null)`,
  `create table scanners (name text primary key, last_seen timestamptz not null)`,
];

/** Tables of the security scan: findings, rescans that people request, and the last time that each scanner reported. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
