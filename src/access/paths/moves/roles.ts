import type { Ask } from '../move.ts';
import { EVERYWHERE, roleKey, type RoleName, type Way } from '../powers.ts';
import type { Right } from '../right-index.ts';
import { NEW_NAME, takes } from '../terrain.ts';
import { CHANGE } from '../useful-rules.ts';
import { bindMoves } from './bindings.ts';
import { BINDINGS, namedRoles, roleIn, ROLES } from './role-names.ts';

const WRITE = ['create', ...CHANGE];

/** Binds roles to itself, or rewrites roles (Kubernetes, "Using RBAC Authorization": privilege escalation prevention). */
export function roleMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const isThere = ({ namespace }: Right<S>): boolean => namespace === undefined || namespace === scope;
  const may = (verbs: readonly string[], resource: string): boolean => ask.may(verbs, resource, isThere);
  const canBind = may(['bind'], ROLES.cluster) || may(['bind'], ROLES.inside);
  if (scope === undefined) {
    if (canBind && may(WRITE, BINDINGS.cluster)) bindMoves(ask, undefined, scope);
    if (may(['escalate'], ROLES.cluster) && may(WRITE, ROLES.cluster)) rewriteMoves(ask, undefined, scope);
  }
  const binds = canBind && may(WRITE, BINDINGS.inside);
  const rewrites = may(['escalate'], ROLES.inside) && may(WRITE, ROLES.inside);
  if (!binds && !rewrites) return;
  for (const place of scope === undefined ? ask.terrain.world.places.keys() : [scope]) {
    if (binds) bindMoves(ask, place, scope);
    if (rewrites) rewriteMoves(ask, place, scope);
  }
}

function rewriteMoves<S>(ask: Ask<S>, at: string | undefined, scope: string | undefined): void {
  const { add, terrain, names } = ask;
  const resource = at === undefined ? ROLES.cluster : ROLES.inside;
  const change = ask.byName(CHANGE, { resource, namespace: at });
  const escalate = ask.byName(['escalate'], { resource, namespace: at });
  const take = (role: RoleName, way: Way, ...by: (Right<S> | undefined)[]): void => {
    const found = by.filter((right) => right !== undefined);
    if (found.length < by.length || (scope !== undefined && found.every(({ namespace }) => namespace === undefined))) return;
    add({ power: { kind: 'rewrites', role }, way, rights: [...new Set(found)] });
  };
  const create = roleCreation(ask, resource, at);
  const wanted = namedRoles(at, terrain, names);
  const isAny = wanted.some(({ name }) => create(name));
  const named = isAny ? wanted.map((role) => ({ role, isThere: terrain.rolesThere.has(roleKey(role)) })) : [];
  const bound = terrain.boundRolesIn.get(at ?? EVERYWHERE) ?? [];
  terrain.effort.left -= bound.length / 4;
  for (const { role, isThere } of [...(names ? bound.filter(({ role: { name } }) => names.has(name)) : bound), ...named])
    // A binding may name a role that does not exist. Whoever creates the role decides what it allows.
    take(role, 'escalate', ...(isThere ? [change(role.name), escalate(role.name)] : (create(role.name) ?? [undefined])));
  const made =
    at === undefined && terrain.collecting.length > 0
      ? namesIn(ask)
          .map(create)
          .find((rights) => rights)
      : undefined;
  if (made) for (const role of terrain.collecting) take(role, 'aggregate', ...made);
}

/** All names that rules hold for, and one name that no rule has. */
function namesIn<S>({ indexes }: Ask<S>): string[] {
  return [...new Set(indexes.flatMap(({ namesAt }) => [...namesAt.values()].flatMap((names) => [...names]))), NEW_NAME];
}

/** The rights to create a role with this name and any rules. `escalate` is checked without a name, except for server-side apply. */
function roleCreation<S>({ find, byName, may, terrain }: Ask<S>, resource: string, at: string | undefined) {
  const asked = { resource, namespace: at };
  const [create, escalate] = [find({ ...asked, verb: 'create' }), find({ ...asked, verb: 'escalate' })];
  const isPossible = may(['create'], resource) && takes(terrain, ROLES.inside, at);
  const [makes, changes, fills] = [byName(['create'], asked), byName(CHANGE, asked), byName(['escalate'], asked)];
  return (name: string): Right<S>[] | undefined => {
    if (!isPossible) return undefined;
    const [made, filled] = [makes(name), fills(name)];
    if (!made || !filled || terrain.rolesThere.has(roleKey(roleIn(at, name)))) return undefined;
    if (create && escalate) return [create, escalate];
    const changed = changes(name);
    return changed && [made, changed, filled];
  };
}
