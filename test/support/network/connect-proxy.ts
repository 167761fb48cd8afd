import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** A request to the proxy: `host:port`, and the credentials that came with it. */
export interface Tunnel {
  host: string;
  authorization: string | undefined;
}

/** The proxy's behaviour: it connects, answers with a status, says nothing, or hangs up. */
export type ProxyMood = 'connects' | 'silent' | 'hangs up' | 403 | 407 | 502;

/** A CONNECT proxy on loopback. It connects to loopback for any host, like a proxy that resolves names that nobody else can. */
export interface ConnectProxy {
  port: number;
  tunnels: Tunnel[];
  mood: ProxyMood;
  close(): Promise<void>;
}

export async function connectProxy(): Promise<ConnectProxy> {
  const sockets = new Set<Duplex>();
  const server = createServer();
  const keep = (socket: Duplex) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  server.on('connection', keep);
  server.on('connect', (request, socket) => {
    const host = request.url ?? '';
    proxy.tunnels.push({ host, authorization: request.headers['proxy-authorization'] });
    const { mood } = proxy;
    if (mood === 'silent') return;
    if (mood === 'hangs up') return socket.destroy();
    if (mood !== 'connects') return socket.end(`HTTP/1.1 ${mood} Refused\r\ncontent-length: 0\r\n\r\n`);
    const onward = connect(Number(/\d+$/.exec(host)?.[0]), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    keep(onward);
    socket.on('close', () => onward.destroy());
    onward.on('close', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: ConnectProxy = {
    port: (server.address() as AddressInfo).port,
    tunnels: [],
    mood: 'connects',
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
