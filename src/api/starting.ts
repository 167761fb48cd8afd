import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Logger } from '../log.ts';

export interface StartingServer {
  /** Frees the port for the facade. A second call changes nothing. */
  close(): Promise<void>;
}

/**
 * Answers `/health` until the facade listens: creating the embedded database, or waiting for a PostgreSQL that is away, may take longer
 * than a startup probe waits, and a restart would only begin it again. Everything else gets 503. A port that is taken is the facade's to
 * report; port 0 would be another port than the facade's, so nobody could ask there.
 */
export async function answerWhileStarting({
  host,
  port,
  version,
  log,
}: {
  host: string;
  port: number;
  version: string;
  log: Logger;
}): Promise<StartingServer> {
  const server = createServer(({ url, method }, response) => {
    const isHealth = method === 'GET' && url?.split('?')[0] === '/health';
    const body = isHealth ? { status: 'ok', version } : { detail: 'Podmend is starting' };
    // No connection outlives its answer, so that the port is free at once.
    response.writeHead(isHealth ? 200 : 503, { 'content-type': 'application/json', connection: 'close', 'retry-after': '1' });
    response.end(JSON.stringify(body));
  });
  if (port === 0) return { close: async () => undefined };
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    log.debug({ err: error }, 'nobody answers until the facade listens');
    return { close: async () => undefined };
  }
  let closed: Promise<unknown> | undefined;
  return {
    async close() {
      if (!closed) {
        closed = once(server, 'close');
        server.close();
        server.closeAllConnections();
      }
      await closed;
    },
  };
}
