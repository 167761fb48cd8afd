import { createContext, use } from 'react';
import type { UserRecord } from '../../contract/auth.ts';

/** The user who is logged in. */
export const PersonContext = createContext<UserRecord | null>(null);

/** The logged-in user. Only valid inside the console. */
export function usePerson(): UserRecord {
  const user = use(PersonContext);
  if (!user) throw new Error('nobody is logged in');
  return user;
}

/** Whether this person may change anything. The server decides; this only hides buttons that it would refuse. */
export function useCanWrite(): boolean {
  return usePerson().role !== 'read';
}
