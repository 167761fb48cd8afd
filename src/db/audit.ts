import type { Kysely, Selectable } from 'kysely';
import { json, storableText } from './json.ts';
import type { AuditTable, Database } from './schema.ts';

/** Who did what, to what, from where. `userId` is null for the service token and for people who are not logged in. */
export interface AuditEntry {
  userId: number | null;
  username: string;
  address: string;
  action: string;
  target: string;
  details?: Record<string, unknown>;
}

export type AuditRepository = ReturnType<typeof auditRepository>;

export function auditRepository(db: Kysely<Database>) {
  return {
    async insert({ userId, details = {}, ...entry }: AuditEntry, now: Date): Promise<void> {
      const texts = { username: storableText(entry.username), target: storableText(entry.target) };
      await db
        .insertInto('audit')
        .values({ ...entry, ...texts, user_id: userId, details: json(details), at: now })
        .execute();
    },

    /** Newest first. */
    async list({ limit, before }: { limit: number; before?: number | undefined }): Promise<Selectable<AuditTable>[]> {
      let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      return query.execute();
    },

    /** Deletes at most `limit` rows from before that instant; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(limit);
      return Number((await db.deleteFrom('audit').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}
