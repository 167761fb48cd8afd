import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError } from '../../src/config.ts';
import { type Cluster, type ClusterOptions, openCluster } from '../../src/kube/cluster.ts';
import { ClusterUnavailable } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';

const GRACES = { pendingSeconds: 120, unreadySeconds: 60, recoverySeconds: 600 };

/** An API server that delays its answers, also those about its readiness. */
interface World {
  server: Server;
  answerMs: number;
  paths: string[];
  items: object[];
  open(config?: Partial<ClusterOptions['config']>): Cluster;
}

const folder = mkdtempSync(join(tmpdir(), 'podmend-cluster-'));
const test = suite<World>('the cluster of an operator');
test.before.each(async (world) => {
  world.answerMs = 0;
  world.paths = [];
  world.items = [];
  world.server = createServer((request, response) => {
    world.paths.push((request.url ?? '').split('?')[0] ?? '');
    const body = JSON.stringify({ items: world.items, metadata: { resourceVersion: '1' } });
    setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end(body), world.answerMs);
  });
  world.server.listen(0, '127.0.0.1');
  await once(world.server, 'listening');
  const kubeconfig = join(folder, 'kubeconfig');
  const server = `http://127.0.0.1:${(world.server.address() as AddressInfo).port}`;
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      'current-context': 'c',
      contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
      clusters: [{ name: 'k', cluster: { server, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'u', user: { token: 't' } }],
    }),
  );
  const now = () => new Date('2026-05-01T10:00:00Z');
  const log = createLog({ level: 'silent' });
  world.open = (config = {}) =>
    openCluster({
      config: { kubeconfig, watchNamespaces: [], hiddenNamespaces: [], readSecretNames: false, graces: GRACES, ...config },
      now,
      log,
    });
});
test.after.each(({ server }) => {
  server.closeAllConnections();
  server.close();
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('a request with a waiting user gives up on a slow API server, background work does not', async (world) => {
  world.answerMs = 4_000;
  const cluster = world.open();
  const away = cluster.interactive.client.list(KINDS.pod).catch((error: unknown) => error);
  const slow = cluster.background.client.list(KINDS.pod);
  assert.instance(await away, ClusterUnavailable);
  assert.equal(await slow, []);
  cluster.close();
});

for (const readSecretNames of [false, true])
  test(`Secrets are ${readSecretNames ? '' : 'not '}read when READ_SECRET_NAMES is ${String(readSecretNames)}`, async (world) => {
    const cluster = world.open({ readSecretNames });
    for (const { surroundings } of [cluster.interactive, cluster.background]) {
      world.paths.length = 0;
      await surroundings('shop');
      assert.is(world.paths.includes('/api/v1/namespaces/shop/secrets'), readSecretNames);
      assert.ok(world.paths.includes('/api/v1/namespaces/shop/configmaps'), world.paths.join());
    }
    cluster.close();
  });

test('what surrounds a failure names nothing of a hidden namespace', async (world) => {
  world.items = ['shop', 'vault'].map((namespace) => ({
    metadata: { name: `pv-${namespace}` },
    spec: { claimRef: { namespace, name: 'data' }, containers: [] },
  }));
  const cluster = world.open({ hiddenNamespaces: ['vault'] });
  for (const { surroundings } of [cluster.interactive, cluster.background])
    assert.equal(
      (await surroundings('shop')).volumes?.map(({ claim }) => claim),
      ['shop/data', '***'],
    );
  cluster.close();
});

test('a kubeconfig that cannot be read is bad configuration, on one line', (world) => {
  try {
    world.open({ kubeconfig: '/nonexistent/kubeconfig' });
    assert.unreachable();
  } catch (error) {
    assert.instance(error, ConfigError);
    assert.match((error as Error).message, /^bad configuration: KUBECONFIG must name a kubeconfig that can be read \(ENOENT.*\)$/);
  }
});

test.run();
