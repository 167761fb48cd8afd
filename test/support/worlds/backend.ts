import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Heartbeat } from '../../../src/contract/agent.ts';
import type { FailureReport } from '../../../src/contract/failure.ts';

/** A fake operator that records what agents send. */
export interface Backend {
  url: string;
  reports: FailureReport[];
  gone: { pod_name: string; namespace: string; pod_uid?: string; reason?: string; observed_at?: string }[];
  heartbeats: (Heartbeat & { node: string })[];
  /** While true, every request gets a 503 and is counted. */
  away: boolean;
  refused: number;
  close(): Promise<void>;
}

export async function aBackend(): Promise<Backend> {
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      response.writeHead(backend.away ? 503 : 200, { 'content-type': 'application/json' }).end('{}');
      if (backend.away) backend.refused += request.method === 'POST' ? 1 : 0;
      else note(request.url ?? '', JSON.parse(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const backend: Backend = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    reports: [],
    gone: [],
    heartbeats: [],
    away: false,
    refused: 0,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  const note = (path: string, body: FailureReport & Heartbeat & Backend['gone'][number]) => {
    if (path === '/api/pods/failed') backend.reports.push(body);
    else if (path === '/api/pods/dismiss-deleted') backend.gone.push(body);
    else backend.heartbeats.push({ ...body, node: path.split('/').at(-1) ?? '' });
  };
  return backend;
}
