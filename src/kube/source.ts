import type { WorkloadRef } from '../contract/failure.ts';
import type { KubeObject, ObjectMeta, OwnerReference, Pod, Workload } from '../crd/kubernetes.ts';
import { MIRROR_LABEL } from '../crd/mirrorpod.ts';
import type { NetworkPolicy } from '../mirrors/network.ts';
import { templateOf, type Neighbours, type Source } from '../mirrors/source.ts';
import type { ResourceQuota } from '../mirrors/quota.ts';
import { PRIORITY_CLASS } from '../mirrors/isolate.ts';
import type { KubeClient } from './connect.ts';
import { KubeError } from './errors.ts';
import { KINDS, type Kind } from './kinds.ts';

/** Workloads whose template is the truth about their pods. Any other owner's pod speaks for itself. */
const WORKLOADS: Record<string, Kind<Workload>> = {
  Deployment: KINDS.deployment,
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
};

/**
 * The live source of a pod (DESIGN section 3, "The source is live"): the template of what owns it, else the pod itself. When the
 * pod is gone, `workload` (of its failure record) may still know; undefined when nothing is left.
 */
export async function findSource(
  client: Pick<KubeClient, 'read'>,
  { namespace, name, workload }: { namespace: string; name: string; workload?: WorkloadRef | null },
): Promise<Source | undefined> {
  const pod = await client.read(KINDS.pod, namespace, name);
  const owner = pod ? await ownerOf(client, pod.metadata) : workload && (await readWorkload(client, namespace, workload));
  if (!pod && !owner) return undefined;
  const template = owner ? templateOf(owner, name) : { metadata: pod?.metadata ?? {}, spec: (pod as Pod).spec };
  const labels = pod?.metadata.labels ?? template.metadata?.labels ?? {};
  return { name, namespace, template, labels, ...(pod ? { pod } : {}), ...(owner ? { owner } : {}) };
}

/** The pod or workload of that name: undefined when there is none, null for kinds that the operator may not read. */
export async function readResource(
  client: Pick<KubeClient, 'read'>,
  kind: string,
  namespace: string,
  name: string,
): Promise<KubeObject | undefined | null> {
  const readable: Kind | undefined = kind === 'Pod' ? KINDS.pod : Object.hasOwn(WORKLOADS, kind) ? WORKLOADS[kind] : undefined;
  return readable ? client.read(readable, namespace, name) : null;
}

/** Owners above owners: a ReplicaSet and its Deployment are two. Whoever may write references may close them to a ring. */
const MAX_OWNERS = 5;

/** The workload that controls an object, and where that is itself controlled (a Deployment's ReplicaSet), the one above. */
async function ownerOf(
  client: Pick<KubeClient, 'read'>,
  { namespace = '', ownerReferences }: ObjectMeta,
  left = MAX_OWNERS,
): Promise<Workload | undefined> {
  const reference = ownerReferences?.find(({ controller }) => controller);
  const owner = reference && left > 0 ? await readWorkload(client, namespace, reference) : undefined;
  return owner && ((await ownerOf(client, owner.metadata, left - 1)) ?? owner);
}

async function readWorkload(
  client: Pick<KubeClient, 'read'>,
  namespace: string,
  reference: WorkloadRef & Partial<OwnerReference>,
): Promise<Workload | undefined> {
  const kind = Object.hasOwn(WORKLOADS, reference.kind) ? WORKLOADS[reference.kind] : undefined;
  if (!kind || (reference.apiVersion && reference.apiVersion !== kind.apiVersion)) return undefined;
  const workload = await client.read(kind, namespace, reference.name);
  // Another one of the same name is not the owner.
  return reference.uid && workload?.metadata.uid !== reference.uid ? undefined : workload;
}

/** What a mirror in this namespace depends on besides its source. */
export async function readNeighbours(client: Pick<KubeClient, 'read' | 'list'>, namespace: string): Promise<Neighbours> {
  const [policies, claims, quotas, priorityClass] = await Promise.all([
    // Those of other mirrors select their own pods only.
    client.list(KINDS.networkPolicy, { namespace, labelSelector: `!${MIRROR_LABEL}` }),
    client.list(KINDS.persistentVolumeClaim, { namespace }),
    client.list(KINDS.resourceQuota, { namespace }),
    client.read(KINDS.priorityClass, undefined, PRIORITY_CLASS).catch(noneIfForbidden),
  ]);
  const modesOf = (claim: object): string[] => (claim as { spec?: { accessModes?: string[] } }).spec?.accessModes ?? [];
  const isShared = (claim: object): boolean => {
    const modes = modesOf(claim);
    return modes.includes('ReadWriteMany') || (modes.length > 0 && modes.every((mode) => mode === 'ReadOnlyMany'));
  };
  return {
    policies: policies as NetworkPolicy[],
    unsharedClaims: claims.filter((claim) => !isShared(claim)).map(({ metadata }) => metadata.name ?? ''),
    quotas: quotas as ResourceQuota[],
    hasPriorityClass: priorityClass !== undefined,
  };
}

/** An installation for some namespaces may not read cluster-scoped objects: then they count as absent. */
function noneIfForbidden(error: unknown): undefined {
  if (error instanceof KubeError && error.code === 403) return undefined;
  throw error;
}
