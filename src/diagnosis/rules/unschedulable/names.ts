import type { RuleInput } from '../rule.ts';

/** The PersistentVolumeClaims that the pod's volumes name. */
export function claimNames(input: RuleInput): string[] {
  return (input.place()?.spec.volumes ?? []).flatMap(
    // The claim of an ephemeral volume has the name of the pod and of the volume.
    (volume) => volume.persistentVolumeClaim?.claimName ?? (volume.ephemeral ? `${input.subject.pod_name}-${volume.name}` : []),
  );
}

/** The ResourceClaims of the pod, one text. */
export function deviceClaims(input: RuleInput): string {
  const claims = (input.place()?.spec.resourceClaims ?? []) as {
    name?: string;
    resourceClaimName?: string;
    resourceClaimTemplateName?: string;
  }[];
  return claims.map((claim) => claim.resourceClaimName ?? claim.resourceClaimTemplateName ?? claim.name ?? '').join(', ');
}

/** The keys of the pod's topology spread constraints, one text. */
export function topologyKeys(input: RuleInput): string {
  return (input.place()?.spec.topologySpreadConstraints ?? [])
    .map(({ topologyKey }) => (typeof topologyKey === 'string' ? topologyKey : ''))
    .join(', ');
}

/** The labels that a required affinity looks for, one text: `app=cache`. */
export function affinityLabels(input: RuleInput, kind: 'podAffinity' | 'podAntiAffinity'): string {
  const required = input.place()?.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution;
  const terms = (Array.isArray(required) ? required : []) as {
    topologyKey?: string;
    labelSelector?: { matchLabels?: Record<string, string> };
  }[];
  const nodes = input.subject.surroundings?.nodes ?? [];
  // Where no node has the key, no pod can be in the same place as another.
  const nowhere = terms.flatMap(({ topologyKey }) =>
    topologyKey && nodes.length > 0 && !nodes.some(({ labels }) => Object.hasOwn(labels, topologyKey)) ? [topologyKey] : [],
  );
  if (nowhere.length > 0) return `topologyKey ${nowhere.join(', ')}`;
  return terms.flatMap(({ labelSelector }) => Object.entries(labelSelector?.matchLabels ?? {}).map((pair) => pair.join('='))).join(', ');
}
