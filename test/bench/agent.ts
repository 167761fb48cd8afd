import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { connectLightweight, KINDS } from '../../src/kube/lightweight.ts';
import { countingProxy } from '../support/network/counting-proxy.ts';
import { millis, type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import { rssMiB } from '../support/processes/proc.ts';
import { until } from '../support/runner/wait.ts';
import { type Bench, percentile, table } from './bench.ts';

const SAMPLES = 51;
/** Pods that fail at the same time: few, so that none waits for the others. */
const A_GO = 3;
/** A kubelet runs at most 110 pods. The other failing pods are pods that fit on no node. */
const ON_THE_NODE = 100;
const UNPLACED = 100;
const IDLE_MS = 60_000;

/**
 * The agent on a real node (TEST_KUBECONFIG): the time from the status at the API server to the record, many pods at once, and its
 * requests when nothing fails. Operator, database, cluster and bench share the machine.
 */
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
    const clocks = await stopwatch(world, admin);
    await world.run({ well: PODS.well });
    await sleep(15_000);
    proxy.requests.length = 0;
    await sleep(IDLE_MS);
    const idle = proxy.requests.length;
    const samples = await sampled(world, clocks);
    const wave = await storm(world, proxy);
    const figures = (of: (sample: Sample) => number): string => {
      const values = samples.map(of);
      return `${percentile(values, 0.5)}, ${percentile(values, 0.99)}`;
    };
    const of = `median, p99 of ${samples.length}`;
    const all = ON_THE_NODE + UNPLACED;
    out(
      table(
        ['what', 'figure'],
        [
          [
            `container terminated, in a watch of its own → pod_failure on the socket (stored), ms: ${of}`,
            figures(({ shown, heard }) => heard - shown),
          ],
          [
            `container's finishedAt (whole seconds: up to 1,000 too many) → the same, ms: ${of}`,
            figures(({ ended, heard }) => heard - ended),
          ],
          [
            `container's finishedAt → terminated in the watch (the kubelet's part), ms: ${of}`,
            figures(({ ended, shown }) => shown - ended),
          ],
          [`${all} failing pods at once (${UNPLACED} without a node): first applied → all recorded, s`, wave.seconds],
          ['the same, after kubectl had applied the last, s', wave.secondsAfter],
          [`API requests of the agent for each of the ${ON_THE_NODE} on its node`, wave.requests],
          ['API requests of the agent a minute, nothing failing', idle],
          ['agent RSS after it, MiB', rssMiB(agent.child.pid ?? 0)],
        ],
      ),
    );
    clocks.close();
  } finally {
    await world.end();
    await proxy.close();
  }
}

/** Times of one pod, in milliseconds since 1970: its container ends, the API server shows it, the socket message arrives. */
interface Sample {
  ended: number;
  shown: number;
  heard: number;
}

interface Stopwatch {
  /** When a watch first showed the end of the container (the phase follows a second later), and the time of the end in the status. */
  shown: Map<string, Omit<Sample, 'heard'>>;
  /** When the first socket message about the pod arrived. */
  heard: Map<string, number>;
  close(): void;
}

/** Measures through the bench's own connections to the API server and the operator. */
async function stopwatch(world: NodeWorld, admin: string): Promise<Stopwatch> {
  const shown: Stopwatch['shown'] = new Map();
  const heard: Stopwatch['heard'] = new Map();
  const client = connectLightweight({ kubeconfig: admin });
  const pods = client.follow<Pod, Pod>(KINDS.pod, { namespaces: [world.namespace], project: (pod) => pod });
  pods.onChange(async ({ object: { metadata, status } }) => {
    const ended = status?.containerStatuses?.[0]?.state?.terminated;
    if (!ended || shown.has(metadata.name ?? '')) return;
    shown.set(metadata.name ?? '', { ended: millis(ended.finishedAt), shown: Date.now() });
  });
  await pods.start();
  const socket = await world.client.listen((message) => {
    if (message.type === 'pod_failure' && !heard.has(message.data.pod_name)) heard.set(message.data.pod_name, Date.now());
  });
  return {
    shown,
    heard,
    close() {
      socket.close();
      void pods.stop().then(() => client.close());
    },
  };
}

async function sampled(world: NodeWorld, { shown, heard }: Stopwatch): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let go = 0; samples.length < SAMPLES; go += 1) {
    const names = Array.from({ length: A_GO }, (_, index) => `single-${go}-${index}`);
    await world.run(Object.fromEntries(names.map((pod) => [pod, PODS.failing])));
    await until(() => names.every((pod) => shown.has(pod) && heard.has(pod)), { timeoutMs: 60_000, everyMs: 50, what: names.join(', ') });
    for (const pod of names) {
      const seen = shown.get(pod);
      if (seen) samples.push({ ...seen, heard: heard.get(pod) ?? Number.NaN });
    }
  }
  await world.kubectl('delete', 'pods', '--all', '-n', world.namespace, '--grace-period=0', '--force', '--wait=true', '--timeout=60s');
  return samples;
}

async function storm(world: NodeWorld, proxy: { requests: unknown[] }) {
  const kinds = Array.from({ length: ON_THE_NODE + UNPLACED }, (_, index) => (index % 2 ? PODS.unplaced : PODS.unmounted));
  proxy.requests.length = 0;
  const begun = performance.now();
  await world.run(Object.fromEntries(kinds.map((kind, index) => [`wave-${index}`, kind])));
  const applied = performance.now();
  const own = async () => (await world.records()).filter(({ pod_name }) => pod_name.startsWith('wave-')).length;
  await until(async () => (await own()) === kinds.length, { timeoutMs: 200_000, everyMs: 200, what: 'all records' });
  const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);
  return { seconds: seconds(begun), secondsAfter: seconds(applied), requests: (proxy.requests.length / ON_THE_NODE).toFixed(1) };
}
