import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_COOKIE } from '../contract/auth.ts';
import { SESSION_DAYS } from '../accounts/sessions.ts';
import type { Caller } from './access.ts';
import type { AppDeps } from './deps.ts';

const MAX_AGE_SECONDS = SESSION_DAYS * 24 * 60 * 60;

/** The signed session cookie: `HttpOnly; SameSite=Lax; Path=/`, `Secure` over https, valid for SESSION_DAYS after its last use. */
export interface SessionCookie {
  /** The person whose live session the request carries, else null. Sends the cookie again when its session was prolonged. */
  caller(request: FastifyRequest, reply: FastifyReply): Promise<Caller | null>;
  set(request: FastifyRequest, reply: FastifyReply, token: string): void;
  clear(reply: FastifyReply): void;
}

/** Needs the cookie plugin, which holds the secret. */
export function sessionCookie({ config, sessions, now }: Pick<AppDeps, 'config' | 'sessions' | 'now'>): SessionCookie {
  const set: SessionCookie['set'] = (request, reply, token) => {
    const secure = request.protocol === 'https' || config.baseUrl?.startsWith('https:') === true;
    reply.setCookie(SESSION_COOKIE, token, { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: MAX_AGE_SECONDS, signed: true });
  };
  return {
    async caller(request, reply) {
      const signed = request.cookies[SESSION_COOKIE];
      const token = signed ? request.unsignCookie(signed).value : null;
      const session = token ? await sessions.find(token, now()) : undefined;
      if (!token || !session) return null;
      if (session.renewed) set(request, reply, token);
      return { ...session.user, credential: { kind: 'session', id: session.id } };
    },
    set,
    clear: (reply) => void reply.clearCookie(SESSION_COOKIE, { path: '/' }),
  };
}
