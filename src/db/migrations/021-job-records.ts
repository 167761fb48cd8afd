import { type Kysely, sql } from 'kysely';

/** The Job of an open record: the record's own object, or the one in the labels that the Job controller gives its pods. */
const JOBS = `
  select f.id, f.cluster, f.namespace, f.pod_name, f.pod_uid, f.resource_kind, f.incident_id,
    'Job/' || f.namespace || '/' || case when f.resource_kind = 'Job' then f.pod_name
      else coalesce(f.labels ->> 'batch.kubernetes.io/job-name', f.labels ->> 'job-name') end || '/' ||
      case when f.resource_kind = 'Job' then f.pod_uid
      else coalesce(f.labels ->> 'batch.kubernetes.io/controller-uid', f.labels ->> 'controller-uid') end as job
  from failures f
  where f.closed_at is null and f.pod_uid is not null and (f.resource_kind = 'Job' or (f.resource_kind = 'Pod' and f.workload is not null))`;

const STATEMENTS = [
  `create table failure_pods (
    cluster text not null, namespace text not null, pod_name text not null, pod_uid text not null,
    failure_id bigint not null references failures on delete cascade, primary key (cluster, pod_uid))`,
  `create index failure_pods_failure on failure_pods (failure_id)`,
  `create index failure_pods_name on failure_pods (namespace, pod_name)`,
  // Of the open records of a Job and its pods, only one stays open: the Job's, otherwise that of its newest pod.
  `create temporary table job_stories on commit drop as
    select *, first_value(id) over w as kept, first_value(resource_kind) over w as kind from (${JOBS}) j where job is not null
    window w as (partition by cluster, job order by resource_kind = 'Job' desc, id desc)`,
  `insert into failure_pods (cluster, namespace, pod_name, pod_uid, failure_id)
    select cluster, namespace, pod_name, pod_uid, kept from job_stories where resource_kind = 'Pod' on conflict do nothing`,
  // The Job's record gets the evidence of its newest pod.
  `update failures f set container = p.container, container_statuses = p.container_statuses, images = p.images, logs = p.logs,
      node_name = p.node_name, brief = p.brief, labels = p.labels || f.labels
    from (select distinct on (s.kept) s.kept, d.* from job_stories s join failures d on d.id = s.id
      where s.kind = 'Job' and s.resource_kind = 'Pod' order by s.kept, s.id desc) p
    where f.id = p.kept`,
  `update trials t set failure_id = s.kept from job_stories s where t.failure_id = s.id and s.id <> s.kept`,
  `update failures f set status = 'resolved', closed_at = now(), status_at = now(), resolved_at = coalesce(f.resolved_at, now())
    from job_stories s where f.id = s.id and s.id <> s.kept`,
  `update failures f set identity = s.job from job_stories s where f.id = s.id and s.id = s.kept`,
  `update incidents i set closed_at = now() from job_stories s where i.id = s.incident_id and s.id <> s.kept and i.closed_at is null
    and not exists (select from failures f where f.incident_id = i.id and f.closed_at is null)`,
];

/** A Job and its pods have one record. Its pods are found by their uid and by their name. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
