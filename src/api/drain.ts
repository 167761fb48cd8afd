import type { FastifyInstance } from 'fastify';

/** Half of what an orchestrator mostly gives a process that is to end. */
const PATIENCE_MS = 5_000;

/**
 * Lets requests that are under way be answered before a close cuts their connections, for `patienceMs` at most. Streams have no end of
 * their own and are not waited for. To be called before any route is declared.
 */
export function drainRequests(app: FastifyInstance, patienceMs = PATIENCE_MS): void {
  let underWay = 0;
  let ended: (() => void) | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.access !== 'stream') {
      underWay++;
      // Also of who goes away without waiting for the answer.
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
    const timer = setTimeout(resolve, patienceMs);
    await promise;
    clearTimeout(timer);
  });
}
