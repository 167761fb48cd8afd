import { below, detailOf, JSON_TYPE, objectOf, read } from './answers.ts';
import type { Notification, Outcome, Reason, Service, ServiceAnswer } from './service.ts';
import { clipped, escaped, fitted } from './text.ts';
import { headOf, linesOf } from './words.ts';

/** The API's limit is 4,096 characters after parsing the markup. */
const MAX_TEXT = 3_500;
const MAX_BYTES = 40_000;

/** Telegram as a bot (key `token`), to the chat `spec.channel`. Messages are edited in place. */
export const telegram: Service = {
  defaultAddress: 'https://api.telegram.org',
  pauseMs: 1_000,
  canUpdate: () => true,
  lacks({ secret, channel }) {
    if (!/^[\w-]+:[\w-]+$/.test(secret.token ?? '')) return 'the Secret needs the key token: the token of the bot';
    return channel === undefined ? 'spec.channel must be the id of the chat' : undefined;
  },
  requests: ({ notification, target, place }) => {
    const method = place?.message ? 'editMessageText' : 'sendMessage';
    const body = fitted(notification, MAX_BYTES, (said) => ({
      chat_id: place?.chat ?? target.channel,
      ...(place?.message && { message_id: Number(place.message) }),
      text: textOf(said),
      parse_mode: 'HTML',
      link_preview_options: { is_disabled: true },
    }));
    const url = below(target.address, `bot${target.secret.token ?? ''}/${method}`);
    return [{ method: 'POST', url, headers: { ...JSON_TYPE }, body }];
  },
  read: readTelegram,
};

/** The text inside `code` and `pre`, where Telegram detects no links, mentions, hashtags or commands. */
function textOf(said: Notification): string {
  const lines = clipped(linesOf(said), MAX_TEXT);
  const body = lines === '' ? '' : `\n<pre>${escaped(lines)}</pre>`;
  const link = said.link ? `\n<a href="${escaped(said.link)}">Open in Podmend</a>` : '';
  return `<code>${escaped(headOf(said))}</code>${body}${link}`;
}

function readTelegram(answer: ServiceAnswer, now: Date): Outcome {
  const { ok, result, description, parameters } = objectOf(answer.body);
  const said = typeof description === 'string' ? description : answer.body;
  // An edit that changes nothing counts as delivered.
  if (said.includes('message is not modified')) return { ok: true, state: 'delivered' };
  const outcome = read(answer, now);
  if (outcome.ok && ok === true) return { ...outcome, place: placeOf(result) };
  const wait = parameters as { retry_after?: unknown } | undefined;
  const seconds = typeof wait?.retry_after === 'number' ? wait.retry_after : undefined;
  return {
    ...(outcome.ok ? { ok: false, reason: 'ServiceError' as const } : outcome),
    ...(/chat not found|bot was (kicked|blocked)|PEER_ID_INVALID/i.test(said) && { reason: 'NoSuchChannel' as Reason }),
    ...(/message is too long/i.test(said) && { reason: 'TooLarge' as Reason }),
    detail: detailOf(answer.status, said),
    ...(seconds !== undefined && { retryAfterMs: seconds * 1000 }),
  };
}

function placeOf(result: unknown): Record<string, string> {
  const sent = result as { message_id?: unknown; chat?: { id?: unknown } } | undefined;
  const { message_id: message } = sent ?? {};
  const chat = sent?.chat?.id;
  return { ...(typeof message === 'number' && { message: String(message) }), ...(typeof chat === 'number' && { chat: String(chat) }) };
}
