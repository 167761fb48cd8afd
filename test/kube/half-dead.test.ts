import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { connectLightweight } from '../../src/kube/lightweight.ts';
import { type Cache, watchKind } from '../../src/kube/watch.ts';
import { type ApiServer, apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { type Freezer, startFreezer } from '../support/network/freezer.ts';
import { until } from '../support/runner/wait.ts';

// Dead connections that nobody closes, over the protocol that a real API server negotiates.

const folder = mkdtempSync(join(tmpdir(), 'podmend-half-dead-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

type Reader = Pick<KubeClient, 'list' | 'page' | 'watch' | 'close'>;
const CLIENTS: Record<string, (kubeconfigText: string) => Reader> = {
  'the operator’s client': (kubeconfigText) => connect({ kubeconfigText, timeoutMs: 3_000 }),
  'the agent’s client': (kubeconfigText) => {
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, kubeconfigText);
    return connectLightweight({ kubeconfig, timeoutMs: 3_000 });
  },
};

for (const [name, open] of apiServerAssets() ? Object.entries(CLIENTS) : []) {
  const test = suite<{ api: ApiServer; direct: KubeClient; path: Freezer; client: Reader; cache: Cache<KubeObject> }>(name);
  test.before(async (world) => {
    world.api = await startApiServer();
    world.direct = connect({ kubeconfigText: world.api.kubeconfigText });
  });
  test.after(async ({ api, direct }) => {
    direct.close();
    await api.close();
  });
  test.before.each(async (world) => {
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(world.api.kubeconfigText)?.[1]);
    world.path = await startFreezer({ host: '127.0.0.1', port });
    world.client = open(world.api.kubeconfigText.replace(`:${port}`, `:${world.path.port}`));
    const timing = { backoffMs: 20, maxBackoffMs: 100, quietMs: 1_000 };
    world.cache = watchKind(world.client, KINDS.configMap, { namespace: 'default', project: (object) => object, timing });
    await world.cache.start();
    // Concurrent requests leave several idle connections.
    await Promise.all(Array.from({ length: 8 }, () => world.client.list(KINDS.namespace)));
  });
  test.after.each(async ({ cache, client, path }) => {
    await cache.stop();
    client.close();
    await path.close();
  });
  const follows = async ({ direct, cache }: { direct: KubeClient; cache: Cache<KubeObject> }, object: string) => {
    await direct.create(KINDS.configMap, { metadata: { name: object, namespace: 'default' } });
    await until(() => cache.get('default', object), { what: `${object} in the cache` });
  };
  const fails = (work: Promise<unknown>) =>
    work.then(
      () => assert.unreachable('it should have failed'),
      () => undefined,
    );
  const answersAgain = ({ client }: { client: Reader }) =>
    until(() => client.list(KINDS.namespace), { what: 'an answer after the trouble' });

  test('comes back after a network that lost everything for a while', async (world) => {
    world.path.freeze();
    await fails(world.client.list(KINDS.namespace));
    world.path.thaw();
    await answersAgain(world);
    await follows(world, `after-a-freeze-${world.path.port}`);
  });

  test('comes back when open connections are dead and new ones work', async (world) => {
    world.path.strand();
    await answersAgain(world);
    await follows(world, `after-a-firewall-${world.path.port}`);
  });

  test('comes back after a cut', async (world) => {
    world.path.cut();
    await answersAgain(world);
    await follows(world, `after-a-cut-${world.path.port}`);
  });

  test('comes back when the API server does, with its history forgotten', async (world) => {
    const { api, direct, cache, path } = world;
    await follows(world, 'before-the-halt');
    path.freeze();
    await direct.remove(KINDS.configMap, 'default', 'before-the-halt');
    await direct.create(KINDS.configMap, { metadata: { name: `other-${path.port}`, namespace: 'kube-system' } });
    await api.compact();
    await api.halt();
    path.thaw();
    await fails(world.client.list(KINDS.namespace));
    await api.resume();
    await answersAgain(world);
    await until(() => cache.get('default', 'before-the-halt') === undefined, { what: 'the deletion' });
    await follows(world, `after-the-halt-${world.path.port}`);
  });

  test.run();
}
if (!apiServerAssets()) console.log('SKIP half-dead connections: KUBEBUILDER_ASSETS is not set');
