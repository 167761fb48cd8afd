import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationProvider } from '../../src/crd/notificationprovider.ts';
import type { Store } from '../../src/db/connect.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { leadershipRepository } from '../../src/db/leadership.ts';
import { notificationRepository } from '../../src/db/notifications.ts';
import { eventHub } from '../../src/events.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { decideProvider } from '../../src/notifications/policy/status.ts';
import { sender } from '../../src/notifications/send.ts';
import { SECRET_TYPE } from '../../src/notifications/target.ts';
import { ALL_PROVIDERS, notificationProviderReconciler } from '../../src/reconcilers/notificationprovider.ts';
import { type Notifications, notificationController } from '../../src/reconcilers/notificationprovider-controller.ts';
import { aReportRow } from '../support/builders/report.ts';
import { aNamespace, type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { memoryStore } from '../support/database/store.ts';
import { type FakeService, fakeService } from '../support/notifications/fake-service.ts';
import { until } from '../support/runner/wait.ts';

const decisions = suite('status of a provider');
const NOW = new Date('2026-03-01T10:00:00Z');
const provider = (over: Partial<NotificationProvider['spec']> = {}, status = {}): NotificationProvider => ({
  metadata: { name: 'hook', namespace: 'podmend', generation: 2 },
  spec: { type: 'webhook', secretRef: { name: 'hook' }, ...over },
  status,
});
const healthy = { deliveredAt: null, error: null };
const stateOf = (view: Parameters<typeof decideProvider>[0]): string =>
  (decideProvider(view).conditions ?? []).map(({ type, status, reason }) => `${type}=${status} ${reason}`).join(', ');

decisions('ready, suspended, or stalled with the reason', () => {
  const trouble = { reason: 'SecretMissing', message: 'There is no Secret hook.' };
  const view = { trouble: undefined, health: healthy, now: NOW };
  assert.is(stateOf({ ...view, provider: provider() }), 'Ready=True Sending');
  assert.is(stateOf({ ...view, provider: provider({ suspend: true }) }), 'Ready=False Suspended');
  assert.is(stateOf({ ...view, provider: provider(), trouble }), 'Ready=False SecretMissing, Stalled=True SecretMissing');
  const stalled = decideProvider({ ...view, provider: provider(), trouble });
  assert.is(stateOf({ ...view, provider: provider({}, stalled) }), 'Ready=True Sending', 'it is stalled no more');
});

decisions('the status shows a delivery at most every five minutes, and an error until a message arrives', () => {
  const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);
  const status = (deliveredAt: Date, before = {}) =>
    decideProvider({
      provider: provider({}, before),
      trouble: undefined,
      health: { deliveredAt, error: 'Timeout: no answer' },
      now: at(9),
    });
  assert.is(status(at(0)).lastDeliveryTime, '2026-03-01T10:00:00Z');
  assert.is(status(at(4), { lastDeliveryTime: '2026-03-01T10:00:00Z' }).lastDeliveryTime, '2026-03-01T10:00:00Z');
  assert.is(status(at(6), { lastDeliveryTime: '2026-03-01T10:00:00Z' }).lastDeliveryTime, '2026-03-01T10:06:00Z');
  assert.is(status(at(0)).lastError, 'Timeout: no answer');
});
decisions('an error is cut to 1,000 characters, and the generation is the one that was seen', () => {
  const view = { trouble: undefined, now: NOW, provider: provider({}, { lastDeliveryTime: '2026-03-01T09:00:00Z' }) };
  const { lastError, observedGeneration, lastDeliveryTime } = decideProvider({
    ...view,
    health: { deliveredAt: null, error: 'x'.repeat(2_000) },
  });
  assert.equal([lastError?.length, observedGeneration, lastDeliveryTime], [1_000, 2, '2026-03-01T09:00:00Z']);
  assert.is(decideProvider({ ...view, health: healthy }).lastError, undefined);
});
decisions.run();

const passes = suite('passes over providers');
/** One pass over the key. Returns what was written, in order, and the answer. */
async function pass(key: string, { held = [provider()], trouble }: { held?: NotificationProvider[]; trouble?: object } = {}) {
  const said: unknown[][] = [];
  const note =
    (what: string) =>
    async (...given: unknown[]) =>
      void said.push([what, ...given]);
  const deps = {
    cache: {
      get: (namespace: string, name: string) => held.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
      list: () => held,
    },
    readiness: async () => trouble ?? { target: {} },
    read: { health: async (name: string) => (said.push(['health', name]), healthy) },
    write: { enlist: note('enlist'), delist: note('delist'), retain: note('retain'), deleteOld: note('deleteOld') },
    writeStatus: async (_kind: unknown, { metadata }: NotificationProvider, { conditions }: { conditions: { reason: string }[] }) =>
      void said.push(['status', metadata.name, ...conditions.map(({ reason }) => reason)]),
    now: () => NOW,
  };
  const answer = await notificationProviderReconciler(deps as never)(key);
  return { said, answer };
}
const MONTH_AGO = new Date('2026-01-30T10:00:00Z');

passes('a provider gets messages from now on, and its status; it is checked again in a minute', async () => {
  const { said, answer } = await pass('podmend/hook');
  assert.equal(said, [
    ['enlist', 'hook', NOW],
    ['health', 'hook'],
    ['status', 'hook', 'Sending'],
  ]);
  assert.equal(answer, { requeueAfterMs: 60_000 });
});

passes('a suspended one gets none; one that is not ready keeps its messages', async () => {
  assert.equal((await pass('podmend/hook', { held: [provider({ suspend: true })] })).said[0], ['delist', 'hook']);
  const { said } = await pass('podmend/hook', { trouble: { reason: 'SecretMissing', message: 'm' } });
  assert.equal([said[0]?.[0], said[2]], ['enlist', ['status', 'hook', 'SecretMissing', 'SecretMissing']]);
});

passes('a removed one, and history of more than 30 days, are forgotten', async () => {
  const others = { held: [provider(), { ...provider(), metadata: { name: 'other', namespace: 'podmend' } }] };
  const forgets = [
    ['retain', ['hook', 'other'], NOW],
    ['deleteOld', MONTH_AGO, 1_000],
  ];
  const removed = await pass('podmend/removed', others);
  assert.equal([removed.said, removed.answer], [forgets, undefined]);
  const all = await pass(ALL_PROVIDERS, others);
  assert.equal([all.said, all.answer], [forgets, { requeueAfterMs: 3_600_000 }]);
});
passes.run();

for (const { name, start } of clusters('providers')) {
  const test = suite(`providers on ${name}`);
  const timeoutMs = 120_000;
  let cluster: Cluster;
  let client: KubeClient;
  let service: FakeService;
  let store: Store;
  let notifications: Notifications;
  let leading: ReturnType<Notifications['lead']>;
  const hub = eventHub();

  test.before(async () => {
    cluster = await start();
    service = await fakeService('webhook');
    store = await memoryStore();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    await installDefinitions(client);
    await aNamespace(client, 'podmend');
    const allowedRanges = ['127.0.0.0/8'];
    notifications = notificationController({
      ...{ client, operatorNamespace: 'podmend', cluster: 'test', baseUrl: null, hiddenNamespaces: [], allowedRanges, hub },
      rows: notificationRepository(store.db, 'test'),
      send: sender({ allowedRanges, sendMail: async () => ({ ok: true, state: 'accepted' }) }),
      now: () => new Date(),
      log: createLog({ level: 'silent' }),
    });
    void notifications.start();
    const term = { epoch: 1, holder: 'a', stale: () => {} };
    const leadership = leadershipRepository(store.db, 'test/podmend');
    leading = notifications.lead({ client, fence: (make, methods) => leadership.fenced(term, make, methods), isCurrent: () => true });
  });
  test.after(async () => {
    await leading.stop();
    await notifications.stop();
    client.close();
    await service.close();
    await cluster.close();
    await store.close();
  });

  const ready = async () => {
    const { status } = (await client.read(KINDS.notificationProvider, 'podmend', 'hook')) ?? {};
    return status?.conditions?.find(({ type }) => type === 'Ready')?.reason;
  };
  const becomes = (reason: string) => until(async () => (await ready()) === reason, { what: `Ready says ${reason}`, timeoutMs });
  const report = async () => {
    const [stored] = await reportRepository(store.db).store([aReportRow({ cluster: 'test', now: new Date().toISOString() })]);
    return stored!.record.id;
  };

  test('from a missing Secret to a message, its end, and a removed provider', async () => {
    const metadata = { name: 'hook', namespace: 'podmend' };
    await client.create(KINDS.notificationProvider, { metadata, spec: { type: 'webhook', secretRef: { name: 'hook' } } });
    await becomes('SecretMissing');
    const data = { address: Buffer.from(`${service.address}\n`).toString('base64') };
    await client.create(KINDS.secret, { metadata, type: SECRET_TYPE, data });
    const touch = (spec: object) => client.patch(KINDS.notificationProvider, 'podmend', 'hook', { spec }, { type: 'merge' });
    await touch({ filter: { namespaces: ['*'] } });
    await becomes('Sending');

    const id = await report();
    await until(() => service.received.length === 1, { what: 'the incident is told', timeoutMs });
    await failureRepository(store.db).close([id], new Date());
    await until(() => service.received.length === 2, { what: 'its end is told', timeoutMs });
    assert.equal(
      service.received.map(({ body }) => body.type),
      ['podmend.incident_opened', 'podmend.resolved'],
    );

    await touch({ suspend: true });
    await becomes('Suspended');
    const noted = () => store.db.selectFrom('notification_providers').selectAll().execute();
    assert.equal(await noted(), []);
    await touch({ suspend: null });
    await becomes('Sending');
    await client.remove(KINDS.notificationProvider, 'podmend', 'hook');
    await until(async () => (await noted()).length === 0, { what: 'the provider is forgotten', timeoutMs });
  });

  test.run();
}
