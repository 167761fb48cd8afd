import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { PREPARED } from './prepared.ts';
import type { Database, SessionTable } from './schema.ts';
import type { UserRow } from './users.ts';

/** A session that has not ended, with its user. */
export interface LiveSession {
  id: string;
  seen_at: Date;
  user: Pick<UserRow, 'id' | 'username' | 'role' | 'created_at'>;
}

export type SessionRepository = ReturnType<typeof sessionRepository>;

export function sessionRepository(db: Kysely<Database>) {
  return {
    async insert(session: Insertable<SessionTable>): Promise<void> {
      await db.insertInto('sessions').values(session).execute();
    },

    async live(id: string, now: Date): Promise<LiveSession | undefined> {
      const { rows } = await sql<LiveRow>`${PREPARED}
        select s.id, seen_at, user_id, username, role, u.created_at from sessions s join users u on u.id = user_id
        where s.id = ${id} and expires_at > ${now}`.execute(db);
      const [row] = rows;
      if (!row) return undefined;
      const { user_id, username, role, created_at } = row;
      return { id: row.id, seen_at: row.seen_at, user: { id: user_id, username, role, created_at } };
    },

    /** Whether the user has a live session that began at that address. */
    async knows(userId: number, address: string, now: Date): Promise<boolean> {
      const row = await db
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .where('address', '=', address)
        .where('expires_at', '>', now)
        .executeTakeFirst();
      return row !== undefined;
    },

    async touch(id: string, seen: { seen_at: Date; expires_at: Date }): Promise<void> {
      await db.updateTable('sessions').set(seen).where('id', '=', id).execute();
    },

    async end(id: string): Promise<void> {
      await db.deleteFrom('sessions').where('id', '=', id).execute();
    },

    /** Returns those of the sessions that have not ended. */
    async stillLive(ids: string[], now: Date): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await db.selectFrom('sessions').select('id').where('id', 'in', ids).where('expires_at', '>', now).execute();
      return rows.map((row) => row.id);
    },

    /** Deletes expired sessions, and returns how many. */
    async deleteExpired(now: Date): Promise<number> {
      return Number((await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst()).numDeletedRows);
    },
  };
}

type LiveRow = Pick<Selectable<SessionTable>, 'id' | 'seen_at' | 'user_id'> & Pick<UserRow, 'username' | 'role' | 'created_at'>;
