import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A TCP proxy on loopback. It can stop forwarding without closing anything, like a network that loses every packet. */
export interface Freezer {
  port: number;
  freeze(): void;
  /** Closes every connection, open or new, like a server that was stopped. */
  refuse(): void;
  /** Ends both failures. */
  thaw(): void;
  /** Freezes the open connections for good, and serves new ones. A firewall that loses its state does this. */
  strand(): void;
  /** How many clients are connected. */
  connections(): number;
  /** Breaks every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

export async function startFreezer(target: { host: string; port: number }): Promise<Freezer> {
  const sockets = new Set<Socket>();
  const clients = new Set<Socket>();
  const stranded = new WeakSet<Socket>();
  let [isFrozen, isRefusing] = [false, false];
  const server = createServer((inside) => {
    if (isRefusing) return void inside.destroy();
    const outside = connect(target);
    clients.add(inside);
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (isFrozen || stranded.has(inside) || to.write(data)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        clients.delete(inside);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => void (isFrozen = true),
    refuse: () => {
      isRefusing = true;
      cut();
    },
    thaw: () => void (isFrozen = isRefusing = false),
    strand: () => clients.forEach((socket) => stranded.add(socket)),
    connections: () => clients.size,
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}
