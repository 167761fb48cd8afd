import type { NotificationSetting } from '../../contract/notification.ts';
import type { Quiet } from './quiet.ts';
import { readSelector, type Selector, selectorText } from './selector.ts';
import { kindOf } from './types.ts';

/** The API's mask for a secret. Sent back, it keeps the stored secret. */
const MASK = '***';

/** The content of the form except secrets. Lists are one line with commas or blanks. */
export interface Draft {
  provider: string;
  type: string;
  enabled: boolean;
  /** Members that are no secrets, by name. */
  members: Record<string, string>;
  format: string;
  /** Empty for all. */
  events: string[];
  sendResolved: boolean;
  namespaces: string;
  excludeNamespaces: string;
  reasons: string;
  labels: string;
  by: string[];
  waitSeconds: string;
  intervalSeconds: string;
  repeatSeconds: string;
  minOccurrences: string;
  windowSeconds: string;
  quietHours: Quiet[];
  defaultRole: string;
  /** One per line: the chat user's id and the Podmend user's name. */
  users: string;
}

/** Typed secrets by member. Null removes a stored one; a missing one stays. */
export type Secrets = Readonly<Record<string, string | null>>;

export const EVENTS = ['incident_opened', 'incident_updated', 'correction', 'verdict', 'verdict_revised', 'alert', 'resolved'] as const;
export const GROUPS = ['incident', 'workload', 'namespace', 'reason', 'node'] as const;
export const CHAT_ROLES = [
  { value: '', label: 'none: they may do nothing' },
  { value: 'read', label: 'read' },
  { value: 'write', label: 'write' },
];
const LISTS = ['namespaces', 'excludeNamespaces', 'reasons'] as const;
const NUMBERS = ['waitSeconds', 'intervalSeconds', 'repeatSeconds', 'minOccurrences', 'windowSeconds'] as const;

/** The first of `slack`, `slack-2`, `slack-3` and so on that is not in `names`. */
export function freeName(type: string, names: readonly string[]): string {
  const further = names.map((_, index) => `${type}-${index + 2}`);
  return [type, ...further].find((name) => !names.includes(name)) ?? type;
}

/** A new provider of a type. */
export function emptyDraft(type: string): Draft {
  return {
    ...{ provider: type, type, enabled: true, members: {}, format: '', events: [], sendResolved: true },
    ...{ namespaces: '', excludeNamespaces: '', reasons: '', labels: '', by: [] },
    ...{ waitSeconds: '', intervalSeconds: '', repeatSeconds: '', minOccurrences: '', windowSeconds: '' },
    ...{ quietHours: [], defaultRole: '', users: '' },
  };
}

type Config = Record<string, unknown>;
const partOf = (config: Config, name: string): Config => (config[name] ?? {}) as Config;

/** A setting as the form shows it. */
export function draftOf({ provider, type = provider, enabled, config }: NotificationSetting): Draft {
  const [filter, grouping, chat] = [partOf(config, 'filter'), partOf(config, 'grouping'), partOf(config, 'chat')];
  const shown = kindOf(type).members.filter(({ isSecret }) => !isSecret);
  const users = (chat['users'] ?? []) as { id: string; user: string }[];
  return {
    ...{ ...emptyDraft(type), provider, enabled },
    members: Object.fromEntries(shown.flatMap(({ name }) => (typeof config[name] === 'string' ? [[name, config[name]]] : []))),
    format: (config['format'] as string | undefined) ?? '',
    events: (filter['events'] as string[] | undefined) ?? [],
    sendResolved: filter['sendResolved'] !== false,
    ...(Object.fromEntries(LISTS.map((name) => [name, ((filter[name] ?? []) as string[]).join(', ')])) as Pick<
      Draft,
      (typeof LISTS)[number]
    >),
    labels: selectorText((filter['labelSelector'] ?? {}) as Selector),
    by: (grouping['by'] as string[] | undefined) ?? [],
    ...(Object.fromEntries(NUMBERS.map((name) => [name, textOf(grouping[name])])) as Pick<Draft, (typeof NUMBERS)[number]>),
    quietHours: (config['quietHours'] as Quiet[] | undefined) ?? [],
    defaultRole: textOf(chat['defaultRole']),
    users: users.map(({ id, user }) => `${id} ${user}`).join('\n'),
  };
}

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

/** The setting for the API, or what is wrong in the form. Settings of `before` that the form does not show are kept. */
export function settingOf(
  draft: Draft,
  secrets: Secrets,
  before: NotificationSetting | undefined,
): NotificationSetting | { wrong: string } {
  const labels = readSelector(draft.labels);
  if ('wrong' in labels) return { wrong: `Labels: “${labels.wrong}” cannot be read. Write them as app=web, tier in (a, b), !canary.` };
  const users = usersOf(draft.users);
  if ('wrong' in users) return { wrong: `People of the chat: “${users.wrong}” is not an id and the name of a Podmend user.` };
  const numbers = NUMBERS.find((name) => !/^\d{0,7}$/.test(draft[name].trim()));
  if (numbers) return { wrong: `${numbers} must be a whole number.` };
  const held = partOf((before?.config ?? {}) as Config, 'filter');
  const filter = {
    ...(draft.events.length > 0 && { events: draft.events }),
    ...Object.fromEntries(LISTS.flatMap((name) => listOf(name, draft[name]))),
    ...(labels.selector && { labelSelector: labels.selector }),
    ...(held['minSeverity'] !== undefined && { minSeverity: held['minSeverity'] }),
    ...(!draft.sendResolved && { sendResolved: false }),
  };
  const grouping = {
    ...(draft.by.length > 0 && { by: draft.by }),
    ...Object.fromEntries(NUMBERS.flatMap((name) => (draft[name].trim() === '' ? [] : [[name, Number(draft[name])]]))),
  };
  const chat = {
    ...(draft.defaultRole !== '' && { defaultRole: draft.defaultRole }),
    ...(users.users.length > 0 && { users: users.users }),
  };
  const config = {
    ...membersOf(draft, secrets, before),
    ...(draft.type === 'webhook' && draft.format !== '' && { format: draft.format }),
    ...whole('filter', filter),
    ...whole('grouping', grouping),
    ...(draft.quietHours.length > 0 && { quietHours: draft.quietHours.map(quietOf) }),
    ...whole('chat', chat),
  };
  return { provider: draft.provider.trim(), type: draft.type, enabled: draft.enabled, config };
}

/** A field's value, if it is not empty. */
const whole = (name: string, value: object): Config => (Object.keys(value).length === 0 ? {} : { [name]: value });

function listOf(name: string, text: string): [string, string[]][] {
  const entries = [...new Set(text.split(/[\s,]+/).filter(Boolean))];
  return entries.length === 0 ? [] : [[name, entries]];
}

/** Every day is no list of days. */
function quietOf({ days, ...quiet }: Quiet): Quiet {
  return days && days.length > 0 && days.length < 7 ? { ...quiet, days } : quiet;
}

/** The members' texts. A secret is what was typed, or else stays as it is. */
function membersOf({ type, members }: Draft, secrets: Secrets, before: NotificationSetting | undefined): Config {
  const held = (before?.config ?? {}) as Config;
  return Object.fromEntries(
    kindOf(type).members.flatMap(({ name, isSecret }): [string, string | null][] => {
      if (isSecret) {
        const typed = secrets[name];
        if (typed === null || (typed !== undefined && typed !== '')) return [[name, typed]];
        return held[name] === undefined ? [] : [[name, MASK]];
      }
      const text = (members[name] ?? '').trim();
      if (text !== '') return [[name, text]];
      // The channel is a field of the spec and becomes absent. Others are keys of the Secret and are removed.
      return held[name] === undefined || name === 'channel' ? [] : [[name, null]];
    }),
  );
}

function usersOf(text: string): { users: { id: string; user: string }[] } | { wrong: string } {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const wrong = lines.find((line) => line.split(/\s+/).length !== 2);
  if (wrong !== undefined) return { wrong };
  return { users: lines.map((line) => line.split(/\s+/)).map(([id = '', user = '']) => ({ id, user })) };
}

/** Whether a secret is there. */
export const isSet = (setting: NotificationSetting | undefined, name: string): boolean => setting?.config[name] !== undefined;

/** The filter of a provider, in a few words. */
export function filterText({ events, namespaces, excludeNamespaces, reasons, labels, sendResolved }: Draft): string {
  const parts = [
    ...(events.length > 0 ? [`${events.length} of ${EVENTS.length} events`] : []),
    ...(namespaces.trim() ? [`in ${namespaces.trim()}`] : []),
    ...(excludeNamespaces.trim() ? [`not in ${excludeNamespaces.trim()}`] : []),
    ...(reasons.trim() ? [reasons.trim()] : []),
    ...(labels.trim() ? [labels.trim()] : []),
    ...(sendResolved ? [] : ['without the end']),
  ];
  return parts.length === 0 ? 'everything' : parts.join('; ');
}

/** How messages are grouped and repeated, in a few words. */
export function groupingText({ by, waitSeconds, repeatSeconds, minOccurrences }: Draft): string {
  const parts = [
    by.length === 0 ? 'one message for each incident' : `one message for each ${by.join(' and ')}`,
    ...(Number(waitSeconds) > 0 ? [`after ${waitSeconds} s`] : []),
    ...(Number(repeatSeconds) > 0 ? [`again every ${repeatSeconds} s`] : []),
    ...(Number(minOccurrences) > 1 ? [`from ${minOccurrences} failures on`] : []),
  ];
  return parts.join(', ');
}

/** The same with masks instead of typed secrets. */
export function withoutSecrets(setting: NotificationSetting): NotificationSetting {
  const secret = new Set(kindOf(setting.type ?? setting.provider).members.flatMap(({ name, isSecret }) => (isSecret ? [name] : [])));
  const config = Object.entries(setting.config).map(([name, value]) => [name, secret.has(name) && value !== null ? MASK : value] as const);
  return { ...setting, config: Object.fromEntries(config) };
}
