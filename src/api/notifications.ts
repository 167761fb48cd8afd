import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ErrorBody } from '../contract/errors.ts';
import { MAX_NAME_LENGTH, RowId } from '../contract/fields.ts';
import { Delivery, NotificationPreview, NotificationSetting, TestResult } from '../contract/notification.ts';
import type { NotificationSettings } from '../notifications/settings.ts';
import { ApiError } from './errors.ts';

export interface NotificationRoutesDeps {
  notifications: NotificationSettings;
}

const Provider = Type.Object({ provider: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH }) });
const OneDelivery = Type.Object({ ...Provider.properties, id: RowId });
const NOT_FOUND = 'Notification provider not found';

/** Notification settings (specification, "Admin"). */
export function notificationRoutes({ notifications }: NotificationRoutesDeps): FastifyPluginAsyncTypebox {
  const admin = { config: { access: 'notifications.manage' } } as const;
  const tags = ['notifications'];

  return async (app) => {
    const url = '/api/admin/notifications';
    const one = { 200: NotificationSetting, 409: ErrorBody };
    const list = { summary: 'Providers; secrets are masked', tags, response: { 200: Type.Array(NotificationSetting) } };
    app.get(url, { ...admin, schema: list }, () => notifications.list());

    app.post(
      url,
      { ...admin, schema: { summary: 'Set up a provider', tags, body: NotificationSetting, response: one } },
      async (request) => {
        const setting = await notifications.put(request.body);
        await request.audit('notification.set', setting.provider, { type: setting.type, enabled: setting.enabled });
        return setting;
      },
    );

    const change = { summary: 'Change a provider', tags, params: Provider, body: NotificationSetting, response: one };
    app.put(`${url}/:provider`, { ...admin, schema: change }, async (request) => {
      const { provider } = request.params;
      if (request.body.provider !== provider) throw new ApiError(400, 'provider must be the one in the address');
      const setting = await notifications.put(request.body);
      await request.audit('notification.set', provider, { type: setting.type, enabled: setting.enabled });
      return setting;
    });

    const remove = { summary: 'Remove a provider', tags, params: Provider, response: { 204: Type.Null(), 409: ErrorBody } };
    app.delete(`${url}/:provider`, { ...admin, schema: remove }, async (request, reply) => {
      const { provider } = request.params;
      if (!(await notifications.remove(provider))) throw new ApiError(404, NOT_FOUND);
      await request.audit('notification.remove', provider);
      return reply.code(204).send(null);
    });

    const test = { summary: 'Send a real message to try it', tags, params: Provider, response: { 200: TestResult } };
    app.post(`${url}/:provider/test`, { ...admin, schema: test }, async (request) => {
      const result = await notifications.test(request.params.provider);
      await request.audit('notification.test', request.params.provider, { delivered: result.delivered });
      return result;
    });

    const preview = { summary: 'What a setting would send about an example incident; nothing is sent', tags, body: NotificationSetting };
    app.post(`${url}/preview`, { ...admin, schema: { ...preview, response: { 200: NotificationPreview } } }, (request) =>
      notifications.preview(request.body),
    );

    const history = { summary: 'The newest 100 messages and what became of them', tags, params: Provider };
    const deliveries = { ...history, response: { 200: Type.Array(Delivery) } };
    app.get(`${url}/:provider/deliveries`, { ...admin, schema: deliveries }, (request) =>
      notifications.deliveries(request.params.provider),
    );

    const resend = { summary: 'Send a message again that could not be sent', tags, params: OneDelivery, response: { 204: Type.Null() } };
    app.post(`${url}/:provider/deliveries/:id/resend`, { ...admin, schema: resend }, async (request, reply) => {
      const { provider, id } = request.params;
      if (!(await notifications.resend(provider, id))) throw new ApiError(404, 'No such message that could not be sent');
      await request.audit('notification.resend', `${provider}/${id}`);
      return reply.code(204).send(null);
    });
  };
}
