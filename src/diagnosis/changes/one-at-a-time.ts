import type { Workload } from '../../crd/kubernetes.ts';
import type { Correction } from '../corrections/correction.ts';
import { code } from '../rendering/quote.ts';
import type { RuleInput } from '../facts/input.ts';

/**
 * For a program that finds its data locked by another pod of its Deployment. A rolling update keeps the old pod until the new one is ready: with
 * `Recreate` the old one ends first. Several replicas that share a claim can never run at once. Both are changes of the owner.
 */
export function oneAtATime({ subject: { owner }, place }: RuleInput): Correction[] {
  const here = place();
  if (owner?.kind !== 'Deployment' || !here) return [];
  const claim = here.container?.volumeMounts?.flatMap(({ name, readOnly }) => {
    const volume = here.spec.volumes?.find((one) => one.name === name);
    return readOnly ? [] : (volume?.persistentVolumeClaim?.claimName ?? volume?.hostPath?.path ?? []);
  })[0];
  const { spec, status = {} } = owner as Workload;
  const { replicas = 1, strategy } = spec as { replicas?: number; strategy?: { type?: string } };
  if (claim === undefined || strategy?.type === 'Recreate') return [];
  if (replicas > 1)
    return [
      {
        title: 'Run 1 pod',
        changes: [{ path: 'spec.replicas', from: replicas, to: 1, why: `all its pods use ${code(claim)}, and only one may`, of: 'owner' }],
        confidence: 'guess',
        explanation: 'For several pods a StatefulSet gives each one a claim of its own.',
        mirrorable: false,
      },
    ];
  // Without a pod of an older revision nobody of this Deployment holds the lock.
  if (Number(status['replicas'] ?? 0) <= Number(status['updatedReplicas'] ?? 0) || !Number(status['readyReplicas'] ?? 0)) return [];
  return [
    {
      title: 'Let the old pod end before the new one comes',
      changes: [
        {
          path: 'spec.strategy',
          from: strategy ?? null,
          to: { type: 'Recreate' },
          why: `the old pod holds ${code(claim)} until the new one is ready`,
          of: 'owner',
        },
      ],
      confidence: 'likely',
      explanation: `With a rolling update the new pod waits for the lock of the old one, which ends only when the new one is ready. During each update no pod is there for a moment.`,
      mirrorable: false,
    },
  ];
}
