import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

/** A TCP proxy on loopback that can stop forwarding without closing anything, as a network that loses every packet does. */
export interface Freezer {
  port: number;
  freeze(): void;
  thaw(): void;
  /** Breaks every connection that is open. */
  cut(): void;
  close(): Promise<void>;
}

export async function startFreezer(target: { host: string; port: number }): Promise<Freezer> {
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const server = createServer((inside) => {
    const outside = connect(target);
    for (const [from, to] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(from);
      from.on('data', (data) => void (isFrozen || to.write(data)));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    freeze: () => void (isFrozen = true),
    thaw: () => void (isFrozen = false),
    cut,
    close: () => {
      cut();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}
