import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

/** The one scanner of an installation. */
const SCANNER = 'scanner';

export type ScanRepository = ReturnType<typeof scanRepository>;

/** The time of the scanner's last request, and the scans that people requested. */
export function scanRepository(db: Kysely<Database>) {
  return {
    async heard(now: Date): Promise<void> {
      await db
        .insertInto('scanners')
        .values({ name: SCANNER, last_seen: now })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ last_seen: now }))
        .execute();
    },

    async lastHeard(): Promise<Date | undefined> {
      return (await db.selectFrom('scanners').select('last_seen').where('name', '=', SCANNER).executeTakeFirst())?.last_seen;
    },

    /** Writes down that somebody asked for a scan. */
    async request(rescan: { reason: string; requested_by: string }, now: Date): Promise<void> {
      await db
        .insertInto('rescans')
        .values({ ...rescan, requested_at: now })
        .execute();
    },

    /** Deletes requests from before that time; returns how many. */
    async deleteOld(before: Date): Promise<number> {
      return Number((await db.deleteFrom('rescans').where('requested_at', '<', before).executeTakeFirst()).numDeletedRows);
    },
  };
}
