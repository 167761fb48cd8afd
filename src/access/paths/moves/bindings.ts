import type { PolicyRule, RbacBinding } from '../../objects.ts';
import type { Ask } from '../move.ts';
import { EVERYWHERE, isEverything, roleKey, type RoleName, type Through } from '../powers.ts';
import type { Right } from '../right-index.ts';
import { takes, type Terrain, type UsefulRole } from '../terrain.ts';
import { CHANGE } from '../useful-rules.ts';
import { BINDINGS, namedRoles, ROLES } from './role-names.ts';

/** `at` is where the binding would hold; `scope` is where the rights in question hold. */
export function bindMoves<S>(ask: Ask<S>, at: string | undefined, scope: string | undefined): void {
  const isAllThere = ask.indexes.some(({ everything }) => everything.some(({ namespace }) => namespace === undefined || namespace === at));
  // Somebody who may do everything there gains nothing, but can pass everything on to another identity.
  if (isAllThere) return giveEverything(ask, at);
  const bindCluster = ask.byName(['bind'], { resource: ROLES.cluster, namespace: at });
  const bindInside = ask.byName(['bind'], { resource: ROLES.inside, namespace: at });
  const { world, roleBindingsIn } = ask.terrain;
  const binder: Binder<S> = {
    asked: { resource: at === undefined ? BINDINGS.cluster : BINDINGS.inside, namespace: at },
    bindings: at === undefined ? world.rbac.clusterRoleBindings : (roleBindingsIn.get(at) ?? []),
    bind: ({ kind, name }) => (kind === 'Role' ? bindInside(name) : bindCluster(name)),
    give: ({ name: role, rules }, by, through) => {
      // What cluster-wide rights give is examined once, together with the whole cluster.
      if (scope !== undefined && by.every(({ namespace }) => namespace === undefined)) return;
      ask.add({
        power: { kind: 'granted', role, rules, namespace: at },
        way: 'bind',
        rights: [...new Set(by)],
        ...(through && { through }),
      });
    },
  };
  bindAnew(ask, at, binder);
  changeBindings(ask, at, binder);
}

interface Binder<S> {
  /** Bindings of one place: those that can be created, and those that exist. */
  asked: { resource: string; namespace: string | undefined };
  bindings: readonly RbacBinding[];
  /** The right to bind a role. */
  bind(role: RoleName): Right<S> | undefined;
  give(role: UsefulRole, by: Right<S>[], through?: Through): void;
}

/** Makes a binding. */
function bindAnew<S>(
  { creation, isFresh, names, terrain }: Ask<S>,
  at: string | undefined,
  { asked, bindings, bind, give }: Binder<S>,
): void {
  const write = creation(asked, (name) => bindings.some(({ metadata }) => metadata.name === name));
  if (!write || !takes(terrain, BINDINGS.inside, at)) return;
  // If the right to write bindings is old, the only new roles are those that new rights name.
  const wanted = write.some(isFresh) ? undefined : names;
  const roles = [EVERYWHERE, ...(at === undefined ? [] : [at])].flatMap((place) => terrain.usefulRolesIn.get(place) ?? []);
  const some = wanted ? roles.filter(({ name }) => wanted.has(name.name)) : roles;
  terrain.effort.left -= roles.length / 4;
  const bindable = [...some, ...emptyRoles(at, terrain, wanted)].flatMap((role) => {
    const right = bind(role.name);
    return right ? [{ role, right }] : [];
  });
  // If one role allows everything, the others add nothing.
  const best = bindable.find(({ role }) => isEverything(role.rules));
  for (const { role, right } of best ? [best] : bindable) give(role, [...write, right]);
}

/** Adds itself as a subject of an existing binding. */
function changeBindings<S>({ byName, names, terrain }: Ask<S>, at: string | undefined, { asked, bindings, bind, give }: Binder<S>): void {
  const change = byName(CHANGE, asked);
  terrain.effort.left -= bindings.length / 4;
  for (const { roleRef, metadata } of bindings) {
    if (names && !names.has(metadata.name ?? '') && !names.has(roleRef?.name ?? '')) continue;
    const right = change(metadata.name);
    const useful = right && usefulRole(roleRef, at, terrain);
    const allowed = useful && bind(useful.name);
    const kind = at === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
    if (allowed) give(useful, [right, allowed], { kind, name: metadata.name ?? '', ...(at && { namespace: at }) });
  }
}

/** The role that a binding names. A role that allows nothing, or does not exist, can be written afterwards. */
function usefulRole({ kind, name }: RbacBinding['roleRef'] = { kind: '', name: '' }, at: string | undefined, { usefulRoles }: Terrain) {
  const isRole = kind === 'Role' && at !== undefined;
  const role: RoleName | undefined = isRole ? { kind, name, namespace: at } : kind === 'ClusterRole' ? { kind, name } : undefined;
  return role && (usefulRoles.get(roleKey(role)) ?? { name: role, rules: [] });
}

function giveEverything<S>({ indexes, add, terrain }: Ask<S>, at: string | undefined): void {
  const all = indexes.flatMap(({ everything }) => everything).find(({ namespace }) => namespace === at);
  const role = terrain.usefulRolesIn.get(EVERYWHERE)?.find(({ rules }) => isEverything(rules));
  if (at === undefined || !all || !role) return;
  add({ power: { kind: 'granted', role: role.name, rules: role.rules, namespace: at }, way: 'bind', rights: [all] });
}

/** Roles that allow nothing useful, or do not exist: somebody who may bind such a role may also be able to write rules into it. */
function emptyRoles(
  at: string | undefined,
  terrain: Terrain,
  names: ReadonlySet<string> | undefined,
): { name: RoleName; rules: readonly PolicyRule[] }[] {
  const spare = at === undefined ? undefined : terrain.spareRoleIn.get(at);
  const inside = at === undefined ? [] : [...namedRoles(at, terrain, names), ...(spare && (names?.has(spare.name) ?? true) ? [spare] : [])];
  const all = [...namedRoles(undefined, terrain, names), ...inside];
  return all.filter((role) => !terrain.usefulRoles.has(roleKey(role))).map((name) => ({ name, rules: [] }));
}
