import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationGrouping } from '../../../src/crd/notificationprovider.ts';
import { cascadeTitle, groupOf, isOfFindings, isSummary, openingsLeft, summaryOf } from '../../../src/notifications/policy/group.ts';
import { type IncidentView, worstOf } from '../../../src/notifications/policy/view.ts';
import { anIncident } from '../../support/notifications/view.ts';

const NOW = new Date('2026-03-02T23:59:59Z');
const finding = { severity: 'low' as const, remediation: '' };
const pull = (image: string, why: string) => ({ message: `Failed to pull image "${image}": ${why}` });

type Grouped = [says: string, by: NotificationGrouping['by'], over: Partial<IncidentView>, key: string];
const keys: Grouped[] = [
  ['an incident alone', undefined, {}, 'incident:shop/Deployment/web/app/crash'],
  ['its namespace', ['namespace'], {}, 'namespace:shop'],
  ['its workload', ['workload'], {}, 'workload:shop/Deployment/web'],
  ['its reason', ['reason'], {}, 'reason:CrashLoopBackOff'],
  ['its node', ['node'], {}, 'node:node-1'],
  ['no node', ['node'], { node: null }, 'incident:shop/Deployment/web/app/crash'],
  ['two at once', ['namespace', 'reason'], {}, 'namespace:shop reason:CrashLoopBackOff'],
  ['a finding, by day', undefined, { finding }, 'finding resource:shop/Deployment/web 2026-03-02'],
  ['a finding’s namespace', ['namespace'], { finding }, 'finding namespace:shop 2026-03-02'],
  ['a lost node, whatever the grouping', ['namespace'], { reason: 'NodeLost' }, 'lost node:node-1'],
  ['a lost node without a name', ['namespace'], { reason: 'NodeLost', node: null }, 'namespace:shop'],
  ['a full quota', undefined, { reason: 'FailedCreate', message: 'pods "x" is forbidden: Exceeded quota: q' }, 'full quota:shop'],
  ['another refusal', ['reason'], { reason: 'FailedCreate', message: 'forbidden' }, 'reason:FailedCreate'],
  ['a quota in another message', ['reason'], { message: 'exceeded quota' }, 'reason:CrashLoopBackOff'],
  ...[
    'dial tcp 1.2.3.4',
    'i/o timeout',
    'no such host',
    'connection refused',
    'TLS handshake timeout',
    '502 Bad',
    '503 x',
    '504 x',
    'status 429',
    'toomanyrequests',
  ].map((why): Grouped => [`a registry: ${why}`, ['reason'], pull('quay.io/a/b:1', why), 'silent registry:quay.io']),
  ['a registry with a port', ['reason'], pull('r.example:5000/a', 'no such host'), 'silent registry:r.example:5000'],
  ['a local registry', ['reason'], pull('localhost:5000/a', 'connection refused'), 'silent registry:localhost:5000'],
  ['an image that is not there', ['reason'], pull('quay.io/a/b:1', 'not found'), 'reason:CrashLoopBackOff'],
  ['an image without a registry', ['reason'], pull('library/a', 'no such host'), 'reason:CrashLoopBackOff'],
];
for (const [says, by, over, key] of keys)
  test(`grouped by ${says}: ${key}`, () => assert.is(groupOf(by && { by }, anIncident(over), NOW), key));

test('a cause has a title, other groups have none', () => {
  assert.is(cascadeTitle('lost node:n:1'), 'Node n:1 is lost');
  assert.is(cascadeTitle('full quota:shop'), 'The quota of shop is full');
  assert.is(cascadeTitle('silent registry:r:5000'), 'Registry r:5000 does not answer');
  assert.is(cascadeTitle('namespace:shop'), undefined);
});

test('more than 20 incidents or 5 findings within five minutes are a storm', () => {
  const at = (groupKey: string, seconds: number) => ({ groupKey, at: new Date(NOW.getTime() - seconds * 1000) });
  const openings = [at('incident:a', 299.999), at('incident:b', 300), at('finding c', 0), at('finding d', 1)];
  assert.equal([openingsLeft('incident:x', openings, NOW), openingsLeft('finding x', openings, NOW)], [19, 3]);
});

test('findings are collected in the summary of the day, incidents in one', () => {
  assert.equal([summaryOf('incident:a', NOW), summaryOf('finding a', NOW)], ['storm', 'finding storm:2026-03-02']);
  assert.equal(['storm', 'finding storm:2026-03-02', 'finding a', 'incident:storm'].map(isSummary), [true, true, false, false]);
  assert.equal(['storm', 'finding a', 'incident:finding'].map(isOfFindings), [false, true, false]);
});

test('the worst severity is that of any finding', () => {
  const of = (...severities: ('low' | 'high' | 'critical')[]) =>
    worstOf(severities.map((severity) => anIncident({ finding: { ...finding, severity } })));
  assert.equal([of('low', 'critical', 'high'), of('low'), of()], ['critical', 'low', undefined]);
  assert.is(worstOf([anIncident(), anIncident({ finding })]), 'low');
});

test.run();
