import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller, Credential } from './access.ts';
import { sessionCookie } from './cookie.ts';
import type { AppDeps } from './deps.ts';

/** How often open connections are checked: they close within 2 s after their session has ended. */
export const SESSION_CHECK_MS = 1_000;

/** `Authorization: Bearer` (RFC 6750). */
export const BEARER = /^Bearer +(\S+)$/i;

/**
 * Finds the person behind a request. If the request has `Authorization: Bearer <API token>` (RFC 6750), only the token counts; otherwise the
 * session cookie counts. Null when the token or the cookie is missing or invalid.
 */
export function callerOf(deps: Pick<AppDeps, 'config' | 'sessions' | 'tokens' | 'now'>) {
  const cookie = sessionCookie(deps);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<Caller | null> => {
    const { authorization } = request.headers;
    if (authorization === undefined) return cookie.caller(request, reply);
    const [, token] = BEARER.exec(authorization) ?? [];
    const found = token ? await deps.tokens.find(token, deps.now()) : undefined;
    return found ? { ...found.user, credential: { kind: 'token', id: found.id } } : null;
  };
}

/**
 * Returns those credentials that are no longer valid: ended, revoked, expired, or their user was deleted. Throws DatabaseUnavailable. An
 * empty list needs no query.
 */
export async function endedOf(
  credentials: Iterable<Credential | null | undefined>,
  { sessions, tokens, now }: Pick<AppDeps, 'sessions' | 'tokens' | 'now'>,
): Promise<(one: Credential) => boolean> {
  const [sessionIds, tokenIds] = [new Set<string>(), new Set<number>()];
  for (const credential of credentials) {
    if (credential?.kind === 'session') sessionIds.add(credential.id);
    else if (credential) tokenIds.add(credential.id);
  }
  const over = await Promise.all([sessions.ended([...sessionIds], now()), tokens.ended([...tokenIds], now())]);
  return (one) => (one.kind === 'session' ? over[0].has(one.id) : over[1].has(one.id));
}
