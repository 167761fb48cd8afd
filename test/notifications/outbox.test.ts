import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationProvider } from '../../src/crd/notificationprovider.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { notificationRepository } from '../../src/db/notifications.ts';
import { createLog } from '../../src/log.ts';
import { deliverer } from '../../src/notifications/deliver.ts';
import { planner } from '../../src/notifications/planner.ts';
import { sender } from '../../src/notifications/send.ts';
import { judgeTarget } from '../../src/notifications/target.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { type FakeService, fakeService } from '../support/notifications/fake-service.ts';
import type { HttpType } from '../support/notifications/schemas.ts';
import { targetOf } from '../support/notifications/targets.ts';
import { until } from '../support/runner/wait.ts';

const RANGES = ['127.0.0.0/8'];
const T0 = Date.parse('2026-05-01T10:00:00Z');

for (const engine of engines('outbox')) {
  const store = await engine.open();
  const { db } = store;
  const rows = notificationRepository(db, 'test');
  const reports = reportRepository(db);
  const failures = failureRepository(db);
  const test = suite(`outbox on ${engine.name}`);
  let clock = T0;
  const now = () => new Date(clock);
  const send = sender({ allowedRanges: RANGES, sendMail: async () => ({ ok: true, state: 'accepted' }), timeoutMs: 1_000 });
  const services = new Map<string, FakeService>();
  const providers: NotificationProvider[] = [];

  const provide = async (name: string, type: HttpType): Promise<FakeService> => {
    const service = await fakeService(type);
    services.set(name, service);
    const spec = { type, secretRef: { name }, ...(type === 'slack' && { channel: '#on-call' }) };
    providers.push({ metadata: { name, namespace: 'podmend' }, spec });
    await rows.enlist(name, now());
    return service;
  };
  const lanes = () =>
    deliverer({
      ...{ read: rows, write: rows, cluster: 'test', now, hiddenNamespaces: ['hidden'] },
      provider: (name) => providers.find(({ metadata }) => metadata.name === name),
      readiness: async ({ metadata, spec }) => {
        const { address, secret } = targetOf(spec.type as HttpType, services.get(metadata.name ?? '')?.address ?? '');
        return judgeTarget(spec, { ...secret, address }, RANGES);
      },
      send,
      isCurrent: () => true,
      log: createLog({ level: 'silent' }),
    });
  const plan = () =>
    planner({
      ...{ read: rows, write: rows, cluster: 'test', now, hiddenNamespaces: ['hidden'] },
      providers: () => providers,
      baseUrl: 'https://podmend.example',
    })();
  const pending = async () =>
    (await db.selectFrom('notification_deliveries').select('id').where('state', '=', 'pending').where('due_at', '<=', now()).execute())
      .length;
  /** Plans, then sends until nothing is due. */
  const turn = async (): Promise<void> => {
    while (await plan());
    const worker = lanes();
    const isDone = async () => {
      await worker.deliver();
      return (await pending()) === 0;
    };
    await until(isDone, { what: 'everything due is sent', timeoutMs: 60_000 });
    await worker.stop();
  };
  const report = async (over: Parameters<typeof aReportRow>[0] = {}) => {
    const [stored] = await reports.store([aReportRow({ cluster: 'test', now: now().toISOString(), ...over })]);
    return stored!.record;
  };
  const events = async (provider: string) => (await rows.history(provider, 100)).map(({ event, state }) => `${event} ${state}`).reverse();

  test.before.each(async () => {
    clock = T0;
    for (const table of ['notification_threads', 'notification_changes', 'notification_providers', 'failures', 'incidents'] as const)
      await db.deleteFrom(table).execute();
  });
  test.after.each(async () => {
    providers.length = 0;
    for (const service of services.values()) await service.close();
    services.clear();
  });
  test.after(() => store.close());

  test('without a provider no change is stored', async () => {
    await report();
    assert.equal(await rows.changes(10), []);
  });

  test('a failure is told once, updated in place, and ended', async () => {
    const slack = await provide('on-call', 'slack');
    const { id } = await report();
    await turn();
    assert.equal(
      slack.received.map(({ path }) => path),
      ['/chat.postMessage'],
    );
    clock += 60_000;
    await report({ occurrence_key: 'again' });
    await turn();
    assert.is(slack.received.length, 1, 'a repeat says nothing');
    await db.updateTable('failures').set({ solution: '## What to do\n\nanother one' }).where('id', '=', id).execute();
    await turn();
    assert.equal(
      slack.received.map(({ path }) => path),
      ['/chat.postMessage', '/chat.update'],
    );
    clock += 600_000;
    await failures.close([id], now());
    await turn();
    assert.equal(
      slack.received.map(({ path }) => path),
      ['/chat.postMessage', '/chat.update', '/chat.update', '/chat.postMessage'],
    );
    const [first, , last] = slack.received;
    assert.is(last?.body.ts, '1.1');
    assert.match(JSON.stringify(first?.body), 'https://podmend.example/failures/');
    assert.equal(slack.refused, []);
    assert.equal(await events('on-call'), ['incident_opened delivered', 'correction delivered', 'resolved delivered']);
    assert.equal(await rows.changes(10), []);
  });

  test('what a Suppression hides and what is in a hidden namespace is never told', async () => {
    const hook = await provide('hook', 'webhook');
    await report({ suppressed_by: 'quiet' });
    await report({ identity: 'other', namespace: 'hidden' });
    await turn();
    assert.equal(hook.received, []);
  });

  test('a message that was not taken is sent again, after Retry-After, under the same id', async () => {
    const hook = await provide('hook', 'webhook');
    await report();
    hook.next({ status: 503 }, { status: 429, headers: { 'retry-after': '30' } });
    await turn();
    clock += 2_100;
    await turn();
    clock += 29_000;
    await turn();
    assert.is(hook.received.length, 2, 'not before Retry-After has passed');
    clock += 1_100;
    await turn();
    const sent = hook.received.map(({ headers }) => headers['webhook-id']);
    assert.equal([sent.length, new Set(sent).size], [3, 1]);
    const [delivery] = await rows.history('hook', 1);
    assert.equal([delivery?.state, delivery?.attempts, delivery?.reason], ['delivered', 3, null]);
  });

  const BAD: [says: string, answer: Parameters<FakeService['next']>[0], state: string, reason: string][] = [
    ['a bad request', { status: 400 }, 'dead', 'Refused'],
    ['refused credentials', { status: 401 }, 'pending', 'CredentialsRefused'],
    ['no such channel', { status: 404 }, 'pending', 'NoSuchChannel'],
    ['too large', { status: 413 }, 'dead', 'TooLarge'],
    ['too many', { status: 429 }, 'pending', 'RateLimited'],
    ['an error of the service', { status: 500 }, 'pending', 'ServiceError'],
    ['a redirect to a private address', { status: 302, headers: { location: 'http://10.0.0.1/' } }, 'dead', 'Redirected'],
    ['no answer', 'hang', 'pending', 'Timeout'],
    ['half an answer', 'cut', 'pending', 'Unreachable'],
  ];
  for (const [says, answer, state, reason] of BAD) {
    test(`${says}: ${state}, because ${reason}`, async () => {
      const hook = await provide('hook', 'webhook');
      hook.next(answer);
      await report();
      await turn();
      const [delivery] = await rows.history('hook', 1);
      assert.equal([delivery?.state, delivery?.reason], [state, reason]);
      assert.not.match(JSON.stringify(delivery), 'bearer-token');
      assert.match((await rows.health('hook')).error ?? '', reason);
    });
  }

  test('a dead message can be sent again, and its end is told then', async () => {
    const hook = await provide('hook', 'webhook');
    hook.next({ status: 400 });
    const { id } = await report();
    await turn();
    const [opening] = await rows.history('hook', 1);
    assert.ok(await rows.resend('hook', opening!.id, now()));
    assert.not.ok(await rows.resend('hook', 999_999, now()));
    await turn();
    await failures.close([id], now());
    await turn();
    assert.equal(await events('hook'), ['incident_opened delivered', 'resolved delivered']);
  });

  test('without its beginning no end is sent, and a failure that is over is not opened again', async () => {
    const hook = await provide('hook', 'webhook');
    hook.next({ status: 400 });
    const { id } = await report();
    await turn();
    await failures.close([id], now());
    await turn();
    const [, opening] = await rows.history('hook', 2);
    assert.not.ok(await rows.resend('hook', opening!.id, now()));
    await turn();
    assert.equal(await events('hook'), ['incident_opened dead', 'resolved dropped']);
  });

  test('an incident lists every message since it began, of all providers', async () => {
    const [hook, pager] = [await provide('hook', 'webhook'), await provide('pager', 'pagerduty')];
    providers[0]!.spec.grouping = { by: ['namespace'] };
    pager.next({ status: 400 });
    const first = await report();
    await turn();
    clock += 60_000;
    const other = await report({ identity: 'other', owner: 'Deployment/other' });
    await turn();
    const told = async (incident: number) =>
      (await rows.ofIncident(incident, 100)).map(
        ({ provider, event, state, thread_status: thread }) => `${provider} ${event} ${state} ${thread}`,
      );
    assert.equal((await told(first.incident_id)).toSorted(), [
      'hook incident_opened delivered open',
      'hook incident_updated delivered open',
      'pager incident_opened dead open',
    ]);
    assert.equal((await told(other.incident_id)).toSorted(), [
      'hook incident_updated delivered open',
      'pager incident_opened accepted open',
    ]);
    assert.equal(await told(999_999), []);
    assert.equal(await notificationRepository(db, 'elsewhere').ofIncident(first.incident_id, 100), []);
    assert.equal([hook.refused, pager.refused], [[], []]);
  });

  test('after a day a message is dead, and the next one of its thread opens it', async () => {
    const hook = await provide('hook', 'webhook');
    hook.next({ status: 401 });
    await report();
    await turn();
    clock += 25 * 3_600_000;
    await turn();
    assert.equal(await events('hook'), ['incident_opened dead']);
    assert.is((await rows.history('hook', 1))[0]?.reason, 'Expired');
  });

  test('one provider that hangs delays no other', async () => {
    const stuck = await provide('stuck', 'webhook');
    const fine = await provide('fine', 'pagerduty');
    stuck.next('hang');
    await report();
    while (await plan());
    const worker = lanes();
    await worker.deliver();
    await until(() => fine.received.length === 1 && stuck.received.length === 1, { what: 'both were asked', timeoutMs: 60_000 });
    await worker.stop();
    assert.equal(await events('fine'), ['incident_opened accepted']);
    assert.equal(await events('stuck'), ['incident_opened pending']);
  });

  test('a worker that died between sending and storing sends again under the same key; the plan is not repeated', async () => {
    const duty = await provide('duty', 'pagerduty');
    await report();
    while (await plan());
    const dying = deliverer({
      ...{
        write: { begin: rows.begin, finish: async () => Promise.reject(new Error('killed')) },
        read: rows,
        cluster: 'test',
        now,
        hiddenNamespaces: [],
      },
      provider: () => providers[0],
      readiness: async ({ spec }) => judgeTarget(spec, { token: 'key-of-service', address: duty.address }, RANGES),
      send,
      isCurrent: () => true,
      log: createLog({ level: 'silent' }),
    });
    await dying.deliver();
    await until(() => duty.received.length === 1, { what: 'the first try', timeoutMs: 60_000 });
    await dying.stop();
    await turn();
    const keys = duty.received.map(({ body }) => body.dedup_key);
    assert.equal([keys.length, new Set(keys).size], [2, 1]);
    assert.equal(await events('duty'), ['incident_opened accepted']);
  });

  test('a replica that leads no more sends nothing', async () => {
    const hook = await provide('hook', 'webhook');
    await report();
    while (await plan());
    const stale = deliverer({
      ...{ read: rows, write: rows, cluster: 'test', now, hiddenNamespaces: ['hidden'] },
      provider: () => providers[0],
      readiness: () => Promise.reject(new Error('asked')),
      send: () => Promise.reject(new Error('sent')),
      isCurrent: () => false,
      log: createLog({ level: 'silent' }),
    });
    await stale.deliver();
    await stale.stop();
    assert.equal([hook.received.length, await events('hook')], [0, ['incident_opened pending']]);
  });

  test('50 workloads at once: 20 messages and one summary, and all of them end', async () => {
    const duty = await provide('duty', 'webhook');
    const ids: number[] = [];
    for (let index = 0; index < 50; index++)
      ids.push((await report({ identity: `uid-${index}`, pod_name: `p-${index}`, owner: `Deployment/w${index}` })).id);
    await turn();
    assert.is(duty.received.length, 21);
    clock += 600_000;
    await failures.close(ids, now());
    await turn();
    assert.is(duty.received.filter(({ body }) => body.type === 'podmend.resolved').length, 21);
    assert.equal(duty.refused, []);
  });

  test('a deleted provider is forgotten, with the messages that wait for it', async () => {
    const hook = await provide('hook', 'webhook');
    hook.next({ status: 503 });
    await report();
    await turn();
    await rows.retain([], now());
    assert.equal(await events('hook'), ['incident_opened dropped']);
    await report({ identity: 'later' });
    assert.equal(await rows.changes(10), []);
    assert.is(await rows.deleteOld(new Date(clock + 1_000), 10), 1);
    assert.equal(await events('hook'), []);
  });

  test.run();
}
