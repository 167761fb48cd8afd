import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
import type { StartingAnswers } from './starting.ts';

// Runs in a thread that starting.ts starts. The thread gets one message, with the address to listen on, and answers whether it listens.

parentPort?.on('message', ({ host, port, version }: StartingAnswers) => {
  const server = createServer(({ url, method }, response) => {
    const isHealth = method === 'GET' && url?.split('?')[0] === '/health';
    const body = isHealth ? { status: 'ok', version } : { detail: 'Podmend is starting' };
    // Each connection closes after its answer, so that the port can be freed at once.
    response.writeHead(isHealth ? 200 : 503, { 'content-type': 'application/json', connection: 'close', 'retry-after': '1' });
    response.end(JSON.stringify(body));
  });
  server.once('error', ({ message }) => parentPort?.postMessage(message));
  server.listen(port, host, () => parentPort?.postMessage(null));
});
