import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { type AuditEvent, compareRights, grantedRights, tellRight } from '../support/cluster/rights.ts';

const ROLES = `
kind: ClusterRole
metadata: {name: operator}
rules:
  - {apiGroups: [''], resources: [pods, pods/log], verbs: [get]}
  - {apiGroups: [podmend.dev], resources: [suppressions], verbs: [list, create]}
  - {apiGroups: [scheduling.k8s.io], resources: [priorityclasses], resourceNames: [podmend-mirror], verbs: [get]}
---
kind: ClusterRoleBinding
metadata: {name: operator}
roleRef: {kind: ClusterRole, name: operator}
subjects: [{kind: ServiceAccount, name: podmend-operator, namespace: podmend}, {kind: User, name: somebody}]
---
kind: Role
metadata: {name: operator, namespace: podmend}
rules:
  - {apiGroups: [podmend.dev], resources: [suppressions], verbs: [create, patch]}
  - {apiGroups: [coordination.k8s.io], resources: [leases], resourceNames: [podmend], verbs: [create]}
---
kind: RoleBinding
metadata: {name: operator, namespace: podmend}
roleRef: {kind: Role, name: operator}
subjects: [{kind: ServiceAccount, name: podmend-operator, namespace: podmend}]
`;
const rights = grantedRights(loadManifests(ROLES) as KubeObject[]);

const test = suite('rights');

test('each verb on each resource of each rule is one right, written as by kubectl', () => {
  assert.equal(rights.map(tellRight), [
    'podmend-operator: get pods',
    'podmend-operator: get pods/log',
    'podmend-operator: list suppressions.podmend.dev',
    'podmend-operator: create suppressions.podmend.dev',
    'podmend-operator: get priorityclasses.scheduling.k8s.io "podmend-mirror"',
    'podmend-operator: create suppressions.podmend.dev in podmend',
    'podmend-operator: patch suppressions.podmend.dev in podmend',
    'podmend-operator: create leases.coordination.k8s.io "podmend" in podmend',
  ]);
});

test('a binding to a role that is not there is an error', () => {
  const [, binding] = loadManifests(ROLES) as KubeObject[];
  assert.throws(() => grantedRights([binding!]), 'there is no ClusterRole operator');
});

interface Asked extends Partial<Omit<AuditEvent, 'objectRef'>> {
  of?: AuditEvent['objectRef'];
}
const operator = { username: 'system:serviceaccount:podmend:podmend-operator' };
const pods = { resource: 'pods', namespace: 'shop', name: 'web' };
const suppressions = { resource: 'suppressions', apiGroup: 'podmend.dev' };
const forbid = { 'authorization.k8s.io/decision': 'forbid' };
const anEvent = ({ of = pods, ...rest }: Asked): AuditEvent => ({
  verb: 'get',
  user: operator,
  responseStatus: { code: 200 },
  annotations: { 'authorization.k8s.io/decision': 'allow' },
  objectRef: of,
  ...rest,
});

/** The request, the rights that count as used, and the rights that count as missing. */
const cases: [string, Asked, string[], string[]][] = [
  ['a request uses its right', {}, ['podmend-operator: get pods'], []],
  ['a subresource is another right', { of: { ...pods, subresource: 'log' } }, ['podmend-operator: get pods/log'], []],
  ['another verb is another right', { verb: 'delete' }, [], []],
  ['another user uses no right of ours', { user: { username: 'admin' } }, [], []],
  [
    'the same account name in another namespace is somebody else',
    { user: { username: 'system:serviceaccount:x:podmend-operator' } },
    [],
    [],
  ],
  ['a request for a non-resource path needs no right of ours', { of: undefined }, [], []],
  [
    'the right on one object is used by that object',
    { of: { resource: 'priorityclasses', apiGroup: 'scheduling.k8s.io', name: 'podmend-mirror' } },
    ['podmend-operator: get priorityclasses.scheduling.k8s.io "podmend-mirror"'],
    [],
  ],
  ['and by no other', { of: { resource: 'priorityclasses', apiGroup: 'scheduling.k8s.io', name: 'other' } }, [], []],
  [
    'where two rights allow it, only the narrower one was needed',
    { verb: 'create', of: { ...suppressions, namespace: 'podmend' } },
    ['podmend-operator: create suppressions.podmend.dev in podmend'],
    [],
  ],
  [
    'outside of that namespace the wider one was needed',
    { verb: 'create', of: { ...suppressions, namespace: 'shop' } },
    ['podmend-operator: create suppressions.podmend.dev'],
    [],
  ],
  [
    'a patch that created the object needed create as well',
    { verb: 'patch', of: { ...suppressions, namespace: 'podmend' }, responseStatus: { code: 201 } },
    ['podmend-operator: create suppressions.podmend.dev in podmend', 'podmend-operator: patch suppressions.podmend.dev in podmend'],
    [],
  ],
  ['an answer of 404 used the right too', { responseStatus: { code: 404 } }, ['podmend-operator: get pods'], []],
  [
    'a refused request misses a right and uses none',
    { verb: 'list', of: { resource: 'secrets', namespace: 'shop' }, responseStatus: { code: 403 }, annotations: forbid },
    [],
    ['podmend-operator: list secrets in shop'],
  ],
  [
    'a refused request that the rights allow misses none: the roles did not exist at that time',
    { responseStatus: { code: 403 }, annotations: forbid },
    [],
    [],
  ],
  [
    'a right on one object lets nobody create it',
    {
      verb: 'create',
      of: { resource: 'leases', apiGroup: 'coordination.k8s.io', namespace: 'podmend', name: 'podmend' },
      responseStatus: { code: 403 },
      annotations: forbid,
    },
    [],
    ['podmend-operator: create leases.coordination.k8s.io "podmend" in podmend'],
  ],
  [
    'the verb in the message of a refusal is the missing right',
    {
      verb: 'patch',
      of: { ...pods, name: 'x' },
      responseStatus: {
        code: 403,
        message: 'suppressions.podmend.dev "x" is forbidden: User "…" cannot create resource "suppressions" in …',
      },
    },
    [],
    ['podmend-operator: create pods "x" in shop'],
  ],
  [
    'a refusal by a quota or a policy used the right',
    { responseStatus: { code: 403, message: 'pods "web" is forbidden: exceeded quota: small' } },
    ['podmend-operator: get pods'],
    [],
  ],
];
for (const [sentence, asked, used, missing] of cases) {
  test(sentence, () => {
    const event = anEvent(asked);
    if ('of' in asked && asked.of === undefined) delete event.objectRef;
    const { used: counted, refused } = compareRights(rights, [event]);
    assert.equal(
      counted.filter(({ requests }) => requests > 0).map(({ right }) => tellRight(right)),
      used,
    );
    assert.equal([...refused.keys()], missing);
  });
}

test('requests are counted', () => {
  const refusal = anEvent({ verb: 'delete', annotations: forbid });
  const { used, refused } = compareRights(rights, [anEvent({}), anEvent({}), refusal, refusal, refusal]);
  assert.is(used[0]?.requests, 2);
  assert.equal([...refused], [['podmend-operator: delete pods "web" in shop', 3]]);
});

test.run();
