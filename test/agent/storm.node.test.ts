import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type CountingProxy, countingProxy } from '../support/network/counting-proxy.ts';
import { longOr } from '../support/runner/long.ts';
import { type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import { rssMiB } from '../support/processes/proc.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { onNode } from '../support/cluster/on-node.ts';

// 200 pods fail at once: 100 on the node (a kubelet runs at most 110), and 100 that fit on no node, which the operator sees.
// The first request for each log fails. Each wave is gone before the next one starts.

const WAVES = longOr(6, 1);
const PODS_A_WAVE = 200;
const ON_THE_NODE = 100;
/**
 * At most so many requests for a failing pod: for its events, itself and its logs, when it fails, when its label may change, and
 * when its status changes.
 */
const REQUESTS_A_POD = 25;

function tell(admin: string): void {
  const test = suite('200 pods that fail at once');
  let world: NodeWorld;
  let proxy: CountingProxy;
  let agent: Running;

  test.before(async () => {
    world = await nodeWorld(admin, 'storm');
    const asked = new Set<string>();
    proxy = await countingProxy(admin, (path) => {
      if (!/\/pods\/[^/]+\/log\?/.test(path) || asked.has(path)) return undefined;
      asked.add(path);
      return 500;
    });
    await world.startOperator();
    await world.signUp();
    agent = world.startAgent({ KUBECONFIG: await world.kubeconfigOf('podmend-agent', proxy.url) });
    await agent.line(/agent watches/);
  });
  test.after(async () => {
    await world?.end();
    await proxy?.close();
  });

  for (let wave = 1; wave <= WAVES; wave += 1) {
    test(`each pod of wave ${wave} has one record with its evidence, at a bounded cost`, async () => {
      const names = Array.from({ length: PODS_A_WAVE }, (_, index) => `wave-${wave}-${index}`);
      // One in ten runs and writes a log. The others never get a container.
      const kind = (index: number) =>
        index >= ON_THE_NODE ? PODS.unplaced : index % 10 === 0 ? PODS.failing : index % 10 === 5 ? PODS.unpulled : PODS.unmounted;
      const before = { requests: proxy.requests.length };
      await world.run(Object.fromEntries(names.map((name, index) => [name, kind(index)])));
      const own = async () => (await world.records()).filter(({ pod_name }) => pod_name.startsWith(`wave-${wave}-`));
      let found = await own();
      await until(async () => (found = await own()).length >= PODS_A_WAVE, {
        timeoutMs: 150_000,
        everyMs: 1_000,
        what: () => `${PODS_A_WAVE} records: there are ${found.length}\n${agent.output().slice(-2000)}`,
      });
      assert.equal(found.map(({ pod_name }) => pod_name).sort(), names.toSorted(), 'one record a pod');
      const detailOf = async (index: number) => world.detail((await world.single(`wave-${wave}-${index}`)).id);
      for (const index of [1, 5, 50, 99, 100, 199]) {
        const detail = await detailOf(index);
        assert.ok(detail.manifest && detail.events.length > 0, `${detail.pod_name} has its evidence`);
      }
      // The proxy refused the first request for each log.
      for (let index = 0; index < ON_THE_NODE; index += 10)
        await until(async () => /^last words$/m.test((await detailOf(index)).logs ?? ''), {
          timeoutMs: 60_000,
          everyMs: 1_000,
          what: `the log of wave-${wave}-${index}\n${agent.output().slice(-2000)}`,
        });
      const requests = proxy.requests.length - before.requests;
      assert.ok(requests <= ON_THE_NODE * REQUESTS_A_POD, `${requests} requests`);
      assert.ok(rssMiB(agent.child.pid ?? 0) < 256, `${rssMiB(agent.child.pid ?? 0)} MiB`);
      await world.kubectl('delete', 'pods', '--all', '-n', world.namespace, '--grace-period=0', '--force', '--wait=false');
      const left = async () => (await own()).filter(({ resolved_at }) => resolved_at === null).length === 0;
      await until(left, { timeoutMs: 60_000, everyMs: 1_000, what: 'every record to end' });
      await until(async () => !(await world.kubectl('get', 'pods', '-n', world.namespace, '-o', 'name')), {
        timeoutMs: 60_000,
        everyMs: 1_000,
        what: 'room',
      });
      assert.is((await own()).length, PODS_A_WAVE, 'and no other record came of it');
    });
  }

  test.run();
}

onNode('200 pods that fail at once', tell);
