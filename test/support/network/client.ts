import WebSocket from 'ws';
import type { SocketMessage } from '../../../src/contract/socket.ts';

export interface Answer<T> {
  status: number;
  body: T;
  headers: Headers;
}

/** An API client like a person's browser: it keeps the session cookie and speaks JSON. */
export interface Client {
  url: string;
  send<T = unknown>(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<T>>;
  get<T>(path: string): Promise<T>;
  /** Collects all messages from now on, in order, and calls `heard` with each. `close` ends the socket. */
  listen(heard?: (message: SocketMessage) => void): Promise<{ messages: SocketMessage[]; close(): void }>;
}

/** Beside busy processes an answer may take half a minute. One that takes longer does not come. */
const ANSWER_WITHIN_MS = 120_000;

/** A client for a server's address. `send('POST', '/api/auth/signup', …)` signs in. */
export function apiClient(url: string): Client {
  let cookie = '';
  const send = async <T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<T>> => {
    const answer = await fetch(url + path, {
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      method,
      headers: { ...(cookie && { cookie }), ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(`no answer to ${method} ${path}`, { cause });
    });
    const set = answer.headers.getSetCookie()[0];
    if (set) cookie = set.split(';')[0] ?? '';
    const text = await answer.text();
    const json = (answer.headers.get('content-type') ?? '').includes('json');
    return { status: answer.status, body: (json ? JSON.parse(text) : text) as T, headers: answer.headers };
  };
  return {
    url,
    send,
    get: async <T>(path: string) => {
      const answer = await send<T>('GET', path);
      if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    listen: async (heard) => {
      const socket = new WebSocket(url.replace(/^http/, 'ws') + '/api/ws', { headers: { cookie } });
      const messages: SocketMessage[] = [];
      socket.on('message', (data: Buffer) => {
        const message = JSON.parse(data.toString()) as SocketMessage;
        messages.push(message);
        heard?.(message);
      });
      await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
      return { messages, close: () => socket.close() };
    },
  };
}
