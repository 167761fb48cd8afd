import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely';
import { holdsText } from './failure-page.ts';
import { json, storableText } from './json.ts';
import type { AuditTable, Database } from './schema.ts';

/** An action: the person, the object and the address. `userId` is null for the service token and for people who are not logged in. */
export interface AuditEntry {
  userId: number | null;
  username: string;
  address: string;
  action: string;
  target: string;
  details?: Record<string, unknown>;
}

/** A part of the log: `from` is included, `to` is not. */
export interface AuditPage {
  limit: number;
  before?: number | undefined;
  /** The case of the name does not matter. */
  username?: string | undefined;
  /** An action (`failure.ignore`) or its area (`failure`). */
  action?: string | undefined;
  /** Text that occurs in target, name, address or action. */
  q?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

function isOfAction(action: string): RawBuilder<boolean> {
  return sql<boolean>`(action = ${action} or split_part(action, '.', 1) = ${action})`;
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
    async list({ limit, before, username, action, q, from, to }: AuditPage): Promise<Selectable<AuditTable>[]> {
      let query = db.selectFrom('audit').selectAll().orderBy('id', 'desc').limit(limit);
      if (before !== undefined) query = query.where('id', '<', before);
      if (username !== undefined) query = query.where(sql<boolean>`lower(username) = lower(${storableText(username)})`);
      if (action !== undefined) query = query.where(isOfAction(storableText(action)));
      if (q) query = query.where(holdsText(['target', 'username', 'address', 'action'], q));
      if (from) query = query.where('at', '>=', from);
      if (to) query = query.where('at', '<', to);
      return query.execute();
    },

    /** Deletes at most `limit` rows from before that time; returns how many. */
    async deleteOld(before: Date, limit: number): Promise<number> {
      const old = db.selectFrom('audit').select('id').where('at', '<', before).orderBy('at').limit(limit);
      return Number((await db.deleteFrom('audit').where('id', 'in', old).executeTakeFirst()).numDeletedRows);
    },
  };
}
