import { every } from '../async/repeat.ts';
import { type Config, ConfigError } from '../config.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { httpClient } from '../http.ts';
import { connectLightweight, type LightweightClient } from '../kube/lightweight.ts';
import type { Logger } from '../log.ts';
import { inventory as clusterInventory } from '../scanner/judged-objects.ts';
import { operator as operatorClient } from '../scanner/operator.ts';
import { scan as clusterScan } from '../scanner/scan.ts';
import { minorVersion } from '../scanner/server-version.ts';
import { listenForRequests } from '../scanner/socket.ts';
import type { Running } from './mode.ts';

export interface ScannerOptions {
  config: Config;
  log: Logger;
  now?: () => Date;
  /** How long the first pass waits for kinds that cannot be listed. */
  listedWithinMs?: number;
}

const BACKEND_TIMEOUT_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;
const LISTED_WITHIN_MS = 20_000;

/**
 * `podmend scanner`: watches workloads, runs the checks and reports findings. Resolves at once and continues in the background, where it
 * waits for a cluster or an operator that is away. Throws ConfigError when no cluster is configured.
 */
export async function runScanner({
  config,
  log,
  now = () => new Date(),
  listedWithinMs = LISTED_WITHIN_MS,
}: ScannerOptions): Promise<Running> {
  const { backendUrl, watchNamespaces, hiddenNamespaces, podNamespace, serviceTokens, scanIntervalSeconds } = config;
  const client = connected(config);
  const serviceToken = serviceTokens[0] ?? '';
  const http = httpClient({ timeoutMs: BACKEND_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
  const operator = operatorClient({ http, backendUrl, serviceToken, log });
  let minor = Infinity;
  const inventory = clusterInventory({ client, watchNamespaces, operatorNamespace: podNamespace, now, log }, (keys) => scan.changed(keys));
  const scan = clusterScan({ inventory, operator, hiddenNamespaces, minor: () => minor, log });
  const pass = async (reason: string): Promise<void> => {
    minor = await minorVersion(client, minor);
    await scan.pass(reason);
  };
  const report = (error: unknown): void => log.error({ err: error }, 'a scan failed');
  let isStopped = false;
  let timer: { stop(): void } | undefined;
  let stopListening = (): void => {};
  const begin = async (): Promise<void> => {
    await inventory.start(listedWithinMs);
    if (isStopped) return;
    stopListening = listenForRequests({ backendUrl, serviceToken, log, asked: (reason) => void pass(reason).catch(report) });
    timer = every(scanIntervalSeconds * 1000, () => pass('schedule'), log);
    await pass('start');
  };
  void begin().catch(report);
  log.info({ server: client.server }, 'scanner watches');
  return {
    async stop() {
      isStopped = true;
      timer?.stop();
      stopListening();
      await scan.stop();
      await inventory.stop();
      client.close();
    },
  };
}

function connected({ kubeconfig, inClusterServer }: Config): LightweightClient {
  try {
    return connectLightweight({ kubeconfig, inClusterServer });
  } catch (error) {
    throw new ConfigError([`KUBECONFIG must give a way to a cluster (${oneLine((error as Error).message, 400)})`]);
  }
}
