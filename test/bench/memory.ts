import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { runLoad, startOperatorProcess } from '../support/processes/operator.ts';
import { rssMiB } from '../support/processes/proc.ts';
import { startMode } from '../support/processes/process.ts';
import { type Bench, spread, table } from './bench.ts';

const RUNS = 3;
/** After this time a process is idle again, after its start or a load. */
const SETTLE_MS = 5_000;
/** Stored reports after each load. If memory does not grow with them, it stays as after the first load. */
const STEP = 10_000;
const LOADS = [STEP, 2 * STEP, 3 * STEP];

/** Resident memory of operator, agent and demo, each a process of its own. */
export const name = 'memory';

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  out(`Resident memory in MiB, ${SETTLE_MS / 1000} s after the event. Median (lowest..highest) of ${RUNS} runs.\n`);
  const rows: string[][] = [];
  if (postgresUrl) rows.push(...(await operatorRows(postgresUrl)));
  else out('The operator is left out: TEST_DATABASE_URL is not set.\n');
  for (const pods of [100, 1_000]) rows.push([`agent, ${pods} pods`, spread(await times(RUNS, () => agentMemory(pods)), 0)]);
  rows.push(['demo, its shop failing', spread(await times(RUNS, demoMemory), 0)]);
  out(table(['process', 'RSS MiB'], rows));
}

async function operatorRows(server: string): Promise<string[][]> {
  const measured = await times(RUNS, () => operatorMemory(server));
  const rows = ['idle', ...LOADS.map((load) => `after ${load.toLocaleString('en')} reports`)];
  return rows.map((row, k) => [
    `operator on PostgreSQL, ${row}`,
    spread(
      measured.map((sizes) => sizes[k] ?? 0),
      0,
    ),
  ]);
}

/** When idle, and after each of LOADS. */
async function operatorMemory(server: string): Promise<number[]> {
  const database = await createDatabase(server);
  const operator = await startOperatorProcess({ databaseUrl: database.url });
  try {
    await sleep(SETTLE_MS);
    const sizes = [rssMiB(operator.pid)];
    for (const load of LOADS) {
      await runLoad(operator.url, { count: STEP, concurrency: 64, prefix: `memory-${load}` });
      await sleep(SETTLE_MS);
      sizes.push(rssMiB(operator.pid));
    }
    return sizes;
  } finally {
    await operator.stop();
    await database.drop();
  }
}

/** An agent that watches healthy pods of the sandbox. There is no operator, because nothing needs to be reported. */
async function agentMemory(pods: number): Promise<number> {
  const sandbox = startMode('sandbox', {});
  try {
    const [, url = ''] = await sandbox.line(/sandbox: (\S+)/);
    const [, kubeconfig = ''] = await sandbox.line(/kubeconfig: (\S+)/);
    const authorization = await bearerOf(kubeconfig);
    for (let n = 0; n < pods; n++) await createPod(url, authorization, n);
    const agent = startMode('agent', { KUBECONFIG: kubeconfig, SERVICE_TOKEN: 'bench-service-token', BACKEND_URL: 'http://127.0.0.1:1' });
    try {
      await agent.line(/agent watches/);
      await sleep(SETTLE_MS);
      if (agent.child.exitCode !== null) throw new Error(`the agent ended:\n${agent.output().slice(-2000)}`);
      return rssMiB(agent.child.pid ?? 0);
    } finally {
      await agent.stop();
    }
  } finally {
    await sandbox.stop();
  }
}

async function demoMemory(): Promise<number> {
  const demo = startMode('demo', { PORT: '0' });
  try {
    await demo.line(/kubeconfig: \S+/, 60_000);
    await sleep(6 * SETTLE_MS);
    return rssMiB(demo.child.pid ?? 0);
  } finally {
    await demo.stop();
  }
}

async function bearerOf(kubeconfig: string): Promise<Record<string, string>> {
  const token = /token: "?([^"\s]+)/.exec(await readFile(kubeconfig, 'utf8'))?.[1];
  return token ? { authorization: `Bearer ${token}` } : {};
}

async function createPod(url: string, headers: Record<string, string>, n: number): Promise<void> {
  const env = Array.from({ length: 20 }, (_, k) => ({ name: `SETTING_${k}`, value: `value-${k}` }));
  const container = { name: 'web', image: 'web:1', env, resources: { requests: { cpu: '1m', memory: '1Mi' } } };
  const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: `web-${n}`, labels: { app: 'web' } }, spec: { containers: [container] } };
  const address = `${url}/api/v1/namespaces/default/pods`;
  const answer = await fetch(address, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(pod),
  });
  if (!answer.ok) throw new Error(`creating a pod: ${answer.status} ${await answer.text()}`);
}

async function times<T>(count: number, measure: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let n = 0; n < count; n++) results.push(await measure());
  return results;
}
