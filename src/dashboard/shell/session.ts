import { useCallback, useEffect, useState } from 'react';
import type { UserRecord } from '../../contract/auth.ts';
import { dropEarly } from '../live/early.ts';
import { ask, Refused } from '../live/request.ts';
import { findSession, type Session } from './find-session.ts';

export interface SessionActions {
  load(): void;
  enter(user: UserRecord): void;
  /** Call this when the server no longer knows the session. */
  ended(): void;
  logOut(): Promise<void>;
}

/** So often a server that does not answer is asked again. */
const AGAIN_MS = 2_000;

/** The session of this page: at first `first`, then updated by the server's answers. */
export function useSession(first: Session): [Session, SessionActions] {
  const [session, set] = useState(first);
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
  const enter = useCallback((user: UserRecord) => {
    // Early answers belong to the session before.
    dropEarly();
    set({ kind: 'person', user });
  }, []);
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
