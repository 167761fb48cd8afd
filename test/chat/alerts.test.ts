import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Alert } from '../../src/contract/alert.ts';
import { json } from '../../src/db/json.ts';
import { notificationRepository } from '../../src/db/notifications.ts';
import type { ShownFailure } from '../../src/contract/failure.ts';
import { memoryStore } from '../support/database/store.ts';
import { freePort } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN } from '../support/worlds/app.ts';
import { type ChatWorld, chatWorld } from '../support/worlds/chat.ts';

const URL = '/api/alerts/alertmanager';
const T0 = '2026-05-01T10:00:00Z';

/** A webhook message in the form that Alertmanager's documentation shows. */
function message(labels: Record<string, string>, { status = 'firing', fingerprint = 'f1', annotations = {}, group = 'g' } = {}) {
  const alert = { status, labels, annotations: { summary: 'It fails.', ...annotations }, startsAt: T0, endsAt: '0001-01-01T00:00:00Z' };
  return {
    ...{ version: '4', groupKey: group, truncatedAlerts: 0, status, receiver: 'podmend', groupLabels: {}, commonLabels: {} },
    ...{ commonAnnotations: {}, externalURL: 'http://alertmanager:9093' },
    alerts: [{ ...alert, generatorURL: 'http://prometheus:9090/graph?g0.expr=up', fingerprint }],
  };
}

const test = suite('alerts of Alertmanager');
let it: ChatWorld;
const post = (payload: object, headers: Record<string, string> = { 'x-service-token': SERVICE_TOKEN }) =>
  it.app.inject({ method: 'POST', url: URL, headers, payload });
const take = async (labels: Record<string, string>, more: Parameters<typeof message>[1] = {}) => {
  const answer = await post(message({ alertname: 'KubePodCrashLooping', severity: 'critical', ...labels }, more));
  assert.is(answer.statusCode, 200, answer.payload);
  return answer.json<{ joined: number; unknown: number; ignored: number }>();
};
const shown = async (id: number) => (await it.send('read', { url: `/api/pods/failed/${id}` })).json<ShownFailure>();
const listed = async () => (await it.send('read', { url: '/api/alerts' })).json<Alert[]>();
const told = async () => {
  const rows = await it.store.db.selectFrom('notification_deliveries').select(['provider', 'event', 'message']).orderBy('id').execute();
  return rows.map(({ provider, event, message: said }) => `${provider} ${event} ${(said as { title: string }).title}`);
};
const changed = async () => (await it.store.db.selectFrom('notification_changes').select('incident_id').execute()).length;

test.before(async () => {
  it = await chatWorld(memoryStore);
});
test.after(() => it.close());
test.before.each(async () => {
  for (const table of [
    'alerts',
    'notification_threads',
    'notification_changes',
    'notification_providers',
    'failures',
    'incidents',
  ] as const)
    await it.store.db.deleteFrom(table).execute();
});

const JOINS: [what: string, labels: Record<string, string>][] = [
  ['of its pod', { namespace: 'shop', pod: 'web-1', container: 'app' }],
  [
    'of its pod under the name that Prometheus gives it',
    { namespace: 'monitoring', exported_namespace: 'shop', pod: 'ksm-0', exported_pod: 'web-1' },
  ],
  ['of its Deployment, whatever pod counts it', { namespace: 'shop', deployment: 'web', pod: 'kube-state-metrics-0' }],
];
for (const [what, labels] of JOINS)
  test(`an alert joins the incident ${what}, and the failure shows it`, async () => {
    const { id, value } = await it.fail();
    assert.equal(await take(labels), { joined: 1, unknown: 0, ignored: 0 });
    const [alert, ...others] = (await shown(id)).alerts;
    assert.equal(
      [alert?.name, alert?.severity, alert?.status, alert?.incident_id, others.length],
      ['KubePodCrashLooping', 'critical', 'firing', Number(value.split('/')[0]), 0],
    );
    assert.equal(await told(), [], 'the incident tells it');
  });

test('the label of a hidden namespace in which an exporter runs is not shown', async () => {
  const { id } = await it.fail();
  await take({ namespace: 'hidden', exported_namespace: 'shop', exported_pod: 'web-1', pod: 'exporter-0' });
  const [alert] = (await shown(id)).alerts;
  assert.equal([alert?.labels['exported_namespace'], alert?.labels['namespace']], ['shop', undefined]);
});

test('an alert that was stored before its namespace was hidden is not shown, in the list or with an incident', async () => {
  const { id } = await it.fail();
  await take({ namespace: 'shop', pod: 'web-1', exported_namespace: 'shop' });
  await take({ namespace: 'shop', pod: 'web-2', exported_namespace: 'shop' }, { fingerprint: 'f2' });
  assert.equal([(await listed()).length, (await shown(id)).alerts.length], [2, 1]);
  await it.store.db
    .updateTable('alerts')
    .set({ labels: json({ exported_namespace: 'hidden' }) })
    .execute();
  assert.equal([await listed(), (await shown(id)).alerts], [[], []]);
});

test('an alert about a node joins what fails because of that node, and nothing else', async () => {
  const lost = await it.fail({
    identity: 'l',
    pod_uid: 'l',
    pod_name: 'lost',
    owner: 'Deployment/lost',
    family: 'node',
    failure_reason: 'NodeLost',
  });
  // It is newer, and on the same node.
  const crash = await it.fail();
  await take({ alertname: 'KubeNodeNotReady', node: 'node-1' });
  assert.equal([(await shown(crash.id)).alerts.length, (await shown(lost.id)).alerts.length], [0, 1]);
});

test('an alert that comes before the record joins it later, and is told then', async () => {
  await it.store.db.insertInto('notification_providers').values({ cluster: 'test', provider: 'slack' }).execute();
  assert.is((await take({ namespace: 'shop', deployment: 'web' })).unknown, 1);
  assert.is((await take({ namespace: 'shop', pod: 'web-1' }, { fingerprint: 'f2' })).unknown, 1);
  const { id } = await it.fail();
  assert.is((await shown(id)).alerts.length, 2);
  assert.ok((await changed()) >= 2);
});

test('the incident is looked at when an alert joins it and when it ends, and not when it repeats', async () => {
  await it.store.db.insertInto('notification_providers').values({ cluster: 'test', provider: 'slack' }).execute();
  await it.fail();
  const before = await changed();
  await take({ namespace: 'shop', pod: 'web-1' });
  await take({ namespace: 'shop', pod: 'web-1' });
  assert.is(await changed(), before + 1);
  await take({ namespace: 'shop', pod: 'web-1' }, { status: 'resolved' });
  assert.is(await changed(), before + 2);
});

test('of an alert that starts again and again without an end, the newest are used', async () => {
  const { value } = await it.fail();
  const begins = (index: number) => ({
    ...message({ alertname: `A${index}`, namespace: 'shop', pod: 'web-1' }).alerts[0]!,
    startsAt: new Date(Date.parse(T0) + index * 1_000).toISOString(),
  });
  const all = { ...message({ alertname: 'A' }), alerts: Array.from({ length: 120 }, (_, index) => begins(index)) };
  assert.is((await post(all)).json<{ joined: number }>().joined, 120);
  const [view] = await notificationRepository(it.store.db, 'test').incidents([Number(value.split('/')[0])]);
  assert.equal([view?.alerts.length, view?.alerts[0]?.name, view?.alerts.at(-1)?.name], [100, 'A119', 'A20']);
});

test('a resolved alert resolves nothing', async () => {
  const { id } = await it.fail();
  await take({ namespace: 'shop', pod: 'web-1' });
  await take({ namespace: 'shop', pod: 'web-1' }, { status: 'resolved' });
  const record = await shown(id);
  assert.equal([record.status, record.alerts.map(({ status }) => status)], ['new', ['resolved']]);
});

test('an unknown alert is stored and forwarded once, as it came; its end goes to the providers that got its start', async () => {
  assert.equal(await take({ namespace: 'shop', pod: 'nobody' }), { joined: 0, unknown: 1, ignored: 0 });
  await take({ namespace: 'shop', pod: 'nobody' });
  const once = ['slack alert Alert: KubePodCrashLooping', 'teams alert Alert: KubePodCrashLooping'];
  assert.equal(await told(), once);
  assert.equal(
    (await listed()).map(({ name, incident_id }) => [name, incident_id]),
    [['KubePodCrashLooping', null]],
  );
  await take({ namespace: 'shop', pod: 'nobody' }, { status: 'resolved' });
  assert.equal((await told()).slice(2), ['slack resolved Resolved: KubePodCrashLooping', 'teams resolved Resolved: KubePodCrashLooping']);
  await take({ namespace: 'shop', pod: 'another' }, { status: 'resolved', fingerprint: 'f9', group: 'never told' });
  assert.is((await told()).length, 4);
});

test('a provider gets no message that it has not chosen', async () => {
  const [slack, teams] = it.providers as [(typeof it.providers)[0], (typeof it.providers)[0]];
  const kept = [slack.spec, teams.spec];
  slack.spec = { ...slack.spec, filter: { namespaces: ['bank'] } };
  teams.spec = { ...teams.spec, filter: { events: ['verdict'] } };
  try {
    await take({ namespace: 'shop', pod: 'nobody' });
    assert.equal(await told(), []);
  } finally {
    [slack.spec, teams.spec] = kept as [typeof slack.spec, typeof teams.spec];
  }
});

test('alerts of Podmend itself, hidden ones and alerts without a time are ignored', async () => {
  assert.is((await take({ alertname: 'PodmendIncident', podmend_key: 'k', namespace: 'shop' })).ignored, 1);
  assert.is((await take({ namespace: 'hidden', pod: 'web-1' })).ignored, 1);
  assert.is((await take({ kubernetes_namespace: 'hidden', node: 'node-1' })).ignored, 1);
  assert.is((await take({ kube_ns: 'hidden', node: 'node-1' })).ignored, 1);
  assert.is((await take({ namespace: 'shop', exported_namespace: 'hidden' })).ignored, 1);
  assert.is((await take({ exported_namespace: 'hidden', node: 'node-1' })).ignored, 1);
  const odd = message({ alertname: 'A' });
  odd.alerts[0]!.startsAt = 'yesterday';
  assert.is((await post(odd)).json<{ ignored: number }>().ignored, 1);
  assert.equal([await listed(), await told()], [[], []]);
});

const ODD: [what: string, over: object, answer: Partial<Record<'unknown' | 'ignored', number>>][] = [
  ['NUL in labels', { labels: { alertname: 'A\0', namespace: 'sh\0op', pod: 'web\0-1', severity: 'x\0' } }, { unknown: 2 }],
  ['NUL in its fingerprint', { fingerprint: 'f\0' }, { unknown: 2 }],
  ['half a character', { labels: { alertname: 'A\ud800' } }, { unknown: 2 }],
  ['a begin before all calendars', { startsAt: '-100000-01-01T00:00:00Z' }, { unknown: 1, ignored: 1 }],
  ['a begin after the year 9999', { startsAt: '+012026-09-12T00:00:00Z' }, { unknown: 1, ignored: 1 }],
  ['an end after the year 9999', { status: 'resolved', endsAt: '+275760-09-12T00:00:00Z' }, { unknown: 2 }],
];
for (const [what, over, expected] of ODD)
  test(`an alert with ${what} does not affect the others in its message`, async () => {
    const both = message({ alertname: 'B', namespace: 'shop', pod: 'nobody' }, { fingerprint: 'other' });
    both.alerts.unshift({ ...message({ alertname: 'A' }).alerts[0]!, ...over });
    const answer = await post(both);
    assert.is(answer.statusCode, 200, answer.payload);
    assert.equal(answer.json(), { joined: 0, unknown: 0, ignored: 0, ...expected });
    assert.ok((await listed()).some(({ name }) => name === 'B'));
  });

test('an alert of another cluster joins no incident', async () => {
  const { id } = await it.fail();
  assert.is((await take({ namespace: 'shop', pod: 'web-1', cluster: 'elsewhere' })).unknown, 1);
  assert.is((await take({ namespace: 'shop', pod: 'web-1', cluster: 'test' }, { fingerprint: 'f2' })).joined, 1);
  assert.is((await shown(id)).alerts.length, 1);
});

test('secrets are masked and long texts are cut', async () => {
  await take({ namespace: 'shop', pod: 'x' }, { annotations: { summary: `PASSWORD=hunter2hunter2 ${'long '.repeat(2_000)}` } });
  const [alert] = await listed();
  assert.not(JSON.stringify(alert).includes('hunter2'));
  assert.ok((alert?.summary.length ?? 0) <= 500 && (alert?.annotations['summary']?.length ?? 0) <= 4_096);
});

for (const [what, headers, status] of [
  ['the service token', { 'x-service-token': SERVICE_TOKEN }, 200],
  ['the service token as a bearer', { authorization: `Bearer ${SERVICE_TOKEN}` }, 200],
  ['another bearer', { authorization: 'Bearer guess-guess-guess-guess' }, 401],
  ['nothing', {}, 401],
] as const)
  test(`with ${what}: ${status}`, async () => assert.is((await post(message({ alertname: 'A' }), headers)).statusCode, status));

for (const body of [
  {},
  { version: '3', groupKey: 'g', alerts: [] },
  { version: '4', alerts: [] },
  { version: '4', groupKey: 'g', alerts: [{}] },
  { version: '4', groupKey: 'g', alerts: 'no' },
])
  test(`${JSON.stringify(body)} is refused`, async () => assert.is((await post(body)).statusCode, 400));

const ALERTMANAGER = '/usr/bin/prometheus-alertmanager';
if (!existsSync(ALERTMANAGER)) console.log('SKIP a real Alertmanager: the package prometheus-alertmanager is not installed');
else
  test('a real Alertmanager sends, with the service token as a bearer', async () => {
    const { id } = await it.fail();
    const operator = await it.app.listen({ host: '127.0.0.1', port: 0 });
    const folder = await mkdtemp(join(tmpdir(), 'podmend-alertmanager-'));
    const token = join(folder, 'token');
    await writeFile(token, SERVICE_TOKEN);
    const receiver = {
      name: 'podmend',
      webhook_configs: [{ url: operator + URL, http_config: { authorization: { credentials_file: token } } }],
    };
    const route = { receiver: 'podmend', group_wait: '0s', group_interval: '1s', repeat_interval: '1h' };
    await writeFile(join(folder, 'config.yml'), JSON.stringify({ route, receivers: [receiver] }));
    const address = `127.0.0.1:${await freePort()}`;
    const options = [
      '--web.listen-address',
      address,
      '--cluster.listen-address=',
      '--storage.path',
      folder,
      '--config.file',
      join(folder, 'config.yml'),
    ];
    const child = spawn(ALERTMANAGER, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const ended = once(child, 'exit');
    try {
      const what = () => `Alertmanager to be ready:\n${output.slice(-2_000)}`;
      await until(async () => (await fetch(`http://${address}/-/ready`)).ok, { what, timeoutMs: 60_000 });
      const send = async (endsAt?: Date) => {
        const labels = { alertname: 'KubeDeploymentReplicasMismatch', namespace: 'shop', deployment: 'web' };
        const alert = {
          labels,
          annotations: { summary: 'web has too few replicas' },
          startsAt: new Date().toISOString(),
          ...(endsAt && { endsAt }),
        };
        const answer = await fetch(`http://${address}/api/v2/alerts`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify([alert]),
        });
        assert.is(answer.status, 200);
      };
      await send();
      const alerts = async () => (await shown(id)).alerts;
      await until(async () => (await alerts())[0]?.status === 'firing', {
        what: () => `the alert to join:\n${output.slice(-2_000)}`,
        timeoutMs: 60_000,
      });
      assert.is((await alerts())[0]?.summary, 'web has too few replicas');
      await send(new Date());
      await until(async () => (await alerts())[0]?.status === 'resolved', {
        what: () => `its end:\n${output.slice(-2_000)}`,
        timeoutMs: 60_000,
      });
      assert.equal([(await alerts()).length, (await shown(id)).status], [1, 'new']);
    } finally {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    }
  });

test.run();
