import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Database } from './schema.ts';

/** At most `limit` attempts in any `windowSeconds`. */
export interface AttemptLimit {
  limit: number;
  windowSeconds: number;
}

export type LoginAttemptRepository = ReturnType<typeof loginAttemptRepository>;

/** Login attempts per key. They are counted in the database, so that neither replicas nor restarts allow more. */
export function loginAttemptRepository(db: Kysely<Database>) {
  return {
    /**
     * Counts an attempt and returns 0. If the limit is reached, does not count it, and returns the seconds until the oldest attempt
     * leaves the window (at least 1). This is one statement, so that simultaneous attempts cannot pass the limit together.
     */
    async admit(key: string, { limit, windowSeconds }: AttemptLimit, now: Date): Promise<number> {
      const since = new Date(now.getTime() - windowSeconds * 1000);
      const mine = randomUUID();
      const recent = sql`(select coalesce(array_agg(t), '{}') from unnest(login_attempts.attempts) t where t > ${since}::timestamptz)`;
      const isFull = sql`cardinality(${recent}) >= ${limit}::int`;
      const { rows } = await sql<{ admitted: string; oldest: Date }>`
        insert into login_attempts (key, attempts, admitted, newest_at) values (${key}, array[${now}::timestamptz], ${mine}, ${now})
        on conflict (key) do update set
          attempts = case when ${isFull} then ${recent} else ${recent} || ${now}::timestamptz end,
          admitted = case when ${isFull} then login_attempts.admitted else excluded.admitted end,
          newest_at = excluded.newest_at
        returning admitted, (select min(t) from unnest(login_attempts.attempts) t) as oldest`.execute(db);
      const row = rows[0];
      if (!row || row.admitted === mine) return 0;
      return Math.max(1, Math.ceil((row.oldest.getTime() + windowSeconds * 1000 - now.getTime()) / 1000));
    },

    /** Removes the attempt that `admit` counted at that time. */
    async forgive(key: string, at: Date): Promise<void> {
      await sql`update login_attempts set attempts = array_remove(attempts, ${at}::timestamptz) where key = ${key}`.execute(db);
    },

    /** Deletes keys whose newest attempt was before `before`; returns how many. */
    async deleteOld(before: Date): Promise<number> {
      return Number((await db.deleteFrom('login_attempts').where('newest_at', '<', before).executeTakeFirst()).numDeletedRows);
    },
  };
}
