import { StaleLeader } from '../../db/errors.ts';
import type { KubeClient } from '../../kube/client.ts';
import type { Leading } from './leader.ts';

/**
 * The client of one term. When the term is over, or the Lease was not renewed in time, each write throws StaleLeader and sends nothing. A
 * request that is already under way cannot be stopped, so everything the leader writes must tolerate being written twice.
 */
export function leadingClient(client: KubeClient, { epoch, isCurrent }: Pick<Leading, 'epoch' | 'isCurrent'>): KubeClient {
  const check = (): void => {
    if (!isCurrent()) throw new StaleLeader(epoch);
  };
  return {
    ...client,
    async create(...args) {
      check();
      return client.create(...args);
    },
    async replace(...args) {
      check();
      return client.replace(...args);
    },
    async patch(...args) {
      check();
      return client.patch(...args);
    },
    async remove(...args) {
      check();
      return client.remove(...args);
    },
  };
}
