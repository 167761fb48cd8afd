import type { Change } from '../../contract/failure.ts';
import { fieldPath, valueAt } from '../../crd/field-path.ts';
import type { KubeObject, PodTemplate, Workload } from '../../crd/kubernetes.ts';
import type { Correction } from '../corrections/correction.ts';
import { code } from '../rendering/quote.ts';
import type { RuleInput } from '../facts/input.ts';
import type { Revisions } from './revisions.ts';
import { rolloutBlock } from './rollout.ts';

/**
 * For a new pod that needs what an old pod of its Deployment holds until the new one is ready. The correction makes the update end an old
 * pod first; it changes only the owner, because the pod itself is right. Empty when the owner or its surroundings are unknown.
 */
export function oldPodsFirst({ subject: { owner, surroundings } }: RuleInput): Correction[] {
  const old = owner && oldOf(owner as Workload, surroundings?.revisions);
  const block = old && rolloutBlock({ old, young: owner, surroundings });
  if (!block) return [];
  const change = (field: string, to: number, why: string): Change => {
    const path = fieldPath('spec.strategy.rollingUpdate', field);
    return { path, from: valueAt(owner, path), to, why, of: 'owner' };
  };
  return [
    {
      title: 'End the old pod before the new one starts',
      changes: [
        change('maxUnavailable', 1, 'the new pod waits for what the old one holds'),
        change('maxSurge', 0, 'an update starts no extra pod'),
      ],
      confidence: areAllReady(owner as Workload) ? 'likely' : 'guess',
      explanation: `${block}, and Deployment ${code(owner.metadata.name ?? '')} keeps it until a new one is ready. During an update a pod is then missing for a moment.`,
      mirrorable: false,
    },
  ];
}

/** The Deployment with the template of its remaining old pods; undefined when none remain. */
function oldOf(owner: Workload, revisions: Revisions | undefined): KubeObject | undefined {
  const { replicas, updatedReplicas, readyReplicas } = countsOf(owner);
  if (owner.kind !== 'Deployment' || replicas <= updatedReplicas || readyReplicas === 0) return undefined;
  const template: PodTemplate = { ...owner.spec.template, ...(revisions && { spec: revisions.previous }) };
  return { ...owner, spec: { ...owner.spec, template } } as KubeObject;
}

/** Whether all pods are ready except one additional pod. */
function areAllReady(owner: Workload): boolean {
  return countsOf(owner).readyReplicas >= Number(owner.spec['replicas'] ?? 1);
}

function countsOf({ status = {} }: Workload): Record<'replicas' | 'updatedReplicas' | 'readyReplicas', number> {
  const count = (field: string): number => Number(status[field] ?? 0);
  return { replicas: count('replicas'), updatedReplicas: count('updatedReplicas'), readyReplicas: count('readyReplicas') };
}
