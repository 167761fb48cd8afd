import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Rights, Through } from '../../src/contract/access.ts';
import { addressOfObject } from '../../src/dashboard/components/graph-address.ts';
import { pathsAddress, rightsAddress, whoCanAddress } from '../../src/dashboard/components/access-address.ts';
import { byBinding, chainOf, keyOf, nameOf, type Path, removalOf, ruleText, targetText } from '../../src/dashboard/access/path-text.ts';

// How the screen Access words the API's answers, tested without a browser.

const test = suite('words about access');

const through = (binding: string, subject = 'ServiceAccount'): Through => ({
  binding: { kind: 'RoleBinding', name: binding, namespace: 'shop' },
  role: { kind: 'Role', name: 'any', namespace: 'shop' },
  subject: { kind: subject as 'Group', name: 'web', ...(subject === 'ServiceAccount' && { namespace: 'shop' }) },
});
type Right = Rights['rights'][number];
const aRight = (changes: Partial<Right> = {}): Right => ({
  namespace: 'shop',
  verbs: ['get'],
  api_groups: [''],
  resources: ['pods'],
  resource_names: [],
  non_resource_urls: [],
  through: through('one'),
  ...changes,
});

for (const [sentence, right, expected] of [
  ['a verb and a resource', {}, 'get pods'],
  ['several of both', { verbs: ['get', 'list'], resources: ['pods', 'pods/log'] }, 'get, list pods, pods/log'],
  ['a group', { api_groups: ['apps'], resources: ['deployments', 'deployments/scale'] }, 'get deployments.apps, deployments.apps/scale'],
  ['several groups', { api_groups: ['', 'apps'], resources: ['replicasets'] }, 'get replicasets, replicasets.apps'],
  ['names', { resource_names: ['a', 'b'] }, 'get pods named a, b'],
  ['every verb', { verbs: ['*'] }, 'do anything to pods'],
  ['every resource of the core group', { resources: ['*'] }, 'get every resource of the core group'],
  ['everything', { verbs: ['*'], api_groups: ['*'], resources: ['*'] }, 'do anything to every resource'],
  ['a resource of any group', { api_groups: ['*'] }, 'get pods'],
  ['a path', { non_resource_urls: ['/healthz'], resources: [], api_groups: [] }, 'get /healthz'],
  ['every path', { verbs: ['*'], non_resource_urls: ['*'], resources: [], api_groups: [] }, 'ask anything of any path'],
] as [string, Partial<Right>, string][])
  test(`a rule with ${sentence}`, () => assert.is(ruleText(aRight(right)), expected));

test('rights are listed under their binding, each rule once, those of groups last', () => {
  const found = byBinding([
    aRight({ through: through('all', 'Group') }),
    aRight(),
    aRight({ verbs: ['list'] }),
    aRight(),
    aRight({ through: through('two') }),
  ]);
  assert.equal(
    found.map(({ through: { binding }, rules }) => [binding.name, rules]),
    [
      ['one', ['get pods', 'list pods']],
      ['two', ['get pods']],
      ['all', ['get pods']],
    ],
  );
  assert.equal(byBinding([]), []);
});

const step = (as: string, does: string) => ({ as, does, through: [] });
const subject = { kind: 'ServiceAccount', name: 'ci', namespace: 'shop' } as const;

for (const [sentence, steps, expected] of [
  [
    'each identity is a link',
    [step('a', 'does 1'), step('b', 'does 2')],
    [
      ['a', 'does 1'],
      ['b', 'does 2'],
    ],
  ],
  [
    'steps of one identity are grouped',
    [step('a', '1'), step('a', '2'), step('b', '3')],
    [
      ['a', '1', '2'],
      ['b', '3'],
    ],
  ],
  [
    'an identity that appears again is a link again',
    [step('a', '1'), step('b', '2'), step('a', '3')],
    [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ],
  ],
  ['without a step it is the subject', [], [['ServiceAccount shop/ci']]],
] as [string, Path['steps'], string[][]][])
  test(`in the chain ${sentence}`, () =>
    assert.equal(
      chainOf({ subject, steps }).map(({ who, steps: some }) => [who, ...some.map(({ does }) => does)]),
      expected,
    ));

for (const [target, namespace, expected] of [
  ['cluster-admin', undefined, 'everything, as cluster-admin'],
  ['node', undefined, 'a node, with every pod on it'],
  ['secrets', 'bank', 'the Secrets of namespace bank'],
  ['secrets', '*', 'the Secrets of all namespaces'],
] as const)
  test(`${target} ${namespace ?? ''} is ${expected}`, () =>
    assert.is(targetText({ target, ...(namespace !== undefined && { namespace }) }), expected));

test('paths of one subject to the Secrets of two namespaces are separate', () => {
  const [one, other] = ['bank', 'shop'].map((namespace) => keyOf({ subject, target: 'secrets', namespace }));
  assert.is.not(one, other);
});

for (const [binding, expected] of [
  [{ kind: 'ClusterRoleBinding', name: 'system:ci' }, 'kubectl delete clusterrolebinding system:ci'],
  [{ kind: 'RoleBinding', name: 'ci', namespace: 'shop' }, 'kubectl delete rolebinding ci -n shop'],
  [{ kind: 'ClusterRoleBinding', name: "it's; reboot" }, `kubectl delete clusterrolebinding 'it'\\''s; reboot'`],
  [{ kind: 'ClusterRoleBinding', name: '--all' }, `kubectl delete clusterrolebinding '--all'`],
] as const)
  test(`${nameOf(binding)} is removed by ${expected}`, () => assert.is(removalOf(binding), expected));

for (const [kind, namespace, expected] of [
  ['ClusterRole', undefined, { graph: 'roles', role: 'ClusterRole/cluster-wide/it' }],
  ['ClusterRole', 'cluster-wide', { graph: 'roles', role: 'ClusterRole/cluster-wide/it' }],
  ['Role', 'shop', { graph: 'roles', namespace: 'shop', role: 'Role/shop/it' }],
  ['Deployment', 'shop', { namespace: 'shop', workload: 'Deployment/shop/it' }],
  ['RoleBinding', 'shop', undefined],
  ['Deployment', undefined, undefined],
] as const)
  test(`${kind} in ${namespace ?? 'no namespace'} is ${expected ? '' : 'not '}drawn`, () =>
    assert.equal(addressOfObject({ kind, name: 'it', namespace }), expected));

test('links to answers name the subject and the request in full', () => {
  const account = { kind: 'ServiceAccount' as const, name: 'web', namespace: 'shop' };
  assert.equal(rightsAddress(account), { to: '/access', search: { ask: 'rights', ...account } });
  assert.equal(pathsAddress(account), { to: '/access', search: account });
  const asked = { verb: 'get', resource: 'secrets', namespace: 'shop' };
  assert.equal(whoCanAddress(asked), { to: '/access', search: { ask: 'who-can', ...asked } });
});

test.run();
