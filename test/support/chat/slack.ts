import { createHmac, randomUUID } from 'node:crypto';
import { buttonId, type ChatAction } from '../../../src/contract/chat.ts';

// Requests as Slack sends them. They follow Slack's published description and do not use our own code for signatures.

export const SECRET = '8f742231b10e8888abcd99yyyzzz85a5';

export interface SlackRequest {
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** Signs a body like Slack: v0, HMAC-SHA256 in hex of `v0:<seconds>:<body>`. */
export function signedBySlack(
  path: string,
  body: string,
  { secret = SECRET, at = Date.now() }: { secret?: string; at?: number } = {},
): SlackRequest {
  const seconds = String(Math.floor(at / 1000));
  const digest = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  const type = path.endsWith('/events') ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    path,
    headers: { 'content-type': type, 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${digest}` },
    body,
  };
}

export interface Press {
  action: ChatAction;
  /** `incident/record`. */
  value: string;
  user?: { id: string; name?: string; team_id?: string };
  ts?: string;
  channel?: string;
  trigger?: string;
}

/** The form that Slack sends for a pressed button. */
export function pressBody({
  action,
  value,
  user = { id: 'U1', name: 'anna' },
  ts = '1.1',
  channel = 'C1',
  trigger = randomUUID(),
}: Press): string {
  const payload = {
    type: 'block_actions',
    trigger_id: trigger,
    team: { id: 'T1' },
    user: { team_id: 'T1', ...user },
    channel: { id: channel },
    container: { type: 'message', message_ts: ts, channel_id: channel },
    message: { ts, text: 'a message' },
    actions: [{ type: 'button', action_id: buttonId(action), value, action_ts: String(Date.now() / 1000) }],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
}

export interface Mention {
  text: string;
  user?: string;
  ts?: string;
  thread?: string;
  channel?: string;
  event?: string;
  more?: object;
}

/** The event that Slack sends for a mention of the bot. */
export function mentionBody({
  text,
  user = 'U1',
  ts = `${Date.now()}.1`,
  thread,
  channel = 'C1',
  event = randomUUID(),
  more = {},
}: Mention): string {
  return JSON.stringify({
    type: 'event_callback',
    team_id: 'T1',
    event_id: event,
    event: { type: 'app_mention', user, text: `<@U0BOT> ${text}`, ts, channel, ...(thread && { thread_ts: thread }), ...more },
  });
}
