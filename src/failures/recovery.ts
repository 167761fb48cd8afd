import type { DismissDeleted, Heartbeat, HeartbeatAnswer } from '../contract/agent.ts';
import type { AgentRepository } from '../db/agents.ts';
import type { FailureRepository } from '../db/failures.ts';
import { storable, storableText } from '../db/json.ts';
import type { Hub } from '../events.ts';

export interface RecoveryDeps {
  failures: Pick<FailureRepository, 'close' | 'openIds'>;
  agents: AgentRepository;
  hub: Hub;
  cluster: string;
}

export type Recovery = ReturnType<typeof recovery>;

/** How records end: their pods recovered, or were deleted. What a Suppression hides ends without a word. */
export function recovery({ failures, agents, hub, cluster }: RecoveryDeps) {
  /** Recovered: each record that was not resolved already gets a message. */
  const recover = async (ids: number[], now: Date): Promise<number> => {
    const closed = await failures.close(ids, now);
    const told = closed.filter(({ previous, suppressed_by }) => suppressed_by === null && previous !== 'resolved');
    for (const { id, namespace } of told) hub.publish({ type: 'pod_status_change', data: { id, status: 'resolved' }, namespace });
    return closed.length;
  };

  /** Deleted: one message a pod, however many records it had. */
  const remove = async (ids: number[], now: Date): Promise<number> => {
    const closed = await failures.close(ids, now);
    const shown = closed.filter((record) => record.suppressed_by === null);
    const pods = new Map(shown.map(({ namespace, pod_name }) => [`${namespace}/${pod_name}`, { namespace, pod_name }]));
    for (const data of pods.values()) hub.publish({ type: 'pod_deleted', data });
    return closed.length;
  };

  return {
    /**
     * An agent's word about its node: its records whose pods are neither failing nor unsettled recover. Records that were heard of since
     * `seenAt`, when the agent looked, stay open: their report overtook the heartbeat. Answers besides
     * which of the failing ones have no record, because their report was lost.
     */
    async heartbeat(node: string, heartbeat: Heartbeat, now: Date, seenAt = now): Promise<HeartbeatAnswer> {
      const beat = storable(heartbeat);
      const agent = await agents.heartbeat(storableText(node), beat, now);
      await recover(await agents.recovered({ cluster, node: agent.node, seenAt }, [...beat.failing, ...(beat.unsettled ?? [])]), seenAt);
      hub.publish({ type: 'agent_status', data: agent });
      return { ...agent, unknown: await agents.unknown(cluster, beat.failing) };
    },

    /** Pods that are gone or well (`POST /api/pods/dismiss-deleted`), as was seen at `seenAt`. Records that were heard of later stay open. */
    async gone(message: DismissDeleted, seenAt: Date): Promise<{ resolved: number }> {
      const pods = storable('pods' in message ? message.pods : [message]);
      const ids = await failures.openIds(pods);
      return { resolved: await (message.reason === 'recovered' ? recover : remove)(ids, seenAt) };
    },
  };
}
