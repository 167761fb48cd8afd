import type { WorkloadRef } from '../contract/failure.ts';
import type { ObjectMeta, OwnerReference, Pod, Workload } from '../crd/kubernetes.ts';
import type { KubeClient } from '../kube/connect.ts';
import { KINDS } from '../kube/kinds.ts';
import { WORKLOADS } from '../kube/resource.ts';
import { type Source, templateOf } from './policy/source.ts';

/**
 * The live source of a pod: the template of the workload that owns it, else the pod itself. When the pod is gone, `workload` (of its failure
 * record) names the owner; undefined when nothing is left. A stored manifest is never a source.
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

/**
 * How many owners are followed. A pod of a Deployment has two: the ReplicaSet and the Deployment. The limit stops at a cycle of owner
 * references.
 */
const MAX_OWNERS = 5;

/** The workload that controls an object. If that workload is itself controlled (a ReplicaSet of a Deployment), the one above it. */
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
  // A workload of the same name with another uid is not the owner.
  return reference.uid && workload?.metadata.uid !== reference.uid ? undefined : workload;
}
