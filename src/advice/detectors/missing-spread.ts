import { dumpManifest } from '../../crd/manifest.ts';
import { about, type Detector, named, yaml } from './detector.ts';
import { leastReplicas, podsOfServer } from './view.ts';

const MANY = 3;
/** With ScheduleAnyway, a pod that cannot be spread is placed all the same. */
const SPREAD = { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'ScheduleAnyway' };

/** Replicas that share a node and have no rule that spreads them. */
export const missingSpread: Detector = {
  id: 'missing-spread',
  title: 'Many replicas share few nodes',
  category: 'scheduling',
  severity: 'medium',
  requires: ['Deployment', 'StatefulSet', 'HorizontalPodAutoscaler', 'Pod'],
  why: 'Replicas protect against the loss of a node only if they are not all on that node. Without a rule, the scheduler tries to spread them, but does not have to.',
  run: (view) =>
    view.servers.flatMap((subject) => {
      const { affinity, topologySpreadConstraints = [] } = subject.spec;
      if (subject.kind === 'DaemonSet' || leastReplicas(view, subject) < MANY) return [];
      if (topologySpreadConstraints.length > 0 || affinity?.podAntiAffinity) return [];
      const nodes: Record<string, number> = {};
      for (const { spec } of podsOfServer(view, subject)) if (spec.nodeName) nodes[spec.nodeName] = (nodes[spec.nodeName] ?? 0) + 1;
      const placed = Object.values(nodes).reduce((sum, count) => sum + count, 0);
      const most = Math.max(0, ...Object.values(nodes));
      // If each replica happens to have its own node, nothing needs to change yet.
      if (placed < 2 || most < 2) return [];
      const matchLabels = subject.selector?.matchLabels ?? subject.labels;
      return about(subject, {
        summary: `${most} of the ${placed} pods of ${subject.kind} ${subject.name} run on one node (${named(Object.keys(nodes).filter((node) => nodes[node] === most))}), and no rule spreads them.`,
        evidence: { replicas: leastReplicas(view, subject), nodes, most_on_one_node: most },
        change: yaml(dumpManifest({ topologySpreadConstraints: [{ ...SPREAD, labelSelector: { matchLabels } }] })),
      });
    }),
};
