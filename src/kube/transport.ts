import { HttpMethod, RequestContext } from './client-parts.ts';
import { type Dispatcher, fetch, type Response } from 'undici';
import { ClusterUnavailable, kubeErrorOf } from './errors.ts';
import { livenessGuard } from './liveness-guard.ts';
import type { Pool } from './pool.ts';

export type Query = Record<string, string | number | boolean | undefined>;

export interface Call {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Query;
  body?: unknown;
  contentType?: string;
  /** The media type of the answer. Default: JSON. */
  accept?: string;
  /** Ends the call early. The deadline applies as well. */
  signal?: AbortSignal;
}

/**
 * Sends JSON requests to the Kubernetes API with the credentials of a kubeconfig. Objects are returned as they were sent. The generated
 * client would turn the times of listed objects into Dates, but leave those of watched objects as text.
 */
export interface Transport {
  /** Returns the text of the answer. Throws `KubeError` for any refusal, and `ClusterUnavailable` without a complete answer in time. */
  text(path: string, call?: Call): Promise<string>;
  json<T>(path: string, call?: Call): Promise<T>;
  /** Streams an answer without a deadline. Until the answer begins, the errors are those of `text`. Reading the stream may throw any error. */
  stream(path: string, call: Call): Promise<ReadableStream<Uint8Array>>;
}

/** How long a call may take, and how long the server may be silent before calls are given up; both in milliseconds. */
export interface Deadlines {
  timeoutMs: number;
  silenceMs: number;
}

export function transport(pool: Pool, { timeoutMs, silenceMs }: Deadlines): Transport {
  const { config } = pool;
  const send = async (path: string, call: Call, { signal, goesOn }: { signal: AbortSignal; goesOn?: boolean }): Promise<Response> => {
    const cluster = config.getCurrentCluster();
    if (!cluster) throw new ClusterUnavailable('the kubeconfig names no cluster');
    const url = addressOf(cluster.server, path, call.query);
    const body = call.body === undefined ? {} : { body: JSON.stringify(call.body) };
    const once = async (): Promise<Response> => {
      const context = new RequestContext(url, HttpMethod.GET);
      await config.applySecurityAuthentication(context);
      const given = context.getDispatcher() as Dispatcher | undefined;
      const dispatcher = goesOn ? pool.forStream(given) : given;
      const headers = {
        ...context.getHeaders(),
        accept: call.accept ?? 'application/json',
        'content-type': call.contentType ?? 'application/json',
      };
      return await fetch(url, { method: call.method ?? 'GET', headers, signal, ...body, ...(dispatcher ? { dispatcher } : {}) });
    };
    const response = await once();
    if (response.status !== 401 || !pool.dropCredential()) return response;
    await response.body?.cancel();
    return once();
  };
  const alive = livenessGuard({
    probe: (signal) => wholeOf(send('/readyz', {}, { signal })),
    probeMs: silenceMs,
    silent() {
      pool.renew();
      return new ClusterUnavailable('no answer in time');
    },
  });
  const text = async (path: string, call: Call = {}): Promise<string> => {
    const given = new AbortController();
    const signal = AbortSignal.any([given.signal, either(call.signal, timeoutMs)]);
    const { response, answer } = await reachable(async () => {
      try {
        return await alive(wholeOf(send(path, call, { signal })));
      } finally {
        given.abort();
      }
    });
    if (!response.ok) throw kubeErrorOf(response.status, answer, response.headers);
    return answer;
  };
  return {
    text,
    json: async <T>(path: string, call?: Call) => JSON.parse(await text(path, call)) as T,
    async stream(path, call) {
      const response = await reachable(() => send(path, call, { signal: call.signal ?? new AbortController().signal, goesOn: true }));
      if (!response.ok) throw kubeErrorOf(response.status, await response.text(), response.headers);
      if (!response.body) throw new ClusterUnavailable('the answer has no body');
      return response.body as ReadableStream<Uint8Array>;
    },
  };
}

async function wholeOf(sent: Promise<Response>): Promise<{ response: Response; answer: string }> {
  const response = await sent;
  return { response, answer: await response.text() };
}

function either(signal: AbortSignal | undefined, timeoutMs: number): AbortSignal {
  const deadline = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, deadline]) : deadline;
}

function addressOf(server: string, path: string, query: Query = {}): string {
  const url = new URL(server.replace(/\/$/, '') + path);
  for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
  return url.toString();
}

/** Turns every error that prevents an answer (network, TLS, unreadable credentials) into `ClusterUnavailable`. */
async function reachable<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ClusterUnavailable) throw error;
    throw new ClusterUnavailable(whyOf(error));
  }
}

function whyOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === 'TimeoutError') return 'no answer in time';
  return cause?.code ?? cause?.message ?? message;
}
