import { type Cluster, KubeConfig } from '@kubernetes/client-node';
import type { AgentOptions } from 'node:https';
import { Agent, type Dispatcher } from 'undici';

/** Reaches into the client's private method, the only place where it takes a dispatcher. */
interface Host {
  createDispatcher(cluster: Cluster | null, options: AgentOptions): Dispatcher | undefined;
}

export interface Pool {
  config: KubeConfig;
  /** Ends idle connections now and busy ones when they are done. */
  close(): void;
}

/**
 * Reads the kubeconfig(s) at `path` (separated by `:`, the first one's context counts), `text`, or else what Kubernetes clients
 * usually take: in a cluster the service account, outside ~/.kube/config. Throws when a file cannot be read.
 *
 * The client makes a TLS connection per request of its own; here all share one pool, renewed when CA or certificate rotate.
 */
export function pooledConfig({ path, text }: { path?: string | undefined; text?: string | undefined }): Pool {
  const config = readConfig(path, text);
  const host = config as unknown as Host;
  const original = host.createDispatcher.bind(config);
  let current: { key: string; agent: Agent } | undefined;
  host.createDispatcher = (cluster, options) => {
    const wanted = config.createDispatcherOptions(cluster, options);
    // A proxy has its own dispatcher, which the client makes.
    if (wanted.type !== 'agent' && wanted.type !== 'none') return original(cluster, options);
    const key = JSON.stringify([cluster?.server, String(options.ca), String(options.cert), options.servername, options.rejectUnauthorized]);
    if (current?.key !== key) {
      void current?.agent.close();
      current = { key, agent: agentFor(wanted.type === 'agent' ? wanted.connect : {}) };
    }
    return current.agent;
  };
  return { config, close: () => void current?.agent.close() };
}

/** Watches and log follows live long, so there is no limit on bodies here; every request brings its own deadline. */
function agentFor(connect: object): Agent {
  const options = { ...connect, timeout: 10_000 } as NonNullable<Agent.Options['connect']>;
  return new Agent({ connect: options, connections: 64, bodyTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 20_000 });
}

function readConfig(path: string | undefined, text: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (text !== undefined) config.loadFromString(text);
  else if (path) loadFiles(config, path.split(':').filter(Boolean));
  else config.loadFromDefault();
  return config;
}

function loadFiles(config: KubeConfig, [first, ...rest]: string[]): void {
  if (first) config.loadFromFile(first);
  for (const file of rest) {
    const more = new KubeConfig();
    more.loadFromFile(file);
    config.mergeConfig(more, true);
  }
}
