import { readFileSync } from 'node:fs';
import { type Dispatcher, fetch, type Response } from 'undici';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { KubeClient } from './client.ts';
import { type Access, SERVICE_ACCOUNT, fromKubeconfig } from './kubeconfig.ts';
import { connections, throughProxy } from './sockets.ts';
import { ClusterUnavailable, kubeErrorOf } from './errors.ts';
import { type ExecCredential, type ExecCredentials, execCredentials } from './exec-credentials.ts';
import type { Kind } from './kinds.ts';
import { reading } from './reading.ts';
import type { Call, Query, Transport } from './transport.ts';
import { type Cache, type WatchOptions, watchKind } from './watch.ts';

export { KINDS } from './kinds.ts';
export type { Cache } from './watch.ts';

/** The client of agents and scanners. It has the same errors as `KubeClient`, and needs a fraction of its memory. */
export interface LightweightClient extends Pick<KubeClient, 'server' | 'read' | 'list' | 'page' | 'watch' | 'logs' | 'raw' | 'close'> {
  /** A cache that follows a kind: `watchKind` over this client. */
  follow<T extends KubeObject, P extends KubeObject>(kind: Kind<T>, options: WatchOptions<T, P>): Cache<P>;
}

export interface LightweightOptions {
  /** Path of a kubeconfig, or several with `:` between (the first that can be read counts). */
  kubeconfig?: string | undefined;
  /** `https://host:port` of the API server when running inside the cluster. The credentials are then the files of the service account. */
  inClusterServer?: string | undefined;
  /** The deadline of every request except watches. */
  timeoutMs?: number;
  serviceAccountDir?: string;
}

/** The kubelet renews the file with the service account's token. Reading the file once a minute is enough. */
const REREAD_MS = 60_000;
/** Logs are limited by bytes, because a limit of lines would not limit their size. */
const MAX_LOG_BYTES = 256 * 1024;

/**
 * Makes a client. It connects at its first request. Credentials are read now, and again every minute. Without credentials it throws a
 * plain Error that says what is missing.
 */
export function connectLightweight(options: LightweightOptions): LightweightClient {
  const { timeoutMs = 30_000 } = options;
  const access = rereading(() => accessOf(options));
  const plugin = pluginOf();
  const pool = pooling();
  const sendAs = async (path: string, { query, method = 'GET' }: Call, { signal, access: used }: Attempt): Promise<Response> => {
    const { server, authorization } = used;
    const headers = { accept: 'application/json', ...(authorization ? { authorization } : {}) };
    return await fetch(server + path + search(query), { method, headers, signal, dispatcher: pool.of(used) });
  };
  const send = async (path: string, call: Call, signal: AbortSignal): Promise<Response> => {
    const known = access();
    const credentials = plugin(known);
    if (!credentials) return sendAs(path, call, { signal, access: known });
    const credential = await credentials.get();
    const response = await sendAs(path, call, { signal, access: withCredential(known, credential) });
    if (response.status !== 401) return response;
    // The credential was revoked before it expired, so run the plugin once more.
    credentials.refused(credential);
    await response.body?.cancel();
    return sendAs(path, call, { signal, access: withCredential(known, await credentials.get()) });
  };
  const text = async (path: string, call: Call, maxBytes?: number): Promise<string> => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = call.signal ? AbortSignal.any([deadline, call.signal]) : deadline;
    const { status, headers, answer } = await reachable(async () => {
      const response = await send(path, call, signal);
      const body = maxBytes ? await tailOf(response, maxBytes) : await response.text();
      return { status: response.status, headers: response.headers, answer: body };
    });
    if (status >= 300) throw kubeErrorOf(status, answer, headers);
    return answer;
  };
  const wire: Pick<Transport, 'json' | 'stream'> = {
    json: async <T>(path: string, call: Call = {}) => JSON.parse(await text(path, call)) as T,
    async stream(path, call) {
      const response = await reachable(() => send(path, call, call.signal ?? new AbortController().signal));
      if (!response.ok) throw kubeErrorOf(response.status, await response.text(), response.headers);
      if (!response.body) throw new ClusterUnavailable('the answer has no body');
      return response.body as ReadableStream<Uint8Array>;
    },
  };
  const client = {
    server: access().server,
    ...reading(wire),
    logs: (namespace: string, pod: string, { container, tailLines, previous }: Parameters<KubeClient['logs']>[2]) =>
      text(
        `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`,
        { query: { container, tailLines, previous } },
        MAX_LOG_BYTES,
      ),
    raw: (path: string) => wire.json(path),
    close: pool.close,
  };
  return { ...client, follow: (kind, options) => watchKind(client, kind, options) };
}

function accessOf({ kubeconfig, inClusterServer, serviceAccountDir = SERVICE_ACCOUNT }: LightweightOptions): Access {
  if (kubeconfig) return fromKubeconfig(kubeconfig);
  if (!inClusterServer) throw new Error('no way to the cluster: KUBECONFIG is not set, and this is no pod with a service account');
  const file = (name: string) => readFileSync(`${serviceAccountDir}/${name}`, 'utf8');
  return { server: inClusterServer, authorization: `Bearer ${file('token').trim()}`, tls: { ca: file('ca.crt') } };
}

/** Reads now, so that a missing file stops the start, and again every minute. If a later read fails, the previous access stays. */
function rereading(read: () => Access): () => Access {
  let current = read();
  let readAt = performance.now();
  return () => {
    if (performance.now() - readAt < REREAD_MS) return current;
    readAt = performance.now();
    try {
      current = read();
    } catch {
      // The file is being replaced: the old credentials are valid for a while.
    }
    return current;
  };
}

interface Attempt {
  signal: AbortSignal;
  access: Access;
}

/** Returns the plugin if the kubeconfig names one. Its credential is kept until the kubeconfig names another plugin. */
function pluginOf(): (access: Access) => ExecCredentials | undefined {
  let current: { key: string; credentials: ExecCredentials } | undefined;
  return ({ exec }) => {
    if (!exec) return undefined;
    const key = JSON.stringify(exec);
    if (current?.key !== key) current = { key, credentials: execCredentials(exec) };
    return current.credentials;
  };
}

function withCredential(access: Access, { token, cert, key }: ExecCredential): Access {
  return {
    ...access,
    ...(token ? { authorization: `Bearer ${token}` } : {}),
    tls: { ...access.tls, ...(cert && key ? { cert, key } : {}) },
  };
}

/** A pool of connections, renewed when the CA or the certificate changes. It needs no limit, because only few calls run at once. */
function pooling(): { of(access: Access): Dispatcher; close(): void } {
  let current: { key: string; agent: Dispatcher } | undefined;
  return {
    of({ tls, proxy }) {
      const key = JSON.stringify([tls, proxy]);
      if (current?.key !== key) {
        void current?.agent.close();
        current = { key, agent: proxy ? throughProxy(proxy, tls) : connections(tls) };
      }
      return current.agent;
    },
    close: () => void current?.agent.destroy(),
  };
}

function search(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : `${key}=${encodeURIComponent(String(value))}`));
  return pairs.length > 0 ? `?${pairs.join('&')}` : '';
}

/** The last `maxBytes` of an answer. The API's `limitBytes` would keep the first bytes, but a crash is at the end. */
async function tailOf(response: Response, maxBytes: number): Promise<string> {
  let kept: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    kept.push(chunk as Uint8Array);
    size += chunk.length;
    if (size < 2 * maxBytes) continue;
    kept = [Buffer.concat(kept).subarray(-maxBytes)];
    size = maxBytes;
  }
  return Buffer.concat(kept).subarray(-maxBytes).toString('utf8');
}

async function reachable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ClusterUnavailable) throw error;
    const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    throw new ClusterUnavailable(name === 'TimeoutError' ? 'no answer in time' : (cause?.code ?? cause?.message ?? message));
  }
}
