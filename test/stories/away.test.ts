import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { connect } from '../../src/kube/client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { type ChaosProxy, startChaosProxy } from '../support/network/chaos-proxy.ts';
import { apiClient, type Client } from '../support/network/client.ts';
import { aNamespace, installDefinitions } from '../support/cluster/clusters.ts';
import { createDatabase, postgresUrl, type TestDatabase } from '../support/database/database.ts';
import { type Freezer, startFreezer } from '../support/network/freezer.ts';
import { type OperatorProcess, startOperatorProcess, TOKEN } from '../support/processes/operator.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';

/**
 * An operator that waits for a hanging part would answer after minutes. Podmend gives up after two seconds, and a busy machine adds to
 * that.
 */
const HANGING_MS = 30_000;
/** How long it may take until everything works again after the part is back. */
const BACK_MS = 15_000;
const AT_ONCE = 40;

interface Told {
  status: number;
  detail: string | undefined;
  ms: number;
}

if (!postgresUrl) console.log('SKIP a database or cluster that is away: TEST_DATABASE_URL is not set');
else tell(postgresUrl);

/** One operator that is never restarted. Its database and its cluster fail in two ways and come back. */
function tell(server: string): void {
  const away = suite('a part that is away');
  let folder = '';
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  let chaos: ChaosProxy;
  let freezer: Freezer;
  let database: TestDatabase;
  let operator: OperatorProcess;
  let client: Client;

  away.before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'podmend-away-'));
    sandbox = await startSandbox();
    const own = connect({ kubeconfigText: sandbox.kubeconfig });
    await installDefinitions(own);
    await aNamespace(own, 'podmend');
    own.close();
    const [direct, through] = [join(folder, 'direct'), join(folder, 'through')];
    await writeFile(direct, sandbox.kubeconfig);
    chaos = await startChaosProxy(direct);
    await writeFile(through, chaos.kubeconfigText);
    database = await createDatabase(server);
    const url = new URL(database.url);
    freezer = await startFreezer({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${freezer.port}`;
    // The operator watches only `default`. In other namespaces, its leader would close the records of pods that the sandbox does not have.
    operator = await startOperatorProcess({ databaseUrl: url.href, kubeconfig: through, env: { WATCH_NAMESPACES: 'default' } });
    client = apiClient(operator.url);
    assert.is((await client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' })).status, 200);
  });
  away.after(async () => {
    await operator?.stop();
    await freezer?.close();
    await chaos?.close();
    await sandbox?.close();
    await database?.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const ask = async (method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Told> => {
    const began = performance.now();
    const answer = await client.send<{ detail?: string }>(method, path, body, headers);
    return { status: answer.status, detail: answer.body.detail, ms: performance.now() - began };
  };
  let reports = 0;
  const read = () => ask('GET', '/api/pods/failed?limit=10');
  const report = () =>
    ask('POST', '/api/pods/failed', aFailureReport({ pod_name: `web-${++reports}`, pod_uid: `uid-${reports}` }), {
      'x-service-token': TOKEN,
    });
  const finding = () =>
    ask(
      'POST',
      '/api/security/findings',
      { resource_type: 'Pod', resource_name: 'web', namespace: 'shop', check_name: 'c', severity: 'low' },
      { 'x-service-token': TOKEN },
    );
  const ready = () => ask('GET', '/ready');
  const assertAway = (told: Told, detail: string): void => {
    assert.equal([told.status, told.detail], [503, detail]);
    assert.ok(told.ms < HANGING_MS, `answered after ${Math.round(told.ms)} ms`);
  };
  const isAlive = async () => {
    process.kill(operator.pid, 0);
    assert.is((await ask('GET', '/health')).status, 200);
  };

  for (const [how, begin] of [
    ['was stopped', () => freezer.refuse()],
    ['hangs', () => freezer.freeze()],
  ] as const) {
    away(`a database that ${how} is reported, and all works when it is back`, async () => {
      assert.equal(
        [(await read()).status, (await report()).status, (await finding()).status, (await ready()).status],
        [200, 200, 200, 200],
      );
      begin();
      for (const one of await Promise.all([read(), report(), finding()])) assertAway(one, 'Database not available');
      // Many concurrent requests wait for each other's connections, and all get the same answer.
      const many = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => (n % 2 ? read() : report())));
      for (const one of many) assertAway(one, 'Database not available');
      assert.match((await ready()).detail ?? '', 'Database not available');
      await isAlive();
      freezer.thaw();
      for (const works of [read, report, finding, ready]) {
        await until(async () => (await works()).status === 200, { timeoutMs: BACK_MS, what: 'the database to be used again' });
      }
      const again = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => (n % 2 ? read() : report())));
      assert.equal([...new Set(again.map(({ status }) => status))], [200], 'no broken connection is left');
    });
  }

  const exclude = (namespace: string) => ask('POST', '/api/admin/excluded-namespaces', { namespace });
  for (const [how, begin] of [
    ['was stopped', () => chaos.refuse()],
    ['hangs', () => chaos.freeze()],
  ] as const) {
    away(`a cluster that ${how} is reported where it is needed, and all works when it is back`, async () => {
      const namespace = `left-${how.split(' ')[0]}`;
      assert.is((await exclude(namespace)).status, 200);
      begin();
      assertAway(await exclude(`${namespace}-more`), 'Kubernetes client not available');
      assertAway(await ask('GET', '/api/pods/default/web/logs'), 'Kubernetes client not available');
      assert.match((await ready()).detail ?? '', 'Kubernetes client not available');
      // What needs no cluster goes on.
      assert.equal([(await read()).status, (await report()).status, (await finding()).status], [200, 200, 200]);
      await isAlive();
      chaos.forward();
      chaos.cut();
      await until(async () => (await exclude(`${namespace}-again`)).status === 200, {
        timeoutMs: BACK_MS,
        what: 'the cluster to be used again',
      });
      await until(async () => (await ready()).status === 200, { timeoutMs: BACK_MS, what: 'readiness' });
    });
  }
  away.run();
}
