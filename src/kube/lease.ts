import type { KubeClient } from './client.ts';
import { isKubeError } from './errors.ts';
import { KINDS, type Lease } from './kinds.ts';

export interface LeaseOptions {
  client: Pick<KubeClient, 'read' | 'create' | 'replace'>;
  namespace: string;
  /** Unique among living processes. A process may reuse the identity of one that has ended. */
  identity: string;
  /** Milliseconds of a monotonic clock. */
  clock?: () => number;
  /** Provides the times that people see in the Lease. No decision depends on them. */
  now(): Date;
}

/** After this time without a renewal any process may take the Lease. */
export const LEASE_SECONDS = 20;
const NAME = 'podmend';

/** One candidate for a `coordination.k8s.io` Lease. Methods throw what the client throws. */
export interface LeaseLock {
  /**
   * Takes the Lease if it is free, belongs to us already, or was not renewed for its duration. The new epoch (the number of transitions of
   * the Lease) is higher than `above`. `isRenewed`: the holder has renewed the Lease since our last call, so the holder lives.
   */
  take(above: number): Promise<{ epoch: number } | { heldBy: string; isRenewed?: true }>;
  /** Returns false when the Lease is no longer ours. */
  renew(): Promise<boolean>;
  /** Releases the Lease if it is still ours. */
  release(): Promise<void>;
}

type Spec = NonNullable<Lease['spec']>;

/**
 * Makes a candidate. Times of other machines are never compared with ours. A Lease has expired when it has not changed for its duration,
 * measured by our own clock. All writes carry the resourceVersion that was read, so if two processes take the Lease at once, one gets a 409.
 */
export function leaseLock({ client, namespace, identity, clock = () => performance.now(), now }: LeaseOptions): LeaseLock {
  let held: Lease | undefined;
  let epoch = 0;
  /** The Lease at its last change. It is valid for `ms` from `at`. A deleted Lease expires like any other. */
  let seen = { version: '', holder: '', at: 0, ms: 0 };

  const isFree = ({ metadata, spec }: Lease): boolean => {
    const { resourceVersion: version = '' } = metadata;
    if (version && version !== seen.version)
      seen = { version, holder: spec?.holderIdentity ?? '', at: clock(), ms: (spec?.leaseDurationSeconds ?? LEASE_SECONDS) * 1000 };
    return seen.holder === '' || seen.holder === identity || clock() - seen.at >= seen.ms;
  };
  const write = async (lease: Lease, spec: Spec): Promise<boolean> => {
    const wanted: Lease = { ...lease, spec: { ...spec, leaseDurationSeconds: LEASE_SECONDS, renewTime: microTime(now()) } };
    held = undefined;
    try {
      held = await (lease.metadata.resourceVersion ? client.replace(KINDS.lease, wanted) : client.create(KINDS.lease, wanted));
      return true;
    } catch (error) {
      if (isKubeError(error, 409)) return false;
      throw error;
    }
  };
  return {
    async take(above) {
      const lease: Lease = (await client.read(KINDS.lease, namespace, NAME)) ?? { metadata: { namespace, name: NAME } };
      const last = seen;
      if (!isFree(lease)) return { heldBy: seen.holder, ...(seen !== last && seen.holder === last.holder ? { isRenewed: true } : {}) };
      epoch = Math.max(above, lease.spec?.leaseTransitions ?? 0) + 1;
      const isTaken = await write(lease, { holderIdentity: identity, acquireTime: microTime(now()), leaseTransitions: epoch });
      return isTaken ? { epoch } : { heldBy: 'somebody who was quicker' };
    },
    async renew() {
      if (held?.spec && (await write(held, held.spec))) return true;
      // The answer to our write came too late, or somebody edited the Lease. Check whether the Lease is still ours.
      const lease = await client.read(KINDS.lease, namespace, NAME);
      const { holderIdentity, leaseTransitions } = lease?.spec ?? {};
      return lease?.spec !== undefined && holderIdentity === identity && leaseTransitions === epoch && write(lease, lease.spec);
    },
    async release() {
      if (held?.spec) await write(held, { leaseTransitions: held.spec.leaseTransitions ?? 0 });
    },
  };
}

/** The API server accepts a metav1.MicroTime only with exactly six fraction digits. JavaScript writes three. */
const microTime = (at: Date): string => at.toISOString().replace('Z', '000Z');
