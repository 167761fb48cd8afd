import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canBeToken, isBootstrapGroup, takesBootstrapTokens } from '../../src/access/paths/bootstrap.ts';
import { isRootOnNode } from '../../src/access/paths/on-node.ts';
import { blocksPods, fullQuotas, refusedBy } from '../../src/access/paths/quotas.ts';

const test = suite('what stands in the way of new objects, and what opens it');

const quota = (name: string, hard: object, used: object, spec: object = {}) =>
  ({ metadata: { name }, spec, status: { hard, used } }) as never;
const scoped = (...names: string[]) => ({
  scopeSelector: { matchExpressions: names.map((scopeName) => ({ scopeName, operator: 'Exists' })) },
});
const FULL = [{ pods: '2' }, { pods: '2' }] as const;

const QUOTAS: [what: string, quotas: never[], names: string[]][] = [
  ['room for one', [quota('a', { pods: '2' }, { pods: '1' })], []],
  ['no room', [quota('a', ...FULL)], ['a']],
  ['no room by the other name', [quota('a', { 'count/pods': '1' }, { 'count/pods': '1' })], ['a']],
  ['less than one', [quota('a', { pods: '1500m' }, { pods: '1' })], ['a']],
  ['nothing is used', [quota('a', { pods: '1' }, {})], []],
  ['another resource', [quota('a', { cpu: '1' }, { cpu: '1' })], []],
  ['one kind of pod only', [quota('a', ...FULL, { scopes: ['BestEffort'] })], []],
  ['both kinds of pods', [quota('a', ...FULL, { scopes: ['BestEffort'] }), quota('b', ...FULL, { scopes: ['NotBestEffort'] })], ['a', 'b']],
  ['both kinds, by selectors', [quota('a', ...FULL, scoped('Terminating')), quota('b', ...FULL, scoped('NotTerminating'))], ['a', 'b']],
  [
    'of four kinds one is free',
    [quota('a', ...FULL, { scopes: ['BestEffort', 'Terminating'] }), quota('b', ...FULL, { scopes: ['NotBestEffort'] })],
    [],
  ],
  ['a scope that can be avoided', [quota('a', ...FULL, scoped('PriorityClass')), quota('b', { pods: '9' }, {})], []],
  [
    'a scope that does not exist',
    [quota('a', ...FULL, { scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'DoesNotExist' }] } })],
    [],
  ],
];
for (const [what, quotas, names] of QUOTAS)
  test(`quotas: ${what}`, () => {
    assert.equal(
      fullQuotas(quotas).map(({ name }) => name),
      names,
    );
    assert.is(blocksPods(fullQuotas(quotas)), names.length > 0);
  });

test('whether the deletion of a pod makes room', () => {
  const pods = (hard: object, used: object) => fullQuotas([quota('a', hard, used)])[0];
  assert.equal(pods({ pods: '1' }, { pods: '1' }), { name: 'a', scopes: [], hasPods: true });
  assert.is(pods({ pods: '0' }, {})?.hasPods, false);
  assert.is(pods({ pods: '1', 'count/pods': '0' }, { pods: '1' })?.hasPods, false);
});

test('other objects that a quota refuses', () => {
  const used = { 'count/deployments.apps': '1', secrets: '1', pods: '1', configmaps: '1' };
  const hard = { ...used, configmaps: '2' };
  assert.equal([...refusedBy([quota('a', hard, used)])], ['deployments.apps', 'secrets']);
  assert.equal([...refusedBy([quota('a', hard, used, { scopes: ['BestEffort'] })])], []);
});

test('groups and Secrets of bootstrap tokens', () => {
  for (const group of ['system:bootstrappers', 'system:bootstrappers:kubeadm:default-node-token'])
    assert.ok(isBootstrapGroup(group), group);
  for (const group of [
    'system:bootstrappers:',
    'system:bootstrappers:A',
    'system:bootstrappersx',
    'x:system:bootstrappers',
    'system:bootstrappers:a-',
  ])
    assert.not(isBootstrapGroup(group), group);
  for (const [name, can] of [
    ['bootstrap-token-abc123', true],
    ['bootstrap-token-abc12', false],
    ['bootstrap-token-ABC123', false],
    ['xbootstrap-token-abc123', false],
  ] as const)
    assert.is(canBeToken(name), can, name);
});

const SERVERS: [what: string, container: object, takes: boolean, namespace?: string][] = [
  ['the flag alone', { command: ['kube-apiserver', '--enable-bootstrap-token-auth'] }, true],
  ['the flag with a value', { command: ['/usr/bin/kube-apiserver'], args: ['--enable-bootstrap-token-auth=True'] }, true],
  ['the flag off', { command: ['kube-apiserver', '--enable-bootstrap-token-auth=false'] }, false],
  ['the last flag counts', { command: ['kube-apiserver', '--enable-bootstrap-token-auth', '--enable-bootstrap-token-auth=0'] }, false],
  ['no flag', { command: ['kube-apiserver'] }, false],
  ['another program', { command: ['kube-proxy', '--enable-bootstrap-token-auth'] }, false],
  ['another namespace', { command: ['kube-apiserver', '--enable-bootstrap-token-auth'] }, false, 'shop'],
];
for (const [what, container, takes, namespace = 'kube-system'] of SERVERS)
  test(`an API server that takes bootstrap tokens: ${what}`, () => {
    assert.is(takesBootstrapTokens({ metadata: { namespace }, spec: { containers: [container] } } as never), takes);
  });
test('a pod without containers is no API server', () =>
  assert.not(takesBootstrapTokens({ metadata: { namespace: 'kube-system' } } as never)));

const host = (path: string, mount: object = {}) => ({
  volumes: [{ name: 'host', hostPath: { path } }],
  containers: [{ name: 'app', volumeMounts: [{ name: 'host', mountPath: '/x', ...mount }] }],
});
const privileged = (own: object = {}, pod?: object) => ({
  ...(pod ? { securityContext: pod } : {}),
  containers: [{ name: 'app', securityContext: { privileged: true, ...own } }],
});
const ROOTS: [what: string, spec: object, isRoot: boolean][] = [
  ['a privileged container', privileged(), true],
  ['one of several', { containers: [{ name: 'a' }, ...privileged().containers] }, true],
  ['an init container', { containers: [], initContainers: privileged().containers }, true],
  ['privileged as another user', privileged({ runAsUser: 1000 }), false],
  ['privileged as root by name', privileged({ runAsUser: 0 }), true],
  ['another user of the pod', privileged({}, { runAsUser: 1000 }), false],
  ['the container’s user counts before the pod’s', privileged({ runAsUser: 0 }, { runAsUser: 1000 }), true],
  ['not as root', privileged({ runAsNonRoot: true }), false],
  ['not as root, says the pod', privileged({}, { runAsNonRoot: true }), false],
  ['the container says otherwise', privileged({ runAsNonRoot: false }, { runAsNonRoot: true }), true],
  ['the folder above', host('/etc'), true],
  ['the whole node', host('/'), true],
  ['a folder that begins alike', host('/etc/kubernetes/pk'), false],
  ['a part of a folder', host('/etc', { subPath: 'kubernetes' }), true],
  ['another part', host('/etc', { subPath: 'ssl' }), false],
  ['a volume that no container mounts', { ...host('/'), containers: [{ name: 'app' }] }, false],
  ['a volume of the pod', { volumes: [{ name: 'host', emptyDir: {} }], containers: host('/').containers }, false],
];
for (const [what, spec, isRoot] of ROOTS)
  test(`${what}: ${isRoot ? 'root' : 'not root'} on the node`, () => assert.is(isRootOnNode(spec as never), isRoot));

test.run();
