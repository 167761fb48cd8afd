import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { loadManifest } from '../crd/manifest.ts';
import type { Clock } from './clock.ts';
import type { Api, DeleteOptions, PatchType, WriteOptions } from './api.ts';
import { aggregated, groupDocument, groupList, resourceList } from './discovery.ts';
import { ApiError, badRequest, notAllowed, unknownPath, unsupportedMedia } from './errors.ts';
import type { Kind } from './kinds.ts';
import { listObjects, shownAs } from './list.ts';
import type { Loose, Stored } from './object.ts';
import { openapiDocument, openapiIndex } from './openapi.ts';
import { review } from './reviews.ts';
import { evict, readScale, subresourceGet, writeScale } from './subresources.ts';
import type { PodLogs } from './subresources.ts';
import { tableOf } from './table.ts';
import { startWatch } from './watch.ts';

/** Where a request goes: a kind, perhaps one object of it, perhaps a part of that. */
interface Target {
  kind: Kind;
  namespace: string | undefined;
  name: string | undefined;
  subresource: string | undefined;
}

const PATCHES: Record<string, PatchType> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};
const MAX_BODY = 3 * 1024 * 1024;

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY) throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BODY}`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): Loose {
  try {
    return JSON.parse(text);
  } catch {
    try {
      return loadManifest(text);
    } catch (error) {
      throw badRequest(`error parsing the body: ${(error as Error).message}`);
    }
  }
}

/** What the API server says on plain paths. */
export interface ServerDeps {
  api: Api;
  logs: PodLogs;
  version: string;
  /** Time-outs of requests are the client's: they do not run faster with the pretend cluster. */
  requestClock: Clock;
}

/** The HTTP side: paths and headers in, JSON out. `listen` resolves with the address, `close` ends every connection. */
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

  function targetOf(path: string): Target | undefined {
    const parts = path.split('/').filter(Boolean).map(decodeURIComponent);
    const isCore = parts[0] === 'api';
    const [group, apiVersion] = isCore ? ['', parts[1]] : [parts[1], parts[2]];
    let rest = parts.slice(isCore ? 2 : 3);
    let namespace: string | undefined;
    if (rest[0] === 'namespaces' && rest.length > 2 && !(rest.length === 3 && ['status', 'finalize'].includes(rest[2] as string))) {
      namespace = rest[1];
      rest = rest.slice(2);
    }
    const kind = registry.byPlural(group ?? '', apiVersion ?? '', rest[0] ?? '');
    if (!kind || rest.length > 3 || (namespace !== undefined && !kind.namespaced)) return undefined;
    return { kind, namespace, name: rest[1], subresource: rest[2] };
  }

  /** Paths that are no resource. Answers undefined when it is one. */
  function plain(path: string, request: IncomingMessage): Loose | undefined {
    const wantsAggregated = (request.headers.accept ?? '').includes('as=APIGroupDiscoveryList');
    if (path === '/version')
      return {
        major: '1',
        minor: version.split('.')[1],
        gitVersion: version,
        gitCommit: '',
        gitTreeState: 'clean',
        buildDate: '1970-01-01T00:00:00Z',
        goVersion: 'none',
        compiler: 'none',
        platform: 'sandbox',
      };
    if (path === '/api')
      return wantsAggregated ? aggregated(registry, true) : { kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: [] };
    if (path === '/apis') return wantsAggregated ? aggregated(registry, false) : groupList(registry);
    if (path === '/openapi/v3') return openapiIndex(registry);
    const document = /^\/openapi\/v3\/(api\/v1|apis\/([^/]+)\/([^/]+))$/.exec(path);
    if (document) return openapiDocument(registry, document[2] ?? '', document[3] ?? 'v1');
    const [, root, group, groupVersion, more] = path.split('/');
    if (root === 'api' && group === 'v1' && !groupVersion) return resourceList(registry, '', 'v1');
    if (root === 'apis' && group && !groupVersion) return groupDocument(registry, group);
    if (root === 'apis' && group && groupVersion && !more) return resourceList(registry, group, groupVersion);
    return undefined;
  }

  const isTable = (request: IncomingMessage) => /as=Table;[^,]*g=meta\.k8s\.io/.test(request.headers.accept ?? '');

  function answer(
    request: IncomingMessage,
    response: ServerResponse,
    kind: Kind,
    object: Loose,
    code: number,
    query: URLSearchParams,
    warnings?: string[],
  ): void {
    if (object.kind === 'Status' || object.kind === 'Scale') return send(response, code, object, warnings);
    const shown = shownAs(kind, object as Stored);
    const { resourceVersion } = shown.metadata;
    send(
      response,
      code,
      isTable(request) ? tableOf(kind, [shown], { resourceVersion }, api.clock.now(), query.get('includeObject')) : shown,
      warnings,
    );
  }

  function watch(request: IncomingMessage, response: ServerResponse, { kind, namespace, name }: Target, query: URLSearchParams): void {
    if (name) query.set('fieldSelector', `metadata.name=${name}`);
    let isFirst = true;
    const asTable = (object: Loose): Loose => {
      const table = tableOf(
        kind,
        [object],
        { resourceVersion: object.metadata?.resourceVersion },
        api.clock.now(),
        query.get('includeObject'),
      );
      if (!isFirst) table.columnDefinitions = null;
      isFirst = false;
      return table;
    };
    response.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache, private' });
    response.flushHeaders();
    const stop = startWatch({ api, clock: requestClock }, kind, namespace, query, {
      send: ({ type, object }) => {
        const shown = isTable(request) && type !== 'ERROR' && type !== 'BOOKMARK' ? asTable(object) : object;
        response.write(`${JSON.stringify({ type, object: shown })}\n`);
      },
      end: () => response.end(),
    });
    response.on('close', stop);
  }

  async function read(request: IncomingMessage, response: ServerResponse, target: Target, query: URLSearchParams): Promise<void> {
    const { kind, namespace, name, subresource } = target;
    if (!kind.verbs.includes('get')) throw notAllowed();
    if (name === undefined || query.get('watch') === 'true' || query.get('watch') === '1') {
      if (query.get('watch') === 'true' || query.get('watch') === '1') return watch(request, response, target, query);
      const list = listObjects(api, kind, namespace, query);
      return send(
        response,
        200,
        isTable(request) ? tableOf(kind, list.items, list.metadata, api.clock.now(), query.get('includeObject')) : list,
      );
    }
    if (subresource === 'log') return logs.send(api.get(kind, namespace, name), query, response);
    if (subresource === 'scale') return send(response, 200, readScale(kind, api.get(kind, namespace, name)));
    answer(request, response, kind, subresourceGet(kind, api.get(kind, namespace, name), subresource), 200, query);
  }

  function optionsOf(query: URLSearchParams, request: IncomingMessage, subresource: string | undefined, body: Loose): WriteOptions {
    const dryRun = query.getAll('dryRun').concat(body?.kind === 'DeleteOptions' ? (body.dryRun ?? []) : []);
    const agent = (request.headers['user-agent'] ?? 'unknown').split('/')[0] as string;
    const validation = query.get('fieldValidation') as WriteOptions['validation'] | null;
    return {
      dryRun: dryRun.includes('All'),
      manager: query.get('fieldManager') ?? agent,
      validation: validation ?? 'Warn',
      force: query.get('force') === 'true',
      warnings: [],
      ...(subresource && { subresource }),
    };
  }

  function create(target: Target, body: Loose, options: WriteOptions): { code: number; object: Loose } {
    const { kind, namespace, name, subresource } = target;
    if (kind.verbs.length === 1) return { code: 201, object: review(kind, namespace, body) };
    if (name && subresource === 'eviction') return { code: 201, object: evict(api, kind, namespace, name, body) };
    if (name && subresource === 'binding') {
      api.change(
        kind,
        { metadata: { ...(namespace !== undefined && { namespace }), name } },
        '',
        (pod) => (pod.spec.nodeName = body.target?.name),
      );
      return { code: 201, object: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } };
    }
    if (name || !kind.verbs.includes('create')) throw notAllowed();
    if (kind.namespaced && namespace === undefined) throw notAllowed();
    return { code: 201, object: api.create(kind, namespace, body, options) };
  }

  function removeAll(target: Target, query: URLSearchParams, options: DeleteOptions): Loose {
    const list = listObjects(api, target.kind, target.namespace, query);
    for (const { metadata } of list.items as Stored[]) api.remove(target.kind, metadata.namespace, metadata.name, options);
    return list;
  }

  async function write(request: IncomingMessage, response: ServerResponse, target: Target, query: URLSearchParams): Promise<void> {
    const { kind, namespace, name, subresource } = target;
    const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim() ?? '';
    const text = await bodyOf(request);
    const isReview = kind.verbs.length === 1;
    // kubectl sends reviews as protobuf; here their answer does not depend on what they ask.
    if (type.includes('protobuf') && !isReview) throw unsupportedMedia(['application/json', 'application/yaml']);
    if (request.method !== 'PATCH' && request.method !== 'DELETE' && !text) throw badRequest('the body of the request is empty');
    const body = text && !type.includes('protobuf') ? parsed(text) : {};
    const options = optionsOf(query, request, subresource, body);
    const warnings = options.warnings ?? [];
    if (request.method === 'POST') {
      const { code, object } = create(target, body, options);
      return answer(request, response, kind, object, code, query, warnings);
    }
    if (request.method === 'DELETE') {
      const asked = {
        ...body,
        ...(query.get('gracePeriodSeconds') && { gracePeriodSeconds: Number(query.get('gracePeriodSeconds')) }),
        ...(query.get('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
        dryRun: options.dryRun,
      } as DeleteOptions;
      if (name === undefined) return send(response, 200, removeAll(target, query, asked));
      return answer(request, response, kind, api.remove(kind, namespace, name, asked), 200, query);
    }
    if (name === undefined) throw notAllowed();
    if (subresource === 'scale')
      return send(response, 200, writeScale(api, kind, namespace, name, body, request.method === 'PATCH', options));
    if (subresource && subresource !== 'finalize' && !(subresource === 'status' && kind.hasStatus)) throw unknownPath();
    if (request.method === 'PUT')
      return answer(request, response, kind, api.update(kind, namespace, name, body, options), 200, query, warnings);
    const patchType = PATCHES[type];
    const supported = Object.keys(PATCHES).filter((t) => !kind.isCustom || PATCHES[t] !== 'strategic');
    if (!patchType || !supported.includes(type)) throw unsupportedMedia(supported);
    const { object, isNew } = api.patch(
      kind,
      namespace,
      name,
      patchType,
      body,
      patchType === 'apply' ? { ...options, manager: query.get('fieldManager') ?? '' } : options,
    );
    answer(request, response, kind, object, isNew ? 201 : 200, query, warnings);
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://sandbox');
    const path = url.pathname.replace(/\/$/, '') || '/';
    if (/^\/(healthz|readyz|livez)(\/|$)/.test(path)) return void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('ok');
    const document = request.method === 'GET' ? plain(path, request) : undefined;
    if (document) {
      const isDiscovery = document.kind === 'APIGroupDiscoveryList';
      if (!isDiscovery) return send(response, 200, document);
      return void response
        .writeHead(200, { 'Content-Type': 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' })
        .end(JSON.stringify(document));
    }
    const target = targetOf(path);
    if (!target) return void response.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('404 page not found\n');
    if (request.method === 'GET' || request.method === 'HEAD') return read(request, response, target, url.searchParams);
    if (['POST', 'PUT', 'PATCH', 'DELETE'].includes(request.method ?? '')) return write(request, response, target, url.searchParams);
    throw notAllowed();
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
