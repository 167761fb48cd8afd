import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ModelConfigBody, ModelConfigRecord, ModelStatus, ModelTest } from '../contract/model.ts';
import { testConnection } from '../models/connection-test.ts';
import type { AppDeps } from './deps.ts';

/** Lets administrators see, set, test and remove the language model (specification, "Admin"). Keys in answers are masked. */
export function modelRoutes({ models, now }: Pick<AppDeps, 'models' | 'now'>): FastifyPluginAsyncTypebox {
  const admin = { config: { access: 'models.manage' } } as const;
  const tags = ['models'];
  const { setups } = models;

  return async (app) => {
    app.get(
      '/api/admin/llm/status',
      { ...admin, schema: { summary: 'Which model is configured, and how it goes', tags, response: { 200: ModelStatus } } },
      () => models.status(),
    );

    app.post(
      '/api/admin/llm/config',
      { ...admin, schema: { summary: 'Configure the model', tags, body: ModelConfigBody, response: { 200: ModelConfigRecord } } },
      async (request) => {
        const record = await setups.save(request.body, now());
        const { provider, model, base_url } = record;
        await request.audit('model.configure', provider ?? '', { model, base_url });
        return record;
      },
    );

    app.post(
      '/api/admin/llm/test',
      { ...admin, schema: { summary: 'Try a configuration without saving it', tags, body: ModelConfigBody, response: { 200: ModelTest } } },
      async (request) => {
        const { provider, model, base_url } = request.body;
        const client = await setups.unsavedClient(request.body);
        await request.audit('model.test', provider, { model, base_url: base_url ?? null });
        return testConnection(client, model);
      },
    );

    app.delete(
      '/api/admin/llm/config',
      { ...admin, schema: { summary: 'Remove the model', tags, response: { 204: Type.Null() } } },
      async (request, reply) => {
        await setups.remove();
        await request.audit('model.remove', 'model');
        return reply.code(204).send(null);
      },
    );
  };
}
