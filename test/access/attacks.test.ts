import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { CERTS, given, ofEve, RBAC, rule } from '../support/builders/eve.ts';

// Escalation paths that the Kubernetes documentation does not warn about, and rights that only look like a path.
// Where the documentation is not clear, the answer was tried on an API server of version 1.36.

const test = suite('escalation paths that attackers know');

const ALSO = (rules: string, namespace?: string): string => {
  const [role, kind, place] = namespace
    ? (['Role', 'RoleBinding', `, namespace: ${namespace}`] as const)
    : (['ClusterRole', 'ClusterRoleBinding', ''] as const);
  return `{kind: ${role}, metadata: {name: also${place}}, rules: [${rules}]}
---
{kind: ${kind}, metadata: {name: also${place}}, roleRef: {kind: ${role}, name: also}, subjects: [{kind: User, name: eve}]}`;
};
/** A namespace with an account that may do everything, and the documents in `more`. */
const PLACE = (name: string, ...more: string[]): string =>
  [
    `{kind: Namespace, metadata: {name: ${name}, labels: {pod-security.kubernetes.io/enforce: restricted}}}`,
    `{kind: ServiceAccount, metadata: {name: chief, namespace: ${name}}}`,
    `{kind: ClusterRoleBinding, metadata: {name: chiefs}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: chief, namespace: ${name}}]}`,
    ...more,
  ].join('\n---\n');
const QUOTA = (hard: string, used: string, scopes = '', name = 'limit'): string =>
  `{kind: ResourceQuota, metadata: {name: ${name}, namespace: tight}, spec: {hard: ${hard}${scopes && `, scopes: [${scopes}]`}}, status: {hard: ${hard}, used: ${used}}}`;
const HOOKS = 'admissionregistration.k8s.io';
const signing = (csr: string, approval: string, signer = rule('approve', 'signers', CERTS)): string => [csr, approval, signer].join(', ');

type Case = [what: string, rules: string, namespace: string | undefined, expected: string[], more?: string];

const ROLES: Case[] = [
  [
    'PUT makes a binding of a given name',
    `${rule('create, update', 'clusterrolebindings', RBAC, 'mine')}, ${rule('bind', 'clusterroles', RBAC, 'cluster-admin')}`,
    undefined,
    ['cluster-admin: bind'],
  ],
  ['the verb bind counts on roles, not on bindings', rule("'*'", 'clusterrolebindings, rolebindings', RBAC), undefined, []],
  ['bind of a Role is no bind of a ClusterRole', `${rule('create', 'rolebindings', RBAC)}, ${rule('bind', 'roles', RBAC)}`, 'base', []],
  [
    'escalate of one role, update of another',
    `${rule('escalate', 'clusterroles', RBAC, 'eves')}, ${rule('update', 'clusterroles', RBAC, 'viewer')}`,
    undefined,
    [],
  ],
  [
    'a label brings no rules that are not held',
    rule('create, update, patch', 'clusterroles', RBAC),
    undefined,
    [],
    '{kind: ClusterRole, metadata: {name: sum}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}, rules: []}\n---\n{kind: ClusterRoleBinding, metadata: {name: sums}, roleRef: {kind: ClusterRole, name: sum}, subjects: [{kind: User, name: eve}]}',
  ],
  [
    'a role that nobody has is rewritten, and bound',
    `${rule('create', 'rolebindings', RBAC)}, ${rule('bind, escalate, patch', 'roles', RBAC)}`,
    undefined,
    ['cluster-admin: escalate > bind > token-secret', 'secrets shut: escalate > bind'],
    '{kind: Role, metadata: {name: lone, namespace: shut}, rules: [{apiGroups: [example.org], resources: [prices], verbs: [get]}]}',
  ],
  [
    'a role that nobody has is rewritten by its name, and bound',
    `${rule('create', 'rolebindings', RBAC)}, ${rule('bind', 'roles', RBAC)}, ${rule('escalate, patch', 'roles', RBAC, 'lone')}`,
    'shut',
    ['cluster-admin: escalate > bind > token-secret', 'secrets shut: escalate > bind'],
    '{kind: Role, metadata: {name: lone, namespace: shut}, rules: [{apiGroups: [example.org], resources: [prices], verbs: [get]}]}',
  ],
  [
    'a role of another name is rewritten',
    `${rule('create', 'rolebindings', RBAC)}, ${rule('bind', 'roles', RBAC, 'lone')}, ${rule('escalate, patch', 'roles', RBAC, 'other')}`,
    'shut',
    [],
    '{kind: Role, metadata: {name: lone, namespace: shut}, rules: [{apiGroups: [example.org], resources: [prices], verbs: [get]}]}',
  ],
  [
    'a ClusterRole bound in one namespace',
    `${rule('create', 'rolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC, 'makers')}`,
    'shut',
    ['cluster-admin: bind > pod-account', 'secrets shut: bind > pod-secrets'].slice(0, 1),
    `{kind: ClusterRole, metadata: {name: makers}, rules: [${rule('create', 'pods')}]}`,
  ],
  ['verbs are in lower case', rule('CREATE', 'pods'), 'shut', []],
  ['pods are of the core group', rule('create', 'pods', 'apps'), 'shut', []],
  ['a star for the resource of a subresource', rule('create', "'*/token'"), 'shut', ['cluster-admin: token']],
  ['a star for the subresource is nothing', rule('create', "'serviceaccounts/*'"), 'shut', []],
  [
    'what everybody may do',
    rule('get', 'pods'),
    undefined,
    ['cluster-admin: pod-account'],
    `{kind: Role, metadata: {name: all, namespace: shut}, rules: [${rule('create', 'pods')}]}\n---\n{kind: RoleBinding, metadata: {name: all, namespace: shut}, roleRef: {kind: Role, name: all}, subjects: [{kind: Group, name: 'system:authenticated'}]}`,
  ],
  [
    'what strangers may do',
    rule('get', 'pods'),
    undefined,
    [],
    `{kind: Role, metadata: {name: all, namespace: shut}, rules: [${rule('create', 'pods')}]}\n---\n{kind: RoleBinding, metadata: {name: all, namespace: shut}, roleRef: {kind: Role, name: all}, subjects: [{kind: Group, name: 'system:unauthenticated'}]}`,
  ],
  [
    'a binding of all accounts of a namespace',
    rule('create', 'pods'),
    'base',
    ['cluster-admin: pod-account'],
    "{kind: ClusterRoleBinding, metadata: {name: all}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: Group, name: 'system:serviceaccounts:base'}]}",
  ],
];

const IDENTITIES: Case[] = [
  [
    'system:masters with an account',
    `${rule('impersonate', 'groups', "''", "'system:masters'")}, ${rule('impersonate', 'serviceaccounts', "''", 'plain')}`,
    undefined,
    ['cluster-admin: impersonate'],
  ],
  ['extras and uids identify nobody', rule('impersonate', "'userextras/scopes', uids", 'authentication.k8s.io'), undefined, []],
  ['users are cluster-scoped', rule('impersonate', 'users, groups'), 'shut', []],
  [
    'a node',
    `${rule('impersonate', 'groups', "''", "'system:nodes'")}, ${rule('impersonate', 'users', "''", "'system:node:node-1'")}`,
    undefined,
    ['node: impersonate'],
  ],
  ['a node without its group', rule('impersonate', 'users', "''", "'system:node:node-1'"), undefined, []],
  [
    'a token for an account that is made first',
    rule('create', 'serviceaccounts, serviceaccounts/token'),
    'base',
    ['cluster-admin: new-token'],
  ],
  [
    'a token for another account',
    `${rule('create', 'serviceaccounts')}, ${rule('create', 'serviceaccounts/token', "''", 'other')}`,
    'base',
    [],
  ],
  [
    'a Secret for an account that is made first',
    `${rule('create', 'serviceaccounts')}, ${rule('create, list', 'secrets')}`,
    'base',
    ['cluster-admin: new-token'],
  ],
  ['an account is made where no binding names it', rule('create', 'serviceaccounts, serviceaccounts/token'), 'open', []],
  ['changed accounts', rule('update, patch, delete', 'serviceaccounts'), 'shut', []],
  [
    'the answer to deletecollection contains the Secrets',
    rule('create, deletecollection', 'secrets'),
    'shut',
    ['cluster-admin: token-secret'],
  ],
  ['deletecollection has no name', `${rule('create', 'secrets')}, ${rule('deletecollection', 'secrets', "''", 'x')}`, 'shut', []],
  ['the answer to delete contains no Secret', rule('create, delete', 'secrets'), 'shut', []],
  [
    'a token in a Secret that is there',
    rule('get', 'secrets', "''", 'old'),
    'shut',
    ['cluster-admin: token-read'],
    '{kind: Secret, type: kubernetes.io/service-account-token, metadata: {name: old, namespace: shut, annotations: {kubernetes.io/service-account.name: boss}}}',
  ],
  [
    'a Secret of another type',
    rule('get', 'secrets', "''", 'old'),
    'shut',
    [],
    '{kind: Secret, type: Opaque, metadata: {name: old, namespace: shut, annotations: {kubernetes.io/service-account.name: boss}}}',
  ],
  [
    'a Secret for an account that is not there',
    rule('get', 'secrets', "''", 'old'),
    'base',
    [],
    '{kind: Secret, type: kubernetes.io/service-account-token, metadata: {name: old, namespace: base, annotations: {kubernetes.io/service-account.name: ghost}}}',
  ],
];

const CERTIFICATES: Case[] = [
  [
    'a request of one name, an approval of another',
    signing(
      `${rule('create', 'certificatesigningrequests', CERTS)}, ${rule('get', 'certificatesigningrequests', CERTS, 'a')}`,
      rule('update', 'certificatesigningrequests/approval', CERTS, 'b'),
    ),
    undefined,
    [],
  ],
  [
    'server-side apply makes a request of a given name',
    signing(
      rule('create, patch', 'certificatesigningrequests', CERTS, 'a'),
      rule('patch', 'certificatesigningrequests/approval', CERTS, 'a'),
    ),
    undefined,
    ['cluster-admin: csr'],
  ],
  [
    'all signers of a domain',
    signing(
      rule('create, get', 'certificatesigningrequests', CERTS),
      rule('update', 'certificatesigningrequests/approval', CERTS),
      rule('approve', 'signers', CERTS, "'kubernetes.io/*'"),
    ),
    undefined,
    ['cluster-admin: csr'],
  ],
  [
    'sign is not approve',
    signing(
      rule('create, get', 'certificatesigningrequests', CERTS),
      rule('update', 'certificatesigningrequests/approval, certificatesigningrequests/status', CERTS),
      rule('sign', 'signers', CERTS),
    ),
    undefined,
    [],
  ],
  [
    'approvals are not created',
    signing(rule('create, get', 'certificatesigningrequests', CERTS), rule('create', 'certificatesigningrequests/approval', CERTS)),
    undefined,
    [],
  ],
  [
    'who joins nodes is approved without a person',
    `${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('create', 'certificatesigningrequests/nodeclient', CERTS)}`,
    undefined,
    ['node: csr'],
  ],
  [
    'a node renews its own alone',
    `${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('create', 'certificatesigningrequests/selfnodeclient', CERTS)}`,
    undefined,
    [],
  ],
  [
    'a certificate that the subject cannot read',
    rule('create', 'certificatesigningrequests, certificatesigningrequests/nodeclient', CERTS),
    undefined,
    [],
  ],
];

const TOKEN = (audience = ''): string =>
  `{name: api, projected: {sources: [{serviceAccountToken: {path: token${audience && `, audience: ${audience}`}}}]}}`;
const POD = (spec: string, { at = 'shut', more = '', status = '{phase: Running}', name = 'target' } = {}): string =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: ${at}, uid: u${more}}, spec: ${spec}, status: ${status}}`;
const WITH = (audience = ''): string =>
  `{serviceAccountName: boss, nodeName: node-1, volumes: [${TOKEN(audience)}], containers: [{name: app, volumeMounts: [{name: api, mountPath: /x}]}]}`;
const PRIVILEGED = '{nodeName: node-1, containers: [{name: app, securityContext: {privileged: true}}]}';
const FOLDER = (path: string, mount = ''): string =>
  `{nodeName: node-1, volumes: [{name: host, hostPath: {path: ${path}}}], containers: [{name: app, volumeMounts: [{name: host, mountPath: /host${mount}}]}]}`;
const exec = rule('create', 'pods/exec');

const API_SERVER = (...flags: string[]): string =>
  `{kind: Pod, metadata: {name: kube-apiserver-node-1, namespace: kube-system}, spec: {containers: [{name: kube-apiserver, command: [${['kube-apiserver', ...flags].join(', ')}]}]}}`;
const TOKENS = API_SERVER('--allow-privileged=true', '--enable-bootstrap-token-auth=true');
/** Members of the group may join nodes. The bindings are those of kubeadm. */
const JOINING = (group: string): string => `
{kind: Namespace, metadata: {name: kube-system, labels: {pod-security.kubernetes.io/enforce: restricted}}}
---
{kind: ClusterRole, metadata: {name: joiner}, rules: [${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('create', 'certificatesigningrequests/nodeclient', CERTS)}]}
---
{kind: ClusterRoleBinding, metadata: {name: joiners}, roleRef: {kind: ClusterRole, name: joiner}, subjects: [{kind: Group, name: '${group}'}]}`;
const KUBEADM = JOINING('system:bootstrappers:kubeadm:default-node-token');

/** From Kubernetes, "Authenticating with Bootstrap Tokens". bootstrap-tokens.test.ts tries them on a real API server. */
const BOOTSTRAP: Case[] = [
  ['a bootstrap token', rule('create', 'secrets'), 'kube-system', ['node: bootstrap > csr'], `${KUBEADM}\n---\n${TOKENS}`],
  [
    'a bootstrap token for all who bootstrap',
    rule('create', 'secrets'),
    undefined,
    ['node: bootstrap > csr'],
    `${JOINING('system:bootstrappers')}\n---\n${TOKENS}`,
  ],
  [
    'a bootstrap token of a given name',
    rule('create, patch', 'secrets', "''", 'bootstrap-token-abc123'),
    'kube-system',
    ['node: bootstrap > csr'],
    `${KUBEADM}\n---\n${TOKENS}`,
  ],
  [
    'a name that no bootstrap token has',
    rule('create, patch', 'secrets', "''", 'bootstrap-token-abc'),
    'kube-system',
    [],
    `${KUBEADM}\n---\n${TOKENS}`,
  ],
  ['a bootstrap token where the flag is not set', rule('create', 'secrets'), 'kube-system', [], `${KUBEADM}\n---\n${API_SERVER()}`],
  [
    'a bootstrap token where the flag is off',
    rule('create', 'secrets'),
    'kube-system',
    [],
    `${KUBEADM}\n---\n${API_SERVER('--enable-bootstrap-token-auth=false')}`,
  ],
  ['a bootstrap token where the API server is not seen', rule('create', 'secrets'), 'kube-system', [], KUBEADM],
  [
    'the flag in the pod of somebody else',
    rule('create', 'secrets'),
    'kube-system',
    [],
    `${KUBEADM}\n---\n${TOKENS.replace('[kube-apiserver,', '[echo,')}`,
  ],
  ['a bootstrap token in another namespace', rule('create', 'secrets'), 'shut', [], `${KUBEADM}\n---\n${TOKENS}`],
  [
    'a group that no bootstrap token has',
    rule('create', 'secrets'),
    'kube-system',
    [],
    `${JOINING('system:bootstrappers:A')}\n---\n${TOKENS}`,
  ],
  ['update of Secrets makes no bootstrap token', rule('update', 'secrets'), 'kube-system', [], `${KUBEADM}\n---\n${TOKENS}`],
];

const PODS: Case[] = [
  [
    'the label goes by way of the status',
    `${rule('create', 'pods')}, ${rule('patch', 'namespaces/status')}`,
    'base',
    ['node: label > pod-node', 'secrets base: pod-secrets'],
  ],
  [
    'the label goes by way of finalizers',
    `${rule('create', 'pods')}, ${rule('update', 'namespaces/finalize')}`,
    'base',
    ['node: label > pod-node', 'secrets base: pod-secrets'],
  ],
  [
    'finalizers are not patched',
    `${rule('create', 'pods')}, ${rule('patch', 'namespaces/finalize')}`,
    'base',
    ['secrets base: pod-secrets'],
  ],
  [
    'the quota goes by way of its status',
    `${rule('create', 'pods')}, ${rule('patch', 'resourcequotas/status')}`,
    'full',
    ['cluster-admin: quota > pod-account'],
  ],
  [
    'deletecollection of a quota has no name',
    `${rule('create', 'pods')}, ${rule('deletecollection', 'resourcequotas', "''", 'none')}`,
    'full',
    [],
  ],
  [
    'a pod makes the claim of its volume',
    rule('create', 'pods'),
    'base',
    ['node: pod-volume', 'secrets base: pod-secrets'],
    ALSO(rule('create', 'persistentvolumes')),
  ],
  [
    'a volume under restricted',
    rule('create', 'pods'),
    'strict',
    ['secrets strict: pod-secrets'],
    `${ALSO(rule('create', 'persistentvolumes, persistentvolumeclaims'))}\n---\n{kind: Namespace, metadata: {name: strict, labels: {pod-security.kubernetes.io/enforce: restricted}}}`,
  ],
  [
    'a quota without claims',
    rule('create', 'pods'),
    'base',
    ['secrets base: pod-secrets'],
    `${ALSO(rule('create', 'persistentvolumes'))}\n---\n{kind: ResourceQuota, metadata: {name: claims, namespace: base}, status: {hard: {persistentvolumeclaims: '0'}, used: {persistentvolumeclaims: '0'}}}`,
  ],
  ['a quota without Secrets', rule('create, get', 'secrets'), 'tight', [], PLACE('tight', QUOTA("{secrets: '0'}", "{secrets: '0'}"))],
  ['a quota that counts pods', rule('create', 'pods'), 'tight', [], PLACE('tight', QUOTA("{count/pods: '0'}", "{count/pods: '0'}"))],
  [
    'a quota without Deployments',
    rule('create', 'deployments', 'apps'),
    'tight',
    [],
    PLACE('tight', QUOTA("{count/deployments.apps: '0'}", "{count/deployments.apps: '0'}")),
  ],
  [
    'a quota without Deployments, and a Job',
    rule('create', 'deployments, jobs', 'apps, batch'),
    'tight',
    ['cluster-admin: pod-account'],
    PLACE('tight', QUOTA("{count/deployments.apps: '0'}", "{count/deployments.apps: '0'}")),
  ],
  [
    'a quota without bindings',
    `${rule('create', 'rolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC)}`,
    'tight',
    [],
    PLACE('tight', QUOTA(`{count/rolebindings.${RBAC}: '0'}`, `{count/rolebindings.${RBAC}: '0'}`)),
  ],
  [
    'a quota of pods without requests',
    rule('create', 'pods'),
    'tight',
    ['cluster-admin: pod-account'],
    PLACE('tight', QUOTA("{pods: '0'}", "{pods: '0'}", 'BestEffort')),
  ],
  [
    'two quotas that count every pod',
    rule('create', 'pods'),
    'tight',
    [],
    PLACE('tight', QUOTA("{pods: '0'}", "{pods: '0'}", 'BestEffort'), QUOTA("{pods: '0'}", "{pods: '0'}", 'NotBestEffort', 'other')),
  ],
  [
    'a quota of CPU does not limit the number of pods',
    rule('create', 'pods'),
    'tight',
    ['cluster-admin: pod-account'],
    PLACE('tight', QUOTA("{requests.cpu: '0'}", "{requests.cpu: '0'}")),
  ],
  [
    'pods that may be deleted make room',
    rule('create, delete', 'pods'),
    'tight',
    ['cluster-admin: quota > pod-account'],
    PLACE('tight', QUOTA("{pods: '1'}", "{pods: '1'}"), POD('{containers: [{name: app}]}', { at: 'tight' })),
  ],
  [
    'a pod that comes back makes no room',
    rule('create, delete', 'pods'),
    'tight',
    [],
    PLACE(
      'tight',
      QUOTA("{pods: '1'}", "{pods: '1'}"),
      POD('{containers: [{name: app}]}', { at: 'tight', more: ', ownerReferences: [{controller: true}]' }),
    ),
  ],
  [
    'where no pod is allowed, none can be deleted',
    rule('create, delete', 'pods'),
    'tight',
    [],
    PLACE('tight', QUOTA("{pods: '0'}", "{pods: '0'}")),
  ],
  [
    'a namespace that ends takes no pods',
    rule('create', 'pods, secrets, serviceaccounts/token'),
    'late',
    [],
    PLACE('late').replace('{name: late, labels', '{name: late, deletionTimestamp: "2026-01-01T00:00:00Z", labels'),
  ],
  [
    'subresources that run nothing',
    rule("'*'", 'pods/eviction, pods/binding, pods/status, pods/log, pods/attach, pods/portforward, pods/proxy, services/proxy'),
    'shut',
    [],
  ],
  [
    'subresources of workloads',
    rule('update, patch', 'deployments/scale, deployments/status, replicasets/scale', 'apps'),
    'shut',
    [],
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shut}, spec: {template: {spec: {serviceAccountName: boss, containers: []}}}}',
  ],
  ['subresources of nodes', rule('get, update, patch', 'nodes/status, nodes/log, nodes/metrics, nodes/stats'), undefined, []],
  ['nodes/proxy in one namespace', rule('get, create', 'nodes/proxy'), 'shut', []],
  ['a ReplicationController', rule('create', 'replicationcontrollers'), 'shut', ['cluster-admin: pod-account']],
  [
    'what scales or describes pods',
    rule('create', 'horizontalpodautoscalers, podtemplates, poddisruptionbudgets', "autoscaling, '', policy"),
    'shut',
    [],
  ],
  [
    'definitions and services of the API',
    rule("'*'", 'customresourcedefinitions, apiservices', 'apiextensions.k8s.io, apiregistration.k8s.io'),
    undefined,
    [],
  ],
  [
    'there is no webhook configuration to change',
    rule('update, patch', 'mutatingwebhookconfigurations, validatingwebhookconfigurations', HOOKS),
    undefined,
    [],
  ],
  [
    'a webhook configuration that exists',
    rule('patch', 'mutatingwebhookconfigurations', HOOKS, 'old'),
    undefined,
    ['secrets *: webhook'],
    '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: old}}',
  ],
  [
    'a webhook of another name',
    rule('patch', 'mutatingwebhookconfigurations', HOOKS, 'new'),
    undefined,
    [],
    '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: old}}',
  ],
  [
    'an update of an existing webhook configuration needs its version, which is not known',
    rule('update', 'mutatingwebhookconfigurations', HOOKS, 'old'),
    undefined,
    [],
    '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: old}}',
  ],
  [
    'an existing webhook configuration that the subject can read',
    rule('list, update', 'mutatingwebhookconfigurations', HOOKS),
    undefined,
    ['secrets *: webhook'],
    '{apiVersion: admissionregistration.k8s.io/v1, kind: MutatingWebhookConfiguration, metadata: {name: old}}',
  ],
  [
    'a webhook hears the token of a Secret',
    `${rule('create', 'validatingwebhookconfigurations', HOOKS)}, ${rule('create', 'secrets')}`,
    undefined,
    ['cluster-admin: webhook > token-secret', 'secrets *: webhook'],
  ],
  [
    'a Secret where no account leads anywhere',
    rule('create', 'validatingwebhookconfigurations', HOOKS),
    undefined,
    ['secrets *: webhook'],
    ALSO(rule('create', 'secrets'), 'open'),
  ],
  [
    'somebody else reads the Secret for a token',
    `${rule('create', 'secrets')}, ${rule('impersonate', 'users', "''", 'reader')}`,
    undefined,
    ['cluster-admin: impersonate > token-secret', 'secrets *: impersonate'],
    '{kind: ClusterRoleBinding, metadata: {name: readers}, roleRef: {kind: ClusterRole, name: secret-reader}, subjects: [{kind: User, name: reader}]}',
  ],
  [
    'nobody reads it there',
    `${rule('create', 'secrets')}, ${rule('impersonate', 'users', "''", 'reader')}`,
    undefined,
    ['secrets base: impersonate'],
    '{kind: RoleBinding, metadata: {name: readers, namespace: base}, roleRef: {kind: ClusterRole, name: secret-reader}, subjects: [{kind: User, name: reader}]}',
  ],
  [
    'admission policies see no Secrets',
    rule("'*'", 'validatingadmissionpolicies, validatingadmissionpolicybindings', HOOKS),
    undefined,
    [],
  ],
];

const INSIDE: Case[] = [
  ['a token for somebody else than the API server', exec, 'shut', [], POD(WITH('vault'))],
  [
    'a token for the API server by its name',
    exec,
    'shut',
    ['cluster-admin: exec'],
    POD(WITH('https://kubernetes.default.svc.cluster.local')),
  ],
  [
    'a node gives no token that its pods do not mount',
    exec,
    'open',
    ['node: exec'],
    `${POD(PRIVILEGED, { at: 'open' })}\n---\n${POD('{serviceAccountName: boss, nodeName: node-1, containers: [{name: app}]}')}`,
  ],
  [
    'a node gives the tokens of its pods',
    exec,
    'open',
    ['cluster-admin: exec > node-pods', 'node: exec'],
    `${POD(PRIVILEGED, { at: 'open' })}\n---\n${POD(WITH(), { name: 'other' })}`,
  ],
  [
    'a static pod gets no ephemeral container',
    rule('patch', 'pods, pods/ephemeralcontainers'),
    'open',
    [],
    POD(PRIVILEGED, { at: 'open', more: ', annotations: {kubernetes.io/config.mirror: x}' }),
  ],
  [
    'a static pod runs commands',
    exec,
    'open',
    ['node: exec'],
    POD(PRIVILEGED, { at: 'open', more: ', annotations: {kubernetes.io/config.mirror: x}' }),
  ],
  ['a pod that ends', exec, 'shut', [], POD(WITH(), { more: ", deletionTimestamp: '2026-01-01T00:00:00Z'" })],
  [
    'a pod that crashes',
    exec,
    'shut',
    [],
    POD(WITH(), { status: '{phase: Running, containerStatuses: [{name: app, state: {waiting: {reason: CrashLoopBackOff}}}]}' }),
  ],
  [
    'a privileged pod whose user is not root',
    exec,
    'open',
    [],
    POD('{nodeName: node-1, securityContext: {runAsUser: 1000}, containers: [{name: app, securityContext: {privileged: true}}]}', {
      at: 'open',
    }),
  ],
  ['a folder in the root folder', exec, 'open', [], POD(FOLDER('/', ', subPath: tmp'), { at: 'open' })],
  ["a folder of the node's that holds nothing", exec, 'open', [], POD(FOLDER('/var/log/shop'), { at: 'open' })],
  ["the runtime's socket", exec, 'open', ['node: exec'], POD(FOLDER('/run/containerd/containerd.sock'), { at: 'open' })],
  ["the kubelet's folder", exec, 'open', ['node: exec'], POD(FOLDER('/var/lib/kubelet'), { at: 'open' })],
  ['the kubelet accepts commands by POST and by GET', rule('update, patch, delete', 'nodes/proxy'), undefined, [], POD(WITH())],
];

for (const [what, rules, namespace, expected, more] of [...ROLES, ...IDENTITIES, ...CERTIFICATES, ...BOOTSTRAP, ...PODS, ...INSIDE])
  test(what, () => assert.equal(ofEve(given(rules, namespace, more)), expected));

test('a right everywhere ends where a quota leaves no room', () => {
  // The only strong account is in the one namespace that takes no Deployment.
  const tight = (used: string) => PLACE('tight', QUOTA("{count/deployments.apps: '1'}", `{count/deployments.apps: '${used}'}`));
  const paths = (...more: string[]) =>
    ofEve(
      loadManifests(
        [
          '{kind: Namespace, metadata: {name: wide, labels: {pod-security.kubernetes.io/enforce: restricted}}}',
          '{kind: ClusterRole, metadata: {name: cluster-admin}, rules: [{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]}',
          ALSO(rule('create', 'deployments', 'apps')),
          ...more,
        ].join('\n---\n'),
      ) as KubeObject[],
    );
  assert.equal(paths(tight('1')), ['secrets wide: pod-secrets']);
  assert.equal(paths(tight('0')), ['cluster-admin: pod-account']);
});

test.run();
