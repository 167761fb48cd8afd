import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // Requests of people in chats. A row is stored before the chat gets its answer, so that a process that dies loses nothing.
  `create table chat_requests (
    id bigint generated always as identity primary key, cluster text not null, request_key text not null, delivery_key text not null,
    provider text not null, command jsonb not null, incident_id bigint, action text, person jsonb not null, address text not null,
    place jsonb not null, state text not null check (state in ('accepted', 'running', 'following', 'done', 'undone')),
    attempts integer not null default 0, holder text, due_at timestamptz not null, mirror_id text, told jsonb,
    created_at timestamptz not null, ended_at timestamptz)`,
  `create unique index chat_requests_request on chat_requests (cluster, request_key)`,
  `create unique index chat_requests_delivery on chat_requests (cluster, delivery_key)`,
  // The same action on an incident runs only once at a time.
  `create unique index chat_requests_once on chat_requests (cluster, incident_id, action)
    where state in ('accepted', 'running', 'following') and incident_id is not null and action is not null`,
  `create index chat_requests_due on chat_requests (cluster, due_at) where state in ('accepted', 'running', 'following')`,
  `create index chat_requests_ended on chat_requests (ended_at) where ended_at is not null`,

  // Alerts of Alertmanager. Those of an incident are kept as long as it is, the others for a day.
  `create table alerts (
    id bigint generated always as identity primary key, cluster text not null, fingerprint text not null, starts_at timestamptz not null,
    status text not null check (status in ('firing', 'resolved')), name text not null, severity text, summary text not null,
    labels jsonb not null, annotations jsonb not null, namespace text, pod text, owner text, node text, source_url text,
    incident_id bigint references incidents on delete cascade, first_seen timestamptz not null, last_seen timestamptz not null,
    ended_at timestamptz)`,
  `create unique index alerts_identity on alerts (cluster, fingerprint, starts_at)`,
  `create index alerts_incident on alerts (incident_id) where incident_id is not null`,
  `create index alerts_unknown on alerts (cluster, namespace, last_seen) where incident_id is null`,
  `create index alerts_seen on alerts (cluster, last_seen)`,
  `create function note_alert_change() returns trigger language plpgsql as $$
    begin
      insert into notification_changes (cluster, incident_id)
      select new.cluster, new.incident_id where exists (select from notification_providers p where p.cluster = new.cluster);
      return null;
    end $$`,
  `create trigger alerts_noted_at_first after insert on alerts for each row when (new.incident_id is not null)
    execute function note_alert_change()`,
  `create trigger alerts_noted after update on alerts for each row
    when (new.incident_id is not null and (old.incident_id, old.status) is distinct from (new.incident_id, new.status))
    execute function note_alert_change()`,
  // An alert often arrives before the record that explains it.
  `create function join_alerts() returns trigger language plpgsql as $$
    begin
      update alerts a set incident_id = new.incident_id
      where a.cluster = new.cluster and a.incident_id is null and a.namespace = new.namespace and a.status = 'firing'
        and (a.pod = new.pod_name
          or (a.pod is null and a.owner is not null and a.owner = (select i.owner from incidents i where i.id = new.incident_id)));
      return null;
    end $$`,
  `create trigger failures_joined after insert on failures for each row execute function join_alerts()`,
];

/** What people do from chats, and the alerts that join incidents. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
