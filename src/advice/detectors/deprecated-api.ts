import type { KubeObject } from '../../crd/kubernetes.ts';
import { about, type Detector, type DetectorResult, named } from './detector.ts';
import { SERVERS, type Subject } from './view.ts';

const APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** API versions of kinds that no scanner reads (the check `removed-api` looks at the others), with the release that removed them. */
const REMOVED: [version: RegExp, release: string, instead: string][] = [
  [/^policy\/v1beta1$/, '1.25', 'policy/v1'],
  [/^autoscaling\/v2beta1$/, '1.25', 'autoscaling/v2'],
  [/^autoscaling\/v2beta2$/, '1.26', 'autoscaling/v2'],
];
/** Annotations of pods that fields have replaced. */
const ANNOTATIONS: [key: RegExp, since: string, instead: string][] = [
  [/^(container\.)?seccomp\.(security\.)?alpha\.kubernetes\.io\//, '1.27', 'securityContext.seccompProfile'],
  [/^container\.apparmor\.security\.beta\.kubernetes\.io\//, '1.30', 'securityContext.appArmorProfile'],
  [/^scheduler\.alpha\.kubernetes\.io\//, '1.16', 'priorityClassName, tolerations and affinity'],
];
/** Labels of nodes that were renamed. */
const LABELS: [key: RegExp, since: string, instead: string][] = [
  [/^beta\.kubernetes\.io\/(os|arch|instance-type)$/, '1.18', 'kubernetes.io/os, kubernetes.io/arch, node.kubernetes.io/instance-type'],
  [/^failure-domain\.beta\.kubernetes\.io\//, '1.17', 'topology.kubernetes.io/zone and /region'],
  [/^node-role\.kubernetes\.io\/master$/, '1.25', 'node-role.kubernetes.io/control-plane'],
];

interface Use {
  use: string;
  since: string;
  instead: string;
}

/** Manifests that use names which newer releases do not know. */
export const deprecatedApi: Detector = {
  id: 'deprecated-api',
  title: 'A manifest uses something that Kubernetes has removed or renamed',
  category: 'lifecycle',
  severity: 'medium',
  requires: [...SERVERS, 'Job', 'CronJob', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'],
  why: 'What runs now keeps running, because the API server has converted it. But the next apply of the manifest fails, or a newer cluster silently ignores the outdated parts.',
  run: ({ workloads, budgets, autoscalers }) => [
    ...workloads.flatMap((subject) => {
      const uses = [...annotationsIn(subject), ...nodeLabelsIn(subject)];
      return uses.length > 0 ? [about(subject, resultOf(subject.kind, subject.name, uses))] : [];
    }),
    ...[
      ...budgets.map((one) => ['PodDisruptionBudget', one] as const),
      ...autoscalers.map((one) => ['HorizontalPodAutoscaler', one] as const),
    ].flatMap(([kind, object]) => {
      const { name = '' } = object.metadata;
      const uses = versionsIn(kind, object);
      return uses.length > 0 ? [{ kind, name, ...resultOf(kind, name, uses) }] : [];
    }),
  ],
};

function resultOf(kind: string, name: string, uses: Use[]): Pick<DetectorResult, 'summary' | 'evidence' | 'change'> {
  return {
    summary: `The manifest of ${kind} ${name} uses ${named(uses.map(({ use }) => use))}, outdated since Kubernetes ${uses[0]?.since}.`,
    evidence: { uses },
    change: uses.map(({ use, instead }) => `- \`${use}\`: use ${instead}`).join('\n'),
  };
}

/** The versions of the manifest that was applied last. The API server itself returns every object in the requested version. */
function versionsIn(kind: string, { metadata }: KubeObject): Use[] {
  const applied = /"apiVersion":\s*"([^"]+)"/.exec(metadata.annotations?.[APPLIED] ?? '')?.[1];
  const found = REMOVED.find(([version]) => applied !== undefined && version.test(applied));
  return found ? [{ use: `apiVersion ${applied} of ${kind}`, since: found[1], instead: found[2] }] : [];
}

function annotationsIn({ annotations }: Subject): Use[] {
  return usesOf(Object.keys(annotations), ANNOTATIONS, 'annotation');
}

function nodeLabelsIn({ spec: { nodeSelector = {}, affinity, tolerations = [], topologySpreadConstraints = [] } }: Subject): Use[] {
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  const keys = [
    ...Object.keys(nodeSelector),
    ...terms.flatMap(({ matchExpressions = [] }) => matchExpressions.map(({ key }) => key)),
    ...tolerations.flatMap(({ key }) => (key ? [key] : [])),
    ...topologySpreadConstraints.map(({ topologyKey }) => String(topologyKey)),
  ];
  return usesOf(keys, LABELS, 'label');
}

function usesOf(keys: string[], known: [RegExp, string, string][], what: string): Use[] {
  return [...new Set(keys)].flatMap((key) => {
    const found = known.find(([pattern]) => pattern.test(key));
    return found ? [{ use: `${what} ${key}`, since: found[1], instead: found[2] }] : [];
  });
}
