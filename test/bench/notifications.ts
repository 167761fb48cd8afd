import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../src/db/schema.ts';
import { notificationRepository, oldestOfEach } from '../../src/db/notifications.ts';
import { createLog } from '../../src/log.ts';
import { deliverer } from '../../src/notifications/deliver.ts';
import { sender } from '../../src/notifications/send.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { engines } from '../support/database/store.ts';
import { loadReport } from '../support/load/report.ts';
import { aNotification } from '../support/notifications/incident.ts';
import { startOperatorProcess, TOKEN } from '../support/processes/operator.ts';
import { startMode } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { type Bench, percentile, table } from './bench.ts';

/** How fast the outbox sends messages, and the time from a failure to the first byte of its message. */
export const name = 'notifications';

const RANGES = ['127.0.0.0/8'];
const OUTBOXES = [
  { providers: 1, messages: 1_000 },
  { providers: 8, messages: 4_000 },
  { providers: 8, messages: 100_000 },
];
/** A large outbox is measured for this long, not until it is empty. */
const DRAIN_MS = 15_000;
/** Too few to count as a storm. */
const INCIDENTS = 18;
const CRDS = fileURLToPath(new URL('../../crds/', import.meta.url));

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  out('Webhooks on loopback; database, sender and receiver on one machine.\n');
  const rows: string[][] = [];
  let plan = '';
  for (const engine of engines('an outbox'))
    for (const outbox of OUTBOXES) {
      const store = await engine.open();
      try {
        await fill(store.db, outbox);
        const { perSecond, growth } = await drain(store.db, outbox);
        if (engine.name === 'PostgreSQL') plan = await planOf(store.db);
        rows.push([engine.name, String(outbox.providers), String(outbox.messages), perSecond.toFixed(0), growth.toFixed(0)]);
      } finally {
        await store.close();
      }
    }
  out(table(['database', 'providers', 'messages that wait', 'deliveries/s', 'heap growth MB'], rows));
  if (plan) out(`\nHow the next messages are found among 100,000:\n\n\`\`\`\n${plan}\n\`\`\``);
  if (!postgresUrl) return out('\nThe time to the first byte needs PostgreSQL: TEST_DATABASE_URL is not set.');
  const ms = await firstBytes(postgresUrl);
  out(`\nFrom a report to the first byte at the service, ungrouped, ${ms.length} incidents, milliseconds:\n`);
  out(table(['median', 'p95', 'slowest'], [[0.5, 0.95, 1].map((part) => percentile(ms, part).toFixed(0))]));
}

async function fill(db: Kysely<Database>, { providers, messages }: (typeof OUTBOXES)[number]): Promise<void> {
  const { id: _id, key: _key, ...message } = aNotification();
  for (let from = 0; from < messages; from += 2_000) {
    await sql`with threads as (
        insert into notification_threads (cluster, provider, group_key, status, created_at)
        select 'test', 'p' || n % ${providers}::int, 'load:' || n, 'open', now()
        from generate_series(${from}::int, ${Math.min(from + 2_000, messages) - 1}::int) n returning id, provider)
      insert into notification_deliveries (cluster, provider, thread_id, event, message, state, created_at, due_at)
      select 'test', provider, id, 'incident_opened', ${JSON.stringify(message)}::jsonb, 'pending', now(), now() from threads order by id`.execute(
      db,
    );
  }
  await sql`analyze notification_deliveries`.execute(db);
  await sql`analyze notification_threads`.execute(db);
}

/** A service that calls `heard` at each request. */
async function listener(heard: () => void): Promise<{ address: string; close(): void }> {
  const server = createServer((request, response) => {
    heard();
    request.resume().on('end', () => response.end('ok'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function drain(db: Kysely<Database>, { messages }: { messages: number }): Promise<{ perSecond: number; growth: number }> {
  const rows = notificationRepository(db, 'test');
  let count = 0;
  const service = await listener(() => (count += 1));
  const spec = { type: 'webhook' as const, secretRef: { name: 'any' } };
  const worker = deliverer({
    ...{ read: rows, write: rows, cluster: 'test', hiddenNamespaces: [], now: () => new Date(), log: createLog({ level: 'silent' }) },
    provider: (of) => ({ metadata: { name: of }, spec }),
    readiness: async () => ({ target: { address: service.address, channel: undefined, format: undefined, secret: {} } }),
    send: sender({ allowedRanges: RANGES, sendMail: async () => ({ ok: true, state: 'accepted' }) }),
    isCurrent: () => true,
  });
  const before = process.memoryUsage().heapUsed;
  const from = performance.now();
  await worker.deliver();
  await until(() => count >= messages || performance.now() - from > DRAIN_MS, { what: 'the outbox', timeoutMs: 2 * DRAIN_MS });
  const perSecond = count / ((performance.now() - from) / 1_000);
  const growth = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  await worker.stop();
  service.close();
  return { perSecond, growth };
}

async function planOf(db: Kysely<Database>): Promise<string> {
  const { rows } = await sql<{ 'QUERY PLAN': string }>`explain (analyze, costs off, timing off)
    ${oldestOfEach('test')} select * from oldest o join notification_deliveries d on d.id = o.id`.execute(db);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/** Milliseconds from each report to its webhook request, through a real operator. */
async function firstBytes(server: string): Promise<number[]> {
  await using begun = new AsyncDisposableStack();
  const folder = begun.adopt(await mkdtemp(join(tmpdir(), 'podmend-bench-')), (path) => rm(path, { recursive: true, force: true }));
  const database = begun.adopt(await createDatabase(server), ({ drop }) => drop());
  const sandbox = begun.adopt(startMode('sandbox', {}), (one) => void one.stop());
  const [, kubeconfig = ''] = await sandbox.line(/^kubeconfig: (\S+)$/m);
  const kubectl = begun.adopt(await clusterUser(kubeconfig), ({ close }) => close());
  await kubectl('apply', '-f', CRDS);
  await kubectl.apply('{apiVersion: v1, kind: Namespace, metadata: {name: podmend}}');
  let heard = 0;
  const service = begun.adopt(await listener(() => (heard += 1)), ({ close }) => close());
  const metadata = '{name: hook, namespace: podmend}';
  await kubectl.apply(
    [
      `{apiVersion: v1, kind: Secret, metadata: ${metadata}, type: podmend.dev/notification, stringData: {address: "${service.address}"}}`,
      `{apiVersion: podmend.dev/v1alpha1, kind: NotificationProvider, metadata: ${metadata}, spec: {type: webhook, secretRef: {name: hook}}}`,
    ].join('\n---\n'),
  );
  const env = { ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8' };
  const operator = begun.adopt(
    await startOperatorProcess({ databaseUrl: database.url, dataDir: join(folder, 'data'), kubeconfig, env }),
    ({ stop }) => stop(),
  );
  await kubectl('wait', '-n', 'podmend', '--for=condition=Ready', 'notificationprovider/hook', '--timeout=60s');
  const headers = { 'content-type': 'application/json', 'x-service-token': TOKEN };
  const taken: number[] = [];
  for (let n = 0; n < INCIDENTS; n++) {
    const before = heard;
    const from = performance.now();
    await fetch(`${operator.url}/api/pods/failed`, { method: 'POST', headers, body: loadReport(n, 'first') });
    await until(() => heard > before, { what: `the message about incident ${n}`, timeoutMs: 30_000, everyMs: 2 });
    taken.push(performance.now() - from);
  }
  return taken;
}
