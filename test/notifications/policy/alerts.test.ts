import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { composeNotification } from '../../../src/notifications/policy/compose.ts';
import type { AlertView, IncidentView } from '../../../src/notifications/policy/view.ts';
import { slack } from '../../../src/notifications/types/slack.ts';
import { teams } from '../../../src/notifications/types/teams.ts';
import { T0, Teller } from '../../support/notifications/teller.ts';
import { targetOf } from '../../support/notifications/targets.ts';
import { anIncident } from '../../support/notifications/view.ts';

const test = suite('alerts and actions in messages');
const ALERT: AlertView = { name: 'KubePodCrashLooping', severity: 'critical', summary: 'web restarts' };
const compose = (event: 'incident_opened' | 'alert' | 'resolved', incidents: IncidentView[]) => ({
  ...composeNotification({ event, groupKey: 'k', incidents, cluster: 'test', baseUrl: null, startedAt: T0, now: T0 }),
  ...{ id: 'm1', key: 'k1' },
});

test('an alert that joins an incident is told once in its thread; its end is no news', () => {
  const teller = new Teller({}, true);
  teller.set(anIncident());
  assert.equal(teller.tell(0), ['incident_opened']);
  teller.set(anIncident({ alerts: [ALERT] }));
  assert.equal(teller.tell(5), ['alert']);
  assert.equal(teller.tell(10), []);
  teller.set(anIncident({ alerts: [{ ...ALERT, name: 'Another' }, ALERT] }));
  assert.equal(teller.tell(15), ['alert']);
  teller.set(anIncident({ alerts: [] }));
  assert.equal(teller.tell(20), []);
});

test('whoever wants no alerts hears none', () => {
  const teller = new Teller({ filter: { events: ['incident_opened', 'resolved'] } }, true);
  teller.set(anIncident());
  teller.tell(0);
  teller.set(anIncident({ alerts: [ALERT] }));
  assert.equal(teller.tell(5), []);
});

test('a message names the alerts, and says what is new', () => {
  const said = compose('alert', [anIncident({ alerts: [ALERT] })]);
  assert.is(said.news, 'Alertmanager reports this too: KubePodCrashLooping (critical): web restarts');
  assert.equal(
    said.facts.find(({ name }) => name === 'Alerts'),
    { name: 'Alerts', value: 'KubePodCrashLooping' },
  );
});

test('an alert is a reply in the thread of a bot', () => {
  const target = targetOf('slack', 'https://slack.example/api');
  const said = { notification: compose('alert', [anIncident({ alerts: [ALERT] })]), target, place: { ts: '1.1', channel: 'C1' }, now: T0 };
  const requests = slack
    .requests(said)
    .map(({ url, body }) => [url.split('/').at(-1), (JSON.parse(body) as { thread_ts?: string }).thread_ts]);
  assert.equal(requests, [
    ['chat.update', undefined],
    ['chat.postMessage', '1.1'],
  ]);
});

const buttonsIn = (type: 'slack' | 'teams', secret: Record<string, string>, notification: ReturnType<typeof compose>): string => {
  const usual = targetOf(type, 'https://chat.example/api');
  const target = { ...usual, secret: { ...usual.secret, ...secret } };
  return (type === 'slack' ? slack : teams).requests({ notification, target, place: null, now: T0 })[0]?.body ?? '';
};
const SIGNED = { signingSecret: 'secret' };

test('buttons are where a press can be signed, and where one incident fails', () => {
  const one = compose('incident_opened', [anIncident()]);
  const shown = buttonsIn('slack', SIGNED, one);
  for (const action of ['acknowledge', 'resolve', 'ignore_1d', 'ignore_7d', 'try', 'logs', 'patch'])
    assert.ok(shown.includes(`"podmend.${action}"`), action);
  assert.ok(shown.includes('"value":"7/70"'));
  assert.not(buttonsIn('slack', {}, one).includes('"actions"'), 'without a secret');
  assert.not(
    buttonsIn('slack', SIGNED, compose('resolved', [anIncident({ open: 0, active: 0 })])).includes('"actions"'),
    'when it is over',
  );
  assert.not(
    buttonsIn('slack', SIGNED, compose('incident_opened', [anIncident(), anIncident({ id: 8 })])).includes('"actions"'),
    'of a group',
  );
});

test('Teams gets the command, because it signs no press', () => {
  assert.match(buttonsIn('teams', SIGNED, compose('incident_opened', [anIncident()])), /mention the outgoing webhook: acknowledge #70/);
  assert.not(buttonsIn('teams', {}, compose('incident_opened', [anIncident()])).includes('outgoing webhook'));
});

test.run();
