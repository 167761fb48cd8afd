import type { FastifyRequest } from 'fastify';
import type { Slots } from '../async/slots.ts';
import { ApiError } from './errors.ts';

/**
 * At most `most` statements at once search incidents, sum them up, or search the rows of a list, however many callers ask. Each may run as
 * long as any statement may. Together with the long lists they leave three of the pool's ten connections to logins and reports. A caller
 * that waits for its turn holds no connection.
 */
export const SEARCHES = { most: 3, perUser: 2, waitMs: 30_000 };

declare module 'fastify' {
  interface FastifyInstance {
    /** The searches that run. */
    searches: Slots;
  }
}

/** Runs a search when it is its turn. Throws ApiError 503 when that takes too long. */
export async function inTurn<T>({ server, caller }: FastifyRequest, search: () => Promise<T>): Promise<T> {
  const leave = await server.searches.take(SEARCHES.waitMs, caller?.id);
  if (!leave) throw new ApiError(503, 'Too many searches run at once: ask again later');
  try {
    return await search();
  } finally {
    leave();
  }
}
