import type { FastifyRequest } from 'fastify';
import type { Slots } from '../async/slots.ts';
import { ApiError } from './errors.ts';

/**
 * At most this many statements at once search or sum up incidents, or search the rows of a list, however many ask. Each may take as long as a
 * statement may, and with the long lists they leave three of the pool's ten connections to logins and reports. A reader waits for a turn and
 * holds nothing meanwhile.
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
