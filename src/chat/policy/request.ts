import { type ChatAction, type ChatSubject, actionOf, subjectOf } from '../../contract/chat.ts';
import { readCommand, type Target } from './command.ts';
import type { ChatPerson } from './role.ts';
import { isMapping } from '../../crd/mapping.ts';

/** What is asked, as it is stored. */
export type Wish =
  | { kind: 'action'; action: ChatAction; target: Target | ({ kind: 'incident' } & ChatSubject) }
  | { kind: 'why' | 'changed'; target: Target }
  | { kind: 'failing'; namespace: string | null }
  | { kind: 'help' };

/** Where the answer goes. `message` is our own message there, once it was sent. */
export type ChatPlace = { chat: 'slack'; channel: string; thread: string; message?: string } | { chat: 'teams' };

/** A request that was read from a chat. `delivery` stays the same when the chat sends an event or press again. */
export interface Asked {
  delivery: string;
  wish: Wish;
  person: ChatPerson;
  place: ChatPlace;
}

const MAX_ID = 200;

type Fields = Record<string, unknown>;

function fieldsOf(value: unknown): Fields {
  return isMapping(value) ? (value as Fields) : {};
}

function textOf(value: unknown, max = MAX_ID): string {
  return typeof value === 'string' && value.length <= max ? value : '';
}

/** Parses a JSON object; undefined when the text is not one. */
export function readObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isMapping(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** The challenge with which Slack verifies an address; undefined in all other requests. */
export function challengeIn(body: Fields): string | undefined {
  return body['type'] === 'url_verification' ? textOf(body['challenge'], 1_000) || undefined : undefined;
}

/** Reads a mention of the bot or a direct message to it. Undefined for all other Slack events, which are ignored. */
export function readSlackEvent(body: Fields): Asked | undefined {
  const event = fieldsOf(body['event']);
  const isDirect = event['type'] === 'message' && event['channel_type'] === 'im' && event['subtype'] === undefined;
  if (body['type'] !== 'event_callback' || !(event['type'] === 'app_mention' || isDirect)) return undefined;
  const [delivery, user, channel, ts] = [body['event_id'], event['user'], event['channel'], event['ts']].map((one) => textOf(one));
  // Messages of bots are ignored: two bots could answer each other without end.
  if (!delivery || !user || !channel || !ts || event['bot_id'] !== undefined) return undefined;
  const team = textOf(event['user_team']) || textOf(event['source_team']) || textOf(event['team']);
  const isForeign = team !== '' && team !== textOf(body['team_id']);
  return {
    delivery,
    wish: readCommand(textOf(event['text'], 40_000)),
    person: { id: user, name: user, isForeign },
    place: { chat: 'slack', channel, thread: textOf(event['thread_ts']) || ts },
  };
}

/** Reads a press of one of our buttons from Slack's form. Undefined for all other forms. */
export function readSlackPress(form: string): Asked | undefined {
  const body = readObject(new URLSearchParams(form).get('payload') ?? '');
  if (body?.['type'] !== 'block_actions' || !Array.isArray(body['actions'])) return undefined;
  const pressed = fieldsOf(body['actions'][0]);
  const action = actionOf(textOf(pressed['action_id']));
  const subject = subjectOf(textOf(pressed['value']));
  const [user, container, message] = [fieldsOf(body['user']), fieldsOf(body['container']), fieldsOf(body['message'])];
  const channel = textOf(fieldsOf(body['channel'])['id']) || textOf(container['channel_id']);
  const ts = textOf(container['message_ts']) || textOf(message['ts']);
  const delivery = textOf(body['trigger_id']) || `${textOf(user['id'])} ${textOf(pressed['action_ts'])}`;
  const id = textOf(user['id']);
  if (!action || !subject || !id || !channel || !ts) return undefined;
  const team = textOf(user['team_id']);
  return {
    delivery,
    wish: { kind: 'action', action, target: { kind: 'incident', ...subject } },
    person: {
      id,
      name: textOf(user['name']) || textOf(user['username']) || id,
      isForeign: team !== '' && team !== textOf(fieldsOf(body['team'])['id']),
    },
    place: { chat: 'slack', channel, thread: textOf(message['thread_ts']) || ts },
  };
}

/** Reads a message that a person wrote to a Teams outgoing webhook, with its time. Undefined for messages that no person wrote. */
export function readTeams(body: Fields): (Asked & { at: Date }) | undefined {
  const from = fieldsOf(body['from']);
  const [delivery, id] = [textOf(body['id']), textOf(from['aadObjectId']) || textOf(from['id'])];
  const at = new Date(textOf(body['timestamp']) || Number.NaN);
  if (body['type'] !== 'message' || !delivery || !id || Number.isNaN(at.getTime())) return undefined;
  return {
    delivery,
    wish: readCommand(textOf(body['text'], 40_000)),
    person: { id, name: textOf(from['name']) || id, isForeign: false },
    place: { chat: 'teams' },
    at,
  };
}
