import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { MIRROR_LABEL } from '../../src/crd/mirrorpod.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { apiServerAssets } from '../support/cluster/api-server.ts';
import type { OperatorProcess } from '../support/processes/operator.ts';
import { cpuMs } from '../support/processes/proc.ts';
import { until } from '../support/runner/wait.ts';
import { type Bench, table, type Tree } from './bench.ts';
import { apiServer, type Cluster, mirrorOf, onCluster } from './mirrors.ts';

const WATCHED = 100;
/** Seconds of measurement before and after the verdicts. The observation window for a source that never ran is 60 s. */
const SECONDS = 50;

/** The cost of the operator while mirrors run. */
export const name = 'watching';
export const compares = true;

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  if (!apiServerAssets()) return out('left out: KUBEBUILDER_ASSETS is not set, so there is no API server whose requests could be counted');
  const rows: string[][] = [];
  for (const tree of trees) rows.push(await onCluster(await apiServer(), tree, measure));
  out(`${WATCHED} live mirrors on an API server, for ${SECONDS} s before their verdicts and as long after them.\n`);
  out(table(['tree', 'before: CPU %', 'before: requests/min', 'after: CPU %', 'after: requests/min'], rows));
}

/** Measures the operator while mirrors run. There is no kubelet: the bench writes the statuses of their pods. */
async function measure({ client, kubeconfig }: Cluster, { pid }: OperatorProcess): Promise<string[]> {
  for (let n = 0; n < WATCHED; n++) await client.create(KINDS.mirrorPod, mirrorOf(n, 600));
  const pods = await until(
    async () => {
      const found = await client.list(KINDS.pod, { labelSelector: `${MIRROR_LABEL}=true` });
      return found.length === WATCHED ? found : undefined;
    },
    { timeoutMs: 60_000, what: 'all mirror pods' },
  );
  const since = `${new Date().toISOString().slice(0, 19)}Z`;
  for (const { metadata } of pods)
    await client.patch(
      KINDS.pod,
      metadata.namespace,
      metadata.name ?? '',
      { status: runningSince(since) },
      { type: 'merge', subresource: 'status' },
    );
  const before = await costOver(SECONDS, pid, kubeconfig);
  await until(async () => (await client.list(KINDS.mirrorPod)).every(({ status }) => status?.verdict), {
    timeoutMs: 120_000,
    everyMs: 1_000,
    what: 'all verdicts',
  });
  return [...before, ...(await costOver(SECONDS, pid, kubeconfig))];
}

function runningSince(since: string): Pod['status'] {
  return {
    phase: 'Running',
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: since }],
    containerStatuses: [
      { name: 'app', ready: true, restartCount: 0, image: 'web:1', imageID: '', state: { running: { startedAt: since } } },
    ],
  };
}

/** The operator's CPU time in percent of one core, and the requests per minute at the API server. */
async function costOver(seconds: number, pid: number, kubeconfig: string): Promise<string[]> {
  const begin = { cpu: cpuMs(pid), requests: await requestsOf(kubeconfig), at: performance.now() };
  await sleep(seconds * 1000);
  const passedMs = performance.now() - begin.at;
  const requests = (await requestsOf(kubeconfig)) - begin.requests;
  return [(((cpuMs(pid) - begin.cpu) / passedMs) * 100).toFixed(1), ((requests / passedMs) * 60_000).toFixed(0)];
}

/** The number of requests about pods, events and MirrorPods that the API server has answered so far, without watches. */
async function requestsOf(kubeconfig: string): Promise<number> {
  const kubectl = join(apiServerAssets() ?? '', 'kubectl');
  const { stdout } = await promisify(execFile)(kubectl, ['--kubeconfig', kubeconfig, 'get', '--raw', '/metrics'], { maxBuffer: 2 ** 26 });
  const counted = stdout.matchAll(/^apiserver_request_total\{([^}]*)\} (\S+)$/gm);
  return [...counted].reduce((sum, [, labels = '', value]) => {
    const isOurs = /resource="(?:pods|events|mirrorpods)"/.test(labels) && !/verb="WATCH"/.test(labels);
    return isOurs ? sum + Number(value) : sum;
  }, 0);
}
