import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream';

/** A proxy in front of several servers, like a Service without session affinity: each request and each socket goes to the next server. */
export interface SpreadingProxy {
  url: string;
  close(): Promise<void>;
}

/** `targets` are `http:` addresses. */
export async function spreadingProxy(targets: readonly string[]): Promise<SpreadingProxy> {
  let turn = 0;
  const onward = ({ url = '/', method, headers }: IncomingMessage) => {
    const target = targets[turn++ % targets.length];
    return request(new URL(url, target), { method, headers, agent: false });
  };
  const server = createServer((incoming, outgoing) => {
    const passed = onward(incoming);
    passed.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
      answer.on('error', () => outgoing.destroy());
    });
    passed.on('error', () => outgoing.destroy());
    outgoing.on('close', () => passed.destroy());
    incoming.pipe(passed);
  });
  server.on('upgrade', (incoming, socket) => {
    const passed = onward(incoming);
    passed.on('upgrade', (answer, other) => {
      const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${String(value)}`);
      socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`);
      pipeline(socket, other, socket, () => socket.destroy());
    });
    passed.on('response', () => socket.destroy());
    passed.on('error', () => socket.destroy());
    passed.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
