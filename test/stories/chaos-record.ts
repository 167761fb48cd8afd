import type { KubeObject, Pod } from '../../src/crd/kubernetes.ts';
import { MIRROR_LABEL } from '../../src/crd/mirrorpod.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import { watchKind } from '../../src/kube/watch.ts';
import type { NetworkPolicy } from '../../src/mirrors/policy/network.ts';

/** What was seen of one mirror pod. Times are milliseconds of this machine's clock, or of the cluster's clock where the comment says so. */
export interface SeenMirror {
  /** The uid of its MirrorPod. */
  of: string;
  name: string;
  seenAt: number;
  /** When the kubelet must end it, by the cluster's clock: its start plus its `activeDeadlineSeconds`. */
  deadlineAt?: number;
  /** When its deletion was requested: as the API server stamped it (whole seconds), and as it was seen here. */
  deletedAt?: number;
  deletionSeenAt?: number;
  /** When none of its containers ran any more: its phase became Failed, or the object was gone. */
  endedAt?: number;
  /** The resource version when it was first seen. All kinds in a cluster share one counter of versions. */
  version: number;
}

interface EndpointSlice extends KubeObject {
  endpoints?: { addresses: string[]; targetRef?: { name?: string } }[];
}

const ENDPOINT_SLICES: Kind<EndpointSlice> = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  plural: 'endpointslices',
  namespaced: true,
};

/** Watches pods, policies, endpoints and MirrorPods in some namespaces, and records everything that the story asks for. */
export function recordChaos(client: KubeClient, namespaces: string[]) {
  const mirrors = new Map<string, SeenMirror>();
  const expirations = new Map<string, number>();
  /** The uids of all pods that each ReplicaSet ever had. */
  const replicas = new Map<string, Set<string>>();
  const policies = new Map<string, NetworkPolicy>();
  const addresses = new Map<string, string>();
  const served: string[] = [];
  let endpoints = 0;
  const watch = <T extends KubeObject>(kind: Kind<T>) => watchKind<T, T>(client, kind, { namespaces, project: (object) => object });
  const [policyCache, mirrorCache] = [watch(KINDS.networkPolicy as Kind<NetworkPolicy>), watch(KINDS.mirrorPod)];
  const [podCache, sliceCache] = [watch(KINDS.pod), watch(ENDPOINT_SLICES)];
  const caches = [policyCache, mirrorCache, podCache, sliceCache];

  policyCache.onChange(({ object }) => void policies.set(object.metadata.name ?? '', object));
  mirrorCache.onChange(({ object: { metadata, status } }) => {
    if (status?.expirationTime) expirations.set(metadata.uid ?? '', Date.parse(status.expirationTime));
  });
  podCache.onChange(({ type, object }) => {
    const now = Date.now();
    if (object.status?.podIP) addresses.set(object.status.podIP, object.metadata.name ?? '');
    if (object.metadata.labels?.[MIRROR_LABEL] !== 'true') return seeReplica(object);
    const { uid = '', name = '', ownerReferences } = object.metadata;
    const seen = mirrors.get(uid) ?? {
      of: ownerReferences?.[0]?.uid ?? '',
      name,
      seenAt: now,
      version: Number(object.metadata.resourceVersion),
    };
    mirrors.set(uid, { ...seen, ...lifeOf(object, type === 'DELETED', now, seen) });
  });
  sliceCache.onChange(({ object }) => {
    for (const { addresses: ips, targetRef } of object.endpoints ?? []) {
      endpoints += 1;
      const name = targetRef?.name ?? ips.map((ip) => addresses.get(ip)).join();
      if (name.includes('-mirror-')) served.push(name);
    }
  });
  const seeReplica = ({ metadata }: Pod): void => {
    const owner = metadata.ownerReferences?.find(({ kind }) => kind === 'ReplicaSet');
    if (owner) replicas.set(owner.uid, (replicas.get(owner.uid) ?? new Set()).add(metadata.uid ?? ''));
  };
  return {
    mirrors,
    expirations,
    replicas,
    policies,
    /** The names of mirror pods that any EndpointSlice ever held. */
    served,
    endpoints: () => endpoints,
    /** MirrorPods and mirror pods that exist now. */
    live: () => ({
      mirrorPods: mirrorCache.list().length,
      pods: podCache.list().filter(({ metadata }) => metadata.labels?.[MIRROR_LABEL] === 'true').length,
    }),
    async start() {
      for (const cache of caches) await cache.start();
    },
    async stop() {
      await Promise.all(caches.map((cache) => cache.stop()));
    },
  };
}

function lifeOf({ metadata, spec, status }: Pod, isGone: boolean, now: number, seen: SeenMirror): Partial<SeenMirror> {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = metadata as Pod['metadata'] & { deletionGracePeriodSeconds?: number };
  const isOver = isGone || status?.phase === 'Failed' || status?.phase === 'Succeeded';
  const startedAt = Date.parse((status as { startTime?: string } | undefined)?.startTime ?? '');
  return {
    ...(startedAt && spec.activeDeadlineSeconds ? { deadlineAt: startedAt + spec.activeDeadlineSeconds * 1000 } : {}),
    ...(deletionTimestamp && seen.deletionSeenAt === undefined
      ? { deletedAt: Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000, deletionSeenAt: now }
      : {}),
    ...(isOver && seen.endedAt === undefined ? { endedAt: now } : {}),
  };
}
