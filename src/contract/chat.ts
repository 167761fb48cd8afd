import type { Permission } from './permissions.ts';

/** The actions on an incident that a chat offers. Each needs the same permission as in the API. */
export const CHAT_ACTIONS = {
  acknowledge: { title: 'Acknowledge', permission: 'failures.change' },
  resolve: { title: 'Resolve', permission: 'failures.change' },
  ignore_1d: { title: 'Ignore 1 d', permission: 'suppressions.manage' },
  ignore_7d: { title: 'Ignore 7 d', permission: 'suppressions.manage' },
  try: { title: 'Try the correction', permission: 'mirrors.run' },
  logs: { title: 'Show logs', permission: 'logs.read' },
  patch: { title: 'Get the patch', permission: 'failures.read' },
} as const satisfies Record<string, { title: string; permission: Permission }>;
export type ChatAction = keyof typeof CHAT_ACTIONS;

/**
 * The value of a button: the incident, and the record of its message. It contains no right; rights are checked when the button is pressed.
 */
export interface ChatSubject {
  incident: number;
  record: number;
}

const PREFIX = 'podmend.';

/** The id of the button of an action. */
export const buttonId = (action: ChatAction): string => `${PREFIX}${action}`;
/** What the buttons of an incident carry. */
export const buttonValue = ({ incident, record }: ChatSubject): string => `${incident}/${record}`;

/** The action of a button; undefined for other buttons. */
export function actionOf(id: string): ChatAction | undefined {
  const action = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : '';
  return Object.hasOwn(CHAT_ACTIONS, action) ? (action as ChatAction) : undefined;
}

/** The value of a button; undefined if it is not one of ours. */
export function subjectOf(value: string): ChatSubject | undefined {
  const [, incident, record] = /^([1-9]\d{0,14})\/([1-9]\d{0,14})$/.exec(value) ?? [];
  return incident && record ? { incident: Number(incident), record: Number(record) } : undefined;
}
