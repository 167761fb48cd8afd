import { WebSocket } from 'undici';
import { type Backoff, backoffMs, jittered } from '../async/backoff.ts';
import type { Logger } from '../log.ts';

export interface SocketDeps {
  /** Without a trailing slash. */
  backendUrl: string;
  serviceToken: string;
  log: Logger;
  /** Called when somebody requests a full pass. */
  asked(reason: string): void;
  backoff?: Backoff;
}

const BACKOFF = { firstMs: 1_000, maxMs: 30_000 };
/** The longest message that is parsed. Requests are short. */
const MAX_LENGTH = 10_000;

/** Listens to the operator's socket for requests of a pass, and reconnects when the connection ends. Returns a function that stops it. */
export function listenForRequests({ backendUrl, serviceToken, log, asked, backoff = BACKOFF }: SocketDeps): () => void {
  const url = `${backendUrl.replace(/^http/, 'ws')}/api/ws?client=scanner&token=${encodeURIComponent(serviceToken)}`;
  let isStopped = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let socket: WebSocket | undefined;

  const connect = (): void => {
    const own = new WebSocket(url);
    socket = own;
    own.addEventListener('open', () => (failures = 0));
    own.addEventListener('message', ({ data }) => {
      const reason = typeof data === 'string' && data.length < MAX_LENGTH ? requestIn(data) : undefined;
      if (reason !== undefined) asked(reason);
    });
    // An error is always followed by a close.
    own.addEventListener('error', () => undefined);
    own.addEventListener('close', ({ code }) => {
      if (isStopped) return;
      failures += 1;
      log.debug({ code }, 'the connection to the operator ended');
      timer = setTimeout(connect, jittered(backoffMs(backoff, failures)));
    });
  };
  connect();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    socket?.close();
  };
}

/** The reason of a pass that a message requests; undefined when it requests none. */
export function requestIn(text: string): string | undefined {
  let message: { type?: unknown; data?: { status?: unknown; reason?: unknown } };
  try {
    message = JSON.parse(text) as typeof message;
  } catch {
    return undefined;
  }
  if (message?.type === 'trusted_registry_change') return 'trusted_registry_change';
  if (message?.type !== 'security_rescan_status' || message.data?.status !== 'requested') return undefined;
  return typeof message.data.reason === 'string' ? message.data.reason : 'requested';
}
