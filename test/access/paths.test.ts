import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escalations, pathsIn } from '../../src/access/paths/paths.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { BASE, CERTS, given, ofEve, RBAC, rule, told } from '../support/builders/eve.ts';

// Expected answers come from the Kubernetes documentation: "Using RBAC Authorization" (privilege escalation prevention),
// "RBAC good practices", "User impersonation", "Certificates and Certificate Signing Requests", "Pod Security Admission".
// paths.node.test.ts walks such paths on a real cluster.

const test = suite('escalation paths');

/** Eve's rights, their namespace, her expected paths, and other objects in the cluster. */
const CASES: [what: string, rules: string, namespace: string | undefined, expected: string[], more?: string][] = [
  ['reading is no way', rule('get, list, watch', 'pods, configmaps'), undefined, []],
  ['a right that is held is no path', rule('get', 'secrets'), undefined, []],
  [
    'bind and create bindings',
    `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC, 'cluster-admin')}`,
    undefined,
    ['cluster-admin: bind'],
  ],
  [
    'server-side apply creates a binding of a given name',
    `${rule('create, patch', 'clusterrolebindings', RBAC, 'mine')}, ${rule('bind', 'clusterroles', RBAC, 'cluster-admin')}`,
    undefined,
    ['cluster-admin: bind'],
  ],
  [
    'a name alone creates no binding',
    `${rule('create', 'clusterrolebindings', RBAC, 'mine')}, ${rule('bind', 'clusterroles', RBAC, 'cluster-admin')}`,
    undefined,
    [],
  ],
  [
    'a new role that may be bound',
    `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind, create, patch, escalate', 'clusterroles', RBAC, 'mine')}`,
    undefined,
    ['cluster-admin: escalate > bind'],
  ],
  [
    'an account that is not there is impersonated',
    rule('impersonate', 'serviceaccounts', "''", 'ghost'),
    'base',
    ['cluster-admin: impersonate'],
  ],
  ['the answer to a patch holds the Secret', rule('create, patch', 'secrets'), 'shut', ['cluster-admin: token-secret']],
  ['bind without bindings', rule('bind', 'clusterroles', RBAC), undefined, []],
  ['bindings without bind', rule('create, update, patch', 'clusterrolebindings, rolebindings', RBAC), undefined, []],
  [
    'bind of a harmless role',
    `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC, 'viewer')}`,
    undefined,
    [],
  ],
  [
    'bind of a role that reads Secrets',
    `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC, 'secret-reader')}`,
    undefined,
    ['secrets *: bind'],
  ],
  [
    'bind in one namespace',
    `${rule('create', 'rolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC)}`,
    'base',
    ['cluster-admin: bind > impersonate', 'secrets base: bind'],
  ],
  [
    'bind in one namespace makes no binding of the cluster',
    `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC)}`,
    'base',
    [],
  ],
  [
    'an existing binding with bind',
    `${rule('patch', 'clusterrolebindings', RBAC, 'bosses')}, ${rule('bind', 'clusterroles', RBAC, 'cluster-admin')}`,
    undefined,
    ['cluster-admin: bind'],
  ],
  [
    'an existing binding of another role',
    `${rule('patch', 'clusterrolebindings', RBAC, 'eves')}, ${rule('bind', 'clusterroles', RBAC, 'cluster-admin')}`,
    undefined,
    [],
  ],
  ['escalate and update of the own role', rule('escalate, update', 'clusterroles', RBAC, 'eves'), undefined, ['cluster-admin: escalate']],
  ['escalate without update', rule('escalate', 'clusterroles', RBAC), undefined, []],
  ['update without escalate', rule('update, patch', 'clusterroles', RBAC), undefined, []],
  ["escalate of a role that is not one's own", rule('escalate, update', 'clusterroles', RBAC, 'viewer'), undefined, []],
  [
    'escalate in one namespace',
    rule('escalate, patch', 'roles', RBAC),
    'base',
    ['cluster-admin: escalate > impersonate', 'secrets base: escalate'],
  ],
  [
    'escalate and create make the missing role of a binding',
    rule('escalate, create', 'clusterroles', RBAC),
    undefined,
    ['cluster-admin: escalate'],
    '{kind: ClusterRoleBinding, metadata: {name: later}, roleRef: {kind: ClusterRole, name: not-there}, subjects: [{kind: User, name: eve}]}',
  ],
  [
    'escalate and create make a role that another one aggregates',
    rule('escalate, create', 'clusterroles', RBAC),
    undefined,
    ['cluster-admin: aggregate'],
    '{kind: ClusterRole, metadata: {name: sum}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {a: b}}]}, rules: []}\n---\n{kind: ClusterRoleBinding, metadata: {name: sums}, roleRef: {kind: ClusterRole, name: sum}, subjects: [{kind: User, name: eve}]}',
  ],
  [
    'a missing role of a binding gives an account everything',
    `${rule('escalate, create', 'clusterroles', RBAC)}, ${rule('create', 'serviceaccounts/token', "''", 'plain')}`,
    undefined,
    ['cluster-admin: escalate > token'],
    '{kind: ClusterRoleBinding, metadata: {name: later}, roleRef: {kind: ClusterRole, name: not-there}, subjects: [{kind: ServiceAccount, name: plain, namespace: shut}]}',
  ],
  [
    'a role that nobody has is rewritten and bound',
    `${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind, patch, escalate', 'clusterroles', RBAC, 'viewer')}`,
    undefined,
    ['cluster-admin: escalate > bind'],
  ],
  [
    'all roles may be escalated, one may be changed, and an account has it',
    `${rule('escalate', 'clusterroles', RBAC)}, ${rule('patch', 'clusterroles', RBAC, 'viewer')}, ${rule('create', 'serviceaccounts/token', "''", 'plain')}`,
    undefined,
    ['cluster-admin: escalate > token'],
    '{kind: ClusterRoleBinding, metadata: {name: views}, roleRef: {kind: ClusterRole, name: viewer}, subjects: [{kind: ServiceAccount, name: plain, namespace: shut}]}',
  ],
  ['impersonate users', rule('impersonate', 'users'), undefined, ['cluster-admin: impersonate']],
  ['impersonate another user', rule('impersonate', 'users', "''", 'ann'), undefined, []],
  ['impersonate a group without anybody', rule('impersonate', 'groups', "''", 'bosses'), undefined, []],
  [
    'impersonate a group with a user',
    `${rule('impersonate', 'groups', "''", 'bosses')}, ${rule('impersonate', 'users', "''", 'ann')}`,
    undefined,
    ['cluster-admin: impersonate'],
  ],
  ['impersonate an account', rule('impersonate', 'serviceaccounts', "''", 'boss'), 'shut', ['cluster-admin: impersonate']],
  ['impersonate an account elsewhere', rule('impersonate', 'serviceaccounts'), 'open', []],
  ['users are no accounts', rule('impersonate', 'users', "''", "'system:serviceaccount:shut:boss'"), undefined, []],
  ['token', rule('create', 'serviceaccounts/token', "''", 'boss'), 'shut', ['cluster-admin: token']],
  ['token of another account', rule('create', 'serviceaccounts/token', "''", 'plain'), 'shut', []],
  ['accounts are no tokens', rule('create', 'serviceaccounts'), 'shut', []],
  ['a Secret for the token', rule('create, get', 'secrets'), 'shut', ['cluster-admin: token-secret']],
  ['a Secret that nobody reads', rule('create', 'secrets'), 'shut', []],
  ['pods where everything is allowed', rule('create', 'pods'), 'open', ['node: pod-node', 'secrets open: pod-secrets']],
  ['pods under baseline', rule('create', 'pods'), 'base', ['secrets base: pod-secrets']],
  ['pods under a stronger account', rule('create', 'pods'), 'shut', ['cluster-admin: pod-account']],
  ['a workload under a stronger account', rule('create', 'deployments', 'apps'), 'shut', ['cluster-admin: pod-account']],
  ['a workload of another group', rule('create', 'deployments', 'example.org'), 'shut', []],
  [
    'an existing workload',
    rule('patch', 'deployments', 'apps', 'web'),
    'shut',
    ['cluster-admin: pod-account'],
    '{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shut}, spec: {template: {spec: {containers: []}}}}',
  ],
  ['a workload that is not there', rule('patch', 'deployments', 'apps', 'web'), 'shut', []],
  ['a quota without room', rule('create', 'pods'), 'full', []],
  [
    'a quota that can be removed',
    `${rule('create', 'pods')}, ${rule('delete', 'resourcequotas')}`,
    'full',
    ['cluster-admin: quota > pod-account'],
  ],
  [
    'labels and pods',
    `${rule('create', 'pods')}, ${rule('patch', 'namespaces')}`,
    'base',
    ['node: label > pod-node', 'secrets base: pod-secrets'],
  ],
  ['labels without pods', rule('patch', 'namespaces'), undefined, []],
  [
    'a volume of the node under baseline',
    `${rule('create', 'pods, persistentvolumes, persistentvolumeclaims')}`,
    undefined,
    ['cluster-admin: pod-account'],
  ],
  ['a missing account of a binding', `${rule('create', 'pods, serviceaccounts')}`, 'base', ['cluster-admin: new-account']],
  [
    'server-side apply creates a missing account of a given name',
    `${rule('create', 'pods')}, ${rule('create, patch', 'serviceaccounts', "''", 'ghost')}`,
    'base',
    ['cluster-admin: new-account'],
  ],
  [
    'a name alone creates no account',
    `${rule('create', 'pods')}, ${rule('create', 'serviceaccounts', "''", 'ghost')}`,
    'base',
    ['secrets base: pod-secrets'],
  ],
  [
    'a name of an account that no binding names',
    `${rule('create', 'pods')}, ${rule('create, patch', 'serviceaccounts', "''", 'nobody')}`,
    'base',
    ['secrets base: pod-secrets'],
  ],
  [
    'quotas that can be removed together',
    `${rule('create', 'pods')}, ${rule('deletecollection', 'resourcequotas')}`,
    'full',
    ['cluster-admin: quota > pod-account'],
  ],
  [
    'a webhook that is there can be patched',
    rule('patch', 'mutatingwebhookconfigurations', 'admissionregistration.k8s.io', 'there'),
    undefined,
    ['secrets *: webhook'],
    '{kind: MutatingWebhookConfiguration, metadata: {name: there}}',
  ],
  [
    'an update of a webhook needs a read',
    rule('get, update', 'mutatingwebhookconfigurations', 'admissionregistration.k8s.io', 'there'),
    undefined,
    ['secrets *: webhook'],
    '{kind: MutatingWebhookConfiguration, metadata: {name: there}}',
  ],
  [
    'an update of a webhook without a read',
    rule('update', 'mutatingwebhookconfigurations', 'admissionregistration.k8s.io', 'there'),
    undefined,
    [],
    '{kind: MutatingWebhookConfiguration, metadata: {name: there}}',
  ],
  [
    'a webhook sees Secrets',
    rule('create', 'mutatingwebhookconfigurations', 'admissionregistration.k8s.io'),
    undefined,
    ['secrets *: webhook'],
  ],
  [
    'certificates',
    `${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('update', 'certificatesigningrequests/approval', CERTS)}, ${rule('approve', 'signers', CERTS, 'kubernetes.io/kube-apiserver-client')}`,
    undefined,
    ['cluster-admin: csr'],
  ],
  [
    'certificates for nodes alone',
    `${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('update', 'certificatesigningrequests/approval', CERTS)}, ${rule('approve', 'signers', CERTS, 'kubernetes.io/kube-apiserver-client-kubelet')}`,
    undefined,
    ['node: csr'],
  ],
  [
    'certificates without a signer',
    `${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('update', 'certificatesigningrequests/approval', CERTS)}`,
    undefined,
    [],
  ],
  [
    'certificates of a signer that makes no clients',
    `${rule('create, get', 'certificatesigningrequests', CERTS)}, ${rule('update', 'certificatesigningrequests/approval', CERTS)}, ${rule('approve', 'signers', CERTS, 'kubernetes.io/kubelet-serving')}`,
    undefined,
    [],
  ],
];

for (const [what, rules, namespace, expected, more] of CASES)
  test(what, () => assert.equal(ofEve(given(rules, namespace, more)), expected));

/** A pod in namespace `shut`. */
const POD = (spec: string, name = 'target', status = '{phase: Running}'): string =>
  `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: shut, uid: u}, spec: ${spec}, status: ${status}}`;
const TOKEN = '{name: api, projected: {sources: [{serviceAccountToken: {path: token}}]}}';
const WITH_TOKEN = `{serviceAccountName: boss, nodeName: node-1, volumes: [${TOKEN}], containers: [{name: app, volumeMounts: [{name: api, mountPath: /x}]}]}`;
const WITHOUT_TOKEN = '{serviceAccountName: boss, nodeName: node-1, containers: [{name: app}]}';
const PRIVILEGED = '{serviceAccountName: plain, nodeName: node-1, containers: [{name: app, securityContext: {privileged: true}}]}';

const INSIDE: [what: string, rules: string, namespace: string | undefined, expected: string[], pod: string][] = [
  ['exec', rule('create', 'pods/exec'), 'shut', ['cluster-admin: exec'], POD(WITH_TOKEN)],
  ['exec of another pod', rule('create', 'pods/exec', "''", 'other'), 'shut', [], POD(WITH_TOKEN)],
  ['exec in a pod without a token', rule('create', 'pods/exec'), 'shut', [], POD(WITHOUT_TOKEN)],
  ['exec in a pod that has ended', rule('create', 'pods/exec'), 'shut', [], POD(WITH_TOKEN, 'target', '{phase: Succeeded}')],
  ['attach and portforward are no path', rule('create', 'pods/attach, pods/portforward'), 'shut', [], POD(WITH_TOKEN)],
  [
    'exec in a privileged pod',
    rule('create', 'pods/exec'),
    'shut',
    ['cluster-admin: exec'],
    `${POD(PRIVILEGED)}\n---\n${POD(WITH_TOKEN, 'other')}`,
  ],
  ['an ephemeral container', rule('patch', 'pods/ephemeralcontainers'), 'shut', ['cluster-admin: ephemeral'], POD(WITH_TOKEN)],
  ['another image', rule('patch', 'pods'), 'shut', ['cluster-admin: image'], POD(WITH_TOKEN)],
  ["the kubelet's interface", rule('get', 'nodes/proxy'), undefined, ['cluster-admin: kubelet'], POD(WITH_TOKEN)],
  ["another kubelet's interface", rule('get', 'nodes/proxy', "''", 'node-2'), undefined, [], POD(WITH_TOKEN)],
];
for (const [what, rules, namespace, expected, pod] of INSIDE) test(what, () => assert.equal(ofEve(given(rules, namespace, pod)), expected));

test('a path can combine the rights of two identities', () => {
  // Eve can write a role that is bound only to an account, and she can get a token of that account.
  const objects = given(
    `${rule('escalate, patch', 'clusterroles', RBAC, 'weak')}, ${rule('create', 'serviceaccounts/token', "''", 'plain')}`,
    undefined,
    `{kind: ClusterRole, metadata: {name: weak}, rules: []}
---
{kind: ClusterRoleBinding, metadata: {name: weaks}, roleRef: {kind: ClusterRole, name: weak}, subjects: [{kind: ServiceAccount, name: plain, namespace: shut}]}`,
  );
  assert.equal(ofEve(objects), ['cluster-admin: escalate > token']);
});

test('who may do everything has no path, and members of system:masters are not searched', () => {
  const paths = pathsIn(worldOf(loadManifests(BASE) as KubeObject[], true));
  assert.equal(paths, []);
});

test('the cut is the binding whose removal breaks most paths', () => {
  const people = ['ann', 'bob', 'cas'].map(
    (name) =>
      `{kind: RoleBinding, metadata: {name: ${name}, namespace: shut}, roleRef: {kind: Role, name: makers}, subjects: [{kind: User, name: ${name}}]}`,
  );
  const objects = loadManifests(
    [BASE, `{kind: Role, metadata: {name: makers, namespace: shut}, rules: [${rule('create', 'pods')}]}`, ...people].join('\n---\n'),
  ) as KubeObject[];
  const { paths, cut } = escalations(worldOf(objects, true));
  assert.equal(paths.map(({ subject, target }) => `${subject.name} ${target.kind}`).toSorted(), [
    'ann cluster-admin',
    'bob cluster-admin',
    'cas cluster-admin',
  ]);
  assert.is(cut?.bound.binding.metadata.name, 'bosses');
  // Without that binding they still read the Secrets of the namespace. That is another path.
  assert.is(cut?.broken, 3);
});

test('only what the files name exists, and cluster-admin always', () => {
  const objects = loadManifests(`
{kind: ClusterRole, metadata: {name: eves}, rules: [${rule('create', 'clusterrolebindings', RBAC)}, ${rule('bind', 'clusterroles', RBAC)}]}
---
{kind: ClusterRoleBinding, metadata: {name: eves}, roleRef: {kind: ClusterRole, name: eves}, subjects: [{kind: User, name: eve}]}
`) as KubeObject[];
  assert.equal(pathsIn(worldOf(objects, false), ({ name }) => name === 'eve').map(told), ['cluster-admin: bind']);
});

test.run();
