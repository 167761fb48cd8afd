import type { RbacObjects, RbacSubject } from '../objects.ts';
import type { Bound, Grant } from '../rights.ts';
import { isBuiltIn, keyOfSubject, keysOfRequester, requesterOf } from '../subjects.ts';
import { EVERYWHERE } from './powers.ts';
import { knowledge, reach, type Reached, terrainOf } from './search.ts';
import type { World } from './world.ts';

/** Where a path ends: everything, a node, or the Secrets of a namespace (`*`: of all). */
export type Target = { kind: 'cluster-admin' } | { kind: 'node'; name: string | undefined } | { kind: 'secrets'; namespace: string };

/** The shortest way of a subject to a power that no binding gives it. */
export interface EscalationPath {
  subject: RbacSubject;
  target: Target;
  /** In order; at least one. */
  steps: readonly Reached[];
  /** What gives the last identity the power, where that identity needs no further step. */
  ends: readonly Grant[];
}

/** A binding whose removal breaks `broken` of all paths. */
export interface Cut {
  bound: Bound;
  broken: number;
}

export interface Escalations {
  /** By subject, then cluster-admin, nodes, Secrets. */
  paths: EscalationPath[];
  /** The best one; undefined when there is no path, or no single binding whose removal breaks one. */
  cut: Cut | undefined;
}

/** Whose paths, and where to; absent: all. */
export interface PathsWanted {
  kind?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
  to?: string | undefined;
}

/** Whether somebody who asked this wants to see a path. */
export function isWanted({ kind, name, namespace, to }: PathsWanted, { subject, target }: EscalationPath): boolean {
  return (
    (kind ?? subject.kind) === subject.kind &&
    (name ?? subject.name) === subject.name &&
    (namespace === undefined || namespace === subject.namespace) &&
    (to ?? target.kind) === target.kind
  );
}

/** Bindings that are really taken away to see which is the best cut. */
const TRIED_CUTS = 6;

/** All paths of all subjects that bindings name, and the best cut. Members of system:masters are above all this and have none. */
export function escalations(world: World): Escalations {
  const paths = pathsIn(world);
  return { paths, cut: bestCut(world, paths) };
}

/** The same without the cut: for one question it is not needed. `only` chooses subjects. */
export function pathsIn(world: World, only: (subject: RbacSubject) => boolean = () => true): EscalationPath[] {
  const terrain = terrainOf(world);
  const know = knowledge(terrain);
  // Subjects with the same bindings come equally far.
  const same = new Map<string, ReadonlyMap<string, Reached>>();
  const numbers = new Map<string, number[]>();
  for (const [number, { subjects: named }] of terrain.index.bound.entries())
    for (const one of named) {
      const list = numbers.get(keyOfSubject(one));
      if (list) list.push(number);
      else numbers.set(keyOfSubject(one), [number]);
    }
  // Paths of the cluster's own components come last: nobody chose them.
  const subjects = terrain.subjects.filter(only).toSorted((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)));
  return subjects.flatMap((subject) => {
    if (know(subject).rights.length === 0) return [];
    // Bindings that allow nothing count too: somebody may fill their role.
    const key = [...new Set(keysOfRequester(requesterOf(subject)).flatMap((one) => numbers.get(one) ?? []))]
      .toSorted((a, b) => a - b)
      .join();
    const reached = same.get(key) ?? reach(subject, terrain, know);
    same.set(key, reached);
    return pathsOf(subject, reached);
  });
}

function pathsOf(subject: RbacSubject, reached: ReadonlyMap<string, Reached>): EscalationPath[] {
  const all = reached.get('all');
  // Who may do everything needs no path.
  if (all?.steps.length === 0) return [];
  const isShorter = ({ steps }: Reached): boolean => steps.length > 0 && (!all || steps.length < all.steps.length);
  const path = (target: Target, { steps, way, grants }: Reached): EscalationPath => ({
    subject,
    target,
    steps,
    ends: way === 'holds' ? grants : [],
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

/** Secrets of namespaces that are not the account's own and that it may not read anyway; for all namespaces once. */
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

/** Takes the bindings that most paths use away, one at a time, and looks what is left. */
function bestCut(world: World, paths: readonly EscalationPath[]): Cut | undefined {
  const uses = new Map<string, { grant: Grant; count: number }>();
  for (const { steps, ends } of paths)
    for (const grant of new Map(
      [...steps.flatMap(({ grants }) => grants), ...ends].map((one) => [keyOfBinding(one.bound), one]),
    ).values()) {
      const key = keyOfBinding(grant.bound);
      uses.set(key, { grant, count: (uses.get(key)?.count ?? 0) + 1 });
    }
  const tried = [...uses.values()].toSorted(
    (a, b) => b.count - a.count || (keyOfBinding(a.grant.bound) < keyOfBinding(b.grant.bound) ? -1 : 1),
  );
  const before = new Set(paths.map(keyOfPath));
  let best: Cut | undefined;
  for (const { grant } of tried.slice(0, TRIED_CUTS)) {
    const left = new Set(pathsIn({ ...world, rbac: without(world.rbac, grant.bound) }).map(keyOfPath));
    const broken = [...before].filter((key) => !left.has(key)).length;
    if (broken > (best?.broken ?? 0)) best = { bound: grant.bound, broken };
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
