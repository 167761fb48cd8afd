import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // The providers that get messages. Without any, no changes are recorded.
  `create table notification_providers (cluster text not null, provider text not null, primary key (cluster, provider))`,
  `create table notification_changes (
    id bigint generated always as identity primary key, cluster text not null, incident_id bigint not null)`,
  `create table notification_threads (
    id bigint generated always as identity primary key, cluster text not null, provider text not null, group_key text not null,
    status text not null check (status in ('waiting', 'open', 'resolved')), created_at timestamptz not null, not_before timestamptz,
    opened_at timestamptz, last_sent_at timestamptz, resolved_at timestamptz, due_at timestamptz, told jsonb,
    samples jsonb not null default '[]', place jsonb)`,
  `create unique index notification_threads_open on notification_threads (cluster, provider, group_key) where status <> 'resolved'`,
  `create index notification_threads_due on notification_threads (due_at) where status <> 'resolved'`,
  `create index notification_threads_ended on notification_threads (cluster, provider, resolved_at)`,
  `create table notification_members (
    thread_id bigint not null references notification_threads on delete cascade, incident_id bigint not null,
    primary key (thread_id, incident_id))`,
  `create index notification_members_incident on notification_members (incident_id)`,
  `create table notification_deliveries (
    id bigint generated always as identity primary key, cluster text not null, provider text not null,
    thread_id bigint not null references notification_threads on delete cascade, event text not null, message jsonb not null,
    state text not null check (state in ('pending', 'delivered', 'accepted', 'dead', 'dropped')),
    attempts integer not null default 0, step integer not null default 0, created_at timestamptz not null, due_at timestamptz not null,
    ended_at timestamptz, reason text, detail text)`,
  `create index notification_deliveries_pending on notification_deliveries (cluster, provider, id) where state = 'pending'`,
  `create index notification_deliveries_provider on notification_deliveries (cluster, provider, id)`,
  `create index notification_deliveries_thread on notification_deliveries (thread_id)`,
  // A trigger, so that no writer can forget it, and in the same transaction.
  `create function note_incident_change() returns trigger language plpgsql as $$
    begin
      if exists (select from notification_providers where cluster = new.cluster) then
        insert into notification_changes (cluster, incident_id) values (new.cluster, new.incident_id);
        if tg_op = 'UPDATE' and old.incident_id <> new.incident_id then
          insert into notification_changes (cluster, incident_id) values (new.cluster, old.incident_id);
        end if;
      end if;
      return null;
    end $$`,
  `create function note_trial_change() returns trigger language plpgsql as $$
    begin
      insert into notification_changes (cluster, incident_id)
      select f.cluster, f.incident_id from failures f
      where f.id = new.failure_id and exists (select from notification_providers p where p.cluster = f.cluster);
      return null;
    end $$`,
  `create trigger failures_noted_at_first after insert on failures for each row execute function note_incident_change()`,
  `create trigger failures_noted after update on failures for each row
    when ((old.status, old.suppressed_by is null, old.closed_at is null, old.incident_id, old.failure_reason, old.occurrences, old.solution)
      is distinct from (new.status, new.suppressed_by is null, new.closed_at is null, new.incident_id, new.failure_reason, new.occurrences, new.solution))
    execute function note_incident_change()`,
  `create trigger trials_noted after update on trials for each row
    when ((old.verdict, old.revisions) is distinct from (new.verdict, new.revisions)) execute function note_trial_change()`,
];

/** The state of messages to providers: the changed incidents, the thread of each message, and the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
