import { listOf } from '../rules.ts';
import { EVERYWHERE, type Power, type Through, type Way } from './powers.ts';
import { type Asked, finder, type Right, type RightIndex } from './right-index.ts';
import type { Terrain } from './terrain.ts';
import { makesBindings } from './useful-rules.ts';

/** One thing that an identity can do with its rights. The same identity must hold all of these rights. */
export interface Move<S = unknown> {
  power: Power;
  way: Way;
  rights: Right<S>[];
  through?: Through;
}

/** The cost of asking for all moves when there are none, in objects looked at. */
const LOOK = 50;

/** Creates the questions that the moves ask. The moves that they find are added to `moves`. */
export function askOf<S>(
  indexes: readonly RightIndex<S>[],
  terrain: Terrain,
  moves: Move<S>[],
  fresh: readonly Right<S>[] | undefined,
): Ask<S> {
  terrain.effort.left -= LOOK;
  // Rights to create bindings are examined separately.
  const others = fresh?.filter(({ rule }) => !makesBindings(rule));
  const isNamed = others?.every(({ rule }) => listOf(rule.resourceNames).length > 0);
  return {
    indexes,
    terrain,
    ...finder(indexes),
    scopes: scopesOf(indexes, fresh),
    isFresh: fresh ? (right) => fresh.includes(right) : () => true,
    names: isNamed ? new Set(others?.flatMap(({ rule }) => listOf(rule.resourceNames))) : undefined,
    add: (move) => {
      terrain.effort.left--;
      moves.push(move);
    },
  };
}

/**
 * The whole cluster, and each namespace in which a right holds. If a move needs a right of one namespace, looking in that namespace is
 * enough.
 */
function scopesOf(indexes: readonly RightIndex[], fresh: readonly Right[] | undefined): (string | undefined)[] {
  const places = fresh?.map(({ namespace }) => namespace);
  if (places && !places.includes(undefined)) return [...new Set(places)];
  return [...new Set([undefined, ...indexes.flatMap(({ namesAt }) => [...namesAt.keys()])])];
}

/** The questions about the rights of an identity, where to look, and how to add a move. */
export interface Ask<S> extends ReturnType<typeof finder<S>> {
  indexes: readonly RightIndex<S>[];
  terrain: Terrain;
  /** Where to look. */
  scopes: readonly (string | undefined)[];
  /** Whether moves with a right are wanted. */
  isFresh(right: Right<S>): boolean;
  /** The names that the fresh rights hold for, if all of them (except rights to create bindings) hold for names only. */
  names: ReadonlySet<string> | undefined;
  add(move: Move<S>): void;
}

/** Where a right holds: in one namespace, or `*`. */
export const placeOf = (scope: string | undefined): string => scope ?? EVERYWHERE;

/** The rights to do something in a scope: one for all names, or one for each name that rules have. */
export function held<S>(
  { indexes, any, may }: Ask<S>,
  { verbs, resource }: { verbs: readonly string[]; resource: string },
  scope: string | undefined,
): { right: Right<S>; name: string | undefined }[] {
  if (!may(verbs, resource)) return [];
  const whole = any(verbs, { resource, namespace: scope });
  if (whole) return whole.namespace === scope ? [{ right: whole, name: undefined }] : [];
  const names = new Set(indexes.flatMap(({ namesAt }) => [...(namesAt.get(scope) ?? [])]));
  return [...names].flatMap((name) => {
    const right = any(verbs, { resource, name, namespace: scope });
    return right && right.namespace === scope ? [{ right, name }] : [];
  });
}

/** The names that rights about a resource hold for; undefined for all names. */
export function namesFor<S>({ namesOf, find }: Ask<S>, request: Asked): ReadonlySet<string> | undefined {
  if (find(request)) return undefined;
  const names = [...namesOf(request.verb, request.resource)];
  return new Set(names.filter((name) => find({ ...request, name })));
}
