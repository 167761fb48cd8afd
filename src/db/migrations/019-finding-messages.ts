import { type Kysely, sql } from 'kysely';

const STATEMENTS = [
  // False: a provider was told about it and must get the change, but no other provider needs a message now.
  `alter table notification_changes add column is_news boolean not null default true`,
  // A scanner's first findings are the existing state, not news. A finding that returns shortly after the scanner restarted was never gone.
  `create table finding_scanners (
    cluster text not null, source text not null, baseline_until timestamptz not null, returning_until timestamptz not null,
    primary key (cluster, source))`,
  `insert into finding_scanners (cluster, source, baseline_until, returning_until) select distinct cluster, source, now(), now() from findings`,
  // Findings are in the same tables as incidents, with negative ids.
  `create function note_new_findings() returns trigger language plpgsql as $$
    begin
      insert into finding_scanners (cluster, source, baseline_until, returning_until)
      select cluster, source, max(last_seen) + interval '1 hour', max(last_seen) + interval '1 hour' from added group by cluster, source
      on conflict do nothing;
      insert into notification_changes (cluster, incident_id)
      select a.cluster, -a.id from added a join finding_scanners s on s.cluster = a.cluster and s.source = a.source
      where a.suppressed_by is null and a.last_seen >= s.baseline_until
        and exists (select from notification_providers p where p.cluster = a.cluster)
      order by a.id;
      return null;
    end $$`,
  `create function note_finding_change() returns trigger language plpgsql as $$
    declare
      grades constant text[] := array['info', 'low', 'medium', 'high', 'critical'];
      is_news boolean;
    begin
      if not exists (select from notification_providers p where p.cluster = new.cluster) then
        return null;
      end if;
      select new.suppressed_by is null and new.status in ('open', 'reopened') and (
          (new.status = 'reopened' and new.last_seen >= s.returning_until
            and (old.status = 'resolved' or old.stale_at < new.last_seen - interval '10 minutes'))
          or (array_position(grades, new.severity) > array_position(grades, old.severity) and new.last_seen >= s.baseline_until))
        into is_news from finding_scanners s where s.cluster = new.cluster and s.source = new.source;
      if is_news or exists (
          select from notification_members m join notification_threads t on t.id = m.thread_id
          where m.incident_id = -new.id and t.status <> 'resolved') then
        insert into notification_changes (cluster, incident_id, is_news) values (new.cluster, -new.id, coalesce(is_news, false));
      end if;
      return null;
    end $$`,
  `create trigger findings_noted_at_first after insert on findings referencing new table as added for each statement
    execute function note_new_findings()`,
  `create trigger findings_noted after update on findings for each row
    when ((old.status, old.suppressed_by is null, old.severity) is distinct from (new.status, new.suppressed_by is null, new.severity)
      or (new.status = 'reopened' and old.stale_at is not null and new.stale_at is null))
    execute function note_finding_change()`,
];

/** The state of messages about findings: which findings are new, and what happened to those that providers know. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
