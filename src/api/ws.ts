import websocket from '@fastify/websocket';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { WebSocket } from 'ws';
import { ErrorBody } from '../contract/errors.ts';
import { isHiddenPlace } from '../contract/hidden.ts';
import type { SocketMessage } from '../contract/socket.ts';
import type { AppDeps } from './deps.ts';
import type { Credential } from './access.ts';
import { endedOf, SESSION_CHECK_MS } from './caller.ts';
import { ApiError } from './errors.ts';

const PING_MS = 30_000;
const CLOSE_GRACE_MS = 1_000;
const MAX_BUFFERED_BYTES = 1024 * 1024;
/**
 * The most sockets of one session or API token (the windows of a browser share a session), and of the service token, which all agents and
 * scanners share. The limits exist because every message is written to each socket.
 */
export const MAX_SOCKETS = { person: 32, service: 1024 } as const;
/** Messages of clients are ignored. This limits their size. */
const MAX_RECEIVED_BYTES = 4096;

/** WebSocket close codes (RFC 6455, section 7.4.1). */
const GOING_AWAY = 1001;
const POLICY_VIOLATION = 1008;
/** Registered with IANA. The client connects again, and reads everything it shows again. */
const SERVICE_RESTART = 1012;

interface Client {
  socket: WebSocket;
  /** Null for the service token. */
  credential: Credential | null;
  /** Whether the client answered the last ping. */
  alive: boolean;
}

/** The open sockets. */
export interface Sockets {
  count(): number;
  /** Closes the sockets whose credential ended in this process. A credential that ended elsewhere is noticed within 2 s. */
  end(credential: Credential): void;
  /** Declares the route `/api/ws`. */
  serve(app: FastifyInstance): void;
}

/**
 * Sends every message of the hub to every client (specification, "Events"). Call this before the guard: the plugin must know that a request
 * is an upgrade before the guard refuses it, or the refused connection stays open.
 */
export async function openSockets(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'hub' | 'sessions' | 'tokens' | 'scans' | 'config' | 'now' | 'pingMs'>,
): Promise<Sockets> {
  const clients = new Set<Client>();
  const hidden = deps.config.hiddenNamespaces;
  await app.register(websocket, {
    options: { perMessageDeflate: false, maxPayload: MAX_RECEIVED_BYTES },
    errorHandler: (error, socket, request) => {
      request.log.debug({ err: error }, 'socket failed');
      socket.terminate();
    },
    preClose: async () => closeAll(clients),
  });

  const unsubscribe = deps.hub.subscribe(
    (message) => {
      if (clients.size > 0 && !isHidden(message, hidden)) broadcast(clients, message);
    },
    () => clients.forEach(({ socket }) => socket.close(SERVICE_RESTART, 'Messages are missing: read everything again')),
  );
  const pings = setInterval(() => ping(clients), deps.pingMs ?? PING_MS).unref();
  let checking = false;
  const checks = setInterval(() => {
    if (checking) return;
    checking = true;
    endedOf(
      [...clients].map(({ credential }) => credential),
      deps,
    )
      .then((hasEnded) => endSockets(clients, hasEnded))
      // While the database is down, nobody can know whether a session ended. So the sockets stay open.
      .catch((error: unknown) => app.log.debug({ err: error }, 'sessions not checked'))
      .finally(() => void (checking = false));
  }, SESSION_CHECK_MS).unref();
  app.addHook('onClose', async () => {
    unsubscribe();
    clearInterval(pings);
    clearInterval(checks);
  });
  return {
    count: () => clients.size,
    end: ({ kind, id }) => endSockets(clients, (one) => one.kind === kind && one.id === id),
    serve: (guarded) => declareRoute(guarded, clients, () => deps.scans.heard(deps.now())),
  };
}

function declareRoute(app: FastifyInstance, clients: Set<Client>, heardScanner: () => Promise<void>): void {
  app.route({
    method: 'GET',
    url: '/api/ws',
    config: { access: { stream: 'events.read' } },
    schema: {
      summary: 'Live messages over WebSocket: `{type, data}`',
      tags: ['events'],
      response: { 101: Type.Null(), 426: ErrorBody, 429: ErrorBody },
    },
    preHandler: (request, _reply, done) => done(isFull(clients, request) ? new ApiError(429, TOO_MANY) : undefined),
    handler: async () => {
      throw new ApiError(426, 'Connect with WebSocket', { upgrade: 'websocket' });
    },
    wsHandler: (socket, request) => {
      const client: Client = { socket, credential: request.caller?.credential ?? null, alive: true };
      clients.add(client);
      const isScanner = client.credential === null && (request.query as { client?: unknown }).client === 'scanner';
      // If noting the scanner's sign of life fails, the socket stays open.
      const heard = (): void =>
        void (isScanner && heardScanner().catch((error: unknown) => request.log.debug({ err: error }, 'not noted')));
      heard();
      socket.on('pong', () => {
        client.alive = true;
        heard();
      });
      socket.on('close', () => void clients.delete(client));
    },
  });
}

const TOO_MANY = `Too many sockets are open: at most ${MAX_SOCKETS.person} for a session or an API token`;

function isFull(clients: Set<Client>, { caller }: FastifyRequest): boolean {
  const mine = caller?.credential;
  let open = 0;
  for (const { credential } of clients) if (credential?.kind === mine?.kind && credential?.id === mine?.id) open++;
  return open >= (mine ? MAX_SOCKETS.person : MAX_SOCKETS.service);
}

/** Serialises a message once for all clients. Serialising it for each client would halve the throughput. */
function broadcast(clients: Set<Client>, { type, data }: SocketMessage): void {
  const text = Buffer.from(JSON.stringify({ type, data }));
  for (const { socket } of clients) {
    if (socket.bufferedAmount > MAX_BUFFERED_BYTES) socket.terminate();
    else socket.send(text, { binary: false });
  }
}

/** Fields by which messages name the object that they are about. */
interface Named {
  namespace: string;
  resource_type: string;
  resource_kind: string;
  resource_name: string;
}

function isHidden(message: SocketMessage, hidden: readonly string[]): boolean {
  const {
    namespace,
    resource_type,
    resource_kind = '',
    resource_name = '',
  } = ('namespace' in message ? message : message.data) as Partial<Named>;
  return namespace !== undefined && isHiddenPlace({ kind: resource_type ?? resource_kind, namespace, name: resource_name }, hidden);
}

function ping(clients: Set<Client>): void {
  for (const client of clients) {
    if (!client.alive) client.socket.terminate();
    else {
      client.alive = false;
      client.socket.ping();
    }
  }
}

function endSockets(clients: Set<Client>, hasEnded: (credential: Credential) => boolean): void {
  for (const { socket, credential } of clients) {
    if (credential !== null && hasEnded(credential)) socket.close(POLICY_VIOLATION, 'Session ended');
  }
}

/** Sends the close frame. A client that does not answer in time is cut off, so that a stop never waits for a client. */
async function closeAll(clients: Set<Client>): Promise<void> {
  const closed = [...clients].map(({ socket }) => new Promise<void>((resolve) => socket.once('close', () => resolve())));
  for (const { socket } of clients) socket.close(GOING_AWAY, 'Server is stopping');
  const late = setTimeout(() => {
    for (const { socket } of clients) socket.terminate();
  }, CLOSE_GRACE_MS);
  await Promise.all(closed);
  clearTimeout(late);
}
