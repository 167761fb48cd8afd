import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify';
import type { Role, UserRecord } from '../contract/auth.ts';
import { type Permission, PERMISSIONS, roleFor } from '../contract/permissions.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { BEARER, callerOf } from './caller.ts';
import { isForeign, isOwnHost, type RequestOrigin } from './origin.ts';

/**
 * Who may call a route, declared beside it as `config.access`: anybody; people with that permission; whoever sends the service token in its
 * header; or, for connections that cannot carry a header, people with a permission and whoever sends the service token as query parameter
 * `token`.
 */
export type RouteAccess = 'public' | 'service' | Permission | { stream: Permission };

/** The same access as the specification writes it: with the lowest role instead of the permission. */
export type Access = 'public' | 'service' | 'stream' | Role;

/** The access of a route in the words of the specification. */
export function accessOf(access: RouteAccess): Access {
  if (typeof access === 'object') return 'stream';
  return access === 'public' || access === 'service' ? access : roleFor(access);
}

/** How the caller logged in: the id of a session's row (never the value of the cookie) or of an API token's row. */
export type Credential = { kind: 'session'; id: string } | { kind: 'token'; id: number };

/** The person behind a request. For a request with an API token, `role` is the lower role of the token and the person. */
export interface Caller extends UserRecord {
  credential: Credential;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess;
    /** The route answers under every host name, because probes and scrapes may use a name that is not configured. */
    anyHost?: boolean;
    /** The service token may also come as `Authorization: Bearer`, because some senders can set no other header. */
    bearer?: boolean;
  }
  interface FastifyRequest {
    /** The person, once the route's access was checked; null for the service token and on public routes. */
    caller: Caller | null;
    /** The session behind the request; 403 for an API token, which must not be able to extend its own life or rights. */
    session(): { caller: Caller; id: string };
    /** Writes one row of the audit log: who did `action` (`failure.ignore`) to `target` (`shop/web-1`), and from which address. */
    audit(action: string, target: string, details?: Record<string, unknown>): Promise<void>;
  }
}

/** One line of the access table. */
export interface AccessEntry {
  method: string;
  url: string;
  access: Access;
}

/**
 * Guards every route of `app` before its body is read, and answers the access table (complete once the app is ready). An app with a
 * route that declares no access does not start. Needs the cookie plugin registered before it.
 */
export function guard(app: FastifyInstance, deps: AppDeps): AccessEntry[] {
  const table: AccessEntry[] = [];
  const isServiceToken = tokenCheck(deps.config.serviceTokens);
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => void routes.push(route));
  app.addHook('onReady', async () => {
    for (const { method, url, config } of routes) {
      const access = config?.access;
      if (!access) throw new Error(`route ${String(method)} ${url} declares no access`);
      table.push(...[method].flat().map((one) => ({ method: one, url, access: accessOf(access) })));
    }
  });
  const findCaller = callerOf(deps);
  app.decorateRequest('caller', null);
  app.decorateRequest('session', function (this: FastifyRequest) {
    const { caller } = this;
    if (caller?.credential.kind !== 'session') throw new ApiError(403, 'An API token may not do this: log in');
    return { caller, id: caller.credential.id };
  });
  app.decorateRequest(
    'audit',
    async function (this: FastifyRequest, action: string, target: string, details: Record<string, unknown> = {}) {
      const { id = null, username = '' } = this.caller ?? {};
      await deps.audit.insert({ userId: id, username, address: this.ip, action, target, details }, deps.now());
    },
  );
  app.addHook('onRequest', async (request, reply) => {
    const { access, anyHost = false, bearer = false } = request.routeOptions.config;
    if (access === undefined) return;
    if (access === 'service') {
      if (!isServiceToken(serviceTokenIn(request, bearer))) throw notAuthenticated();
      return;
    }
    const isStream = typeof access === 'object';
    const hasToken = isStream && isServiceToken((request.query as { token?: unknown }).token);
    // A request with a token comes from a program, and not from the page of another site.
    const isProgram = hasToken || (access !== 'public' && request.headers.authorization !== undefined);
    if (!anyHost && !isProgram && !hostsOf(request).every((host) => isOwnHost(host, deps.config))) throw new ApiError(421, UNKNOWN_HOST);
    if ((isStream || !SAFE_METHODS.has(request.method)) && isForeign(originOf(request), deps.config))
      throw new ApiError(403, 'Requests from another origin are refused');
    if (access === 'public' || hasToken) return;
    request.caller = await findCaller(request, reply);
    if (!request.caller) throw notAuthenticated();
    const needed = isStream ? access.stream : access;
    if (!PERMISSIONS[request.caller.role].has(needed)) throw new ApiError(403, `Requires the ${roleFor(needed)} role`);
  });
  return table;
}

function serviceTokenIn({ headers }: FastifyRequest, mayBeBearer: boolean): unknown {
  const { 'x-service-token': token, authorization = '' } = headers;
  return token ?? (mayBeBearer ? BEARER.exec(authorization)?.[1] : undefined);
}

function notAuthenticated(): ApiError {
  return new ApiError(401, 'Not authenticated');
}

/** Compares digests, so that the duration reveals neither the length of the token nor how much of a guess is right. */
function tokenCheck(tokens: string[]): (given: unknown) => boolean {
  const digests = tokens.map((token) => hash('sha256', token, 'buffer'));
  return (given) => {
    if (typeof given !== 'string') return false;
    const digest = hash('sha256', given, 'buffer');
    return digests.reduce((known, one) => timingSafeEqual(one, digest) || known, false);
  };
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const UNKNOWN_HOST = 'This host name is not known here: use the address in BASE_URL, or set BASE_URL if this is the public address';

/** The host in the request itself, and the host that the client requested from a trusted proxy. */
function hostsOf({ host, headers }: FastifyRequest): string[] {
  return [host, headers.host ?? ''].filter((one) => one !== '');
}

function originOf({ protocol, host, headers }: FastifyRequest): RequestOrigin {
  return { protocol, host, origin: headers.origin, site: headers['sec-fetch-site'] };
}
