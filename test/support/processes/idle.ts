import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { API_VERSION, type MirrorPod } from '../../../src/crd/mirrorpod.ts';
import { connect, type KubeClient } from '../../../src/kube/client.ts';
import { KINDS } from '../../../src/kube/kinds.ts';
import { type Audited, startAuditedApiServer, writesOf } from '../cluster/audit.ts';
import { installPodmend } from '../worlds/installed.ts';
import { cpuMs } from './proc.ts';
import { aSuppression } from '../builders/suppression.ts';
import { until } from '../runner/wait.ts';

const ACCOUNT = 'podmend-operator';
const AT_ONCE = 8;

/** What an operator did while there was no work. */
export interface Idled {
  /** All writes except for renewals of the Lease. */
  writes: Audited[];
  renewals: number;
  /** Percent of one core. */
  cpuPercent: number;
  seconds: number;
}

export interface Idling {
  mirrors: number;
  suppressions: number;
  /** How long to wait after the operator has seen all objects. Garbage collection after the start takes most of a minute. */
  settleSeconds: number;
  seconds: number;
}

/** Starts an operator on a real API server with this many objects, none of which needs work. Watches it for `seconds`. */
export async function watchIdleOperator({ mirrors, suppressions, settleSeconds, seconds }: Idling): Promise<Idled> {
  await using begun = new AsyncDisposableStack();
  const server = begun.adopt(await startAuditedApiServer(), ({ close }) => close());
  const { log } = server;
  const podmend = begun.adopt(await installPodmend(server.kubeconfig, { hasControllers: false }), ({ stop }) => stop());
  await podmend.kubectl.apply('{apiVersion: v1, kind: Node, metadata: {name: node-1}}');
  await podmend.kubectl.apply('{apiVersion: v1, kind: Namespace, metadata: {name: shop}}');
  const client = begun.adopt(connect({ kubeconfigText: server.kubeconfigText }), ({ close }) => close());
  await repeat(mirrors, (n) => makeMirror(client, n));
  await repeat(suppressions, async (n) => void (await client.create(KINDS.suppression, suppressionOf(n))));

  const operator = await podmend.startOperator();
  const isApplied = async () => (await client.list(KINDS.suppression)).every(({ status }) => status?.observedGeneration === 1);
  await until(isApplied, { timeoutMs: 60_000, everyMs: 500, what: 'the Suppressions to be seen' });
  await until(() => quiet(log), { timeoutMs: 120_000, what: 'the operator to have nothing left to do' });
  await sleep(settleSeconds * 1000);

  const pid = operator.child.pid ?? 0;
  const before = { writes: (await writesOf(log, ACCOUNT)).length, cpu: cpuMs(pid), at: performance.now() };
  await sleep(seconds * 1000);
  const cpuPercent = (100 * (cpuMs(pid) - before.cpu)) / (performance.now() - before.at);
  const writes = (await writesOf(log, ACCOUNT)).slice(before.writes);
  const isLease = ({ objectRef }: Audited): boolean => objectRef?.resource === 'leases' && objectRef.name === 'podmend';
  return { writes: writes.filter((one) => !isLease(one)), renewals: writes.filter(isLease).length, cpuPercent, seconds };
}

/** Whether the operator was quiet for five seconds: it sent almost nothing but renewals of the Lease. */
async function quiet(log: string): Promise<boolean> {
  const lines = async () => (await readFile(log, 'utf8')).split('\n').length;
  const before = await lines();
  await sleep(5_000);
  return (await lines()) - before <= 3;
}

async function makeMirror(client: KubeClient, n: number): Promise<void> {
  const name = `try-${n}`;
  const mirror: MirrorPod = {
    apiVersion: API_VERSION,
    kind: 'MirrorPod',
    metadata: { name, namespace: 'shop' },
    spec: { source: { name: 'web' }, ttlSeconds: 30, onExpiry: 'Retain' },
  };
  await client.create(KINDS.mirrorPod, mirror);
  const status = {
    observedGeneration: 1,
    phase: 'Expired',
    verdict: 'Fixed',
    podName: 'web-mirror-1',
    expirationTime: '2026-01-01T00:00:00Z',
    conditions: [],
  };
  await client.patch(KINDS.mirrorPod, 'shop', name, { status }, { type: 'merge', subresource: 'status' });
}

const suppressionOf = (n: number) => {
  const { spec } = aSuppression({ pods: [`never-${n}-*`] });
  return { apiVersion: API_VERSION, kind: 'Suppression', metadata: { name: `known-${n}`, namespace: 'shop' }, spec };
};

async function repeat(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}
