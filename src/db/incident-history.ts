import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { OneWorkloadHistory, Overview, WorkloadHistory } from '../contract/incident.ts';
import { holdsText, isVisible, type Scope } from './failure-page.ts';
import { storableText } from './json.ts';
import { isoText } from './paged-list.ts';
import type { Database } from './schema.ts';

const DAY_MS = 86_400_000;

/** The requested workloads; `owner` is `Deployment/web`. */
export interface HistoryQuery {
  namespace?: string | undefined;
  owner?: string | undefined;
  q?: string | undefined;
  days: number;
  limit: number;
  scope: Scope;
  now: Date;
}

/** The part of the overview besides lists and agents. */
export type OverviewCounts = Pick<Overview, 'new_24h' | 'resolved_24h' | 'hours'> & {
  hasIncident: boolean;
  hasTrial: boolean;
  users: number;
};

export type IncidentHistoryRepository = ReturnType<typeof incidentHistoryRepository>;

/** The history of incidents, computed when it is read. */
export function incidentHistoryRepository(db: Kysely<Database>) {
  return {
    async workloads(query: HistoryQuery): Promise<{ workloads: WorkloadHistory[]; total: number }> {
      const { rows } = await sql<{ found: { workloads: WorkloadHistory[]; total: number } }>`
        with ${workloadsOf(query)}
        select json_build_object('total', (select count(*) from grouped),
          'workloads', coalesce((select json_agg(shown) from (${shown(query)}) shown), '[]')) as found`.execute(db);
      return rows[0]?.found ?? { workloads: [], total: 0 };
    },

    /** The newest 100 incidents of one workload, newest first. */
    async incidents(query: HistoryQuery): Promise<OneWorkloadHistory['list']> {
      const { rows } = await sql<{ found: OneWorkloadHistory['list'] }>`
        with ${incidentsOf(query)}
        select coalesce((select json_agg(one) from (
          select i.id, nullif(i.container, '') as container, r.failure_reason as reason, r.id as failure_id, n.pods,
            ${isoText('i.opened_at')} as opened_at, ${isoText('i.closed_at')} as closed_at, v.verdict
          from (select * from counted order by id desc limit 100) i
          cross join lateral (
            select id, failure_reason from failures where incident_id = i.id and suppressed_by is null order by id desc limit 1) r
          cross join lateral (select count(*)::int as pods from failures where incident_id = i.id and suppressed_by is null) n
          left join lateral (
            select t.verdict from trials t join failures f on f.id = t.failure_id where f.incident_id = i.id and t.verdict is not null
            order by t.started_at desc, t.mirror_id limit 1) v on true
          order by i.id desc) one), '[]') as found`.execute(db);
      return rows[0]?.found ?? [];
    },

    /** Incidents count only in `namespace`, if it is given. Whether anything ever happened counts in all namespaces. */
    async overview({ namespace, scope, now }: Pick<HistoryQuery, 'namespace' | 'scope' | 'now'>): Promise<OverviewCounts> {
      const isHere = namespace === undefined ? sql`true` : sql`namespace = ${storableText(namespace)}`;
      const { rows } = await sql<{ found: OverviewCounts }>`
        with recent as materialized (
          select opened_at, closed_at from incidents i where ${isVisible(scope)} and ${isHere}
            and (opened_at > ${ago(now, DAY_MS)} or closed_at > ${ago(now, DAY_MS)}) and ${IS_SHOWN}),
        hours as (select ${ago(now, DAY_MS)} + n * interval '1 hour' as begins from generate_series(0, 23) n)
        select json_build_object(
          'new_24h', (select count(*) from recent where opened_at > ${ago(now, DAY_MS)}),
          'resolved_24h', (select count(*) from recent where closed_at > ${ago(now, DAY_MS)}),
          'hours', (select json_agg(json_build_object('from', ${isoText('begins')},
            'opened', (select count(*) from recent where opened_at > begins and opened_at <= begins + interval '1 hour'),
            'resolved', (select count(*) from recent where closed_at > begins and closed_at <= begins + interval '1 hour')) order by begins)
            from hours),
          'hasIncident', exists (select from incidents where ${isVisible(scope)}), 'hasTrial', exists (select from trials t join failures f on f.id = t.failure_id where ${isVisible(scope)}),
          'users', (select count(*) from users)) as found`.execute(db);
      return rows[0]?.found ?? { new_24h: 0, resolved_24h: 0, hours: [], hasIncident: false, hasTrial: false, users: 0 };
    },
  };
}

/** Whether incident `i` has a visible record. */
const IS_SHOWN = sql`exists (select from failures f where f.incident_id = i.id and f.suppressed_by is null)`;

const ago = (now: Date, ms: number): RawBuilder<unknown> => sql`${new Date(now.getTime() - ms).toISOString()}::timestamptz`;

/** `counted`: the incidents of the requested days. */
function incidentsOf({ namespace, owner, q, days, scope, now }: HistoryQuery): RawBuilder<unknown> {
  const wanted = [isVisible(scope), sql`(closed_at is null or closed_at > ${ago(now, days * DAY_MS)})`, IS_SHOWN];
  if (namespace !== undefined) wanted.push(sql`namespace = ${storableText(namespace)}`);
  if (owner !== undefined) wanted.push(sql`owner = ${storableText(owner)}`);
  if (q) wanted.push(holdsText(['namespace', 'owner'], q));
  return sql`counted as materialized (select * from incidents i where ${sql.join(wanted, sql` and `)})`;
}

/** `grouped`: the same by workload. */
function workloadsOf(query: HistoryQuery): RawBuilder<unknown> {
  const lasted = sql`extract(epoch from closed_at - opened_at)`;
  return sql`${incidentsOf(query)}, grouped as materialized (
    select namespace, owner, count(*)::int as incidents, (count(*) filter (where closed_at is null))::int as open,
      max(opened_at) as last_opened, array_agg(id) as ids, array_agg(opened_at) as openings,
      percentile_cont(0.5) within group (order by ${lasted}) filter (where closed_at is not null) as median_seconds,
      max(${lasted}) as longest_seconds
    from counted group by namespace, owner)`;
}

function shown({ days, limit, now }: HistoryQuery): RawBuilder<unknown> {
  return sql`
    select g.namespace, split_part(g.owner, '/', 1) as kind, split_part(g.owner, '/', 2) as name, g.incidents, g.open,
      ${isoText('g.last_opened')} as last_opened, g.median_seconds, g.longest_seconds,
      coalesce((select json_agg(failure_reason) from (
        select f.failure_reason from failures f where f.incident_id = any(g.ids) and f.suppressed_by is null
        group by 1 order by count(*) desc, 1 limit 5) r), '[]') as reasons,
      (select json_agg((select count(*) from unnest(g.openings) opened_at
          where opened_at > begins and opened_at <= begins + interval '24 hours') order by begins)
        from (select ${ago(now, days * DAY_MS)} + n * interval '24 hours' as begins from generate_series(0, ${days}::int - 1) n) d) as trend
    from (select * from grouped order by incidents desc, last_opened desc, namespace, owner limit ${limit}) g
    order by g.incidents desc, g.last_opened desc, g.namespace, g.owner`;
}
