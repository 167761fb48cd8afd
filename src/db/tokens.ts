import { type Insertable, type Kysely, type Selectable } from 'kysely';
import type { Database, TokenTable } from './schema.ts';
import type { UserRow } from './users.ts';

export type TokenRow = Omit<Selectable<TokenTable>, 'digest'>;
const SHOWN = ['id', 'user_id', 'name', 'role', 'created_at', 'expires_at', 'used_at'] as const;

export type TokenRepository = ReturnType<typeof tokenRepository>;

/** API tokens, identified by their digests. */
export function tokenRepository(db: Kysely<Database>) {
  return {
    async insert(token: Insertable<TokenTable>): Promise<TokenRow> {
      return db.insertInto('tokens').values(token).returning(SHOWN).executeTakeFirstOrThrow();
    },

    /** Inserts a token. Undefined if the user has `limit` tokens that have not expired; simultaneous calls cannot exceed the limit. */
    async insertWithin(limit: number, token: Insertable<TokenTable>, now: Date): Promise<TokenRow | undefined> {
      return db.transaction().execute(async (trx) => {
        await trx.selectFrom('users').select('id').where('id', '=', token.user_id).forUpdate().execute();
        const { count } = await trx
          .selectFrom('tokens')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('user_id', '=', token.user_id)
          .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
          .executeTakeFirstOrThrow();
        return Number(count) < limit ? tokenRepository(trx).insert(token) : undefined;
      });
    },

    /** The tokens of a user, newest first. */
    async ofUser(userId: number): Promise<TokenRow[]> {
      return db.selectFrom('tokens').select(SHOWN).where('user_id', '=', userId).orderBy('id', 'desc').execute();
    },

    /** A token that has not expired, with its owner. */
    async live(digest: string, now: Date): Promise<{ token: TokenRow; user: UserRow } | undefined> {
      const token = await db
        .selectFrom('tokens')
        .select(SHOWN)
        .where('digest', '=', digest)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .executeTakeFirst();
      if (!token) return undefined;
      const user = await db.selectFrom('users').selectAll().where('id', '=', token.user_id).executeTakeFirst();
      return user && { token, user };
    },

    async touch(id: number, used_at: Date): Promise<void> {
      await db.updateTable('tokens').set({ used_at }).where('id', '=', id).execute();
    },

    /** Returns those of the tokens that are neither revoked nor expired. */
    async stillLive(ids: number[], now: Date): Promise<number[]> {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom('tokens')
        .select('id')
        .where('id', 'in', ids)
        .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
        .execute();
      return rows.map(({ id }) => id);
    },

    /** False when the user has no such token. */
    async delete(id: number, userId: number): Promise<boolean> {
      const { numDeletedRows } = await db.deleteFrom('tokens').where('id', '=', id).where('user_id', '=', userId).executeTakeFirst();
      return numDeletedRows > 0n;
    },

    /** Deletes tokens that expired before this time, and returns how many. */
    async deleteExpired(before: Date): Promise<number> {
      return Number((await db.deleteFrom('tokens').where('expires_at', '<=', before).executeTakeFirst()).numDeletedRows);
    },
  };
}
