import { AGENT_SILENT_SECONDS } from '../config.ts';
import { type Kysely, type Selectable, sql } from 'kysely';
import type { AgentRecord, FailingPod, Heartbeat } from '../contract/agent.ts';
import { OF_JOB } from './failures.ts';
import { json } from './json.ts';
import type { AgentTable, Database } from './schema.ts';

export type AgentRepository = ReturnType<typeof agentRepository>;

/** Stores agents. After `silentMs` without a heartbeat, the agent of a node counts as dead. */
export function agentRepository(db: Kysely<Database>, silentMs = AGENT_SILENT_SECONDS * 1000) {
  const isLive = ({ last_seen }: { last_seen: Date }, now: Date): boolean => isWithin(silentMs, last_seen, now);
  const toAgent = (row: Selectable<AgentTable>, now: Date): AgentRecord => ({
    ...row,
    last_seen: row.last_seen.toISOString(),
    live: isLive(row, now),
  });
  return {
    /** Stores the agent's heartbeat. Returns the agent for the API. */
    async heartbeat(node: string, { failing, version, pods, spooled, dropped }: Heartbeat, now: Date): Promise<AgentRecord> {
      const row = { version, pods, spooled, dropped, failing: failing.length, last_seen: now };
      await db
        .insertInto('agents')
        .values({ node, ...row })
        .onConflict((conflict) => conflict.column('node').doUpdateSet(row))
        .execute();
      return toAgent({ node, ...row }, now);
    },

    async list(now: Date): Promise<AgentRecord[]> {
      const rows = await db.selectFrom('agents').selectAll().orderBy('node').execute();
      return rows.map((row) => toAgent(row, now));
    },

    /** Forgets agents that were last heard of before that time; returns how many. */
    async deleteSilent(before: Date): Promise<number> {
      return Number((await db.deleteFrom('agents').where('last_seen', '<', before).executeTakeFirst()).numDeletedRows);
    },

    /** The nodes whose agent is alive. */
    async live(now: Date): Promise<string[]> {
      const rows = await db.selectFrom('agents').select(['node', 'last_seen']).execute();
      return rows.filter((row) => isLive(row, now)).map(({ node }) => node);
    },

    /**
     * Ids of the open records whose pods on the node are neither failing nor unsettled. Pods are compared by uid, or by name if the record
     * has no uid. Records with a report at `seenAt` or later are left out, because they are newer than this heartbeat.
     */
    async recovered(node: { cluster: string; node: string; seenAt: Date }, staying: FailingPod[]): Promise<number[]> {
      const { rows } = await sql<{ id: number }>`
        select id from failures f where node_name = ${node.node} and cluster = ${node.cluster} and closed_at is null and resource_kind = 'Pod' and not ${OF_JOB}
        and last_seen < ${node.seenAt}
        and not exists (
          select from json_to_recordset(cast(${json(staying)} as text)::json) as p(pod_uid text, pod_name text, namespace text)
          where case when f.pod_uid is null then p.namespace = f.namespace and p.pod_name = f.pod_name else p.pod_uid = f.pod_uid end)`.execute(
        db,
      );
      return rows.map((row) => row.id);
    },

    /** Uids of pods without an open record of their own or of their Job. A failed pod may stay after its Job has succeeded. */
    async unknown(cluster: string, failing: FailingPod[]): Promise<string[]> {
      const { rows } = await sql<{ pod_uid: string }>`
        select pod_uid from json_to_recordset(cast(${json(failing)} as text)::json) as p(pod_uid text)
        where not exists (select from failures f where f.closed_at is null and f.cluster = ${cluster} and f.identity = p.pod_uid)
          and not exists (select from failure_pods m where m.cluster = ${cluster} and m.pod_uid = p.pod_uid)`.execute(db);
      return rows.map((row) => row.pod_uid);
    },
  };
}

/** A heartbeat in the future was stored before the clock was set back, so its age is unknown. */
function isWithin(silentMs: number, lastSeen: Date, now: Date): boolean {
  return Math.abs(now.getTime() - lastSeen.getTime()) < silentMs;
}
