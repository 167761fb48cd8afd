import type { PolicyRule } from '../../../src/access/objects.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';

export interface SmallSubject {
  kind: 'User' | 'Group' | 'ServiceAccount';
  name: string;
  namespace?: string;
}
export interface SmallRole {
  kind: 'Role' | 'ClusterRole';
  name: string;
  /** Empty: a ClusterRole. */
  namespace: string;
  rules: PolicyRule[];
  label?: string;
  /** The label of the roles that it aggregates. */
  collects?: string;
}
export interface SmallBinding {
  /** Empty: a ClusterRoleBinding. */
  namespace: string;
  name: string;
  role: { kind: 'Role' | 'ClusterRole'; name: string };
  subjects: SmallSubject[];
}
/** A cluster small enough to try everything in it. */
export interface SmallCluster {
  namespaces: { name: string; level: 'privileged' | 'baseline' | 'restricted'; isFull: boolean }[];
  accounts: { namespace: string; name: string }[];
  roles: SmallRole[];
  bindings: SmallBinding[];
  pods: { namespace: string; name: string; account: string; hasToken: boolean; isPrivileged: boolean; node: string }[];
  workloads: { namespace: string; name: string; kind: 'Deployment' | 'DaemonSet' | 'CronJob'; account: string }[];
  nodes: { name: string; takesPods: boolean }[];
}

const RBAC = 'rbac.authorization.k8s.io';
const CERTS = 'certificates.k8s.io';
const SIGNERS = ['kubernetes.io/kube-apiserver-client', 'kubernetes.io/kube-apiserver-client-kubelet', 'kubernetes.io/kubelet-serving'];

/** Rights that are part of a path, or almost: group, resources, verbs. */
const RIGHTS: [group: string, resources: string[], verbs: string[]][] = [
  [RBAC, ['clusterrolebindings', 'rolebindings'], ['create', 'update', 'patch', 'get']],
  [RBAC, ['clusterrolebindings', 'rolebindings'], ['create']],
  [RBAC, ['clusterroles', 'roles'], ['bind', 'escalate', 'update', 'patch', 'create', 'get']],
  [RBAC, ['clusterroles', 'roles'], ['bind']],
  [RBAC, ['clusterroles', 'roles'], ['escalate', 'patch']],
  [RBAC, ['clusterroles', 'roles'], ['escalate', 'create']],
  ['', ['pods', 'serviceaccounts', 'persistentvolumes', 'persistentvolumeclaims', 'namespaces'], ['create', 'get', 'patch', 'update']],
  ['', ['pods', 'persistentvolumes', 'persistentvolumeclaims'], ['create']],
  ['', ['pods/exec', 'pods/ephemeralcontainers', 'pods/attach', 'pods/log'], ['create', 'patch', 'update', 'get']],
  ['', ['secrets'], ['create', 'get', 'list', 'watch', 'update', 'delete', 'deletecollection']],
  ['', ['serviceaccounts/token'], ['create', 'get']],
  ['', ['users', 'groups', 'serviceaccounts'], ['impersonate']],
  ['', ['nodes/proxy', 'nodes'], ['get', 'create', 'patch']],
  ['', ['resourcequotas', 'resourcequotas/status'], ['delete', 'patch', 'get', 'deletecollection']],
  ['', ['namespaces/status', 'namespaces/finalize'], ['update', 'patch']],
  ['apps', ['deployments', 'daemonsets', 'statefulsets', 'replicasets'], ['create', 'patch', 'get']],
  ['batch', ['jobs', 'cronjobs'], ['create', 'update', 'get']],
  ['admissionregistration.k8s.io', ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'], ['create', 'get']],
  [
    CERTS,
    ['certificatesigningrequests', 'certificatesigningrequests/approval', 'certificatesigningrequests/nodeclient'],
    ['create', 'get', 'update'],
  ],
  [CERTS, ['signers'], ['approve']],
  ['*', ['*'], ['get', 'create', 'impersonate', 'bind', 'escalate', '*']],
  ['', ['*'], ['get', 'create', 'patch', '*']],
];
/** Rights that open a path only together. */
const PAIRS: [group: string, resources: string[], verbs: string[]][][] = [
  [
    [CERTS, ['certificatesigningrequests'], ['create', 'get']],
    [CERTS, ['certificatesigningrequests/approval'], ['update']],
    [CERTS, ['signers'], ['approve']],
  ],
  [
    ['', ['pods', 'persistentvolumeclaims'], ['create']],
    ['', ['persistentvolumes'], ['create']],
  ],
  [
    ['', ['pods'], ['create']],
    ['', ['resourcequotas', 'namespaces', 'namespaces/status', 'resourcequotas/status'], ['patch', 'delete']],
  ],
  [
    [RBAC, ['clusterrolebindings', 'rolebindings'], ['create', 'patch']],
    [RBAC, ['clusterroles', 'roles'], ['bind']],
  ],
  [[RBAC, ['clusterroles', 'roles'], ['escalate', 'create', 'patch']]],
  [['', ['users', 'groups'], ['impersonate']]],
  [['', ['pods', 'serviceaccounts'], ['create']]],
  [['', ['serviceaccounts', 'serviceaccounts/token'], ['create', 'patch']]],
  [
    ['', ['serviceaccounts', 'namespaces'], ['create']],
    ['', ['secrets', 'serviceaccounts/token'], ['create', 'deletecollection', 'list']],
  ],
  [
    ['', ['persistentvolumes'], ['create']],
    ['', ['pods'], ['create']],
  ],
  [
    [CERTS, ['certificatesigningrequests'], ['create', 'patch']],
    [CERTS, ['certificatesigningrequests/approval'], ['patch']],
    [CERTS, ['signers'], ['approve']],
  ],
  [
    [CERTS, ['certificatesigningrequests'], ['create', 'get']],
    [CERTS, ['certificatesigningrequests/nodeclient'], ['create']],
  ],
];

/** A random generator (mulberry32): numbers from 0 to below 1, the same for the same seed. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

interface Dice {
  is(share: number): boolean;
  upTo(count: number): number;
  of<T>(list: readonly T[]): T;
  some<T>(list: readonly T[]): T[];
}

function dice(seed: number): Dice {
  const next = chance(seed);
  const of = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  const is = (share: number): boolean => next() < share;
  return {
    is,
    of,
    upTo: (count) => Math.floor(next() * (count + 1)),
    some: (list) => {
      const chosen = list.filter(() => is(0.5));
      return chosen.length > 0 ? chosen : [of(list)];
    },
  };
}

const NAMES = ['a', 'b'];
const ACCOUNTS = ['default', 'strong', 'ghost'];
const USERS = ['eve', 'ann'];
const GROUPS = ['devs', 'ops'];
/** Names for `resourceNames`. Some of these objects exist, some do not. */
const OBJECTS = [
  'role-0',
  'role-1',
  'role-2',
  'missing',
  'binding-0',
  'binding-1',
  'pod-0',
  'pod-1',
  'work-0',
  'node-1',
  'node-2',
  ...ACCOUNTS,
  ...USERS,
  ...GROUPS,
  ...NAMES,
  'system:masters',
  'system:nodes',
  'system:node:node-1',
  'full',
];

/** Generates the cluster of a seed. */
export function smallCluster(seed: number): SmallCluster {
  const roll = dice(seed);
  const levels = ['privileged', 'baseline', 'restricted'] as const;
  const namespaces = NAMES.map((name) => ({ name, level: roll.of(levels), isFull: roll.is(0.2) }));
  const accounts = NAMES.flatMap((namespace) =>
    ['default', 'strong'].filter((name) => name === 'default' || roll.is(0.7)).map((name) => ({ namespace, name })),
  );
  const account = (namespace: string): string => roll.of(accounts.filter((one) => one.namespace === namespace)).name;
  const list = <T>(count: number, make: (number: number) => T): T[] =>
    Array.from({ length: roll.upTo(count) }, (_, number) => make(number));
  return {
    namespaces,
    accounts,
    roles: rolesFor(roll),
    bindings: bindingsFor(roll),
    pods: list(2, (number) => {
      const namespace = roll.of(NAMES);
      const extras = { hasToken: roll.is(0.7), isPrivileged: roll.is(0.3), node: roll.of(['node-1', 'node-2']) };
      return { namespace, name: `pod-${number}`, account: account(namespace), ...extras };
    }),
    workloads: list(1, (number) => {
      const namespace = roll.of(NAMES);
      return {
        namespace,
        name: `work-${number}`,
        kind: roll.of(['Deployment', 'DaemonSet', 'CronJob'] as const),
        account: account(namespace),
      };
    }),
    nodes: [
      { name: 'node-1', takesPods: roll.is(0.8) },
      { name: 'node-2', takesPods: false },
    ].slice(0, 2 - 2 * Number(roll.is(0.05))),
  };
}

function rolesFor(roll: Dice): SmallRole[] {
  const roles = [0, 1, 2].map((number): SmallRole => {
    const isCluster = roll.is(0.5);
    const more = {
      ...(isCluster && roll.is(0.2) && { label: 'collected' }),
    };
    const collects = isCluster && !more.label && roll.is(0.2) ? { collects: 'collected' } : {};
    return {
      kind: isCluster ? 'ClusterRole' : 'Role',
      namespace: isCluster ? '' : roll.of(NAMES),
      name: `role-${number}`,
      rules: rulesFor(roll),
      ...more,
      ...collects,
    };
  });
  // As the controller does: an aggregated role gets the rules of the roles that it aggregates.
  for (const role of roles)
    if (role.collects) role.rules = roles.filter(({ label }) => label === role.collects).flatMap(({ rules }) => rules);
  return [
    ...roles,
    { kind: 'ClusterRole', name: 'cluster-admin', namespace: '', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] },
  ];
}

function rulesFor(roll: Dice): PolicyRule[] {
  if (roll.is(0.4))
    return roll
      .of(PAIRS)
      .filter(() => roll.is(0.9))
      .map((right) => ruleFor(roll, right, true));
  return Array.from({ length: 1 + roll.upTo(2) }, () => ruleFor(roll, roll.of(RIGHTS), false));
}

function ruleFor(roll: Dice, [group, resources, verbs]: (typeof RIGHTS)[number], isWhole: boolean): PolicyRule {
  const names = roll.is(0.3) ? [roll.of(resources.includes('signers') ? SIGNERS : OBJECTS)] : [];
  return {
    apiGroups: [group],
    resources: isWhole ? resources : roll.some(resources),
    verbs: isWhole ? verbs : roll.some(verbs),
    ...(resources.includes('signers') && names.length === 0 && roll.is(0.5) && { resourceNames: ['kubernetes.io/*'] }),
    ...(names.length > 0 && { resourceNames: names }),
  };
}

function bindingsFor(roll: Dice): SmallBinding[] {
  const subject = (): SmallSubject => {
    const kind = roll.of(['User', 'User', 'Group', 'ServiceAccount', 'ServiceAccount'] as const);
    if (kind === 'ServiceAccount') return { kind, name: roll.of(ACCOUNTS), namespace: roll.is(0.95) ? roll.of(NAMES) : 'nowhere' };
    return { kind, name: roll.of(kind === 'User' ? USERS : GROUPS) };
  };
  return Array.from({ length: 2 + roll.upTo(3) }, (_, number) => {
    const namespace = roll.is(0.5) ? '' : roll.of(NAMES);
    const kind = namespace === '' || roll.is(0.3) ? ('ClusterRole' as const) : ('Role' as const);
    const name = roll.is(0.12) && kind === 'ClusterRole' ? 'cluster-admin' : roll.of(['role-0', 'role-1', 'role-2', 'missing']);
    return { namespace, name: `binding-${number}`, role: { kind, name }, subjects: [subject(), ...(roll.is(0.3) ? [subject()] : [])] };
  });
}

/** The objects of this cluster, as the API server lists them. */
export function objectsOf(cluster: SmallCluster): KubeObject[] {
  const { namespaces, accounts, roles, bindings, pods, workloads, nodes } = cluster;
  const meta = (name: string, namespace?: string, more: object = {}): object => ({ name, ...(namespace && { namespace }), ...more });
  const all: object[] = [
    ...namespaces.map(({ name, level }) => ({
      kind: 'Namespace',
      metadata: meta(name, undefined, { labels: { 'pod-security.kubernetes.io/enforce': level } }),
    })),
    ...namespaces
      .filter(({ isFull }) => isFull)
      .map(({ name }) => ({
        kind: 'ResourceQuota',
        metadata: meta('full', name),
        spec: { hard: { pods: '0' } },
        status: { hard: { pods: '0' }, used: { pods: '0' } },
      })),
    ...accounts.map(({ namespace, name }) => ({ kind: 'ServiceAccount', metadata: meta(name, namespace) })),
    ...roles.map(({ kind, name, namespace, rules, label, collects }) => ({
      kind,
      metadata: meta(name, namespace, label === undefined ? {} : { labels: { [label]: 'yes' } }),
      rules,
      ...(collects && { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [collects]: 'yes' } }] } }),
    })),
    ...bindings.map(({ namespace, name, role, subjects }) => ({
      kind: namespace ? 'RoleBinding' : 'ClusterRoleBinding',
      metadata: meta(name, namespace),
      roleRef: role,
      subjects,
    })),
    ...pods.map((pod) => podObject(pod)),
    ...workloads.map(({ namespace, name, kind, account }) => ({
      kind,
      metadata: meta(name, namespace),
      spec: kind === 'CronJob' ? { jobTemplate: { spec: templateOf(account) } } : templateOf(account),
    })),
    ...nodes.map(({ name, takesPods }) => ({ kind: 'Node', metadata: meta(name), spec: takesPods ? {} : { unschedulable: true } })),
  ];
  return all as KubeObject[];
}

function templateOf(serviceAccountName: string): object {
  return { template: { spec: { serviceAccountName, containers: [] } } };
}

function podObject({ namespace, name, account, hasToken, isPrivileged, node }: SmallCluster['pods'][number]): object {
  const mounts = hasToken ? [{ name: 'api', mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }] : [];
  return {
    kind: 'Pod',
    metadata: { name, namespace, uid: name },
    spec: {
      serviceAccountName: account,
      nodeName: node,
      volumes: hasToken ? [{ name: 'api', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }] : [],
      containers: [{ name: 'app', volumeMounts: mounts, ...(isPrivileged && { securityContext: { privileged: true } }) }],
    },
    status: { phase: 'Running' },
  };
}
