import { setTimeout as sleep } from 'node:timers/promises';
import { countingProxy } from '../support/counting-proxy.ts';
import { millis, type NodeWorld, nodeWorld, PODS } from '../support/node-world.ts';
import { rssMiB } from '../support/proc.ts';
import { until } from '../support/wait.ts';
import { type Bench, percentile, table } from './bench.ts';

const SINGLE = 20;
/** A kubelet takes 110 pods at most. */
const WAVE = 100;
const IDLE_MS = 60_000;

/** The agent on a real node (TEST_KUBECONFIG): from the end of a container to the stored record, a storm of pods, and what it asks when nothing fails. */
export const name = 'agent';

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const admin = process.env['TEST_KUBECONFIG'];
  if (!admin) return out('Left out: TEST_KUBECONFIG is not set.');
  const world = await nodeWorld(admin, 'bench-agent');
  const proxy = await countingProxy(admin);
  try {
    await world.startOperator();
    await world.signUp();
    const agent = world.startAgent({ KUBECONFIG: await world.kubeconfigOf('podmend-agent', proxy.url) });
    await agent.line(/agent watches/);
    await world.run({ well: PODS.well });
    await sleep(15_000);
    proxy.requests.length = 0;
    await sleep(IDLE_MS);
    const idle = proxy.requests.length;
    const latencies = [];
    for (let index = 0; index < SINGLE; index += 1) latencies.push(await latencyOf(world, `single-${index}`));
    const begun = performance.now();
    proxy.requests.length = 0;
    await world.run(Object.fromEntries(Array.from({ length: WAVE }, (_, index) => [`wave-${index}`, PODS.unmounted])));
    const created = performance.now();
    const own = async () => (await world.records()).filter(({ pod_name }) => pod_name.startsWith('wave-')).length;
    await until(async () => (await own()) === WAVE, { timeoutMs: 300_000, everyMs: 200, what: 'all records' });
    const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);
    out(
      table(
        ['what', 'figure'],
        [
          [
            `status change seen by a watch → record told, ms (median, p99 of ${SINGLE})`,
            `${percentile(latencies, 0.5)}, ${percentile(latencies, 0.99)}`,
          ],
          [`${WAVE} failing pods applied → all recorded, s (after the last was created)`, `${seconds(begun)} (${seconds(created)})`],
          ['API requests a failing pod of those', (proxy.requests.length / WAVE).toFixed(1)],
          ['API requests a minute, nothing failing', idle],
          ['agent RSS after it, MiB', rssMiB(agent.child.pid ?? 0)],
        ],
      ),
    );
  } finally {
    await world.end();
    await proxy.close();
  }
}

/** From kubectl's watch showing the pod's failure to the socket's message about its record: kubectl's own delay is taken off, not added. */
async function latencyOf(world: NodeWorld, pod: string): Promise<number> {
  const socket = await world.client.listen();
  try {
    await world.run({ [pod]: PODS.failing });
    const told = async () => {
      const message = socket.messages.find((one) => one.type === 'pod_failure' && one.data.pod_name === pod);
      return message && Date.now();
    };
    const failed = world.kubectl('wait', '--for=jsonpath={.status.phase}=Failed', `pod/${pod}`, '-n', world.namespace, '--timeout=60s');
    const [changed, heard] = await Promise.all([
      failed.then(() => Date.now()),
      until(told, { timeoutMs: 60_000, everyMs: 2, what: `the record of ${pod}` }),
    ]);
    const record = await world.single(pod);
    // The record's own word is the lower bound: it was stored after it was seen.
    return Math.max(heard - changed, heard - millis(record.timestamp));
  } finally {
    socket.close();
  }
}
