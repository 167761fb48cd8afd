import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { NotificationSetting } from '../contract/notification.ts';
import { ApiError } from './errors.ts';

const NOT_YET = 'Notifications are not available in this version';
const CHAT_NOT_YET = 'Chat is not available in this version';
const Provider = Type.Object({ provider: Type.String() });
/** `team_chat_a` is Slack, `team_chat_b` is Teams: served under both names. */
const CHATS = [
  ['team_chat_a', ['events', 'interact']],
  ['slack', ['events', 'interact']],
  ['team_chat_b', ['interact']],
  ['teams', ['interact']],
] as const;

/**
 * Notification settings and the webhooks of chats (specification, "Admin" and "Public"). Nothing is sent yet: every request gets
 * 503.
 */
export function notificationRoutes(): FastifyPluginAsyncTypebox {
  const notYet = async (): Promise<never> => {
    throw new ApiError(503, NOT_YET);
  };
  const chatNotYet = async (): Promise<never> => {
    throw new ApiError(503, CHAT_NOT_YET);
  };
  const admin = { config: { access: 'notifications.manage' } } as const;
  const tags = ['notifications'];

  return async (app) => {
    const url = '/api/admin/notifications';
    const one = { 200: NotificationSetting };
    app.get(url, { ...admin, schema: { summary: 'Providers', tags, response: { 200: Type.Array(NotificationSetting) } } }, notYet);
    app.post(url, { ...admin, schema: { summary: 'Set up a provider', tags, body: NotificationSetting, response: one } }, notYet);
    const change = { summary: 'Change a provider', tags, params: Provider, body: NotificationSetting, response: one };
    app.put(`${url}/:provider`, { ...admin, schema: change }, notYet);
    const remove = { summary: 'Remove a provider', tags, params: Provider, response: { 204: Type.Null() } };
    app.delete(`${url}/:provider`, { ...admin, schema: remove }, notYet);
    const test = { summary: 'Send a message to try it', tags, params: Provider, response: { 200: Type.Object({}) } };
    app.post(`${url}/:provider/test`, { ...admin, schema: test }, notYet);

    for (const [chat, hooks] of CHATS) {
      for (const hook of hooks) {
        const schema = { summary: `What ${chat} sends (${hook})`, tags: ['chat'], response: { 200: Type.Object({}) } };
        app.post(`/api/chatops/${chat}/${hook}`, { config: { access: 'public' }, schema }, chatNotYet);
      }
    }
  };
}
