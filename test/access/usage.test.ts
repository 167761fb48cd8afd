import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { requestOf } from '../../src/access/asked-right.ts';
import { auditUse } from '../../src/access/audit-event.ts';
import { rbacObjectsOf } from '../../src/access/objects.ts';
import { usageCounter } from '../../src/access/usage.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';

const test = suite('which rights requests use');

const EVENT = {
  kind: 'Event',
  verb: 'get',
  user: { username: 'ann', groups: ['dev', 5] },
  objectRef: { apiGroup: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'shop', name: 'web' },
  requestReceivedTimestamp: '2026-05-01T10:00:00.000000Z',
};
const WHO = { user: 'ann', groups: ['dev'] };
const REQUEST = { verb: 'get', group: 'apps', resource: 'deployments', subresource: 'scale', namespace: 'shop', name: 'web' };
const AT = new Date('2026-05-01T10:00:00Z');
const account = (name: string) => ({ impersonatedUser: { username: name, groups: ['g'] } });
const actor = (name: string) => ({ who: { user: name, groups: ['g'] }, request: REQUEST });

const EVENTS: [what: string, event: unknown, use: ReturnType<typeof auditUse>][] = [
  ['a request for an object', EVENT, { uses: [{ who: WHO, request: REQUEST }], at: AT }],
  [
    'a request without most fields',
    { kind: 'Event', verb: 'list', user: { username: 'ann' }, objectRef: { resource: 'pods', subresource: '', namespace: '', name: '' } },
    {
      uses: [
        {
          who: { user: 'ann', groups: [] },
          request: { verb: 'list', group: '', resource: 'pods', subresource: undefined, namespace: undefined, name: undefined },
        },
      ],
      at: undefined,
    },
  ],
  [
    'a request for a path, without its parameters',
    { ...EVENT, objectRef: undefined, requestURI: '/healthz?verbose' },
    { uses: [{ who: WHO, request: { verb: 'get', path: '/healthz' } }], at: AT },
  ],
  ['a forbidden request', { ...EVENT, annotations: { 'authorization.k8s.io/decision': 'forbid' } }, { uses: [], at: AT }],
  [
    'an allowed one',
    { ...EVENT, annotations: { 'authorization.k8s.io/decision': 'allow' } },
    { uses: [{ who: WHO, request: REQUEST }], at: AT },
  ],
  [
    'impersonation of a user',
    { ...EVENT, ...account('bob') },
    { uses: [{ who: WHO, request: { verb: 'impersonate', group: '', resource: 'users', name: 'bob' } }, actor('bob')], at: AT },
  ],
  [
    'impersonation of an account',
    { ...EVENT, ...account('system:serviceaccount:shop:bot') },
    {
      uses: [
        { who: WHO, request: { verb: 'impersonate', group: '', resource: 'serviceaccounts', namespace: 'shop', name: 'bot' } },
        actor('system:serviceaccount:shop:bot'),
      ],
      at: AT,
    },
  ],
  ['another kind', { ...EVENT, kind: 'Pod' }, undefined],
  ['no verb', { ...EVENT, verb: 5 }, undefined],
  ['no user', { ...EVENT, user: {} }, undefined],
  ['nothing', null, undefined],
  ['a text', 'Event', undefined],
];
for (const [what, event, use] of EVENTS) test(`an audit event: ${what}`, () => assert.equal(auditUse(event), use));

const ASKED: [what: string, asked: Parameters<typeof requestOf>[0], request: ReturnType<typeof requestOf>][] = [
  [
    'a core resource',
    { verb: 'get', resource: 'pods' },
    { verb: 'get', group: '', resource: 'pods', subresource: undefined, name: undefined, namespace: undefined },
  ],
  [
    'a grouped one with a subresource',
    { verb: 'update', resource: 'deployments.apps/scale', name: 'web', namespace: 'shop' },
    { verb: 'update', group: 'apps', resource: 'deployments', subresource: 'scale', name: 'web', namespace: 'shop' },
  ],
  [
    'a group with dots',
    { verb: 'bind', resource: 'roles.rbac.authorization.k8s.io' },
    { verb: 'bind', group: 'rbac.authorization.k8s.io', resource: 'roles', subresource: undefined, name: undefined, namespace: undefined },
  ],
  ['a path', { verb: 'get', path: '/healthz' }, { verb: 'get', path: '/healthz' }],
  ['both', { verb: 'get', path: '/healthz', resource: 'pods' }, undefined],
  ['neither', { verb: 'get' }, undefined],
];
for (const [what, asked, request] of ASKED) test(`a question about ${what}`, () => assert.equal(requestOf(asked), request));

const OBJECTS = rbacObjectsOf(
  loadManifests(`
{kind: Role, metadata: {name: keeper, namespace: shop}, rules: [{apiGroups: ['', apps], resources: [pods, scales], verbs: [get, list]}, {apiGroups: [''], resources: [configmaps], verbs: [get], resourceNames: [a, b]}]}
---
{kind: Role, metadata: {name: keeper, namespace: bank}, rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: paths}, rules: [{nonResourceURLs: [/healthz, /livez], verbs: [get]}, {apiGroups: [''], resources: [pods], verbs: [get]}]}
---
{kind: ClusterRole, metadata: {name: sum}, aggregationRule: {clusterRoleSelectors: [{matchLabels: {part: 'yes'}}]}}
---
{kind: ClusterRole, metadata: {name: part, labels: {part: 'yes'}}, rules: [{apiGroups: [''], resources: [nodes], verbs: [get]}]}
---
{kind: RoleBinding, metadata: {name: keepers, namespace: shop}, roleRef: {kind: Role, name: keeper}, subjects: [{kind: User, name: ann}, {kind: Group, name: dev}, {kind: ServiceAccount, name: bot}]}
---
{kind: RoleBinding, metadata: {name: lost, namespace: shop}, roleRef: {kind: Role, name: gone}, subjects: [{kind: User, name: ann}]}
---
{kind: RoleBinding, metadata: {name: inside, namespace: shop}, roleRef: {kind: ClusterRole, name: paths}, subjects: [{kind: User, name: ann}]}
---
{kind: ClusterRoleBinding, metadata: {name: everywhere}, roleRef: {kind: ClusterRole, name: paths}, subjects: [{kind: User, name: ann}]}
---
{kind: ClusterRoleBinding, metadata: {name: sums}, roleRef: {kind: ClusterRole, name: sum}, subjects: [{kind: User, name: ann}]}
`) as KubeObject[],
);
const PODS = { verb: 'get', group: '', resource: 'pods', namespace: 'shop' };
const used = (name: string, ...uses: [user: string, request: object, groups?: string[]][]) => {
  const counter = usageCounter(OBJECTS);
  for (const [user, request, groups = []] of uses) counter.count({ who: { user, groups }, request: request as never });
  const binding = [...OBJECTS.clusterRoleBindings, ...OBJECTS.roleBindings].find(({ metadata }) => metadata.name === name);
  return counter.of(binding as never);
};
const KEEPER = [
  'get pods',
  'get scales',
  'get pods.apps',
  'get scales.apps',
  'list pods',
  'list scales',
  'list pods.apps',
  'list scales.apps',
  'get configmaps a, b',
];
const USED: [what: string, name: string, uses: Parameters<typeof used>[1][], used: string[] | undefined][] = [
  ['nobody asked', 'keepers', [], []],
  ['a user', 'keepers', [['ann', PODS]], ['get pods']],
  ['a member of a group', 'keepers', [['bob', { ...PODS, verb: 'list' }, ['dev']]], ['list pods']],
  ['an account of the binding’s namespace', 'keepers', [['system:serviceaccount:shop:bot', PODS]], ['get pods']],
  ['somebody else', 'keepers', [['bob', PODS]], []],
  ['another namespace', 'keepers', [['ann', { ...PODS, namespace: 'bank' }]], []],
  ['one of the names', 'keepers', [['ann', { ...PODS, resource: 'configmaps', name: 'b' }]], ['get configmaps a, b']],
  ['another name', 'keepers', [['ann', { ...PODS, resource: 'configmaps', name: 'c' }]], []],
  ['a path by a ClusterRoleBinding', 'everywhere', [['ann', { verb: 'get', path: '/livez' }]], ['get /livez']],
  ['a path by a RoleBinding', 'inside', [['ann', { verb: 'get', path: '/livez' }]], []],
  ['what an aggregated role collects', 'sums', [['ann', { ...PODS, resource: 'nodes', namespace: undefined }]], ['get nodes']],
  ['a binding of a role that is not known', 'lost', [['ann', PODS]], undefined],
];
for (const [what, name, uses, rights] of USED) test(`${name}: ${what}`, () => assert.equal(used(name, ...uses)?.used, rights));

test('the others are unused, each once and in the order of the rules', () => {
  assert.equal(used('keepers')?.unused, KEEPER);
  assert.equal(used('keepers', ['ann', PODS], ['ann', PODS])?.unused, KEEPER.slice(1));
  assert.equal(used('inside')?.unused, ['get /healthz', 'get /livez', 'get pods']);
});

test.run();
