import packageJson from '../../package.json' with { type: 'json' };
import { collector } from '../agent/collect-evidence.ts';
import { heartbeatIntervalMs, startHeartbeats } from '../agent/heartbeat.ts';
import { nodeWatch } from '../agent/node-watch.ts';
import { reporter as operatorReporter } from '../agent/send-reports.ts';
import { type Config, ConfigError } from '../config.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { httpClient } from '../http.ts';
import { connectLightweight, type LightweightClient } from '../kube/lightweight.ts';
import type { Logger } from '../log.ts';
import type { Running } from './mode.ts';

export interface AgentOptions {
  config: Config;
  log: Logger;
  /** Ends the agent as `stop` does. */
  signal?: AbortSignal;
  now?: () => Date;
  /** Between heartbeats, for tests. */
  heartbeatMs?: number;
}

const BACKEND_TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * `podmend agent`: watches the pods of `NODE_NAME` (of all nodes if unset) and reports failing ones. Resolves at once, and waits in the
 * background for a cluster or an operator that is away. Throws ConfigError when no cluster is configured.
 */
export async function runAgent({ config, log, signal, now = () => new Date(), heartbeatMs }: AgentOptions): Promise<Running> {
  const { backendUrl, nodeName, watchNamespaces, hiddenNamespaces, graces, clusterName } = config;
  const client = connected(config);
  const http = httpClient({ timeoutMs: BACKEND_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
  const reporter = operatorReporter({ http, backendUrl, serviceToken: config.serviceTokens[0] ?? '', log, now });
  const collect = collector({ client, cluster: clusterName, log });
  const watch = nodeWatch({ client, collect, reporter, nodeName, watchNamespaces, graces, now, log });
  const everyMs = heartbeatMs ?? heartbeatIntervalMs(config.agentSilentSeconds);
  let stopped: Promise<void> | undefined;
  let stopHeartbeats = () => {};
  void watch.start().then(() => {
    if (!stopped)
      stopHeartbeats = startHeartbeats({ watch, reporter, nodeName, hiddenNamespaces, version: packageJson.version, everyMs, now });
  });
  log.info({ node: nodeName ?? 'all', server: client.server }, 'agent watches');

  const stop = async () => {
    stopHeartbeats();
    await watch.stop();
    await reporter.stop();
    client.close();
  };
  const stopOnce = () => (stopped ??= stop());
  signal?.addEventListener('abort', () => void stopOnce(), { once: true });
  return { stop: stopOnce };
}

function connected({ kubeconfig, inClusterServer }: Config): LightweightClient {
  try {
    return connectLightweight({ kubeconfig, inClusterServer });
  } catch (error) {
    throw new ConfigError([`KUBECONFIG must give a way to a cluster (${oneLine((error as Error).message, 400)})`]);
  }
}
