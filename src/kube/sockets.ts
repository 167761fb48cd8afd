import { Agent, ProxyAgent } from 'undici';

/** TCP keep-alive starts after this silence. It finds a dead peer ten seconds later. */
const PEER_SILENT_MS = 15_000;

/**
 * A pool of at most `most` connections to an API server; without `most`, one for each running request. `connect` has the options for TLS.
 *
 * The pool uses HTTP/1.1, because a request that is given up then closes its connection, and the next request opens a new one. With HTTP/2
 * all requests would share one connection. If an outage leaves it open but dead, they would go on failing.
 *
 * There is no time limit for bodies, because a watch may be quiet for a while, and its reader notices when it is dead. Every other request
 * has a deadline.
 */
export function connections(connect: object, most?: number): Agent {
  return new Agent({ ...LIMITS, connect: socketOptions(connect), ...(most === undefined ? {} : { connections: most }) });
}

/** Like `connections`, through an HTTP proxy. */
export function throughProxy(uri: string, connect: object): ProxyAgent {
  return new ProxyAgent({ ...LIMITS, uri, requestTls: socketOptions(connect) });
}

const LIMITS = { allowH2: false, bodyTimeout: 0, headersTimeout: 60_000, keepAliveTimeout: 20_000 };

function socketOptions(connect: object) {
  return { ...connect, timeout: 10_000, keepAliveInitialDelay: PEER_SILENT_MS };
}
