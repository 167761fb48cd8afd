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
  /** For the times that the Lease shows to people. Nothing is decided by them. */
  now(): Date;
}

/** After this time without a renewal any process may take the Lease. */
const DURATION_SECONDS = 20;
const NAME = 'podmend';

/** One candidate for a `coordination.k8s.io` Lease. Methods throw what the client throws. */
export interface LeaseLock {
  /**
   * Takes the Lease when it is free, is ours, or was not renewed for its duration. The new epoch, its number of transitions, is then higher
   * than `above`. `isRenewed`: the holder renewed it since the last look, so it lives.
   */
  take(above: number): Promise<{ epoch: number } | { heldBy: string; isRenewed?: true }>;
  /** Returns false when the Lease is no longer ours. */
  renew(): Promise<boolean>;
  /** Releases the Lease if it is still ours. */
  release(): Promise<void>;
}

type Spec = NonNullable<Lease['spec']>;

/**
 * Times of other machines are never compared with ours. A Lease is expired when it has not changed for its duration, measured by our own
 * clock. All writes carry the resourceVersion that was read. So when two processes take the Lease at once, one gets a 409.
 */
export function leaseLock({ client, namespace, identity, clock = () => performance.now(), now }: LeaseOptions): LeaseLock {
  let held: Lease | undefined;
  let epoch = 0;
  /** The Lease at its last change. It is valid for `ms` from `at`. A deleted Lease expires like any other. */
  let seen = { version: '', holder: '', at: 0, ms: 0 };

  const isFree = ({ metadata, spec }: Lease): boolean => {
    const { resourceVersion: version = '' } = metadata;
    if (version && version !== seen.version)
      seen = { version, holder: spec?.holderIdentity ?? '', at: clock(), ms: (spec?.leaseDurationSeconds ?? DURATION_SECONDS) * 1000 };
    return seen.holder === '' || seen.holder === identity || clock() - seen.at >= seen.ms;
  };
  const write = async (lease: Lease, spec: Spec): Promise<boolean> => {
    const wanted: Lease = { ...lease, spec: { ...spec, leaseDurationSeconds: DURATION_SECONDS, renewTime: microTime(now()) } };
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
      // Our write was answered too late, or somebody edited the Lease. What matters is whether it is still ours.
      const lease = await client.read(KINDS.lease, namespace, NAME);
      const { holderIdentity, leaseTransitions } = lease?.spec ?? {};
      return lease?.spec !== undefined && holderIdentity === identity && leaseTransitions === epoch && write(lease, lease.spec);
    },
    async release() {
      if (held?.spec) await write(held, { leaseTransitions: held.spec.leaseTransitions ?? 0 });
    },
  };
}

/** metav1.MicroTime is parsed with exactly six digits; three, as JavaScript writes them, are refused. */
const microTime = (at: Date): string => at.toISOString().replace('Z', '000Z');
