import type { ChatRequestRepository, ChatRequestRow } from '../db/chat-requests.ts';
import type { ChatMessage } from './policy/message.ts';
import { type Asked, challengeIn, readObject, readSlackEvent, readSlackPress, readTeams } from './policy/request.ts';
import { isFresh, isTeamsHeader, type Signed, type SlackHeaders, slackSigner, teamsSigner, WINDOW_MS } from './policy/signature.ts';
import type { ChatProviders, ChatType } from './providers.ts';

/** A request of a chat as raw bytes, before it is parsed. */
export interface Webhook {
  body: Buffer;
  /** Where it came from. */
  address: string;
}

/** The answer to the chat. `refused` tells whoever set up the chat why the request was not accepted. */
export type ChatAnswer = { refused: string } | { challenge: string } | { taken: true } | { message: ChatMessage };

export const NOT_SET_UP = 'This chat is not set up: no provider of its type has the key signingSecret';
export const NOT_SIGNED = 'The request is not signed by a chat that is known here, or not within 5 minutes';
export const REPLAYED = 'The request was sent before';

export interface WebhooksDeps {
  providers: Pick<ChatProviders, 'signers'>;
  rows: Pick<ChatRequestRepository, 'accept'>;
  worker: ChatWorker;
  now(): Date;
}

/** What works on requests that were taken. */
export interface ChatWorker {
  /** Begins at once, and does not wait. */
  begin(row: ChatRequestRow): void;
  /** Processes the request and returns the answer if it is ready within `ms`. Otherwise the answer is posted to the chat later. */
  answerWithin(row: ChatRequestRow, ms: number): Promise<ChatMessage | undefined>;
  /** Somebody else has begun the same. */
  tellBusy(row: ChatRequestRow, by: unknown): Promise<ChatMessage>;
}

/** Teams waits for 5 s, Slack for 3 s. */
const ANSWER_MS = 2_500;

export type ChatWebhooks = ReturnType<typeof chatWebhooks>;

/**
 * Handles the webhooks of chats. Each request is first verified against the providers' secrets, then checked for duplicates, and only then
 * parsed. It is stored before the chat gets its response.
 */
export function chatWebhooks({ providers, rows, worker, now }: WebhooksDeps) {
  /** The only kind of request that is answered without a signature. */
  const unsigned = ({ body }: Webhook): ChatAnswer => {
    const challenge = body.length <= 4_096 ? challengeIn(readObject(body.toString('utf8')) ?? {}) : undefined;
    return challenge === undefined ? { refused: NOT_SET_UP } : { challenge };
  };
  const take = async (asked: Asked, signed: Signed, address: string) => {
    const { delivery, wish, person, place } = asked;
    const isAction = wish.kind === 'action';
    const incident = isAction && wish.target.kind === 'incident' ? wish.target.incident : null;
    return rows.accept(
      {
        request_key: signed.key,
        delivery_key: `${signed.provider} ${delivery}`,
        provider: signed.provider,
        command: wish,
        incident_id: incident,
        action: isAction ? wish.action : null,
        ...{ person, place, address },
      },
      now(),
    );
  };
  const slack =
    (read: (body: string) => Asked | { challenge: string } | undefined) =>
    async (headers: SlackHeaders, webhook: Webhook): Promise<ChatAnswer> => {
      const signers = await providers.signers('slack');
      if (signers.length === 0) return unsigned(webhook);
      const signed = slackSigner(headers, webhook.body, { signers, now: now() });
      if (!signed) return { refused: NOT_SIGNED };
      const asked = read(webhook.body.toString('utf8'));
      if (!asked) return { taken: true };
      if ('challenge' in asked) return asked;
      const accepted = await take(asked, signed, webhook.address);
      if (accepted.kind === 'replayed') return { refused: REPLAYED };
      if (accepted.kind === 'accepted') worker.begin(accepted.row);
      else if (accepted.kind === 'busy') void worker.tellBusy(accepted.row, accepted.by);
      return { taken: true };
    };

  return {
    /** Whether the body is worth reading. A sender without a valid signature learns nothing else. */
    async admits(type: ChatType, headers: SlackHeaders & { authorization: unknown }): Promise<boolean> {
      if (type === 'slack' ? isFresh(headers, now()) : isTeamsHeader(headers.authorization)) return true;
      return type === 'slack' && (await providers.signers('slack')).length === 0;
    },

    slackEvents: slack((text) => {
      const body = readObject(text) ?? {};
      const challenge = challengeIn(body);
      return challenge === undefined ? readSlackEvent(body) : { challenge };
    }),

    slackPress: slack(readSlackPress),

    async teams(authorization: unknown, { body, address }: Webhook): Promise<ChatAnswer> {
      const signers = await providers.signers('teams');
      if (signers.length === 0) return { refused: NOT_SET_UP };
      const signed = teamsSigner(authorization, body, signers);
      if (!signed) return { refused: NOT_SIGNED };
      const asked = readTeams(readObject(body.toString('utf8')) ?? {});
      if (!asked) return { taken: true };
      if (Math.abs(now().getTime() - asked.at.getTime()) > WINDOW_MS) return { refused: NOT_SIGNED };
      const accepted = await take(asked, signed, address);
      if (accepted.kind === 'replayed') return { refused: REPLAYED };
      if (accepted.kind === 'repeated') return { taken: true };
      if (accepted.kind === 'busy') return { message: await worker.tellBusy(accepted.row, accepted.by) };
      const message = await worker.answerWithin(accepted.row, ANSWER_MS);
      return { message: message ?? { title: 'Podmend works on it: the answer comes into this channel.', lines: [] } };
    },
  };
}
