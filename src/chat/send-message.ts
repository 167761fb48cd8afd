import type { Http } from '../http.ts';
import { failureOf } from '../notifications/failure.ts';
import { below, JSON_TYPE } from '../notifications/types/answers.ts';
import type { Outcome } from '../notifications/types/service.ts';
import { slack } from '../notifications/types/slack.ts';
import { teams } from '../notifications/types/teams.ts';
import { type ChatMessage, slackFields, teamsBody } from './policy/message.ts';
import type { ChatPlace } from './policy/request.ts';
import type { ChatProvider } from './providers.ts';

/** The result of sending a message. `place` is where it can be changed later. */
export type Told = { ok: true; place: ChatPlace } | { ok: false; reason: string; retryAfterMs?: number };

export type Teller = ReturnType<typeof teller>;

/** Posts messages to chats. Methods never reject. `clientFor` returns the HTTP client for a target. */
export function teller({ clientFor, now }: { clientFor(target: ChatProvider['target']): Http; now(): Date }) {
  const ask = async ({ target, type }: ChatProvider, url: string, fields: object): Promise<Outcome> => {
    const { token = '' } = target.secret;
    const headers = { ...JSON_TYPE, ...(type === 'slack' && { authorization: `Bearer ${token}` }) };
    try {
      const answer = await clientFor(target)(url, { method: 'POST', headers, body: JSON.stringify(fields) });
      return (type === 'slack' ? slack : teams).read(answer, now());
    } catch (error) {
      return { ok: false, ...failureOf(error) };
    }
  };
  const toldOf = (outcome: Outcome, place: ChatPlace): Told => {
    if (!outcome.ok) return { ok: false, reason: outcome.reason, ...(outcome.retryAfterMs && { retryAfterMs: outcome.retryAfterMs }) };
    const ts = outcome.place?.['ts'];
    return { ok: true, place: place.chat === 'slack' && ts !== undefined ? { ...place, message: ts } : place };
  };
  const slackUrl = ({ target }: ChatProvider, method: string): string => below(target.address, method);

  return {
    /** Posts a new message where the request came from. */
    async say(chat: ChatProvider, place: ChatPlace, message: ChatMessage): Promise<Told> {
      if (place.chat === 'teams') return toldOf(await ask(chat, chat.target.address, teamsBody(message)), place);
      const fields = { channel: place.channel, thread_ts: place.thread, ...slackFields(message) };
      return toldOf(await ask(chat, slackUrl(chat, 'chat.postMessage'), fields), place);
    },

    /** Changes the message that is already there; posts a new one if there is none. */
    async update(chat: ChatProvider, place: ChatPlace, message: ChatMessage): Promise<Told> {
      if (place.chat === 'teams' || place.message === undefined) return this.say(chat, place, message);
      const fields = { channel: place.channel, ts: place.message, ...slackFields(message) };
      return toldOf(await ask(chat, slackUrl(chat, 'chat.update'), fields), place);
    },

    /** Posts a message that only one person sees, if the chat supports that. */
    async whisper(chat: ChatProvider, { place, user }: { place: ChatPlace; user: string }, message: ChatMessage): Promise<Told> {
      if (place.chat === 'teams') return this.say(chat, place, message);
      const fields = { channel: place.channel, user, thread_ts: place.thread, ...slackFields(message) };
      const outcome = await ask(chat, slackUrl(chat, 'chat.postEphemeral'), fields);
      return outcome.ok ? { ok: true, place } : toldOf(outcome, place);
    },
  };
}
