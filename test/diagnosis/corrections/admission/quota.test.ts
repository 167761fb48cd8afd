import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { podSecurityChanges } from '../../../../src/diagnosis/corrections/admission/pod-security.ts';
import { pulledAsSaid, withinBound } from '../../../../src/diagnosis/corrections/admission/policy-bound.ts';
import { quotasNow } from '../../../../src/diagnosis/corrections/admission/quota.ts';
import { unprivilegedPorts, withoutSysctl } from '../../../../src/diagnosis/corrections/admission/sysctl.ts';
import { lackingCapability } from '../../../../src/diagnosis/corrections/admission/capability.ts';
import { existingAccount, otherAccount } from '../../../../src/diagnosis/corrections/admission/account.ts';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import type { FactOf } from '../../../../src/diagnosis/facts/facts.ts';
import { aPlace, anInput } from '../../../support/builders/cases.ts';

const test = suite('quotas and levels');

interface Quota {
  name: string;
  scopes?: string[];
  hard: Record<string, string>;
  used?: Record<string, string>;
}
const now = (
  quotas: Quota[] | undefined,
  requested: Record<string, string> = {},
  container: object = { resources: { requests: { cpu: '500m' } } },
) => {
  const surroundings = quotas ? { quotas: quotas.map((one) => ({ scopes: [], used: {}, ...one })) } : {};
  const fact: FactOf<'quota'> = { kind: 'quota', quota: 'q', requested, used: {}, limited: {}, evidence: { from: 'e', text: 't' } };
  return quotasNow(anInput(container, {}, { surroundings }), fact);
};
const CPU = { 'requests.cpu': '1' };
const text = (used: string, hard: string, asked: string) => `requests.cpu: ${used} of ${hard} used, one pod asks for ${asked}`;
test('what a quota says now', () => {
  assert.equal(now([{ name: 'q', hard: CPU, used: { 'requests.cpu': '800m' } }], { 'requests.cpu': '500m' }), {
    evidence: [{ from: 'quota q now', text: text('800m', '1', '500m') }],
    advice: [],
  });
  assert.equal(now([{ name: 'q', hard: CPU, used: { 'requests.cpu': '500m' } }], { 'requests.cpu': '500m' }), {
    evidence: [{ from: 'quota q now', text: text('500m', '1', '500m') }],
    advice: ['The quota has room for a pod now. The controller tries again by itself.'],
  });
  assert.equal(now([{ name: 'q', hard: CPU }]).evidence[0]?.text, text('0', '1', '500m'), 'nothing is used');
  assert.equal(
    [now([]), now(undefined)],
    [
      { evidence: [], advice: [] },
      { evidence: [], advice: [] },
    ],
  );
});
test('a quota that is short of something else, and another quota', () => {
  assert.equal(
    now([{ name: 'q', hard: { ...CPU, pods: '1' }, used: { 'requests.cpu': '1', pods: '1' } }], { 'requests.cpu': '500m' }).advice,
    ['`pods` of quota `q` is short too: pods: 1 of 1 used, one pod asks for 1.'],
  );
  const other = (more: object = {}): Quota => ({ name: 'p', hard: CPU, used: { 'requests.cpu': '900m' }, ...more });
  const both = now([other(), { name: 'q', hard: CPU, used: { 'requests.cpu': '800m' } }], { 'requests.cpu': '500m' });
  assert.equal(
    both.evidence.map(({ from }) => from),
    ['quota q now', 'quota p now'],
    'the one that refused comes first',
  );
  assert.equal(both.advice, [`\`requests.cpu\` of quota \`p\` is short too: ${text('900m', '1', '500m')}.`]);
  const fits = now([other({ used: {} }), { name: 'q', hard: CPU, used: { 'requests.cpu': '800m' } }], { 'requests.cpu': '500m' });
  assert.equal([fits.evidence.length, fits.advice], [1, []], 'one with room is not shown');
  assert.equal(now([other({ scopes: ['BestEffort'] })]), { evidence: [], advice: [] }, 'one with scopes may not count the pod');
  assert.equal(now([{ ...other(), name: 'q', scopes: ['BestEffort'] }]).evidence.length, 1, 'except the one that refused');
  assert.equal(now([other({ used: {} })]).advice, [], 'only the one that refused can have room');
});
test('what a quota counts', () => {
  assert.equal(now([{ name: 'q', hard: { 'requests.storage': '1Gi' } }]).evidence, [], 'nothing of the pod');
  assert.equal(
    now([{ name: 'q', hard: { 'requests.storage': '1Gi' } }], { 'requests.storage': '2Gi' }).evidence[0]?.from,
    'quota q now',
    'what the message asks',
  );
  assert.equal(now([{ name: 'q', hard: { 'requests.cpu': 'much' } }]).evidence, []);
  const [first, second] = [
    now([{ name: 'q', hard: { 'requests.cpu': '0.3' }, used: { 'requests.cpu': '0.1' } }], { 'requests.cpu': '0.2' }),
    now([{ name: 'q', hard: { 'requests.cpu': '0.3' }, used: { 'requests.cpu': '0.1' } }], { 'requests.cpu': '0.201' }),
  ];
  assert.equal([first.advice.length, second.advice.length], [1, 0], 'sums of fractions');
});

const template = (spec: object, metadata: object = {}) =>
  anInput(
    {},
    {},
    {
      manifest: {
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { metadata, spec: { containers: [{ name: 'app', image: 'a', ...spec }] } } },
      },
    },
  ).place()!;
test('a level of Pod Security for a workload', () => {
  const { changes, complete } = podSecurityChanges(template({ securityContext: { privileged: true } }), 'baseline');
  assert.equal(
    changes.map(({ path, from, to }) => [path, from, to]),
    [['spec.template.spec.containers[0].securityContext.privileged', true, false]],
  );
  assert.match(changes[0]?.why ?? '', /^the level forbids that `app` .*$/);
  assert.ok(complete);
  assert.match(
    podSecurityChanges(aPlace({}, { hostNetwork: true }), 'baseline').changes[0]?.why ?? '',
    /^the level forbids that the pod .*$/,
  );
});
test('a user is named only where root is forbidden', () => {
  const users = (container: object, level: 'baseline' | 'restricted') =>
    podSecurityChanges(aPlace(container), level)
      .changes.filter(({ path }) => path.endsWith('.runAsUser'))
      .map(({ to, why }) => [to, why]);
  assert.equal(users({}, 'restricted'), [[1000, 'an image whose user is root does not start as another one by itself']]);
  assert.equal(users({ securityContext: { privileged: true } }, 'baseline'), []);
});

const words = (one: Correction | undefined) => [one?.title, one?.explanation, ...(one?.changes.map(({ why }) => why) ?? [])];
const ACCEPTED = 'The API server then accepts the pods, if the policy asks nothing else.';
test('what people read about policies', () => {
  assert.equal(words(withinBound(aPlace({ resources: { limits: { cpu: '2' }, requests: { cpu: '2' } } }), 'cpu limit must not exceed 1')), [
    'Set `limits.cpu` as the policy says',
    ACCEPTED,
    'the message of the policy names this bound',
    'a request may not be larger than its limit',
  ]);
  assert.equal(words(pulledAsSaid(aPlace(), 'imagePullPolicy must be Always')), [
    'Set `imagePullPolicy` to `Always`',
    ACCEPTED,
    'the message of the policy says so',
  ]);
  assert.equal(words(unprivilegedPorts(anInput())[0]), [
    'Set the sysctl `net.ipv4.ip_unprivileged_port_start` to `0`',
    'Pod Security allows this sysctl, and the container needs no capability.',
    'every user may then open any port of the pod',
  ]);
  assert.equal(unprivilegedPorts(anInput({}, {}, { container: 'gone' })), []);
  const sysctls = { securityContext: { sysctls: [{ name: 'a', value: '1' }] } };
  assert.equal(words(withoutSysctl(aPlace({}, sysctls), 'a')[0]), [
    'Remove the kernel parameter `a`',
    'The parameter then has the value of the node. A mirror shows whether that is enough for the program.',
    'the node does not allow `a`',
  ]);
});
test('what people read about accounts and capabilities', () => {
  const accounts = { surroundings: { serviceAccounts: ['default', 'shop'] } };
  const [typo, none] = existingAccount(anInput({}, { serviceAccountName: 'shp', serviceAccount: 'shp' }, accounts), 'shp');
  assert.equal(words(typo), ['Use the service account `shop`', 'The namespace has the account `shop`.', '`shp` looks like a typo of it']);
  assert.equal(words(none), [
    "Use the namespace's own service account",
    'The pods then run without the rights that the missing account was to have.',
    'every namespace has the account `default`',
    'an older name of the same field',
  ]);
  assert.equal(words(existingAccount(anInput({}, { serviceAccountName: 'other' }, accounts), 'other')[0]), [
    'Use the service account `shop`',
    'Look first at what it may do (`kubectl auth can-i --list --as=system:serviceaccount:shop:shop`).',
    'it is the only account of the namespace that somebody made',
  ]);
  assert.equal(words(otherAccount(anInput({}, {}, accounts), '')[0]), [
    'Run as the service account `shop`',
    'The namespace has the account `shop`. Look first at what it may do (`kubectl auth can-i --list --as=…:shop`).',
    'the pod names no service account, so it runs as `default`',
  ]);
  const lacks = (line: string, capabilities: object) =>
    words(lackingCapability(anInput({ securityContext: { capabilities } }), line)?.corrections[0]);
  assert.equal(lacks('setuid: not permitted', { drop: ['ALL'] }), [
    'Add the capability `SETGID` and `SETUID`',
    'The container drops `SETGID` and `SETUID`. Add nothing else back.',
    'the program needs it',
  ]);
  assert.is(
    lacks('iptables: not permitted', {})[1],
    'No container has `NET_ADMIN` by default. Decide first whether this program may have it.',
  );
  assert.equal(lacks('not permitted', { add: ['CAP_KILL', 'CAP_CHOWN'] }), [
    'Write `KILL` and `CHOWN`',
    'The container was meant to have it.',
    'Kubernetes adds `CAP_` itself',
    'Kubernetes adds `CAP_` itself',
  ]);
});
const bound = (spec: object, message: string) => withinBound(aPlace({}, spec), message)?.changes.map(({ path, to }) => [path, to]);
test('the bound that belongs to a field', () => {
  const GRACE = 'terminationGracePeriodSeconds';
  assert.equal(
    bound({ [GRACE]: 90 }, `at most 20. ${GRACE} must be at most 30; port at most 10`),
    [[`spec.${GRACE}`, 30]],
    'stands behind it',
  );
  for (const field of ['env', 'envFrom', 'command', 'args', 'nodeSelector', 'affinity', 'labels', 'annotations', 'value', 'image'])
    assert.is(bound({ other: { [field]: { aNumber: 9 } } }, 'aNumber must be at most 3'), undefined, field);
  assert.equal(bound({ other: { aNumber: 9 } }, 'aNumber must be at most 3'), [['spec.other.aNumber', 3]]);
  assert.is(
    bound({ other: { aNumber: 9 } }, 'the aNumber of aNumber of aNumber of aNumber of aNumber must be at most 3'),
    undefined,
    'of a name that is everywhere',
  );
  assert.equal(bound({ a: { aSize: '2Gi' } }, 'aSize must be at most 1Gi'), [['spec.a.aSize', '1Gi']]);
  assert.is(bound({ a: { aSize: '2Gi' } }, 'aSize must be less than 1Gi'), undefined, 'nobody knows what is less than a quantity');
  assert.is(bound({ [GRACE]: 90 }, `${'x'.repeat(1000)} ${GRACE} must be at most 30`), undefined, 'far behind');
});

test.run();
