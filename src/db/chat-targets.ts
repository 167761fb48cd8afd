import { type Kysely, sql } from 'kysely';
import type { FailureStatus } from '../contract/failure.ts';
import { storableText } from './json.ts';
import type { Database } from './schema.ts';

export type ChatTargetRepository = ReturnType<typeof chatTargetRepository>;

/** The incidents that words in a chat can refer to: those of one cluster outside hidden namespaces. */
export function chatTargetRepository(db: Kysely<Database>, { cluster, hidden }: { cluster: string; hidden: readonly string[] }) {
  const shown = sql<boolean>`i.cluster = ${cluster} and i.namespace <> all(${[...hidden]}::text[])`;

  return {
    /** The open records of an incident. */
    openRecords: (incidentId: number): Promise<{ id: number; status: FailureStatus; failure_reason: string }[]> =>
      db
        .selectFrom('failures')
        .select(['id', 'status', 'failure_reason'])
        .where('incident_id', '=', incidentId)
        .where('closed_at', 'is', null)
        .orderBy('id')
        .execute(),

    /** The incident of a record. */
    async ofRecord(id: number): Promise<number | undefined> {
      const { rows } = await sql<{ id: number }>`
        select i.id from failures f join incidents i on i.id = f.incident_id where f.id = ${id} and ${shown}`.execute(db);
      return rows[0]?.id;
    },

    /** Whether an incident is visible. */
    async isShown(incidentId: number): Promise<boolean> {
      const { rows } = await sql`select from incidents i where i.id = ${incidentId} and ${shown}`.execute(db);
      return rows.length > 0;
    },

    /** The incidents that the first message of a thread was about. */
    async ofThread(provider: string, ts: string): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select i.id from notification_threads t join notification_members m on m.thread_id = t.id join incidents i on i.id = m.incident_id
        where t.cluster = ${cluster} and t.provider = ${provider} and t.place->>'ts' = ${storableText(ts)} and ${shown}
        order by i.id desc limit 16`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** The incident that was last mentioned in a Slack thread. */
    async lastIn(provider: string, thread: string): Promise<number | undefined> {
      const { rows } = await sql<{ id: number }>`
        select i.id from chat_requests c join incidents i on i.id = c.incident_id
        where c.cluster = ${cluster} and c.provider = ${provider} and c.place->>'thread' = ${storableText(thread)} and ${shown}
        order by c.id desc limit 1`.execute(db);
      return rows[0]?.id;
    },

    /**
     * Open incidents for a name, by the best match that exists: the workload or pod has this name, or else the container has it, or else the pod's
     * name begins with it, or else the workload's name contains it. With `isExact`, only the first kind counts, so that an action never
     * changes an incident that was not named. At most 16, the newest first.
     */
    async named(name: string, namespace: string | null, isExact: boolean): Promise<number[]> {
      const [kind, bare] = name.includes('/') ? name.split('/', 2) : [undefined, name];
      const wanted = storableText(bare ?? '');
      const { rows } = await sql<{ id: number; rank: number }>`
        select i.id, min(case when lower(split_part(i.owner, '/', 2)) = ${wanted} or f.pod_name = ${wanted} then 0
          when i.container = ${wanted} then 1 when starts_with(f.pod_name, ${wanted} || '-') then 2 else 3 end)::int as rank
        from incidents i join failures f on f.incident_id = i.id
        where ${shown} and f.closed_at is null and f.suppressed_by is null
          and (${namespace}::text is null or i.namespace = ${namespace}::text)
          and (${kind ?? null}::text is null or lower(split_part(i.owner, '/', 1)) = ${kind ?? null}::text)
          and (position(${wanted} in lower(split_part(i.owner, '/', 2))) > 0 or i.container = ${wanted} or starts_with(f.pod_name, ${wanted}))
        group by i.id order by rank, max(f.last_seen) desc limit 16`.execute(db);
      return rows.filter(({ rank }) => rank === (isExact ? 0 : rows[0]?.rank)).map(({ id }) => id);
    },

    /** The newest failing, visible incidents, and the number of all of them. */
    async failing(namespace: string | null, limit: number): Promise<{ ids: number[]; total: number }> {
      const { rows } = await sql<{ id: number; total: number }>`
        select i.id, (count(*) over ())::int as total from incidents i
        where ${shown} and (${namespace}::text is null or i.namespace = ${namespace}::text) and exists (
          select from failures f where f.incident_id = i.id and f.closed_at is null and f.suppressed_by is null
            and f.status in ('new', 'investigating'))
        order by i.id desc limit ${limit}`.execute(db);
      return { ids: rows.map(({ id }) => id), total: rows[0]?.total ?? 0 };
    },
  };
}
