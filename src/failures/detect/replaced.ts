import type { KubeObject, Pod } from '../../crd/kubernetes.ts';
import { millis } from './view.ts';

/** Replacements that have been Ready for this long are trusted, however long the failed pod had lived. */
const TRUSTED_MS = 300_000;
/** Controllers that replace a failed pod and leave it in the list. A Job is not done before its failed work is. */
const REPLACING = new Set(['ReplicaSet', 'Deployment', 'StatefulSet', 'DaemonSet']);

/**
 * Whether a failed pod is only a leftover: its workload (`root`) has all pods that it wants, and each has been Ready for longer than the
 * failed one lived. A pod that failed for the same reason before means that it happens again and again. `pods` are all of the workload. Pure.
 */
export function isReplaced(failed: Pod, { root, pods, now }: { root: KubeObject | undefined; pods: readonly Pod[]; now: Date }): boolean {
  if (failed.status?.phase !== 'Failed' || !root || !REPLACING.has(root.kind ?? '')) return false;
  const others = pods.filter(({ metadata }) => metadata.uid !== failed.metadata.uid);
  if (others.some(({ status }) => status?.phase === 'Failed' && status.reason === failed.status?.reason)) return false;
  const lived = endOf(failed) - (millis(failed.metadata.creationTimestamp) ?? 0);
  const enough = Math.min(lived, TRUSTED_MS);
  const steady = others.filter(({ metadata, status }) => {
    const ready = status?.conditions?.find(({ type }) => type === 'Ready');
    const since = ready?.status === 'True' ? millis(ready.lastTransitionTime) : undefined;
    return !metadata.deletionTimestamp && since !== undefined && now.getTime() - since >= enough;
  });
  return steady.length >= wanted(root);
}

/** When a failed pod ended: its last change. */
function endOf({ status }: Pod): number {
  return Math.max(0, ...(status?.conditions ?? []).map(({ lastTransitionTime }) => millis(lastTransitionTime) ?? 0));
}

function wanted({
  kind,
  spec,
  status,
}: KubeObject & { spec?: { replicas?: number }; status?: { desiredNumberScheduled?: number } }): number {
  return kind === 'DaemonSet' ? (status?.desiredNumberScheduled ?? 1) : (spec?.replicas ?? 1);
}
