import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { StartingAnswers } from './starting.ts';

// A thread of its own, started by starting.ts: its one message says where to listen, its answer whether it does.

parentPort?.on('message', ({ host, port, version }: StartingAnswers) => {
  const server = createServer(({ url, method }, response) => {
    const isHealth = method === 'GET' && url?.split('?')[0] === '/health';
    const body = isHealth ? { status: 'ok', version } : { detail: 'Podmend is starting' };
    // No connection outlives its answer, so that the port is free at once.
    response.writeHead(isHealth ? 200 : 503, { 'content-type': 'application/json', connection: 'close', 'retry-after': '1' });
    response.end(JSON.stringify(body));
  });
  server.once('error', ({ message }) => parentPort?.postMessage(message));
  server.listen(port, host, () => parentPort?.postMessage(null));
});
