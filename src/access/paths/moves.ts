import type { PolicyRule, RbacBinding, RbacSubject } from '../objects.ts';
import type { AccessIndex, Bound, Grant } from '../rights.ts';
import { listOf, type ResourceRequest } from '../rules.ts';
import { accountOfUser, MASTERS } from '../subjects.ts';
import { EVERYWHERE, EVERYTHING, isEverything, type Power, type RoleName, roleKey, type Through, type Way } from './powers.ts';
import { accountOf, TEMPLATE_RESOURCES, type RunningPod, type World } from './world.ts';

/** A rule that an identity has, and where: in one namespace, or everywhere when undefined. `S` says where it comes from. */
export interface Right<S = unknown> {
  rule: PolicyRule;
  namespace: string | undefined;
  source: S;
}

/** One thing that rights let somebody do. All the rights must be held by the identity that does it. */
export interface Move<S = unknown> {
  power: Power;
  way: Way;
  rights: Right<S>[];
  through?: Through;
}

/** A role with the rules of it that lead somewhere. */
interface UsefulRole {
  name: RoleName;
  rules: readonly PolicyRule[];
}

/** The world, looked up once for all searches. */
export interface Terrain {
  world: World;
  index: AccessIndex;
  /** Everybody whom a binding names. */
  subjects: readonly RbacSubject[];
  /** Those of them whose identity leads somewhere. */
  identities: readonly RbacSubject[];
  podsIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** Of all pods that bring the same power one, and none that brings no power. */
  tellingPodsIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** One pod for each node. */
  onePodIn: ReadonlyMap<string, readonly RunningPod[]>;
  /** Of all pods on a node with the same account one, and none whose account leads nowhere. */
  nodePods: readonly RunningPod[];
  /** Roles with the rules of them that lead somewhere, by namespace; ClusterRoles under `*`. */
  usefulRolesIn: ReadonlyMap<string, readonly UsefulRole[]>;
  /** By their keys. */
  usefulRoles: ReadonlyMap<string, UsefulRole>;
  /** The roles that bindings name, by namespace, and ClusterRoles that others collect (`*`). */
  boundRolesIn: ReadonlyMap<string, readonly { role: RoleName; isThere: boolean }[]>;
  /** The aggregated ClusterRoles. */
  collecting: readonly RoleName[];
  /** Names of roles that somebody may bind by name, and one that no role has. */
  bindableNames: ReadonlySet<string>;
  /** By their keys. */
  rolesThere: ReadonlySet<string>;
  /** By namespace. */
  roleBindingsIn: ReadonlyMap<string, readonly RbacBinding[]>;
  /** The accounts that exist, by namespace. */
  accountsIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Those that bindings name, and one of the others where bindings name their group: all the others may do the same. */
  worthIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** The accounts that bindings name and that do not exist, by namespace; all of them under `*`. */
  missingIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Each role that a binding refers to, whether or not it exists. */
  boundByRole: ReadonlyMap<string, readonly (Bound & { subjectKeys: readonly string[] })[]>;
}

const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
const NODES = 'system:nodes';
/** A name that no object has. */
export const NEW_NAME = 'new';
const NODE_USER = 'system:node:';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const NODE_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const CHANGE = ['update', 'patch'];
/** What shows an object: the answer to a patch holds all of it. */
const READ = ['get', 'list', 'watch', 'patch'];
const UNDO = [...CHANGE, 'delete', 'deletecollection'];
/** What makes pods. */
const POD_MAKERS = [
  'pods',
  'replicationcontrollers',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'daemonsets.apps',
  'jobs.batch',
  'cronjobs.batch',
];

type Asked = Pick<ResourceRequest, 'verb' | 'name' | 'namespace'> & { resource: string };

/** `deployments.apps/scale` in its parts. */
interface Resource {
  group: string;
  resource: string;
  subresource: string | undefined;
  /** How rules may write it. */
  patterns: string[];
}

const parsed = new Map<string, Resource>();

function parse(text: string): Resource {
  const known = parsed.get(text);
  if (known) return known;
  const [grouped = '', subresource] = text.split('/');
  const [resource = '', ...group] = grouped.split('.');
  const patterns = subresource ? [`${resource}/${subresource}`, `*/${subresource}`, '*'] : [resource, '*'];
  const made = { group: group.join('.'), resource, subresource, patterns };
  parsed.set(text, made);
  return made;
}

/** Rights by what they allow, to be looked up and added to. */
export interface RightIndex<S = unknown> {
  /** False for a right that allows nothing which an earlier one does not allow: it is left out. */
  add(right: Right<S>): boolean;
  /** Those that have a verb and a pattern. */
  shelf(verb: string, pattern: string): Shelf<S> | undefined;
  /** All names that rules hold for, by where. */
  namesAt: ReadonlyMap<string | undefined, ReadonlySet<string>>;
  /** Those that allow everything. */
  everything: readonly Right<S>[];
  size(): number;
}

/** Rights with one verb and one pattern, the earlier first: for all names, by names, and both. */
interface Shelf<S> {
  open: Shelved<S>[];
  named: Map<string, Shelved<S>[]>;
  whatever: Shelved<S>[];
}

interface Shelved<S> {
  right: Right<S>;
  groups: readonly string[];
  /** Of two with the same one in the same place the second allows nothing more. */
  key: string;
}

/** Puts rights where requests find them: of a thousand rules, a request looks at the few that may allow it. */
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

/** Most requests find none: one empty list for all of them. */
const NO_SHELVES: readonly Shelf<never>[] = [];

/** Looks for a right that allows a request. `ownName`: the asker chooses the name, so a rule with names does as well. */
function finder<S>(indexes: readonly RightIndex<S>[]) {
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
  /** The right to do something to each name of a list: what holds for all names is looked for once. */
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
  /** Whether there is any right to do this to some object of the resource: anywhere, or where rights of a scope hold. Loops over many objects ask it first. */
  const may = (verbs: readonly string[], text: string, isThere: (right: Right<S>) => boolean = () => true): boolean => {
    const { patterns, group } = parse(text);
    return verbs.some((verb) =>
      patterns.some((pattern) =>
        shelvesOf(verb, pattern).some(({ whatever }) => whatever.some((one) => isThere(one.right) && allows(one, group))),
      ),
    );
  };
  /** The names that rules about this hold for. */
  const namesOf = (verb: string, text: string): Set<string> =>
    new Set(parse(text).patterns.flatMap((pattern) => shelvesOf(verb, pattern).flatMap(({ named }) => [...named.keys()])));
  /**
   * The rights to create an object of some name. The API server knows no name when it decides about a creation, so a rule with names allows none;
   * but server-side apply asks for `patch` and `create` of the name that it makes.
   */
  const creation = (asked: Omit<Asked, 'verb' | 'name'>, isThere: (name: string) => boolean = () => false): Right<S>[] | undefined => {
    const create = find({ ...asked, verb: 'create' });
    if (create) return [create];
    if (!may(['create'], asked.resource) || !may(['patch'], asked.resource)) return undefined;
    const isRbac = parse(asked.resource).group === RBAC;
    for (const name of namesOf('create', asked.resource)) {
      // Names of roles and bindings may have colons; others may not.
      if (!isRbac && name.includes(':')) continue;
      const [named, patch] = [find({ ...asked, verb: 'create', name }), find({ ...asked, verb: 'patch', name })];
      if (named && patch && !isThere(name)) return [...new Set([named, patch])];
    }
    return undefined;
  };
  return { find, any, byName, may, namesOf, creation };
}

/** What the moves below ask for. All other rights lead nowhere, and most rights are such. */
const ASKED_VERBS = new Set([
  '*',
  ...READ,
  ...CHANGE,
  'create',
  'delete',
  'deletecollection',
  'impersonate',
  'bind',
  'escalate',
  'approve',
]);
const READ_RESOURCES = ['secrets', 'nodes/proxy', 'certificatesigningrequests'];
const ASKED_RESOURCES = [
  ...READ_RESOURCES,
  ...POD_MAKERS.map((resource) => resource.split('.')[0] ?? ''),
  ...['pods/exec', 'pods/ephemeralcontainers', 'serviceaccounts', 'serviceaccounts/token', 'persistentvolumes', 'persistentvolumeclaims'],
  ...['namespaces', 'resourcequotas', 'roles', 'clusterroles', 'rolebindings', 'clusterrolebindings', 'users', 'groups'],
  ...['certificatesigningrequests/approval', 'signers', 'mutatingwebhookconfigurations', 'validatingwebhookconfigurations'],
];

function touches(rule: PolicyRule, resources: readonly string[]): boolean {
  return listOf(rule.resources).some((one) => one === '*' || one.startsWith('*/') || resources.includes(one));
}

const judged = new WeakMap<PolicyRule, boolean>();

/** Whether a rule can be part of a move at all. */
export function leadsSomewhere(rule: PolicyRule): boolean {
  const known = judged.get(rule) ?? isAsked(rule);
  judged.set(rule, known);
  return known;
}

function isAsked(rule: PolicyRule): boolean {
  const verbs = listOf(rule.verbs).filter((verb) => ASKED_VERBS.has(verb));
  const onlyReads = verbs.every((verb) => verb !== 'patch' && READ.includes(verb));
  return verbs.length > 0 && touches(rule, onlyReads ? READ_RESOURCES : ASKED_RESOURCES);
}

/** What is only of use together with another right: binding, rewriting, groups, certificates, volumes, Secrets for tokens. */
const HALVES: readonly [verbs: string[], resources: string[]][] = [
  [
    ['bind', 'escalate', 'create', ...CHANGE],
    ['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings'],
  ],
  [['impersonate'], ['users', 'groups', 'serviceaccounts']],
  [['create', ...READ], ['secrets']],
  [
    ['create', ...READ, ...CHANGE, 'approve'],
    ['certificatesigningrequests', 'certificatesigningrequests/approval', 'signers'],
  ],
  [['create'], ['persistentvolumes', 'persistentvolumeclaims']],
];

/** Whether a rule can be one of several rights that a move needs. */
export function isHalf(rule: PolicyRule): boolean {
  const verbs = listOf(rule.verbs);
  return HALVES.some(([wanted, resources]) => touches(rule, resources) && verbs.some((verb) => verb === '*' || wanted.includes(verb)));
}

/**
 * Everything that an identity with the rights of these indexes can do at once, on the way to more power. Leave out rights that lead nowhere. With
 * `fresh`, at least what one of those rights takes part in: the rest is known.
 */
export function movesOf<S>(indexes: readonly RightIndex<S>[], terrain: Terrain, fresh?: readonly Right<S>[]): Move<S>[] {
  const found = mixedMovesOf(indexes, terrain, fresh);
  if (fresh?.every(({ rule }) => isOnlyOfRoles(rule))) return found;
  const ask = askOf(indexes, terrain, found, fresh);
  webhookMoves(ask);
  for (const scope of ask.scopes) {
    podMoves(ask, scope);
    insideMoves(ask, scope);
    secretMoves(ask, scope);
  }
  return found;
}

/** Only what needs several rights, which may come from different places. Give it the rights that are halves. */
export function mixedMovesOf<S>(indexes: readonly RightIndex<S>[], terrain: Terrain, fresh?: readonly Right<S>[]): Move<S>[] {
  const moves: Move<S>[] = [];
  if (indexes.every((index) => index.size() === 0) || fresh?.length === 0) return moves;
  const ask = askOf(indexes, terrain, moves, fresh);
  const isOnlyRoles = fresh?.every(({ rule }) => isOnlyOfRoles(rule)) ?? false;
  if (!isOnlyRoles) {
    impersonations(ask);
    certificates(ask);
  }
  for (const scope of ask.scopes) {
    if (!isOnlyRoles) {
      volumeMoves(ask, scope);
      tokenSecretMoves(ask, scope);
    }
    roleMoves(ask, scope);
  }
  return moves;
}

const ROLE_RESOURCES = new Set(['roles', 'clusterroles', 'rolebindings', 'clusterrolebindings']);

/** Whether a rule is about roles and bindings, which only moves with them ask for. */
function isOnlyOfRoles({ resources }: PolicyRule): boolean {
  return listOf(resources).every((one) => ROLE_RESOURCES.has(one));
}

/** Whether a rule does nothing but create bindings of any name. */
function makesBindings({ verbs, resources, resourceNames }: PolicyRule): boolean {
  return (
    listOf(resourceNames).length === 0 &&
    listOf(verbs).every((verb) => verb === 'create') &&
    listOf(resources).every((one) => one === 'rolebindings' || one === 'clusterrolebindings')
  );
}

function askOf<S>(indexes: readonly RightIndex<S>[], terrain: Terrain, moves: Move<S>[], fresh: readonly Right<S>[] | undefined): Ask<S> {
  // A right to create bindings is looked at by itself.
  const others = fresh?.filter(({ rule }) => !makesBindings(rule));
  const isNamed = others?.every(({ rule }) => listOf(rule.resourceNames).length > 0);
  return {
    indexes,
    terrain,
    ...finder(indexes),
    scopes: scopesOf(indexes, fresh),
    isFresh: fresh ? (right) => fresh.includes(right) : () => true,
    names: isNamed ? new Set(others?.flatMap(({ rule }) => listOf(rule.resourceNames))) : undefined,
    add: (move) => void moves.push(move),
  };
}

/** The whole cluster, and each namespace in which a right holds. Of a move in which a right of one namespace takes part, that namespace is enough. */
function scopesOf(indexes: readonly RightIndex[], fresh: readonly Right[] | undefined): (string | undefined)[] {
  const places = fresh?.map(({ namespace }) => namespace);
  if (places && !places.includes(undefined)) return [...new Set(places)];
  return [...new Set([undefined, ...indexes.flatMap(({ namesAt }) => [...namesAt.keys()])])];
}

interface Ask<S> extends ReturnType<typeof finder<S>> {
  indexes: readonly RightIndex<S>[];
  terrain: Terrain;
  /** Where to look. */
  scopes: readonly (string | undefined)[];
  /** Whether moves with a right are wanted. */
  isFresh(right: Right<S>): boolean;
  /** Where all fresh rights but those to create bindings hold for names alone: those. */
  names: ReadonlySet<string> | undefined;
  add(move: Move<S>): void;
}

/** Where a right holds: in one namespace, or `*`. */
const placeOf = (scope: string | undefined): string => scope ?? EVERYWHERE;

/** Starts pods, and removes what would forbid them (Kubernetes, "RBAC good practices": workload creation). */
function podMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { any, may, creation, add, terrain } = ask;
  const { world } = terrain;
  const namespace = placeOf(scope);
  const isPod = (name: string): boolean => terrain.podsIn.get(namespace)?.some((pod) => pod.name === name) ?? false;
  const make = POD_MAKERS.map((resource) => ({
    resource,
    rights: creation({ resource, namespace: scope }, resource === 'pods' ? isPod : undefined),
  })).find(({ rights }) => rights);
  if (make?.rights)
    add({ power: { kind: 'runs-pods', namespace }, way: make.resource === 'pods' ? 'pod' : 'workload', rights: make.rights });
  const resources = Object.values(TEMPLATE_RESOURCES);
  const changed = new Set(resources.filter((resource) => may(CHANGE, resource)));
  for (const { resource, name, namespace: at } of changed.size > 0 ? world.workloads : []) {
    if (make?.rights || (scope !== undefined && at !== scope) || !changed.has(resource as (typeof resources)[number])) continue;
    const right = any(CHANGE, { resource, name, namespace: at });
    if (right && right.namespace === scope)
      add({
        power: { kind: 'runs-pods', namespace: at },
        way: 'workload',
        rights: [right],
        through: { kind: resource, name, namespace: at },
      });
  }
  accountMoves(ask, scope);
  placeMoves({ any, may, add, terrain }, scope);
}

/** Creates accounts, and the namespaces in which bindings name some. */
function accountMoves<S>({ find, creation, add, terrain }: Ask<S>, scope: string | undefined): void {
  const account = find({ verb: 'create', resource: 'serviceaccounts', namespace: scope });
  if (account) add({ power: { kind: 'makes-accounts', namespace: placeOf(scope) }, way: 'account', rights: [account] });
  else if (creation({ resource: 'serviceaccounts', namespace: scope }))
    for (const { name, namespace = '' } of missingAccounts(terrain, scope)) {
      const asked = { resource: 'serviceaccounts', namespace, name };
      const [create, patch] = [find({ ...asked, verb: 'create' }), find({ ...asked, verb: 'patch' })];
      if (create && patch)
        add({ power: { kind: 'makes-accounts', namespace, name }, way: 'account', rights: [...new Set([create, patch])] });
    }
  if (scope !== undefined) return;
  const place = find({ verb: 'create', resource: 'namespaces' });
  if (place) add({ power: { kind: 'makes-namespaces' }, way: 'namespace', rights: [place] });
}

/** Accounts that bindings name and that do not exist: of a namespace, or of all. */
export function missingAccounts({ missingIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return missingIn.get(scope ?? EVERYWHERE) ?? [];
}

/** Takes away what forbids pods in a namespace: the label of Pod Security, a quota without room. */
function placeMoves<S>({ any, may, add, terrain }: Pick<Ask<S>, 'any' | 'may' | 'add' | 'terrain'>, scope: string | undefined): void {
  if (!may(CHANGE, 'namespaces') && !may(UNDO, 'resourcequotas')) return;
  for (const [at, { level, fullQuotas }] of terrain.world.places) {
    if (scope !== undefined && at !== scope) continue;
    const label = level === 'privileged' ? undefined : any(CHANGE, { resource: 'namespaces', name: at, namespace: at });
    if (label && label.namespace === scope) add({ power: { kind: 'weakens', namespace: at }, way: 'label', rights: [label] });
    const quotas = fullQuotas
      .map((name) => any(UNDO, { resource: 'resourcequotas', namespace: at, name }))
      .filter((right) => right !== undefined);
    if (quotas.length > 0 && quotas.length === fullQuotas.length && quotas.some(({ namespace }) => namespace === scope))
      add({ power: { kind: 'frees', namespace: at }, way: 'quota', rights: [...new Set(quotas)] });
  }
}

/** Makes volumes of the node's folders, which Pod Security does not look at. */
function volumeMoves<S>({ creation, add }: Ask<S>, scope: string | undefined): void {
  const volume = creation({ resource: 'persistentvolumes', namespace: undefined });
  const claim = volume && creation({ resource: 'persistentvolumeclaims', namespace: scope });
  if (claim)
    add({ power: { kind: 'makes-volumes', namespace: placeOf(scope) }, way: 'volume', rights: [...new Set([...volume, ...claim])] });
}

/** Takes over pods that are there: runs a command in them, or changes what they run. */
function insideMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const whole = podsAt(ask.terrain.tellingPodsIn, scope);
  const named = (name: string): readonly RunningPod[] => podsAt(ask.terrain.podsIn, scope).filter((pod) => pod.name === name);
  const ways: [Way, verbs: readonly string[], resource: string][] = [
    ['exec', ['create'], 'pods/exec'],
    ['ephemeral', CHANGE, 'pods/ephemeralcontainers'],
    ['image', CHANGE, 'pods'],
  ];
  for (const [way, verbs, resource] of ways)
    for (const { right, name } of held(ask, { verbs, resource }, scope))
      for (const pod of name === undefined ? whole : named(name))
        // What breaks the level of its namespace may run on, and Pod Security refuses to change it.
        if (way === 'exec' || !pod.isNode || isOpen(pod, ask.terrain)) takePod(ask, pod, { way, rights: [right] });
        else ask.add({ power: changing(pod, way === 'image' ? 'image' : 'ephemeral'), way: 'pod-change', rights: [right] });
  debugMoves(ask, scope);
  if (scope !== undefined) return;
  for (const { right, name } of held(ask, { verbs: ['get', 'create'], resource: 'nodes/proxy' }, scope))
    for (const pod of whole)
      if (pod.node !== undefined && (name ?? pod.node) === pod.node) takePod(ask, pod, { way: 'kubelet', rights: [right] });
}

/** An ephemeral container may be privileged where Pod Security lets it. */
function debugMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { add, terrain } = ask;
  const any = podsAt(terrain.onePodIn, scope);
  for (const { right, name } of held(ask, { verbs: CHANGE, resource: 'pods/ephemeralcontainers' }, scope))
    for (const pod of name === undefined ? any : podsAt(terrain.podsIn, scope).filter((one) => one.name === name))
      if (isOpen(pod, terrain)) add({ power: { kind: 'node', name: pod.node }, way: 'ephemeral', rights: [right], through: podRef(pod) });
      else add({ power: changing(pod, 'ephemeral'), way: 'pod-change', rights: [right] });
}

function podsAt(podsIn: Terrain['podsIn'], scope: string | undefined): readonly RunningPod[] {
  return scope === undefined ? [...podsIn.values()].flat() : (podsIn.get(scope) ?? []);
}

function isOpen({ namespace }: RunningPod, { world }: Terrain): boolean {
  return world.places.get(namespace)?.level === 'privileged';
}

/** The rights to do something in a scope: one for all names, or one for each name that rules have. */
function held<S>(
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

function changing({ namespace, name }: RunningPod, by: 'image' | 'ephemeral'): Power {
  return { kind: 'changes-pod', namespace, name, by };
}

/** A pod as the thing that a way goes through. */
export function podRef({ name, namespace }: RunningPod): Through {
  return { kind: 'Pod', name, namespace };
}

function takePod<S>({ add }: Ask<S>, pod: RunningPod, how: Pick<Move<S>, 'way' | 'rights'>): void {
  const through = podRef(pod);
  if (pod.hasToken) add({ ...how, through, power: { kind: 'acts-as', subject: accountOf(pod) } });
  if (pod.isNode) add({ ...how, through, power: { kind: 'node', name: pod.node } });
}

/** Reads Secrets, and makes tokens of accounts (Kubernetes, "Managing Service Accounts"). */
function secretMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { any, add, terrain } = ask;
  const namespace = placeOf(scope);
  const read = any(READ, { resource: 'secrets', namespace: scope });
  if (read) add({ power: { kind: 'secrets', namespace }, way: 'holds', rights: [read] });
  const take = (way: Way, rights: Right<S>[], name?: string): void => {
    for (const subject of worthHaving(terrain, scope))
      if ((name ?? subject.name) === subject.name) add({ power: { kind: 'acts-as', subject }, way, rights });
  };
  for (const { right, name } of held(ask, { verbs: ['create'], resource: 'serviceaccounts/token' }, scope)) take('token', [right], name);
  // An account need not exist for somebody to speak in its name.
  const missing = missingAccounts(terrain, scope);
  for (const { right, name } of held(ask, { verbs: ['impersonate'], resource: 'serviceaccounts' }, scope)) {
    take('impersonate', [right], name);
    for (const subject of missing)
      if ((name ?? subject.name) === subject.name) add({ power: { kind: 'acts-as', subject }, way: 'impersonate', rights: [right] });
  }
}

function worthHaving({ worthIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return scope === undefined ? [...worthIn.values()].flat() : (worthIn.get(scope) ?? []);
}

/** Makes a Secret into which the token controller writes the token of an account, and reads it. */
function tokenSecretMoves<S>({ creation, any, add, terrain }: Ask<S>, scope: string | undefined): void {
  const write = creation({ resource: 'secrets', namespace: scope });
  const readOwn = any(READ, { resource: 'secrets', namespace: scope }, true);
  if (!write || !readOwn) return;
  const rights = [...new Set([...write, readOwn])];
  for (const subject of worthHaving(terrain, scope)) add({ power: { kind: 'acts-as', subject }, way: 'token-secret', rights });
}

const ROLES = { inside: `roles.${RBAC}`, cluster: `clusterroles.${RBAC}` };
const BINDINGS = { inside: `rolebindings.${RBAC}`, cluster: `clusterrolebindings.${RBAC}` };
const WRITE = ['create', ...CHANGE];

/** Grants itself roles, or rewrites roles (Kubernetes, "Using RBAC Authorization": privilege escalation prevention). */
function roleMoves<S>(ask: Ask<S>, scope: string | undefined): void {
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

/** `at` is where the binding would hold; `scope` is where the rights that are looked at hold. */
function bindMoves<S>(ask: Ask<S>, at: string | undefined, scope: string | undefined): void {
  const isAllThere = ask.indexes.some(({ everything }) => everything.some(({ namespace }) => namespace === undefined || namespace === at));
  // Who may do everything there gains nothing, but can give it to another identity that it has.
  if (isAllThere) return giveEverything(ask, at);
  const bindCluster = ask.byName(['bind'], { resource: ROLES.cluster, namespace: at });
  const bindInside = ask.byName(['bind'], { resource: ROLES.inside, namespace: at });
  const { world, roleBindingsIn } = ask.terrain;
  const binder: Binder<S> = {
    asked: { resource: at === undefined ? BINDINGS.cluster : BINDINGS.inside, namespace: at },
    bindings: at === undefined ? world.rbac.clusterRoleBindings : (roleBindingsIn.get(at) ?? []),
    bind: ({ kind, name }) => (kind === 'Role' ? bindInside(name) : bindCluster(name)),
    give: ({ name: role, rules }, by, through) => {
      // What is given by cluster-wide rights is looked at once, with the whole cluster.
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
  /** Bindings of a place, and those that are there. */
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
  if (!write) return;
  // With an old right to write bindings, only roles are new that new rights have the names of.
  const wanted = write.some(isFresh) ? undefined : names;
  const roles = [EVERYWHERE, ...(at === undefined ? [] : [at])].flatMap((place) => terrain.usefulRolesIn.get(place) ?? []);
  const some = wanted ? roles.filter(({ name }) => wanted.has(name.name)) : roles;
  const bindable = [...some, ...emptyRoles(at, terrain, wanted)].flatMap((role) => {
    const right = bind(role.name);
    return right ? [{ role, right }] : [];
  });
  // With one role that allows everything, the others give nothing more.
  const best = bindable.find(({ role }) => isEverything(role.rules));
  for (const { role, right } of best ? [best] : bindable) give(role, [...write, right]);
}

/** Makes itself a subject of a binding that is there. */
function changeBindings<S>({ byName, names, terrain }: Ask<S>, at: string | undefined, { asked, bindings, bind, give }: Binder<S>): void {
  const change = byName(CHANGE, asked);
  for (const { roleRef, metadata } of bindings) {
    if (names && !names.has(metadata.name ?? '') && !names.has(roleRef?.name ?? '')) continue;
    const right = change(metadata.name);
    const useful = right && usefulRole(roleRef, at, terrain);
    const allowed = useful && bind(useful.name);
    const kind = at === undefined ? 'ClusterRoleBinding' : 'RoleBinding';
    if (allowed) give(useful, [right, allowed], { kind, name: metadata.name ?? '', ...(at && { namespace: at }) });
  }
}

function usefulRole({ kind, name }: RbacBinding['roleRef'] = { kind: '', name: '' }, at: string | undefined, { usefulRoles }: Terrain) {
  if (kind === 'ClusterRole') return usefulRoles.get(roleKey({ kind, name }));
  return kind === 'Role' && at !== undefined ? usefulRoles.get(roleKey({ kind, name, namespace: at })) : undefined;
}

function giveEverything<S>({ indexes, add, terrain }: Ask<S>, at: string | undefined): void {
  const all = indexes.flatMap(({ everything }) => everything).find(({ namespace }) => namespace === at);
  const role = terrain.usefulRolesIn.get(EVERYWHERE)?.find(({ rules }) => isEverything(rules));
  if (at === undefined || !all || !role) return;
  add({ power: { kind: 'granted', role: role.name, rules: role.rules, namespace: at }, way: 'bind', rights: [all] });
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
  for (const { role, isThere } of [...(names ? bound.filter(({ role: { name } }) => names.has(name)) : bound), ...named])
    // A binding may name a role that is not there: who makes the role decides what it allows.
    take(role, 'escalate', ...(isThere ? [change(role.name), escalate(role.name)] : (create(role.name) ?? [undefined])));
  const made =
    at === undefined && terrain.collecting.length > 0
      ? namesIn(ask)
          .map(create)
          .find((rights) => rights)
      : undefined;
  if (made) for (const role of terrain.collecting) take(role, 'aggregate', ...made);
}

/** The names that rules hold for, and one that none has. */
function namesIn<S>({ indexes }: Ask<S>): string[] {
  return [...new Set(indexes.flatMap(({ namesAt }) => [...namesAt.values()].flatMap((names) => [...names]))), NEW_NAME];
}

/** The rights to create a role of a name with any rule in it: `escalate` is asked without a name too, unless server-side apply creates it. */
function roleCreation<S>({ find, byName, may, terrain }: Ask<S>, resource: string, at: string | undefined) {
  const asked = { resource, namespace: at };
  const [create, escalate] = [find({ ...asked, verb: 'create' }), find({ ...asked, verb: 'escalate' })];
  const isPossible = may(['create'], resource);
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

const roleIn = (at: string | undefined, name: string): RoleName =>
  at === undefined ? { kind: 'ClusterRole', name } : { kind: 'Role', name, namespace: at };

function namedRoles(at: string | undefined, { bindableNames }: Terrain, names?: ReadonlySet<string>): RoleName[] {
  return [...(names ?? bindableNames)].flatMap((name) => (bindableNames.has(name) ? [roleIn(at, name)] : []));
}

/** Roles that allow nothing of use, or are not there: who may bind one may also be able to write rules into it. */
function emptyRoles(
  at: string | undefined,
  terrain: Terrain,
  names: ReadonlySet<string> | undefined,
): { name: RoleName; rules: readonly PolicyRule[] }[] {
  const all = [...namedRoles(undefined, terrain, names), ...(at === undefined ? [] : namedRoles(at, terrain, names))];
  return all.filter((role) => !terrain.usefulRoles.has(roleKey(role))).map((name) => ({ name, rules: [] }));
}

/** A webhook is sent every object that it asks for, Secrets too, when it is written. */
function webhookMoves<S>({ find, any, add }: Ask<S>): void {
  for (const resource of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']) {
    const grouped = `${resource}.admissionregistration.k8s.io`;
    const right = find({ verb: 'create', resource: grouped }) ?? any(CHANGE, { resource: grouped });
    if (right) return add({ power: { kind: 'secrets', namespace: EVERYWHERE }, way: 'webhook', rights: [right] });
  }
}

/** Kubernetes, "User impersonation": a group is only taken together with a user or an account. */
function impersonations<S>(ask: Ask<S>): void {
  const { find, may, add, terrain } = ask;
  if (!['users', 'groups'].some((one) => may(['impersonate'], one))) return;
  const users = namesFor(ask, { verb: 'impersonate', resource: 'users' });
  const groups = namesFor(ask, { verb: 'impersonate', resource: 'groups' });
  const some = anyIdentity(ask, users);
  const rightFor = (resource: string, name: string): Right<S>[] => {
    const right = find({ verb: 'impersonate', resource, name });
    return right ? [right] : [];
  };
  const take = (power: Power, by: Right<S>[]): void => add({ power, way: 'impersonate', rights: [...new Set(by)] });
  const isOpen = (names: ReadonlySet<string> | undefined, name: string): boolean => names?.has(name) ?? true;
  for (const subject of terrain.identities) {
    const { kind, name } = subject;
    if (kind === 'User' && isOpen(users, name)) take({ kind: 'acts-as', subject }, rightFor('users', name));
    if (kind === 'Group' && some && isOpen(groups, name)) take({ kind: 'acts-as', subject }, [some, ...rightFor('groups', name)]);
  }
  if (some && isOpen(groups, MASTERS)) take({ kind: 'all' }, [some, ...rightFor('groups', MASTERS)]);
  const node = users ? [...users].find((name) => name.startsWith(NODE_USER)) : `${NODE_USER}`;
  if (node && isOpen(groups, NODES)) {
    const name = node.slice(NODE_USER.length) || undefined;
    take({ kind: 'node', name }, [...rightFor('users', node), ...rightFor('groups', NODES)]);
  }
}

/** The names that rights about a resource hold for; undefined for all names. */
function namesFor<S>({ namesOf, find }: Ask<S>, request: Asked): ReadonlySet<string> | undefined {
  if (find(request)) return undefined;
  const names = [...namesOf(request.verb, request.resource)];
  return new Set(names.filter((name) => find({ ...request, name })));
}

/** A right to be some user or account at all, which taking a group needs. */
function anyIdentity<S>({ find, indexes }: Ask<S>, users: ReadonlySet<string> | undefined): Right<S> | undefined {
  const name = [...(users ?? ['anybody'])].find((one) => !accountOfUser(one));
  const user = name === undefined ? undefined : find({ verb: 'impersonate', resource: 'users', name });
  if (user) return user;
  // In any namespace.
  const found = parse('serviceaccounts').patterns.flatMap((pattern) =>
    indexes.flatMap((index) => index.shelf('impersonate', pattern)?.whatever ?? []),
  );
  return found.find(({ groups }) => groups.includes('') || groups.includes('*'))?.right;
}

/** Signs itself a client certificate (Kubernetes, "Certificates and Certificate Signing Requests"); the group system:masters is refused. */
function certificates<S>({ find, any, add, terrain }: Ask<S>): void {
  const resource = `certificatesigningrequests.${CERTIFICATES}`;
  const create = find({ verb: 'create', resource });
  const read = any(READ, { resource }, true);
  const approve = any(CHANGE, { resource: `${resource}/approval` }, true);
  if (!create || !read || !approve) return;
  const signer = (name: string): Right<S> | undefined =>
    [name, 'kubernetes.io/*']
      .map((one) => find({ verb: 'approve', resource: `signers.${CERTIFICATES}`, name: one }))
      .find((right) => right);
  const [client, kubelet] = [signer(CLIENT_SIGNER), signer(NODE_SIGNER)];
  if (client)
    for (const subject of terrain.identities)
      if (subject.name !== MASTERS)
        add({ power: { kind: 'acts-as', subject }, way: 'csr', rights: [...new Set([create, read, approve, client])] });
  const nodeSigner = client ?? kubelet;
  if (nodeSigner) add({ power: { kind: 'node', name: undefined }, way: 'csr', rights: [...new Set([create, read, approve, nodeSigner])] });
}

/** The rights that bindings give. */
export function rightsOf(grants: readonly Grant[]): Right<Grant>[] {
  return grants.map((grant) => ({ rule: grant.rule, namespace: grant.bound.namespace, source: grant }));
}

/** A rule for everything, where a rewritten role holds. */
export function everythingFor(role: RoleName, namespace: string | undefined): Power {
  return { kind: 'granted', role, rules: [EVERYTHING], namespace };
}
