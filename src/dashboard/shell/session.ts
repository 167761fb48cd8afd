import { useCallback, useEffect, useState } from 'react';
import type { AuthStatus, UserRecord } from '../../contract/auth.ts';
import { ask, Refused } from '../live/request.ts';

/** The user of the dashboard. `notice` says why they must log in again. */
export type Session =
  | { kind: 'loading' }
  | { kind: 'unreachable'; detail: string }
  | { kind: 'setup' }
  | { kind: 'anonymous'; notice?: string }
  | { kind: 'person'; user: UserRecord };

export interface SessionActions {
  load(): void;
  enter(user: UserRecord): void;
  /** Call this when the server no longer knows the session. */
  ended(): void;
  logOut(): Promise<void>;
}

/** So often a server that does not answer is asked again. */
const AGAIN_MS = 2_000;

/** The session of this page, requested once and then updated by the server's answers. */
export function useSession(): [Session, SessionActions] {
  const [session, set] = useState<Session>({ kind: 'loading' });
  useEffect(() => void findSession().then(set), []);
  const isAway = session.kind === 'unreachable';
  useEffect(() => {
    if (!isAway) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const again = async (): Promise<void> => {
      const found = await findSession();
      if (found.kind === 'unreachable') timer = setTimeout(() => void again(), AGAIN_MS);
      else set((now) => (now.kind === 'unreachable' ? found : now));
    };
    timer = setTimeout(() => void again(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [isAway]);
  const load = useCallback(() => {
    set({ kind: 'loading' });
    void findSession().then(set);
  }, []);
  const enter = useCallback((user: UserRecord) => set({ kind: 'person', user }), []);
  const ended = useCallback(
    () => set((now) => (now.kind === 'person' ? { kind: 'anonymous', notice: 'Your session has ended. Log in to go on.' } : now)),
    [],
  );
  const logOut = useCallback(async () => {
    await ask('/api/auth/logout', { method: 'POST' }).catch((error: unknown) => {
      // The session has already ended, which is fine.
      if (!(error instanceof Refused && error.status === 401)) throw error;
    });
    set({ kind: 'anonymous' });
  }, []);
  return [session, { load, enter, ended, logOut }];
}

async function findSession(): Promise<Session> {
  try {
    const { setup_required, authenticated } = await ask<AuthStatus>('/api/auth/status');
    if (setup_required) return { kind: 'setup' };
    return authenticated ? { kind: 'person', user: await ask<UserRecord>('/api/auth/me') } : { kind: 'anonymous' };
  } catch (error) {
    return { kind: 'unreachable', detail: (error as Error).message };
  }
}
