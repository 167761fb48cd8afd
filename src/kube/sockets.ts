import { Agent, ProxyAgent } from 'undici';

/** TCP keep-alive starts after this silence. It finds a dead peer ten seconds later. */
const PEER_SILENT_MS = 15_000;

/**
 * Connections to an API server, at most so many at once; without a number as many as there are requests. `connect` is what TLS needs.
 *
 * HTTP/1.1 on purpose: a request that is given up takes its connection with it, and the next one begins anew. With HTTP/2 all requests share
 * one connection, which stays when they are given up: after an outage that closed nothing they would go on failing.
 *
 * A watch may be quiet for a while (its reader sees to that), so there is no limit on bodies. Every other request has a deadline.
 */
export function connections(connect: object, most?: number): Agent {
  return new Agent({ ...LIMITS, connect: socketOptions(connect), ...(most === undefined ? {} : { connections: most }) });
}

/** The same through an HTTP proxy. */
export function throughProxy(uri: string, connect: object): ProxyAgent {
  return new ProxyAgent({ ...LIMITS, uri, requestTls: socketOptions(connect) });
}

const LIMITS = { allowH2: false, bodyTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 20_000 };

function socketOptions(connect: object) {
  return { ...connect, timeout: 10_000, keepAliveInitialDelay: PEER_SILENT_MS };
}
