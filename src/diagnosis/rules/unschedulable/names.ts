import type { RuleInput } from '../rule.ts';

/** The PersistentVolumeClaims that the pod's volumes name. */
export function claimNames(input: RuleInput): string[] {
  return (input.place()?.spec.volumes ?? []).flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? []);
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
  const terms = (Array.isArray(required) ? required : []) as { labelSelector?: { matchLabels?: Record<string, string> } }[];
  return terms.flatMap(({ labelSelector }) => Object.entries(labelSelector?.matchLabels ?? {}).map((pair) => pair.join('='))).join(', ');
}
