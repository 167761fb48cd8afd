import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';
import { type Cache, watchKind, type WatchTiming } from '../../src/kube/watch.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { type ChaosProxy, startChaosProxy } from '../support/network/chaos-proxy.ts';
import { until } from '../support/runner/wait.ts';

// Eight caches over one client, as in the operator. Each failure hits all of them at once.

const FOLLOWED: Kind[] = [
  KINDS.pod,
  KINDS.node,
  KINDS.event,
  KINDS.job,
  KINDS.replicaSet,
  KINDS.configMap,
  KINDS.namespace,
  KINDS.networkPolicy,
];

interface World {
  chaos: ChaosProxy;
  direct: KubeClient;
  caches: Cache<KubeObject>[];
  /** The number of objects in all caches. */
  held(): number;
  /** Resolves when every watch is open and no other request runs. */
  settled(): Promise<unknown>;
  end(): Promise<void>;
}

async function begin(timing: Partial<WatchTiming>): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-cuts-'));
  const sandbox = await startSandbox();
  const kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, sandbox.kubeconfig);
  const chaos = await startChaosProxy(kubeconfig);
  const direct = connect({ kubeconfigText: sandbox.kubeconfig });
  const client = connect({ kubeconfigText: chaos.kubeconfigText });
  const caches = FOLLOWED.map((kind) => watchKind(client, kind, { project: (object) => object, timing }));
  const held = () => caches.reduce((sum, cache) => sum + cache.list().length, 0);
  const settled = () => until(() => chaos.watching() === FOLLOWED.length, { what: 'every watch to be open' });
  await Promise.all(caches.map((cache) => cache.start()));
  await settled();
  return {
    ...{ chaos, direct, caches, held, settled },
    async end() {
      await Promise.all(caches.map((cache) => cache.stop()));
      client.close();
      direct.close();
      await chaos.close();
      await sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const test = suite('caches that are hit together');

test('thirty cuts in a row leave no connection, no listener and no object behind', async () => {
  const warnings: string[] = [];
  const warned = ({ message }: Error) => void warnings.push(message);
  process.on('warning', warned);
  const world = await begin({ backoffMs: 10, maxBackoffMs: 40 });
  const { chaos, held } = world;
  const handles = () => process.getActiveResourcesInfo().filter((name) => name !== 'Immediate').length;
  const cutOnce = async () => {
    const from = chaos.seen.length;
    const asked = () => new Set(chaos.seen.slice(from).flatMap(({ verb, path }) => (verb === 'watch' ? [path] : [])));
    chaos.cut();
    // Some watches reopen before others have ended, so there may be no moment with all of them closed.
    await until(() => asked().size === FOLLOWED.length, { what: 'every cache to watch again' });
    await world.settled();
  };
  // The first cuts fill the connection pools.
  for (let cuts = 0; cuts < 3; cuts++) await cutOnce();
  const before = { connections: chaos.connections(), handles: handles(), held: held(), requests: chaos.seen.length };
  for (let cuts = 0; cuts < 30; cuts++) await cutOnce();
  const after = { connections: chaos.connections(), handles: handles(), held: held() };
  assert.is(after.connections, FOLLOWED.length, 'a connection for each watch');
  assert.is(after.held, before.held);
  // Connections take a moment to end. Some of the last cut may still count, but not those of 30 cuts.
  assert.ok(after.handles <= before.handles + 2 * FOLLOWED.length, `${before.handles} handles became ${after.handles}`);
  const requests = chaos.seen.slice(before.requests);
  assert.is(requests.filter(({ verb }) => verb === 'get').length, 0, 'a cut makes nobody list');
  assert.ok(requests.length <= 30 * FOLLOWED.length * 2, `${requests.length} requests for 30 cuts`);
  // Node warns when listeners pile up on an emitter or a signal.
  assert.equal(warnings, []);
  process.off('warning', warned);
  await world.end();
});

test('history that is gone makes each cache list once, and not all in the same moment', async () => {
  const world = await begin({ backoffMs: 2_000, maxBackoffMs: 2_000 });
  const { chaos, direct, caches } = world;
  const from = chaos.seen.length;
  chaos.expire();
  chaos.forward();
  await until(() => chaos.seen.slice(from).filter(({ verb }) => verb === 'watch').length === FOLLOWED.length, {
    what: 'the caches to watch again',
  });
  await world.settled();
  const seen = chaos.seen.slice(from);
  const lists = seen.filter(({ verb }) => verb === 'get');
  assert.equal(lists.map(({ path }) => path).sort(), [...new Set(lists.map(({ path }) => path))].sort());
  assert.is(lists.length, FOLLOWED.length);
  const instants = lists.map(({ at }) => at);
  const spreadMs = Math.max(...instants) - Math.min(...instants);
  // With 25 % jitter, waits of 2 s end within 1 s. If all eight lists come within 150 ms, there is no jitter.
  assert.ok(spreadMs > 150, `all lists within ${spreadMs} ms`);
  await direct.create(KINDS.configMap, { metadata: { name: 'later', namespace: 'default' } });
  await until(() => caches.some((cache) => cache.get('default', 'later')), { what: 'a change after it' });
  await world.end();
});

test.run();
