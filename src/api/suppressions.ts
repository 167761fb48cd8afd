import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { MAX_NAME_LENGTH } from '../contract/fields.ts';
import { ErrorBody } from '../contract/errors.ts';
import { SuppressionBody, SuppressionPreview, SuppressionRecord } from '../contract/suppression.ts';
import type { SuppressionList } from '../suppressions/list.ts';
import { ApiError } from './errors.ts';

export interface SuppressionRoutesDeps {
  suppressions: SuppressionList;
}

const tags = ['suppressions'];

/** Routes for Suppressions with any kind of match. Even reading them takes the write role. */
export function suppressionRoutes({ suppressions }: SuppressionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/api/suppressions',
      {
        config: { access: 'suppressions.manage' },
        schema: { summary: 'Suppressions of all namespaces', tags, response: { 200: Type.Array(SuppressionRecord) } },
      },
      async () => suppressions.list(),
    );

    app.post(
      '/api/suppressions',
      {
        config: { access: 'suppressions.manage' },
        schema: {
          summary: 'Hide what matches; the same match again changes the rest',
          tags,
          body: SuppressionBody,
          response: { 200: SuppressionRecord, 409: ErrorBody },
        },
      },
      async (request) => {
        const record = await suppressions.add(request.body, request.caller?.username ?? 'api');
        await request.audit('suppression.add', record.name, { reason: record.reason, expires_at: record.expires_at, match: record.match });
        return record;
      },
    );

    app.post(
      '/api/suppressions/preview',
      {
        config: { access: 'suppressions.manage' },
        schema: {
          summary: 'What a Suppression would hide; nothing is made',
          tags,
          body: SuppressionBody,
          response: { 200: SuppressionPreview, 409: ErrorBody },
        },
      },
      (request) => suppressions.preview(request.body, request.caller?.username ?? 'api'),
    );

    app.delete(
      '/api/suppressions/:name',
      {
        config: { access: 'suppressions.manage' },
        schema: {
          summary: "Remove a Suppression of Podmend's own namespace",
          tags,
          params: Type.Object({ name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }) }),
          response: { 204: Type.Null(), 409: ErrorBody },
        },
      },
      async (request, reply) => {
        const { name } = request.params;
        if (!(await suppressions.remove(name))) throw new ApiError(404, 'Suppression not found');
        await request.audit('suppression.remove', name);
        return reply.code(204).send(null);
      },
    );
  };
}
