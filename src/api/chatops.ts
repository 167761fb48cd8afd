import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { teamsBody } from '../chat/policy/message.ts';
import type { ChatAnswer, ChatWebhooks, Webhook } from '../chat/webhooks.ts';
import { ErrorBody } from '../contract/errors.ts';
import { ApiError } from './errors.ts';

export interface ChatRoutesDeps {
  chat: ChatWebhooks;
}

/** When somebody presses a button, the request contains the whole message. Slack's messages are far smaller than this. */
const BODY_BYTES = 256 * 1024;

/** The webhooks of chats (specification, "Public"): `team_chat_a` is Slack, `team_chat_b` is Teams, under both names. */
export function chatRoutes({ chat }: ChatRoutesDeps): FastifyPluginAsyncTypebox {
  const slackHeaders = ({ headers }: FastifyRequest) => ({
    timestamp: headers['x-slack-request-timestamp'],
    signature: headers['x-slack-signature'],
  });
  const webhookOf = (request: FastifyRequest): Webhook => ({
    body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    address: request.ip,
  });
  /** Refuses requests without a signature before their body is read. */
  const admit = (type: 'slack' | 'teams') => async (request: FastifyRequest) => {
    const { authorization } = request.headers;
    if (!(await chat.admits(type, { ...slackHeaders(request), authorization }))) throw new ApiError(401, NOT_SIGNED);
  };
  const slack = (take: ChatWebhooks['slackEvents']) => async (request: FastifyRequest, reply: FastifyReply) =>
    answer(reply, await take(slackHeaders(request), webhookOf(request)));

  return async (app) => {
    // The signature covers the raw bytes, so the body is parsed only after the signature was checked.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

    const route = (summary: string, type: 'slack' | 'teams') => ({
      config: { access: 'public' } as const,
      bodyLimit: BODY_BYTES,
      onRequest: admit(type),
      schema: {
        summary,
        tags: ['chat'],
        response: { 200: Type.Object({}, { additionalProperties: true }), 401: ErrorBody, 413: ErrorBody },
      },
    });
    for (const name of ['team_chat_a', 'slack']) {
      app.post(
        `/api/chatops/${name}/events`,
        route(`What ${name} tells: mentions, and the check of the address`, 'slack'),
        slack(chat.slackEvents),
      );
      app.post(`/api/chatops/${name}/interact`, route(`A button was pressed in ${name}`, 'slack'), slack(chat.slackPress));
    }
    for (const name of ['team_chat_b', 'teams']) {
      app.post(
        `/api/chatops/${name}/interact`,
        route(`Somebody mentioned the outgoing webhook in ${name}`, 'teams'),
        async (request, reply) => answer(reply, await chat.teams(request.headers.authorization, webhookOf(request))),
      );
    }
  };
}

const NOT_SIGNED = 'The request is not signed';

function answer(reply: FastifyReply, said: ChatAnswer): FastifyReply {
  if ('refused' in said) throw new ApiError(401, said.refused);
  if ('challenge' in said) return reply.send({ challenge: said.challenge });
  return reply.send('message' in said ? teamsBody(said.message) : {});
}
