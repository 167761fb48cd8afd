import { once } from 'node:events';
import http, { type ClientRequest, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { fromKubeconfig, type TlsOptions } from '../../../src/kube/kubeconfig.ts';

/** One request as it arrived. `status` is set once it is answered. */
export interface Seen {
  /** When it arrived, in milliseconds of `performance.now()`. */
  at: number;
  verb: 'get' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  path: string;
  dryRun: boolean;
  status?: number;
  /** Only for a patch or update that names a `resourceVersion`: whether the version stayed the same, so nothing changed. */
  isIdle?: boolean;
}

/** A reverse proxy on loopback between a client and an API server. It can cause the failures of a network. */
export interface ChaosProxy {
  /** The address for the `server` of a kubeconfig. Credentials in headers are passed on. */
  server: string;
  /** The given kubeconfig with this proxy as the server. */
  kubeconfigText: string;
  seen: Seen[];
  /** Connections that were refused so far. */
  refused: number;
  /** The number of open client connections, and of watches in progress. */
  connections(): number;
  watching(): number;
  /** Ends every failure. Frozen connections stay dead. */
  forward(): void;
  /** Closes open and new connections. */
  refuse(): void;
  /** Accepts connections and requests but sends nothing, not even on open streams. Closes nothing. */
  freeze(): void;
  /** Breaks every connection that is open. */
  cut(): void;
  /** Answers the next `count` requests with 429. */
  limit(count: number, retryAfterSeconds: number): void;
  /** Delays every answer by this time. */
  delay(ms: number): void;
  /** Answers every open or new watch with the error that its version is too old, until `forward`. */
  expire(): void;
  close(): Promise<void>;
}

const VERBS: Record<string, Seen['verb']> = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };
const EXPIRED = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Expired', message: 'too old resource version', code: 410 };
const TOO_MANY = { ...EXPIRED, reason: 'TooManyRequests', message: 'please try again later', code: 429 };

/** `kubeconfig` is a path. Its credentials are used only for requests without credentials of their own. */
export async function startChaosProxy(kubeconfig: string): Promise<ChaosProxy> {
  const { server: target, tls, authorization } = fromKubeconfig(kubeconfig);
  const { request, Agent } = target.startsWith('https:') ? https : http;
  const { cert: _cert, key: _key, ...anonymous } = tls satisfies TlsOptions;
  // If an API server gets a client certificate, it ignores the token.
  const upstream = { own: new Agent({ ...tls, keepAlive: true }), theirs: new Agent({ ...anonymous, keepAlive: true }) };
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  const watches = new Set<ServerResponse>();
  const trouble = { refuses: false, freezes: false, expires: false, limited: 0, retryAfter: 0, delayMs: 0 };

  const server = createServer((incoming, outgoing) => {
    const { socket } = incoming;
    if (trouble.freezes) dead.add(socket);
    const seen = note(incoming);
    chaos.seen.push(seen);
    outgoing.on('finish', () => (seen.status = outgoing.statusCode));
    if (dead.has(socket)) return;
    if (trouble.limited > 0) {
      trouble.limited--;
      return refuseWith(outgoing, TOO_MANY, { 'retry-after': String(trouble.retryAfter) });
    }
    if (trouble.expires && seen.verb === 'watch') return refuseWith(outgoing, EXPIRED);
    const sent = request(target + (incoming.url ?? '/'), {
      method: incoming.method ?? 'GET',
      headers: headersOf(incoming),
      agent: incoming.headers.authorization ? upstream.theirs : upstream.own,
    });
    outgoing.on('close', () => void (outgoing.writableFinished || sent.destroy()));
    incoming.pipe(sent);
    if (seen.verb === 'patch' || seen.verb === 'update') compareVersions(seen, incoming, sent);
    handBack(sent, outgoing, seen);
  });
  const headersOf = ({ headers }: IncomingMessage) => ({
    ...headers,
    host: new URL(target).host,
    ...(headers.authorization || !authorization ? {} : { authorization }),
  });
  const handBack = (sent: ClientRequest, outgoing: ServerResponse, { verb }: Seen): void => {
    sent.on('error', () => outgoing.destroy());
    sent.on('response', (answer) => {
      const begin = (): void => {
        if (isDead(outgoing)) return;
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        outgoing.flushHeaders();
        if (verb === 'watch') watches.add(outgoing);
        answer.on('data', (data: Buffer) => void (isDead(outgoing) || outgoing.write(data)));
        answer.on('end', () => void (isDead(outgoing) || outgoing.end()));
        answer.on('error', () => outgoing.destroy());
        outgoing.on('close', () => watches.delete(outgoing));
      };
      if (trouble.delayMs > 0) setTimeout(begin, trouble.delayMs);
      else begin();
    });
  };
  const isDead = ({ socket, destroyed }: ServerResponse): boolean => destroyed || (socket !== null && dead.has(socket));
  // A watch may be silent for any time.
  server.requestTimeout = 0;
  server.on('connection', (socket: Socket) => {
    if (trouble.refuses) {
      chaos.refused++;
      return socket.destroy();
    }
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  const chaos: ChaosProxy = {
    server: address,
    kubeconfigText: configFor(address),
    seen: [],
    refused: 0,
    connections: () => sockets.size,
    watching: () => watches.size,
    forward: () => void Object.assign(trouble, { refuses: false, freezes: false, expires: false, limited: 0, delayMs: 0 }),
    refuse() {
      trouble.refuses = true;
      cut();
    },
    freeze() {
      trouble.freezes = true;
      for (const socket of sockets) dead.add(socket);
    },
    cut,
    limit: (count, retryAfterSeconds) => void Object.assign(trouble, { limited: count, retryAfter: retryAfterSeconds }),
    delay: (ms) => void (trouble.delayMs = ms),
    expire() {
      trouble.expires = true;
      for (const watch of watches) watch.end(`${JSON.stringify({ type: 'ERROR', object: EXPIRED })}\n`);
    },
    async close() {
      cut();
      upstream.own.destroy();
      upstream.theirs.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return chaos;
}

function note({ method = 'GET', url = '/' }: IncomingMessage): Seen {
  const { pathname, searchParams } = new URL(url, 'http://proxy');
  const verb = VERBS[method] ?? (searchParams.get('watch') === 'true' ? 'watch' : 'get');
  return { at: performance.now(), verb, path: pathname, dryRun: searchParams.has('dryRun') };
}

/** Notes whether a write changed anything. If it did not, the API server keeps the object's version. */
function compareVersions(seen: Seen, incoming: IncomingMessage, sent: ClientRequest): void {
  const versionOf = (parts: Buffer[]): string | undefined => {
    const text = Buffer.concat(parts).toString();
    return text.startsWith('{') ? (JSON.parse(text) as KubeObject).metadata?.resourceVersion : undefined;
  };
  const asked: Buffer[] = [];
  const told: Buffer[] = [];
  incoming.on('data', (data: Buffer) => asked.push(data));
  sent.on('response', (answer) => {
    answer.on('data', (data: Buffer) => told.push(data));
    answer.on('end', () => {
      const before = versionOf(asked);
      if (answer.statusCode === 200 && before !== undefined) seen.isIdle = before === versionOf(told);
    });
  });
}

function refuseWith(outgoing: ServerResponse, status: typeof EXPIRED, headers: Record<string, string> = {}): void {
  outgoing.writeHead(status.code, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(status));
}

const configFor = (server: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'chaos',
    contexts: [{ name: 'chaos', context: { cluster: 'chaos', user: 'chaos' } }],
    clusters: [{ name: 'chaos', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'chaos', user: {} }],
  });
