import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { RowId } from '../contract/fields.ts';
import type { UserOutcome } from '../accounts/users.ts';
import { MadeToken, NewToken, NewUser, TokenRecord, UserChange, UserRecord } from '../contract/auth.ts';
import { PEOPLE_ONLY } from './docs.ts';
import { ErrorBody } from '../contract/errors.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

const Id = Type.Object({ id: RowId });
/** Users for administrators, API tokens for everybody. */
export function accountRoutes({ accounts, tokens, now }: Pick<AppDeps, 'accounts' | 'tokens' | 'now'>): FastifyPluginAsyncTypebox {
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

function userOf(outcome: UserOutcome) {
  if (outcome.kind === 'missing') throw new ApiError(404, 'User not found');
  if (outcome.kind === 'last-admin') throw new ApiError(409, 'The last administrator stays: make another one first');
  return outcome.user;
}
