import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionMatch } from '../../../src/crd/suppression.ts';
import {
  effectOf,
  findSuppression,
  isStalled,
  suppressionsOf,
  type TenantRules,
  whyFirst,
} from '../../../src/suppressions/policy/match.ts';
import type { Subject } from '../../../src/crd/suppression-subject.ts';
import { aSuppression } from '../../support/builders/suppression.ts';

const now = new Date('2026-06-01T12:00:00Z');
const RULES: TenantRules = { operatorNamespace: 'podmend', tenantsHideHigh: false };
const find = (subject: Subject, ...suppressions: Parameters<typeof findSuppression>[1]) =>
  findSuppression(subject, suppressions, now, RULES)?.metadata.name;

const failure: Subject = {
  namespace: 'shop',
  pod_name: 'web-7d9f-abc',
  labels: { app: 'web', tier: 'front' },
  failure_reason: 'CrashLoopBackOff',
  images: ['registry.example/team/web:1'],
};
const finding: Subject = {
  namespace: 'shop',
  pod_name: 'web-7d9f-abc',
  check: 'untrusted-registry',
  severity: 'medium',
  images: ['docker.io/library/nginx:1'],
};

const matching = suite('match');
const matchCases: [says: string, match: SuppressionMatch, subject: Subject, hidden: boolean][] = [
  ['a namespace', { namespaces: ['shop'] }, failure, true],
  ['another namespace', { namespaces: ['bank'] }, failure, false],
  ['namespaces are alternatives', { namespaces: ['bank', 'sh*'] }, failure, true],
  ['a pod by glob', { pods: ['web-*'] }, failure, true],
  ['a pod, but the whole name', { pods: ['web'] }, failure, false],
  ['a reason', { failureReasons: ['*BackOff'] }, failure, true],
  ['a reason does not match a finding', { failureReasons: ['*BackOff'] }, finding, false],
  ['a check', { checks: ['untrusted-registry'] }, finding, true],
  ['a check does not match a failure', { checks: ['untrusted-registry'] }, failure, false],
  ['an image, across slashes', { images: ['registry.example/*'] }, failure, true],
  ['fields add up', { pods: ['web-*'], failureReasons: ['OOMKilled'] }, failure, false],
  ['a trusted registry', { checks: ['untrusted-registry'], images: ['docker.io/*'] }, finding, true],
  ['labels', { labelSelector: { matchLabels: { app: 'web' } } }, failure, true],
  ['labels that it lacks', { labelSelector: { matchLabels: { app: 'web', zone: 'a' } } }, failure, false],
  ['labels of what has none', { labelSelector: { matchLabels: { app: 'web' } } }, { namespace: 'shop' }, false],
  ['In', { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'In', values: ['back', 'front'] }] } }, failure, true],
  ['NotIn', { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['front'] }] } }, failure, false],
  [
    'NotIn of a label it lacks',
    { labelSelector: { matchExpressions: [{ key: 'zone', operator: 'NotIn', values: ['a'] }] } },
    failure,
    true,
  ],
  ['Exists', { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Exists' }] } }, failure, true],
  ['DoesNotExist', { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'DoesNotExist' }] } }, failure, false],
  ['an unknown operator', { labelSelector: { matchExpressions: [{ key: 'tier', operator: 'Gt', values: ['1'] }] } }, failure, false],
  ['nothing at all', {}, failure, false],
  ['an empty list', { pods: [] }, failure, false],
  ['only stars', { pods: ['**'] }, failure, false],
  ['an empty selector', { labelSelector: {} }, failure, false],
];
for (const [says, match, subject, hidden] of matchCases)
  matching(`${says}: ${hidden ? 'hidden' : 'shown'}`, () => assert.is(find(subject, aSuppression(match)), hidden ? 'known' : undefined));
matching.run();

const scope = suite('scope and time');
const pods = { pods: ['web-*'] };
const inShop = { metadata: { name: 'team', namespace: 'shop' } };
scope('it applies in its own namespace', () => assert.is(find(failure, aSuppression(pods, inShop)), 'team'));
scope('it does not apply in another namespace', () =>
  assert.is(find({ ...failure, namespace: 'bank' }, aSuppression(pods, inShop)), undefined),
);
scope('outside the operator namespace it may name no namespaces', () =>
  assert.is(find(failure, aSuppression({ ...pods, namespaces: ['shop'] }, inShop)), undefined),
);
for (const [severity, hidden] of Object.entries({ critical: false, high: false, medium: true, low: true, info: true }))
  scope(`a team ${hidden ? 'may' : 'may not'} hide findings of severity ${severity}, the operator may`, () => {
    assert.is(find({ ...finding, severity }, aSuppression(pods, inShop)), hidden ? 'team' : undefined);
    assert.is(find({ ...finding, severity }, aSuppression(pods)), 'known');
    const allowed = { ...RULES, tenantsHideHigh: true };
    assert.is(findSuppression({ ...finding, severity }, [aSuppression(pods, inShop)], now, allowed)?.metadata.name, 'team');
  });
scope('suspended, it hides nothing', () => assert.is(find(failure, aSuppression(pods, { suspend: true })), undefined));
scope('it ends at its instant', () => {
  assert.is(find(failure, aSuppression(pods, { expirationTime: '2026-06-01T12:00:01Z' })), 'known');
  assert.is(find(failure, aSuppression(pods, { expirationTime: '2026-06-01T12:00:00Z' })), undefined);
  assert.is(find(failure, aSuppression(pods, { expirationTime: '2026-06-01T14:00:00.5+02:00' })), 'known');
});
scope('of several, the operator’s comes first, then the one that lasts longest, then the first name, in any order', () => {
  const named = (name: string, namespace: string, expirationTime?: string) =>
    aSuppression(pods, { metadata: { name, namespace }, ...(expirationTime ? { expirationTime } : {}) });
  const team = named('a', 'shop');
  const soon = named('b', 'podmend', '2026-06-02T00:00:00Z');
  const late = named('c', 'podmend', '2026-07-02T00:00:00Z');
  const [ever, also] = [named('d', 'podmend'), named('e', 'podmend')];
  const told = (...given: ReturnType<typeof named>[]) => {
    const all = suppressionsOf(failure, given, now, RULES);
    return `${all.map(({ metadata }) => metadata.name).join('')}: ${whyFirst(all, 'podmend')}`;
  };
  assert.is(told(also, soon, team, ever, late), 'decba: Of those that last as long, its name comes first.');
  assert.is(told(team, soon, late), 'cba: It lasts longest.');
  assert.is(told(soon, team), "ba: It is in Podmend's own namespace, which comes before others.");
  assert.is(told(team), 'a: It is the only one that matches.');
  assert.is(told(), ': ');
});
scope.run();

const effect = suite('effect');
const mistakes: [match: SuppressionMatch, message: string][] = [
  [{}, 'It names nothing to match.'],
  [{ pods: ['a'], checks: [] }, 'Its list checks is empty.'],
  [{ images: ['a', '**'] }, 'An entry of images is only *, which would hide everything.'],
  [{ namespaces: ['*'] }, 'An entry of namespaces is only *, which would hide everything.'],
  [{ failureReasons: [''] }, 'An entry of failureReasons is only *, which would hide everything.'],
  [{ pods: ['a'], labelSelector: {} }, 'Its labelSelector is empty, which would match every pod.'],
  [{ labelSelector: { matchLabels: {}, matchExpressions: [] } }, 'Its labelSelector is empty, which would match every pod.'],
  [{ labelSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }, 'It hides what it matches.'],
  [{ labelSelector: { matchLabels: { a: 'b' } } }, 'It hides what it matches.'],
];
for (const [match, message] of mistakes)
  effect(`${JSON.stringify(match)}: ${message}`, () => assert.is(effectOf(aSuppression(match), now, 'podmend').message, message));
const effects: [says: string, given: ReturnType<typeof aSuppression>, reason: string][] = [
  ['plain', aSuppression(pods), 'InEffect'],
  ['suspended', aSuppression(pods, { suspend: true }), 'Suspended'],
  ['over', aSuppression(pods, { expirationTime: '2020-01-01T00:00:00Z' }), 'Expired'],
  ['namespaces from elsewhere', aSuppression({ namespaces: ['a'] }, inShop), 'TenantRule'],
  ['an invalid time', aSuppression(pods, { expirationTime: 'tomorrow' }), 'InvalidTime'],
  ['nothing to match', aSuppression({}), 'InvalidMatch'],
  ['suspended and wrong: the mistake comes first', aSuppression({}, { suspend: true }), 'InvalidMatch'],
];
for (const [says, given, reason] of effects)
  effect(`${says}: ${reason}`, () => {
    const { active, reason: got, message } = effectOf(given, now, 'podmend');
    assert.is(got, reason);
    assert.is(active, reason === 'InEffect');
    assert.is(isStalled({ active, reason: got, message }), !['InEffect', 'Suspended', 'Expired'].includes(got));
    assert.match(message, /^[A-Z].*\.$/);
  });
effect.run();
