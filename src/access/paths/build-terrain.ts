import type { PolicyRule, RbacRole, RbacSubject } from '../objects.ts';
import { accessIndex, type Bound, rulesOf } from '../rights.ts';
import { listOf } from '../rules.ts';
import { keyOfSubject, MASTERS } from '../subjects.ts';
import { EVERYWHERE, type RoleName, roleKey } from './powers.ts';
import { type Effort, NEW_NAME, type Terrain } from './terrain.ts';
import { leadsSomewhere } from './useful-rules.ts';
import { accountOf, type RunningPod, type World } from './world.ts';

/** Collects all identities and roles of the world. */
export function wholeTerrain(world: World, effort: Effort): Terrain {
  const index = accessIndex(world.rbac);
  const subjects = new Map(index.bound.flatMap(({ subjects: named }) => named.map((subject) => [keyOfSubject(subject), subject] as const)));
  const inside = ({ metadata }: { metadata: { namespace?: string } }): string => metadata.namespace ?? 'default';
  const accounts = [...world.accounts].map((key): RbacSubject => {
    const [namespace = '', name = ''] = key.split('/');
    return { kind: 'ServiceAccount', namespace, name };
  });
  const isBound = (account: RbacSubject): boolean => subjects.has(keyOfSubject(account));
  const worth = (list: readonly RbacSubject[]): RbacSubject[] => {
    const [{ namespace = '' } = {}] = list;
    const isOpen = index.grantsOf({ user: '', groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] }).length > 0;
    const other = isOpen ? list.find((one) => !isBound(one)) : undefined;
    return [...list.filter(isBound), ...(other ? [other] : [])];
  };
  const accountsIn = Map.groupBy(accounts, ({ namespace = '' }) => namespace);
  const worthIn = new Map([...accountsIn].map(([namespace, list]) => [namespace, worth(list)]));
  const isWorth = (pod: RunningPod): boolean =>
    isBound(accountOf(pod)) || (worthIn.get(pod.namespace)?.some((one) => !isBound(one)) ?? false);
  const telling = (list: readonly RunningPod[]): RunningPod[] => {
    const kinds = list
      .filter((pod) => pod.isNode || (pod.hasToken && isWorth(pod)))
      .map(
        (pod) =>
          [
            `${isBound(accountOf(pod)) ? pod.account : ''} ${pod.hasToken} ${pod.isNode} ${pod.isUp} ${pod.isStatic} ${pod.node}`,
            pod,
          ] as const,
      );
    return [...new Map(kinds.toReversed()).values()];
  };
  const collecting = world.rbac.clusterRoles.filter(({ aggregationRule }) => aggregationRule).map(roleName);
  const bindable = new Set(bindableNames(world.rbac));
  const spares = eachOnce(world.rbac.roles, ({ metadata }) => metadata.namespace);
  // An unbound role is useful if an aggregated role collects it, or to somebody who may rewrite it and then bind it.
  const worthRewriting = [
    ...spares,
    ...[...world.rbac.clusterRoles, ...world.rbac.roles].filter(
      (role) => bindable.has(role.metadata.name ?? '') || (collecting.length > 0 && roleName(role).kind === 'ClusterRole'),
    ),
  ];
  const boundRoles = new Map([
    ...worthRewriting.map((role) => [roleKey(roleName(role)), { role: roleName(role), isThere: true }] as const),
    ...index.bound.map((bound) => {
      const role = referredRole(bound);
      return [roleKey(role), { role, isThere: bound.role !== undefined }] as const;
    }),
  ]);
  const all = [...subjects.values()].filter(({ name }) => name !== MASTERS);
  const useful = [...world.rbac.clusterRoles, ...world.rbac.roles].flatMap((role) => {
    const rules = rulesOf({ role }).filter(leadsSomewhere);
    return rules.length > 0 ? [{ name: roleName(role), rules }] : [];
  });
  const missing = [...subjects.values()].filter(
    ({ kind, namespace = '', name }) => kind === 'ServiceAccount' && !world.accounts.has(`${namespace}/${name}`),
  );
  const podsIn = Map.groupBy(world.pods, ({ namespace }) => namespace);
  return {
    world,
    effort,
    index,
    worthIn,
    tellingPodsIn: new Map([...podsIn].map(([namespace, list]) => [namespace, telling(list)])),
    onePodIn: new Map(
      [...podsIn].map(([namespace, list]) => [
        namespace,
        eachOnce(
          list.filter(({ isStatic }) => !isStatic),
          ({ node }) => node,
        ),
      ]),
    ),
    // The API server gives a node tokens for the accounts of its pods, but only for pods that mount such a token.
    nodePods: eachOnce(
      world.pods.filter((pod) => pod.hasToken && isWorth(pod)),
      ({ namespace, account, node }) => `${namespace}/${account} ${node}`,
    ),
    bindableNames: bindable,
    spareRoleIn: new Map(spares.map((role) => [inside(role), roleName(role)])),
    rolesThere: new Set([...world.rbac.clusterRoles, ...world.rbac.roles].map((role) => roleKey(roleName(role)))),
    podsIn,
    accountsIn,
    subjects: all,
    identities: all,
    usefulRolesIn: Map.groupBy(useful, ({ name }) => name.namespace ?? EVERYWHERE),
    usefulRoles: new Map(useful.map((one) => [roleKey(one.name), one])),
    boundRolesIn: Map.groupBy([...boundRoles.values()], ({ role }) => role.namespace ?? EVERYWHERE),
    collecting,
    roleBindingsIn: Map.groupBy(world.rbac.roleBindings, inside),
    missingIn: new Map([[EVERYWHERE, missing], ...Map.groupBy(missing, ({ namespace = '' }) => namespace)]),
    boundByRole: Map.groupBy(
      index.bound.map((bound) => ({ ...bound, subjectKeys: bound.subjects.map(keyOfSubject) })),
      (bound) => roleKey(referredRole(bound)),
    ),
  };
}

/** The first of those with the same key. */
function eachOnce<T>(list: readonly T[], keyOf: (one: T) => unknown): T[] {
  return [...new Map(list.toReversed().map((one) => [keyOf(one), one])).values()];
}

/** Includes roles that can be rewritten by name, because somebody who may bind all roles may bind those. */
function bindableNames({ clusterRoles, roles }: World['rbac']): string[] {
  const binds = ({ verbs, resources }: PolicyRule): boolean =>
    listOf(verbs).some((verb) => verb === 'bind' || (REWRITES.has(verb) && listOf(resources).includes('roles')) || verb === '*');
  const rules = [...clusterRoles, ...roles].flatMap((role) => rulesOf({ role }).filter(binds));
  return [...new Set([...rules.flatMap(({ resourceNames }) => listOf(resourceNames)), NEW_NAME])];
}

function roleName({ metadata: { name = '', namespace }, kind }: RbacRole): RoleName {
  return kind === 'Role' || namespace ? { kind: 'Role', name, namespace: namespace ?? 'default' } : { kind: 'ClusterRole', name };
}

/** The role that a binding names, whether or not it exists. */
export function referredRole({ binding: { roleRef }, namespace }: Bound): RoleName {
  return roleRef?.kind === 'Role' ? { kind: 'Role', name: roleRef.name, namespace } : { kind: 'ClusterRole', name: roleRef?.name ?? '' };
}

/** The same terrain without identities that lead nowhere. */
export function narrowed(terrain: Terrain, isWorth: (subject: RbacSubject) => boolean): Terrain {
  const only = (map: Terrain['worthIn']): Terrain['worthIn'] => new Map([...map].map(([key, list]) => [key, list.filter(isWorth)]));
  const isTelling = (pod: RunningPod): boolean => pod.isNode || (pod.hasToken && isWorth(accountOf(pod)));
  return {
    ...terrain,
    identities: terrain.identities.filter(isWorth),
    worthIn: only(terrain.worthIn),
    missingIn: only(terrain.missingIn),
    tellingPodsIn: new Map([...terrain.tellingPodsIn].map(([key, list]) => [key, list.filter(isTelling)])),
    nodePods: terrain.nodePods.filter((pod) => isWorth(accountOf(pod))),
  };
}

/**
 * Whether a binding gives somebody a role that somebody else could write. Whoever may change all ClusterRoles can change their own. A
 * ClusterRole that does not exist, or that others collect, can be created by somebody who may not change any.
 */
export function rewritable({ usefulRolesIn, boundByRole }: Terrain): (subject: RbacSubject) => boolean {
  const rules = [...usefulRolesIn.values()].flatMap((roles) => roles.flatMap((role) => role.rules));
  // One rule may allow `escalate` on all roles while another allows changing roles with certain names.
  const names = new Set(rules.filter((rule) => listOf(rule.verbs).some((verb) => REWRITES.has(verb))).flatMap(namesOf));
  const isAnyRole = rules.some((rule) => escalates(rule, 'roles') && namesOf(rule).length === 0);
  const escalating = rules.filter((rule) => escalates(rule, 'clusterroles'));
  const isAnyMissing = escalating.some((rule) => namesOf(rule).length === 0);
  const isAnyCollected = escalating.some((rule) => namesOf(rule).length > 0 || !changesToo(rule));
  const found = new Set<string>();
  for (const bound of [...boundByRole.values()].flat()) {
    const { kind, name } = referredRole(bound);
    const isMade = (isAnyMissing && !bound.role) || (isAnyCollected && bound.role?.aggregationRule !== undefined);
    const isAny = kind === 'Role' ? isAnyRole : isMade;
    if (names.has(name) || isAny) for (const subject of bound.subjects) found.add(keyOfSubject(subject));
  }
  return (subject) => found.has(keyOfSubject(subject));
}

const REWRITES = new Set(['escalate', 'update', 'patch', '*']);
const namesOf = ({ resourceNames }: PolicyRule): string[] => listOf(resourceNames);

function escalates({ verbs, resources }: PolicyRule, resource: 'roles' | 'clusterroles'): boolean {
  return (
    listOf(verbs).some((verb) => verb === 'escalate' || verb === '*') && listOf(resources).some((one) => one === resource || one === '*')
  );
}

function changesToo({ verbs }: PolicyRule): boolean {
  return listOf(verbs).some((verb) => verb === 'update' || verb === 'patch' || verb === '*');
}
