import type { FastifyInstance } from 'fastify';

/** Half of the time that a process usually has between SIGTERM and SIGKILL. */
const DRAIN_MS = 5_000;

/**
 * A close waits for the requests that are under way, at most `drainMs`, before it cuts their connections. It does not wait for streams,
 * which have no end of their own. Call this before any route is declared.
 */
export function drainRequests(app: FastifyInstance, drainMs = DRAIN_MS): void {
  let underWay = 0;
  let ended: (() => void) | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    if (typeof request.routeOptions.config.access !== 'object') {
      underWay++;
      // This also comes when the caller goes away before the answer.
      reply.raw.once('close', () => {
        underWay--;
        if (underWay === 0) ended?.();
      });
    }
    done();
  });
  app.addHook('preClose', async () => {
    if (underWay === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    ended = resolve;
    const timer = setTimeout(resolve, drainMs);
    await promise;
    clearTimeout(timer);
  });
}
