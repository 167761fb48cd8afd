import type { Role, UserRecord } from '../../contract/auth.ts';
import { CHAT_ACTIONS, type ChatAction } from '../../contract/chat.ts';
import { type Permission, PERMISSIONS, roleFor } from '../../contract/permissions.ts';
import type { ProviderChat } from '../../crd/notificationprovider.ts';

/** Somebody in a chat. */
export interface ChatPerson {
  id: string;
  /** The person's display name in the chat; the id if the chat sends no name. */
  name: string;
  /** Whether the person belongs to another organisation and writes in a shared channel. */
  isForeign: boolean;
}

/** What Podmend knows of the person. */
export interface Standing {
  /** The Podmend user that the person is mapped to; null when there is none. */
  user: Pick<UserRecord, 'id' | 'username' | 'role'> | null;
  /** Null: nothing is allowed. */
  role: Role | null;
}

/** The name of the Podmend user that a chat user is mapped to. */
export function mappedName(chat: ProviderChat | undefined, id: string): string | undefined {
  return chat?.users?.find((one) => one.id === id)?.user;
}

/**
 * The role of a person in a chat. A mapped person has the role of the Podmend user, or none if that user was deleted. Other people have
 * `defaultRole`, except people of other organisations, who have none.
 */
export function standingOf(chat: ProviderChat | undefined, person: ChatPerson, user: Standing['user'] | undefined): Standing {
  if (mappedName(chat, person.id) !== undefined) return { user: user ?? null, role: user?.role ?? null };
  return { user: null, role: person.isForeign ? null : (chat?.defaultRole ?? null) };
}

export const may = ({ role }: Standing, permission: Permission): boolean => role !== null && PERMISSIONS[role].has(permission);

/** What asking a question takes. */
export const ASKING: Permission = 'failures.read';

/** The permission that an action or a question needs. */
export const permissionOf = (action: ChatAction | 'question'): Permission =>
  action === 'question' ? ASKING : CHAT_ACTIONS[action].permission;

/** A kind refusal that says what is lacking and who may. `able` are the names of chat users who may. */
export function refusalText(action: ChatAction | 'question', { standing, person, able }: Refused): string {
  const role = roleFor(permissionOf(action));
  const what = action === 'question' ? 'Asking' : `“${CHAT_ACTIONS[action].title}”`;
  const has = standing.role === null ? 'you have no role here yet' : `you have the ${standing.role} role here`;
  const who =
    able.length > 0
      ? `${able.slice(0, 5).join(', ')}${able.length > 5 ? ` and ${able.length - 5} more` : ''} may do it from this chat.`
      : 'Nobody in this chat may do it yet.';
  return `Sorry, ${person.name}: ${what} takes the ${role} role, and ${has}. ${who} An administrator can map your id ${person.id} to a Podmend user.`;
}

interface Refused {
  standing: Standing;
  person: ChatPerson;
  able: readonly string[];
}
