import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerPaths, answerRights, answerWhoCan } from '../../src/access/answers.ts';
import type { PolicyRule, RbacSubject } from '../../src/access/objects.ts';
import type { EscalationPath, Target } from '../../src/access/paths/paths.ts';
import { isAbout, isWanted } from '../../src/access/paths/paths.ts';
import { isEverything, keyOfPower, type Power, type Through, type Way } from '../../src/access/paths/powers.ts';
import type { Reached } from '../../src/access/paths/search.ts';
import { tellStep } from '../../src/access/paths/step-text.ts';
import type { Bound, Grant } from '../../src/access/rights.ts';

const test = suite('answers about rights');

const ann: RbacSubject = { kind: 'User', name: 'ann' };
const bot: RbacSubject = { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' };
const bound = (name: string, namespace?: string, kind = 'ClusterRole'): Bound => ({
  binding: { metadata: { name, ...(namespace ? { namespace } : {}) }, roleRef: { kind, name: 'r' } },
  role: undefined,
  namespace,
  subjects: [],
});
const grant = (one: Bound, subject: RbacSubject = ann, rule: PolicyRule = {}): Grant => ({ bound: one, subject, rule });
const [everywhere, inside] = [bound('all'), bound('some', 'shop', 'Role')];
const ALL = { binding: { kind: 'ClusterRoleBinding', name: 'all' }, role: { kind: 'ClusterRole', name: 'r' }, subject: ann };
const SOME = {
  binding: { kind: 'RoleBinding', name: 'some', namespace: 'shop' },
  role: { kind: 'Role', name: 'r', namespace: 'shop' },
  subject: bot,
};

test('who can: each binding once, and components of Kubernetes last, but for the masters', () => {
  const own = { kind: 'User', name: 'system:kube-scheduler' };
  const masters = { kind: 'Group', name: 'system:masters' };
  const { subjects } = answerWhoCan([
    { subject: own, by: [] },
    { subject: masters, by: [] },
    { subject: bot, by: [grant(everywhere), grant(inside, bot), grant(everywhere)] },
  ]);
  assert.equal(subjects, [
    { ...masters, through: [] },
    { ...bot, through: [ALL, SOME] },
    { ...own, through: [] },
  ] as never);
});

test('rights: all fields of the rule, where it holds, and its binding; a ClusterRole that holds in a namespace has none', () => {
  const rule = { verbs: ['get'], apiGroups: ['apps'], resources: ['x'], resourceNames: ['n'], nonResourceURLs: ['/y'] };
  const { rights } = answerRights([grant(inside, bot, rule), grant(everywhere), grant(bound('b', 'shop'))]);
  assert.equal(rights[0], {
    namespace: 'shop',
    verbs: ['get'],
    api_groups: ['apps'],
    resources: ['x'],
    resource_names: ['n'],
    non_resource_urls: ['/y'],
    through: SOME,
  } as never);
  assert.equal(rights[1], {
    namespace: '*',
    verbs: [],
    api_groups: [],
    resources: [],
    resource_names: [],
    non_resource_urls: [],
    through: ALL,
  } as never);
  assert.equal(rights[2]?.through.role, { kind: 'ClusterRole', name: 'r' });
});

const step = (way: Way, power: Power, through?: Through): Reached => ({
  ...{ power, way, through, actor: undefined, grants: [grant(everywhere)], steps: [], from: [], filled: undefined, isOwn: false },
});
const secrets: Power = { kind: 'secrets', namespace: 'bank' };
const aPath = (target: Target, over: Partial<EscalationPath> = {}): EscalationPath => ({
  subject: ann,
  target,
  steps: [],
  ends: [],
  ...over,
});

test('paths: at most so many, with their steps, ends and the best cut', () => {
  const first = aPath({ kind: 'secrets', namespace: 'bank' }, { steps: [step('pod-secrets', secrets)], ends: [grant(inside, bot)] });
  const rest = [aPath({ kind: 'cluster-admin' }), aPath({ kind: 'node', name: 'n1' }, { subject: bot })];
  const answer = answerPaths([first, ...rest], { cut: { bound: inside, broken: 2 }, leftOut: 3 }, 2);
  assert.equal(answer, {
    total: 3,
    paths: [
      {
        subject: ann,
        target: 'secrets',
        namespace: 'bank',
        steps: [{ as: 'User ann', does: 'runs a pod that mounts the Secrets of namespace bank', through: [ALL] }],
        ends: [SOME],
      },
      { subject: ann, target: 'cluster-admin', steps: [], ends: [] },
    ],
    cut: { binding: SOME.binding, breaks: 2 },
    left_out: 3,
  } as never);
  assert.equal(answerPaths([], { cut: undefined, leftOut: 0 }, 2), { total: 0, paths: [] });
});

test('which paths are wanted', () => {
  const path = aPath({ kind: 'node', name: undefined }, { subject: bot });
  const wanted = (...all: Parameters<typeof isWanted>[0][]) => all.map((one) => isWanted(one, path));
  assert.equal(wanted({}, { kind: 'ServiceAccount' }, { name: 'bot' }, { namespace: 'shop' }, { to: 'node' }), [
    true,
    true,
    true,
    true,
    true,
  ]);
  assert.equal(wanted({ kind: 'User' }, { name: 'bo' }, { namespace: 'bank' }, { to: 'secrets' }), [false, false, false, false]);
  assert.not(isAbout({ namespace: 'shop' }, ann));
});

const acts: Power = { kind: 'acts-as', subject: bot };
const granted: Power = { kind: 'granted', role: { kind: 'ClusterRole', name: 'c' }, rules: [], namespace: undefined };
const aPod: Through = { kind: 'Pod', name: 'web-1', namespace: 'shop' };
const aWorkload: Through = { kind: 'Deployment', name: 'web', namespace: 'shop' };
const aBinding: Through = { kind: 'ClusterRoleBinding', name: 'b' };
const anywhere = { namespace: '*' };
const WORDS: [way: Way, power: Power, through: Through | undefined, does: string][] = [
  ['bind', granted, undefined, 'binds ClusterRole c in the whole cluster to itself'],
  ['bind', { ...granted, namespace: 'shop' }, aBinding, 'binds ClusterRole c in namespace shop to itself in ClusterRoleBinding b'],
  ['escalate', { kind: 'rewrites', role: { kind: 'Role', name: 'r', namespace: 'shop' } }, undefined, 'writes any rule into Role shop/r'],
  ['aggregate', granted, undefined, 'creates a ClusterRole with any rule, which ClusterRole c in the whole cluster collects'],
  ['impersonate', acts, undefined, 'impersonates ServiceAccount shop/bot'],
  ['impersonate', { kind: 'all' }, undefined, 'impersonates Group system:masters'],
  ['token', acts, undefined, 'requests a token of ServiceAccount shop/bot'],
  ['token-secret', acts, undefined, 'creates a Secret for a token of ServiceAccount shop/bot, and reads it'],
  ['token-read', acts, { kind: 'Secret', name: 't', namespace: 'shop' }, 'reads a token of ServiceAccount shop/bot through Secret shop/t'],
  ['bootstrap', { kind: 'acts-as', subject: { kind: 'Group', name: 'g' } }, undefined, 'creates a bootstrap token in Group g'],
  ['csr', { kind: 'node', name: undefined }, undefined, 'signs itself a client certificate of a node'],
  ['exec', acts, aPod, 'runs a command in pod shop/web-1: ServiceAccount shop/bot'],
  ['ephemeral', acts, aPod, 'adds a container to pod shop/web-1: ServiceAccount shop/bot'],
  ['image', acts, aPod, 'changes the image of pod shop/web-1: ServiceAccount shop/bot'],
  ['kubelet', acts, aPod, "runs a command in pod shop/web-1 by way of its node's kubelet: ServiceAccount shop/bot"],
  ['new-account', acts, undefined, 'creates the missing ServiceAccount shop/bot, and runs a pod as it'],
  [
    'new-token',
    { kind: 'takes-token', namespace: 'shop', name: 'bot' },
    undefined,
    'creates the missing ServiceAccount shop/bot, and takes a token of it',
  ],
  ['pod-account', acts, aWorkload, 'runs a pod as ServiceAccount shop/bot through Deployment shop/web'],
  ['pod-account', acts, aPod, 'runs a pod as ServiceAccount shop/bot'],
  ['pod-secrets', { ...secrets, ...anywhere }, undefined, 'runs a pod that mounts the Secrets of all namespaces'],
  ['pod-node', { kind: 'node', name: 'n1' }, undefined, 'runs a privileged pod: node n1'],
  ['pod-volume', { kind: 'node', name: undefined }, undefined, "runs a pod with a volume of the node's folders: a node"],
  ['node-pods', acts, undefined, 'takes the token of ServiceAccount shop/bot from a pod on the node'],
  ['label', { kind: 'weakens', namespace: 'shop' }, undefined, 'takes the Pod Security label off namespace shop'],
  ['quota', { kind: 'frees', namespace: 'shop' }, undefined, 'makes room in the quota of namespace shop'],
  [
    'webhook',
    secrets,
    { kind: 'MutatingWebhookConfiguration', name: 'w' },
    'registers a webhook through MutatingWebhookConfiguration w, to which the API server sends every Secret that is written',
  ],
  ['holds', acts, undefined, 'holds ServiceAccount shop/bot'],
  ['rewritten', granted, undefined, 'holds ClusterRole c in the whole cluster'],
  ['pod-change', { kind: 'changes-pod', namespace: 'shop', name: 'web', by: 'image' }, undefined, 'changes pod shop/web'],
  ['namespace', { kind: 'makes-namespaces' }, undefined, 'creates a namespace'],
  ['pod', { kind: 'runs-pods', namespace: 'shop' }, undefined, 'runs pods in namespace shop'],
  ['workload', { kind: 'runs-pods', namespace: '*' }, undefined, 'runs pods in all namespaces'],
  ['account', { kind: 'makes-accounts', namespace: 'shop' }, undefined, 'creates accounts in namespace shop'],
  ['volume', { kind: 'makes-volumes', namespace: 'shop' }, undefined, 'creates volumes in namespace shop'],
  ['secret', { kind: 'makes-secrets', namespace: 'shop' }, undefined, 'creates Secrets in namespace shop'],
];
for (const [way, power, through, does] of WORDS)
  test(`a step by ${way}: ${does}`, () => assert.equal(tellStep(step(way, power, through), { subject: ann }), { as: 'User ann', does }));

test('a step is taken by the identity that the steps before gave, else by the subject', () => {
  const taken = { ...step('token', acts), steps: [step('token', acts)] };
  const as = (actor: Reached | undefined) => tellStep({ ...step('exec', acts, aPod), actor }, { subject: ann }).as;
  assert.equal([as(undefined), as(step('token', acts)), as(taken)], ['User ann', 'User ann', 'ServiceAccount shop/bot']);
  assert.is(as({ ...taken, power: secrets }), 'User ann');
});

test('each power has a key of its own', () => {
  const role = (name: string, namespace?: string) => ({ kind: namespace ? ('Role' as const) : ('ClusterRole' as const), name, namespace });
  const everything: PolicyRule = { verbs: ['*'], apiGroups: ['*'], resources: ['*'] };
  const powers: Power[] = [
    acts,
    { kind: 'acts-as', subject: { ...bot, namespace: 'bank' } },
    { kind: 'acts-as', subject: { kind: 'User', name: 'bot' } },
    { ...granted, role: role('c') },
    { ...granted, role: role('c', 'shop') },
    { ...granted, role: role('d') },
    { ...granted, role: role('c'), namespace: 'shop' },
    { ...granted, rules: [everything] },
    { kind: 'rewrites', role: role('c') },
    { kind: 'node', name: undefined },
    { kind: 'node', name: 'n' },
    { kind: 'all' },
    { kind: 'makes-namespaces' },
    { kind: 'makes-accounts', namespace: 'shop' },
    { kind: 'makes-accounts', namespace: 'shop', name: 'x' },
    { kind: 'takes-token', namespace: 'shop', name: 'x' },
    { kind: 'takes-token', namespace: 'shop', name: 'y' },
    { kind: 'changes-pod', namespace: 'shop', name: 'x', by: 'image' },
    { kind: 'changes-pod', namespace: 'shop', name: 'x', by: 'ephemeral' },
    { kind: 'runs-pods', namespace: 'shop' },
    { kind: 'runs-pods', namespace: 'bank' },
    { kind: 'secrets', namespace: 'shop' },
  ];
  assert.is(new Set(powers.map(keyOfPower)).size, powers.length);
  const one = { ...granted, rules: [everything], role: role('x') };
  assert.is(keyOfPower(one), keyOfPower({ ...one, role: role('y') }), 'whichever role gives everything');
});

const RULES: [rule: PolicyRule, all: boolean][] = [
  [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }, true],
  [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [] }, true],
  [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: ['a'] }, false],
  [{ verbs: ['get'], apiGroups: ['*'], resources: ['*'] }, false],
  [{ verbs: ['*'], apiGroups: [''], resources: ['*'] }, false],
  [{ verbs: ['*'], apiGroups: ['*'], resources: ['pods'] }, false],
  [{ verbs: null, apiGroups: ['*'], resources: ['*'] }, false],
];
for (const [rule, all] of RULES)
  test(`${JSON.stringify(rule)} is ${all ? '' : 'not '}everything`, () => assert.is(isEverything([rule]), all));

test.run();
