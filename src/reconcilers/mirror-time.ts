import type { Pod } from '../crd/kubernetes.ts';
import { mirrorPodName, type MirrorPod } from '../crd/mirrorpod.ts';
import type { KubeClient } from '../kube/connect.ts';
import type { Pass } from '../kube/controller.ts';
import { isKubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { keyOf, partsOf } from '../kube/store.ts';
import type { Cache } from '../kube/watch.ts';
import { ownExpiryOf } from '../mirrors/decide.ts';

export interface MirrorTimeDeps {
  client: Pick<KubeClient, 'remove'>;
  mirrors: Pick<Cache<MirrorPod>, 'byUid'>;
  pods: Pick<Cache<Pod>, 'get'>;
  now(): Date;
}

/** The key of a MirrorPod's pod, whether or not there is one. */
export function podKeyOf({ metadata, spec }: MirrorPod): string {
  return keyOf({ ...metadata, name: mirrorPodName(spec.source.name, metadata.uid ?? '') });
}

/**
 * Ends mirror pods at their time, by what the caches know and with a single request each: the pass over the MirrorPod, which tells how it
 * ended, asks for more and may have to wait for others. A pod whose MirrorPod or time is not known (yet) is left to that pass.
 */
export function mirrorTimeReconciler({ client, mirrors, pods, now }: MirrorTimeDeps): (key: string) => Promise<Pass> {
  return async (key) => {
    const { namespace, name } = partsOf(key);
    const pod = pods.get(namespace, name);
    const owner = pod?.metadata.ownerReferences?.find(({ kind }) => kind === 'MirrorPod');
    const mirror = owner && mirrors.byUid(owner.uid);
    if (!pod || !mirror || pod.metadata.deletionTimestamp) return undefined;
    const expiresAt = ownExpiryOf(mirror);
    if (!expiresAt) return undefined;
    const leftMs = expiresAt.getTime() - now().getTime();
    if (leftMs > 0) return { requeueAfterMs: leftMs };
    try {
      await client.remove(KINDS.pod, namespace, name, { uid: pod.metadata.uid ?? '' });
    } catch (error) {
      // Another pod of that name is not ours.
      if (!isKubeError(error, 409)) throw error;
    }
    return undefined;
  };
}
