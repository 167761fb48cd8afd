import { type Kysely, sql } from 'kysely';
import type { Revision } from '../contract/failure.ts';
import type { Severity } from '../contract/finding.ts';
import type { Database } from './schema.ts';

interface Row {
  id: number;
  cluster: string;
  namespace: string;
  owner: string;
  container: string;
  family: string;
  opened_at: Date;
  open: number;
  active: number;
  occurrences: number;
  record_id: number | null;
  pod_name: string | null;
  node_name: string | null;
  labels: Record<string, string> | null;
  failure_reason: string | null;
  failure_message: string | null;
  solution: string | null;
  verdict: string | null;
  strength: string | null;
  revisions: Revision[] | null;
  alerts: { name: string; severity: string | null; summary: string }[] | null;
}

/** If Alertmanager does not send the ends, an alert that comes and goes is a new one each time. Only the newest are read. */
const ALERTS = 100;

/**
 * The incidents with these ids, with the content for notifications. `open` counts the records that still fail; `active` counts those of them that
 * are neither suppressed nor dismissed. The text comes from the newest active record, or else from the newest record.
 */
export async function incidentViews(db: Kysely<Database>, ids: number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<Row>`
    select i.id, i.cluster, i.namespace, i.owner, i.container, i.family, i.opened_at, coalesce(n.open, 0)::int as open,
      coalesce(n.active, 0)::int as active, coalesce(n.occurrences, 0)::int as occurrences, r.id as record_id, r.pod_name, r.node_name, r.labels,
      r.failure_reason, r.failure_message, r.solution, t.verdict, t.strength, t.revisions,
      (select json_agg(json_build_object('name', a.name, 'severity', a.severity, 'summary', a.summary) order by a.id desc)
        from (select * from alerts where incident_id = i.id and status = 'firing' order by id desc limit ${ALERTS}) a) as alerts
    from incidents i
    left join lateral (
      select count(*) filter (where closed_at is null and status <> 'resolved') as open,
        count(*) filter (where closed_at is null and suppressed_by is null and status in ('new', 'investigating')) as active,
        sum(occurrences) as occurrences
      from failures where incident_id = i.id) n on true
    left join lateral (
      select * from failures where incident_id = i.id
      order by (closed_at is null and suppressed_by is null and status in ('new', 'investigating')) desc, last_seen desc, id desc limit 1) r on true
    left join lateral (
      select t.verdict, t.strength, t.revisions from trials t join failures f on f.id = t.failure_id
      where f.incident_id = i.id and t.verdict is not null order by t.started_at desc limit 1) t on true
    where i.id = any(${ids}::bigint[])`.execute(db);
  return rows.map((row) => ({
    id: row.id,
    cluster: row.cluster,
    namespace: row.namespace,
    owner: row.owner,
    container: row.container,
    family: row.family,
    open: row.open,
    active: row.active,
    occurrences: row.occurrences,
    recordId: row.record_id,
    pod: row.pod_name ?? '',
    node: row.node_name,
    labels: row.labels ?? {},
    reason: row.failure_reason ?? 'Unknown',
    message: row.failure_message ?? '',
    solution: row.solution,
    verdict:
      row.verdict === null
        ? null
        : {
            verdict: row.verdict,
            strength: row.strength,
            revisions: row.revisions?.length ?? 0,
            message: row.revisions?.at(-1)?.message ?? '',
          },
    openedAt: row.opened_at,
    alerts: row.alerts ?? [],
  }));
}

/** The findings with these negative ids, in the form of incidents. An open finding counts as failing until it is resolved. */
export async function findingViews(db: Kysely<Database>, ids: number[]) {
  if (ids.length === 0) return [];
  const { rows } = await sql<FindingRow>`
    select id, cluster, namespace, resource_type, resource_name, check_name, severity, message, remediation, status, suppressed_by, stale_at,
      details -> 'labels' as labels, details ->> 'container' as container, first_seen
    from findings where id = any(${ids.map((id) => -id)}::bigint[])`.execute(db);
  return rows.map((row) => {
    const isOpen = row.status === 'open' || row.status === 'reopened';
    return {
      id: -row.id,
      cluster: row.cluster,
      namespace: row.namespace,
      owner: `${row.resource_type}/${row.resource_name}`,
      container: row.container ?? '',
      family: 'finding',
      // Somebody who dismisses a finding wants no more messages about it. It ends when it is no longer found.
      open: Number(isOpen || (row.status === 'dismissed' && row.stale_at === null)),
      active: Number(isOpen && row.suppressed_by === null),
      occurrences: 1,
      recordId: null,
      pod: '',
      node: null,
      labels: textsOf(row.labels),
      reason: row.check_name,
      message: row.message,
      solution: null,
      verdict: null,
      openedAt: row.first_seen,
      alerts: [],
      finding: { severity: row.severity, remediation: row.remediation },
    };
  });
}

interface FindingRow {
  id: number;
  cluster: string;
  namespace: string;
  resource_type: string;
  resource_name: string;
  check_name: string;
  severity: Severity;
  message: string;
  remediation: string;
  status: string;
  suppressed_by: string | null;
  stale_at: Date | null;
  labels: unknown;
  container: string | null;
  first_seen: Date;
}

/** Details are whatever a scanner sent. */
function textsOf(labels: unknown): Record<string, string> {
  const entries = typeof labels === 'object' && labels !== null ? Object.entries(labels) : [];
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
