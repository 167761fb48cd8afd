import type { Api } from '../api/api.ts';
import type { Stored } from '../store/object.ts';
import { recorder } from './recorder.ts';
import { controllerLoop } from './loop.ts';
import { createPod, deletePod, isFinished, isReady, ownerKeys, podsOf } from './pods.ts';

/** StatefulSets: pods with fixed names, each created when the previous one is ready. */
export function startStatefulSets(api: Api): () => void {
  const kind = api.registry.builtin('statefulsets');
  const record = recorder(api, 'statefulset-controller');
  const loop = controllerLoop(api, ownerKeys(api, kind.storage, 'StatefulSet'), (key) => {
    const set = api.store.get(kind.storage, key);
    if (!set || set.metadata.deletionTimestamp) return;
    const byName = new Map(podsOf(api, set).map((pod) => [pod.metadata.name, pod]));
    const name = (i: number) => `${set.metadata.name}-${i}`;
    for (let i = 0; i < set.spec.replicas; i += 1) {
      const pod = byName.get(name(i));
      if (
        !pod &&
        createPod(api, set, record, {
          name: name(i),
          labels: { 'apps.kubernetes.io/pod-index': String(i), 'statefulset.kubernetes.io/pod-name': name(i) },
        })
      )
        throw new Error('refused');
      if (pod && isFinished(pod)) deletePod(api, set, pod, record);
      if (set.spec.podManagementPolicy === 'OrderedReady' && !(pod && isReady(pod))) break;
    }
    for (const [podName, pod] of byName)
      if (Number(podName.slice(set.metadata.name.length + 1)) >= set.spec.replicas && !pod.metadata.deletionTimestamp)
        deletePod(api, set, pod, record);
    const pods = podsOf(api, set);
    const ready = pods.filter(isReady).length;
    api.change(kind, set, 'status', (copy) => {
      copy.status = {
        ...(ready && { readyReplicas: ready, availableReplicas: ready }),
        collisionCount: 0,
        currentReplicas: pods.length,
        observedGeneration: set.metadata.generation,
        replicas: pods.length,
        updatedReplicas: pods.length,
      };
    });
  });
  return () => loop.stop();
}

/** DaemonSets: one pod on each node. */
export function startDaemonSets(api: Api): () => void {
  const kind = api.registry.builtin('daemonsets');
  const nodes = api.registry.builtin('nodes');
  const record = recorder(api, 'daemonset-controller');
  const loop = controllerLoop(api, ownerKeys(api, kind.storage, 'DaemonSet'), (key) => {
    const set = api.store.get(kind.storage, key);
    if (!set || set.metadata.deletionTimestamp) return;
    const names = api.store.list(nodes.storage).map((node) => node.metadata.name);
    const on = (pod: Stored, node: string) => pod.spec.nodeSelector?.['kubernetes.io/hostname'] === node;
    for (const pod of podsOf(api, set)) if (isFinished(pod) && !pod.metadata.deletionTimestamp) deletePod(api, set, pod, record);
    for (const nodeName of names)
      if (!podsOf(api, set).some((pod) => on(pod, nodeName)) && createPod(api, set, record, { nodeName })) throw new Error('refused');
    const pods = podsOf(api, set);
    const ready = pods.filter(isReady).length;
    api.change(kind, set, 'status', (copy) => {
      copy.status = {
        currentNumberScheduled: pods.length,
        desiredNumberScheduled: names.length,
        numberAvailable: ready,
        numberMisscheduled: 0,
        numberReady: ready,
        ...(names.length > ready && { numberUnavailable: names.length - ready }),
        observedGeneration: set.metadata.generation,
        updatedNumberScheduled: pods.length,
      };
    });
  });
  return () => loop.stop();
}
