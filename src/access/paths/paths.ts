import type { RbacObjects, RbacSubject } from '../objects.ts';
import { type Bound, boundOf, type Grant } from '../rights.ts';
import { isBuiltIn, keyOfSubject, keysOfRequester, requesterOf } from '../subjects.ts';
import { EVERYWHERE } from './powers.ts';
import type { Effort } from './terrain.ts';
import { isAsFar, type Known, knowledge, reach, type Reached, terrainOf } from './search.ts';
import type { World } from './world.ts';

/** The end of a path: everything, a node, or the Secrets of a namespace (`*`: of all namespaces). */
export type Target = { kind: 'cluster-admin' } | { kind: 'node'; name: string | undefined } | { kind: 'secrets'; namespace: string };

/** The shortest way from a subject to a power that no binding gives it directly. */
export interface EscalationPath {
  subject: RbacSubject;
  target: Target;
  /** In order; at least one. */
  steps: readonly Reached[];
  /** The grants that give the last identity its power, if that identity needs no further step. */
  ends: readonly Grant[];
}

/** A binding that somebody created, and whose removal breaks `broken` of all paths. */
export interface Cut {
  bound: Bound;
  broken: number;
}

export interface Escalations {
  /** Sorted by subject, then cluster-admin, nodes, Secrets. */
  paths: EscalationPath[];
  /** The best cut. Undefined if there is no path, or if no single binding's removal breaks a path. */
  cut: Cut | undefined;
  /**
   * How many of the subjects in question were not searched completely. The paths that were found for them are true, but others may be
   * missing.
   */
  leftOut: number;
}

/** Whose paths, and where to; absent: all. */
export interface PathsWanted {
  kind?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  to?: string | undefined;
}

/** Whether a path answers the question. */
export function isWanted(wanted: PathsWanted, { subject, target }: EscalationPath): boolean {
  return isAbout(wanted, subject) && (wanted.to ?? target.kind) === target.kind;
}

/** Whether a question is about a subject. */
export function isAbout({ kind, name, namespace }: PathsWanted, subject: RbacSubject): boolean {
  return (
    (kind ?? subject.kind) === subject.kind &&
    (name ?? subject.name) === subject.name &&
    (namespace === undefined || namespace === subject.namespace)
  );
}

/** How many candidate bindings are removed, one at a time, to find the best cut. */
const TRIED_CUTS = 6;

/** A path with the keys of all bindings that it depends on. */
interface FoundPath extends EscalationPath {
  hangsOn(): ReadonlySet<string>;
}

/** A bound for the time (the number of objects to look at), and the subjects in question, whose paths are searched first. */
export interface Bounds {
  effort?: number;
  about?: (subject: RbacSubject) => boolean;
}

/** All paths of all subjects that bindings name, and the best cut. Members of system:masters are above RBAC and have no paths. */
export function escalations(world: World, { effort = Infinity, about = () => true }: Bounds = {}): Escalations {
  const { paths, leftOut } = search(world, { effort: { left: effort }, only: () => true, about });
  // The cut of the paths that were found is useful even if the search was not complete.
  return { paths, cut: bestCut(world, paths, { left: effort / 2 }), leftOut };
}

/** The same without the cut, which a single question does not need. `only` selects subjects. */
export function pathsIn(world: World, only: (subject: RbacSubject) => boolean = () => true): EscalationPath[] {
  return search(world, { effort: { left: Infinity }, only, about: () => true }).paths;
}

/** A completed search, reused for subjects that reach the same. */
interface Search extends Pick<Known, 'rights'> {
  rightsKey: string;
  reached: ReadonlyMap<string, Reached>;
}

interface Wish {
  effort: Effort;
  only: (subject: RbacSubject) => boolean;
  about: (subject: RbacSubject) => boolean;
}

function search(world: World, { effort, only, about }: Wish): { paths: FoundPath[]; leftOut: number } {
  const terrain = terrainOf(world, effort);
  const know = knowledge(terrain);
  const sameBindings = new Map<string, Search>();
  const sameRights = new Map<string, Search>();
  const numbers = new Map<string, number[]>();
  for (const [number, { subjects: named }] of terrain.index.bound.entries())
    for (const one of named) {
      const list = numbers.get(keyOfSubject(one));
      if (list) list.push(number);
      else numbers.set(keyOfSubject(one), [number]);
    }
  // The cluster's own components come last, because nobody chose their rights.
  const rank = (subject: RbacSubject): number => (about(subject) ? 0 : 2) + (isBuiltIn(subject) ? 1 : 0);
  const subjects = terrain.subjects.filter(only).toSorted((a, b) => rank(a) - rank(b));
  let leftOut = 0;
  const paths = subjects.flatMap((subject) => {
    if (effort.left <= 0) {
      if (about(subject)) leftOut++;
      return [];
    }
    const { rights, rightKeys } = know(subject);
    if (rights.length === 0) return [];
    // Bindings that allow nothing count too, because somebody may write rules into their role.
    const bindings = [...new Set(keysOfRequester(requesterOf(subject)).flatMap((one) => numbers.get(one) ?? []))].toSorted((a, b) => a - b);
    const [bindingsKey, rightsKey] = [bindings.join(), rightKeys.join('\n')];
    const like = sameRights.get(rightsKey);
    const bounds = bindings.flatMap((number) => terrain.index.bound[number] ?? []);
    const found =
      sameBindings.get(bindingsKey) ??
      (like && isAsFar(like.reached, bounds) ? like : { rights, rightsKey, reached: reach(subject, terrain, know) });
    if (!sameBindings.has(bindingsKey)) sameBindings.set(bindingsKey, found);
    if (!like) sameRights.set(rightsKey, found);
    if (effort.left <= 0 && about(subject)) leftOut++;
    return pathsOf(subject, found, found.rightsKey === rightsKey ? rights : found.rights);
  });
  return { paths, leftOut };
}

/** `rights` are the subject's own rights, in the same order as those of the subject that was searched; by default the latter's. */
function pathsOf(subject: RbacSubject, { reached, rights: searched }: Search, rights: Known['rights']): FoundPath[] {
  const all = reached.get('all');
  // Who may do everything needs no path.
  if (all?.steps.length === 0) return [];
  const isShorter = ({ steps }: Reached): boolean => steps.length > 0 && (!all || steps.length < all.steps.length);
  const places = new Map(searched === rights ? [] : searched.map(({ source }, place) => [source, place]));
  const ownGrant = (grant: Grant): Grant => rights[places.get(grant) ?? -1]?.source ?? grant;
  const own = ({ grants, ...step }: Reached): Reached => ({ ...step, grants: grants.map(ownGrant) });
  const path = (target: Target, end: Reached): FoundPath => ({
    subject,
    target,
    steps: places.size === 0 ? end.steps : end.steps.map(own),
    ends: end.way === 'holds' ? end.grants.map(ownGrant) : [],
    hangsOn: () => bindingsBehind(end, ownGrant),
  });
  const nodes = [...reached.values()].filter((one) => one.power.kind === 'node' && isShorter(one));
  const [node] = nodes.toSorted((a, b) => a.steps.length - b.steps.length);
  return [
    ...(all ? [path({ kind: 'cluster-admin' }, all)] : []),
    ...(node?.power.kind === 'node' ? [path({ kind: 'node', name: node.power.name }, node)] : []),
    ...secretsOf(subject, reached)
      .filter(isShorter)
      .map((one) => path({ kind: 'secrets', namespace: namespaceOf(one) }, one)),
  ];
}

/** The bindings without which this way does not reach its end. */
function bindingsBehind(end: Reached, ownGrant: (grant: Grant) => Grant): Set<string> {
  const bindings = new Set<string>();
  const seen = new Set<Reached>([end]);
  // Entries that the loop adds are visited too.
  for (const { from, grants, filled, through } of seen) {
    for (const grant of grants) bindings.add(keyOfBinding(ownGrant(grant).bound));
    if (filled) bindings.add(keyOfBinding(filled));
    if (through?.kind.endsWith('Binding')) bindings.add(`${through.namespace ?? EVERYWHERE}/${through.name}`);
    for (const one of from) seen.add(one);
  }
  return bindings;
}

/**
 * Namespaces whose Secrets the path opens: not the account's own, and none that it may read anyway. If it opens all namespaces, one entry
 * says so.
 */
function secretsOf({ namespace: own }: RbacSubject, reached: ReadonlyMap<string, Reached>): Reached[] {
  const found = [...reached.values()].filter(({ power }) => power.kind === 'secrets');
  const everywhere = found.find((one) => namespaceOf(one) === EVERYWHERE);
  if (everywhere) return [everywhere];
  return found.filter((one) => namespaceOf(one) !== own);
}

function namespaceOf({ power }: Reached): string {
  return power.kind === 'secrets' ? power.namespace : EVERYWHERE;
}

const keyOfPath = ({ subject, target }: EscalationPath): string =>
  `${keyOfSubject(subject)} ${target.kind} ${target.kind === 'secrets' ? target.namespace : ''}`;

/** Removes the bindings that most paths depend on, one at a time, and counts the paths that are left. */
function bestCut(world: World, paths: readonly FoundPath[], effort: Effort): Cut | undefined {
  const hanging = new Map<string, FoundPath[]>();
  for (const path of paths)
    for (const key of path.hangsOn()) {
      const list = hanging.get(key);
      if (list) list.push(path);
      else hanging.set(key, [path]);
    }
  const tried = boundOf(world.rbac)
    // Kubernetes needs its own bindings, and creates them again when it starts.
    .filter(({ binding }) => !binding.metadata.name?.startsWith('system:'))
    .flatMap((bound) => ({ bound, paths: hanging.get(keyOfBinding(bound)) ?? [] }))
    .toSorted((a, b) => b.paths.length - a.paths.length || (keyOfBinding(a.bound) < keyOfBinding(b.bound) ? -1 : 1));
  let best: Cut | undefined;
  for (const { bound, paths: some } of tried.slice(0, TRIED_CUTS)) {
    // It breaks no more than hang on it.
    if (some.length <= (best?.broken ?? 0)) break;
    const subjects = new Set(some.map(({ subject }) => keyOfSubject(subject)));
    const { paths: still, leftOut } = search(
      { ...world, rbac: without(world.rbac, bound) },
      { effort, only: (one) => subjects.has(keyOfSubject(one)), about: () => true },
    );
    // Nobody knows then whether other paths are left.
    if (leftOut > 0) break;
    const left = new Set(still.map(keyOfPath));
    const broken = some.filter((path) => !left.has(keyOfPath(path))).length;
    if (broken > (best?.broken ?? 0)) best = { bound, broken };
  }
  return best;
}

function keyOfBinding({ binding, namespace }: Bound): string {
  return `${namespace ?? EVERYWHERE}/${binding.metadata.name}`;
}

function without(rbac: RbacObjects, { binding }: Bound): RbacObjects {
  const others = <T>(list: T[]): T[] => list.filter((one) => (one as unknown) !== binding);
  return { ...rbac, clusterRoleBindings: others(rbac.clusterRoleBindings), roleBindings: others(rbac.roleBindings) };
}
