import { about, type Detector, named } from './detector.ts';
import { autoscalerOf, budgetsFor, leastReplicas, servicesOf } from './view.ts';

/** Services that are down whenever their only pod is. */
export const singleReplica: Detector = {
  id: 'single-replica',
  title: 'A Service depends on a single pod',
  category: 'availability',
  severity: 'medium',
  requires: ['Deployment', 'StatefulSet', 'Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget'],
  why: 'With one replica, the Service is unavailable during each drain of its node, each eviction and each crash, and nothing makes a drain wait.',
  run: (view) =>
    view.servers.flatMap((subject) => {
      const services = servicesOf(view, subject);
      if (subject.kind === 'DaemonSet' || services.length === 0 || leastReplicas(view, subject) !== 1) return [];
      // A disruption budget shows that the author knows this.
      if (budgetsFor(view, subject.labels).length > 0) return [];
      const autoscaler = autoscalerOf(view, subject)?.metadata.name ?? null;
      return about(subject, {
        summary: `${subject.kind} ${subject.name} is the only pod behind Service ${named(services)}, without a PodDisruptionBudget.`,
        evidence: { services, replicas: subject.replicas ?? null, autoscaler, budgets: 0 },
        change: autoscaler
          ? `Set \`minReplicas: 2\` in HorizontalPodAutoscaler \`${autoscaler}\`, and give the pods a PodDisruptionBudget with \`maxUnavailable: 1\`.`
          : 'Run two replicas, with a PodDisruptionBudget with `maxUnavailable: 1`. If only one replica may run at a time, document this with a Suppression.',
      });
    }),
};
