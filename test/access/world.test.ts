import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PolicyRule } from '../../src/access/objects.ts';
import { takes, type Terrain } from '../../src/access/paths/terrain.ts';
import { isHalf, isOnlyOfRoles, leadsSomewhere, makesBindings } from '../../src/access/paths/useful-rules.ts';
import { accountOf, type RunningPod, TEMPLATE_RESOURCES, worldOf } from '../../src/access/paths/world.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';

const test = suite('what a cluster has besides roles');

const anObject = (kind: string, over: object = {}, metadata: object = {}): KubeObject =>
  ({ kind, metadata: { name: 'x', namespace: 'shop', ...metadata }, ...over }) as KubeObject;
const whole = (...objects: KubeObject[]) => worldOf(objects, true);
const files = (...objects: KubeObject[]) => worldOf(objects, false);

const token = (audience?: string) => ({
  name: 't',
  projected: { sources: [{ serviceAccountToken: audience === undefined ? {} : { audience } }] },
});
const mounting = (volumes: object[], name = 't') => ({ spec: { volumes, containers: [{ name: 'a', volumeMounts: [{ name }] }] } });
const uid = { uid: 'u' };
const controlled = (controller: boolean) => ({ ownerReferences: [{ kind: 'ReplicaSet', name: 'r', controller }] });
const states = (...all: object[]) => ({ spec: { containers: [] }, status: { containerStatuses: all.map((state) => ({ state })) } });

const PODS: [what: string, pod: KubeObject, facts: Partial<RunningPod>][] = [
  ['a token that a container mounts', anObject('Pod', mounting([token()]), uid), { hasToken: true }],
  ['a token of the API server by its name', anObject('Pod', mounting([token('https://kubernetes.default.svc')]), uid), { hasToken: true }],
  ['a token for somebody else', anObject('Pod', mounting([token('vault')]), uid), { hasToken: false }],
  ['a token that no container mounts', anObject('Pod', mounting([token()], 'other'), uid), { hasToken: false }],
  ['another volume', anObject('Pod', mounting([{ name: 't', emptyDir: {} }]), uid), { hasToken: false }],
  ['a pod of a file gets its token later', anObject('Pod', { spec: { containers: [] } }), { hasToken: true }],
  ['unless it asks for none', anObject('Pod', { spec: { containers: [], automountServiceAccountToken: false } }), { hasToken: false }],
  ['no spec', anObject('Pod'), { account: 'default', node: undefined, isUp: true }],
  ['the account of either field', anObject('Pod', { spec: { containers: [], serviceAccount: 'old' } }), { account: 'old' }],
  ['a node', anObject('Pod', { spec: { containers: [], nodeName: 'n1' } }), { node: 'n1' }],
  ['a running container', anObject('Pod', states({ waiting: {} }, { running: {} })), { isUp: true }],
  ['no running container', anObject('Pod', states({ waiting: {} })), { isUp: false }],
  ['a file on its node', anObject('Pod', {}, { annotations: { 'kubernetes.io/config.mirror': '' } }), { isStatic: true }],
  ['a pod of the API', anObject('Pod', {}, { annotations: { note: 'x' } }), { isStatic: false }],
  ['a controller', anObject('Pod', {}, controlled(true)), { isAlone: false }],
  ['an owner that is no controller', anObject('Pod', {}, controlled(false)), { isAlone: true }],
  [
    'a privileged container',
    anObject('Pod', { spec: { containers: [{ name: 'a', securityContext: { privileged: true } }] } }),
    { isNode: true },
  ],
  ['no namespace', anObject('Pod', {}, { namespace: undefined }), { namespace: 'default' }],
];
for (const [what, pod, facts] of PODS)
  test(`a pod with ${what}: ${JSON.stringify(facts)}`, () => {
    const [found] = whole(pod).pods;
    assert.equal(Object.fromEntries(Object.keys(facts).map((key) => [key, found?.[key as keyof RunningPod]])), facts);
  });

test('an account that gives no token gives none to pods of files, unless the pod asks for it', () => {
  const quiet = anObject('ServiceAccount', { automountServiceAccountToken: false }, { name: 'default' });
  const pod = (over: object) => files(quiet, anObject('Pod', { spec: { containers: [], ...over } })).pods[0]?.hasToken;
  assert.equal([pod({}), pod({ automountServiceAccountToken: true })], [false, true]);
});

test('pods that have ended, are being deleted or are not there yet run nothing', () => {
  const pod = (phase: string | undefined, metadata: object = {}) => anObject('Pod', phase ? { status: { phase } } : {}, metadata);
  const count = (one: KubeObject) => whole(one).pods.length;
  assert.equal(
    [undefined, 'Running', 'Pending', 'Succeeded', 'Failed'].map((phase) => count(pod(phase))),
    [1, 1, 0, 0, 0],
  );
  assert.is(count(pod('Running', { deletionTimestamp: 't' })), 0);
});

test('workloads whose template can be changed, with their accounts; those of a controller are changed back', () => {
  const template = (serviceAccountName: string) => ({ template: { spec: { serviceAccountName } } });
  const objects = Object.keys(TEMPLATE_RESOURCES).map((kind) =>
    anObject(kind, { spec: kind === 'CronJob' ? { jobTemplate: { spec: template('night') } } : template('bot') }),
  );
  const { workloads } = whole(...objects, anObject('ReplicaSet', {}, controlled(true)), anObject('Job', { spec: template('bot') }));
  assert.equal(
    workloads.map(({ resource, account }) => `${resource} ${account}`),
    [
      'deployments.apps bot',
      'statefulsets.apps bot',
      'daemonsets.apps bot',
      'replicasets.apps bot',
      'cronjobs.batch night',
      'replicationcontrollers bot',
    ],
  );
  assert.equal(accountOf(workloads[0]!), { kind: 'ServiceAccount', namespace: 'shop', name: 'bot' });
});

test('Secrets that hold the token of an account that exists', () => {
  const secret = (name: string, type: string, account: string) =>
    anObject('Secret', { type }, { name, annotations: { 'kubernetes.io/service-account.name': account } });
  const type = 'kubernetes.io/service-account-token';
  const { tokenSecrets } = whole(
    anObject('ServiceAccount', {}, { name: 'bot' }),
    secret('a', type, 'bot'),
    secret('b', type, 'gone'),
    secret('c', 'Opaque', 'bot'),
    anObject('Secret', { type }, { name: 'd' }),
  );
  assert.equal(tokenSecrets, [{ namespace: 'shop', name: 'a', account: 'bot' }]);
});

test('namespaces: their level, whether they end, and what their quotas refuse', () => {
  const namespace = (name: string, over: object = {}) => anObject('Namespace', {}, { name, namespace: undefined, ...over });
  const full = { status: { hard: { pods: '1', secrets: '1' }, used: { pods: '1', secrets: '1' } } };
  const { places } = whole(
    namespace('shop', { labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } }),
    namespace('bank', { deletionTimestamp: 't' }),
    anObject('ResourceQuota', full, { name: 'q' }),
  );
  const shop = places.get('shop');
  assert.equal([shop?.level, shop?.isEnding, shop?.fullQuotas.length, [...(shop?.refused ?? [])]], ['baseline', false, 1, ['secrets']]);
  assert.equal(places.get('bank'), { level: 'privileged', isEnding: true, fullQuotas: [], refused: new Set() });
  assert.is(places.size, 2);
  const terrain = { world: { places } } as unknown as Terrain;
  assert.equal(
    [
      ['secrets', 'shop'],
      ['configmaps', 'shop'],
      ['configmaps', 'bank'],
      ['secrets', 'elsewhere'],
      ['secrets', undefined],
    ].map(([resource, place]) => takes(terrain, resource as string, place)),
    [false, true, false, true, true],
  );
});

test('files lie in a fresh cluster: with the namespaces and accounts that they name, and an account default in each', () => {
  const binding = anObject('RoleBinding', { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'ServiceAccount', name: 'bound' }] });
  const pod = anObject('Pod', { spec: { containers: [], serviceAccountName: 'runs' } }, { namespace: 'web' });
  const { places, accounts } = files(
    binding,
    pod,
    anObject('Role', {}, { namespace: 'roles' }),
    anObject('ConfigMap', {}, { namespace: 'maps' }),
  );
  const own = [...places.keys()].filter((name) => !name.startsWith('kube-'));
  assert.equal(own.sort(), ['default', 'roles', 'shop', 'web']);
  for (const account of ['shop/bound', 'web/runs', 'web/default', 'roles/default', 'default/default', 'kube-system/default'])
    assert.ok(accounts.has(account), account);
  const live = whole(binding, pod);
  assert.equal([live.places.size, live.accounts.size], [0, 0]);
});

test('webhook configurations of both kinds', () => {
  const { webhooks } = whole(
    anObject('ValidatingWebhookConfiguration', {}, { name: 'v' }),
    anObject('MutatingWebhookConfiguration', {}, { name: 'm' }),
  );
  assert.equal(webhooks, [
    { kind: 'MutatingWebhookConfiguration', name: 'm' },
    { kind: 'ValidatingWebhookConfiguration', name: 'v' },
  ]);
});

const rule = (verbs: string, resources: string, resourceNames?: string[]): PolicyRule => ({
  verbs: verbs.split(' '),
  apiGroups: ['*'],
  resources: resources.split(' '),
  ...(resourceNames ? { resourceNames } : {}),
});
const RULES: [rule: PolicyRule, leads: boolean, half: boolean][] = [
  [rule('get', 'secrets'), true, true],
  [rule('get list watch', 'pods configmaps'), false, false],
  [rule('get', 'nodes/proxy'), true, false],
  [rule('watch', 'certificatesigningrequests'), true, true],
  [rule('create', 'pods'), true, false],
  [rule('patch', 'deployments'), true, false],
  [rule('delete', 'pods'), true, false],
  [rule('create', 'pods/exec'), true, false],
  [rule('create', 'configmaps'), false, false],
  [rule('use', 'pods'), false, false],
  [rule('*', '*'), true, true],
  [rule('update', '*/status'), true, true],
  [rule('create', 'serviceaccounts/token'), true, false],
  [rule('impersonate', 'users'), true, true],
  [rule('impersonate', 'serviceaccounts'), true, true],
  [rule('bind', 'clusterroles'), true, true],
  [rule('escalate', 'roles'), true, true],
  [rule('get', 'roles'), false, false],
  [rule('approve', 'signers'), true, true],
  [rule('update', 'certificatesigningrequests/approval'), true, true],
  [rule('update', 'namespaces/finalize'), true, false],
  [rule('deletecollection', 'resourcequotas'), true, false],
  [rule('create', 'mutatingwebhookconfigurations'), true, false],
  [{}, false, false],
];
for (const [one, leads, half] of RULES)
  test(`${JSON.stringify(one.verbs)} of ${JSON.stringify(one.resources)} ${leads ? 'leads somewhere' : 'leads nowhere'}${half ? ', with others' : ''}`, () =>
    assert.equal([leadsSomewhere(one), isHalf(one)], [leads, half]));

test('rules only about roles, and rules that only create bindings', () => {
  assert.equal([rule('get', 'roles clusterrolebindings'), rule('get', 'roles pods'), {}].map(isOnlyOfRoles), [true, false, true]);
  const bindings = [
    rule('create', 'rolebindings clusterrolebindings'),
    rule('create', 'rolebindings', ['a']),
    rule('create update', 'rolebindings'),
    rule('create', 'rolebindings roles'),
  ];
  assert.equal(bindings.map(makesBindings), [true, false, false, false]);
});

test.run();
