import type { PolicyRule } from '../../../src/access/objects.ts';
import type { SmallCluster, SmallRole, SmallSubject } from './cluster.ts';

// Written independently of src/access/paths, from the Kubernetes documentation. It does not search for paths. It simulates the API
// server of a small cluster and sends every relevant request as every identity won so far, until a round changes nothing.

/** The identity that sends requests. */
interface Requester {
  user: string;
  groups: string[];
}
/** A rule that a requester has, and its namespace. Empty: all namespaces. */
type Right = PolicyRule & { namespace: string };

interface State {
  roles: (SmallRole & { isTaken?: boolean })[];
  /** `isTaken`: the binding has every won identity as a subject. */
  bindings: (SmallCluster['bindings'][number] & { isTaken?: boolean })[];
  namespaces: SmallCluster['namespaces'];
  accounts: Set<string>;
  won: Map<string, Requester>;
  nodes: Set<string>;
  secrets: Set<string>;
}

/** What a subject reaches: everything, a node, and the namespaces whose Secrets it can newly read (`*`: all). */
export interface Outcome {
  all: boolean;
  node: boolean;
  secrets: string[];
}

const RBAC = 'rbac.authorization.k8s.io';
const CERTS = 'certificates.k8s.io';
const HOOKS = 'admissionregistration.k8s.io';
const EVERYTHING: PolicyRule = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] };
/** The answer to a patch holds the whole object. */
const READS = ['get', 'list', 'watch', 'patch'];
const WRITES = ['update', 'patch'];
/** Kinds that create pods. */
const MAKERS: [group: string, resource: string][] = [
  ['', 'pods'],
  ['', 'replicationcontrollers'],
  ['apps', 'deployments'],
  ['apps', 'daemonsets'],
  ['apps', 'statefulsets'],
  ['apps', 'replicasets'],
  ['batch', 'jobs'],
  ['batch', 'cronjobs'],
];
const RESOURCE_OF = { Deployment: ['apps', 'deployments'], DaemonSet: ['apps', 'daemonsets'], CronJob: ['batch', 'cronjobs'] } as const;

/** What a subject can reach in a cluster through requests alone. */
export function outcomeOf(cluster: SmallCluster, subject: SmallSubject): Outcome {
  const play = playOf(cluster, subject);
  const before = play.readable();
  if (play.mayAll()) return { all: false, node: false, secrets: [] };
  while (play.round());
  if (play.mayAll()) return { all: true, node: false, secrets: [] };
  return { all: false, node: play.state.nodes.size > 0, secrets: newSecrets(before, play.readable(), subject) };
}

function newSecrets(before: Set<string>, after: Set<string>, { namespace: own }: SmallSubject): string[] {
  if (before.has('*')) return [];
  if (after.has('*')) return ['*'];
  return [...after].filter((name) => !before.has(name) && name !== own && name !== 'fresh' && name !== 'nowhere').toSorted();
}

function requesterOf({ kind, name, namespace = '' }: SmallSubject): Requester {
  if (kind === 'ServiceAccount') return accountRequester(namespace, name);
  return kind === 'User'
    ? { user: name, groups: ['system:authenticated'] }
    : { user: `somebody of ${name}`, groups: [name, 'system:authenticated'] };
}

function accountRequester(namespace: string, name: string): Requester {
  return {
    user: `system:serviceaccount:${namespace}:${name}`,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
  };
}

function has(list: string[] | null | undefined, wanted: string): boolean {
  return (list ?? []).some((one) => one === '*' || one === wanted);
}

function names({ kind, name, namespace }: SmallSubject, { user, groups }: Requester): boolean {
  if (kind === 'Group') return groups.includes(name);
  return user === (kind === 'User' ? name : `system:serviceaccount:${namespace}:${name}`);
}

function playOf(cluster: SmallCluster, subject: SmallSubject) {
  const { pods, workloads, nodes } = cluster;
  const state: State = {
    roles: structuredClone(cluster.roles),
    bindings: structuredClone(cluster.bindings),
    namespaces: structuredClone(cluster.namespaces),
    accounts: new Set(cluster.accounts.map(({ namespace, name }) => `${namespace}/${name}`)),
    won: new Map(),
    nodes: new Set(),
    secrets: new Set(),
  };
  let changes = 0;
  const named = [...new Set(cluster.roles.flatMap(({ rules }) => rules.flatMap(({ resourceNames }) => resourceNames ?? []))), 'new'];
  const subjects = cluster.bindings.flatMap((one) => one.subjects);
  const users = [...new Set(['anybody', ...named, ...subjects.filter(({ kind }) => kind === 'User').map(({ name }) => name)])];
  const groups = [
    ...new Set(['system:masters', 'system:nodes', ...subjects.filter(({ kind }) => kind === 'Group').map(({ name }) => name)]),
  ];

  const win = (requester: Requester): void => {
    const key = `${requester.user} ${requester.groups.toSorted().join()}`;
    if (state.won.has(key)) return;
    state.won.set(key, requester);
    changes++;
  };
  const winAccount = (namespace: string, name: string): void => win(accountRequester(namespace, name));
  const winNode = (name: string): void => {
    if (state.nodes.has(name)) return;
    state.nodes.add(name);
    changes++;
  };
  const winSecrets = (namespace: string): void => {
    if (state.secrets.has(namespace)) return;
    state.secrets.add(namespace);
    changes++;
  };
  win(requesterOf(subject));

  // The authorizer.
  const rulesOf = (role: SmallRole & { isTaken?: boolean }): PolicyRule[] =>
    role.isTaken || !role.collects
      ? role.rules
      : state.roles.filter((one) => one.kind === 'ClusterRole' && one !== role && one.label === role.collects).flatMap((one) => one.rules);
  const roleNamed = (kind: string, namespace: string, name: string) =>
    state.roles.find((one) => one.kind === kind && one.name === name && one.namespace === (kind === 'Role' ? namespace : ''));
  const rightsOf = (who: Requester): Right[] =>
    state.bindings
      .filter((one) => one.isTaken || one.subjects.some((each) => names(each, who)))
      .flatMap(({ namespace, role }) => {
        const found = roleNamed(role.kind, namespace, role.name);
        return found ? rulesOf(found).map((rule) => ({ ...rule, namespace })) : [];
      })
      .concat(who.groups.includes('system:masters') ? [{ ...EVERYTHING, namespace: '' }] : []);
  let known = new Map<Requester, Right[]>();
  let knownAt = -1;
  const rights = (who: Requester): Right[] => {
    if (knownAt !== changes) [known, knownAt] = [new Map(), changes];
    const found = known.get(who) ?? rightsOf(who);
    known.set(who, found);
    return found;
  };
  type Ask = (verb: string, group: string, resource: string, namespace: string, name?: string) => boolean;
  const can =
    (who: Requester): Ask =>
    (verb, group, resource, namespace, name = '') =>
      rights(who).some(
        (right) =>
          (right.namespace === '' || right.namespace === namespace) &&
          has(right.verbs, verb) &&
          has(right.apiGroups, group) &&
          (has(right.resources, resource) || (resource.includes('/') && right.resources?.includes(`*/${resource.split('/')[1]}`))) &&
          (!right.resourceNames?.length || right.resourceNames.includes(name)),
      );
  const anybody = (ask: (may: Ask) => boolean): boolean => [...state.won.values()].some((who) => ask(can(who)));
  /** A `create` request has no name. Server-side apply needs `patch` and `create` for the name. */
  const creates = (may: Ask, group: string, resource: string, namespace: string, name: string): boolean =>
    may('create', group, resource, namespace) ||
    // Only names of roles and bindings may contain colons.
    ((group === RBAC || !name.includes(':')) &&
      (may('patch', group, resource, namespace, name) || (group === RBAC && may('update', group, resource, namespace, name))) &&
      may('create', group, resource, namespace, name));
  const createsAny = (may: Ask, group: string, resource: string, namespace: string): boolean =>
    named.some((name) => creates(may, group, resource, namespace, name));
  const writes = (may: Ask, group: string, resource: string, namespace: string, name: string): boolean =>
    WRITES.some((verb) => may(verb, group, resource, namespace, name));

  /** The answer to `deletecollection` contains the objects too. That request has no name. */
  const shows = (may: Ask, group: string, resource: string, namespace: string, name?: string): boolean =>
    READS.some((verb) => may(verb, group, resource, namespace, name)) || may('deletecollection', group, resource, namespace);

  // One function for each group of requests.
  const place = (name: string) => state.namespaces.find((one) => one.name === name);
  const bindings = (may: Ask): void => {
    const refs = [
      ...state.roles.map(({ kind, name, namespace }) => ({ kind, name, namespace })),
      ...state.bindings.map(({ role, namespace }) => ({ ...role, namespace })),
    ];
    for (const namespace of ['', ...state.namespaces.map(({ name }) => name)]) {
      const resource = namespace ? 'rolebindings' : 'clusterrolebindings';
      const free = named.filter((name) => !state.bindings.some((one) => one.namespace === namespace && one.name === name));
      for (const ref of refs) {
        if (ref.kind === 'Role' && ref.namespace !== namespace) continue;
        if (!may('bind', RBAC, ref.kind === 'Role' ? 'roles' : 'clusterroles', namespace, ref.name)) continue;
        const old = state.bindings.filter((one) => one.namespace === namespace && one.role.kind === ref.kind && one.role.name === ref.name);
        if (old.some(({ isTaken }) => isTaken)) continue;
        const changed = old.find((one) => writes(may, RBAC, resource, namespace, one.name));
        if (changed) changed.isTaken = true;
        else if (free.some((name) => creates(may, RBAC, resource, namespace, name)))
          state.bindings.push({
            namespace,
            name: `made-${changes}`,
            role: { kind: ref.kind, name: ref.name },
            subjects: [],
            isTaken: true,
          });
        else continue;
        changes++;
      }
    }
  };
  const roles = (may: Ask): void => {
    for (const role of state.roles) {
      const resource = role.kind === 'Role' ? 'roles' : 'clusterroles';
      if (role.isTaken || !writes(may, RBAC, resource, role.namespace, role.name)) continue;
      if (!may('escalate', RBAC, resource, role.namespace, role.name)) continue;
      Object.assign(role, { isTaken: true, rules: [EVERYTHING], label: 'collected' });
      changes++;
    }
    const wanted = [...named, ...state.bindings.map(({ role }) => role.name)];
    for (const namespace of ['', ...state.namespaces.map(({ name }) => name)])
      for (const name of wanted) {
        const [kind, resource] = namespace ? (['Role', 'roles'] as const) : (['ClusterRole', 'clusterroles'] as const);
        if (roleNamed(kind, namespace, name)) continue;
        const byPost = may('create', RBAC, resource, namespace) && may('escalate', RBAC, resource, namespace);
        const byName =
          may('create', RBAC, resource, namespace, name) &&
          writes(may, RBAC, resource, namespace, name) &&
          may('escalate', RBAC, resource, namespace, name);
        if (!byPost && !byName) continue;
        state.roles.push({ kind, namespace, name, rules: [EVERYTHING], label: 'collected', isTaken: true });
        changes++;
      }
  };
  const impersonate = (may: Ask): void => {
    const as = groups.filter((name) => may('impersonate', '', 'groups', '', name));
    for (const user of users) if (may('impersonate', '', 'users', '', user)) win({ user, groups: [...as, 'system:authenticated'] });
    for (const { name } of nodes)
      if (as.includes('system:nodes') && may('impersonate', '', 'users', '', `system:node:${name}`)) winNode(name);
    // An account need not exist.
    const everyone = [
      ...state.accounts,
      ...subjects.filter(({ kind }) => kind === 'ServiceAccount').map((one) => `${one.namespace}/${one.name}`),
      ...(as.length > 0 ? state.namespaces.flatMap(({ name }) => named.map((one) => `${name}/${one}`)) : []),
    ];
    for (const [namespace = '', name = ''] of everyone.map((key) => key.split('/')))
      if (may('impersonate', '', 'serviceaccounts', namespace, name)) {
        winAccount(namespace, name);
        if (as.length > 0) win({ ...accountRequester(namespace, name), groups: [...as, 'system:authenticated'] });
      }
  };
  const tokens = (may: Ask): void => {
    for (const [namespace = '', name = ''] of [...state.accounts].map((key) => key.split('/'))) {
      if (may('create', '', 'serviceaccounts/token', namespace, name)) winAccount(namespace, name);
      // Pods and webhooks receive Secrets too.
      const isGiven = state.secrets.has('*') || state.secrets.has(namespace);
      const filled = named.some(
        (secret) =>
          creates(may, '', 'secrets', namespace, secret) && (isGiven || anybody((other) => shows(other, '', 'secrets', namespace, secret))),
      );
      if (filled) winAccount(namespace, name);
    }
  };
  const certificates = (may: Ask): void => {
    const signs = (signer: string): boolean =>
      named.some(
        (name) =>
          writes(may, CERTS, 'certificatesigningrequests/approval', '', name) &&
          anybody((other) => creates(other, CERTS, 'certificatesigningrequests', '', name)) &&
          anybody((other) => shows(other, CERTS, 'certificatesigningrequests', '', name)),
      ) &&
      (may('approve', CERTS, 'signers', '', signer) || may('approve', CERTS, 'signers', '', 'kubernetes.io/*'));
    const joins = named.some(
      (name) =>
        creates(may, CERTS, 'certificatesigningrequests', '', name) &&
        anybody((other) => shows(other, CERTS, 'certificatesigningrequests', '', name)),
    );
    // The controller manager approves requests of subjects that may join nodes.
    if (joins && may('create', CERTS, 'certificatesigningrequests/nodeclient', '')) winNode('*');
    if (signs('kubernetes.io/kube-apiserver-client-kubelet')) winNode('*');
    if (!signs('kubernetes.io/kube-apiserver-client')) return;
    winNode('*');
    // A certificate may name any user, and any group except system:masters.
    for (const user of users) win({ user, groups: [...groups.filter((name) => name !== 'system:masters'), 'system:authenticated'] });
    for (const one of subjects) if (one.kind === 'ServiceAccount') win({ user: requesterOf(one).user, groups: ['system:authenticated'] });
    for (const [namespace = '', name = ''] of [...state.accounts].map((key) => key.split('/'))) winAccount(namespace, name);
  };
  const makePods = (may: Ask): void => {
    for (const { name: namespace, level, isFull } of state.namespaces) {
      const own = workloads.filter((one) => one.namespace === namespace);
      const isThere = (name: string): boolean => pods.some((pod) => pod.namespace === namespace && pod.name === name);
      const makesPods = named.some((name) => !isThere(name) && creates(may, '', 'pods', namespace, name));
      const everywhere = MAKERS.some(([group, resource]) => createsAny(may, group, resource, 'any other'));
      if (everywhere && state.namespaces.every((one) => !one.isFull)) winSecrets('*');
      const makes =
        makesPods ||
        MAKERS.some(([group, resource]) => resource !== 'pods' && createsAny(may, group, resource, namespace)) ||
        own.some(({ kind, name }) => writes(may, RESOURCE_OF[kind][0], RESOURCE_OF[kind][1], namespace, name));
      if (!makes || isFull) continue;
      winSecrets(namespace);
      for (const [at, name = ''] of [...state.accounts].map((key) => key.split('/'))) if (at === namespace) winAccount(namespace, name);
      if (level === 'privileged') winNode('*');
      // The requester creates the claim together with the pod.
      const volumes = anybody((other) => createsAny(other, '', 'persistentvolumes', ''));
      if (level === 'baseline' && volumes) winNode('*');
    }
  };
  const enter = (pod: SmallCluster['pods'][number]): void => {
    if (pod.hasToken) winAccount(pod.namespace, pod.account);
    if (pod.isPrivileged) winNode(pod.node);
  };
  const usePods = (may: Ask): void => {
    for (const pod of pods) {
      const { namespace, name, node } = pod;
      const level = place(namespace)?.level;
      if (may('create', '', 'pods/exec', namespace, name)) enter(pod);
      if (may('get', '', 'nodes/proxy', '', node) || may('create', '', 'nodes/proxy', '', node)) enter(pod);
      // A pod that violates its namespace's level keeps running, but an update of it is refused.
      if (pod.isPrivileged && level !== 'privileged') continue;
      if (writes(may, '', 'pods', namespace, name)) enter(pod);
      if (writes(may, '', 'pods/ephemeralcontainers', namespace, name)) {
        enter(pod);
        if (level === 'privileged') winNode(node);
      }
    }
  };
  const useNodes = (): void => {
    // A node can get tokens for the accounts of its pods, if the pod mounts a token.
    for (const pod of pods) if (pod.hasToken) if (state.nodes.has('*') || state.nodes.has(pod.node)) winAccount(pod.namespace, pod.account);
  };
  const openPlaces = (may: Ask): void => {
    for (const one of state.namespaces) {
      const labels =
        ['namespaces', 'namespaces/status'].some((resource) => writes(may, '', resource, one.name, one.name)) ||
        may('update', '', 'namespaces/finalize', one.name, one.name);
      if (one.level !== 'privileged' && labels) {
        one.level = 'privileged';
        changes++;
      }
      const frees =
        ['delete', ...WRITES].some((verb) => may(verb, '', 'resourcequotas', one.name, 'full')) ||
        writes(may, '', 'resourcequotas/status', one.name, 'full') ||
        may('deletecollection', '', 'resourcequotas', one.name);
      if (one.isFull && frees) {
        one.isFull = false;
        changes++;
      }
    }
  };
  const makePlaces = (may: Ask): void => {
    for (const name of ['fresh', 'nowhere']) {
      if (place(name) || !createsAny(may, '', 'namespaces', name)) continue;
      if (!may('create', '', 'namespaces', '') && !named.includes(name)) continue;
      state.namespaces.push({ name, level: 'privileged', isFull: false });
      state.accounts.add(`${name}/default`);
      changes++;
    }
    const missing = subjects.filter(
      ({ kind, namespace, name }) => kind === 'ServiceAccount' && !state.accounts.has(`${namespace}/${name}`),
    );
    for (const { namespace = '', name } of missing)
      if (place(namespace) && creates(may, '', 'serviceaccounts', namespace, name)) {
        state.accounts.add(`${namespace}/${name}`);
        changes++;
      }
  };
  const hooks = (may: Ask): void => {
    if (['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'].some((one) => createsAny(may, HOOKS, one, '')))
      winSecrets('*');
  };
  const kinds = [bindings, roles, impersonate, tokens, certificates, makePods, usePods, useNodes, openPlaces, makePlaces, hooks];

  return {
    state,
    /** Sends every request once. Returns whether anything changed. */
    round(): boolean {
      const start = changes;
      for (const who of state.won.values()) for (const kind of kinds) kind(can(who));
      return changes > start;
    },
    /** Whether a won identity may do everything. Only a literal `*` in a rule allows a request for `*`. */
    mayAll(): boolean {
      return [...state.won.values()].some((who) =>
        rights(who).some(
          ({ namespace, verbs, apiGroups, resources, resourceNames }) =>
            namespace === '' && [verbs, apiGroups, resources].every((list) => list?.includes('*')) && !resourceNames?.length,
        ),
      );
    },
    readable(): Set<string> {
      const reads = (namespace: string): boolean => anybody((may) => shows(may, '', 'secrets', namespace));
      return new Set([...state.secrets, ...['', ...cluster.namespaces.map(({ name }) => name)].filter(reads).map((name) => name || '*')]);
    },
  };
}
