import { Socket } from 'node:net';

// For `node --import`: limits a process to connections on this machine. The fuzzer types random addresses into the API, and no request may
// reach an outside server. So other connections are refused, like by a firewall.

const LOCAL = /^(127\.|::1$|localhost$)/;
/** An address where nobody listens. */
const NOBODY = { host: '127.0.0.1', port: 9, lookup: undefined };
const connect = Socket.prototype.connect as (...args: unknown[]) => Socket;

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const [options] = args.flat() as { host?: string }[];
  if (options?.host !== undefined && !LOCAL.test(options.host)) Object.assign(options, NOBODY);
  return connect.apply(this, args);
};
