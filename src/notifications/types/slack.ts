import { buttonId, buttonValue, CHAT_ACTIONS, type ChatAction, type ChatSubject } from '../../contract/chat.ts';
import { below, detailOf, isResolved, JSON_TYPE, objectOf, read, retryAfterMs } from './answers.ts';
import type { Notification, Outcome, Place, Reason, Said, Service, ServiceAnswer, ServiceRequest, Target } from './service.ts';
import { clipped, escaped, fitted, HTML, shortened, unlinked, withoutLinks } from './text.ts';
import { headOf } from './words.ts';

/** Slack rejects messages of about 13,200 characters with `msg_blocks_too_long`. */
const MAX_BYTES = 12_500;
const API = 'https://slack.com/api';

/**
 * Slack, by incoming webhook (key `address`) or as a bot (key `token`, `spec.channel`). A bot updates its message in place and replies in
 * its thread; a webhook can do neither.
 */
export const slack: Service = {
  defaultAddress: API,
  pauseMs: 1_000,
  canUpdate: isBot,
  lacks(target) {
    if (isBot(target)) return target.channel === undefined ? 'spec.channel must name a channel for a bot token' : undefined;
    return target.address === API ? 'the Secret needs the key address (of a webhook) or token (of a bot)' : undefined;
  },
  requests(said) {
    if (isBot(said.target)) return asBot(said);
    // A second message would look like a second alarm, so only the end and further findings are sent.
    const isNews = said.place === null || isResolved(said.notification) || said.notification.event === 'finding';
    return isNews ? [send(said.target.address, {}, message(said.notification, said.target))] : [];
  },
  read: (answer, now) => (answer.status === 200 ? readApi(answer, now) : read(answer, now)),
};

function isBot({ secret }: Target): boolean {
  return (secret.token ?? '') !== '';
}

/** Posts the first message; later updates that message and posts important news as replies. */
function asBot({ notification, target, place }: Said): ServiceRequest[] {
  const { token = '' } = target.secret;
  const headers = { authorization: `Bearer ${token}` };
  if (!place?.ts)
    return [send(below(target.address, 'chat.postMessage'), headers, message(notification, target, { channel: target.channel }))];
  const channel = place.channel ?? target.channel;
  const changed = send(below(target.address, 'chat.update'), headers, message(notification, target, { channel, ts: place.ts }));
  if (!isReply(notification)) return [changed];
  const { news, title } = shortened(notification, 0);
  const text = clipped(unlinked(news || title), 2_900, HTML);
  const reply = JSON.stringify({ channel, thread_ts: place.ts, text, ...QUIET });
  return [changed, send(below(target.address, 'chat.postMessage'), headers, reply)];
}

const isReply = (notification: Notification): boolean =>
  isResolved(notification) ||
  notification.event === 'verdict' ||
  notification.event === 'verdict_revised' ||
  notification.event === 'alert' ||
  notification.event === 'finding';

const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false, mrkdwn: false };

function message(notification: Notification, { secret }: Target, where: { channel?: string | undefined; ts?: string } = {}): string {
  return fitted(notification, MAX_BYTES, (said) => ({
    ...where,
    ...QUIET,
    text: clipped(unlinked(headOf(said)), 300, HTML),
    // Without a signing secret, presses of buttons could not be verified.
    blocks: [...blocksOf(said), ...(secret.signingSecret && said.subject ? [slackButtons(said.subject)] : [])],
  }));
}

/** `plain_text` renders no Markdown and no mentions. */
const words = (text: string, max: number) => ({ type: 'plain_text', text: clipped(withoutLinks(text), max), emoji: false });

function blocksOf(said: Notification): object[] {
  const facts = said.facts.map(({ name, value }) => words(`${name}: ${value}`, 2_000));
  const sections = said.sections.map(({ title, text }) => ({ type: 'section', text: words(`${title}\n${text}`, 3_000) }));
  const link = said.link && { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: `<${linkOf(said.link)}|Open in Podmend>` } };
  return [
    { type: 'header', text: words(headOf(said), 150) },
    ...(said.text === '' ? [] : [{ type: 'section', text: words(said.text, 3_000) }]),
    ...(facts.length === 0 ? [] : [{ type: 'section', fields: facts }]),
    ...sections,
    ...(link ? [link] : []),
  ];
}

/** The buttons of an incident, as a block. */
export function slackButtons(subject: ChatSubject): object {
  const elements = Object.entries(CHAT_ACTIONS).map(([action, { title }]) => ({
    type: 'button',
    action_id: buttonId(action as ChatAction),
    text: words(title, 75),
    value: buttonValue(subject),
  }));
  return { type: 'actions', elements };
}

const linkOf = (link: string): string => escaped(link).replaceAll('|', '%7C');

function send(url: string, headers: Record<string, string>, body: string): ServiceRequest {
  return { method: 'POST', url, headers: { ...JSON_TYPE, ...headers }, body };
}

/** Reads an answer. The Web API answers 200 even to refusals; a webhook answers `ok`. */
function readApi(answer: ServiceAnswer, now: Date): Outcome {
  if (answer.body.trim() === 'ok') return { ok: true, state: 'delivered' };
  const { ok, error, ts, channel } = objectOf(answer.body);
  const place: Place = { ...(typeof ts === 'string' && { ts }), ...(typeof channel === 'string' && { channel }) };
  if (ok === true) return { ok: true, state: 'delivered', place };
  const code = typeof error === 'string' ? error : 'no answer that can be read';
  const wait = retryAfterMs(answer.headers['retry-after'], now);
  return {
    ok: false,
    reason: REFUSALS[code] ?? 'Refused',
    detail: detailOf(answer.status, code),
    ...(wait !== undefined && { retryAfterMs: wait }),
  };
}

const REFUSALS: Record<string, Reason> = {
  ratelimited: 'RateLimited',
  rate_limited: 'RateLimited',
  channel_not_found: 'NoSuchChannel',
  not_in_channel: 'NoSuchChannel',
  is_archived: 'NoSuchChannel',
  invalid_auth: 'CredentialsRefused',
  not_authed: 'CredentialsRefused',
  token_revoked: 'CredentialsRefused',
  token_expired: 'CredentialsRefused',
  account_inactive: 'CredentialsRefused',
  missing_scope: 'CredentialsRefused',
  msg_too_long: 'TooLarge',
  msg_blocks_too_long: 'TooLarge',
  internal_error: 'ServiceError',
  fatal_error: 'ServiceError',
  service_unavailable: 'ServiceError',
};
