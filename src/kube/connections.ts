import { Agent } from 'undici';

/** A dead peer is known after so long without its word, and ten more seconds. */
const PEER_SILENT_MS = 15_000;

/**
 * Connections to an API server, at most so many at once; without a number as many as there are requests. `connect` is what TLS needs.
 *
 * HTTP/1.1 on purpose: there a request that is given up takes its connection with it, and whatever comes next begins anew. With HTTP/2
 * all requests share one connection, which stays when they are given up: after an outage that closed nothing they would go on failing.
 *
 * A watch may be quiet for a while (its reader minds that), so there is no limit on bodies; every other request has a deadline.
 */
export function connections(connect: object, most?: number): Agent {
  const options = { ...connect, timeout: 10_000, keepAliveInitialDelay: PEER_SILENT_MS } as NonNullable<Agent.Options['connect']>;
  return new Agent({
    connect: options,
    allowH2: false,
    bodyTimeout: 0,
    headersTimeout: 60_000,
    keepAliveTimeout: 20_000,
    ...(most === undefined ? {} : { connections: most }),
  });
}
