import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationPreview } from '../../src/contract/notification.ts';
import { notificationRepository } from '../../src/db/notifications.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Cache, watchKind } from '../../src/kube/watch.ts';
import type { NotificationProvider } from '../../src/crd/notificationprovider.ts';
import { sender } from '../../src/notifications/send.ts';
import { notificationSettings } from '../../src/notifications/settings.ts';
import { type Cluster, aNamespace, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { type FakeService, fakeService } from '../support/notifications/fake-service.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

const URL = '/api/admin/notifications';
const RANGES = ['127.0.0.0/8'];

for (const { name, start } of clusters('notification settings')) {
  const test = suite(`notification settings on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let cache: Cache<NotificationProvider>;
  let it: TestApp;
  let service: FakeService;

  test.before(async () => {
    cluster = await start();
    service = await fakeService('webhook');
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    cache = watchKind(client, KINDS.notificationProvider, { namespace: 'podmend', project: (one) => one });
    const send = sender({ allowedRanges: RANGES, sendMail: async () => ({ ok: true, state: 'accepted' }) });
    it = await testApp(({ now }) => {
      // The database exists only after the app is built, so look it up late.
      const rows = () => notificationRepository(it.store.db, 'test');
      const history = (provider: string, limit: number) => rows().history(provider, limit);
      const resend = (provider: string, id: number, at: Date) => rows().resend(provider, id, at);
      const health = (provider: string) => rows().health(provider);
      const ofIncident = (incident: number, limit: number) => rows().ofIncident(incident, limit);
      const where = {
        operatorNamespace: 'podmend',
        hiddenNamespaces: ['hidden'],
        allowedRanges: RANGES,
        cluster: 'test',
        baseUrl: 'https://podmend.example',
      };
      return { notifications: notificationSettings({ client, cache, rows: { history, resend, health, ofIncident }, send, ...where, now }) };
    });
  });
  test.after(async () => {
    await it.close();
    await cache.stop();
    await service.close();
    client.close();
    await cluster.close();
  });

  const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) =>
    it.send('admin', { method, url, ...(payload ? { payload } : {}) });
  const setting = (config: object = {}) => ({
    provider: 'webhook',
    enabled: true,
    config: { webhook_url: `${service.address}/hook`, ...config },
  });
  const secretOf = async (provider: string) => {
    const { data = {} } = (await client.read(KINDS.secret, 'podmend', `podmend-notification-${provider}`)) ?? {};
    return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
  };

  test('before the providers are known, the answer is 503', async () => {
    const answer = await send('GET', URL);
    assert.equal([answer.statusCode, answer.json()], [503, { detail: 'Kubernetes client not available' }]);
    await installDefinitions(client);
    await aNamespace(client, 'podmend');
    await cache.start();
    assert.equal((await send('GET', URL)).json(), []);
  });

  test('a setting is a provider and a Secret; secrets come back masked', async () => {
    const made = await send('POST', URL, setting({ token: 'the-bearer', filter: { namespaces: ['shop'] } }));
    assert.is(made.statusCode, 200, made.payload);
    const shown = {
      provider: 'webhook',
      type: 'webhook',
      enabled: true,
      config: { webhook_url: '***', token: '***', filter: { namespaces: ['shop'] } },
      source: 'api',
      status: { ready: true, reason: 'Sending', message: 'Messages are sent.', last_delivery_at: null, last_error: null },
    };
    assert.equal(made.json(), shown);
    assert.equal((await send('GET', URL)).json(), [shown]);
    assert.equal(await secretOf('webhook'), { address: `${service.address}/hook`, token: 'the-bearer' });
    const { spec } = (await client.read(KINDS.notificationProvider, 'podmend', 'webhook'))!;
    assert.equal(spec, {
      type: 'webhook',
      suspend: false,
      secretRef: { name: 'podmend-notification-webhook' },
      filter: { namespaces: ['shop'] },
    });
  });

  test('a masked value sent back leaves the secret; another one replaces it; null removes it', async () => {
    const answer = await send('PUT', `${URL}/webhook`, { ...setting(), enabled: false, config: { webhook_url: '***', token: 'rotated' } });
    assert.is(answer.statusCode, 200, answer.payload);
    assert.equal(await secretOf('webhook'), { address: `${service.address}/hook`, token: 'rotated' });
    const { spec } = (await client.read(KINDS.notificationProvider, 'podmend', 'webhook'))!;
    assert.equal([spec.suspend, spec.filter], [true, undefined]);
    await send('PUT', `${URL}/webhook`, setting({ token: null }));
    assert.equal(await secretOf('webhook'), { address: `${service.address}/hook` });
  });

  test('the test sends a real message and answers what the service said', async () => {
    const answer = await send('POST', `${URL}/webhook/test`);
    assert.equal(answer.json(), { delivered: true, reason: null, detail: 'The service took the message.' });
    const { path, body } = service.received[0]!;
    assert.equal([path, body.type], ['/hook', 'podmend.test']);
    service.next({ status: 401, body: `who is ${service.address}/hook?` });
    const refused = await send('POST', `${URL}/webhook/test`);
    assert.equal(refused.json(), { delivered: false, reason: 'CredentialsRefused', detail: 'HTTP 401 who is ***?' });
    assert.equal(service.refused, []);
  });

  test('a missing Secret and a forbidden address are reported', async () => {
    await send('POST', URL, { provider: 'private', type: 'webhook', enabled: true, config: { webhook_url: 'https://10.0.0.1/x' } });
    const refused = (await send('POST', `${URL}/private/test`)).json() as { delivered: boolean; detail: string };
    assert.equal([refused.delivered, refused.detail.includes('not a public one')], [false, true]);
    await client.remove(KINDS.secret, 'podmend', 'podmend-notification-private');
    const listed = async () =>
      ((await send('GET', URL)).json() as { provider: string; status: { ready: boolean; reason: string } }[])
        .filter(({ provider }) => provider === 'private')
        .map(({ status }) => [status.ready, status.reason]);
    assert.equal(await listed(), [[false, 'SecretMissing']]);
    const missing = (await send('POST', `${URL}/private/test`)).json() as { detail: string };
    assert.is(missing.detail, 'There is no Secret podmend-notification-private.');
    assert.is((await send('DELETE', `${URL}/private`)).statusCode, 204);
  });

  test('a preview shows what would be sent, sends nothing and repeats no secret', async () => {
    const before = service.received.length;
    const answer = await send('POST', `${URL}/preview`, {
      ...setting({ token: 'the-bearer', signing_secret: 'whsec_secret', channel: 7, filter: { events: 'all' } }),
    });
    assert.is(answer.statusCode, 200, answer.payload);
    assert.not.match(answer.payload, /the-bearer|whsec_secret|127\.0\.0\.1/);
    const { type, messages } = answer.json() as NotificationPreview;
    assert.equal(
      [type, messages.map(({ event, requests }) => [event, requests.length])],
      [
        'webhook',
        [
          ['incident_opened', 1],
          ['verdict', 1],
          ['resolved', 1],
        ],
      ],
    );
    assert.is(messages[0]?.requests[0]?.headers['authorization'], 'Bearer ***');
    for (const payload of [{ ...setting(), type: 'pigeon' }, setting({ token: 5 })])
      assert.is((await send('POST', `${URL}/preview`, payload)).statusCode, 400);
    assert.is(service.received.length, before);
  });

  test('bad input is refused in words', async () => {
    for (const [payload, detail] of [
      [{ provider: 'pigeon', enabled: true, config: {} }, /^type must be one of slack, teams/],
      [{ ...setting(), config: { token: 5 } }, /^config\.token must be a string$/],
      [{ ...setting(), config: { 'a b': 'x' } }, /^config has a member with a name that no Secret can have$/],
      [{ ...setting(), config: { filter: { events: ['everything'] } } }, /everything/],
      [{ provider: 'mail', type: 'email', enabled: true, config: {} }, /need a channel/],
    ] as [object, RegExp][]) {
      const answer = await send('POST', URL, payload);
      assert.is(answer.statusCode, 400, answer.payload);
      assert.match((answer.json() as { detail: string }).detail, detail);
    }
    assert.is(await client.read(KINDS.secret, 'podmend', 'podmend-notification-mail'), undefined, 'no Secret is left behind');
    const other = await send('PUT', `${URL}/other`, setting());
    assert.equal([other.statusCode, other.json()], [400, { detail: 'provider must be the one in the address' }]);
  });

  test("Git's providers are listed, and changed at their source", async () => {
    const metadata = { name: 'git', namespace: 'podmend', labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } };
    await client.create(KINDS.notificationProvider, { metadata, spec: { type: 'teams', secretRef: { name: 'elsewhere' } } });
    assert.ok(await cache.seen(() => cache.get('podmend', 'git') !== undefined, 10_000));
    const listed = (await send('GET', URL)).json() as { provider: string; source: string }[];
    assert.equal(
      listed.map(({ provider, source }) => `${provider} ${source}`),
      ['git Flux', 'webhook api'],
    );
    for (const answer of [await send('DELETE', `${URL}/git`), await send('PUT', `${URL}/git`, { ...setting(), provider: 'git' })])
      assert.equal([answer.statusCode, answer.json()], [409, { detail: 'Managed by Flux: change it at its source' }]);
  });

  test('a Secret of another type is not overwritten', async () => {
    await client.create(KINDS.secret, { metadata: { name: 'podmend-notification-mine', namespace: 'podmend' }, type: 'Opaque', data: {} });
    const answer = await send('POST', URL, { ...setting(), provider: 'mine', type: 'webhook' });
    assert.is(answer.statusCode, 409);
    assert.equal((await client.read(KINDS.secret, 'podmend', 'podmend-notification-mine'))?.data ?? {}, {});
  });

  test('the history is empty at first, and what is not there is 404', async () => {
    assert.equal((await send('GET', `${URL}/webhook/deliveries`)).json(), []);
    for (const [method, url] of [
      ['GET', `${URL}/none/deliveries`],
      ['POST', `${URL}/none/test`],
      ['POST', `${URL}/webhook/deliveries/5/resend`],
      ['DELETE', `${URL}/none`],
    ] as const)
      assert.is((await send(method, url)).statusCode, 404, url);
  });

  test('the history has no message about a hidden namespace', async () => {
    const row = { id: 1, event: 'incident_opened', state: 'delivered', attempts: 1, reason: null, detail: null } as const;
    const dates = { created_at: new Date(0), ended_at: new Date(0), due_at: new Date(0), thread_status: 'open' } as const;
    const about = (namespace: string, workload: string) => ({
      ...row,
      ...dates,
      message: { title: `${workload} fails`, namespace, workload },
    });
    const sent = [about('shop', 'Deployment/web'), about('hidden', 'Deployment/spy'), about('cluster-wide', 'Namespace/hidden')];
    const { deliveries } = notificationSettings({
      ...{ client, cache, operatorNamespace: 'podmend', hiddenNamespaces: ['hidden'], allowedRanges: [], cluster: 'test', baseUrl: null },
      rows: { ...notificationRepository(it.store.db, 'test'), history: async () => sent as never },
      send: async () => ({ ok: true, state: 'accepted' }) as never,
      now: () => new Date(0),
    });
    assert.equal(
      (await deliveries('webhook')).map(({ title }) => title),
      ['Deployment/web fails'],
    );
  });

  test('a removed provider takes its Secret along; every change is in the audit log', async () => {
    assert.is((await send('DELETE', `${URL}/webhook`)).statusCode, 204);
    assert.is(await client.read(KINDS.secret, 'podmend', 'podmend-notification-webhook'), undefined);
    const rows = await it.store.db
      .selectFrom('audit')
      .select(['action', 'details'])
      .where('target', '=', 'webhook')
      .orderBy('id')
      .execute();
    assert.equal(
      rows.map(({ action }) => action),
      ['notification.set', 'notification.set', 'notification.set', 'notification.test', 'notification.test', 'notification.remove'],
    );
    assert.not.match(JSON.stringify(rows), /the-bearer|rotated|127\.0\.0\.1/);
  });

  test.run();
}
