import type { PolicyRule, RbacRole, RbacSubject } from '../objects.ts';
import { accessIndex, type Bound, type Grant, rulesOf } from '../rights.ts';
import { listOf } from '../rules.ts';
import { keyOfSubject, keysOfRequester, MASTERS, requesterOf } from '../subjects.ts';
import {
  everythingFor,
  isHalf,
  leadsSomewhere,
  mixedMovesOf,
  missingAccounts,
  type Move,
  movesOf,
  NEW_NAME,
  podRef,
  type Right,
  rightIndex,
  type RightIndex,
  rightsOf,
  type Terrain,
} from './moves.ts';
import { EVERYWHERE, isEverything, keyOfPower, type Power, type RoleName, roleKey, type Through, type Way } from './powers.ts';
import { accountOf, type RunningPod, type World } from './world.ts';

/** A power, and how it was reached. */
export interface Reached {
  power: Power;
  way: Way;
  /** Who does it; undefined for the identity at the beginning. */
  actor: Reached | undefined;
  /** What lets the actor do it, through its own bindings. */
  grants: Grant[];
  through: Through | undefined;
  /** Everything that had to be done before and this one, each once and in order. What only names a right is no step. */
  steps: Reached[];
}

type Source = Grant | Reached;
type Change = Reached & { power: { kind: 'changes-pod' } };
type Gift = Reached & { power: { kind: 'granted' } };

/** Ways that only say what somebody may do: the step is what is made of it. */
const NO_STEPS: ReadonlySet<Way> = new Set<Way>(['holds', 'pod', 'pod-change', 'workload', 'account', 'volume', 'rewritten']);

/** Looks the world up once, for any number of searches. Identities that lead nowhere are left out of it. */
export function terrainOf(world: World): Terrain {
  let terrain = wholeTerrain(world);
  const isRewritable = rewritable(terrain);
  // An identity that only leads to such as lead nowhere leads nowhere itself.
  for (let pass = 0; pass < NARROWINGS; pass++) {
    const know = knowledge(terrain);
    terrain = narrowed(terrain, (subject) => {
      const { isAll: isTop, halves, moves } = know(subject);
      return isTop || halves.length > 0 || moves.length > 0 || isRewritable(subject);
    });
  }
  return terrain;
}

const NARROWINGS = 2;

function narrowed(terrain: Terrain, isWorth: (subject: RbacSubject) => boolean): Terrain {
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
 * Whether a binding names somebody for a role that another one could write. Who may change all ClusterRoles changes its own; a ClusterRole that is
 * not there is made by somebody who may change none.
 */
function rewritable({ usefulRolesIn, boundByRole }: Terrain): (subject: RbacSubject) => boolean {
  const names = new Set<string>();
  let isAnyRole = false;
  let isAnyMissing = false;
  for (const { rules } of [...usefulRolesIn.values()].flat())
    for (const rule of rules) {
      const [verbs, resources, named] = [listOf(rule.verbs), listOf(rule.resources), listOf(rule.resourceNames)];
      // One rule may let somebody escalate all roles, and another one change those with a name.
      if (verbs.some((verb) => REWRITES.has(verb))) for (const name of named) names.add(name);
      if (named.length > 0 || !verbs.some((verb) => verb === 'escalate' || verb === '*')) continue;
      if (resources.some((one) => one === 'roles' || one === '*')) isAnyRole = true;
      if (resources.some((one) => one === 'clusterroles' || one === '*')) isAnyMissing = true;
    }
  const found = new Set<string>();
  for (const bound of [...boundByRole.values()].flat()) {
    const { kind, name } = referredRole(bound);
    const isAny = kind === 'Role' ? isAnyRole : isAnyMissing && !bound.role;
    if (names.has(name) || isAny) for (const subject of bound.subjects) found.add(keyOfSubject(subject));
  }
  return (subject) => found.has(keyOfSubject(subject));
}

const REWRITES = new Set(['escalate', 'update', 'patch', '*']);

function wholeTerrain(world: World): Terrain {
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
      .map((pod) => [`${isBound(accountOf(pod)) ? pod.account : ''} ${pod.hasToken} ${pod.isNode} ${pod.node}`, pod] as const);
    return [...new Map(kinds.toReversed()).values()];
  };
  const collecting = world.rbac.clusterRoles.filter(({ aggregationRule }) => aggregationRule).map(roleName);
  const bindable = new Set(bindableNames(world.rbac));
  // A role that no binding names is of use where others collect it, and to who may bind it after it was rewritten.
  const worthRewriting = [...world.rbac.clusterRoles, ...world.rbac.roles].filter(
    (role) => bindable.has(role.metadata.name ?? '') || (collecting.length > 0 && roleName(role).kind === 'ClusterRole'),
  );
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
    index,
    worthIn,
    tellingPodsIn: new Map([...podsIn].map(([namespace, list]) => [namespace, telling(list)])),
    onePodIn: new Map([...podsIn].map(([namespace, list]) => [namespace, eachOnce(list, ({ node }) => node)])),
    nodePods: eachOnce(world.pods.filter(isWorth), ({ namespace, account, node }) => `${namespace}/${account} ${node}`),
    bindableNames: bindable,
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

function bindableNames({ clusterRoles, roles }: World['rbac']): string[] {
  const binds = ({ verbs }: PolicyRule): boolean => listOf(verbs).some((verb) => verb === 'bind' || verb === '*');
  const rules = [...clusterRoles, ...roles].flatMap((role) => rulesOf({ role }).filter(binds));
  return [...new Set([...rules.flatMap(({ resourceNames }) => listOf(resourceNames)), NEW_NAME])];
}

function roleName({ metadata: { name = '', namespace }, kind }: RbacRole): RoleName {
  return kind === 'Role' || namespace ? { kind: 'Role', name, namespace: namespace ?? 'default' } : { kind: 'ClusterRole', name };
}

/** The role that a binding names, whether or not it exists. */
function referredRole({ binding: { roleRef }, namespace }: Bound): RoleName {
  return roleRef?.kind === 'Role' ? { kind: 'Role', name: roleRef.name, namespace } : { kind: 'ClusterRole', name: roleRef?.name ?? '' };
}

/** What an identity can do with its own rights alone: the same for every search that comes by it. */
export interface Known {
  rights: Right<Grant>[];
  isAll: boolean;
  index: RightIndex<Source>;
  /** The keys of the subjects that bindings may name for it. */
  keys: ReadonlySet<string>;
  /** Those that may be of use together with another right only. */
  halves: Right<Source>[];
  halfIndex: RightIndex<Source>;
  moves: Move<Grant>[];
  /** Those of them that need no step: Secrets that it may read. */
  direct: Move<Grant>[];
}

/** Remembers what was found out of each identity. */
export function knowledge(terrain: Terrain): (subject: RbacSubject) => Known {
  const known = new Map<string, Known>();
  return (subject) => {
    const key = keyOfSubject(subject);
    const found = known.get(key);
    if (found) return found;
    const rights = rightsOf(terrain.index.grantsOf(requesterOf(subject))).filter(({ rule }) => leadsSomewhere(rule));
    const index = rightIndex<Source>(rights);
    // Rights that come from bindings alone make moves from bindings alone.
    const moves = movesOf([index], terrain) as Move<Grant>[];
    const direct = moves.filter(({ way }) => way === 'holds');
    const halves = rights.filter(({ rule }) => isHalf(rule));
    const keys = new Set(keysOfRequester(requesterOf(subject)));
    const made = { rights, index, keys, moves, direct, isAll: isAll(rights), halves, halfIndex: rightIndex<Source>(halves) };
    known.set(key, made);
    return made;
  };
}

function isAll(rights: readonly Right[]): boolean {
  return isEverything(rights.filter(({ namespace }) => namespace === undefined).map(({ rule }) => rule));
}

/**
 * Everything that a subject can come to hold, each by the fewest steps: a search that takes the nearest power first, and tries again with every
 * power that it gained (Knuth, "A generalization of Dijkstra's algorithm"). What follows from `all` is not looked at.
 */
export function reach(start: RbacSubject, terrain: Terrain, know: (subject: RbacSubject) => Known): ReadonlyMap<string, Reached> {
  const done = new Map<string, Reached>();
  const waiting: Reached[][] = [];
  const identities: (Reached & { power: { kind: 'acts-as' } })[] = [];
  /** What was granted on the way, and of it the rules that are new since the last look. */
  const extras = rightIndex<Source>([]);
  const halfExtras = rightIndex<Source>([]);
  let fresh: Right<Source>[] = [];
  const rewritten = new Map<string, Reached>();
  const given: Gift[] = [];
  /** A role that was bound on the way, and then rewritten. */
  const fulfilGiven = (role: Reached, gift: Reached): void => {
    if (role.power.kind !== 'rewrites' || gift.power.kind !== 'granted' || roleKey(role.power.role) !== roleKey(gift.power.role)) return;
    derive(everythingFor(role.power.role, gift.power.namespace), 'rewritten', [role, gift], { actor: gift.actor });
  };

  const shortest = new Map<string, number>();
  /** How far everything is. */
  let nearest = Infinity;
  const becomeAll = (actor: Reached): void => {
    const { rights } = know((actor.power as { subject: RbacSubject }).subject);
    derive({ kind: 'all' }, 'holds', [actor], { actor, grants: rights.filter((right) => isAll([right])).map(({ source }) => source) });
  };
  const derive = (
    power: Power,
    way: Way,
    from: readonly Reached[],
    more: Partial<Pick<Reached, 'actor' | 'grants' | 'through'>> = {},
  ): void => {
    const key = keyOfPower(power);
    if (done.has(key)) return;
    const [known, own] = [shortest.get(key) ?? Infinity, NO_STEPS.has(way) ? 0 : 1];
    // Joined steps are at least as many as those of each part.
    for (const { steps } of from) if (steps.length + own >= known) return;
    const found: Reached = { power, way, actor: undefined, grants: [], through: undefined, ...more, steps: [] };
    const before = from.length === 1 ? (from[0]?.steps ?? []) : [...new Set(from.flatMap(({ steps }) => steps))];
    found.steps = own === 0 ? before : [...before, found];
    const { length } = found.steps;
    if (known <= length) return;
    shortest.set(key, length);
    if (power.kind === 'all') nearest = Math.min(nearest, length);
    if (power.kind === 'acts-as' && know(power.subject).isAll && length < nearest) becomeAll(found);
    (waiting[length] ??= []).push(found);
  };
  const has = (kind: 'runs-pods' | 'makes-accounts' | 'makes-volumes' | 'weakens' | 'frees', namespace: string): Reached | undefined =>
    done.get(`${kind} ${namespace}`) ?? done.get(`${kind} ${EVERYWHERE}`);

  const makeMoves = (actor: Reached, moves: readonly Move<Source>[]): void => {
    for (const { power, way, rights, through } of moves) {
      const sources = rights.map(({ source }) => source);
      const gained = sources.filter(isReached);
      derive(power, way, [actor, ...gained], { actor, through, grants: sources.filter((source): source is Grant => !isReached(source)) });
    }
  };
  const explore = (actor: Reached): void => {
    if (actor.power.kind !== 'acts-as') return;
    const own = know(actor.power.subject);
    if (own.isAll) return;
    // One step before everything, only what needs no step is nearer.
    if (actor.steps.length >= nearest - 1) return makeMoves(actor, own.direct);
    makeMoves(actor, own.moves);
    if (halfExtras.size() > 0) makeMoves(actor, mixedMovesOf([own.halfIndex, halfExtras], terrain, own.halves));
  };
  /** The identity at the beginning can do whatever new rules allow alone. The others are asked for what needs rights of both. */
  const exploreAgain = (): void => {
    const news = fresh;
    fresh = [];
    const halves = news.filter(({ rule }) => isHalf(rule));
    for (const actor of [...identities]) {
      const own = know(actor.power.subject);
      if (actor.steps.length === 0) makeMoves(actor, movesOf([own.index, extras], terrain, news));
      else if (own.halves.length > 0) makeMoves(actor, mixedMovesOf([own.halfIndex, halfExtras], terrain, halves));
    }
  };
  const fulfil = (role: Reached, actor: Reached): void => {
    if (role.power.kind !== 'rewrites' || actor.power.kind !== 'acts-as') return;
    const { keys } = know(actor.power.subject);
    for (const { subjectKeys, namespace } of terrain.boundByRole.get(roleKey(role.power.role)) ?? [])
      if (subjectKeys.some((key) => keys.has(key)))
        derive(everythingFor(role.power.role, namespace), 'rewritten', [role, actor], { actor });
  };
  /** What pods bring in a namespace, with all that is held there by now. */
  const usePods = (namespace: string): void => {
    const [place, pods] = [terrain.world.places.get(namespace), has('runs-pods', namespace)];
    const room = place && place.fullQuotas.length > 0 ? has('frees', namespace) : pods;
    if (!place || !pods || !room) return;
    const from = [pods, room];
    const by = { actor: pods.actor, grants: pods.grants, through: pods.through };
    for (const subject of terrain.worthIn.get(namespace) ?? []) derive({ kind: 'acts-as', subject }, 'pod-account', from, by);
    for (const subject of missingAccounts(terrain, namespace)) {
      const makes = has('makes-accounts', namespace) ?? done.get(`makes-accounts ${namespace}/${subject.name}`);
      if (makes)
        derive({ kind: 'acts-as', subject }, 'new-account', [...from, makes], {
          actor: makes.actor,
          grants: [...makes.grants, ...pods.grants],
        });
    }
    derive({ kind: 'secrets', namespace }, 'pod-secrets', from, by);
    const weak = place.level === 'privileged' ? pods : has('weakens', namespace);
    if (weak) derive({ kind: 'node', name: undefined }, 'pod-node', [...from, weak], by);
    const volumes = has('makes-volumes', namespace);
    if (volumes && place.level !== 'restricted')
      derive({ kind: 'node', name: undefined }, 'pod-volume', [...from, volumes], { ...by, grants: [...pods.grants, ...volumes.grants] });
  };
  /** Changes of pods that wait for a weaker label of their namespace. */
  const changes = new Map<string, Change[]>();
  const takeChange = (found: Change): void => {
    const { namespace } = found.power;
    changes.set(namespace, [...(changes.get(namespace) ?? []), found]);
    changePod(found);
  };
  const changePod = (change: Change): void => {
    const { namespace, name, by } = change.power;
    const [weak, pod] = [has('weakens', namespace), terrain.podsIn.get(namespace)?.find((one) => one.name === name)];
    if (!weak || !pod) return;
    const how = { actor: change.actor, grants: change.grants, through: podRef(pod) };
    if (by === 'ephemeral' || pod.isNode) derive({ kind: 'node', name: pod.node }, by, [weak, change], how);
    if (pod.hasToken) derive({ kind: 'acts-as', subject: accountOf(pod) }, by, [weak, change], how);
  };
  /** A new namespace has no label of Pod Security, no quota, and the accounts that bindings name there. */
  const useNewPlace = (pods: Reached): void => {
    const place = done.get('makes-namespaces');
    if (!place) return;
    const by = { actor: pods.actor, grants: pods.grants, through: pods.through };
    derive({ kind: 'node', name: undefined }, 'pod-node', [place, pods], by);
    for (const subject of missingAccounts(terrain, undefined)) {
      const { namespace = '', name } = subject;
      if (terrain.world.places.has(namespace)) continue;
      const makes = name === 'default' ? place : (has('makes-accounts', namespace) ?? done.get(`makes-accounts ${namespace}/${name}`));
      if (makes) derive({ kind: 'acts-as', subject }, name === 'default' ? 'pod-account' : 'new-account', [place, makes, pods], by);
    }
  };
  const usePodsEverywhere = (): void => {
    const pods = done.get(`runs-pods ${EVERYWHERE}`);
    if (!pods) return;
    useNewPlace(pods);
    const room = [...terrain.world.places].filter(([, { fullQuotas }]) => fullQuotas.length > 0).map(([name]) => has('frees', name));
    if (room.some((one) => !one)) return;
    const from = [pods, ...room.filter((one) => one !== undefined)];
    derive({ kind: 'secrets', namespace: EVERYWHERE }, 'pod-secrets', from, { actor: pods.actor, grants: pods.grants });
  };
  const takeIdentity = (found: Reached): void => {
    identities.push(found as (typeof identities)[number]);
    explore(found);
    for (const role of rewritten.values()) fulfil(role, found);
  };
  const takeGift = (found: Gift): void => {
    const { namespace, rules } = found.power;
    if (namespace === undefined && isEverything(rules)) return derive({ kind: 'all' }, 'holds', [found], { actor: found.actor });
    for (const rule of rules) {
      const right: Right<Source> = { rule, namespace, source: found };
      if (!leadsSomewhere(rule) || !extras.add(right)) continue;
      fresh.push(right);
      if (isHalf(rule)) halfExtras.add(right);
    }
    given.push(found);
    for (const role of rewritten.values()) fulfilGiven(role, found);
  };
  const takeRole = (found: Reached, role: RoleName): void => {
    rewritten.set(roleKey(role), found);
    for (const actor of identities) fulfil(found, actor);
    for (const gift of given) fulfilGiven(found, gift);
    for (const other of collectors(role, terrain)) derive({ kind: 'rewrites', role: other }, 'rewritten', [found], { actor: found.actor });
  };
  const takeNode = (found: Reached, name: string | undefined): void => {
    // The API server gives a node tokens for the accounts of all its pods, mounted or not.
    for (const pod of terrain.nodePods)
      if (name === undefined || name === pod.node)
        derive({ kind: 'acts-as', subject: accountOf(pod) }, 'node-pods', [found], { actor: found.actor });
  };
  const takePlaces = (kind: Power['kind'], namespace: string): void => {
    if (kind !== 'weakens' && kind !== 'makes-volumes') usePodsEverywhere();
    if (kind === 'weakens') for (const change of changes.get(namespace) ?? []) changePod(change);
    for (const place of namespace === EVERYWHERE ? terrain.world.places.keys() : [namespace]) usePods(place);
  };
  const expand = (found: Reached): void => {
    const { power } = found;
    if (power.kind === 'acts-as') takeIdentity(found);
    else if (power.kind === 'granted') takeGift(found as Gift);
    else if (power.kind === 'rewrites') takeRole(found, power.role);
    else if (power.kind === 'node') takeNode(found, power.name);
    else if (power.kind === 'changes-pod') takeChange(found as Change);
    else if (power.kind === 'makes-namespaces') usePodsEverywhere();
    else if (power.kind !== 'all' && power.kind !== 'secrets') takePlaces(power.kind, power.namespace);
  };

  derive({ kind: 'acts-as', subject: start }, 'holds', []);
  // What is as far as everything is of no use.
  for (let length = 0; length < Math.min(waiting.length, nearest + 1); length++) {
    const bucket = (waiting[length] ??= []);
    // What is found meanwhile may be as near: it joins the list that is being walked.
    let walked = 0;
    while (walked < bucket.length || (fresh.length > 0 && length < nearest - 1)) {
      const next = bucket[walked];
      if (!next) {
        exploreAgain();
        continue;
      }
      walked++;
      const key = keyOfPower(next.power);
      if (done.has(key)) continue;
      done.set(key, next);
      if (length < nearest) expand(next);
    }
  }
  return done;
}

function isReached(source: Source): source is Reached {
  return 'steps' in source;
}

/** The aggregated ClusterRoles that a ClusterRole can be made a part of: by its labels, which who rewrites it sets too. */
function collectors(role: RoleName, { collecting }: Terrain): RoleName[] {
  return role.kind === 'ClusterRole' ? collecting.filter(({ name }) => name !== role.name) : [];
}
