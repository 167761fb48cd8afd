import type { AuthStatus, UserRecord } from '../../contract/auth.ts';
import { ask, Refused } from '../live/request.ts';

/** The user of the dashboard. `notice` says why they must log in again. */
export type Session =
  | { kind: 'loading' }
  | { kind: 'unreachable'; detail: string }
  | { kind: 'setup' }
  | { kind: 'anonymous'; notice?: string }
  | { kind: 'person'; user: UserRecord };

/** Asks the server for the session. `isKnown`: the page came with a live session, so that usually one request is enough. */
export async function findSession(isKnown: boolean): Promise<Session> {
  try {
    const user = isKnown ? await me() : undefined;
    if (user) return { kind: 'person', user };
    const { setup_required, authenticated } = await ask<AuthStatus>('/api/auth/status');
    if (setup_required) return { kind: 'setup' };
    return authenticated ? { kind: 'person', user: await ask<UserRecord>('/api/auth/me') } : { kind: 'anonymous' };
  } catch (error) {
    return { kind: 'unreachable', detail: (error as Error).message };
  }
}

const me = (): Promise<UserRecord | undefined> =>
  ask<UserRecord>('/api/auth/me').catch((error: unknown) => {
    if (error instanceof Refused && error.status === 401) return undefined;
    throw error;
  });
