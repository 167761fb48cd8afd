import { MIRROR_LABEL, MIRROR_OF_LABEL, mirrorPodName, ownerReferenceTo, type MirrorPod } from '../../crd/mirrorpod.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import { isEmptySelector, selects, type LabelSelector } from '../../crd/selector.ts';

/** A NetworkPolicy of networking.k8s.io/v1. Its egress rules are copied unchanged and never interpreted. */
export interface NetworkPolicy extends KubeObject {
  spec: { podSelector?: LabelSelector; policyTypes?: string[]; ingress?: unknown[]; egress?: unknown[] };
}

const restrictsEgress = (policy: NetworkPolicy): boolean =>
  policy.spec.policyTypes ? policy.spec.policyTypes.includes('Egress') : policy.spec.egress !== undefined;

/** Whether the policy also applies to mirrors, whatever their labels are. Policies add up, so it may allow what our policy forbids. */
export const selectsEveryPod = (policy: NetworkPolicy): boolean => isEmptySelector(policy.spec.podSelector);

/**
 * The NetworkPolicy of a mirror. Nothing may connect to the mirror. The mirror may connect wherever the policies of the source allow it, or
 * everywhere if no policy restricts the source. The policy has the name of the mirror pod.
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
