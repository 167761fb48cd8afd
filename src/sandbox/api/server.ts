import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../clock.ts';
import type { Api, DeleteOptions, Named, PatchType, WriteOptions } from './api.ts';
import { ApiError, notAcceptable, notAllowed, unknownPath, unsupportedMedia, unsupportedVerb } from './errors.ts';
import type { Kind } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import { listObjects } from './list.ts';
import type { Loose, Stored } from '../store/object.ts';
import { plainDocument } from './plain.ts';
import { deletionOf, optionsOf, readBody, type Target, targetOf } from './request.ts';
import { review } from './reviews.ts';
import { bindPod, evict, readScale, subresourceGet, writeScale } from './subresources.ts';
import type { PodLogs } from './subresources.ts';
import { tableOf } from '../table/table.ts';
import { shownAs } from '../table/served-version.ts';
import { startWatch } from './watch.ts';

const PATCHES: Record<string, PatchType> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};
/** One request under way. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  query: URLSearchParams;
}

const ENDPOINTS_DEPRECATED = 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice';
const hasPart = (kind: Kind, part: string) =>
  (part === 'status' && kind.hasStatus) || (part === 'scale' && kind.hasScale) || (part === 'log' && kind.plural === 'pods');
const isMetadata = (request: IncomingMessage) => /as=PartialObjectMetadata(List)?;/.test(request.headers.accept ?? '');

/** Objects reduced to their metadata; `list` is the metadata of the list. */
function metadataOf(objects: Loose[], list: Loose): Loose {
  const apiVersion = 'meta.k8s.io/v1';
  const items = objects.map(({ metadata }) => ({ kind: 'PartialObjectMetadata', apiVersion, metadata }));
  return list ? { kind: 'PartialObjectMetadataList', apiVersion, metadata: list, items } : items[0];
}

const isAcceptable = ({ headers }: IncomingMessage) => /json|yaml|\*/.test(headers.accept ?? '*');
const isTable = (request: IncomingMessage) => /as=Table;[^,]*g=meta\.k8s\.io/.test(request.headers.accept ?? '');

export interface ServerDeps {
  api: Api;
  logs: PodLogs;
  version: string;
  /** Request timeouts are for clients, so they run in real time even if the simulated cluster runs faster. */
  requestClock: Clock;
}

/** The HTTP server: paths and headers in, JSON out. `listen` resolves with the address, `close` closes every connection. */
export function httpServer({ api, logs, version, requestClock }: ServerDeps): {
  listen(host: string, port: number): Promise<string>;
  close(): Promise<void>;
} {
  const { registry } = api;
  const sockets = new Set<Socket>();

  function send(response: ServerResponse, code: number, body: Loose, warnings: string[] = []): void {
    if (warnings.length)
      response.setHeader(
        'Warning',
        warnings.map((text) => `299 - ${JSON.stringify(text)}`),
      );
    const text = JSON.stringify(body);
    response.writeHead(code, { 'Content-Type': 'application/json' }).end(text);
  }

  /** Objects in the form that the client asked for: unchanged, or as a table. */
  function shown({ request, query }: Exchange, kind: Kind, objects: Loose[], metadata: Loose): Loose {
    if (isMetadata(request)) return metadataOf(objects, request.headers.accept?.includes('MetadataList') ? metadata : undefined);
    return isTable(request) ? tableOf(kind, objects, metadata, api.clock.now(), query.get('includeObject')) : undefined;
  }

  function answer(exchange: Exchange, kind: Kind, object: Loose, code = 200, warnings: string[] = []): void {
    const { response } = exchange;
    if (object.kind === 'Status' || object.kind === 'Scale') return send(response, code, object, warnings);
    const whole = shownAs(kind, object as Stored);
    send(response, code, shown(exchange, kind, [whole], { resourceVersion: whole.metadata.resourceVersion }) ?? whole, warnings);
  }

  function watch(exchange: Exchange, { kind, namespace, name }: Target): void {
    const { response, query } = exchange;
    if (name) query.set('fieldSelector', `metadata.name=${name}`);
    let isFirst = true;
    const asAsked = (object: Loose): Loose => {
      const table = shown(exchange, kind, [object], { resourceVersion: object.metadata?.resourceVersion });
      if (table && !isFirst) table.columnDefinitions = null;
      isFirst = false;
      return table ?? object;
    };
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
    response.flushHeaders();
    const stop = startWatch({ api, clock: requestClock }, kind, namespace, query, {
      send: ({ type, object }) => {
        const whole = type === 'ERROR' || type === 'BOOKMARK' ? object : asAsked(object);
        response.write(`${JSON.stringify({ type, object: whole })}\n`);
      },
      end: () => response.end(),
    });
    response.on('close', stop);
  }

  async function read(exchange: Exchange, target: Target): Promise<void> {
    const { response, query } = exchange;
    const { kind, namespace, name, subresource } = target;
    if (subresource !== 'log' && !isAcceptable(exchange.request)) throw notAcceptable();
    if (!kind.verbs.includes('get')) throw notAllowed();
    if (['true', '1'].includes(query.get('watch') ?? '')) return watch(exchange, target);
    if (name === undefined) {
      const list = listObjects(api, kind, namespace, query);
      return send(
        response,
        200,
        shown(
          exchange,
          kind,
          list.items.map((item: Loose) => ({ ...item, apiVersion: apiVersionOf(kind), kind: kind.kind })),
          list.metadata,
        ) ?? list,
      );
    }
    if (subresource && !kind.isCustom && !hasPart(kind, subresource)) throw unknownPath();
    const object = api.get(kind, namespace, name);
    if (subresource === 'log') return logs.send(object, query, response);
    if (subresource === 'scale' && !kind.isCustom) return send(response, 200, readScale(kind, object));
    answer(exchange, kind, subresourceGet(kind, object, subresource));
  }

  function create({ kind, namespace, name, subresource }: Target, body: Loose, options: WriteOptions): Loose {
    if (kind.verbs.length === 1) return review(kind, namespace, body);
    if (name && subresource === 'eviction') return evict(api, kind, namespace, name, body);
    if (name && subresource === 'binding') return bindPod(api, { kind, namespace, name }, body.target?.name);
    if (subresource && kind.isCustom) throw unsupportedVerb(kind, 'create');
    if (name || !kind.verbs.includes('create')) throw notAllowed();
    if (kind.namespaced && namespace === undefined) throw notAllowed();
    return api.create(kind, namespace, body, options);
  }

  function removeAll({ kind, namespace }: Target, query: URLSearchParams, options: DeleteOptions): Loose {
    const list = listObjects(api, kind, namespace, query);
    for (const { metadata } of list.items as Stored[]) api.remove(kind, metadata.namespace, metadata.name, options);
    return list;
  }

  async function write(exchange: Exchange, target: Target): Promise<void> {
    const { request, response, query } = exchange;
    const { kind, namespace, name, subresource } = target;
    const { body, type } = await readBody(request, kind);
    const options = optionsOf(query, request, subresource, body);
    if (kind.plural === 'endpoints') options.warnings?.push(ENDPOINTS_DEPRECATED);
    if (request.method === 'POST') return answer(exchange, kind, create(target, body, options), 201, options.warnings);
    if (request.method === 'DELETE') {
      const asked = deletionOf(query, body, options.dryRun);
      if (subresource && kind.isCustom) throw unsupportedVerb(kind, 'delete');
      if (subresource || (name === undefined && kind.namespaced && namespace === undefined)) throw notAllowed();
      if (name === undefined) return send(response, 200, removeAll(target, query, asked));
      return answer(exchange, kind, api.remove(kind, namespace, name, asked));
    }
    if (name === undefined) throw notAllowed();
    const isPatch = request.method === 'PATCH';
    if (subresource === 'scale') return send(response, 200, writeScale(api, { kind, namespace, name }, body, { ...options, isPatch }));
    if (subresource && subresource !== 'finalize' && !(subresource === 'status' && kind.hasStatus)) throw unknownPath();
    if (!isPatch) return answer(exchange, kind, api.update(kind, namespace, name, body, options), 200, options.warnings);
    const { object, isNew } = patch(exchange, { kind, namespace, name }, type, body, options);
    answer(exchange, kind, object, isNew ? 201 : 200, options.warnings);
  }

  /** Applies a patch of the type that the request names, if the kind supports it. */
  function patch(
    { query }: Exchange,
    { kind, namespace, name }: Named,
    mediaType: string,
    body: Loose,
    options: WriteOptions,
  ): { object: Stored; isNew: boolean } {
    const type = PATCHES[mediaType];
    const supported = Object.keys(PATCHES).filter((one) => !kind.isCustom || PATCHES[one] !== 'strategic');
    if (!type && !kind.isCustom) throw new ApiError(415, 'UnsupportedMediaType', '415: Unsupported Media Type', {});
    if (!type || !supported.includes(mediaType)) throw unsupportedMedia(supported);
    const own = type === 'apply' ? { ...options, manager: query.get('fieldManager') ?? '' } : options;
    return api.patch({ kind, namespace, name }, type, body, own);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const path = url.pathname.replace(/\/$/, '') || '/';
    if (/^\/(healthz|readyz|livez)(\/|$)/.test(path)) return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
    const document = request.method === 'GET' ? plainDocument(registry, version, path, request.headers.accept ?? '') : undefined;
    if (document) {
      const isDiscovery = document.kind === 'APIGroupDiscoveryList';
      if (!isDiscovery) return send(response, 200, document);
      return void response
        .writeHead(200, { 'Content-Type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' })
        .end(JSON.stringify(document));
    }
    const target = targetOf(registry, path);
    if (!target && isServedGroup(path)) throw unknownPath();
    if (!target) return void response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    const exchange = { request, response, query: url.searchParams };
    if (request.method === 'GET' || request.method === 'HEAD') return read(exchange, target);
    if (['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method ?? '')) return write(exchange, target);
    throw notAllowed();
  }

  /** Below the path of a group that it serves, the server answers as an API; elsewhere as a web server. */
  function isServedGroup(path: string): boolean {
    const [, root, group] = path.split('/');
    return root === 'api' || (root === 'apis' && registry.all().some((kind) => !kind.isCustom && kind.group === group));
  }

  const server: Server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      const known =
        error instanceof ApiError ? error : new ApiError(500, 'InternalError', `Internal error occurred: ${(error as Error).stack}`);
      if (!response.headersSent) send(response, known.code, known.status());
      else response.destroy();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });

  return {
    listen: (host, port) =>
      new Promise((done, fail) => {
        server.once('error', fail);
        server.listen(port, host, () => {
          const { address, port: bound, family } = server.address() as AddressInfo;
          done(`http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`);
        });
      }),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
