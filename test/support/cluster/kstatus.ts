import type { KubeObject } from '../../../src/crd/kubernetes.ts';

/** The state of an object, as tools that wait for it see it. */
export type KStatus = 'InProgress' | 'Failed' | 'Current' | 'Terminating';

/**
 * The generic rules of kstatus, by which Flux, kpt and others decide whether an object is done. Their order: being deleted, a generation
 * that was not observed yet, the abnormal conditions in their order, Ready. An object that reports nothing is done.
 * Source: https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md ("Statuses", "Conditions", "Ready condition").
 */
export function kstatusOf({ metadata, status }: KubeObject & { status?: Status }): KStatus {
  if (metadata.deletionTimestamp) return 'Terminating';
  const { observedGeneration, conditions = [] } = status ?? {};
  if (metadata.generation !== undefined && observedGeneration !== undefined && observedGeneration !== metadata.generation)
    return 'InProgress';
  for (const { type, status: is } of conditions) {
    if (type === 'Reconciling' && is === 'True') return 'InProgress';
    if (type === 'Stalled' && is === 'True') return 'Failed';
  }
  const ready = conditions.find(({ type }) => type === 'Ready');
  return ready && ready.status !== 'True' ? 'InProgress' : 'Current';
}

interface Status {
  observedGeneration?: number;
  conditions?: { type: string; status: string }[];
}
