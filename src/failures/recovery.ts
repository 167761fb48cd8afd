import type { DismissDeleted, Heartbeat, HeartbeatAnswer } from '../contract/agent.ts';
import type { AgentRepository } from '../db/agents.ts';
import type { FailureRepository } from '../db/failures.ts';
import { storable, storableText } from '../db/json.ts';
import type { Hub } from '../events.ts';

export interface RecoveryDeps {
  failures: Pick<FailureRepository, 'close' | 'openIds' | 'leave'>;
  agents: AgentRepository;
  hub: Hub;
  cluster: string;
  hiddenNamespaces: readonly string[];
}

export type Recovery = ReturnType<typeof recovery>;

/** Ends records whose pods recovered or were deleted. A suppressed record ends without a message. */
export function recovery({ failures, agents, hub, cluster, hiddenNamespaces }: RecoveryDeps) {
  /** Sends a message for each record that was not resolved already. */
  const recover = async (ids: number[], now: Date): Promise<number> => {
    const closed = await failures.close(ids, now);
    const shown = closed.filter(({ previous, suppressed_by }) => suppressed_by === null && previous !== 'resolved');
    for (const { id, namespace } of shown) hub.publish({ type: 'pod_status_change', data: { id, status: 'resolved' }, namespace });
    return closed.length;
  };

  /** Sends one message a pod, however many records it had. */
  const remove = async (ids: number[], now: Date): Promise<number> => {
    const closed = await failures.close(ids, now, { isDeleted: true });
    const shown = closed.filter((record) => record.suppressed_by === null);
    const pods = new Map(shown.map(({ namespace, pod_name }) => [`${namespace}/${pod_name}`, { namespace, pod_name }]));
    for (const data of pods.values()) hub.publish({ type: 'pod_deleted', data });
    return closed.length;
  };

  return {
    /**
     * An agent's heartbeat about its node: records whose pods are neither failing nor unsettled recover. Records with a report since
     * `seenAt`, when the agent looked, stay open: the report overtook the heartbeat. Answers also which failing pods have no record,
     * because their report was lost.
     */
    async heartbeat(node: string, heartbeat: Heartbeat, now: Date, seenAt = now): Promise<HeartbeatAnswer> {
      const beat = storable(heartbeat);
      // What is shown of an agent says how many pods fail.
      const failing = beat.failing.filter(({ namespace }) => !hiddenNamespaces.includes(namespace));
      const agent = await agents.heartbeat(storableText(node), { ...beat, failing }, now);
      await recover(await agents.recovered({ cluster, node: agent.node, seenAt }, [...beat.failing, ...(beat.unsettled ?? [])]), seenAt);
      hub.publish({ type: 'agent_status', data: agent });
      return { ...agent, unknown: await agents.unknown(cluster, beat.failing) };
    },

    /**
     * Pods that were deleted or well at `seenAt` (`POST /api/pods/dismiss-deleted`). Records with a later report stay open. The record of a
     * Job ends with the Job, or when the last of its failing pods is well: a Job that has given up may delete its pods, and one that tries
     * again may replace them.
     */
    async gone(message: DismissDeleted, seenAt: Date): Promise<{ resolved: number }> {
      const pods = storable('pods' in message ? message.pods : [message]);
      const ids = await failures.openIds(pods, cluster);
      const left = await failures.leave(pods, cluster);
      if (message.reason === 'recovered') return { resolved: await recover([...new Set([...ids, ...left])], seenAt) };
      return { resolved: await remove(ids, seenAt) };
    },
  };
}
