import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorPodName, ownerReferenceTo, type MirrorPod } from '../crd/mirrorpod.ts';
import type { KubeObject } from '../crd/kubernetes.ts';

export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** networking.k8s.io/v1. Egress rules are only handed on, never read. */
export interface NetworkPolicy extends KubeObject {
  spec: { podSelector?: LabelSelector; policyTypes?: string[]; ingress?: unknown[]; egress?: unknown[] };
}

/** Whether a selector chooses these labels, as `metav1.LabelSelector` says; an empty one chooses all. */
export function selects(selector: LabelSelector | undefined, labels: Record<string, string>): boolean {
  const equal = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => valueOf(labels, key) === value);
  return equal && (selector?.matchExpressions ?? []).every((expression) => expressionHolds(expression, labels));
}

/** A key like `constructor` is on every object, but no label. */
const valueOf = (labels: Record<string, string>, key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);

function expressionHolds(expression: { key: string; operator: string; values?: string[] }, labels: Record<string, string>): boolean {
  const value = valueOf(labels, expression.key);
  const listed = value !== undefined && (expression.values ?? []).includes(value);
  switch (expression.operator) {
    case 'In':
      return listed;
    case 'NotIn':
      return !listed;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}

const restrictsEgress = (policy: NetworkPolicy): boolean =>
  policy.spec.policyTypes ? policy.spec.policyTypes.includes('Egress') : policy.spec.egress !== undefined;

/** Whether the policy also holds for a mirror, whatever its labels are: policies add up, so it may open what ours closes. */
export const selectsEveryPod = (policy: NetworkPolicy): boolean =>
  Object.keys(policy.spec.podSelector?.matchLabels ?? {}).length === 0 && (policy.spec.podSelector?.matchExpressions ?? []).length === 0;

/**
 * The policy that a mirror brings: nothing may reach it; it may reach the union of what the policies selecting the source
 * allow, or everything when none restricts the source. Same name as the mirror pod.
 */
export function mirrorNetworkPolicy(
  mirror: MirrorPod,
  source: { labels: Record<string, string> },
  policies: readonly NetworkPolicy[],
): NetworkPolicy {
  const uid = mirror.metadata.uid ?? '';
  const restricting = policies.filter((policy) => restrictsEgress(policy) && selects(policy.spec.podSelector, source.labels));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: {
      name: mirrorPodName(mirror.spec.source.name, uid),
      namespace: mirror.metadata.namespace ?? '',
      labels: { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: uid },
      ownerReferences: [ownerReferenceTo(mirror)],
    },
    spec: {
      podSelector: { matchLabels: { [MIRROR_OF_LABEL]: uid } },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [],
      egress: restricting.length === 0 ? [{}] : restricting.flatMap((policy) => policy.spec.egress ?? []),
    },
  };
}
