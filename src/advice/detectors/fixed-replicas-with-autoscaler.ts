import { about, type Detector } from './detector.ts';
import { autoscalerOf } from './view.ts';

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Manifests that reset the autoscaler's replicas each time they are applied. */
export const fixedReplicasWithAutoscaler: Detector = {
  id: 'fixed-replicas-with-autoscaler',
  title: 'A manifest and an autoscaler both set the replicas',
  category: 'scaling',
  severity: 'medium',
  requires: ['Deployment', 'StatefulSet', 'HorizontalPodAutoscaler'],
  why: 'Each apply sets the number back to the one in the manifest, even while the autoscaler is handling a peak.',
  run: (view) =>
    view.servers.flatMap((subject) => {
      const autoscaler = autoscalerOf(view, subject);
      const stated = statedReplicas(subject.object.metadata.annotations?.[APPLIED]);
      if (!autoscaler || stated === undefined) return [];
      const { minReplicas = 1, maxReplicas } = autoscaler.spec;
      // If both have the same number, nothing is reset.
      if (minReplicas === maxReplicas && stated === maxReplicas) return [];
      return about(subject, {
        summary: `The manifest of ${subject.kind} ${subject.name} sets ${stated} replicas, but HorizontalPodAutoscaler ${autoscaler.metadata.name} chooses between ${minReplicas} and ${maxReplicas}.`,
        evidence: { stated, replicas: subject.replicas ?? null, minimum: minReplicas, maximum: maxReplicas },
        change:
          'Remove `spec.replicas` from the manifest. The first time, use `kubectl apply edit-last-applied`, so that the workload is not scaled to one.',
      });
    }),
};

function statedReplicas(applied: string | undefined): number | undefined {
  const found = /"replicas":\s*(\d+)/.exec(applied ?? '')?.[1];
  return found === undefined ? undefined : Number(found);
}
