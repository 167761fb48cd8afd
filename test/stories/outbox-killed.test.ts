import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../src/db/connect.ts';
import { notificationRepository, type ThreadChange } from '../../src/db/notifications.ts';
import { createLog } from '../../src/log.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { loadReport } from '../support/load/report.ts';
import { type FakeService, fakeService } from '../support/notifications/fake-service.ts';
import { aNotification } from '../support/notifications/incident.ts';
import { startOperatorProcess, TOKEN } from '../support/processes/operator.ts';
import { startMode } from '../support/processes/process.ts';
import { longOr } from '../support/runner/long.ts';
import { until } from '../support/runner/wait.ts';

// A real operator is killed while its outbox fills. Nothing may be lost, and almost nothing sent twice.

const CRDS = fileURLToPath(new URL('../../crds/', import.meta.url));
/** How many messages are stored per second, over all providers. */
const RATE = 50;
/** Seconds of load before each kill. After the last kill, the load goes on for as long again. */
const KILL_AFTER_S = longOr([20, 20, 20, 20, 20], [3]);
const TICK_MS = 100;
/** Services that deduplicate by a key, and services that show every repeated message. */
const PROVIDERS = { ...named('webhook', 4), ...named('mattermost', 6) };
const INCIDENTS = 5;

function named<T extends 'webhook' | 'mattermost'>(type: T, count: number): Record<string, T> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`${type}-${n}`, type]));
}

const titleOf = (n: number): string => `message ${n} of the load`;

/** What the planner stores when it opens a thread. */
function opening(provider: string, n: number, now: Date): ThreadChange {
  const none = { notBefore: null, resolvedAt: null, told: null, samples: [] };
  const thread = { status: 'open' as const, createdAt: now, openedAt: now, lastSentAt: now, ...none };
  const { id: _id, key: _key, ...message } = aNotification({ title: titleOf(n) });
  const send = { event: 'incident_opened', message };
  return { id: null, provider, groupKey: `load:${n}`, thread, incidents: [], dueAt: null, isGone: false, hushes: false, send };
}

const test = suite('an operator that is killed while it sends messages');

test('nothing is lost, and at most one message of each provider is repeated by a kill', async () => {
  await using begun = new AsyncDisposableStack();
  const folder = begun.adopt(await mkdtemp(join(tmpdir(), 'podmend-outbox-')), (path) => rm(path, { recursive: true, force: true }));
  const database = begun.adopt(await createDatabase(postgresUrl ?? ''), ({ drop }) => drop());
  const sandbox = begun.adopt(startMode('sandbox', {}), (one) => void one.stop());
  const [, kubeconfig = ''] = await sandbox.line(/^kubeconfig: (\S+)$/m);
  const kubectl = begun.adopt(await clusterUser(kubeconfig), ({ close }) => close());
  await kubectl('apply', '-f', CRDS);
  await kubectl.apply('{apiVersion: v1, kind: Namespace, metadata: {name: podmend}}');

  const services = new Map<string, FakeService>();
  for (const [name, type] of Object.entries(PROVIDERS)) {
    const service = begun.adopt(await fakeService(type), ({ close }) => close());
    services.set(name, service);
    const metadata = `{name: ${name}, namespace: podmend}`;
    await kubectl.apply(
      [
        `{apiVersion: v1, kind: Secret, metadata: ${metadata}, type: podmend.dev/notification, stringData: {address: "${service.address}"}}`,
        `{apiVersion: podmend.dev/v1alpha1, kind: NotificationProvider, metadata: ${metadata}, spec: {type: ${type}, secretRef: {name: ${name}}}}`,
      ].join('\n---\n'),
    );
  }
  const env = { ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
  const start = () => startOperatorProcess({ databaseUrl: database.url, dataDir: join(folder, 'data'), kubeconfig, env });
  let operator = await start();
  begun.defer(() => operator.stop('SIGKILL'));
  const store = begun.adopt(await openStore({ databaseUrl: database.url, dataDir: '', log: createLog({ level: 'silent' }) }), (one) =>
    one.close(),
  );
  const rows = notificationRepository(store.db, 'default');
  const isEnlisted = async () =>
    (await store.db.selectFrom('notification_providers').select('provider').execute()).length === services.size;
  await until(isEnlisted, { what: 'all providers to be known', timeoutMs: 120_000 });

  // A few incidents go the whole way from a report to the service. Beside them, the test stores more messages than any real cluster has.
  const headers = { 'content-type': 'application/json', 'x-service-token': TOKEN };
  for (let n = 0; n < INCIDENTS; n++) {
    const answer = await fetch(`${operator.url}/api/pods/failed`, { method: 'POST', headers, body: loadReport(n, 'outbox') });
    assert.is(answer.status, 200);
  }
  const names = [...services.keys()];
  const stored = new Map<string, number[]>(names.map((name) => [name, []]));
  const fill = async (ms: number): Promise<void> => {
    const from = performance.now();
    let next = [...stored.values()].flat().length;
    const first = next;
    for (let passed = 0; passed < ms; passed = performance.now() - from) {
      const changes: ThreadChange[] = [];
      for (const now = new Date(); next < first + (passed / 1_000) * RATE; next++) {
        const name = names[next % names.length] as string;
        changes.push(opening(name, next, now));
        stored.get(name)?.push(next);
      }
      await store.db
        .transaction()
        .execute((trx) => notificationRepository(trx, 'default').apply({ changes: [], threads: changes, now: new Date() }));
      await sleep(TICK_MS);
    }
  };
  for (const seconds of KILL_AFTER_S) {
    await fill(seconds * 1_000);
    await until(() => names.every((name) => (services.get(name)?.received.length ?? 0) > 0), {
      what: 'something to be sent',
      timeoutMs: 60_000,
    });
    const [restarted] = await Promise.all([operator.stop('SIGKILL').then(start), fill(1_000)]);
    operator = restarted;
  }
  await fill((KILL_AFTER_S.at(-1) ?? 1) * 1_000);
  const waiting = async () => store.db.selectFrom('notification_deliveries').select('id').where('state', '=', 'pending').execute();
  const isSent = async () =>
    (await waiting()).length === 0 && (await store.db.selectFrom('notification_changes').select('id').execute()).length === 0;
  await until(isSent, { what: 'the outbox to be empty', timeoutMs: 200_000, everyMs: 200 });

  let repeated = 0;
  let keyless = 0;
  for (const [name, { received, refused }] of services) {
    const text = ({ body }: (typeof received)[number]): string => JSON.stringify(body);
    const heard = received.map(text);
    for (const n of stored.get(name) ?? [])
      assert.ok(
        heard.some((one) => one.includes(`${titleOf(n)}`)),
        `${name} lost ${titleOf(n)}`,
      );
    for (let n = 0; n < INCIDENTS; n++)
      assert.ok(
        heard.some((one) => one.includes(`outbox-${n}`)),
        `${name} lost incident ${n}`,
      );
    const expected = (stored.get(name)?.length ?? 0) + INCIDENTS;
    assert.ok(received.length - expected <= KILL_AFTER_S.length, `${name}: ${received.length} for ${expected}`);
    assert.equal(refused, []);
    if (name.startsWith('webhook'))
      assert.is(new Set(received.map(({ headers: { 'webhook-id': id } }) => id)).size, expected, 'a repeat has the key of the first');
    else {
      keyless += expected;
      repeated += received.length - expected;
    }
  }
  const dead = (await Promise.all(names.map((name) => rows.history(name, 10_000)))).flat().filter(({ state }) => state !== 'delivered');
  assert.equal(dead, []);
  if (KILL_AFTER_S.length > 1) assert.ok(repeated < keyless / 100, `${repeated} of ${keyless} repeated`);
  const all = [...services.values()].reduce((sum, { received }) => sum + received.length, 0);
  console.log(`${all} messages, ${KILL_AFTER_S.length} kills; ${repeated} of ${keyless} repeated where the service has no key`);
});

if (postgresUrl) test.run();
else console.log('SKIP an operator that is killed while it sends messages: TEST_DATABASE_URL is not set');
