import { parseQuantity } from '../../crd/quantity.ts';
import type { ResourceQuota } from '../../crd/quota.ts';
import { listOf } from '../rules.ts';

/** A quota without room for one more pod. */
export interface FullQuota {
  name: string;
  /** A quota counts a pod only if the pod has all of these scopes. Empty means every pod. */
  scopes: readonly string[];
  /** Whether pods in the namespace use the quota: deleting one of them makes room. */
  hasPods: boolean;
}

/** The author of a pod chooses whether it requests resources and whether it has a deadline (Kubernetes, "Resource Quotas": scopes). */
const CHOICES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const CHOSEN = new Set(CHOICES.flat());

/** The quotas of a namespace that are used up, if together they leave no room for any pod; none if some pod still fits. */
export function fullQuotas(quotas: readonly ResourceQuota[]): FullQuota[] {
  const full = quotas.flatMap((quota): FullQuota[] => {
    const hard = ['pods', 'count/pods'].filter((resource) => isUsedUp(quota, resource)).map((resource) => hardOf(quota, resource));
    return hard.length === 0 ? [] : [{ name: quota.metadata.name ?? '', scopes: scopesOf(quota), hasPods: hard.every((most) => most > 0) }];
  });
  return blocksPods(full) ? full : [];
}

/** Whether full quotas count every pod that somebody could create. */
export function blocksPods(quotas: readonly FullQuota[]): boolean {
  const [first = [], second = []] = CHOICES;
  return first.every((one) =>
    second.every((other) => quotas.some(({ scopes }) => scopes.every((scope) => scope === one || scope === other))),
  );
}

/** The resources, such as `deployments.apps`, whose object count in a quota is used up. */
export function refusedBy(quotas: readonly ResourceQuota[]): Set<string> {
  return new Set(
    quotas
      .filter((quota) => scopesOf(quota).length === 0)
      .flatMap((quota) => Object.keys(quota.status?.hard ?? {}).filter((resource) => isUsedUp(quota, resource)))
      .map((resource) => resource.replace(/^count\//, ''))
      .filter((resource) => resource !== 'pods'),
  );
}

function hardOf({ status }: ResourceQuota, resource: string): number {
  return parseQuantity(status?.hard?.[resource]) ?? Infinity;
}

function isUsedUp(quota: ResourceQuota, resource: string): boolean {
  return hardOf(quota, resource) - (parseQuantity(quota.status?.used?.[resource]) ?? 0) < 1;
}

/** Scopes that the author of a pod can avoid become `Other`: a quota with such a scope never blocks all pods. */
function scopesOf({ spec }: ResourceQuota): string[] {
  const selector = spec?.scopeSelector as { matchExpressions?: { scopeName?: string; operator?: string }[] } | undefined;
  const expressions = Array.isArray(selector?.matchExpressions) ? selector.matchExpressions : [];
  const selected = expressions.map(({ scopeName = '', operator }) =>
    operator === 'Exists' && CHOSEN.has(scopeName) ? scopeName : 'Other',
  );
  return [...listOf(spec?.scopes), ...selected];
}
