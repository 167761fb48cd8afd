import type { SocketMessage } from '../../contract/socket.ts';

/** `lost`: disconnected, with another attempt to come. `refused`: the server ended the session. */
export type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export interface SocketDeps {
  /** Opens a connection to the server's socket. */
  open(): Pick<WebSocket, 'close' | 'addEventListener'>;
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  /** 0 to 1, for the jitter. */
  random(): number;
  /** Each message, as it comes. */
  message(message: SocketMessage): void;
  /** Called at each change. Messages were missed before `live`, so `live` means: reload everything. */
  changed(connection: Connection): void;
}

/** The close code when a session has ended (src/api/ws.ts). */
const POLICY_VIOLATION = 1008;
const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Keeps one connection alive, with growing pauses between failed attempts. `retry` skips the rest of a pause. `renew` also replaces a
 * connection that seems open, because it may be dead.
 */
export function liveSocket(deps: SocketDeps): { retry(): void; renew(): void; close(): void } {
  let waitMs = FIRST_MS;
  let timer: unknown;
  let closed = false;
  let socket: ReturnType<SocketDeps['open']> | undefined;

  const connect = (): void => {
    timer = undefined;
    const opened = deps.open();
    socket = opened;
    opened.addEventListener('open', () => {
      if (closed || opened !== socket) return;
      waitMs = FIRST_MS;
      deps.changed('live');
    });
    opened.addEventListener('message', (event) => {
      const message = closed || opened !== socket ? undefined : messageOf(event.data);
      if (message) deps.message(message);
    });
    opened.addEventListener('close', ({ code }) => {
      if (closed || opened !== socket) return;
      socket = undefined;
      if (code === POLICY_VIOLATION) {
        closed = true;
        deps.changed('refused');
        return;
      }
      deps.changed('lost');
      timer = deps.setTimeout(connect, waitMs * (0.75 + deps.random() / 2));
      waitMs = Math.min(waitMs * 2, LONGEST_MS);
    });
  };
  connect();
  const retry = (): void => {
    if (closed || timer === undefined) return;
    deps.clearTimeout(timer);
    connect();
  };
  return {
    retry,
    renew: () => {
      if (closed || !socket) return retry();
      const dead = socket;
      socket = undefined;
      dead.close();
      deps.changed('lost');
      connect();
    },
    close: () => {
      closed = true;
      deps.clearTimeout(timer);
      socket?.close();
    },
  };
}

/** Undefined for messages that no version of the server should send. */
function messageOf(data: unknown): SocketMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as Partial<SocketMessage> | null;
    return typeof message?.type === 'string' && typeof message.data === 'object' ? (message as SocketMessage) : undefined;
  } catch {
    return undefined;
  }
}
