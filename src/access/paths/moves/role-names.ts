import type { RoleName } from '../powers.ts';
import type { Terrain } from '../terrain.ts';
import { RBAC } from '../useful-rules.ts';

/** Roles and bindings, of a namespace and of the cluster. */
export const ROLES = { inside: `roles.${RBAC}`, cluster: `clusterroles.${RBAC}` };
export const BINDINGS = { inside: `rolebindings.${RBAC}`, cluster: `clusterrolebindings.${RBAC}` };

/** A role of a namespace, or of the cluster. */
export const roleIn = (at: string | undefined, name: string): RoleName =>
  at === undefined ? { kind: 'ClusterRole', name } : { kind: 'Role', name, namespace: at };

/** Roles with these names, or with any name, that somebody may bind or rewrite by name. */
export function namedRoles(at: string | undefined, { bindableNames }: Terrain, names?: ReadonlySet<string>): RoleName[] {
  return [...(names ?? bindableNames)].flatMap((name) => (bindableNames.has(name) ? [roleIn(at, name)] : []));
}
