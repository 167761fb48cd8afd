import { setTimeout as sleep } from 'node:timers/promises';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { API_VERSION, MIRROR_LABEL, mirrorPodName, REQUESTED_AT_ANNOTATION, type MirrorPod } from '../../src/crd/mirrorpod.ts';
import { connect, type KubeClient, BACKGROUND_SILENCE_MS } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { watchKind } from '../../src/kube/watch.ts';
import { apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { installDefinitions } from '../support/cluster/clusters.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { type OperatorProcess, startOperatorProcess } from '../support/processes/operator.ts';
import { cpuMs } from '../support/processes/proc.ts';
import { startMode } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { percentile, type Bench, spread, table, type Tree } from './bench.ts';

const ONE_BY_ONE = 60;
const AT_ONCE = 200;
const MANY = 1_000;
const NAMESPACES = 10;
/** All MANY mirrors end within this time, after the last one is created. */
const ENDING_SECONDS = 60;
/** The time limit for creating all of them. */
const MAKING_SECONDS = 90;

/** How soon a mirror starts and ends. Operator and cluster are separate processes. */
export const name = 'mirrors';
export const compares = true;

export interface Cluster {
  name: string;
  kubeconfig: string;
  client: KubeClient;
  close(): Promise<void>;
}

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  const started: string[][] = [];
  for (const tree of trees) started.push(await onCluster(await (apiServerAssets() ? apiServer() : sandbox()), tree, measureStart));
  out(`From the answer to the MirrorPod's creation to that of its pod; ${ONE_BY_ONE} one after another, then ${AT_ONCE} at once.\n`);
  out(table(['tree', 'cluster', 'one: median ms (lowest..highest)', 'one: p99 ms', 'at once: mirrors/s', 'CPU ms/mirror'], started));
  const ended: string[][] = [];
  for (const tree of trees) ended.push(await onCluster(await sandbox(), tree, measureEnd));
  out(
    `\n${MANY} live mirrors on the sandbox, all asked for a pass at once; then they end within ${ENDING_SECONDS} s. Late is the pod's deletion after its time.\n`,
  );
  out(table(['tree', 'passes/s', 'CPU ms/pass', 'late: p50 ms', 'late: p99 ms', 'late: most ms', 'CPU ms/end'], ended));
}

type Measure = (cluster: Cluster, operator: OperatorProcess) => Promise<string[]>;

/** Measures a tree's operator on a cluster with ten failing pods, one in each namespace. Ends both. */
export async function onCluster(cluster: Cluster, tree: Tree, measure: Measure): Promise<string[]> {
  const database = postgresUrl ? await createDatabase(postgresUrl) : undefined;
  try {
    await installDefinitions(cluster.client);
    // The namespace of the Lease.
    await cluster.client.create(KINDS.namespace, { metadata: { name: 'podmend' } });
    for (let n = 0; n < NAMESPACES; n++) await makeSource(cluster.client, `bench-${n}`);
    const operator = await startOperatorProcess({
      databaseUrl: database?.url,
      kubeconfig: cluster.kubeconfig,
      env: { MIRROR_LIMITS: '5000,5000,5000' },
      launcher: tree.launcher,
    });
    try {
      return [tree.name, ...(await measure(cluster, operator))];
    } finally {
      await operator.stop();
    }
  } finally {
    await cluster.close();
    await database?.drop();
  }
}

async function measureStart({ name: where, client }: Cluster, { pid }: OperatorProcess): Promise<string[]> {
  const seen = new Map<string, number>();
  const pods = watchKind<Pod, Pod>(client, KINDS.pod, { labelSelector: `${MIRROR_LABEL}=true`, project: (pod) => pod });
  pods.onChange(({ type, object }) => {
    if (type === 'ADDED') seen.set(`${object.metadata.namespace}/${object.metadata.name}`, performance.now());
  });
  await pods.start();
  const make = async (n: number) => {
    const mirror = await client.create(KINDS.mirrorPod, mirrorOf(n, 3_000));
    const key = `${mirror.metadata.namespace}/${mirrorPodName('web', mirror.metadata.uid ?? '')}`;
    return { key, answeredAt: performance.now() };
  };
  const began = ({ key, answeredAt }: { key: string; answeredAt: number }) => Math.max(0, (seen.get(key) ?? NaN) - answeredAt);
  const one: number[] = [];
  for (let n = 0; n < ONE_BY_ONE + 10; n++) {
    const made = await make(n);
    await until(() => seen.has(made.key), { timeoutMs: 10_000, everyMs: 2, what: 'the mirror pod' });
    // The first ten are a warm-up.
    if (n >= 10) one.push(began(made));
  }
  const before = { cpu: cpuMs(pid), at: performance.now(), pods: seen.size };
  for (let n = 0; n < AT_ONCE; n++) await make(1_000 + n);
  await until(() => seen.size === before.pods + AT_ONCE, { timeoutMs: 120_000, everyMs: 5, what: () => `all pods: ${seen.size}` });
  const seconds = (performance.now() - before.at) / 1000;
  await pods.stop();
  return [
    where,
    spread(one),
    percentile(one, 0.99).toFixed(0),
    (AT_ONCE / seconds).toFixed(0),
    ((cpuMs(pid) - before.cpu) / AT_ONCE).toFixed(1),
  ];
}

async function measureEnd({ client }: Cluster, { pid }: OperatorProcess): Promise<string[]> {
  const lateMs = new Map<string, number>();
  const expirations = new Map<string, number>();
  const handled = new Map<string, string>();
  const pods = watchKind<Pod, Pod>(client, KINDS.pod, { labelSelector: `${MIRROR_LABEL}=true`, project: (pod) => pod });
  const mirrors = watchKind<MirrorPod, MirrorPod>(client, KINDS.mirrorPod, { project: (mirror) => mirror });
  pods.onChange(({ type, object: { metadata } }) => {
    const owner = metadata.ownerReferences?.[0]?.uid ?? '';
    const isEnding = type === 'DELETED' || metadata.deletionTimestamp !== undefined;
    if (isEnding && !lateMs.has(owner)) lateMs.set(owner, Date.now() - (expirations.get(owner) ?? NaN));
  });
  mirrors.onChange(({ object: { metadata, status } }) => {
    if (status?.expirationTime) expirations.set(metadata.uid ?? '', Date.parse(status.expirationTime));
    if (status?.lastHandledReconcileAt) handled.set(metadata.uid ?? '', status.lastHandledReconcileAt);
  });
  await Promise.all([pods.start(), mirrors.start()]);
  const beganAt = Date.now();
  for (let n = 0; n < MANY; n++) {
    const endsAt = beganAt + (MAKING_SECONDS + 30 + (ENDING_SECONDS * n) / MANY) * 1000;
    await client.create(KINDS.mirrorPod, mirrorOf(n, Math.round((endsAt - Date.now()) / 1000)));
  }
  await until(() => pods.list().length === MANY, {
    timeoutMs: MAKING_SECONDS * 1000,
    everyMs: 20,
    what: () => `all pods: ${pods.list().length}`,
  });
  // Wait for the verdicts, which come within the first seconds.
  await sleep(5_000);
  const asked = { cpu: cpuMs(pid), at: performance.now(), word: new Date().toISOString() };
  for (const { metadata } of mirrors.list())
    await client.patch(
      KINDS.mirrorPod,
      metadata.namespace,
      metadata.name ?? '',
      { metadata: { annotations: { [REQUESTED_AT_ANNOTATION]: asked.word } } },
      { type: 'merge' },
    );
  await until(() => [...handled.values()].filter((word) => word === asked.word).length === MANY, {
    timeoutMs: 60_000,
    everyMs: 5,
    what: 'a pass over each',
  });
  const passes = { seconds: (performance.now() - asked.at) / 1000, cpu: cpuMs(pid) - asked.cpu };
  await until(() => Date.now() > Math.min(...expirations.values()) - 500, {
    timeoutMs: MAKING_SECONDS * 2_000,
    everyMs: 50,
    what: 'the first end',
  });
  const ending = cpuMs(pid);
  await until(() => lateMs.size === MANY, { timeoutMs: (ENDING_SECONDS + 60) * 1000, everyMs: 50, what: () => `all ends: ${lateMs.size}` });
  const late = [...lateMs.values()];
  await Promise.all([pods.stop(), mirrors.stop()]);
  return [
    (MANY / passes.seconds).toFixed(0),
    (passes.cpu / MANY).toFixed(1),
    ...[0.5, 0.99, 1].map((part) => percentile(late, part).toFixed(0)),
    ((cpuMs(pid) - ending) / MANY).toFixed(1),
  ];
}

/** An API server without controllers and kubelet. */
export async function apiServer(): Promise<Cluster> {
  const { kubeconfig, close } = await startApiServer();
  return { name: 'API server', kubeconfig, client: clientOf(kubeconfig), close };
}

async function sandbox(): Promise<Cluster> {
  const process = startMode('sandbox', {});
  const [, kubeconfig = ''] = await process.line(/kubeconfig: (\S+)/);
  const client = clientOf(kubeconfig);
  // By default the node holds 110 pods. The other mirrors would stay pending until their deadline and never run.
  const room = { pods: String(2 * MANY), cpu: '1000', memory: '1000Gi' };
  for (const node of await client.list(KINDS.node))
    await client.patch(
      KINDS.node,
      undefined,
      node.metadata.name ?? '',
      { status: { allocatable: room, capacity: room } },
      { type: 'merge', subresource: 'status' },
    );
  return { name: 'sandbox', kubeconfig, client, close: async () => void (await process.stop()) };
}

/** A client with a long timeout: a thousand requests at once make the sandbox slow. */
function clientOf(kubeconfig: string): KubeClient {
  return connect({ kubeconfig, silenceMs: BACKGROUND_SILENCE_MS });
}

async function makeSource(client: KubeClient, namespace: string): Promise<void> {
  await client.create(KINDS.namespace, { metadata: { name: namespace } });
  const pod: Pod = {
    metadata: { name: 'web', namespace, labels: { app: 'web' } },
    spec: { containers: [{ name: 'app', image: 'web:11' }] },
  };
  await client.create(KINDS.pod, pod);
}

/** MirrorPod number `n`, of one of the failing pods, with a correction that cures it. */
export function mirrorOf(n: number, ttlSeconds: number): MirrorPod {
  return {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: { name: `try-${n}`, namespace: `bench-${n % NAMESPACES}` },
    spec: { source: { name: 'web' }, ttlSeconds, template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } } },
  };
}
