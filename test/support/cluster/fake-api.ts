import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';

/** An API server with one collection that misbehaves on command, because a real API server cannot be told to. */
export interface FakeApi {
  kubeconfigText: string;
  /** The collection. Lists return these objects, and `emit` writes to every open watch. */
  objects: Map<string, KubeObject>;
  version: number;
  lists: number;
  watches: number;
  /** Open watches. */
  readonly open: ServerResponse[];
  /** Answers the next requests of this kind with these codes, one request for each code. */
  refuse(what: 'list' | 'watch', ...codes: number[]): void;
  put(name: string, uid?: string): void;
  remove(name: string): void;
  emit(event: object): void;
  close(): Promise<void>;
}

/** Two objects per page, so that lists have several pages. */
const PAGE = 2;

export async function fakeApi(): Promise<FakeApi> {
  const refused = { list: [] as number[], watch: [] as number[] };
  const server = createServer((request, response) => answer(api, refused, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const api: FakeApi = {
    kubeconfigText: JSON.stringify({
      'current-context': 'fake',
      contexts: [{ name: 'fake', context: { cluster: 'fake', user: 'fake' } }],
      clusters: [{ name: 'fake', cluster: { server: `http://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'fake', user: { token: 'fake' } }],
    }),
    objects: new Map(),
    version: 1,
    lists: 0,
    watches: 0,
    open: [],
    refuse: (what, ...codes) => void refused[what].push(...codes),
    put(name, uid = name) {
      const type = api.objects.has(name) ? 'MODIFIED' : 'ADDED';
      const metadata = { name, namespace: 'default', uid, resourceVersion: String(++api.version), managedFields: [{}] };
      api.objects.set(name, { apiVersion: 'v1', kind: 'Pod', metadata });
      api.emit({ type, object: api.objects.get(name) });
    },
    remove(name) {
      const object = api.objects.get(name);
      api.objects.delete(name);
      api.version++;
      if (object)
        api.emit({ type: 'DELETED', object: { ...object, metadata: { ...object.metadata, resourceVersion: String(api.version) } } });
    },
    emit: (event) => api.open.forEach((response) => response.write(`${JSON.stringify(event)}\n`)),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return api;
}

function answer(api: FakeApi, refused: Record<'list' | 'watch', number[]>, request: IncomingMessage, response: ServerResponse): void {
  const query = new URL(request.url ?? '', 'http://fake').searchParams;
  const what = query.get('watch') ? 'watch' : 'list';
  api[what === 'list' ? 'lists' : 'watches']++;
  const code = refused[what].shift();
  if (code) {
    // An overloaded API server says when to retry.
    response
      .writeHead(code, code === 429 ? { 'retry-after': '1' } : {})
      .end(JSON.stringify({ kind: 'Status', reason: 'Told', message: `told to answer ${code}`, code }));
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json' });
  if (what === 'list') {
    response.end(JSON.stringify(page(api, Number(query.get('continue') ?? 0))));
    return;
  }
  response.flushHeaders();
  api.open.push(response);
  response.on('close', () => api.open.splice(api.open.indexOf(response), 1));
}

function page(api: FakeApi, from: number): object {
  const all = [...api.objects.values()];
  const rest = from + PAGE < all.length ? { continue: String(from + PAGE) } : {};
  return { items: all.slice(from, from + PAGE), metadata: { resourceVersion: String(api.version), ...rest } };
}
