import { readFileSync } from 'node:fs';
import type { AgentOptions } from 'node:https';
import { dirname, resolve } from 'node:path';
import type { Agent, Dispatcher } from 'undici';
import { loadManifest } from '../crd/manifest.ts';
import { type Cluster, KubeConfig, type User } from './client-parts.ts';
import { connections } from './sockets.ts';
import { type ExecCredential, type ExecCredentials, execCredentials, readExecPlugin } from './exec-credentials.ts';
import { clusterInfo } from './kubeconfig.ts';

/** Gives access to a private method of the client. Only there can we set a dispatcher. */
interface Host {
  createDispatcher(cluster: Cluster | null, options: AgentOptions): Dispatcher | undefined;
}

export interface Pool {
  config: KubeConfig;
  /** The dispatcher for a streamed answer, in place of the one for normal calls. */
  forStream(dispatcher: Dispatcher | undefined): Dispatcher | undefined;
  /** New calls use new connections, because the old ones are dead. Running calls end as they would. */
  renew(): void;
  /** Call this when the API server refused the credential. The next call fetches a new one. Returns false if there is no plugin to provide it. */
  dropCredential(): boolean;
  /** Ends idle connections now and busy ones when they are done. */
  close(): void;
}

/** Where to find the address and the credentials of a cluster. */
interface KubeconfigSource {
  path?: string | undefined;
  text?: string | undefined;
  context?: string | undefined;
}

/**
 * Reads the kubeconfigs at `path` (separated by `:`; the context of the first one counts) or in `text`. Without both it uses the default of
 * Kubernetes clients: the service account inside a cluster, and ~/.kube/config outside. Throws when a file cannot be read, when there is no
 * such `context`, or when the user needs an unsupported way to log in.
 *
 * The client would make a TLS connection for each request. Here all requests share one pool, renewed when the CA or the certificate
 * changes. Watches have separate connections, because each keeps its connection for minutes and other calls must not wait for that.
 */
export function pooledConfig({ path, text, context }: KubeconfigSource): Pool {
  const config = readConfig(path, text);
  if (context !== undefined) {
    if (!config.getContextObject(context)) throw new Error(`the kubeconfig has no context ${JSON.stringify(context)}`);
    config.setCurrentContext(context);
  }
  refuseAuthProvider(config);
  const dropCredential = withExecCredentials(config, path ? dirname(path) : '.');
  const host = config as unknown as Host;
  const original = host.createDispatcher.bind(config);
  let current: { key: string; calls: Agent; streams: Agent; fresh: () => Agent } | undefined;
  host.createDispatcher = (cluster, options) => {
    const wanted = config.createDispatcherOptions(cluster, options);
    // For a proxy, keep the dispatcher that the client makes.
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
    dropCredential,
    close,
  };
}

/** How many calls run at once; others wait. */
const MAX_CALLS = 64;

/**
 * Runs the exec plugin of the user instead of letting the client run it. The client does not describe the cluster to the plugin, shows all
 * output of a failing plugin, and keeps a credential that the API server refuses. Returns a function that drops the credential.
 */
function withExecCredentials(config: KubeConfig, folder: string): () => boolean {
  const user = config.getCurrentUser();
  if (!user?.exec) return () => false;
  const credentials = credentialsOf(user, config.getCurrentCluster(), folder);
  // The client asks its own authenticators first.
  Object.assign(user, { exec: undefined });
  let used: ExecCredential | undefined;
  config.addAuthenticator({
    isAuthProvider: (one) => one === user,
    async applyAuthentication(_user, options) {
      used = await credentials.get();
      if (used.token) options.headers = Object.assign(options.headers ?? {}, { Authorization: `Bearer ${used.token}` });
      if (used.cert && used.key) Object.assign(options, { cert: used.cert, key: used.key });
    },
  });
  return () => {
    if (!used) return false;
    credentials.refused(used);
    return true;
  };
}

function credentialsOf(user: User, cluster: Cluster | null, folder: string): ExecCredentials {
  const tls = {
    ...(cluster?.caData ? { ca: Buffer.from(cluster.caData, 'base64').toString('utf8') } : {}),
    ...(!cluster?.caData && cluster?.caFile ? { ca: readFileSync(cluster.caFile, 'utf8') } : {}),
    ...(cluster?.tlsServerName ? { servername: cluster.tlsServerName } : {}),
    ...(cluster?.skipTLSVerify ? { rejectUnauthorized: false as const } : {}),
  };
  return execCredentials(readExecPlugin(user.exec, folder, clusterInfo(cluster?.server ?? '', { 'proxy-url': cluster?.proxyUrl }, tls)));
}

/** The client's auth-providers. With any other one it would send requests without credentials. `tokenFile` is its name for a service account. */
const AUTH_PROVIDERS = ['azure', 'gcp', 'oidc', 'exec', 'tokenFile'];

function refuseAuthProvider(config: KubeConfig): void {
  const name: unknown = config.getCurrentUser()?.authProvider?.name;
  if (name !== undefined && !AUTH_PROVIDERS.some((known) => known === name))
    throw new Error(`the auth-provider ${JSON.stringify(name)} is not supported; use exec credentials or a token`);
}

function readConfig(path: string | undefined, text: string | undefined): KubeConfig {
  const config = new KubeConfig();
  if (text !== undefined) config.loadFromString(text);
  else if (path) loadFiles(config, path.split(':').filter(Boolean));
  else config.loadFromDefault();
  return config;
}

function loadFiles(config: KubeConfig, [first, ...rest]: string[]): void {
  if (first) loadFile(config, first);
  for (const file of rest) {
    const more = new KubeConfig();
    loadFile(more, file);
    config.mergeConfig(more, true);
  }
}

/** Loads a kubeconfig. The client ignores the field `tokenFile` of a user, so the field is turned into an auth-provider. */
function loadFile(config: KubeConfig, file: string): void {
  config.loadFromFile(file);
  const { users = [] } = loadManifest(readFileSync(file, 'utf8')) as { users?: { name?: string; user?: { tokenFile?: unknown } }[] };
  for (const { name, user } of users) {
    const known = name === undefined ? undefined : config.getUser(name);
    if (typeof user?.tokenFile !== 'string' || !known) continue;
    const tokenFile = resolve(dirname(file), user.tokenFile);
    Object.assign(known, { token: undefined, authProvider: { name: 'tokenFile', config: { tokenFile } } });
  }
}
