import type { WorkloadRef } from '../contract/failure.ts';
import type { Pod } from '../crd/kubernetes.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS } from '../kube/kinds.ts';
import { ownersOf, readWorkload } from '../kube/workloads.ts';
import { type Source, templateOf } from './policy/source.ts';

/**
 * Finds the live source of a pod: the template of the workload that owns it, or else the pod itself. If the pod is gone, `workload` from its
 * failure record names the owner. Undefined if the owner is gone too. A stored manifest is never a source.
 */
export async function findSource(
  client: Pick<KubeClient, 'read'>,
  { namespace, name, workload }: { namespace: string; name: string; workload?: WorkloadRef | null },
): Promise<Source | undefined> {
  const pod = await client.read(KINDS.pod, namespace, name);
  const owner = pod ? (await ownersOf(client, pod.metadata)).at(-1) : workload && (await readWorkload(client, namespace, workload));
  if (!pod && !owner) return undefined;
  const template = owner ? templateOf(owner, name) : { metadata: pod?.metadata ?? {}, spec: (pod as Pod).spec };
  const labels = pod?.metadata.labels ?? template.metadata?.labels ?? {};
  return { name, namespace, template, labels, ...(pod ? { pod } : {}), ...(owner ? { owner } : {}) };
}
