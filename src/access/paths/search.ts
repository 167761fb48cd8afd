import type { PolicyRule, RbacSubject } from '../objects.ts';
import type { Bound, Grant } from '../rights.ts';
import { keyOfSubject, keysOfRequester, requesterOf } from '../subjects.ts';
import type { Move } from './move.ts';
import { narrowed, referredRole, rewritable, wholeTerrain } from './build-terrain.ts';
import { podRef } from './moves/existing-pods.ts';
import { directMovesOf, mixedMovesOf, movesOf } from './moves/list.ts';
import { EVERYTHING, EVERYWHERE, isEverything, keyOfPower, type Power, type RoleName, roleKey, type Through, type Way } from './powers.ts';
import { type Right, rightIndex, type RightIndex } from './right-index.ts';
import { type Effort, missingAccounts, takes, type Terrain } from './terrain.ts';
import { isHalf, leadsSomewhere } from './useful-rules.ts';
import { accountOf, type World } from './world.ts';

/** A power, and how it was reached. */
export interface Reached {
  power: Power;
  way: Way;
  /** Who takes the step; undefined for the identity at the beginning. */
  actor: Reached | undefined;
  /** The grants by which the actor may take it, from the actor's own bindings. */
  grants: Grant[];
  through: Through | undefined;
  /** All steps up to and including this one, each once and in order. What only states a right is not a step. */
  steps: Reached[];
  /** What it follows from at once. */
  from: readonly Reached[];
  /** The binding that gives the actor the rules written into its role. */
  filled: Bound | undefined;
  /** Whether it follows from such a binding of the identity at the beginning. */
  isOwn: boolean;
}

type Source = Grant | Reached;
/** What an identity can hold in a namespace, or everywhere. */
type HeldIn = 'runs-pods' | 'makes-accounts' | 'makes-volumes' | 'makes-secrets' | 'weakens' | 'frees' | 'secrets';
type Change = Reached & { power: { kind: 'changes-pod' } };
type Identity = Reached & { power: { kind: 'acts-as' } };
type Gift = Reached & { power: { kind: 'granted' } };

/** Ways that only state what somebody may do. The step is what uses them. */
const NO_STEPS: ReadonlySet<Way> = new Set<Way>(['holds', 'pod', 'pod-change', 'workload', 'account', 'volume', 'secret', 'rewritten']);

/**
 * Prepares the world once for any number of searches. Identities that lead nowhere are removed, if that takes at most half of the effort.
 */
export function terrainOf(world: World, effort: Effort = { left: Infinity }): Terrain {
  const half = effort.left === Infinity ? 0 : effort.left / 2;
  let terrain = wholeTerrain(world, effort);
  const isRewritable = rewritable(terrain);
  // An identity whose only moves lead to dead ends is itself a dead end.
  for (let pass = 0; pass < NARROWINGS; pass++) {
    const know = knowledge(terrain);
    terrain = narrowed(terrain, (subject) => {
      if (effort.left < half) return true;
      const { isAll: isTop, halves, moves } = know(subject);
      return isTop || halves.length > 0 || moves.length > 0 || isRewritable(subject);
    });
  }
  return terrain;
}

const NARROWINGS = 2;

/** What an identity can do with its own rights alone. It is the same in every search that reaches the identity. */
export interface Known {
  rights: Right<Grant>[];
  /** What each right allows, and where: one key for each of `rights`. */
  rightKeys: readonly string[];
  isAll: boolean;
  /** The keys of the subjects by which bindings may name it. */
  keys: ReadonlySet<string>;
  /** Rights that are useful only together with another right. */
  halves: Right<Source>[];
  /** Identities with equal rights share these moves, so a move refers to a right by its index in `rights`. */
  moves: readonly Move<number>[];
  /** Moves that need no step: reading Secrets. */
  direct: readonly Move<number>[];
  /** Made when they are first needed. */
  index(): RightIndex<Source>;
  halfIndex(): RightIndex<Source>;
}

/** Remembers what is known about each identity. */
export function knowledge(terrain: Terrain): (subject: RbacSubject) => Known {
  const known = new Map<string, Known>();
  const moving = new Map<string, Pick<Known, 'moves' | 'direct'>>();
  const movesWith = (rights: readonly Right[], rightKeys: readonly string[]): Pick<Known, 'moves' | 'direct'> => {
    const key = rightKeys.join('\n');
    const found = moving.get(key);
    if (found) return found;
    const moves = movesOf([rightIndex(rights.map((right, source) => ({ ...right, source })))], terrain);
    const made = { moves, direct: moves.filter(({ way }) => way === 'holds') };
    moving.set(key, made);
    return made;
  };
  return (subject) => {
    const key = keyOfSubject(subject);
    const found = known.get(key);
    if (found) return found;
    const requester = requesterOf(subject);
    const rights = rightsOf(terrain.index.grantsOf(requester)).filter(({ rule }) => leadsSomewhere(rule));
    const rightKeys = rights.map(keyOfRight);
    const halves = rights.filter(({ rule }) => isHalf(rule));
    const made: Known = {
      rights,
      rightKeys,
      ...movesWith(rights, rightKeys),
      keys: new Set(keysOfRequester(requester)),
      isAll: isAll(rights),
      halves,
      index: once(() => rightIndex<Source>(rights)),
      halfIndex: once(() => rightIndex<Source>(halves)),
    };
    known.set(key, made);
    return made;
  };
}

function once<T>(make: () => T): () => T {
  let made: { it: T } | undefined;
  return () => (made ??= { it: make() }).it;
}

/** The rights that bindings give. */
function rightsOf(grants: readonly Grant[]): Right<Grant>[] {
  return grants.map((grant) => ({ rule: grant.rule, namespace: grant.bound.namespace, source: grant }));
}

const textOfRule = new WeakMap<PolicyRule, string>();

/** Equal for two rights that allow the same by identically written rules. */
function keyOfRight({ rule, namespace }: Right): string {
  const text = textOfRule.get(rule) ?? JSON.stringify([rule.verbs, rule.apiGroups, rule.resources, rule.resourceNames]);
  textOfRule.set(rule, text);
  return `${namespace ?? EVERYWHERE} ${text}`;
}

function isAll(rights: readonly Right[]): boolean {
  return isEverything(rights.filter(({ namespace }) => namespace === undefined).map(({ rule }) => rule));
}

/**
 * Everything that a subject can reach, each with the fewest steps. The search takes the nearest power first, and tries again with each
 * power that it gains (Knuth, "A generalization of Dijkstra's algorithm"). It does not follow `all` any further. When the effort is used
 * up, it returns what it has found so far.
 */
export function reach(start: RbacSubject, terrain: Terrain, know: (subject: RbacSubject) => Known): ReadonlyMap<string, Reached> {
  const done = new Map<string, Reached>();
  const waiting: Reached[][] = [];
  /** Identities that can do something by themselves. */
  const identities: Identity[] = [];
  /** The rules that were granted on the way, and among them those that are new since the last pass. */
  const extras = rightIndex<Source>([]);
  const halfExtras = rightIndex<Source>([]);
  let fresh: Right<Source>[] = [];
  const rewritten = new Map<string, Reached>();
  const given: Gift[] = [];
  /** What the identity at the beginning holds so far: keys of rights, and the places where it may do everything. */
  const heldKeys = new Set(know(start).rightKeys);
  const everythingIn = new Set<string | undefined>();
  const exploredKeys = new Set<string>();
  /** A role that was first bound and then rewritten. */
  const fulfilGiven = (role: Reached, gift: Reached): void => {
    if (role.power.kind !== 'rewrites' || gift.power.kind !== 'granted' || roleKey(role.power.role) !== roleKey(gift.power.role)) return;
    derive(everythingFor(role.power.role, gift.power.namespace), 'rewritten', [role, gift], { actor: gift.actor });
  };

  const shortest = new Map<string, number>();
  /** How far everything is. */
  let nearest = Infinity;
  /** Steps that give everything at once. */
  const becomeAll = (found: Reached): void => {
    const { power, actor } = found;
    if (power.kind === 'granted' && power.namespace === undefined && isEverything(power.rules))
      derive({ kind: 'all' }, 'holds', [found], { actor });
    const own = power.kind === 'acts-as' ? know(power.subject) : undefined;
    if (!own?.isAll) return;
    const grants = own.rights.filter((right) => isAll([right])).map(({ source }) => source);
    derive({ kind: 'all' }, 'holds', [found], { actor: found, grants });
  };
  const derive = (power: Power, way: Way, from: readonly Reached[], more: Done = {}): void => {
    terrain.effort.left--;
    const own = NO_STEPS.has(way) ? 0 : 1;
    // A power as far away as `all` is useless.
    if (power.kind !== 'all') for (const { steps } of from) if (steps.length + own >= nearest) return;
    if (power.kind === 'granted' && everythingIn.has(power.namespace)) return;
    const key = keyOfPower(power);
    if (done.has(key)) return;
    const known = shortest.get(key) ?? Infinity;
    // A step that joins two parts has at least as many steps as each part.
    for (const { steps } of from) if (steps.length + own >= known) return;
    const found = reachedBy(power, way, from, more);
    const { length } = found.steps;
    if (known <= length) return;
    shortest.set(key, length);
    if (power.kind === 'all') nearest = Math.min(nearest, length);
    if (length < nearest) becomeAll(found);
    (waiting[length] ??= []).push(found);
  };
  const has = (kind: HeldIn, namespace: string): Reached | undefined =>
    done.get(`${kind} ${namespace}`) ?? done.get(`${kind} ${EVERYWHERE}`);

  const makeMoves = <S>(actor: Reached, moves: readonly Move<S>[], sourceOf: (right: S) => Source): void => {
    for (const { power, way, rights, through } of moves) {
      if (actor.steps.length + (NO_STEPS.has(way) ? 0 : 1) >= nearest && power.kind !== 'all') continue;
      const sources = rights.map(({ source }) => sourceOf(source));
      const gained = sources.filter(isReached);
      derive(power, way, [actor, ...gained], { actor, through, grants: sources.filter((source): source is Grant => !isReached(source)) });
    }
  };
  const itself = (source: Source): Source => source;
  /** Whether the identity at the beginning, or one with equal rights, has already done the same with as few steps. */
  const isCovered = ({ steps }: Reached, { rightKeys, rights }: Known): boolean => {
    if (steps.length === 0) return false;
    const all = rightKeys.join('\n');
    if (exploredKeys.has(all)) return true;
    exploredKeys.add(all);
    return rights.every(({ namespace }, place) => everythingIn.has(namespace) || heldKeys.has(rightKeys[place] ?? ''));
  };
  const explore = (actor: Identity): void => {
    const own = know(actor.power.subject);
    if (own.isAll || isCovered(actor, own)) return;
    const sourceOf = (place: number): Source => own.rights[place]?.source as Grant;
    // One step before `all`, only moves without a step are nearer.
    if (actor.steps.length >= nearest - 1) return makeMoves(actor, own.direct, sourceOf);
    identities.push(actor);
    makeMoves(actor, own.moves, sourceOf);
    if (halfExtras.size() > 0) makeMoves(actor, mixedMovesOf([own.halfIndex(), halfExtras], terrain, own.halves), itself);
  };
  /** The identity at the beginning can use new rules alone. The other identities are asked only for moves that need rights of both. */
  const exploreAgain = (length: number): void => {
    const news = fresh;
    fresh = [];
    const [first] = identities;
    if (first && length >= nearest - 1) return makeMoves(first, directMovesOf([know(start).index(), extras], terrain, news), itself);
    const halves = news.filter(({ rule }) => isHalf(rule));
    for (const actor of [...identities]) {
      const own = know(actor.power.subject);
      if (actor.steps.length === 0) makeMoves(actor, movesOf([own.index(), extras], terrain, news), itself);
      else if (own.halves.length > 0) makeMoves(actor, mixedMovesOf([own.halfIndex(), halfExtras], terrain, halves), itself);
    }
  };
  /** Identities by the subjects that bindings may name for them, and rewritten roles by the subjects that have them. */
  const byKey = new Map<string, Reached[]>();
  const filledFor = new Map<string, { role: Reached; bound: Bound }[]>();
  const fulfil = (role: Reached, actor: Reached, filled: Bound): void => {
    if (role.power.kind === 'rewrites')
      derive(everythingFor(role.power.role, filled.namespace), 'rewritten', [role, actor], { actor, filled });
  };
  /** Combines the ability to run pods in a namespace with everything else that is held there. */
  const usePods = (namespace: string): void => {
    const [place, pods] = [terrain.world.places.get(namespace), has('runs-pods', namespace)];
    const room = place && place.fullQuotas.length > 0 ? has('frees', namespace) : pods;
    if (!place || place.isEnding || !pods || !room) return;
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
    if (volumes && place.level !== 'restricted' && !place.refused.has('persistentvolumeclaims'))
      derive({ kind: 'node', name: undefined }, 'pod-volume', [...from, volumes], { ...by, grants: [...pods.grants, ...volumes.grants] });
  };
  /** Combines the ability to create token Secrets with the ability to read them, by another identity or a webhook. */
  const useSecrets = (namespace: string): void => {
    const [makes, reads] = [has('makes-secrets', namespace), has('secrets', namespace)];
    if (!makes || !reads || !takes(terrain, 'secrets', namespace)) return;
    const by = { actor: makes.actor, grants: [...makes.grants, ...(NO_STEPS.has(reads.way) ? reads.grants : [])] };
    for (const subject of terrain.worthIn.get(namespace) ?? []) derive({ kind: 'acts-as', subject }, 'token-secret', [makes, reads], by);
    for (const { name } of missingAccounts(terrain, namespace))
      derive({ kind: 'takes-token', namespace, name }, 'account', [makes, reads], by);
  };
  /** Takes tokens of accounts that must be created first, if necessary with their namespace. */
  const useMissing = (): void => {
    for (const subject of missingAccounts(terrain, undefined)) {
      const { namespace = '', name } = subject;
      const taking = done.get(`takes-token ${namespace}/${name}`);
      const isPlace = terrain.world.places.has(namespace);
      const place = isPlace ? taking : done.get('makes-namespaces');
      // A new namespace gets its default account.
      const makes =
        !isPlace && name === 'default' ? place : (has('makes-accounts', namespace) ?? done.get(`makes-accounts ${namespace}/${name}`));
      if (!taking || !place || !makes) continue;
      const grants = [...makes.grants, ...taking.grants];
      derive({ kind: 'acts-as', subject }, 'new-token', [place, makes, taking], { actor: taking.actor, grants });
    }
  };
  /** Changes of pods that wait until their namespace's Pod Security label is weaker. */
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
  /** A new namespace has no Pod Security label, no quota, and may have the accounts that bindings name there. */
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
  const takeIdentity = (found: Identity): void => {
    explore(found);
    for (const key of know(found.power.subject).keys) {
      listIn(byKey, key).push(found);
      for (const { role, bound } of filledFor.get(key) ?? []) fulfil(role, found, bound);
    }
  };
  const takeGift = (found: Gift): void => {
    const { namespace, rules } = found.power;
    if (namespace === undefined && isEverything(rules)) return;
    if (everythingIn.has(namespace)) return;
    if (isEverything(rules)) everythingIn.add(namespace);
    for (const rule of rules) {
      const right: Right<Source> = { rule, namespace, source: found };
      if (!leadsSomewhere(rule) || !extras.add(right)) continue;
      heldKeys.add(keyOfRight(right));
      fresh.push(right);
      if (isHalf(rule)) halfExtras.add(right);
    }
    given.push(found);
    for (const role of rewritten.values()) fulfilGiven(role, found);
  };
  const takeRole = (found: Reached, role: RoleName): void => {
    rewritten.set(roleKey(role), found);
    for (const bound of terrain.boundByRole.get(roleKey(role)) ?? [])
      for (const key of bound.subjectKeys) {
        listIn(filledFor, key).push({ role: found, bound });
        for (const actor of byKey.get(key) ?? []) fulfil(found, actor, bound);
      }
    for (const gift of given) fulfilGiven(found, gift);
    for (const other of collectors(role, terrain)) derive({ kind: 'rewrites', role: other }, 'rewritten', [found], { actor: found.actor });
  };
  const takeNode = (found: Reached, name: string | undefined): void => {
    for (const pod of terrain.nodePods)
      if (name === undefined || name === pod.node)
        derive({ kind: 'acts-as', subject: accountOf(pod) }, 'node-pods', [found], { actor: found.actor });
  };
  const takePlaces = (kind: Power['kind'], namespace: string): void => {
    if (kind !== 'weakens' && kind !== 'makes-volumes') usePodsEverywhere();
    if (kind === 'makes-accounts') useMissing();
    if (kind === 'weakens') for (const change of changes.get(namespace) ?? []) changePod(change);
    for (const place of namespace === EVERYWHERE ? terrain.world.places.keys() : [namespace]) usePods(place);
  };
  const takeSecrets = (namespace: string): void => {
    const { world, missingIn } = terrain;
    for (const place of namespace === EVERYWHERE ? new Set([...world.places.keys(), ...missingIn.keys()]) : [namespace])
      if (place !== EVERYWHERE) useSecrets(place);
  };
  const takeNewPlaces = (): void => {
    usePodsEverywhere();
    useMissing();
  };
  const expand = (found: Reached): void => {
    const { power } = found;
    if (power.kind === 'acts-as') takeIdentity(found as Identity);
    else if (power.kind === 'granted') takeGift(found as Gift);
    else if (power.kind === 'rewrites') takeRole(found, power.role);
    else if (power.kind === 'node') takeNode(found, power.name);
    else if (power.kind === 'changes-pod') takeChange(found as Change);
    else if (power.kind === 'takes-token') useMissing();
    else if (power.kind === 'makes-namespaces') takeNewPlaces();
    else if (power.kind === 'secrets' || power.kind === 'makes-secrets') takeSecrets(power.namespace);
    else if (power.kind !== 'all') takePlaces(power.kind, power.namespace);
  };

  derive({ kind: 'acts-as', subject: start }, 'holds', []);
  // A power as far away as `all` is useless.
  for (let length = 0; length < Math.min(waiting.length, nearest + 1); length++) {
    const bucket = (waiting[length] ??= []);
    // A power that is found during this loop may be as near as this one. It is added to the same list.
    let walked = 0;
    while (terrain.effort.left > 0 && (walked < bucket.length || (fresh.length > 0 && length < nearest))) {
      const next = bucket[walked];
      if (!next) {
        exploreAgain(length);
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

/** The rule that allows everything, where a rewritten role holds. */
function everythingFor(role: RoleName, namespace: string | undefined): Power {
  return { kind: 'granted', role, rules: [EVERYTHING], namespace };
}

/** Who takes a step, by which grants, and through which object. */
type Done = Partial<Pick<Reached, 'actor' | 'grants' | 'through' | 'filled'>>;

function reachedBy(power: Power, way: Way, from: readonly Reached[], { actor, grants = [], through, filled }: Done): Reached {
  const isOwn = from.some((one) => one.isOwn) || (filled !== undefined && actor?.steps.length === 0);
  const found: Reached = { power, way, actor, grants, through, filled, isOwn, from, steps: [] };
  const before = from.length === 1 ? (from[0]?.steps ?? []) : [...new Set(from.flatMap(({ steps }) => steps))];
  found.steps = NO_STEPS.has(way) ? before : [...before, found];
  return found;
}

/**
 * Whether a subject with the same rights as the start of a search reaches the same by the same steps. Only rules that others write into a
 * role that one of the two has, and the other has not, can make a difference.
 */
export function isAsFar(reached: ReadonlyMap<string, Reached>, bounds: readonly Bound[]): boolean {
  for (const { isOwn } of reached.values()) if (isOwn) return false;
  const stepsOf = (key: string): number => reached.get(key)?.steps.length ?? Infinity;
  return bounds.every((bound) => {
    const everything = bound.namespace === undefined ? 'all' : `granted everything in ${bound.namespace}`;
    const written = stepsOf(`rewrites ${roleKey(referredRole(bound))}`);
    return written === Infinity || Math.min(stepsOf(everything), stepsOf('all')) <= written;
  });
}

function listIn<T>(map: Map<string, T[]>, key: string): T[] {
  const list = map.get(key) ?? [];
  map.set(key, list);
  return list;
}

function isReached(source: Source): source is Reached {
  return 'steps' in source;
}

/** The aggregated ClusterRoles that a ClusterRole can become a part of by its labels. Whoever rewrites it sets the labels too. */
function collectors(role: RoleName, { collecting }: Terrain): RoleName[] {
  return role.kind === 'ClusterRole' ? collecting.filter(({ name }) => name !== role.name) : [];
}
