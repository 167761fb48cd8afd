import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rolesWithFiles } from '../../src/access/built-in.ts';
import { pathsIn } from '../../src/access/paths/paths.ts';
import { worldOf } from '../../src/access/paths/world.ts';
import { accessIndex } from '../../src/access/rights.ts';
import { requesterOf } from '../../src/access/subjects.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { rule } from '../support/builders/eve.ts';

// Judges files without a cluster. The built-in roles complete the roles in the files. Expected answers come from the documentation
// ("Using RBAC Authorization": default roles) and from `kubectl get clusterroles` of Kubernetes 1.36.

const test = suite('roles that every cluster has');

const objectsIn = (...documents: string[]): KubeObject[] => loadManifests(documents.join('\n---\n')) as KubeObject[];
const EVE = 'subjects: [{kind: User, name: eve}]';
const bound = (name: string, kind = 'ClusterRole'): string =>
  `{kind: ClusterRoleBinding, metadata: {name: eves-${name}}, roleRef: {kind: ${kind}, name: '${name}'}, ${EVE}}`;
const boundIn = (namespace: string, name: string, kind = 'ClusterRole'): string =>
  `{kind: RoleBinding, metadata: {name: eves-${name}, namespace: ${namespace}}, roleRef: {kind: ${kind}, name: '${name}'}, ${EVE}}`;
const BASELINE = '{kind: Namespace, metadata: {name: shop, labels: {pod-security.kubernetes.io/enforce: baseline}}}';
const CHIEF = `{kind: ClusterRoleBinding, metadata: {name: chiefs}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: chief, namespace: shop}]}`;
const FULL = "{kind: ResourceQuota, metadata: {name: none, namespace: shop}, status: {hard: {pods: '0'}, used: {pods: '0'}}}";
const POD =
  '{kind: Pod, metadata: {name: web, namespace: shop}, spec: {serviceAccountName: chief, nodeName: node-1, containers: [{name: app}]}}';

/** What eve reaches, with the number of steps. */
const ofEve = (documents: string[]): string[] =>
  pathsIn(worldOf(objectsIn(...documents), false), ({ name }) => name === 'eve')
    .map(({ target, steps }) => `${target.kind}${target.kind === 'secrets' ? ` ${target.namespace}` : ''} ${steps.length}`)
    .toSorted();

const CASES: [what: string, files: string[], expected: string[]][] = [
  ['view in one namespace', [boundIn('shop', 'view')], []],
  ['view everywhere', [bound('view'), CHIEF, POD], []],
  // The role `edit` reads the Secrets of the namespace without any path.
  ['edit in one namespace makes pods', [boundIn('shop', 'edit')], ['node 1']],
  ['edit in one namespace where pods may not be privileged', [boundIn('shop', 'edit'), BASELINE], []],
  ['edit takes the accounts of its namespace', [boundIn('shop', 'edit'), BASELINE, CHIEF], ['cluster-admin 1']],
  ['edit needs no pod for that', [boundIn('shop', 'edit'), BASELINE, CHIEF, FULL], ['cluster-admin 1']],
  ['edit takes no account of another namespace', [boundIn('web', 'edit'), CHIEF, BASELINE], ['node 1']],
  [
    'edit takes the account that every namespace has',
    [
      boundIn('shop', 'edit'),
      BASELINE,
      "{kind: ClusterRoleBinding, metadata: {name: all}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: Group, name: 'system:serviceaccounts:shop'}]}",
    ],
    ['cluster-admin 1'],
  ],
  // The account of the controller that aggregates ClusterRoles has the verb `escalate`.
  ['edit everywhere takes the accounts of controllers', [bound('edit')], ['cluster-admin 2', 'node 1']],
  ['admin everywhere does as well', [bound('admin')], ['cluster-admin 2', 'node 1']],
  ['edit in kube-system', [boundIn('kube-system', 'edit')], ['cluster-admin 2', 'node 1', 'secrets * 1']],
  // `admin` writes roles, but only with rights that it holds. It changes no quota and no label of a namespace.
  ['admin in one namespace', [boundIn('shop', 'admin'), BASELINE, FULL], []],
  ['cluster-admin in one namespace', [boundIn('shop', 'cluster-admin')], ['node 1']],
  [
    'a Role called admin is another one',
    [boundIn('shop', 'admin', 'Role'), `{kind: Role, metadata: {name: admin, namespace: shop}, rules: [${rule('get', 'pods')}]}`, CHIEF],
    [],
  ],
  ['a Role called edit is not there', [boundIn('shop', 'edit', 'Role'), CHIEF], []],
  ['a ClusterRole that is not there', [bound('editor'), CHIEF], []],
  [
    "a file's own edit stands in the place of the other",
    [boundIn('shop', 'edit'), CHIEF, `{kind: ClusterRole, metadata: {name: edit}, rules: [${rule('get', 'pods')}]}`],
    [],
  ],
  [
    'a role of a file that view aggregates',
    [
      boundIn('shop', 'view'),
      `{kind: ClusterRole, metadata: {name: more, labels: {rbac.authorization.k8s.io/aggregate-to-view: 'true'}}, rules: [${rule('create', 'pods')}]}`,
    ],
    ['node 1', 'secrets shop 1'],
  ],
  ['system:node makes tokens', [bound('system:node')], ['cluster-admin 2', 'node 1']],
  ['system:kube-scheduler places pods and makes none', [bound('system:kube-scheduler'), CHIEF, POD], []],
  ['system:kube-controller-manager makes tokens', [bound('system:kube-controller-manager')], ['cluster-admin 2']],
  ['system:auth-delegator asks about others', [bound('system:auth-delegator'), CHIEF], []],
  ['system:kubelet-api-admin enters pods', [bound('system:kubelet-api-admin'), CHIEF, POD], ['cluster-admin 1']],
  ['system:kubelet-api-admin where no pod is', [bound('system:kubelet-api-admin'), CHIEF], []],
  ['system:node-bootstrapper alone is approved by nobody', [bound('system:node-bootstrapper')], []],
  [
    'a node that joins',
    [bound('system:node-bootstrapper'), bound('system:certificates.k8s.io:certificatesigningrequests:nodeclient')],
    ['node 1'],
  ],
  ['a volume of a node under baseline', [bound('system:persistent-volume-provisioner'), boundIn('shop', 'edit'), BASELINE], ['node 1']],
  ['a controller that makes pods', [bound('system:controller:daemon-set-controller')], ['cluster-admin 2', 'node 1', 'secrets * 1']],
  ['the controller that aggregates roles', [bound('system:controller:clusterrole-aggregation-controller')], ['cluster-admin 1']],
];
for (const [what, files, expected] of CASES) test(what, () => assert.equal(ofEve(files), expected));

test('a binding in a file replaces the built-in binding of the same name', () => {
  const masters = (...documents: string[]): string[] =>
    rolesWithFiles(objectsIn(...documents))
      .clusterRoleBindings.filter(({ metadata }) => metadata.name === 'cluster-admin')
      .flatMap(({ subjects }) => (subjects ?? []).map(({ name }) => name));
  assert.equal(masters(), ['system:masters']);
  assert.equal(
    masters(`{kind: ClusterRoleBinding, metadata: {name: cluster-admin}, roleRef: {kind: ClusterRole, name: cluster-admin}, ${EVE}}`),
    ['eve'],
  );
});

test('a role in a file leaves the built-in role of the same name in another namespace', () => {
  const name = 'system:controller:token-cleaner';
  const { roles } = rolesWithFiles(objectsIn(`{kind: Role, metadata: {name: '${name}', namespace: shop}, rules: []}`));
  const namespaces = roles.filter(({ metadata }) => metadata.name === name).map(({ metadata }) => metadata.namespace ?? '');
  assert.equal(namespaces.toSorted(), ['kube-system', 'shop']);
});

test('every authenticated user may use discovery', () => {
  const index = accessIndex(rolesWithFiles([]));
  const ann = requesterOf({ kind: 'User', name: 'ann' });
  const may = (verb: string, path: string): boolean => index.decide(ann, { verb, path }).allowed;
  assert.equal([may('get', '/version'), may('get', '/apis'), may('get', '/metrics'), may('post', '/version')], [true, true, false, false]);
});

test('a new cluster has only the paths of its own components', () => {
  const own = pathsIn(worldOf([], false)).map(({ subject: { kind, name, namespace } }) => `${kind} ${namespace ?? ''} ${name}`);
  assert.ok(own.length > 0 && own.every((one) => /^ServiceAccount kube-system |^User  system:/.test(one)), own.join('\n'));
});

test.run();
