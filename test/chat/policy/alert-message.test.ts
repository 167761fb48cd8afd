import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { composeAlerts, isAlertWanted } from '../../../src/chat/policy/alert-message.ts';
import type { NotificationFilter } from '../../../src/crd/notificationprovider.ts';

const test = suite('messages about alerts');

const WANTED: [filter: NotificationFilter | undefined, namespace: string | null, is: boolean][] = [
  [undefined, 'shop', true],
  [{ namespaces: ['sh*'] }, 'shop', true],
  [{ namespaces: ['bank'] }, 'shop', false],
  [{ namespaces: ['bank'] }, null, true],
  [{ excludeNamespaces: ['sh*'] }, 'shop', false],
  [{ excludeNamespaces: ['sh*'] }, 'bank', true],
  [{ excludeNamespaces: ['*'] }, null, true],
  [{ labelSelector: { matchLabels: { app: 'web' } } }, 'shop', false],
  [{ reasons: ['*'] }, 'shop', false],
  [{ minSeverity: 'critical' }, 'shop', true],
];
for (const [filter, namespace, is] of WANTED)
  test(`${JSON.stringify(filter ?? {})} ${is ? 'takes' : 'leaves'} an alert of ${namespace}`, () =>
    assert.is(isAlertWanted(filter, { namespace }), is));

const NOW = new Date('2026-05-01T10:00:00Z');
type Alerts = Parameters<typeof composeAlerts>[0];
const alert = (name: string, over: object = {}): Alerts[0] =>
  ({
    ...{ name, status: 'firing', severity: null, summary: '', labels: {}, namespace: 'shop', pod: null, owner: null, node: null },
    ...{ starts_at: NOW, ...over },
  }) as Alerts[0];
const composed = (...alerts: Alerts) => composeAlerts(alerts, { cluster: 'test', now: NOW });
const over = { status: 'resolved' };

test('one alert: its name, its object and its labels, without those of the metric', () => {
  const labels = { alertname: 'Down', job: 'x', severity: 'critical', team: 'shop', tier: 'front' };
  const message = composed(alert('Down', { labels, severity: 'critical', summary: 'It is down.', pod: 'web-1' }));
  assert.equal([message?.event, message?.title, message?.text], ['alert', 'Alert: Down', 'Down (critical): It is down.']);
  assert.equal(message?.facts, [
    { name: 'Cluster', value: 'test' },
    { name: 'team', value: 'shop' },
    { name: 'tier', value: 'front' },
  ]);
  assert.equal([message?.namespace, message?.workload, message?.reason], ['shop', 'Pod/web-1', 'Down']);
});

test('at most eight labels, and none where there are several alerts', () => {
  const labels = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`l${n}`, 'x']));
  assert.is(composed(alert('Down', { labels }))?.facts.length, 9);
  assert.is(composed(alert('Down', { labels }), alert('Slow'))?.facts.length, 1);
});

test('several alerts: three names at most, and fifteen lines', () => {
  const many = ['a', 'a', 'b', 'c', 'd'].map((name) => alert(name));
  assert.is(composed(...many)?.title, 'Alert: 5 alerts (a, b, c)');
  const lines = (count: number) => composed(...Array.from({ length: count }, () => alert('a')))?.text.split('\n');
  assert.is(lines(15)?.length, 15);
  assert.equal(lines(16)?.slice(-2), ['a', 'and 1 more']);
});

test('it is over when none fires; until then those that are over are marked', () => {
  const both = composed(alert('a', over), alert('b'));
  assert.equal([both?.event, both?.reason, both?.text], ['alert', 'b', 'resolved: a\nb']);
  const ended = composed(alert('a', over), alert('b', over));
  assert.equal([ended?.event, ended?.title, ended?.text], ['resolved', 'Resolved: 2 alerts (a, b)', '']);
  assert.is(composed(), undefined);
});

test('what an alert is about: its workload, else its pod, else its node', () => {
  const about = (given: object) => composed(alert('a', given))?.workload;
  assert.equal([{ owner: 'Deployment/web', pod: 'p', node: 'n' }, { pod: 'p', node: 'n' }, { node: 'n' }, {}].map(about), [
    'Deployment/web',
    'Pod/p',
    'Node/n',
    '-',
  ]);
  assert.is(composed(alert('a', { namespace: null }))?.namespace, '-');
});

test.run();
