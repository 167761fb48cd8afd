import { random } from '../../support/builders/random.ts';

// What the test plants in a real cluster: rights that form a path, and near misses, each with the expected paths.

/** Names of one run. `base` is the namespace of most accounts. It has a strong account, and a pod that runs as that account. */
interface Names {
  base: string;
  /** The node of that pod. */
  node: string;
}

/** Namespaces besides the base, each with its special feature. */
export const PLACES = {
  /** A quota that allows no pods, and a strong account. */
  full: '-full',
  /** A quota of one pod, which is used up. */
  used: '-used',
  /** Quotas that count Deployments and Secrets. */
  counted: '-counted',
  /** Bindings name accounts of this namespace that do not exist. */
  gap: '-gap',
  /** Pod Security `baseline`. Three namespaces, because each is for a walk that removes the label. */
  baseline: '-baseline',
  status: '-status',
  finalize: '-finalize',
  /** Pod Security `baseline`, and nothing else. */
  other: '-other',
  /** Pod Security `restricted`, and a Secret. */
  restricted: '-restricted',
  /** Has a privileged pod. */
  open: '-open',
} as const;

export interface Plant {
  rules: string[];
  /** The namespace of the rights. Absent: the whole cluster. Empty: the base. */
  at?: keyof typeof PLACES | '';
  /** The namespace of the account. Absent: the base. */
  home?: keyof typeof PLACES;
  /** More rules, in this namespace. */
  also?: { at: keyof typeof PLACES | ''; rules: string[] };
  /**
   * The paths that must be found, each as `TARGET: STEP > STEP`, for example `node: label > pod-node`. Without `TARGET:` the target is
   * cluster-admin. An empty list marks a near miss: no path may be found.
   */
  expected: string[];
}

export const RBAC = 'rbac.authorization.k8s.io';
export const CERTS = 'certificates.k8s.io';
export const HOOKS = 'admissionregistration.k8s.io';
const rule = (verbs: string, resources: string, group = "''", names = ''): string =>
  `{apiGroups: [${group}], resources: [${resources}], verbs: [${verbs}]${names && `, resourceNames: [${names}]`}}`;
const roles = (verbs: string, names = '', kind = 'clusterroles'): string => rule(verbs, kind, RBAC, names);
const bindings = (verbs: string, names = '', kind = 'clusterrolebindings'): string => rule(verbs, kind, RBAC, names);
const requests = (verbs: string, names = ''): string => rule(verbs, 'certificatesigningrequests', CERTS, names);
const approval = (verbs: string, names = ''): string => rule(verbs, 'certificatesigningrequests/approval', CERTS, names);
const signer = (names: string, verb = 'approve'): string => rule(verb, 'signers', CERTS, names);
const hooks = (verbs: string, names = '', kind = 'validating'): string => rule(verbs, `${kind}webhookconfigurations`, HOOKS, names);
const CLIENT = 'kubernetes.io/kube-apiserver-client';
const see = rule('get, list', 'pods, pods/log');

/**
 * Each plant also has rights to read, because kubectl reads an object before it changes it, and the test reads logs. These rights
 * open no path. The run's names replace `BASE` and `NODE`.
 */
export const PLANTS: Record<string, Plant> = {
  bind: { rules: [bindings('create'), roles('bind', 'cluster-admin')], expected: ['bind'] },
  'bind-named': { rules: [bindings('create, patch', 'BASE-named'), roles('bind', 'cluster-admin')], expected: ['bind'] },
  'bind-put': { rules: [bindings('create, update', 'BASE-put'), roles('bind', 'cluster-admin')], expected: ['bind'] },
  'bind-there': { rules: [bindings('get, patch', 'BASE-there'), roles('bind', 'cluster-admin')], expected: ['bind'] },
  'bind-inside': {
    at: '',
    rules: [bindings('create', '', 'rolebindings'), roles('bind', 'cluster-admin')],
    expected: ['bind > token-secret'],
  },
  'bind-reader': { rules: [bindings('create'), roles('bind', 'BASE-reader')], expected: ['secrets *: bind'] },
  escalate: { rules: [roles('get, patch, escalate', 'BASE-escalate')], expected: ['escalate'] },
  'escalate-inside': { at: '', rules: [roles('get, patch, escalate', '', 'roles')], expected: ['escalate > token-secret'] },
  'new-role': {
    rules: [bindings('create'), roles('create, patch, escalate, bind', 'BASE-made')],
    expected: ['escalate > bind'],
  },
  'missing-role': { rules: [roles('create, patch, escalate', 'BASE-later')], expected: ['escalate'] },
  aggregate: { rules: [roles('create, patch, escalate', 'BASE-part')], expected: ['aggregate'] },
  impersonate: { at: '', rules: [rule('impersonate', 'serviceaccounts', "''", 'boss')], expected: ['impersonate'] },
  'impersonate-user': { rules: [rule('impersonate', 'users', "''", 'BASE-root')], expected: ['impersonate'] },
  'impersonate-team': {
    rules: [rule('impersonate', 'users', "''", 'BASE-nobody'), rule('impersonate', 'groups', "''", 'BASE-bosses')],
    expected: ['impersonate'],
  },
  'impersonate-masters': {
    rules: [rule('impersonate', 'serviceaccounts', "''", 'plain'), rule('impersonate', 'groups', "''", "'system:masters'")],
    expected: ['impersonate'],
  },
  'impersonate-node': {
    rules: [rule('impersonate', 'users', "''", "'system:node:NODE'"), rule('impersonate', 'groups', "''", "'system:nodes'")],
    expected: ['impersonate > node-pods', 'node: impersonate'],
  },
  'impersonate-missing': { at: 'gap', rules: [rule('impersonate', 'serviceaccounts', "''", 'ghost')], expected: ['impersonate'] },
  token: { at: '', rules: [rule('create', 'serviceaccounts/token', "''", 'boss')], expected: ['token'] },
  'token-secret': { at: '', rules: [rule('create, get', 'secrets')], expected: ['token-secret'] },
  'token-secret-patch': { at: '', rules: [rule('create, patch', 'secrets')], expected: ['token-secret'] },
  'token-secret-delete': { at: '', rules: [rule('create, deletecollection', 'secrets')], expected: ['token-secret'] },
  'new-token': {
    at: 'gap',
    rules: [rule('create', 'serviceaccounts'), rule('create', 'serviceaccounts/token', "''", 'spook')],
    expected: ['new-token'],
  },
  'new-account': { at: 'gap', rules: [rule('create', 'pods, serviceaccounts'), see], home: 'gap', expected: ['new-account'] },
  csr: { rules: [requests('create, get, list, watch'), approval('update'), signer(CLIENT)], expected: ['csr'] },
  'csr-named': {
    rules: [requests('create, patch, get', 'BASE-csr-named'), approval('update', 'BASE-csr-named'), signer("'kubernetes.io/*'")],
    expected: ['csr'],
  },
  'csr-node': {
    rules: [requests('create, get'), approval('update'), signer(`${CLIENT}-kubelet`)],
    expected: ['csr > node-pods', 'node: csr'],
  },
  'csr-join': {
    rules: [requests('create, get'), rule('create', 'certificatesigningrequests/nodeclient', CERTS)],
    expected: ['csr > node-pods', 'node: csr'],
  },
  exec: { at: '', rules: [rule('get', 'pods'), rule('create', 'pods/exec', "''", 'target')], expected: ['exec'] },
  'exec-node': {
    at: 'open',
    home: 'open',
    rules: [rule('get', 'pods'), rule('create', 'pods/exec')],
    expected: ['exec > node-pods', 'node: exec'],
  },
  ephemeral: { at: '', rules: [see, rule('patch', 'pods/ephemeralcontainers', "''", 'target')], expected: ['ephemeral'] },
  image: { at: '', rules: [see, rule('patch', 'pods', "''", 'image')], expected: ['image'] },
  kubelet: { rules: [rule('create', 'nodes/proxy')], expected: ['kubelet'] },
  pod: { at: '', rules: [rule('create', 'pods'), see], expected: ['pod-account'] },
  'pod-named': { at: '', rules: [rule('create, patch', 'pods', "''", 'named'), see], expected: ['pod-account'] },
  deployment: { at: '', rules: [rule('create', 'deployments', 'apps'), see], expected: ['pod-account'] },
  'deployment-there': { at: '', rules: [rule('get, patch', 'deployments', 'apps', 'there'), see], expected: ['pod-account'] },
  statefulset: { at: '', rules: [rule('create', 'statefulsets', 'apps'), see], expected: ['pod-account'] },
  daemonset: { at: '', rules: [rule('create', 'daemonsets', 'apps'), see], expected: ['pod-account'] },
  replicaset: { at: '', rules: [rule('create', 'replicasets', 'apps'), see], expected: ['pod-account'] },
  controller: { at: '', rules: [rule('create', 'replicationcontrollers'), see], expected: ['pod-account'] },
  job: { at: '', rules: [rule('create', 'jobs', 'batch'), see], expected: ['pod-account'] },
  'pod-secrets': { at: 'restricted', rules: [rule('create', 'pods'), see], expected: ['secrets BASE-restricted: pod-secrets'] },
  quota: {
    at: 'full',
    rules: [rule('create', 'pods'), see, rule('get, patch', 'resourcequotas/status', "''", 'none')],
    expected: ['quota > pod-account'],
  },
  'quota-pod': { at: 'used', rules: [rule('create', 'pods'), see, rule('delete', 'pods', "''", 'old')], expected: ['quota > pod-account'] },
  label: {
    at: 'baseline',
    home: 'baseline',
    rules: [rule('create', 'pods'), see, rule('get, patch', 'namespaces')],
    expected: ['label > pod-node > node-pods', 'node: label > pod-node'],
  },
  'label-status': {
    at: 'status',
    home: 'status',
    rules: [rule('create', 'pods'), see, rule('get, patch', 'namespaces/status')],
    expected: ['label > pod-node > node-pods', 'node: label > pod-node'],
  },
  'label-finalize': {
    at: 'finalize',
    home: 'finalize',
    rules: [rule('create', 'pods'), see, rule('update', 'namespaces/finalize')],
    expected: ['label > pod-node > node-pods', 'node: label > pod-node'],
  },
  volume: {
    home: 'baseline',
    rules: [rule('create', 'persistentvolumes')],
    also: { at: 'baseline', rules: [rule('create', 'pods'), see] },
    expected: ['pod-volume > node-pods', 'node: pod-volume'],
  },

  webhook: { rules: [hooks('create')], expected: ['secrets *: webhook'] },
  'webhook-named': { rules: [hooks('create, patch', 'BASE-webhook-named', 'mutating')], expected: ['secrets *: webhook'] },
  'webhook-there': { rules: [hooks('get, update', 'BASE-there', 'mutating')], expected: ['secrets *: webhook'] },
  'webhook-token': {
    rules: [hooks('create', '', 'mutating')],
    also: { at: '', rules: [rule('create', 'secrets')] },
    expected: ['webhook > token-secret', 'secrets *: webhook'],
  },

  'bind-alone': { rules: [roles('bind')], expected: [] },
  'bindings-alone': { rules: [bindings("'*'"), bindings("'*'", '', 'rolebindings')], expected: [] },
  'bind-only-named': { rules: [bindings('create', 'BASE-named'), roles('bind', 'cluster-admin')], expected: [] },
  'bind-roles': {
    at: 'counted',
    home: 'counted',
    rules: [bindings('create', '', 'rolebindings'), roles('bind', '', 'roles')],
    expected: [],
  },
  'bind-wide': { at: '', rules: [bindings('create'), roles('bind')], expected: [] },
  'patch-alone': { rules: [roles('create, get, update, patch')], expected: [] },
  'escalate-alone': { rules: [roles('escalate')], expected: [] },
  'escalate-other': { rules: [roles('escalate', 'BASE-escalate-other'), roles('update, patch', 'BASE-reader')], expected: [] },
  'new-role-unbound': { rules: [roles('create, patch, escalate', 'BASE-none')], expected: [] },
  'group-alone': { rules: [rule('impersonate', 'groups', "''", "'system:masters'")], expected: [] },
  'node-alone': { rules: [rule('impersonate', 'users', "''", "'system:node:NODE'")], expected: [] },
  extras: { rules: [rule('impersonate', "'userextras/scopes', uids", 'authentication.k8s.io')], expected: [] },
  'users-inside': { at: '', rules: [rule('impersonate', 'users, groups')], expected: [] },
  'token-other': { at: '', rules: [rule('create', 'serviceaccounts/token', "''", 'plain')], expected: [] },
  'token-missing': { at: 'gap', rules: [rule('create', 'serviceaccounts/token', "''", 'ghost')], expected: [] },
  'account-alone': { at: 'gap', rules: [rule('create', 'serviceaccounts')], expected: [] },
  'account-other': {
    at: 'gap',
    rules: [rule('create', 'serviceaccounts'), rule('create', 'serviceaccounts/token', "''", 'other')],
    expected: [],
  },
  'secret-alone': { at: '', rules: [rule('create', 'secrets')], expected: [] },
  'secret-update': { at: '', rules: [rule('create, update', 'secrets')], expected: [] },
  'secret-delete': { at: '', rules: [rule('create, delete', 'secrets')], expected: [] },
  'secret-named': { at: '', rules: [rule('create', 'secrets'), rule('deletecollection', 'secrets', "''", 'x')], expected: [] },
  'secret-counted': { at: 'counted', rules: [rule('create, get', 'secrets')], home: 'counted', expected: [] },
  'csr-serving': { rules: [requests('create, get'), approval('update'), signer('kubernetes.io/kubelet-serving')], expected: [] },
  'csr-names': { rules: [requests('create'), requests('get', 'a'), approval('update', 'b'), signer(CLIENT)], expected: [] },
  'csr-sign': { rules: [requests('create, get'), approval('update'), signer(CLIENT, 'sign')], expected: [] },
  'csr-self': { rules: [requests('create, get'), rule('create', 'certificatesigningrequests/selfnodeclient', CERTS)], expected: [] },
  'exec-other': { at: '', rules: [rule('get', 'pods'), rule('create', 'pods/exec', "''", 'other')], expected: [] },
  'exec-quiet': { at: '', rules: [rule('create', 'pods/exec', "''", 'quiet')], expected: [] },
  'exec-audience': { at: '', rules: [rule('create', 'pods/exec', "''", 'audience')], expected: [] },
  'ephemeral-other': { at: '', rules: [rule('patch', 'pods/ephemeralcontainers', "''", 'other')], expected: [] },
  'kubelet-other': { rules: [rule('create, get', 'nodes/proxy', "''", 'no-node')], expected: [] },
  'kubelet-delete': { rules: [rule('delete, update, patch', 'nodes/proxy'), rule('get', 'nodes')], expected: [] },
  'kubelet-inside': { at: '', rules: [rule('create, get', 'nodes/proxy')], expected: [] },
  'pod-only-named': { at: '', rules: [rule('create', 'pods', "''", 'named')], expected: [] },
  'pod-parts': { at: '', rules: [rule("'*'", 'pods/eviction, pods/binding, pods/status, pods/log, pods/portforward')], expected: [] },
  scale: { at: '', rules: [rule("'*'", 'deployments/scale, deployments/status, replicasets/scale', 'apps')], expected: [] },
  'job-elsewhere': { at: '', rules: [rule('create', 'jobs', 'example.org'), rule('patch', 'jobs', 'batch')], expected: [] },
  'deployment-counted': { at: 'counted', rules: [rule('create', 'deployments', 'apps')], home: 'counted', expected: [] },
  'quota-full': { at: 'full', rules: [rule('create', 'pods')], home: 'full', expected: [] },
  'quota-other': {
    at: 'full',
    home: 'full',
    rules: [rule('create', 'pods'), rule('delete', 'resourcequotas', "''", 'other')],
    expected: [],
  },
  'quota-named': {
    at: 'full',
    home: 'full',
    rules: [rule('create', 'pods'), rule('deletecollection', 'resourcequotas', "''", 'none')],
    expected: [],
  },
  'label-alone': { rules: [rule('patch, update', 'namespaces')], expected: [] },
  'label-patched': {
    at: 'other',
    home: 'other',
    rules: [rule('create', 'pods'), rule('patch', 'namespaces/finalize')],
    expected: [],
  },
  'volume-alone': { rules: [rule('create', 'persistentvolumes, persistentvolumeclaims')], expected: [] },
  'node-status': { rules: [rule('get, update, patch', 'nodes/status, nodes/log, nodes/metrics')], expected: [] },
  definitions: {
    rules: [rule("'*'", 'customresourcedefinitions, apiservices', 'apiextensions.k8s.io, apiregistration.k8s.io')],
    expected: [],
  },
  'webhook-none': {
    rules: [hooks('get, update, patch', 'BASE-none', 'mutating'), hooks('get, update, patch', 'BASE-there')],
    expected: [],
  },
  'webhook-seen': {
    rules: [hooks('get, list, watch, delete, deletecollection'), hooks('get, list, delete', '', 'mutating')],
    expected: [],
  },
  'webhook-only-named': { rules: [hooks('create', 'BASE-only'), hooks('patch', 'BASE-other')], expected: [] },
  'webhook-inside': { at: '', rules: [hooks("'*'"), hooks("'*'", '', 'mutating')], expected: [] },
  'webhook-policies': { rules: [rule("'*'", 'validatingadmissionpolicies, validatingadmissionpolicybindings', HOOKS)], expected: [] },
  'webhook-secrets': { at: '', rules: [hooks('get, list'), rule('create', 'secrets')], expected: [] },
};

const CLUSTER_ADMIN = `roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: cluster-admin}`;
export const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount/token';

/** The spec of a pod that runs one command. */
export function podSpec(command: string, account = 'boss', more = ''): string {
  return `{serviceAccountName: ${account}, terminationGracePeriodSeconds: 0, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, '${command}']${more}}]}`;
}

export function pod(name: string, namespace: string, spec: string): string {
  return `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: ${namespace}}, spec: ${spec}}`;
}

/** Everything that is planted, as one YAML stream. Names of cluster-scoped objects begin with the base. */
export function plantedCluster(names: Names): string {
  const { base } = names;
  const place = (suffix: string, level = ''): string =>
    `{apiVersion: v1, kind: Namespace, metadata: {name: ${base}${suffix}${level && `, labels: {pod-security.kubernetes.io/enforce: ${level}}`}}}`;
  const account = (name: string, at: string): string =>
    `{apiVersion: v1, kind: ServiceAccount, metadata: {name: ${name}, namespace: ${at}}}`;
  const quota = (at: string, hard: string, name = 'none'): string =>
    `{apiVersion: v1, kind: ResourceQuota, metadata: {name: ${name}, namespace: ${at}}, spec: {hard: ${hard}}}`;
  const bosses = ['', PLACES.full, PLACES.used, PLACES.counted].map((suffix) => `${base}${suffix}`);
  const strong = [
    ...bosses.map((at) => `{kind: ServiceAccount, name: boss, namespace: ${at}}`),
    ...['ghost', 'spook', 'wraith'].map((name) => `{kind: ServiceAccount, name: ${name}, namespace: ${base}${PLACES.gap}}`),
    `{apiGroup: ${RBAC}, kind: User, name: ${base}-root}`,
    `{apiGroup: ${RBAC}, kind: Group, name: ${base}-bosses}`,
  ];
  const bind = (name: string, role: string, ...subjects: string[]): string =>
    `{apiVersion: ${RBAC}/v1, kind: ClusterRoleBinding, metadata: {name: ${base}-${name}}, roleRef: {apiGroup: ${RBAC}, kind: ClusterRole, name: ${role}}, subjects: [${subjects.join(', ')}]}`;
  const mine = (name: string): string => `{kind: ServiceAccount, name: ${name}, namespace: ${base}}`;
  const role = (name: string, rules: string, more = ''): string =>
    `{apiVersion: ${RBAC}/v1, kind: ClusterRole, metadata: {name: ${base}-${name}}, rules: [${rules}]${more}}`;
  return [
    place(''),
    ...Object.values(PLACES).map((suffix) =>
      place(suffix, suffix === PLACES.restricted ? 'restricted' : /baseline|status|finalize|other/.test(suffix) ? 'baseline' : ''),
    ),
    ...bosses.map((at) => account('boss', at)),
    ...['', PLACES.used, PLACES.open].map((suffix) => account('plain', base + suffix)),
    `{apiVersion: ${RBAC}/v1, kind: ClusterRoleBinding, metadata: {name: ${base}-strong}, ${CLUSTER_ADMIN}, subjects: [${strong.join(', ')}]}`,
    `{apiVersion: ${HOOKS}/v1, kind: MutatingWebhookConfiguration, metadata: {name: ${base}-there}}`,
    bind('there', 'cluster-admin', `{kind: ServiceAccount, name: boss, namespace: ${base}}`),
    bind('later', `${base}-later`, mine('missing-role')),
    role('reader', rule('get, list', 'secrets')),
    role('sum', '', `, aggregationRule: {clusterRoleSelectors: [{matchLabels: {part-of: ${base}}}]}`),
    bind('sum', `${base}-sum`, mine('aggregate')),
    pod('target', base, podSpec('sleep 3600')),
    pod('quiet', base, podSpec('sleep 3600').replace('{', '{automountServiceAccountToken: false, ')),
    pod(
      'audience',
      base,
      podSpec('sleep 3600', 'boss', ', volumeMounts: [{name: other, mountPath: /other}]').replace(
        '{',
        '{automountServiceAccountToken: false, volumes: [{name: other, projected: {sources: [{serviceAccountToken: {path: token, audience: vault}}]}}], ',
      ),
    ),
    // It sets no command, so the image decides what runs.
    pod(
      'image',
      base,
      `{serviceAccountName: boss, terminationGracePeriodSeconds: 0, containers: [{name: app, image: 'web:1', args: [cat, ${TOKEN}]}]}`,
    ),
    pod(
      'privileged',
      base + PLACES.open,
      podSpec('sleep 3600', 'plain', `, securityContext: {privileged: true}, volumeMounts: [{name: host, mountPath: /host}]`).replace(
        '{',
        '{volumes: [{name: host, hostPath: {path: /}}], ',
      ),
    ),
    pod('old', base + PLACES.used, podSpec('sleep 3600', 'plain')),
    `{apiVersion: apps/v1, kind: Deployment, metadata: {name: there, namespace: ${base}}, spec: {replicas: 0, selector: {matchLabels: {app: there}}, template: {metadata: {labels: {app: there}}, spec: ${podSpec('sleep 3600', 'plain')}}}}`,
    `{apiVersion: v1, kind: Secret, metadata: {name: known, namespace: ${base}${PLACES.restricted}}, stringData: {key: known-secret}}`,
    ...Object.entries(PLANTS).map((plant) => planted(plant, names)),
    quota(base + PLACES.full, "{pods: '0'}"),
    quota(base + PLACES.used, "{pods: '1'}"),
    quota(base + PLACES.counted, "{count/deployments.apps: '0', secrets: '0'}"),
  ].join('\n---\n');
}

function planted([name, { at, home, rules, also, expected: _ }]: [string, Plant], { base, node }: Names): string {
  const where = `${base}${home ? PLACES[home] : ''}`;
  const parts = [{ at, rules }, ...(also ? [also] : [])].map(({ at: suffix, rules: own }, index) => {
    const place = suffix === undefined ? undefined : `${base}${suffix && PLACES[suffix]}`;
    const called = place ? `${name}${index || ''}` : `${base}-${name}${index || ''}`;
    const metadata = `metadata: {name: ${called}${place ? `, namespace: ${place}` : ''}}`;
    const kind = place ? 'Role' : 'ClusterRole';
    return `{apiVersion: ${RBAC}/v1, kind: ${kind}, ${metadata}, rules: [${own.join(', ')}]}
---
{apiVersion: ${RBAC}/v1, kind: ${kind}Binding, ${metadata}, roleRef: {apiGroup: ${RBAC}, kind: ${kind}, name: ${called}}, subjects: [{kind: ServiceAccount, name: ${name}, namespace: ${where}}]}`;
  });
  return [`{apiVersion: v1, kind: ServiceAccount, metadata: {name: ${name}, namespace: ${where}}}`, ...parts]
    .join('\n---\n')
    .replaceAll('BASE', base)
    .replaceAll('NODE', node);
}

/** Rights that open no path, in any combination. */
const HARMLESS: [group: string, resources: string[], verbs: string[]][] = [
  ['', ['pods', 'services', 'configmaps', 'events', 'nodes', 'namespaces'], ['get', 'list', 'watch']],
  ['', ['services', 'configmaps', 'endpoints', 'limitranges'], ['create', 'update', 'patch', 'delete']],
  ['', ['pods/log', 'pods/status', 'services/proxy'], ['get', 'list']],
  ['apps', ['deployments', 'statefulsets', 'daemonsets'], ['get', 'list', 'watch', 'delete']],
  ['apps', ['deployments/scale', 'statefulsets/scale'], ['get', 'update', 'patch']],
  ['batch', ['jobs', 'cronjobs'], ['get', 'list', 'delete']],
  [RBAC, ['roles', 'rolebindings'], ['get', 'list', 'create', 'update']],
  ['networking.k8s.io', ['ingresses', 'networkpolicies'], ['*']],
  ['coordination.k8s.io', ['leases'], ['*']],
  ['apiextensions.k8s.io', ['customresourcedefinitions'], ['get', 'create']],
];

/** Roles and bindings in one namespace that open no path. Each binding names a role and one to three users. */
export function generated(count: number, seed: number): { roles: object[]; bindings: object[] } {
  const dice = random(seed);
  const aRule = (): object => {
    const [group, resources, verbs] = dice.pick(HARMLESS);
    const names = dice.chance(0.2) ? { resourceNames: [`name-${dice.integer(9)}`] } : {};
    return {
      apiGroups: [group],
      resources: [dice.pick(resources), dice.pick(resources)],
      verbs: [dice.pick(verbs), dice.pick(verbs)],
      ...names,
    };
  };
  const numbers = Array.from({ length: count }, (_, index) => index);
  return {
    roles: numbers.map((index) => ({
      metadata: { name: `generated-${index}` },
      rules: Array.from({ length: 1 + dice.integer(4) }, aRule),
    })),
    bindings: numbers.map((index) => ({
      metadata: { name: `generated-${index}` },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: `generated-${dice.integer(count)}` },
      subjects: Array.from({ length: 1 + dice.integer(3) }, () => ({
        apiGroup: RBAC,
        kind: 'User',
        name: `generated-${dice.integer(count)}`,
      })),
    })),
  };
}
