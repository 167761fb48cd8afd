import { dumpManifest } from '../../crd/manifest.ts';
import { about, counted, type Detector, yaml } from './detector.ts';
import { budgetsFor, leastReplicas, servicesOf } from './view.ts';

/** Workloads whose replicas may all be evicted at once. */
export const missingDisruptionBudget: Detector = {
  id: 'missing-disruption-budget',
  title: 'Several replicas have no PodDisruptionBudget',
  category: 'availability',
  severity: 'medium',
  requires: ['Deployment', 'StatefulSet', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'],
  why: 'When several nodes are drained, as in a cluster upgrade, all replicas may be evicted at the same time. Only a budget makes the drain wait until replacements are ready.',
  run: (view) =>
    view.servers.flatMap((subject) => {
      const replicas = leastReplicas(view, subject);
      if (subject.kind === 'DaemonSet' || replicas < 2 || servicesOf(view, subject).length === 0) return [];
      if (budgetsFor(view, subject.labels).length > 0) return [];
      const { matchLabels } = subject.selector ?? {};
      return about(subject, {
        summary: `${subject.kind} ${subject.name} has ${counted(replicas, 'replica')}, and nothing keeps them from being evicted together.`,
        evidence: { replicas, budgets: 0 },
        change: yaml(
          dumpManifest({
            apiVersion: 'policy/v1',
            kind: 'PodDisruptionBudget',
            metadata: { name: subject.name },
            spec: { maxUnavailable: 1, selector: { matchLabels: matchLabels ?? subject.labels } },
          }),
        ),
      });
    }),
};
