import type { KubeClient } from './connect.ts';
import { isKubeError } from './errors.ts';
import { KINDS, type Lease } from './kinds.ts';

export interface LeaseOptions {
  client: Pick<KubeClient, 'read' | 'create' | 'replace'>;
  namespace: string;
  /** No two living processes have the same; one that ended may pass it on. */
  identity: string;
  /** Milliseconds on a clock that never jumps, whatever the time of day does. */
  clock?: () => number;
  /** For the instants that the Lease shows people; nothing is decided by them. */
  now(): Date;
}

/** Without a renewal for so long the Lease is anybody's. */
const DURATION_SECONDS = 20;
const NAME = 'podmend';

/** A `coordination.k8s.io` Lease as one of those who want it sees it. Methods throw what the client throws. */
export interface LeaseLock {
  /** Takes it when it is free, ours, or was not renewed for its duration. Its transitions then are more than `above`: the new epoch. */
  take(above: number): Promise<{ epoch: number } | { heldBy: string }>;
  /** False when it is not ours any more. */
  renew(): Promise<boolean>;
  /** Sets it free for the next one, if it is still ours. */
  release(): Promise<void>;
}

type Spec = NonNullable<Lease['spec']>;

/**
 * Others' instants are never compared with ours: a Lease is expired when it has not changed, on our own clock, for as long as it is
 * good for. All writes carry the resourceVersion that was read, so of two that take it at once one gets a 409.
 */
export function leaseLock({ client, namespace, identity, clock = () => performance.now(), now }: LeaseOptions): LeaseLock {
  let held: Lease | undefined;
  let epoch = 0;
  /** The Lease as it last changed; `ms` is how long it is good for from `at`. A Lease that somebody deleted runs out like any other. */
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
      if (!isFree(lease)) return { heldBy: seen.holder };
      epoch = Math.max(above, lease.spec?.leaseTransitions ?? 0) + 1;
      const isTaken = await write(lease, { holderIdentity: identity, acquireTime: microTime(now()), leaseTransitions: epoch });
      return isTaken ? { epoch } : { heldBy: 'somebody who was quicker' };
    },
    async renew() {
      if (held?.spec && (await write(held, held.spec))) return true;
      // An answer was lost, or somebody wrote a note on it: what counts is whether it is still ours.
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
