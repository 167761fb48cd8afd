import { StaleLeader } from '../db/errors.ts';
import type { KubeClient } from '../kube/connect.ts';
import type { Leading } from './leader.ts';

/**
 * The client of one time of leading: when that is over, or was not renewed in time, what would write throws StaleLeader and asks the
 * cluster for nothing. A request that was on its way is not called back: what the leader writes may be written twice (DESIGN section 7).
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
