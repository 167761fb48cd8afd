import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationFilter } from '../../../src/crd/notificationprovider.ts';
import { hears, isWanted } from '../../../src/notifications/policy/filter.ts';
import {
  cascadeTitle,
  findingsStorm,
  groupOf,
  isSummary,
  openingsLeft,
  STORM,
  summaryOf,
} from '../../../src/notifications/policy/group.ts';
import type { IncidentView } from '../../../src/notifications/policy/view.ts';

const test = suite('who hears what, in which message');

const NOW = new Date('2026-05-01T10:00:00Z');
const incident = (over: Partial<IncidentView> = {}): IncidentView => ({
  ...{ id: 3, cluster: 'test', namespace: 'shop', owner: 'Deployment/web', container: 'app', family: 'crash', open: 1, active: 1 },
  ...{ occurrences: 1, recordId: 1, pod: 'web-1', node: 'n1', labels: { app: 'web' }, reason: 'OOMKilled', message: '', solution: null },
  ...{ verdict: null, openedAt: NOW, alerts: [] },
  ...over,
});
const finding = (severity: string): IncidentView => incident({ finding: { severity, remediation: '' } as never, reason: 'privileged' });

const WANTED: [sentence: string, filter: NotificationFilter | undefined, view: IncidentView, is: boolean][] = [
  ['no filter', undefined, incident(), true],
  ['its namespace', { namespaces: ['bank', 'sh*'] }, incident(), true],
  ['another namespace', { namespaces: ['bank'] }, incident(), false],
  ['its namespace is left out', { excludeNamespaces: ['sh*'] }, incident(), false],
  ['another namespace is left out', { excludeNamespaces: ['bank'] }, incident(), true],
  ['its namespace, which is also left out', { namespaces: ['*'], excludeNamespaces: ['shop'] }, incident(), false],
  ['its label', { labelSelector: { matchLabels: { app: 'web' } } }, incident(), true],
  ['another label', { labelSelector: { matchLabels: { app: 'api' } } }, incident(), false],
  ['its reason', { reasons: ['OOM*'] }, incident(), true],
  ['another reason', { reasons: ['Error'] }, incident(), false],
  ['a severity says nothing of failures', { minSeverity: 'critical' }, incident(), true],
  ['a high finding, without a severity', {}, finding('high'), true],
  ['a critical finding, without a severity', undefined, finding('critical'), true],
  ['a medium finding, without a severity', {}, finding('medium'), false],
  ['a medium finding that is asked for', { minSeverity: 'medium' }, finding('medium'), true],
  ['a high finding where only critical ones are asked for', { minSeverity: 'critical' }, finding('high'), false],
  ['a finding where reasons of failures are asked for', { reasons: ['*'] }, finding('critical'), false],
  ['a finding of a namespace that is left out', { excludeNamespaces: ['shop'] }, finding('critical'), false],
];
for (const [sentence, filter, view, is] of WANTED)
  test(`${sentence}: ${is ? '' : 'not '}wanted`, () => assert.is(isWanted(filter, view), is));

test('events: all, some, without the end; a test is always heard', () => {
  const heard = (filter: NotificationFilter | undefined) =>
    (['incident_opened', 'verdict', 'resolved', 'test'] as const).filter((event) => hears(filter ? { filter } : {}, event));
  assert.equal(heard(undefined), ['incident_opened', 'verdict', 'resolved', 'test']);
  assert.equal(heard({ sendResolved: false }), ['incident_opened', 'verdict', 'test']);
  assert.equal(heard({ sendResolved: true }), ['incident_opened', 'verdict', 'resolved', 'test']);
  assert.equal(heard({ events: ['verdict'] }), ['verdict', 'test']);
  assert.equal(heard({ events: ['verdict', 'resolved'], sendResolved: false }), ['verdict', 'test']);
});

const PULL = (host: string, why: string) => `Failed to pull image "${host}/shop/web:1": ${why}`;
const GROUPS: [sentence: string, by: string[] | undefined, view: IncidentView, key: string][] = [
  ['nothing is said', undefined, incident(), 'incident:shop/Deployment/web/app/crash'],
  ['by workload', ['workload'], incident(), 'workload:shop/Deployment/web'],
  ['by namespace and reason', ['namespace', 'reason'], incident(), 'namespace:shop reason:OOMKilled'],
  ['by node', ['node'], incident(), 'node:n1'],
  ['by node, which is not known', ['node'], incident({ node: null }), 'incident:shop/Deployment/web/app/crash'],
  ['a lost node', ['namespace'], incident({ reason: 'NodeLost' }), 'lost node:n1'],
  ['a lost node that is not known', ['namespace'], incident({ reason: 'NodeLost', node: null }), 'namespace:shop'],
  [
    'a full quota',
    undefined,
    incident({ reason: 'FailedCreate', message: 'pods "x" is forbidden: Exceeded quota: team' }),
    'full quota:shop',
  ],
  ['another refusal', ['namespace'], incident({ reason: 'FailedCreate', message: 'denied' }), 'namespace:shop'],
  ['a quota in the words of a program', ['namespace'], incident({ message: 'exceeded quota' }), 'namespace:shop'],
  ['a registry that is away', undefined, incident({ message: PULL('quay.io', 'dial tcp: i/o timeout') }), 'silent registry:quay.io'],
  ['a registry on this machine', undefined, incident({ message: PULL('localhost:5000', '503 Service') }), 'silent registry:localhost:5000'],
  ['an image that is not there', ['namespace'], incident({ message: PULL('quay.io', 'not found') }), 'namespace:shop'],
  ['findings of a resource, each day', undefined, finding('high'), 'finding resource:shop/Deployment/web 2026-05-01'],
  ['findings by namespace, each day', ['namespace'], finding('high'), 'finding namespace:shop 2026-05-01'],
];
for (const [sentence, by, view, key] of GROUPS)
  test(`one message for ${sentence}`, () => assert.is(groupOf(by ? ({ by } as never) : undefined, view, NOW), key));

test('what affects many has a title, other groups have none', () => {
  assert.is(cascadeTitle('lost node:n1'), 'Node n1 is lost');
  assert.is(cascadeTitle('full quota:shop'), 'The quota of shop is full');
  assert.is(cascadeTitle('silent registry:localhost:5000'), 'Registry localhost:5000 does not answer');
  assert.equal([cascadeTitle('node:n1'), cascadeTitle('namespace:shop reason:x'), cascadeTitle('')], [undefined, undefined, undefined]);
});

test('a storm is more than twenty openings in five minutes, of findings more than five; each counts apart', () => {
  const openings = (groupKey: string, count: number, minutesAgo: number) =>
    Array.from({ length: count }, () => ({ groupKey, at: new Date(NOW.getTime() - minutesAgo * 60_000) }));
  assert.equal([openingsLeft('incident:a', [], NOW), openingsLeft('finding a', [], NOW)], [20, 5]);
  const mixed = [...openings('incident:a', 20, 4.9), ...openings('finding a', 2, 1), ...openings('incident:a', 9, 5)];
  assert.equal([openingsLeft('incident:b', mixed, NOW), openingsLeft('finding b', mixed, NOW)], [0, 3]);
  assert.equal([summaryOf('incident:a', NOW), summaryOf('finding a', NOW)], [STORM, 'finding storm:2026-05-01']);
  assert.equal([STORM, findingsStorm(NOW), 'incident:a', 'finding a'].map(isSummary), [true, true, false, false]);
});

test.run();
