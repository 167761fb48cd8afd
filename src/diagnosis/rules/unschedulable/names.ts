import type { RuleInput } from '../../facts/input.ts';

/** The PersistentVolumeClaims that the pod's volumes name. */
export function claimNames(input: RuleInput): string[] {
  return (input.place()?.spec.volumes ?? []).flatMap(
    // The name of an ephemeral volume's claim consists of the names of the pod and the volume.
    (volume) => volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${input.subject.pod_name}-${volume.name}` : []),
  );
}

/** The pod's ResourceClaims as one text. */
export function deviceClaims(input: RuleInput): string {
  const claims = (input.place()?.spec.resourceClaims ?? []) as {
    name?: string;
    resourceClaimName?: string;
    resourceClaimTemplateName?: string;
  }[];
  return claims.map((claim) => claim.resourceClaimName ?? claim.resourceClaimTemplateName ?? claim.name ?? '').join(', ');
}

/** The keys of the pod's topology spread constraints as one text. */
export function topologyKeys(input: RuleInput): string {
  return (input.place()?.spec.topologySpreadConstraints ?? [])
    .map(({ topologyKey, minDomains }) =>
      typeof topologyKey === 'string' ? `${topologyKey}${typeof minDomains === 'number' ? ` (minDomains ${minDomains})` : ''}` : '',
    )
    .join(', ');
}

/** The labels that a required affinity selects, as one text: `app=cache`. */
export function affinityLabels(input: RuleInput, kind: 'podAffinity' | 'podAntiAffinity'): string {
  const required = input.place()?.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (Array.isArray(required) ? required : []) as {
    topologyKey?: string;
    labelSelector?: { matchLabels?: Record<string, string> };
    namespaces?: string[];
  }[];
  const nodes = input.subject.surroundings?.nodes ?? [];
  // If no node has the topology key, no two pods can share a topology domain.
  const nowhere = terms.flatMap(({ topologyKey }) =>
    topologyKey && nodes.length > 0 && !nodes.some(({ labels }) => Object.hasOwn(labels, topologyKey)) ? [topologyKey] : [],
  );
  if (nowhere.length > 0) return `topologyKey ${nowhere.join(', ')}`;
  return terms
    .flatMap(({ labelSelector, namespaces = [] }) => {
      const labels = Object.entries(labelSelector?.matchLabels ?? {}).map((pair) => pair.join('='));
      return namespaces.length > 0 ? [`${labels.join(',')} in namespaces ${namespaces.join(', ')}`] : labels;
    })
    .join(', ');
}
