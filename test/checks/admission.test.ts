import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aroundOf } from '../../src/checks/surroundings.ts';
import { judgeObject } from '../../src/checks/judge.ts';
import { checkById } from '../../src/checks/list.ts';
import { type Policy, policyOf } from '../../src/checks/policies/policies.ts';
import { app } from '../support/builders/judged-objects.ts';

// A finding names the policy that surely refuses it, else what may refuse it.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const MINOR = 36;
const ours = (minor = MINOR): Policy => {
  const policy = policyOf(checkById('privileged')!, { minor, trustedRegistries: [] });
  if ('none' in policy) throw new Error(policy.none);
  return structuredClone(policy);
};
const privileged = () => app((c: Loose) => (c.securityContext.privileged = true));

interface World {
  change?: (policy: Loose, binding: Loose) => void;
  /** Null: Podmend has no right to read them. */
  labels?: Record<string, string> | null;
  webhooks?: Loose[];
  others?: Loose[];
}

/** What the finding `privileged` of Deployment shop/web names as refusing it. */
function saidIn({ change, labels = {}, webhooks = [], others = [] }: World): unknown {
  const { policy, binding } = ours();
  change?.(policy, binding);
  const admission = { policies: [policy, ...others.map((one) => one[0])], bindings: [binding, ...others.map((one) => one[1])], webhooks };
  const namespaces = labels ? [{ kind: 'Namespace', metadata: { name: 'shop', labels } }] : [];
  const around = aroundOf({ policies: undefined, accounts: [], trustedRegistries: [], namespaces, admission });
  const object = privileged();
  object.metadata.labels = { tier: 'web' };
  const found = judgeObject(object, { minor: MINOR, around: around('shop') });
  const { enforced_by, may_be_refused_by } = found.find(({ check_name }) => check_name === 'privileged')!.details;
  assert.ok(!(enforced_by && may_be_refused_by));
  return enforced_by ?? may_be_refused_by;
}

const BY_OURS = 'the policy podmend-privileged';
const MAY = ['ValidatingAdmissionPolicy podmend-privileged'];
const selector = (key: string, value: string) => ({ matchLabels: { [key]: value } });

const OWN: [sentence: string, world: World, said: unknown][] = [
  ['our policy, unchanged and bound with Deny', {}, BY_OURS],
  [
    'with the fields that an API server adds',
    { change: ({ spec }) => Object.assign(spec.matchConstraints, { matchPolicy: 'Equivalent' }) },
    BY_OURS,
  ],
  ['with other words in its message', { change: ({ spec }) => (spec.validations[0].message = 'no') }, BY_OURS],
  ['that only warns', { change: (_, { spec }) => (spec.validationActions = ['Warn']) }, undefined],
  ['without its binding', { change: (_, { spec }) => (spec.policyName = 'other') }, undefined],
  ['that was weakened', { change: ({ spec }) => (spec.validations[0].expression = 'true') }, MAY],
  ['that lets errors pass', { change: ({ spec }) => (spec.failurePolicy = 'Ignore') }, MAY],
  ['with another condition', { change: ({ spec }) => spec.matchConditions.push({ name: 'x', expression: 'false' }) }, MAY],
  ['without its label', { change: ({ metadata }) => (metadata.labels = {}) }, MAY],
  [
    'for another kind',
    { change: ({ spec }) => (spec.matchConstraints.resourceRules = spec.matchConstraints.resourceRules.slice(0, 1)) },
    undefined,
  ],
  [
    'for another operation',
    { change: ({ spec }) => spec.matchConstraints.resourceRules.forEach((one: Loose) => (one.operations = ['DELETE'])) },
    undefined,
  ],
  [
    'bound to this namespace',
    { change: (_, { spec }) => (spec.matchResources.namespaceSelector = selector('team', 'a')), labels: { team: 'a' } },
    BY_OURS,
  ],
  [
    'bound to another namespace',
    { change: (_, { spec }) => (spec.matchResources.namespaceSelector = selector('team', 'a')), labels: { team: 'b' } },
    undefined,
  ],
  [
    'bound to labels of namespaces that nobody may read',
    { change: (_, { spec }) => (spec.matchResources.namespaceSelector = selector('team', 'a')), labels: null },
    MAY,
  ],
  ['bound by the name of the namespace, whose labels nobody may read', { labels: null }, BY_OURS],
  ['bound to other objects', { change: (_, { spec }) => (spec.matchResources.objectSelector = selector('tier', 'db')) }, undefined],
  ['bound to these objects', { change: (_, { spec }) => (spec.matchResources.objectSelector = selector('tier', 'web')) }, BY_OURS],
  [
    'bound to all but Deployments',
    { change: (_, { spec }) => (spec.matchResources.excludeResourceRules = [rule('apps', 'deployments')]) },
    undefined,
  ],
];

function rule(group: string, resource: string, more = {}): Loose {
  return { apiGroups: [group], apiVersions: ['v1'], operations: ['*'], resources: [resource], ...more };
}
const hook = (rules: Loose[], more = {}): Loose => ({ metadata: { name: 'guard' }, webhooks: [{ name: 'a.b', rules, ...more }] });
const GUARD = ['ValidatingWebhookConfiguration guard'];
const none = (_: Loose, binding: Loose): void => void (binding.spec.policyName = 'none');

const OTHERS: [sentence: string, world: World, said: unknown][] = [
  ['a webhook for Deployments', { webhooks: [hook([rule('apps', 'deployments')])] }, GUARD],
  ['a webhook for everything', { webhooks: [hook([rule('*', '*/*', { apiVersions: ['*'] })])] }, GUARD],
  [
    'a webhook for another version, which the server converts to',
    { webhooks: [hook([rule('apps', 'deployments', { apiVersions: ['v2'] })])] },
    GUARD,
  ],
  [
    'a webhook for exactly another version',
    { webhooks: [hook([rule('apps', 'deployments', { apiVersions: ['v2'] })], { matchPolicy: 'Exact' })] },
    undefined,
  ],
  ['a webhook for another kind', { webhooks: [hook([rule('apps', 'statefulsets')])] }, undefined],
  ['a webhook for what has no namespace', { webhooks: [hook([rule('*', '*', { scope: 'Cluster' })])] }, undefined],
  [
    'a webhook that leaves the namespace out',
    {
      webhooks: [hook([rule('*', '*')], { namespaceSelector: { matchExpressions: [{ key: 'free', operator: 'DoesNotExist' }] } })],
      labels: { free: 'yes' },
    },
    undefined,
  ],
  ['a webhook for other objects', { webhooks: [hook([rule('*', '*')], { objectSelector: selector('tier', 'db') })] }, undefined],
  ['a webhook for status alone', { webhooks: [hook([rule('apps', 'deployments/status')])] }, undefined],
  [
    'another policy, bound with Deny',
    {
      others: [
        [
          { metadata: { name: 'p' }, spec: { matchConstraints: { resourceRules: [rule('apps', '*')] } } },
          { metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: ['Deny', 'Audit'] } },
        ],
      ],
    },
    ['ValidatingAdmissionPolicy p'],
  ],
  [
    'nonsense',
    {
      webhooks: [
        { metadata: { name: 'x' }, webhooks: 'x' },
        { metadata: {}, webhooks: [null, { rules: 'x' }, { rules: [null, {}] }] },
      ],
      others: [[{ metadata: {} }, { metadata: {}, spec: 'x' }]],
    },
    undefined,
  ],
];

const admitting = suite('what refuses a finding');
for (const [sentence, world, said] of OWN) admitting(`our policy: ${sentence}`, () => assert.equal(saidIn(world), said));
for (const [sentence, world, said] of OTHERS) admitting(sentence, () => assert.equal(saidIn({ ...world, change: none }), said));

admitting('Pod Security and a policy are named together, and other versions of our policy count as uncertain', () => {
  const { policy, binding } = ours();
  const admission = { policies: [policy], bindings: [binding], webhooks: [] };
  const labels = { 'pod-security.kubernetes.io/enforce': 'baseline' };
  const namespaces = [{ kind: 'Namespace', metadata: { name: 'shop', labels } }];
  const around = aroundOf({ policies: undefined, accounts: [], trustedRegistries: [], namespaces, admission })('shop');
  const [found] = judgeObject(privileged(), { minor: MINOR, around });
  assert.is(found?.details.enforced_by, 'Pod Security baseline of the namespace and the policy podmend-privileged');
});

admitting.run();
