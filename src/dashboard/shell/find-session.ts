import type { AuthStatus, UserRecord } from '../../contract/auth.ts';
import { ask } from '../live/request.ts';

/** The user of the dashboard. `notice` says why they must log in again. */
export type Session =
  | { kind: 'loading' }
  | { kind: 'unreachable'; detail: string }
  | { kind: 'setup' }
  | { kind: 'anonymous'; notice?: string }
  | { kind: 'person'; user: UserRecord };

/** Asks the server for the session. */
export async function findSession(): Promise<Session> {
  try {
    const { setup_required, authenticated } = await ask<AuthStatus>('/api/auth/status');
    if (setup_required) return { kind: 'setup' };
    return authenticated ? { kind: 'person', user: await ask<UserRecord>('/api/auth/me') } : { kind: 'anonymous' };
  } catch (error) {
    return { kind: 'unreachable', detail: (error as Error).message };
  }
}
