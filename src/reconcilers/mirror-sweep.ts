import type { KubeObject } from '../crd/kubernetes.ts';
import { MIRROR_LABEL } from '../crd/mirrorpod.ts';
import type { TrialRepository } from '../db/trials.ts';
import { isMirrorPod } from '../failures/evidence.ts';
import type { KubeClient } from '../kube/connect.ts';
import { isKubeError } from '../kube/errors.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';

export interface SweepDeps {
  client: Pick<KubeClient, 'list' | 'remove'>;
  trials: Pick<TrialRepository, 'unfinished' | 'end'>;
  now(): Date;
}

/**
 * Clears away what MirrorPods left that no longer exist: their pods and policies (which a cluster's own collector removes too, in
 * its own time), and trials that nobody ended. Owners are listed last, so that what has one by then is left alone.
 */
export function mirrorSweep({ client, trials, now }: SweepDeps): () => Promise<void> {
  const ownerOf = ({ metadata }: KubeObject): string | undefined => metadata.ownerReferences?.find(({ kind }) => kind === 'MirrorPod')?.uid;
  const removeAll = async (kind: Kind, orphans: KubeObject[]): Promise<void> => {
    for (const { metadata } of orphans)
      await client.remove(kind, metadata.namespace, metadata.name ?? '', { uid: metadata.uid ?? '' }).catch((error: unknown) => {
        if (!isKubeError(error, 409)) throw error;
      });
  };
  return async () => {
    const selection = { labelSelector: `${MIRROR_LABEL}=true` };
    const [pods, policies] = await Promise.all([client.list(KINDS.pod, selection), client.list(KINDS.networkPolicy, selection)]);
    const open = await trials.unfinished();
    // Mirrors that are kept may be many, and are not read where nothing needs an owner.
    if (pods.length + policies.length + open.length === 0) return;
    const mirrors = new Set((await client.list(KINDS.mirrorPod)).map(({ metadata }) => metadata.uid));
    const isOrphan = (object: KubeObject): boolean => ownerOf(object) !== undefined && !mirrors.has(ownerOf(object));
    await removeAll(
      KINDS.pod,
      pods.filter((pod) => isMirrorPod(pod) && isOrphan(pod) && !pod.metadata.deletionTimestamp),
    );
    await removeAll(KINDS.networkPolicy, policies.filter(isOrphan));
    for (const id of open) if (!mirrors.has(id)) await trials.end(id, now());
  };
}
