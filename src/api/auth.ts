import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { AuthStatus, Credentials, PasswordChange, Signup, UserRecord } from '../contract/auth.ts';
import type { LoginOutcome } from '../accounts/users.ts';
import { shownName } from '../accounts/visible-name.ts';
import { sessionCookie } from './cookie.ts';
import type { Credential } from './access.ts';
import { PEOPLE_ONLY } from './docs.ts';
import { ErrorBody } from '../contract/errors.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

/** Signup, login and logout of people, and their passwords. `ended` is called with the session that a logout ended. */
export function authRoutes(
  deps: Pick<AppDeps, 'accounts' | 'sessions' | 'config' | 'now'>,
  ended: (credential: Credential) => void,
): FastifyPluginAsyncTypebox {
  const { accounts, sessions, config, now } = deps;
  const cookie = sessionCookie(deps);

  /** Begins a session for a user who just proved who they are. */
  const welcome = async (request: FastifyRequest, reply: FastifyReply, user: UserRecord): Promise<UserRecord> => {
    const { id, token } = await sessions.begin(user.id, request.ip, now());
    cookie.set(request, reply, token);
    request.caller = { ...user, credential: { kind: 'session', id } };
    return user;
  };

  /** Logs a refused login with its user name, so that attempts to break in can be found. */
  const noteRefused = async (request: FastifyRequest<{ Body: { username: string } }>, kind: LoginOutcome['kind']): Promise<void> => {
    const username = shownName(request.body.username);
    if (kind === 'refused') await request.audit('auth.login_failed', username);
    if (kind === 'limited' && (await accounts.isNewLimit(request.ip, now()))) await request.audit('auth.login_limited', username);
  };

  return async (app) => {
    app.get(
      '/api/auth/status',
      {
        config: { access: 'public' },
        schema: { summary: 'Whether the first administrator is still to be created', tags: ['auth'], response: { 200: AuthStatus } },
      },
      async (request, reply) => ({
        setup_required: !(await accounts.exist()),
        authenticated: (await cookie.caller(request, reply)) !== null,
      }),
    );

    app.post(
      '/api/auth/signup',
      {
        config: { access: 'public' },
        schema: {
          summary: 'Create the first administrator, once',
          tags: ['auth'],
          body: Signup,
          response: { 200: UserRecord, 409: ErrorBody, 429: ErrorBody },
        },
      },
      async (request, reply) => {
        const { username, password, setup_token: setupToken } = request.body;
        if (await accounts.exist()) throw alreadySetUp();
        const waitSeconds = await accounts.admitSignup(request.ip, now());
        if (waitSeconds > 0) throw tooMany('signup', waitSeconds);
        if (config.setupToken && !isSame(config.setupToken, setupToken ?? '')) throw new ApiError(403, 'setup_token is missing or wrong');
        const user = await accounts.signup({ username, password }, now());
        if (!user) throw alreadySetUp();
        await welcome(request, reply, user);
        await request.audit('auth.signup', user.username);
        return user;
      },
    );

    app.post(
      '/api/auth/login',
      {
        config: { access: 'public' },
        schema: {
          summary: 'Begin a session',
          tags: ['auth'],
          body: Credentials,
          response: { 200: UserRecord, 401: ErrorBody, 429: ErrorBody },
        },
      },
      async (request, reply) => {
        const outcome = await accounts.login({ ...request.body, address: request.ip }, now());
        await noteRefused(request, outcome.kind);
        if (outcome.kind === 'limited') throw tooMany('login', outcome.retryAfterSeconds);
        if (outcome.kind === 'refused') throw new ApiError(401, 'Invalid username or password');
        await welcome(request, reply, outcome.user);
        await request.audit('auth.login', outcome.user.username);
        return outcome.user;
      },
    );

    app.post(
      '/api/auth/logout',
      {
        config: { access: 'account.use' },
        schema: { summary: 'End the session', tags: ['auth'], security: PEOPLE_ONLY, response: { 204: Type.Null() } },
      },
      async (request, reply) => {
        const { caller, id } = request.session();
        await sessions.end(id);
        ended({ kind: 'session', id });
        await request.audit('auth.logout', caller.username);
        cookie.clear(reply);
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/api/auth/password',
      {
        config: { access: 'account.use' },
        schema: {
          summary: 'Set a new password of your own; all other sessions end, and your API tokens',
          tags: ['auth'],
          security: PEOPLE_ONLY,
          body: PasswordChange,
          response: { 200: UserRecord, 429: ErrorBody },
        },
      },
      async (request, reply) => {
        const { caller, id } = request.session();
        const { current_password: current, password, keep_tokens: keepTokens = false } = request.body;
        const outcome = await accounts.changePassword(caller.id, { current, password, keepTokens }, now());
        if (outcome.kind === 'limited') throw tooMany('login', outcome.retryAfterSeconds);
        if (outcome.kind === 'refused') throw new ApiError(400, 'current_password is not the present password');
        ended({ kind: 'session', id });
        await request.audit('auth.password', caller.username, { tokens_kept: keepTokens });
        return welcome(request, reply, outcome.user);
      },
    );

    app.get(
      '/api/auth/me',
      {
        config: { access: 'account.use' },
        schema: { summary: 'Who the session belongs to', tags: ['auth'], response: { 200: UserRecord } },
      },
      async (request) => {
        if (!request.caller) throw new ApiError(401, 'Not authenticated');
        return request.caller;
      },
    );
  };
}

function tooMany(what: 'login' | 'signup', retryAfterSeconds: number): ApiError {
  return new ApiError(429, `Too many ${what} attempts`, { 'retry-after': String(retryAfterSeconds) });
}

function alreadySetUp(): ApiError {
  return new ApiError(409, 'Users exist already: an administrator creates the others');
}

function isSame(expected: string, given: string): boolean {
  return timingSafeEqual(hash('sha256', expected, 'buffer'), hash('sha256', given, 'buffer'));
}
