import { Socket } from 'node:net';

// `node --import`: a process that reaches this machine alone. What is typed at random into an API must not come to anybody outside; it
// is refused here, as by a firewall.

const LOCAL = /^(127\.|::1$|localhost$)/;
/** Where nobody listens. */
const NOBODY = { host: '127.0.0.1', port: 9, lookup: undefined };
const connect = Socket.prototype.connect as (...args: unknown[]) => Socket;

Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
  const [options] = args.flat() as { host?: string }[];
  if (options?.host !== undefined && !LOCAL.test(options.host)) Object.assign(options, NOBODY);
  return connect.apply(this, args);
};
