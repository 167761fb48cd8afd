import { type Kysely, type RawBuilder, sql } from 'kysely';
import { INCIDENT_LISTS, type IncidentListName, type IncidentSort, type IncidentTotals, type VERDICTS } from '../contract/incident.ts';
import type { FailureStatus } from '../contract/failure.ts';
import { holdsText, isVisible, type Scope } from './failure-page.ts';
import { storableText } from './json.ts';
import { hourAt, type HourCount, occurrenceHours } from './occurrence-hours.ts';
import { isoText } from './paged-list.ts';
import type { Database } from './schema.ts';

/** The incidents to select. */
export interface IncidentPageQuery {
  list: IncidentListName;
  status?: FailureStatus | undefined;
  namespace?: string | undefined;
  reason?: string | undefined;
  verdict?: (typeof VERDICTS)[number] | 'none' | undefined;
  /** Only incidents that are assigned to this user (id or name), or to nobody. */
  assignee?: { id: number } | { name: string } | 'none' | undefined;
  q?: string | undefined;
  sort: IncidentSort;
  order: 'asc' | 'desc';
  limit: number;
  /** The position of the last incident of the previous page. */
  after?: IncidentPlace | undefined;
  scope: Scope;
  now: Date;
}

/** The position of an incident in a sorted list. `key` is a number as text, except for `name`. */
export interface IncidentPlace {
  key: string;
  id: number;
}

/** An incident as read from the database, before it is converted for the API. Times are ISO 8601. */
export interface IncidentRow extends IncidentPlace {
  cluster: string;
  namespace: string;
  /** `Deployment/web`, or `Pod/name`. */
  owner: string;
  container: string;
  pods: number;
  restarts: number;
  status: FailureStatus;
  first_seen: string;
  last_seen: string;
  resolved_at: string | null;
  is_closed: boolean;
  failure_id: number;
  pod_name: string;
  reason: string;
  failure_message: string;
  /** The section "What happened" of the focus's solution, otherwise the beginning of the solution. */
  what_happened: string | null;
  suppressed_by: string | null;
  verdict: (typeof VERDICTS)[number] | null;
  strength: string | null;
  final: boolean | null;
  mirror_id: string | null;
  judged_id: number | null;
  given_at: string | null;
  trying: boolean;
  assignee: string | null;
  /** The hours within the last 24 in which the incident occurred; null if there are none. */
  hours: HourCount[] | null;
}

/** A page as one JSON text of the form `IncidentRows`, so that its hash shows whether it changed. */
export interface IncidentRows {
  incidents: IncidentRow[];
  total: number;
  totals: IncidentTotals;
}

export type IncidentListRepository = ReturnType<typeof incidentListRepository>;

/**
 * The lists of incidents for people. They are computed from the records when they are read, so that storing reports does not become slower.
 * The index on `incident_id` contains the columns that distinguish the lists, so counting incidents reads no records.
 */
export function incidentListRepository(db: Kysely<Database>) {
  return {
    /** The page as JSON text. */
    async page(query: IncidentPageQuery): Promise<string> {
      const { rows } = await sql<{ page: string }>`
        with ${listed(query)}, ${query.verdict ? NEWEST_VERDICTS : sql``} ${matching(query)}, page as (${onePage(query)})
        select json_build_object('incidents', coalesce((select json_agg(page) from page), '[]'),
          'total', (select count(*) from matching), 'totals', ${totals(query)})::text as page`.execute(db);
      return rows[0]?.page ?? '';
    },

    /** How many incidents are on the list `active`, by namespace. Namespaces without any are absent. */
    async activeByNamespace(): Promise<Map<string, number>> {
      const { rows } = await sql<{ namespace: string; incidents: number }>`
        select f.namespace, count(distinct f.incident_id)::int as incidents from failures f where ${ON_LIST.active} group by f.namespace`.execute(
        db,
      );
      return new Map(rows.map(({ namespace, incidents }) => [namespace, incidents]));
    },
  };
}

/** The condition for records on each list. Values are written as literals, so that the planner uses the index of the list. */
const ON_LIST: Record<IncidentListName, RawBuilder<unknown>> = {
  active: sql`(f.status in ('new', 'investigating') and f.suppressed_by is null)`,
  ignored: sql`(f.status = 'ignored' and f.suppressed_by is null)`,
  suppressed: sql`(f.suppressed_by is not null and f.closed_at is null)`,
  resolved: sql`(f.status = 'resolved' and f.suppressed_by is null)`,
};
const LIST = sql`case ${sql.join(
  INCIDENT_LISTS.map((list, index) => sql`when ${ON_LIST[list]} then ${sql.lit(index)}`),
  sql` `,
)} end`;

const KEYS: Record<IncidentSort, RawBuilder<unknown>> = {
  last_seen: sql`extract(epoch from s.last_seen)`,
  first_seen: sql`extract(epoch from i.opened_at)`,
  restarts: sql`s.restarts::numeric`,
  pods: sql`l.pods::numeric`,
  name: sql`(split_part(i.owner, '/', 2) collate "C")`,
};

/** Restarts of the failing container, or of all containers if it is not known. A report may contain any number. */
const RESTARTS = sql`least(sum((select coalesce(sum((s ->> 'restart_count')::numeric), 0) from jsonb_array_elements(f.container_statuses) s
  where f.container is null or s ->> 'name' = f.container)), 9007199254740991)`;

/** The cause as people see it: the beginning of the solution's section "What happened". */
const WHAT_HAPPENED = sql`left(case when strpos(f.solution, '## What happened') > 0
  then split_part(split_part(E'\n' || f.solution, E'\n## What happened\n', 2), E'\n## ', 1) else f.solution end, 1000)`;
/** The text of `WHAT_HAPPENED` without the Markdown marks of code. */
const UNMARKED = sql`translate(${WHAT_HAPPENED}, '\`', '')`;
const TEXTS = ['f.pod_name', 'f.namespace', 'f.failure_reason', 'f.failure_message', sql`f.workload ->> 'name'`, UNMARKED];

/** The newest trial with a verdict of incident `i`. */
const JUDGED = sql`select t.* from trials t join failures f on f.id = t.failure_id
  where f.incident_id = i.id and t.verdict is not null order by t.started_at desc, t.mirror_id limit 1`;

/** `listed`: each incident with its list and the number of its records on the requested list. */
function listed({ list }: IncidentPageQuery): RawBuilder<unknown> {
  return sql`listed as materialized (
    select f.incident_id, min(${LIST}) as list, (count(*) filter (where ${ON_LIST[list]}))::int as pods,
      bool_or(f.status = 'investigating' and f.suppressed_by is null) as is_looked_into
    from failures f group by f.incident_id)`;
}

/** `matching`: the requested incidents, with their sort key. */
function matching(query: IncidentPageQuery): RawBuilder<unknown> {
  const { list, status, namespace, verdict, sort, scope } = query;
  const wanted = [sql`l.list = ${sql.lit(INCIDENT_LISTS.indexOf(list))}`, isVisible(scope)];
  if (namespace !== undefined) wanted.push(sql`i.namespace = ${storableText(namespace)}`);
  if (status) wanted.push(sql`${statusOn(list)} = ${status}`);
  if (verdict === 'none') wanted.push(sql`i.id not in (select incident_id from newest_verdicts)`);
  else if (verdict) wanted.push(sql`i.id in (select incident_id from newest_verdicts where verdict = ${verdict})`);
  if (query.assignee !== undefined) wanted.push(isAssigned(query.assignee));
  const isSearched = query.reason !== undefined || Boolean(query.q) || sort === 'last_seen' || sort === 'restarts';
  return sql`${isSearched ? sql`searched as materialized (${searched(query)}),` : sql``} matching as materialized (
    select i.id, ${KEYS[sort]} as key, l.pods, ${statusOn(list)} as status from listed l join incidents i on i.id = l.incident_id
    ${isSearched ? sql`join searched s on s.incident_id = i.id` : sql``}
    where ${sql.join(wanted, sql` and `)})`;
}

/** Whether incident `i` is assigned to that user. */
function isAssigned(to: NonNullable<IncidentPageQuery['assignee']>): RawBuilder<unknown> {
  if (to === 'none') return sql`i.id not in (select incident_id from incident_assignees)`;
  const isUser = 'id' in to ? sql`u.id = ${to.id}` : sql`lower(u.username) = lower(${storableText(to.name)})`;
  return sql`i.id in (select a.incident_id from incident_assignees a join users u on u.id = a.user_id where ${isUser})`;
}

/**
 * The filters that need the records themselves. The part is materialized, because the planner may have no statistics about many new
 * records. It would then expect a single record, and run this again for each incident.
 */
function searched({ list, namespace, reason, q, sort }: IncidentPageQuery): RawBuilder<unknown> {
  const having = [sql`true`];
  if (reason !== undefined) having.push(sql`bool_or(f.failure_reason = ${storableText(reason)})`);
  if (q) having.push(sql`bool_or(${holdsText(TEXTS, q)})`);
  const inNamespace = namespace === undefined ? sql`` : sql`and f.namespace = ${storableText(namespace)}`;
  return sql`select f.incident_id, max(f.last_seen) as last_seen, ${sort === 'restarts' ? RESTARTS : sql`0`} as restarts
    from failures f where ${ON_LIST[list]} ${inNamespace} group by f.incident_id having ${sql.join(having, sql` and `)}`;
}

/** Separate from the incidents, because a plan that looks up the trials of one incident after another takes a second. */
const NEWEST_VERDICTS = sql`newest_verdicts as materialized (
  select distinct on (f.incident_id) f.incident_id, t.verdict from trials t join failures f on f.id = t.failure_id
  where t.verdict is not null order by f.incident_id, t.started_at desc, t.mirror_id),`;

/** The status of incident `l`: `investigating` if one of its records is. */
function statusOn(list: IncidentListName): RawBuilder<unknown> {
  if (list !== 'active') return sql`${sql.lit(list === 'suppressed' ? 'new' : list)}::text`;
  return sql`case when l.is_looked_into then 'investigating' else 'new' end`;
}

function onePage({ list, sort, order, limit, after, now }: IncidentPageQuery): RawBuilder<unknown> {
  const [direction, beyond] = order === 'asc' ? [sql`asc`, sql`>`] : [sql`desc`, sql`<`];
  const key = after && (sort === 'name' ? sql`(${storableText(after.key)}::text collate "C")` : sql`${after.key}::numeric`);
  const from = after ? sql`where (m.key, m.id) ${beyond} (${key}, ${after.id}::bigint)` : sql``;
  return sql`
    select i.id, m.key::text, i.cluster, i.namespace, i.owner, i.container, m.pods, m.status, r.restarts,
      ${isoText('i.opened_at')} as first_seen, ${isoText('r.last_seen')} as last_seen,
      ${list === 'resolved' ? isoText('r.resolved_at') : sql`null`} as resolved_at, i.closed_at is not null as is_closed,
      focus.id as failure_id, focus.pod_name, focus.failure_reason as reason, left(focus.failure_message, 1000) as failure_message,
      focus.what_happened, focus.suppressed_by,
      v.verdict, v.strength, v.final, v.mirror_id, v.failure_id as judged_id, ${isoText('v.started_at')} as given_at,
      exists (select from trials t join failures f on f.id = t.failure_id
        where f.incident_id = i.id and t.verdict is null and t.ended_at is null) as trying,
      (select u.username from incident_assignees a join users u on u.id = a.user_id where a.incident_id = i.id) as assignee,
      ${occurrenceHours(sql`i.id`, sql.lit(hourAt(now)))} as hours
    from (select * from matching m ${from} order by m.key ${direction}, m.id ${direction} limit ${limit}) m
    join incidents i on i.id = m.id
    left join lateral (${JUDGED}) v on true
    cross join lateral (
      select f.*, ${WHAT_HAPPENED} as what_happened from failures f where f.incident_id = i.id and ${ON_LIST[list]}
      order by (f.id = v.failure_id) is true desc, f.id limit 1) focus
    cross join lateral (
      select max(f.last_seen) as last_seen, max(f.resolved_at) as resolved_at, ${RESTARTS} as restarts
      from failures f where f.incident_id = i.id and ${ON_LIST[list]}) r
    order by m.key ${direction}, m.id ${direction}`;
}

/** The number of incidents on each list. */
function totals({ namespace, scope }: IncidentPageQuery): RawBuilder<unknown> {
  const counts = INCIDENT_LISTS.map((list, index) => sql`${sql.lit(list)}::text, count(*) filter (where l.list = ${sql.lit(index)})`);
  const wanted = [isVisible(scope)];
  if (namespace !== undefined) wanted.push(sql`i.namespace = ${storableText(namespace)}`);
  const isAll = namespace === undefined && scope.namespaces === '*' && scope.hidden.length === 0;
  const ofNamespaces = isAll ? sql`` : sql`join incidents i on i.id = l.incident_id where ${sql.join(wanted, sql` and `)}`;
  return sql`(select json_build_object(${sql.join(counts)}) from listed l ${ofNamespaces})`;
}
