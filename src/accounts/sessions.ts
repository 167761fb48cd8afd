import { hash, randomBytes } from 'node:crypto';
import type { UserRecord } from '../contract/auth.ts';
import type { SessionRepository } from '../db/sessions.ts';

/** How long a session lives after its last use. */
export const SESSION_DAYS = 7;
const LIFE_MS = SESSION_DAYS * 24 * 60 * 60_000;
/** How old the stored last use may get: prolonging a session must not cost a write per request. */
const TOUCH_MS = 60 * 60_000;

export type Sessions = ReturnType<typeof sessions>;

/**
 * Sessions as rows. Deleting a row ends its session, and each use prolongs it to SESSION_DAYS. The token is the bearer's secret and is only
 * in the cookie, which the facade signs: a new SESSION_SECRET ends all sessions. The table and the rest of the process know its digest, `id`.
 */
export function sessions(rows: SessionRepository) {
  return {
    async begin(userId: number, address: string, now: Date): Promise<{ id: string; token: string }> {
      const token = randomBytes(32).toString('base64url');
      const id = idOf(token);
      await rows.insert({ id, user_id: userId, address, created_at: now, seen_at: now, expires_at: new Date(now.getTime() + LIFE_MS) });
      return { id, token };
    },

    /** The live session of a token. `renewed`: its life was prolonged, so the cookie's should be too. */
    async find(token: string, now: Date): Promise<{ id: string; user: UserRecord; renewed: boolean } | undefined> {
      const session = await rows.live(idOf(token), now);
      if (!session) return undefined;
      const renewed = now.getTime() - session.seen_at.getTime() >= TOUCH_MS;
      if (renewed) await rows.touch(session.id, { seen_at: now, expires_at: new Date(now.getTime() + LIFE_MS) });
      const { user } = session;
      return { id: session.id, user: { ...user, created_at: user.created_at.toISOString() }, renewed };
    },

    end: (id: string): Promise<void> => rows.end(id),

    /** Those of the sessions that are over: logged out, expired, or their user is gone. */
    async ended(ids: string[], now: Date): Promise<Set<string>> {
      const live = new Set(await rows.stillLive(ids, now));
      return new Set(ids.filter((id) => !live.has(id)));
    },
  };
}

function idOf(token: string): string {
  return hash('sha256', token, 'base64url');
}
