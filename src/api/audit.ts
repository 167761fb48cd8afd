import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { AuditRecord } from '../contract/auth.ts';
import { ACTION, Instant, ListBefore, ListLimit, ListText, MAX_USER_NAME_LENGTH } from '../contract/fields.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { nextAddress } from './lists.ts';
import { inTurn } from './searches.ts';

const AuditQuery = Type.Object({
  username: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_USER_NAME_LENGTH, description: 'who did it, in any case' })),
  action: Type.Optional(Type.String({ pattern: ACTION, maxLength: 64, description: 'failure.ignore, or all of failure' })),
  q: ListText('target, name, address or action'),
  from: Type.Optional(Instant),
  to: Type.Optional(Instant),
  limit: ListLimit('absent: 100'),
  before: ListBefore('rows'),
});

/** The audit log, for administrators. */
export function auditRoutes({ audit }: Pick<AppDeps, 'audit'>): FastifyPluginAsyncTypebox {
  return async (app) => {
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
        const rows = await inTurn(request, () => audit.list({ ...narrowed, limit, from: instantOf(from), to: instantOf(to) }));
        if (rows.length === limit) reply.header('link', `<${nextAddress(request.url, rows.at(-1)?.id)}>; rel="next"`);
        return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }));
      },
    );
  };
}

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
