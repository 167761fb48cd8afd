import type { PolicyRule, RbacBinding, RbacSubject } from '../objects.ts';
import type { AccessIndex, Bound, Grant } from '../rights.ts';
import { listOf, type ResourceRequest, ruleAllows } from '../rules.ts';
import { accountOfUser, MASTERS } from '../subjects.ts';
import { EVERYWHERE, EVERYTHING, isEverything, type Power, type RoleName, type Through, type Way } from './powers.ts';
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
  /** Roles with the rules of them that lead somewhere, by namespace; ClusterRoles under `*`. */
  usefulRolesIn: ReadonlyMap<string, readonly { name: RoleName; rules: readonly PolicyRule[] }[]>;
  /** The roles that bindings name, by namespace, and ClusterRoles that others collect (`*`). */
  boundRolesIn: ReadonlyMap<string, readonly { role: RoleName; isThere: boolean }[]>;
  /** The aggregated ClusterRoles. */
  collecting: readonly RoleName[];
  /** By namespace. */
  roleBindingsIn: ReadonlyMap<string, readonly RbacBinding[]>;
  /** The accounts that exist, by namespace. */
  accountsIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Those that bindings name, and one of the others where bindings name their group: all the others may do the same. */
  worthIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** The accounts that bindings name, whether or not they exist, by namespace. */
  boundAccountsIn: ReadonlyMap<string, readonly RbacSubject[]>;
  /** Each role that a binding refers to, whether or not it exists. */
  boundByRole: ReadonlyMap<string, readonly Bound[]>;
}

const RBAC = 'rbac.authorization.k8s.io';
const CERTIFICATES = 'certificates.k8s.io';
const NODES = 'system:nodes';
const NODE_USER = 'system:node:';
const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
const NODE_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
const CHANGE = ['update', 'patch'];
const READ = ['get', 'list', 'watch'];
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

/** Looks for a right that allows a request. `ownName`: the asker chooses the name, so a rule with names does as well. */
function finder<S>(rights: readonly Right<S>[]) {
  const byPattern = new Map<string, Right<S>[]>();
  for (const right of rights)
    for (const pattern of listOf(right.rule.resources)) {
      const list = byPattern.get(pattern);
      if (list) list.push(right);
      else byPattern.set(pattern, [right]);
    }
  const find = ({ verb, resource: text, name, namespace }: Asked, ownName = false): Right<S> | undefined => {
    const { patterns, group, resource, subresource } = parse(text);
    for (const pattern of patterns)
      for (const right of byPattern.get(pattern) ?? []) {
        if (right.namespace !== undefined && right.namespace !== namespace) continue;
        const own = ownName ? listOf(right.rule.resourceNames)[0] : undefined;
        if (ruleAllows(right.rule, { verb, group, resource, subresource, namespace, name: own ?? name })) return right;
      }
    return undefined;
  };
  const any = (verbs: readonly string[], asked: Omit<Asked, 'verb'>, ownName = false): Right<S> | undefined => {
    for (const verb of verbs) {
      const found = find({ ...asked, verb }, ownName);
      if (found) return found;
    }
    return undefined;
  };
  /** Whether there is any right to do this to some object of the resource, anywhere. Loops over many objects ask it first. */
  const may = (verbs: readonly string[], text: string): boolean => {
    const { patterns, group } = parse(text);
    return patterns.some((pattern) =>
      (byPattern.get(pattern) ?? []).some(({ rule }) => {
        const groups = listOf(rule.apiGroups);
        return (groups.includes(group) || groups.includes('*')) && listOf(rule.verbs).some((verb) => verb === '*' || verbs.includes(verb));
      }),
    );
  };
  return { find, any, may };
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
  return verbs.length > 0 && touches(rule, verbs.every((verb) => READ.includes(verb)) ? READ_RESOURCES : ASKED_RESOURCES);
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

/** Everything that an identity with these rights can do at once, on the way to more power. Leave out rights that lead nowhere. */
export function movesOf<S>(rights: readonly Right<S>[], terrain: Terrain): Move<S>[] {
  const found = mixedMovesOf(rights, terrain);
  if (rights.length === 0) return found;
  const ask = askOf(rights, terrain, found);
  webhookMoves(ask);
  for (const scope of scopesOf(rights)) {
    podMoves(ask, scope);
    insideMoves(ask, scope);
    secretMoves(ask, scope);
  }
  return found;
}

/** Only what needs several rights, which may come from different places. Give it the rights that are halves. */
export function mixedMovesOf<S>(rights: readonly Right<S>[], terrain: Terrain): Move<S>[] {
  if (rights.length === 0) return [];
  const moves: Move<S>[] = [];
  const ask = askOf(rights, terrain, moves);
  impersonations(ask);
  certificates(ask);
  for (const scope of scopesOf(rights)) {
    volumeMoves(ask, scope);
    tokenSecretMoves(ask, scope);
    roleMoves(ask, scope);
  }
  return moves;
}

function askOf<S>(rights: readonly Right<S>[], terrain: Terrain, moves: Move<S>[]): Ask<S> {
  return { rights, terrain, ...finder(rights), add: (move) => void moves.push(move) };
}

/** The whole cluster, and each namespace in which a right holds. */
function scopesOf(rights: readonly Right[]): (string | undefined)[] {
  return [undefined, ...new Set(rights.flatMap(({ namespace }) => (namespace === undefined ? [] : [namespace])))];
}

interface Ask<S> extends ReturnType<typeof finder<S>> {
  rights: readonly Right<S>[];
  terrain: Terrain;
  add(move: Move<S>): void;
}

/** Where a right holds: in one namespace, or `*`. */
const placeOf = (scope: string | undefined): string => scope ?? EVERYWHERE;

/** Starts pods, and removes what would forbid them (Kubernetes, "RBAC good practices": workload creation). */
function podMoves<S>({ find, any, may, add, terrain }: Ask<S>, scope: string | undefined): void {
  const { world } = terrain;
  const namespace = placeOf(scope);
  const make = POD_MAKERS.map((resource) => ({ resource, right: find({ verb: 'create', resource, namespace: scope }) })).find(
    ({ right }) => right,
  );
  if (make?.right)
    add({ power: { kind: 'runs-pods', namespace }, way: make.resource === 'pods' ? 'pod' : 'workload', rights: [make.right] });
  const resources = Object.values(TEMPLATE_RESOURCES);
  const changed = new Set(resources.filter((resource) => may(CHANGE, resource)));
  for (const { resource, name, namespace: at } of changed.size > 0 ? world.workloads : []) {
    if (make?.right || (scope !== undefined && at !== scope) || !changed.has(resource as (typeof resources)[number])) continue;
    const right = any(CHANGE, { resource, name, namespace: at });
    if (right && right.namespace === scope)
      add({
        power: { kind: 'runs-pods', namespace: at },
        way: 'workload',
        rights: [right],
        through: { kind: resource, name, namespace: at },
      });
  }
  const account = find({ verb: 'create', resource: 'serviceaccounts', namespace: scope });
  if (account) add({ power: { kind: 'makes-accounts', namespace }, way: 'account', rights: [account] });
  placeMoves({ any, may, add, terrain }, scope);
}

/** Takes away what forbids pods in a namespace: the label of Pod Security, a quota without room. */
function placeMoves<S>({ any, may, add, terrain }: Pick<Ask<S>, 'any' | 'may' | 'add' | 'terrain'>, scope: string | undefined): void {
  if (!may(CHANGE, 'namespaces') && !may(UNDO, 'resourcequotas')) return;
  for (const [at, { level, isFull }] of terrain.world.places) {
    if (scope !== undefined && at !== scope) continue;
    const label = level === 'privileged' ? undefined : any(CHANGE, { resource: 'namespaces', name: at, namespace: at });
    if (label && label.namespace === scope) add({ power: { kind: 'weakens', namespace: at }, way: 'label', rights: [label] });
    const quota = isFull ? any(UNDO, { resource: 'resourcequotas', namespace: at }) : undefined;
    if (quota && quota.namespace === scope) add({ power: { kind: 'frees', namespace: at }, way: 'quota', rights: [quota] });
  }
}

/** Makes volumes of the node's folders, which Pod Security does not look at. */
function volumeMoves<S>({ find, add }: Ask<S>, scope: string | undefined): void {
  const [volume, claim] = [
    find({ verb: 'create', resource: 'persistentvolumes' }),
    find({ verb: 'create', resource: 'persistentvolumeclaims', namespace: scope }),
  ];
  if (volume && claim) add({ power: { kind: 'makes-volumes', namespace: placeOf(scope) }, way: 'volume', rights: [volume, claim] });
}

/** Takes over pods that are there: runs a command in them, or changes what they run. */
function insideMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { add, terrain } = ask;
  const { tellingPodsIn, podsIn, world } = terrain;
  const whole = scope === undefined ? [...tellingPodsIn.values()].flat() : (tellingPodsIn.get(scope) ?? []);
  const named = (name: string): readonly RunningPod[] =>
    (scope === undefined ? world.pods : (podsIn.get(scope) ?? [])).filter((pod) => pod.name === name);
  const ways: [Way, verbs: readonly string[], resource: string][] = [
    ['exec', ['create'], 'pods/exec'],
    ['ephemeral', CHANGE, 'pods/ephemeralcontainers'],
    ['image', CHANGE, 'pods'],
  ];
  for (const [way, verbs, resource] of ways)
    for (const { right, name } of held(ask, { verbs, resource }, scope))
      for (const pod of name === undefined ? whole : named(name)) {
        takePod(ask, pod, { way, rights: [right] });
        // An ephemeral container may be privileged where Pod Security lets it.
        if (way === 'ephemeral' && !pod.isNode && world.places.get(pod.namespace)?.level === 'privileged')
          add({ power: { kind: 'node', name: pod.node }, way, rights: [right], through: podRef(pod) });
      }
  if (scope !== undefined) return;
  for (const { right, name } of held(ask, { verbs: ['get', 'create'], resource: 'nodes/proxy' }, scope))
    for (const pod of whole)
      if (pod.node !== undefined && (name ?? pod.node) === pod.node) takePod(ask, pod, { way: 'kubelet', rights: [right] });
}

/** The rights to do something in a scope: one for all names, or one for each name that rules have. */
function held<S>(
  { rights, any, may }: Ask<S>,
  { verbs, resource }: { verbs: readonly string[]; resource: string },
  scope: string | undefined,
): { right: Right<S>; name: string | undefined }[] {
  if (!may(verbs, resource)) return [];
  const whole = any(verbs, { resource, namespace: scope });
  if (whole) return whole.namespace === scope ? [{ right: whole, name: undefined }] : [];
  const names = new Set(rights.flatMap(({ rule, namespace }) => (namespace === scope ? listOf(rule.resourceNames) : [])));
  return [...names].flatMap((name) => {
    const right = any(verbs, { resource, name, namespace: scope });
    return right && right.namespace === scope ? [{ right, name }] : [];
  });
}

function podRef({ name, namespace }: RunningPod): Through {
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
  const whole = worthHaving(terrain, scope);
  const take = (way: Way, rights: Right<S>[], name?: string): void => {
    for (const subject of whole) if ((name ?? subject.name) === subject.name) add({ power: { kind: 'acts-as', subject }, way, rights });
  };
  for (const { right, name } of held(ask, { verbs: ['create'], resource: 'serviceaccounts/token' }, scope)) take('token', [right], name);
  for (const { right, name } of held(ask, { verbs: ['impersonate'], resource: 'serviceaccounts' }, scope))
    take('impersonate', [right], name);
}

function worthHaving({ worthIn }: Terrain, scope: string | undefined): readonly RbacSubject[] {
  return scope === undefined ? [...worthIn.values()].flat() : (worthIn.get(scope) ?? []);
}

/** Makes a Secret into which the token controller writes the token of an account, and reads it. */
function tokenSecretMoves<S>({ find, any, add, terrain }: Ask<S>, scope: string | undefined): void {
  const write = find({ verb: 'create', resource: 'secrets', namespace: scope });
  const readOwn = any(READ, { resource: 'secrets', namespace: scope }, true);
  if (!write || !readOwn) return;
  const rights = [...new Set([write, readOwn])];
  for (const subject of worthHaving(terrain, scope)) add({ power: { kind: 'acts-as', subject }, way: 'token-secret', rights });
}

const ROLES = { inside: `roles.${RBAC}`, cluster: `clusterroles.${RBAC}` };
const BINDINGS = { inside: `rolebindings.${RBAC}`, cluster: `clusterrolebindings.${RBAC}` };
const WRITE = ['create', ...CHANGE];

/** Grants itself roles, or rewrites roles (Kubernetes, "Using RBAC Authorization": privilege escalation prevention). */
function roleMoves<S>(ask: Ask<S>, scope: string | undefined): void {
  const { may } = finder(ask.rights.filter(({ namespace }) => namespace === undefined || namespace === scope));
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

/** The right to do something to each name of a list; asked once where one rule holds for all names. */
function rightByName<S>(
  { find, any }: Ask<S>,
  { verbs, resource, namespace }: { verbs: readonly string[]; resource: string; namespace: string | undefined },
): (name: string | undefined) => Right<S> | undefined {
  const whole = any(verbs, { resource, namespace });
  return (name) => {
    if (whole) return whole;
    for (const verb of verbs) {
      const right = find({ verb, resource, name, namespace });
      if (right) return right;
    }
    return undefined;
  };
}

/** `at` is where the binding would hold; `scope` is where the rights that are looked at hold. */
function bindMoves<S>(ask: Ask<S>, at: string | undefined, scope: string | undefined): void {
  const { rights, find, add, terrain } = ask;
  const there = rights.filter(({ namespace }) => namespace === undefined || namespace === at).map(({ rule }) => rule);
  // Who may do everything there gains nothing.
  if (isEverything(there)) return;
  const resource = at === undefined ? BINDINGS.cluster : BINDINGS.inside;
  const write = find({ verb: 'create', resource, namespace: at });
  const change = rightByName(ask, { verbs: CHANGE, resource, namespace: at });
  const bindings = at === undefined ? terrain.world.rbac.clusterRoleBindings : (terrain.roleBindingsIn.get(at) ?? []);
  const bindCluster = rightByName(ask, { verbs: ['bind'], resource: ROLES.cluster, namespace: at });
  const bindInside = rightByName(ask, { verbs: ['bind'], resource: ROLES.inside, namespace: at });
  const bind = ({ kind, name }: RoleName): Right<S> | undefined => (kind === 'Role' ? bindInside(name) : bindCluster(name));
  const give = (role: RoleName, rules: readonly PolicyRule[], by: Right<S>[], through?: Through): void => {
    // What is given by cluster-wide rights is looked at once, with the whole cluster.
    if (scope !== undefined && by.every(({ namespace }) => namespace === undefined)) return;
    add({ power: { kind: 'granted', role, rules, namespace: at }, way: 'bind', rights: [...new Set(by)], ...(through && { through }) });
  };
  const roles =
    at === undefined
      ? terrain.usefulRolesIn.get(EVERYWHERE)
      : [...(terrain.usefulRolesIn.get(EVERYWHERE) ?? []), ...(terrain.usefulRolesIn.get(at) ?? [])];
  if (write) {
    const bindable = (roles ?? []).flatMap(({ name, rules }) => {
      const right = bind(name);
      return right ? [{ name, rules, right }] : [];
    });
    // With one role that allows everything, the others give nothing more.
    const best = bindable.find(({ rules }) => isEverything(rules));
    for (const { name, rules, right } of best ? [best] : bindable) give(name, rules, [write, right]);
  }
  for (const { roleRef, metadata } of bindings) {
    const right = change(metadata.name);
    const useful = right && roles?.find(({ name }) => name.kind === roleRef?.kind && name.name === roleRef.name);
    const allowed = useful && bind(useful.name);
    if (allowed)
      give(useful.name, useful.rules, [right, allowed], {
        kind: at === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
        name: metadata.name ?? '',
        ...(at && { namespace: at }),
      });
  }
}

function rewriteMoves<S>(ask: Ask<S>, at: string | undefined, scope: string | undefined): void {
  const { find, add, terrain } = ask;
  const resource = at === undefined ? ROLES.cluster : ROLES.inside;
  const change = rightByName(ask, { verbs: CHANGE, resource, namespace: at });
  const escalate = rightByName(ask, { verbs: ['escalate'], resource, namespace: at });
  const take = (role: RoleName, way: Way, ...by: (Right<S> | undefined)[]): void => {
    const found = by.filter((right) => right !== undefined);
    if (found.length < by.length || (scope !== undefined && found.every(({ namespace }) => namespace === undefined))) return;
    add({ power: { kind: 'rewrites', role }, way, rights: [...new Set(found)] });
  };
  const bound = terrain.boundRolesIn.get(at ?? EVERYWHERE) ?? [];
  for (const { role, isThere } of bound) if (isThere) take(role, 'escalate', change(role.name), escalate(role.name));
  const [create, any] = [find({ verb: 'create', resource, namespace: at }), find({ verb: 'escalate', resource, namespace: at })];
  if (!create || !any) return;
  // A binding may name a role that is not there: who makes the role decides what it allows.
  for (const { role, isThere } of bound) if (!isThere) take(role, 'escalate', create, any);
  if (at === undefined) for (const role of terrain.collecting) take(role, 'aggregate', create, any);
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
function namesFor<S>({ rights, find }: Ask<S>, request: Asked): ReadonlySet<string> | undefined {
  if (find(request)) return undefined;
  const names = rights.flatMap(({ rule }) => listOf(rule.resourceNames));
  return new Set(names.filter((name) => find({ ...request, name })));
}

/** A right to be some user or account at all, which taking a group needs. */
function anyIdentity<S>({ find, terrain }: Ask<S>, users: ReadonlySet<string> | undefined): Right<S> | undefined {
  const [name = 'anybody'] = users ?? [];
  const user = accountOfUser(name) ? undefined : find({ verb: 'impersonate', resource: 'users', name });
  if (user) return user;
  for (const subjects of terrain.accountsIn.values())
    for (const { namespace, name: account } of subjects) {
      const right = find({ verb: 'impersonate', resource: 'serviceaccounts', name: account, namespace });
      if (right) return right;
    }
  return undefined;
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
