import type { KubeClient } from '../../kube/client.ts';
import { KINDS } from '../../kube/kinds.ts';
import type { EventRecorder } from '../../kube/recorder.ts';
import type { Logger } from '../../log.ts';
import type { OtherLeader } from './leader.ts';

export interface UnsharedDatabaseDeps {
  /** Whether this process has an embedded database, which other replicas cannot see. */
  isEmbedded: boolean;
  /** As the leader's loop knows it. */
  other(): OtherLeader | undefined;
  /** The pod of this process, if it runs in one. */
  pod: { namespace: string; name: string };
  client: Pick<KubeClient, 'read'>;
  recorder: Pick<EventRecorder, 'record'>;
  log: Logger;
}

const WHY =
  'Another replica holds the Lease, and this one has a database of its own. Replicas need a common DATABASE_URL: set it, or scale to one';

/**
 * The readiness of a replica with an embedded database. It rejects while another replica holds the Lease, because the two would show
 * different data. If the other one is alive, the log and an event of the pod say why.
 */
export function unsharedDatabase(deps: UnsharedDatabaseDeps): () => Promise<void> {
  const { isEmbedded, other, pod, client, recorder, log } = deps;
  let hasSaid = false;
  const regarding = async () => {
    const found = await client.read(KINDS.pod, pod.namespace, pod.name);
    return found && { apiVersion: 'v1', kind: 'Pod', ...pod, uid: found.metadata.uid ?? '' };
  };
  return async () => {
    const leader = isEmbedded ? other() : undefined;
    if (!leader) return;
    // A holder that is not alive is a predecessor of this process, whose Lease expires soon.
    if (leader.lives) {
      if (!hasSaid) log.error({ holder: leader.holder }, WHY);
      hasSaid = true;
      recorder.record({ regarding, type: 'Warning', reason: 'DatabaseNotShared', action: 'Refuse', note: `${WHY}.` });
    }
    throw new Error(WHY);
  };
}
