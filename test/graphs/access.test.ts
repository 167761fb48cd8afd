import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { rbacObjectsOf } from '../../src/access/objects.ts';
import type { Graph } from '../../src/contract/graph.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { accountNamespacesOf, drawRole, listRoles, permissionsOf, type RoleName, withoutNamespaces } from '../../src/graphs/access.ts';
import { itemsOf, podYaml } from '../support/builders/graph.ts';

const CLUSTER = `
{kind: Role, metadata: {name: reader, namespace: shop}, rules: [{apiGroups: ['', apps], resources: [pods, deployments], verbs: [get, list]}, {apiGroups: [''], resources: [pods], resourceNames: [web], verbs: [delete]}]}
---
{kind: Role, metadata: {name: reader, namespace: blog}, rules: [{apiGroups: [''], resources: [secrets], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: view}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {to-view: 'true'}}]}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: pods, labels: {to-view: 'true'}}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}, {nonResourceURLs: [/healthz], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: reader}, rules: []}
---
{kind: ClusterRole, metadata: {name: keeper}, rules: [{apiGroups: [''], resources: [namespaces], resourceNames: [vault], verbs: [delete]}]}
---
kind: RoleBinding
metadata: {name: readers, namespace: shop}
roleRef: {kind: Role, name: reader}
subjects: [{kind: User, name: ann}, {kind: Group, name: dev}, {kind: ServiceAccount, name: default}, {kind: ServiceAccount, name: gone, namespace: blog}]
---
{kind: RoleBinding, metadata: {name: readers, namespace: blog}, roleRef: {kind: Role, name: reader}, subjects: [{kind: User, name: eve}]}
---
{kind: RoleBinding, metadata: {name: others, namespace: shop}, roleRef: {kind: ClusterRole, name: reader}, subjects: [{kind: User, name: eve}]}
---
{kind: RoleBinding, metadata: {name: viewers, namespace: blog}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: bob}]}
---
{kind: RoleBinding, metadata: {name: viewers, namespace: vault}, roleRef: {kind: ClusterRole, name: view}, subjects: [{kind: User, name: mallory}]}
---
kind: ClusterRoleBinding
metadata: {name: viewers}
roleRef: {kind: ClusterRole, name: view}
subjects: [{kind: ServiceAccount, name: default, namespace: vault}, {kind: Group, name: 'system:serviceaccounts:vault'}, {kind: User, name: 'system:serviceaccount:vault:x'}, {kind: ServiceAccount, name: default, namespace: shop}]
`;
const objects = rbacObjectsOf(loadManifests(CLUSTER) as KubeObject[]);
const shown = withoutNamespaces(objects, (namespace) => namespace === 'vault');
const pods = itemsOf(`${podYaml('web')}\n---\n${podYaml('other', { spec: 'serviceAccountName: bot' })}`);
const draw = (role: RoleName) => drawRole(role, { objects: shown, hasAccount: (_namespace, name) => name === 'default', pods });
const idsOf = (graph: Graph | undefined): string[] => (graph?.nodes ?? []).map(({ id }) => id).sort();
const edgesOf = (graph: Graph | undefined): string[] =>
  (graph?.edges ?? []).map(({ source, kind, target }) => `${source} ${kind} ${target}`).sort();

const access = suite('graphs of access rights');

access('a Role has its permissions, its bindings, their subjects and the pods that run as them', () => {
  const graph = draw({ namespace: 'shop', name: 'reader' });
  assert.equal(idsOf(graph), [
    'Permission/shop/deployments',
    'Permission/shop/deployments.apps',
    'Permission/shop/pods',
    'Permission/shop/pods.apps',
    'Pod/shop/web',
    'Role/shop/reader',
    'RoleBinding/shop/readers',
    'Subject:Group/cluster-wide/dev',
    'Subject:ServiceAccount/blog/gone',
    'Subject:ServiceAccount/shop/default',
    'Subject:User/cluster-wide/ann',
  ]);
  assert.equal(
    edgesOf(graph).filter((one) => !one.includes(' grants ')),
    [
      'Pod/shop/web runs-as Subject:ServiceAccount/shop/default',
      'RoleBinding/shop/readers refers-to Role/shop/reader',
      'Subject:Group/cluster-wide/dev bound-by RoleBinding/shop/readers',
      'Subject:ServiceAccount/blog/gone bound-by RoleBinding/shop/readers',
      'Subject:ServiceAccount/shop/default bound-by RoleBinding/shop/readers',
      'Subject:User/cluster-wide/ann bound-by RoleBinding/shop/readers',
    ],
  );
});

access('a permission holds all verbs and names of its resource', () => {
  const graph = draw({ namespace: 'shop', name: 'reader' });
  const metadataOf = (id: string) => graph?.nodes.find((node) => node.id === id)?.metadata;
  assert.equal(metadataOf('Permission/shop/deployments.apps'), {
    apiGroup: 'apps',
    resource: 'deployments',
    verbs: ['get', 'list'],
    resourceNames: [],
  });
  assert.equal(metadataOf('Permission/shop/pods'), {
    apiGroup: '',
    resource: 'pods',
    verbs: ['get', 'list', 'delete'],
    // Get and list apply to every pod, so the permission as a whole is not restricted to names.
    resourceNames: [],
    rules: [
      { verbs: ['get', 'list'], resourceNames: [] },
      { verbs: ['delete'], resourceNames: ['web'] },
    ],
  });
});

access('a ServiceAccount that does not exist is missing; the status of people is unknown', () => {
  const graph = draw({ namespace: 'shop', name: 'reader' });
  const statusOf = (id: string) => graph?.nodes.find((node) => node.id === id)?.status;
  assert.is(statusOf('Subject:ServiceAccount/blog/gone'), 'missing');
  assert.is(statusOf('Subject:ServiceAccount/shop/default'), 'healthy');
  assert.is(statusOf('Subject:User/cluster-wide/ann'), 'unknown');
  const blind = drawRole({ namespace: 'shop', name: 'reader' }, { objects: shown, hasAccount: () => undefined, pods });
  assert.is(blind?.nodes.find(({ id }) => id === 'Subject:ServiceAccount/blog/gone')?.status, 'unknown');
});

access('a ClusterRole has bindings of both kinds, says where they apply, and what it aggregates', () => {
  const graph = draw({ name: 'view' });
  assert.equal(idsOf(graph), [
    'ClusterRole/cluster-wide/pods',
    'ClusterRole/cluster-wide/view',
    'ClusterRoleBinding/cluster-wide/viewers',
    'Permission/cluster-wide/pods',
    'Pod/shop/web',
    'RoleBinding/blog/viewers',
    'Subject:ServiceAccount/shop/default',
    'Subject:User/cluster-wide/bob',
  ]);
  assert.ok(edgesOf(graph).includes('ClusterRole/cluster-wide/view aggregates ClusterRole/cluster-wide/pods'));
  const holdsIn = (id: string) => graph?.nodes.find((node) => node.id === id)?.metadata?.['holds_in'];
  assert.equal([holdsIn('RoleBinding/blog/viewers'), holdsIn('ClusterRoleBinding/cluster-wide/viewers')], ['blog', '*']);
});

access('an aggregated ClusterRole shows which role aggregates it', () => {
  assert.ok(edgesOf(draw({ name: 'pods' })).includes('ClusterRole/cluster-wide/view aggregates ClusterRole/cluster-wide/pods'));
});

access('a path is a permission too', () => {
  const path = draw({ name: 'pods' })?.nodes.find(({ id }) => id === 'Permission/cluster-wide//healthz');
  assert.equal(path?.metadata, { nonResourceURL: '/healthz', verbs: ['get'], resourceNames: [] });
});

access('a binding of the same name elsewhere, and a ClusterRole of the same name, are not mixed up', () => {
  assert.not(idsOf(draw({ namespace: 'shop', name: 'reader' })).some((id) => /blog\/readers|User\/.*eve|others/.test(id)));
  assert.equal(idsOf(draw({ name: 'reader' })), [
    'ClusterRole/cluster-wide/reader',
    'RoleBinding/shop/others',
    'Subject:User/cluster-wide/eve',
  ]);
});

access('nothing of a hidden namespace is shown, in no graph and no list', () => {
  for (const { name } of listRoles(shown).cluster_roles) assert.not.match(JSON.stringify(draw({ name })), /vault|mallory/);
  assert.is(
    listRoles(shown).roles.some(({ namespace }) => namespace === 'vault'),
    false,
  );
});

access('a role that does not exist has no graph', () => {
  for (const role of [{ name: 'gone' }, { namespace: 'shop', name: 'view' }, { namespace: 'none', name: 'reader' }])
    assert.is(draw(role), undefined);
});

access('the namespaces whose pods matter are those of the accounts', () => {
  assert.equal(accountNamespacesOf({ namespace: 'shop', name: 'reader' }, shown), ['shop', 'blog']);
  assert.equal(accountNamespacesOf({ name: 'view' }, shown), ['shop']);
});

access('roles are listed by namespace and name', () => {
  assert.equal(listRoles(shown), {
    cluster_roles: [{ name: 'keeper' }, { name: 'pods' }, { name: 'reader' }, { name: 'view' }],
    roles: [
      { namespace: 'blog', name: 'reader' },
      { namespace: 'shop', name: 'reader' },
    ],
  });
});

access('malformed rules give no permissions', () => {
  assert.equal(
    permissionsOf([{}, { verbs: ['get'] }, { apiGroups: null, resources: ['pods'], verbs: ['get'] }, { apiGroups: 'x' } as never]),
    [],
  );
});

access.run();
