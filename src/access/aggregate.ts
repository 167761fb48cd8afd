import { selects } from '../crd/selector.ts';
import type { PolicyRule, RbacRole } from './objects.ts';

/** The ClusterRoles whose rules an aggregated ClusterRole collects; none for any other role. It never collects itself. */
export function partsOf(role: RbacRole, clusterRoles: readonly RbacRole[]): RbacRole[] {
  const selectors = role.aggregationRule?.clusterRoleSelectors ?? [];
  if (selectors.length === 0) return [];
  return clusterRoles.filter(
    ({ metadata }) => metadata.name !== role.metadata.name && selectors.some((selector) => selects(selector, metadata.labels ?? {})),
  );
}

/**
 * The ClusterRoles with the rules that the aggregation controller ends up writing into them: those of all roles that they select, also
 * through other aggregated roles. Rules that somebody wrote into an aggregated role go. For files only: a cluster decides by what is stored.
 */
export function aggregated(clusterRoles: readonly RbacRole[]): RbacRole[] {
  return clusterRoles.map((role) => (role.aggregationRule ? { ...role, rules: collected(role, clusterRoles) } : role));
}

function collected(role: RbacRole, all: readonly RbacRole[]): PolicyRule[] {
  const seen = new Set<RbacRole>([role]);
  const rules = new Map<string, PolicyRule>();
  const waiting = [role];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    for (const part of partsOf(next, all)) {
      if (seen.has(part)) continue;
      seen.add(part);
      if (part.aggregationRule) waiting.push(part);
      else for (const rule of part.rules ?? []) rules.set(JSON.stringify(rule), rule);
    }
  }
  return [...rules.values()];
}
