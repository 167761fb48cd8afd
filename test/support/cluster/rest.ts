// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const PLURALS: Record<string, string> = {
  NetworkPolicy: 'networkpolicies',
  Endpoints: 'endpoints',
  RuntimeClass: 'runtimeclasses',
  PriorityClass: 'priorityclasses',
};
const CLUSTER_SCOPED = new Set(['Namespace', 'Node', 'CustomResourceDefinition', 'PriorityClass', 'RuntimeClass', 'PersistentVolume']);

/** An answer of an API server. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Loose;
}

/** HTTP without a client library, for tests of the API itself. */
export interface RestClient {
  /** `headers`: the body's `content-type`, or every header that differs from the default. */
  request(method: string, path: string, body?: Loose, headers?: string | Record<string, string>): Promise<Answer>;
  /** The body of a 200; throws otherwise. */
  get(path: string): Promise<Loose>;
  create(object: Loose, namespace?: string): Promise<Loose>;
  /** Calls `onEvent` for each event until the returned function is called. */
  watch(path: string, onEvent: (event: { type: string; object: Loose }) => void): () => void;
}

/** Where objects of this kind are created. */
export function collectionPath(object: Loose, namespace = 'default'): string {
  const base = object.apiVersion.includes('/') ? `/apis/${object.apiVersion}` : `/api/${object.apiVersion}`;
  const plural = PLURALS[object.kind] ?? `${object.kind.toLowerCase()}s`;
  return CLUSTER_SCOPED.has(object.kind) ? `${base}/${plural}` : `${base}/namespaces/${object.metadata?.namespace ?? namespace}/${plural}`;
}

/** A client of the server at `url`. `send` is a `fetch` that meets a real server's needs (its authority, a certificate). */
export function restClient(url: string, send: typeof fetch = fetch): RestClient {
  async function request(method: string, path: string, body?: Loose, own: string | Record<string, string> = {}): Promise<Answer> {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const headers = {
      accept: 'application/json',
      'user-agent': 'podmend-test',
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...(typeof own === 'string' ? { 'content-type': own } : own),
    };
    const response = await send(url + path, { method, headers, ...(text !== undefined && { body: text }) });
    const answer = await response.text();
    return { status: response.status, headers: response.headers, body: answer.startsWith('{') ? JSON.parse(answer) : answer };
  }

  return {
    request,
    async get(path) {
      const { status, body } = await request('GET', path);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    async create(object, namespace) {
      const { status, body } = await request('POST', collectionPath(object, namespace), object);
      if (status !== 201) throw new Error(`create ${object.kind}: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    watch(path, onEvent) {
      const stop = new AbortController();
      const run = async () => {
        const response = await send(`${url}${path}${path.includes('?') ? '&' : '?'}watch=true`, { signal: stop.signal });
        let rest = '';
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>) {
          const parts = (rest + chunk).split('\n');
          rest = parts.pop() ?? '';
          for (const part of parts.filter(Boolean)) onEvent(JSON.parse(part));
        }
      };
      // The watch ends when it is stopped or when its server ends. A test that misses events fails anyway.
      run().catch(() => undefined);
      return () => stop.abort();
    },
  };
}
