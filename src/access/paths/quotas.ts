import { parseQuantity } from '../../crd/quantity.ts';
import type { ResourceQuota } from '../../crd/quota.ts';
import { listOf } from '../rules.ts';

/** A quota without room for one more pod. */
export interface FullQuota {
  name: string;
  /** The scopes that a pod must have all of to be counted; empty = every pod. */
  scopes: readonly string[];
  /** Whether there are pods in it: without one of them there is room. */
  hasPods: boolean;
}

/** Whoever makes a pod chooses whether it asks for resources, and whether it has a deadline (Kubernetes, "Resource Quotas": scopes). */
const CHOICES = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
];
const CHOSEN = new Set(CHOICES.flat());

/** The quotas of a namespace that leave no room for any pod; none where some pod fits. */
export function fullQuotas(quotas: readonly ResourceQuota[]): FullQuota[] {
  const full = quotas.flatMap((quota): FullQuota[] => {
    const hard = ['pods', 'count/pods'].filter((resource) => isUsedUp(quota, resource)).map((resource) => hardOf(quota, resource));
    return hard.length === 0 ? [] : [{ name: quota.metadata.name ?? '', scopes: scopesOf(quota), hasPods: hard.every((most) => most > 0) }];
  });
  return blocksPods(full) ? full : [];
}

/** Whether every pod that somebody could make is counted by a full quota. */
export function blocksPods(quotas: readonly FullQuota[]): boolean {
  const [first = [], second = []] = CHOICES;
  return first.every((one) =>
    second.every((other) => quotas.some(({ scopes }) => scopes.every((scope) => scope === one || scope === other))),
  );
}

/** The resources, as `deployments.apps`, of which a quota takes no more objects. */
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

/** A scope that nobody who makes a pod can avoid counts as none; a selector with values names pods that somebody can avoid. */
function scopesOf({ spec }: ResourceQuota): string[] {
  const selector = spec?.scopeSelector as { matchExpressions?: { scopeName?: string; operator?: string }[] } | undefined;
  const expressions = Array.isArray(selector?.matchExpressions) ? selector.matchExpressions : [];
  const selected = expressions.map(({ scopeName = '', operator }) =>
    operator === 'Exists' && CHOSEN.has(scopeName) ? scopeName : 'Other',
  );
  return [...listOf(spec?.scopes), ...selected];
}
