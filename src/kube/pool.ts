import { type Cluster, KubeConfig } from './client-parts.ts';
import type { AgentOptions } from 'node:https';
import type { Agent, Dispatcher } from 'undici';
import { connections } from './connections.ts';

/** Reaches into the client's private method, the only place where it takes a dispatcher. */
interface Host {
  createDispatcher(cluster: Cluster | null, options: AgentOptions): Dispatcher | undefined;
}

export interface Pool {
  config: KubeConfig;
  /** The dispatcher for an answer that goes on, in place of the one that the client got for a call. */
  forStream(dispatcher: Dispatcher | undefined): Dispatcher | undefined;
  /** From now on calls take new connections, because those that are there lead nowhere; what is under way ends as it would. */
  renew(): void;
  /** Ends idle connections now and busy ones when they are done. */
  close(): void;
}

/** Where a cluster and its credentials are written down. */
interface Place {
  path?: string | undefined;
  text?: string | undefined;
  context?: string | undefined;
}

/**
 * Reads the kubeconfig(s) at `path` (separated by `:`, the first one's context counts), `text`, or else what Kubernetes clients
 * usually take: in a cluster the service account, outside ~/.kube/config. Throws when a file cannot be read, or
 * knows no such `context`.
 *
 * The client makes a TLS connection per request of its own; here all share one pool, renewed when CA or certificate rotate. Watches have
 * connections of their own: each keeps one for minutes, and calls must not wait for those.
 */
export function pooledConfig({ path, text, context }: Place): Pool {
  const config = readConfig(path, text);
  if (context !== undefined) {
    if (!config.getContextObject(context)) throw new Error(`the kubeconfig has no context ${JSON.stringify(context)}`);
    config.setCurrentContext(context);
  }
  const host = config as unknown as Host;
  const original = host.createDispatcher.bind(config);
  let current: { key: string; calls: Agent; streams: Agent; fresh: () => Agent } | undefined;
  host.createDispatcher = (cluster, options) => {
    const wanted = config.createDispatcherOptions(cluster, options);
    // A proxy has its own dispatcher, which the client makes.
    if (wanted.type !== 'agent' && wanted.type !== 'none') return original(cluster, options);
    const key = JSON.stringify([cluster?.server, String(options.ca), String(options.cert), options.servername, options.rejectUnauthorized]);
    if (current?.key !== key) {
      close();
      const connect = wanted.type === 'agent' ? wanted.connect : {};
      const fresh = (): Agent => connections(connect, MAX_CALLS);
      current = { key, calls: fresh(), streams: connections(connect), fresh };
    }
    return current.calls;
  };
  const close = () => {
    void current?.calls.close();
    void current?.streams.close();
  };
  return {
    config,
    forStream: (dispatcher) => (current && dispatcher === current.calls ? current.streams : dispatcher),
    renew() {
      if (!current) return;
      void current.calls.close();
      current.calls = current.fresh();
    },
    close,
  };
}

/** Calls at once; more wait for their turn. */
const MAX_CALLS = 64;

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
