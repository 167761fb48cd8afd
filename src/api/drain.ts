import type { FastifyInstance } from 'fastify';

/** Half of the time that a process usually has between SIGTERM and SIGKILL. */
const DRAIN_MS = 5_000;

/**
 * Lets a close wait for running requests, at most `drainMs`, before their connections are cut. It does not wait for streams, because they do
 * not end by themselves. Call this before any route is declared.
 */
export function drainRequests(app: FastifyInstance, drainMs = DRAIN_MS): void {
  let underWay = 0;
  let ended: (() => void) | undefined;
  app.addHook('onRequest', (request, reply, done) => {
    if (typeof request.routeOptions.config.access !== 'object') {
      underWay++;
      // This event also comes when the caller disconnects before the answer.
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
