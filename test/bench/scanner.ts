import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { aroundOf } from '../../src/checks/surroundings.ts';
import { judgeObject } from '../../src/checks/judge.ts';
import { readConfig } from '../../src/config.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { connect } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { runScanner } from '../../src/modes/scanner.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Operator } from '../../src/scanner/operator.ts';
import { projectJudged } from '../../src/scanner/project.ts';
import { scan } from '../../src/scanner/scan.ts';
import { podFor, STEP_NAMES } from '../support/builders/pod-security.ts';
import { random } from '../support/builders/random.ts';
import { installDefinitions } from '../support/cluster/clusters.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN, testApp } from '../support/worlds/app.ts';
import { type Bench, spread, table } from './bench.ts';

/** Measures the checks alone, a large cluster, one change, and a folder of manifests. An earlier system judged 20 pods per CPU second. */
export const name = 'scanner';

const RUNS = 3;
const JUDGED = 20_000;
const PODS = 50_000;
const MANIFESTS = 5_000;
const CHANGES = 10;
const around = aroundOf({ policies: [], accounts: [], trustedRegistries: ['registry.example'], namespaces: [] });

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const rows = [...checks(), ...(await largeCluster()), ...(await change()), ...(await folder())];
  out(table(['what', 'measured', 'aim'], rows));
}

function generated(count: number): KubeObject[] {
  const chosen = random(1);
  return Array.from({ length: count }, (_, index) => {
    const { pod } = podFor(STEP_NAMES[index % STEP_NAMES.length] as string, chosen);
    return {
      ...pod,
      metadata: { ...pod.metadata, name: `web-${index}`, namespace: `team-${index % 50}`, uid: String(index), resourceVersion: '1' },
    };
  });
}

const cpuSeconds = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

function checks(): string[][] {
  const pods = generated(JUDGED);
  const rates: number[] = [];
  let found = 0;
  for (let round = 0; round <= RUNS; round += 1) {
    const before = cpuSeconds();
    found = 0;
    for (const pod of pods) found += judgeObject(pod, { minor: 36, around: around(pod.metadata.namespace ?? '') }).length;
    // The first round is a warm-up.
    if (round > 0) rates.push(JUDGED / (cpuSeconds() - before));
  }
  return [[`pods a CPU second in the checks (${(found / JUDGED).toFixed(1)} findings a pod)`, spread(rates, 0), '20000']];
}

/** The scanner with a large cluster in its memory. Its operator answers at once. */
async function largeCluster(): Promise<string[][]> {
  globalThis.gc?.();
  const empty = process.memoryUsage().rss;
  const kept = new Map(generated(PODS).map((pod) => [`Pod/${pod.metadata.namespace}/${pod.metadata.name}`, projectJudged(pod)]));
  let writes = 0;
  const noted = async (): Promise<void> => void (writes += 1);
  const silent = async (): Promise<void> => {};
  const operator: Operator = { replace: noted, remove: noted, clear: silent, status: silent, duration: silent };
  const inventory = { keys: () => [...kept.keys()], get: (key: string) => kept.get(key), around, missing: () => [] };
  const scanning = scan({ inventory, operator, hiddenNamespaces: [], minor: () => 36, log: createLog({ level: 'silent' }) });
  const rows: string[][] = [];
  let highest = 0;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 50);
  for (const [pass, aim] of [
    ['first', ''],
    ['unchanged', '0'],
  ] as const) {
    const [began, before] = [performance.now(), writes];
    await scanning.pass(pass);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    rows.push([`${PODS} pods, ${pass} pass: seconds`, seconds, '60'], [`${PODS} pods, ${pass} pass: writes`, String(writes - before), aim]);
  }
  clearInterval(watch);
  highest = Math.max(highest, process.memoryUsage().rss);
  await scanning.stop();
  return [...rows, [`${PODS} pods: MB more than before`, ((highest - empty) / 1024 ** 2).toFixed(0), '400']];
}

/** The time from a change in the cluster until the list of the API shows it. */
async function change(): Promise<string[][]> {
  await using ends = new AsyncDisposableStack();
  const sandbox = ends.adopt(await startSandbox(), ({ close }) => close());
  const client = ends.adopt(connect({ kubeconfigText: sandbox.kubeconfig }), ({ close }) => close());
  await installDefinitions(client);
  for (const namespace of ['shop', 'podmend']) await client.create(KINDS.namespace, { metadata: { name: namespace } });
  const app = ends.adopt(await testApp(), ({ close }) => close());
  const backendUrl = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const home = ends.adopt(await mkdtemp(join(tmpdir(), 'podmend-bench-')), (path) => rm(path, { recursive: true }));
  const kubeconfig = join(home, 'kubeconfig');
  await writeFile(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
  const config = readConfig({ SERVICE_TOKEN, KUBECONFIG: kubeconfig, BACKEND_URL: backendUrl }, 'scanner');
  ends.adopt(await runScanner({ config, log: createLog({ level: 'silent' }) }), ({ stop }) => stop());
  const isShown = async (resource: string): Promise<boolean> => {
    const { json } = await app.send('read', { method: 'GET', url: '/api/security/findings?namespace=shop&check=host-namespaces' });
    return json<{ resource_name: string }[]>().some((one) => one.resource_name === resource);
  };
  const passed = () => app.messages.some((one) => one.type === 'security_rescan_status' && one.data.status === 'completed');
  await until(passed, { what: 'the first pass', timeoutMs: 60_000 });
  const taken: number[] = [];
  for (let index = 0; index < CHANGES; index += 1) {
    const resource = `web-${index}`;
    const spec = { hostPID: true, containers: [{ name: 'app', image: 'web:1' }] };
    await client.create(KINDS.pod, { metadata: { name: resource, namespace: 'shop' }, spec } as never);
    const began = performance.now();
    await until(() => isShown(resource), { what: 'the finding', timeoutMs: 60_000 });
    taken.push((performance.now() - began) / 1000);
  }
  return [['a changed pod is in GET /api/security/findings: seconds', spread(taken, 2), '2']];
}

async function folder(): Promise<string[][]> {
  const home = await mkdtemp(join(tmpdir(), 'podmend-bench-'));
  try {
    const pods = generated(MANIFESTS);
    await Promise.all(pods.map((pod, index) => writeFile(join(home, `${index}.json`), JSON.stringify(pod))));
    const began = performance.now();
    const podmend = new URL('../../src/podmend.js', import.meta.url).pathname;
    await promisify(execFile)(process.execPath, [podmend, 'scan', '-f', home, '-o', 'json', '--fail-on', 'none'], { maxBuffer: 1024 ** 3 });
    return [[`podmend scan over ${MANIFESTS} manifests: seconds`, ((performance.now() - began) / 1000).toFixed(1), '']];
  } finally {
    await rm(home, { recursive: true });
  }
}
