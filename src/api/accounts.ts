import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ACTION, Instant, ListBefore, ListLimit, ListText, MAX_USER_NAME_LENGTH, RowId } from '../contract/fields.ts';
import type { UserOutcome } from '../accounts/users.ts';
import { AuditRecord, MadeToken, NewToken, NewUser, TokenRecord, UserChange, UserRecord } from '../contract/auth.ts';
import { PEOPLE_ONLY } from './docs.ts';
import { ErrorBody } from '../contract/errors.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { nextAddress } from './lists.ts';

const Id = Type.Object({ id: RowId });
const AuditQuery = Type.Object({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_USER_NAME_LENGTH, description: 'who did it, in any case' })),
  action: Type.Optional(Type.String({ pattern: ACTION, maxLength: 64, description: 'failure.ignore, or all of failure' })),
  q: ListText('target, name, address or action'),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  limit: ListLimit('absent: 100'),
  before: ListBefore('rows'),
});

/** Users and the audit log for administrators, API tokens for everybody. */
export function accountRoutes({
  accounts,
  tokens,
  audit,
  now,
}: Pick<AppDeps, 'accounts' | 'tokens' | 'audit' | 'now'>): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/admin/users',
      { config: { access: 'users.manage' }, schema: { summary: 'All users', tags: ['users'], response: { 200: Type.Array(UserRecord) } } },
      () => accounts.list(),
    );

    app.post(
      '/api/admin/users',
      {
        config: { access: 'users.manage' },
        schema: { summary: 'Create a user', tags: ['users'], body: NewUser, response: { 200: UserRecord, 409: ErrorBody } },
      },
      async (request) => {
        const user = await accounts.add(request.body, now());
        if (!user) throw new ApiError(409, 'There is a user of that name already');
        await request.audit('user.create', user.username, { role: user.role });
        return user;
      },
    );

    app.patch(
      '/api/admin/users/:id',
      {
        config: { access: 'users.manage' },
        schema: {
          summary: 'Change role or password of a user, whose sessions end, with a new password also the API tokens',
          tags: ['users'],
          params: Id,
          body: UserChange,
          response: { 200: UserRecord, 409: ErrorBody },
        },
      },
      async (request) => {
        const { role, password, keep_tokens: keepTokens = false } = request.body;
        if (role === undefined && password === undefined) throw new ApiError(400, 'role or password is required');
        const user = userOf(await accounts.change(request.params.id, { role, password, keepTokens }));
        const changed = { ...(role && { role }), ...(password !== undefined && { password: '***', tokens_kept: keepTokens }) };
        await request.audit('user.change', user.username, changed);
        return user;
      },
    );

    app.delete(
      '/api/admin/users/:id',
      {
        config: { access: 'users.manage' },
        schema: {
          summary: 'Delete a user, with sessions and API tokens',
          tags: ['users'],
          params: Id,
          response: { 204: Type.Null(), 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const user = userOf(await accounts.remove(request.params.id));
        await request.audit('user.delete', user.username);
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/api/admin/audit',
      {
        config: { access: 'audit.read' },
        schema: {
          summary: 'Who changed what, newest first',
          tags: ['users'],
          querystring: AuditQuery,
          response: { 200: Type.Array(AuditRecord) },
        },
      },
      async (request, reply) => {
        const { limit = 100, from, to, ...narrowed } = request.query;
        const rows = await audit.list({ ...narrowed, limit, from: instantOf(from), to: instantOf(to) });
        if (rows.length === limit) reply.header('link', `<${nextAddress(request.url, rows.at(-1)?.id)}>; rel="next"`);
        return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
      },
    );

    app.get(
      '/api/tokens',
      {
        config: { access: 'account.use' },
        schema: { summary: 'Your API tokens', tags: ['tokens'], security: PEOPLE_ONLY, response: { 200: Type.Array(TokenRecord) } },
      },
      (request) => tokens.list(request.session().caller),
    );

    app.post(
      '/api/tokens',
      {
        config: { access: 'account.use' },
        schema: {
          summary: 'Make an API token for `Authorization: Bearer`, shown this once',
          tags: ['tokens'],
          security: PEOPLE_ONLY,
          body: NewToken,
          response: { 200: MadeToken, 409: ErrorBody },
        },
      },
      async (request) => {
        const { caller } = request.session();
        const { name, role, expires_in_days: expiresInDays } = request.body;
        const made = await tokens.make(caller, { name, role, expiresInDays }, now());
        if (!made) throw new ApiError(403, `role must not be above yours (${caller.role})`);
        await request.audit('token.create', made.name, { id: made.id, role: made.role, expires_at: made.expires_at });
        return made;
      },
    );

    app.delete(
      '/api/tokens/:id',
      {
        config: { access: 'account.use' },
        schema: {
          summary: 'Revoke an API token of yours',
          tags: ['tokens'],
          security: PEOPLE_ONLY,
          params: Id,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { caller } = request.session();
        const { id } = request.params;
        if (!(await tokens.revoke(id, caller))) throw new ApiError(404, 'Token not found');
        await request.audit('token.revoke', String(id));
        return reply.code(204).send(null);
      },
    );
  };
}

/** Without a zone it is UTC. `Date` knows no leap second: it is taken as the end of the second before. Throws for what no row can have. */
function instantOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined;
  const written = text
    .toUpperCase()
    .replace(' ', 'T')
    .replace(/:60(\.\d+)?/, ':59.999');
  const instant = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(written) ? written : `${written}Z`);
  const year = instant.getUTCFullYear();
  if (!(year >= 1 && year <= 9999)) throw new ApiError(400, 'from and to must be instants of the years 1 to 9999');
  return instant;
}

function userOf(outcome: UserOutcome) {
  if (outcome.kind === 'missing') throw new ApiError(404, 'User not found');
  if (outcome.kind === 'last-admin') throw new ApiError(409, 'The last administrator stays: make another one first');
  return outcome.user;
}
