import { CompiledQuery, type Kysely, type Selectable, sql } from 'kysely';
import { json, storable } from './json.ts';
import type { AlertTable, Database } from './schema.ts';

export type AlertRow = Selectable<AlertTable>;
/** The content of an alert, and the object that it is about. */
export type NewAlert = Pick<
  AlertRow,
  | 'fingerprint'
  | 'starts_at'
  | 'status'
  | 'name'
  | 'severity'
  | 'summary'
  | 'labels'
  | 'annotations'
  | 'namespace'
  | 'pod'
  | 'owner'
  | 'node'
  | 'source_url'
  | 'ended_at'
>;

export type AlertRepository = ReturnType<typeof alertRepository>;

const OF_INCIDENT = sql`select * from alerts where cluster = $1 and incident_id = $2 order by id desc limit $3`;

/** The alerts of one cluster. */
export function alertRepository(db: Kysely<Database>, cluster: string) {
  const own = () => db.selectFrom('alerts').selectAll().where('cluster', '=', cluster);
  // Compiled once, because it is needed for every page of a record.
  const ofIncidentSql = OF_INCIDENT.compile(db).sql;

  return {
    /**
     * Stores an alert or its changes, and joins it to the open incident of its pod, otherwise of its workload, otherwise of its node. It
     * never leaves an incident. Returns its present state.
     */
    async store(given: NewAlert, now: Date): Promise<AlertRow> {
      // Labels contain text of monitored programs. An alert that cannot be stored would be sent again and again, with all others of its
      // group.
      const alert = storable(given);
      const { labels, annotations, ...plain } = alert;
      const incident_id = alert.status === 'firing' ? await incidentOf(db, cluster, alert) : null;
      const row = { ...plain, cluster, labels: json(labels), annotations: json(annotations), incident_id, first_seen: now, last_seen: now };
      return db
        .insertInto('alerts')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['cluster', 'fingerprint', 'starts_at']).doUpdateSet({
            status: alert.status,
            severity: alert.severity,
            summary: alert.summary,
            annotations: row.annotations,
            ended_at: alert.ended_at,
            last_seen: now,
            incident_id: sql<number | null>`coalesce(alerts.incident_id, excluded.incident_id)`,
          }),
        )
        .returningAll()
        .executeTakeFirstOrThrow();
    },

    /** The newest alerts of an incident. */
    async ofIncident(incidentId: number, limit: number): Promise<AlertRow[]> {
      return (await db.executeQuery<AlertRow>(CompiledQuery.raw(ofIncidentSql, [cluster, incidentId, limit]))).rows;
    },

    /** The newest alerts since that time, outside of these namespaces. */
    newest: (since: Date, { hidden, limit }: { hidden: readonly string[]; limit: number }): Promise<AlertRow[]> =>
      own()
        .where('last_seen', '>=', since)
        .where(sql<boolean>`coalesce(namespace, '') <> all(${[...hidden]}::text[])`)
        .orderBy('id', 'desc')
        .limit(limit)
        .execute(),

    /**
     * Deletes at most `limit` alerts without an incident that last arrived before that time. The others are deleted with their incident.
     */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('alerts').select('id').where('last_seen', '<', before).where('incident_id', 'is', null).limit(limit);
      return Number((await db.deleteFrom('alerts').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}

/** The open incident that an alert is about. An alert about a node belongs to failures that a node caused. */
async function incidentOf(db: Kysely<Database>, cluster: string, alert: NewAlert): Promise<number | null> {
  const [namespace = '', pod = '', owner = '', node = ''] = [alert.namespace, alert.pod, alert.owner, alert.node].map((text) => text ?? '');
  const { container = '' } = alert.labels as { container?: string };
  const { rows } = await sql<{ id: number }>`
    select i.id from failures f join incidents i on i.id = f.incident_id
    where f.cluster = ${cluster} and f.closed_at is null and (
      (f.namespace = ${namespace} and (f.pod_name = ${pod} or (${pod} = '' and i.owner = ${owner})
        or f.id in (select failure_id from failure_pods where namespace = ${namespace} and pod_name = ${pod})))
      or (${namespace} = '' and i.family = 'node' and f.node_name = ${node}))
    order by i.container = ${container} desc, f.last_seen desc, f.id desc limit 1`.execute(db);
  return rows[0]?.id ?? null;
}
