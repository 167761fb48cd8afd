import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aggregated, partsOf } from '../../src/access/aggregate.ts';
import { rbacObjectsOf, type RbacSubject } from '../../src/access/objects.ts';
import { accessIndex, type Grant } from '../../src/access/rights.ts';
import type { AccessRequest } from '../../src/access/rules.ts';
import { requesterOf } from '../../src/access/subjects.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';

// Expected answers come from the Kubernetes documentation, "Using RBAC Authorization". api-server.test.ts compares with a real server.

const CLUSTER = `
{kind: ClusterRole, metadata: {name: reader}, rules: [{apiGroups: [''], resources: [pods, configmaps], verbs: [get, list]}]}
---
{kind: ClusterRole, metadata: {name: logs}, rules: [{apiGroups: [''], resources: [pods/log], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: scaler}, rules: [{apiGroups: ['*'], resources: ['*/scale'], verbs: [update]}]}
---
{kind: ClusterRole, metadata: {name: all}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
---
{kind: ClusterRole, metadata: {name: probes}, rules: [{nonResourceURLs: [/healthz, '/metrics/*'], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: empty}, rules: null}
---
{kind: Role, metadata: {name: one-map, namespace: shop}, rules: [{apiGroups: [''], resources: [configmaps], resourceNames: [prices], verbs: [get, update, create]}]}
---
{kind: Role, metadata: {name: one-map, namespace: bank}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
---
{kind: Role, metadata: {name: deployer, namespace: shop}, rules: [{apiGroups: [apps], resources: [deployments], verbs: [create]}]}
---
kind: RoleBinding
metadata: {name: readers, namespace: shop}
roleRef: {kind: ClusterRole, name: reader}
subjects: [{kind: User, name: ann}, {kind: ServiceAccount, name: web}, {kind: Group, name: 'system:serviceaccounts:bank'}]
---
kind: RoleBinding
metadata: {name: prices, namespace: shop}
roleRef: {kind: Role, name: one-map}
subjects: [{kind: User, name: bob}, {kind: User, name: 'system:serviceaccount:shop:till'}]
---
kind: RoleBinding
metadata: {name: gone, namespace: shop}
roleRef: {kind: Role, name: not-there}
subjects: [{kind: User, name: ann}]
---
kind: RoleBinding
metadata: {name: deployers, namespace: bank}
roleRef: {kind: Role, name: deployer}
subjects: [{kind: User, name: dan}]
---
{kind: RoleBinding, metadata: {name: probes, namespace: shop}, roleRef: {kind: ClusterRole, name: probes}, subjects: [{kind: User, name: ann}]}
---
kind: ClusterRoleBinding
metadata: {name: logs}
roleRef: {kind: ClusterRole, name: logs}
subjects: [{kind: Group, name: 'system:serviceaccounts'}]
---
{kind: ClusterRoleBinding, metadata: {name: probes}, roleRef: {kind: ClusterRole, name: probes}, subjects: [{kind: Group, name: 'system:unauthenticated'}]}
---
{kind: ClusterRoleBinding, metadata: {name: scalers}, roleRef: {kind: ClusterRole, name: scaler}, subjects: [{kind: User, name: eve}, {kind: ServiceAccount, name: web}]}
---
{kind: ClusterRoleBinding, metadata: {name: admins}, roleRef: {kind: ClusterRole, name: all}, subjects: [{kind: Group, name: admins}]}
---
{kind: ClusterRoleBinding, metadata: {name: a-role}, roleRef: {kind: Role, name: one-map}, subjects: [{kind: User, name: fay}]}
---
{kind: ClusterRoleBinding, metadata: {name: nobody}, roleRef: {kind: ClusterRole, name: all}, subjects: null}
---
{kind: ClusterRoleBinding, metadata: {name: empty}, roleRef: {kind: ClusterRole, name: empty}, subjects: [{kind: User, name: ann}]}
---
{kind: RoleBinding, apiVersion: example.org/v1, metadata: {name: other, namespace: shop}, roleRef: {kind: ClusterRole, name: all}, subjects: [{kind: User, name: zoe}]}
`;
const objects = rbacObjectsOf(loadManifests(CLUSTER) as KubeObject[]);
const index = accessIndex(objects);

const user = (name: string): RbacSubject => ({ kind: 'User', name });
const group = (name: string): RbacSubject => ({ kind: 'Group', name });
const account = (namespace: string, name: string): RbacSubject => ({ kind: 'ServiceAccount', namespace, name });

/** Parses `get apps/deployments/scale web in shop`, or `get /healthz`. */
function request(text: string): AccessRequest {
  const [, verb = '', what = '', name, namespace] = /^(\S+) (\S+?)(?: (?!in )(\S+))?(?: in (\S+))?$/.exec(text) ?? [];
  if (what.startsWith('/')) return { verb, path: what };
  const [first = '', second = '', third] = what.split('/');
  const isGrouped = first === '' || first === 'apps' || first === 'batch';
  const [groupName, resource, subresource] = isGrouped ? [first, second, third] : ['', first, second || undefined];
  return { verb, group: groupName, resource, subresource, name, namespace };
}

const rights = suite('who may do what');

const CASES: [sentence: string, subject: RbacSubject, asked: string, through: string[]][] = [
  ['a RoleBinding to a ClusterRole applies in its namespace', user('ann'), 'get pods web-1 in shop', ['readers']],
  ['and in no other', user('ann'), 'get pods web-1 in bank', []],
  ['and not to the whole cluster', user('ann'), 'list pods', []],
  ['a name that is almost the same is somebody else', user('anna'), 'get pods in shop', []],
  ['names differ by case', user('Ann'), 'get pods in shop', []],
  ['a group is not the user of the same name', group('ann'), 'get pods in shop', []],
  ['another verb is another right', user('ann'), 'watch pods in shop', []],
  ['another API group is another resource', user('ann'), 'get apps/pods in shop', []],
  ['a resource covers none of its subresources', user('ann'), 'get pods/log web-1 in shop', []],
  ['a ServiceAccount without a namespace is the binding’s', account('shop', 'web'), 'get pods in shop', ['readers']],
  ['the same name in another namespace is another account', account('blog', 'web'), 'get pods in shop', []],
  ['accounts of a namespace are in its group', account('bank', 'teller'), 'get pods in shop', ['readers']],
  ['a namespace that begins alike has another group', account('bank-test', 'teller'), 'get pods in shop', []],
  ['the account as a user name is the same account', user('system:serviceaccount:shop:web'), 'get pods in shop', ['readers']],
  ['a User may name an account', account('shop', 'till'), 'get configmaps prices in shop', ['prices']],
  ['all accounts are in system:serviceaccounts', account('new', 'new'), 'get pods/log a in new', ['logs']],
  ['a user name that only looks like an account is not in them', user('system:serviceaccount:new'), 'get pods/log a in new', []],
  [
    'in a ClusterRoleBinding, an account without a namespace matches nobody',
    account('default', 'web'),
    'update apps/deployments/scale web in shop',
    [],
  ],
  ['a role finds the Role in its own namespace, not the one named alike', user('bob'), 'delete configmaps prices in shop', []],
  ['a rule with names applies to these names', user('bob'), 'get configmaps prices in shop', ['prices']],
  ['for no other', user('bob'), 'get configmaps prices-2 in shop', []],
  ['not to all objects', user('bob'), 'get configmaps in shop', []],
  ['and not to create, because the name is not known yet', user('bob'), 'create configmaps in shop', []],
  ['a Role of another namespace is not found', user('dan'), 'create apps/deployments in shop', []],
  ['not even where the binding is', user('dan'), 'create apps/deployments in bank', []],
  ['a ClusterRoleBinding finds no Roles', user('fay'), 'get configmaps prices in shop', []],
  ['a star before a subresource stands for any resource', user('eve'), 'update apps/deployments/scale web in shop', ['scalers']],
  ['but for this subresource only', user('eve'), 'update apps/deployments/status web in shop', []],
  ['and not for the resource itself', user('eve'), 'update apps/deployments web in shop', []],
  ['stars allow everything', group('admins'), 'approve batch/jobs/anything x in y', ['admins']],
  ['but no paths', group('admins'), 'get /healthz', []],
  ['a path is allowed as it is', user('system:anonymous'), 'get /healthz', ['probes']],
  ['not what begins like it', user('system:anonymous'), 'get /healthz/etcd', []],
  ['a star at the end stands for the rest', user('system:anonymous'), 'get /metrics/cadvisor', ['probes']],
  ['also for an empty rest', user('system:anonymous'), 'get /metrics/', ['probes']],
  ['not for the path without its slash', user('system:anonymous'), 'get /metrics', []],
  ['who has logged in is not system:unauthenticated', user('ann'), 'get /healthz', []],
  ['a RoleBinding allows no path', user('ann'), 'get /metrics/x', []],
  ['a kind of the same name in another API group is none of these', user('zoe'), 'get pods in shop', []],
];
for (const [sentence, subject, asked, through] of CASES)
  rights(`${sentence}: ${subject.kind} ${subject.name}, ${asked}`, () => {
    const { allowed, by } = index.decide(requesterOf(subject), request(asked));
    assert.equal(bindingsOf(by), through);
    assert.is(allowed, through.length > 0);
  });

function bindingsOf(grants: Grant[]): string[] {
  return [...new Set(grants.map(({ bound }) => bound.binding.metadata.name ?? ''))];
}

rights('system:masters may do everything, without any binding', () => {
  const decision = index.decide(requesterOf(user('root'), ['system:masters']), request('delete nodes n1'));
  assert.equal({ ...decision, by: decision.by.length }, { allowed: true, isMaster: true, by: 0 });
  assert.is(index.decide(requesterOf(user('system:masters')), request('delete nodes n1')).allowed, false, 'a user of that name');
});

rights('groups from the identity provider count', () => {
  assert.ok(index.decide(requesterOf(user('kim'), ['admins']), request('delete nodes n1')).allowed);
  assert.not(index.decide(requesterOf(user('kim'), ['admin']), request('delete nodes n1')).allowed);
});

const WHO: [asked: string, who: string[]][] = [
  ['get pods in shop', ['system:masters', 'admins', 'ann', 'web@shop', 'system:serviceaccounts:bank']],
  ['get pods in bank', ['system:masters', 'admins']],
  ['get configmaps prices in shop', ['system:masters', 'admins', 'ann', 'web@shop', 'system:serviceaccounts:bank', 'bob', 'till@shop']],
  ['get /healthz', ['system:masters', 'system:unauthenticated']],
  ['create apps/deployments in shop', ['system:masters', 'admins']],
];
for (const [asked, who] of WHO)
  rights(`who can ${asked}`, () => {
    const holders = index
      .whoCan(request(asked))
      .map(({ subject }) => (subject.namespace ? `${subject.name}@${subject.namespace}` : subject.name));
    assert.equal(holders.sort(), [...who].sort());
  });

rights('who can and decide agree for every subject and every request of these tables', () => {
  const asked = [...new Set([...CASES.map(([, , one]) => one), ...WHO.map(([one]) => one)])].map(request);
  for (const one of asked) {
    const holders = new Set(index.whoCan(one).map(({ subject }) => JSON.stringify([subject.kind, subject.namespace ?? '', subject.name])));
    for (const [, subject] of CASES) {
      const { by } = index.decide(requesterOf(subject), one);
      for (const grant of by)
        assert.ok(holders.has(JSON.stringify([grant.subject.kind, grant.subject.namespace ?? '', grant.subject.name])));
    }
  }
});

rights('every rule of a subject comes with its binding', () => {
  const told = index.grantsOf(requesterOf(account('shop', 'web'))).map(({ bound, rule }) => [bound.binding.metadata.name, rule.resources]);
  assert.equal(told, [
    ['readers', ['pods', 'configmaps']],
    ['logs', ['pods/log']],
  ]);
});

const AGGREGATION = `
kind: ClusterRole
metadata: {name: view}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {to-view: 'true'}}]}
rules: [{apiGroups: [''], resources: [secrets], verbs: [get]}]
---
kind: ClusterRole
metadata: {name: edit, labels: {to-admin: 'true'}}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {to-edit: 'true'}}, {matchExpressions: [{key: to-view, operator: Exists}]}]}
---
kind: ClusterRole
metadata: {name: admin, labels: {to-edit: 'true'}}
aggregationRule: {clusterRoleSelectors: [{matchLabels: {to-admin: 'true'}}]}
---
{kind: ClusterRole, metadata: {name: pods, labels: {to-view: 'true'}}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: jobs, labels: {to-edit: 'true'}}, rules: [{apiGroups: [batch], resources: [jobs], verbs: [create]}]}
---
{kind: ClusterRole, metadata: {name: near, labels: {to-view: 'yes'}}, rules: [{apiGroups: [''], resources: [nodes], verbs: [get]}]}
`;

rights('an aggregated ClusterRole has the rules of the roles that it selects, also indirectly, and no rules of its own', () => {
  const { clusterRoles } = rbacObjectsOf(loadManifests(AGGREGATION) as KubeObject[]);
  const resources = Object.fromEntries(
    aggregated(clusterRoles).map(({ metadata, rules }) => [metadata.name, (rules ?? []).flatMap((rule) => rule.resources ?? []).sort()]),
  );
  assert.equal(resources, {
    view: ['pods'],
    edit: ['jobs', 'nodes', 'pods'],
    admin: ['jobs', 'nodes', 'pods'],
    pods: ['pods'],
    jobs: ['jobs'],
    near: ['nodes'],
  });
  const view = clusterRoles.find(({ metadata }) => metadata.name === 'view')!;
  assert.equal(
    partsOf(view, clusterRoles).map(({ metadata }) => metadata.name),
    ['pods'],
  );
});

rights('roles and bindings are sorted by their kind; a kind of another API group is none of them', () => {
  const of = (kind: string, apiVersion?: string) =>
    ({ kind, metadata: { name: 'x' }, ...(apiVersion ? { apiVersion } : {}) }) as KubeObject;
  const RBAC = 'rbac.authorization.k8s.io/v1';
  const kinds = ['ClusterRole', 'Role', 'ClusterRoleBinding', 'RoleBinding'];
  const sorted = rbacObjectsOf([...kinds.flatMap((kind) => [of(kind), of(kind, RBAC), of(kind, 'example.org/v1')]), of('Pod')]);
  const lists: KubeObject[][] = [sorted.clusterRoles, sorted.roles, sorted.clusterRoleBindings, sorted.roleBindings];
  assert.equal(
    lists.map((list) => list.map(({ kind, apiVersion }) => `${kind} ${apiVersion}`)),
    kinds.map((kind) => [`${kind} undefined`, `${kind} ${RBAC}`]),
  );
});

const GARBAGE: [string, KubeObject[]][] = [
  ['nothing', []],
  ['a binding without a roleRef', [{ kind: 'RoleBinding', metadata: { name: 'x', namespace: 'shop' } }]],
  [
    'lists that hold no mappings',
    [
      { kind: 'ClusterRole', metadata: { name: 'x' }, rules: [null, 'all', 3] } as never,
      {
        kind: 'ClusterRoleBinding',
        metadata: { name: 'x' },
        roleRef: { kind: 'ClusterRole', name: 'x' },
        subjects: [null, 'ann', {}],
      } as never,
    ],
  ],
  [
    'rules whose fields are no lists',
    [
      { kind: 'ClusterRole', metadata: { name: 'x' }, rules: [{ verbs: '*', resources: { a: 1 }, apiGroups: 7 }] } as never,
      {
        kind: 'ClusterRoleBinding',
        metadata: { name: 'x' },
        roleRef: { kind: 'ClusterRole', name: 'x' },
        subjects: [{ kind: 'User', name: 'ann' }],
      } as never,
    ],
  ],
];
for (const [what, given] of GARBAGE)
  rights(`${what} grants nothing`, () => {
    const one = accessIndex(rbacObjectsOf(given));
    assert.is(one.decide(requesterOf(user('ann')), request('get pods in shop')).allowed, false);
    assert.is(one.whoCan(request('get pods in shop')).length, 1);
  });

rights.run();
