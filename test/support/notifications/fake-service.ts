import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Check } from 'typebox/value';
import { type HttpType, SCHEMAS } from './schemas.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** How the server answers a request. A word instead of an answer breaks the connection. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | 'hang' | 'cut';

export interface FakeService {
  address: string;
  received: Received[];
  /** For each request, in the same order: whether the status was below 300. */
  taken: boolean[];
  /** Payloads that violate the service's schema. */
  refused: string[];
  /** Gives the next requests these answers. After that, the usual answers apply again. */
  next(...answers: Answer[]): void;
  close(): Promise<void>;
}

const USUAL: Partial<Record<HttpType, (n: number) => Answer>> = {
  slack: (n) => ({ status: 200, body: JSON.stringify({ ok: true, ts: `1.${n}`, channel: 'C1' }) }),
  discord: (n) => ({ status: 200, body: JSON.stringify({ id: String(n) }) }),
  telegram: (n) => ({ status: 200, body: JSON.stringify({ ok: true, result: { message_id: n, chat: { id: -1001 } } }) }),
  pagerduty: () => ({ status: 202, body: '{"status":"success"}' }),
};

/** A service of that type on loopback, which checks every payload against the service's schema. */
export async function fakeService(type: HttpType): Promise<FakeService> {
  const received: Received[] = [];
  const taken: boolean[] = [];
  const refused: string[] = [];
  const answers: Answer[] = [];
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const body = JSON.parse(text) as Record<string, unknown>;
      received.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body });
      if (!Check(SCHEMAS[type], body)) refused.push(text);
      const answer = answers.shift() ?? USUAL[type]?.(received.length) ?? { status: 200, body: 'ok' };
      taken.push(typeof answer === 'object' && answer.status < 300);
      if (answer === 'hang') return;
      if (answer === 'cut') {
        response.writeHead(200, { 'content-length': '1000' });
        response.write('{"ok"');
        setImmediate(() => response.destroy());
        return;
      }
      response.writeHead(answer.status, answer.headers);
      response.end(answer.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    received,
    taken,
    refused,
    next: (...given) => void answers.push(...given),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
