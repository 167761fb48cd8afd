import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  `create table incidents (
    id bigint generated always as identity primary key,
    cluster text not null, namespace text not null, owner text not null, container text not null, family text not null,
    ignored boolean not null default false, opened_at timestamptz not null, closed_at timestamptz)`,
  `create unique index incidents_open on incidents (cluster, namespace, owner, container, family) where closed_at is null`,
  // No foreign key to incidents: checking it would cost a tenth of an insert, and incidents are only deleted after their records.
  `create table failures (
    id bigint generated always as identity primary key,
    cluster text not null, identity text not null, pod_uid text, pod_name text not null, namespace text not null, node_name text,
    resource_kind text not null, container text, workload jsonb, labels jsonb not null, images jsonb not null,
    incident_id bigint not null, family text not null, failure_reason text not null, failure_message text not null,
    reason_rank smallint not null, status text not null check (status in ('new', 'investigating', 'resolved', 'ignored')),
    solution text, is_fallback boolean not null, events jsonb not null, container_statuses jsonb not null, manifest text, logs text,
    occurrences integer not null, occurrence_keys text[] not null,
    timestamp timestamptz not null, last_seen timestamptz not null, status_at timestamptz not null, resolved_at timestamptz,
    closed_at timestamptz, suppressed_by text, announced_at timestamptz)`,
  `create unique index failures_open on failures (cluster, identity) where closed_at is null`,
  `create index failures_pod on failures (namespace, pod_name) where closed_at is null`,
  `create index failures_node on failures (node_name) where closed_at is null`,
  `create index failures_incident on failures (incident_id)`,
  `create index failures_closing on failures (status, status_at) where status in ('resolved', 'ignored')`,
  `create index failures_suppressed on failures (id) where suppressed_by is not null`,
  `create table trials (
    mirror_id text primary key, failure_id bigint not null references failures on delete cascade, verdict text, reason_before text,
    reason_after text, origin text not null, changes jsonb not null, started_at timestamptz not null, ended_at timestamptz)`,
  `create index trials_failure on trials (failure_id)`,
  `create table previews (
    id bigint generated always as identity primary key, failure_id bigint not null references failures on delete cascade,
    preview jsonb not null, created_at timestamptz not null default now())`,
  `create index previews_failure on previews (failure_id)`,
  `create table users (
    id bigint generated always as identity primary key, username text not null, password_hash text,
    role text not null check (role in ('read', 'write', 'admin')), external_id text unique, created_at timestamptz not null)`,
  `create unique index users_username on users (lower(username))`,
  `create table sessions (
    id text primary key, user_id bigint not null references users on delete cascade, address text not null,
    created_at timestamptz not null, seen_at timestamptz not null, expires_at timestamptz not null)`,
  `create index sessions_user on sessions (user_id)`,
  `create table settings (key text primary key, value text not null, updated_at timestamptz not null default now())`,
  `create table audit (
    id bigint generated always as identity primary key, at timestamptz not null, user_id bigint, username text not null,
    address text not null, action text not null, target text not null, details jsonb not null)`,
  `create table login_attempts (
    key text primary key, attempts timestamptz[] not null, admitted text not null, newest_at timestamptz not null)`,
  `create table agents (
    node text primary key, version text not null, pods integer not null, failing integer not null, spooled integer not null,
    dropped integer not null, last_seen timestamptz not null)`,
  // The evidence is masked text and mostly short. Compressing it would cost more CPU than it saves disk.
  `alter table failures alter column manifest set storage external, alter column logs set storage external`,
];

/** The first schema: everything that failures, mirrors and accounts store. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
