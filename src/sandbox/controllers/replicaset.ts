import type { Api } from '../api/api.ts';
import type { Stored } from '../store/object.ts';
import { timeText } from '../store/object.ts';
import { recorder } from './recorder.ts';
import { controllerLoop } from './loop.ts';
import { createPod, deletePod, isFinished, isReady, ownerKeys, podsOf, withCondition } from './pods.ts';

/** Keeps the wanted number of pods of a ReplicaSet. The condition `ReplicaFailure` says why pods are refused. */
export function startReplicaSets(api: Api): () => void {
  const kind = api.registry.builtin('replicasets');
  const record = recorder(api, 'replicaset-controller');

  /** The first refusal ends the pass, because the next attempt would be refused too. The loop does the backoff. */
  function scale(set: Stored, pods: Stored[]): string | undefined {
    const missing = set.spec.replicas - pods.length;
    for (let i = 0; i < missing; i += 1) {
      const refusal = createPod(api, set, record);
      if (refusal) return refusal;
    }
    const unready = pods.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b)));
    for (const pod of unready.slice(0, Math.max(0, -missing))) deletePod(api, set, pod, record);
    return undefined;
  }

  const loop = controllerLoop(api, ownerKeys(api, kind.storage, 'ReplicaSet'), (key) => {
    const set = api.store.get(kind.storage, key);
    if (!set || set.metadata.deletionTimestamp) return;
    const refusal = scale(
      set,
      podsOf(api, set).filter((pod) => !isFinished(pod) && !pod.metadata.deletionTimestamp),
    );
    const pods = podsOf(api, set).filter((pod) => !isFinished(pod) && !pod.metadata.deletionTimestamp);
    const ready = pods.filter(isReady).length;
    const terminating = podsOf(api, set).filter((pod) => !isFinished(pod) && pod.metadata.deletionTimestamp).length;
    api.change(kind, set, 'status', (copy) => {
      const { conditions: before, ...rest } = copy.status ?? {};
      const others = (before ?? []).filter((c: { type: string }) => c.type !== 'ReplicaFailure');
      const known = (before ?? []).find((c: { type: string }) => c.type === 'ReplicaFailure');
      const failure = { message: refusal, reason: 'FailedCreate', status: 'True', type: 'ReplicaFailure' };
      // The message of the first refusal stays. Each refusal names another pod, so the status would change for ever.
      const refused = known ? [...others, known] : withCondition(before, failure, timeText(api.clock.now()));
      const conditions = refusal ? refused : others;
      for (const field of ['readyReplicas', 'availableReplicas', 'fullyLabeledReplicas']) delete rest[field];
      copy.status = {
        ...rest,
        ...(conditions.length && { conditions }),
        ...(pods.length && { fullyLabeledReplicas: pods.length }),
        ...(ready && { readyReplicas: ready, availableReplicas: ready }),
        observedGeneration: set.metadata.generation,
        replicas: pods.length,
        terminatingReplicas: terminating,
      };
    });
    if (refusal) throw new Error(refusal);
  });
  return () => loop.stop();
}
