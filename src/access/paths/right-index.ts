import type { PolicyRule } from '../objects.ts';
import { listOf, type ResourceRequest } from '../rules.ts';
import { isEverything } from './powers.ts';
import { ASKED_VERBS, CHANGE, RBAC, READ } from './useful-rules.ts';

/** A rule that an identity has, and where it holds: in one namespace, or everywhere if undefined. `S` is the type of its source. */
export interface Right<S = unknown> {
  rule: PolicyRule;
  namespace: string | undefined;
  source: S;
}

/** A request; `resource` is written as in `deployments.apps/scale`. */
export type Asked = Pick<ResourceRequest, 'verb' | 'name' | 'namespace'> & { resource: string };

interface Resource {
  group: string;
  resource: string;
  subresource: string | undefined;
  /** How rules may write it. */
  patterns: string[];
}

const parsed = new Map<string, Resource>();

/** `deployments.apps/scale` in its parts. */
export function parse(text: string): Resource {
  const known = parsed.get(text);
  if (known) return known;
  const [grouped = '', subresource] = text.split('/');
  const [resource = '', ...group] = grouped.split('.');
  const patterns = subresource ? [`${resource}/${subresource}`, `*/${subresource}`, '*'] : [resource, '*'];
  const made = { group: group.join('.'), resource, subresource, patterns };
  parsed.set(text, made);
  return made;
}

/** Rights, indexed by what they allow. More can be added. */
export interface RightIndex<S = unknown> {
  /** Returns false, and adds nothing, if an earlier right already allows everything that this one allows. */
  add(right: Right<S>): boolean;
  /** Those that have a verb and a pattern. */
  shelf(verb: string, pattern: string): Shelf<S> | undefined;
  /** All names that rules hold for, by namespace. */
  namesAt: ReadonlyMap<string | undefined, ReadonlySet<string>>;
  /** Those that allow everything. */
  everything: readonly Right<S>[];
  size(): number;
}

/** Rights with one verb and one resource pattern, in the order in which they were added: for all names, for certain names, and both. */
interface Shelf<S> {
  open: Shelved<S>[];
  named: Map<string, Shelved<S>[]>;
  whatever: Shelved<S>[];
}

interface Shelved<S> {
  right: Right<S>;
  groups: readonly string[];
  /** Of two rights with the same key in the same namespace, the second one allows nothing more. */
  key: string;
}

/** Indexes rights so that a request looks only at the few of a thousand rules that may allow it. */
export function rightIndex<S>(rights: readonly Right<S>[]): RightIndex<S> {
  const shelves = new Map<string, Map<string, Shelf<S>>>();
  const namesAt = new Map<string | undefined, Set<string>>();
  const everything: Right<S>[] = [];
  let count = 0;
  const put = (list: Shelved<S>[], one: Shelved<S>): boolean => {
    const isNew = list.every(({ key }) => key !== one.key);
    if (isNew) list.push(one);
    return isNew;
  };
  const putNamed = ({ named }: Shelf<S>, name: string, one: Shelved<S>): boolean => {
    const list = named.get(name);
    if (!list) named.set(name, [one]);
    return !list || put(list, one);
  };
  const shelfOf = (verb: string, pattern: string): Shelf<S> => {
    const ofVerb = shelves.get(verb) ?? new Map<string, Shelf<S>>();
    const shelf = ofVerb.get(pattern) ?? { open: [], named: new Map(), whatever: [] };
    shelves.set(verb, ofVerb.set(pattern, shelf));
    return shelf;
  };
  const add = (right: Right<S>): boolean => {
    const { rule, namespace } = right;
    const groups = listOf(rule.apiGroups);
    const one = { right, groups, key: `${namespace ?? ''} ${groups.join()}` };
    const [own, verbs] = [listOf(rule.resourceNames), listOf(rule.verbs)];
    let isNew = false;
    for (const verb of verbs.includes('*') ? ASKED_VERBS : verbs)
      for (const pattern of listOf(rule.resources)) {
        const shelf = shelfOf(verb, pattern);
        put(shelf.whatever, one);
        if (own.length === 0) isNew = put(shelf.open, one) || isNew;
        for (const name of own) isNew = putNamed(shelf, name, one) || isNew;
      }
    const names = namesAt.get(namespace) ?? new Set();
    for (const name of own) names.add(name);
    namesAt.set(namespace, names);
    if (isEverything([rule])) everything.push(right);
    if (isNew) count++;
    return isNew;
  };
  for (const right of rights) add(right);
  return { add, namesAt, everything, size: () => count, shelf: (verb, pattern) => shelves.get(verb)?.get(pattern) };
}

/** Most requests find nothing, so they share one empty list. */
const NO_SHELVES: readonly Shelf<never>[] = [];

/**
 * Looks for a right that allows a request. With `ownName`, the requester chooses the object's name, so that a rule with names suffices too.
 */
export function finder<S>(indexes: readonly RightIndex<S>[]) {
  const allows = ({ groups }: Shelved<S>, group: string): boolean => groups.includes(group) || groups.includes('*');
  const shelvesOf = (verb: string, pattern: string): readonly Shelf<S>[] => {
    let found = NO_SHELVES as readonly Shelf<S>[];
    for (const index of indexes) {
      const shelf = index.shelf(verb, pattern);
      if (shelf) found = [...found, shelf];
    }
    return found;
  };
  const first = (list: readonly Shelved<S>[] | undefined, group: string, namespace: string | undefined): Right<S> | undefined =>
    list?.find((one) => (one.right.namespace === undefined || one.right.namespace === namespace) && allows(one, group))?.right;
  const firstOf = (
    shelves: readonly Shelf<S>[],
    list: (shelf: Shelf<S>) => readonly Shelved<S>[] | undefined,
    group: string,
    at?: string,
  ) => {
    for (const shelf of shelves) {
      const found = first(list(shelf), group, at);
      if (found) return found;
    }
    return undefined;
  };
  const find = ({ verb, resource: text, name, namespace }: Asked, ownName = false): Right<S> | undefined => {
    const { patterns, group } = parse(text);
    for (const pattern of patterns) {
      const shelves = shelvesOf(verb, pattern);
      const open = firstOf(shelves, (shelf) => (ownName ? shelf.whatever : shelf.open), group, namespace);
      const found =
        open ?? (ownName || name === undefined ? undefined : firstOf(shelves, ({ named }) => named.get(name), group, namespace));
      if (found) return found;
    }
    return undefined;
  };
  /** The right to do something to each of these names. A right that holds for all names is looked for once. */
  const byName = (verbs: readonly string[], { resource, namespace }: Omit<Asked, 'verb' | 'name'>) => {
    const whole = any(verbs, { resource, namespace });
    const { patterns, group } = parse(resource);
    const shelves = whole ? [] : verbs.flatMap((verb) => patterns.flatMap((pattern) => shelvesOf(verb, pattern)));
    return (name = ''): Right<S> | undefined => whole ?? firstOf(shelves, ({ named }) => named.get(name), group, namespace);
  };
  const any = (verbs: readonly string[], asked: Omit<Asked, 'verb'>, ownName = false): Right<S> | undefined => {
    for (const verb of verbs) {
      const found = find({ ...asked, verb }, ownName);
      if (found) return found;
    }
    return undefined;
  };
  /** Whether any right allows this for some object of the resource, anywhere or in a scope. Loops over many objects ask this first. */
  const may = (verbs: readonly string[], text: string, isThere: (right: Right<S>) => boolean = () => true): boolean => {
    const { patterns, group } = parse(text);
    return verbs.some((verb) =>
      patterns.some((pattern) =>
        shelvesOf(verb, pattern).some(({ whatever }) => whatever.some((one) => isThere(one.right) && allows(one, group))),
      ),
    );
  };
  /** The names that rules about this request hold for. */
  const namesOf = (verb: string, text: string): Set<string> =>
    new Set(parse(text).patterns.flatMap((pattern) => shelvesOf(verb, pattern).flatMap(({ named }) => [...named.keys()])));
  /**
   * The rights to create an object with some name. The API server does not know the name when it authorizes a creation, so a rule with
   * names does not allow it. But server-side apply needs `patch` and `create` for the name, and PUT, which creates roles and bindings,
   * needs `update` and `create`.
   */
  const creation = (asked: Omit<Asked, 'verb' | 'name'>, isThere: (name: string) => boolean = () => false): Right<S>[] | undefined => {
    const create = find({ ...asked, verb: 'create' });
    if (create) return [create];
    const isRbac = parse(asked.resource).group === RBAC;
    if (!may(['create'], asked.resource) || !may(isRbac ? CHANGE : ['patch'], asked.resource)) return undefined;
    for (const name of namesOf('create', asked.resource)) {
      // Only names of roles and bindings may have colons.
      if (!isRbac && name.includes(':')) continue;
      const [named, patch] = [find({ ...asked, verb: 'create', name }), any(isRbac ? CHANGE : ['patch'], { ...asked, name })];
      if (named && patch && !isThere(name)) return [...new Set([named, patch])];
    }
    return undefined;
  };
  /** The right to read an object of the resource: any object, or with `ownName` one whose name the requester chooses. */
  const reading = (asked: Omit<Asked, 'verb'>, ownName = false): Right<S> | undefined => {
    const { resource, namespace } = asked;
    return any(READ, asked, ownName) ?? find({ verb: 'deletecollection', resource, namespace });
  };
  return { find, any, byName, may, namesOf, creation, reading };
}
