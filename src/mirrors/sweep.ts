import type { KubeObject } from '../crd/kubernetes.ts';
import { MIRROR_LABEL, isMirrorPod, mirrorUidOf } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import type { KubeClient } from '../kube/client.ts';
import { isKubeError } from '../kube/errors.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';

export interface SweepDeps {
  client: Pick<KubeClient, 'list' | 'remove'>;
  trials: Pick<TrialRepository, 'unfinished' | 'end'>;
  now(): Date;
}

/**
 * Removes leftovers of MirrorPods: pods and policies that have lost their MirrorPod or their owner reference, and closes trials that are
 * still open. (The cluster's garbage collector also removes most of these objects, but later.) MirrorPods are listed last, so that objects
 * of new MirrorPods stay.
 */
export function mirrorSweep({ client, trials, now }: SweepDeps): () => Promise<void> {
  const removeAll = async (kind: Kind, objects: KubeObject[]): Promise<void> => {
    for (const { metadata } of objects)
      await client.remove(kind, metadata.namespace, metadata.name ?? '', { uid: metadata.uid ?? '' }).catch((error: unknown) => {
        if (!isKubeError(error, 409)) throw error;
      });
  };
  return async () => {
    const selection = { labelSelector: `${MIRROR_LABEL}=true` };
    const [pods, policies] = await Promise.all([client.list(KINDS.pod, selection), client.list(KINDS.networkPolicy, selection)]);
    const open = await trials.unfinished();
    // There may be many retained MirrorPods, so list them only if something may have lost its owner.
    if (pods.length + policies.length + open.length === 0) return;
    const mirrors = new Set((await client.list(KINDS.mirrorPod)).map(({ metadata }) => metadata.uid));
    const isLeft = (object: KubeObject): boolean => !mirrors.has(ownerOf(object)) && isOurs(object);
    await removeAll(
      KINDS.pod,
      pods.filter((pod) => isMirrorPod(pod) && isLeft(pod) && !pod.metadata.deletionTimestamp),
    );
    await removeAll(KINDS.networkPolicy, policies.filter(isLeft));
    for (const id of open) if (!mirrors.has(id)) await trials.end(id, now());
  };
}

const ownerOf = ({ metadata }: KubeObject): string | undefined => metadata.ownerReferences?.find(({ kind }) => kind === 'MirrorPod')?.uid;

/** Whether the object belongs to a MirrorPod, or has no owner but was made for a MirrorPod. Objects with other owners are left alone. */
function isOurs(object: KubeObject): boolean {
  const { ownerReferences = [] } = object.metadata;
  return ownerOf(object) !== undefined || (ownerReferences.length === 0 && mirrorUidOf(object) !== undefined);
}
