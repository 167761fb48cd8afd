import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FindingLoad } from '../load/finding.ts';
import { startMode } from './process.ts';

/** The token of every operator that is started here. */
export const TOKEN = 'bench-service-token';

/** A running operator process. */
export interface OperatorProcess {
  url: string;
  pid: number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** What a load measured. Latencies are in milliseconds. */
export interface LoadResult {
  perSecond: number;
  latencies: number[];
  statuses: Record<string, number>;
}

export interface OperatorOptions {
  /** Absent: the operator has an embedded database in its folder. */
  databaseUrl?: string | undefined;
  /** The DATA_DIR. It is not deleted. Absent: a temporary folder. */
  dataDir?: string;
  /** The path of a kubeconfig. Absent: the operator has no cluster. */
  kubeconfig?: string;
  env?: Record<string, string>;
  /** The path of another tree's `podmend.js`. */
  launcher?: string | undefined;
}

export async function startOperatorProcess(options: OperatorOptions = {}): Promise<OperatorProcess> {
  const { databaseUrl, dataDir, kubeconfig, env, launcher } = options;
  const folder = await mkdtemp(join(tmpdir(), 'podmend-bench-'));
  const nowhere = join(folder, 'kubeconfig');
  await writeFile(nowhere, NO_CLUSTER);
  const all = {
    PORT: '0',
    HOST: '127.0.0.1',
    SERVICE_TOKEN: TOKEN,
    KUBECONFIG: kubeconfig ?? nowhere,
    DATA_DIR: dataDir ?? join(folder, 'data'),
    LOG_LEVEL: 'info',
    ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    ...env,
  };
  const operator = startMode('operator', all, [], launcher);
  const [, url = ''] = await operator.line(/"url":"(http:[^"]+)"/);
  if (kubeconfig) await operator.line(/this process leads/);
  return {
    url,
    pid: operator.child.pid ?? 0,
    async stop(signal) {
      await operator.stop(signal);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Sends reports, each about its own pod, from another process. */
export async function runLoad(
  url: string,
  { count, concurrency, prefix }: { count: number; concurrency: number; prefix: string },
): Promise<LoadResult> {
  return runScript(new URL('../load/reports.ts', import.meta.url), [url, TOKEN, String(count), String(concurrency), prefix]);
}

/** Sends findings from another process. `perSecond` and `latencies` are about requests, not findings. */
export async function runFindingLoad(url: string, load: FindingLoad): Promise<LoadResult> {
  return runScript(new URL('../load/findings.ts', import.meta.url), [url, TOKEN, JSON.stringify(load)]);
}

async function runScript(script: URL, args: string[]): Promise<LoadResult> {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the load ended with ${code}`);
  return JSON.parse(text) as LoadResult;
}

const NO_CLUSTER = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  clusters: [{ name: 'none', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'none', user: {} }],
  contexts: [{ name: 'none', context: { cluster: 'none', user: 'none' } }],
  'current-context': 'none',
});
