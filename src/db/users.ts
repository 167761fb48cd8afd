import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { Database, UserTable } from './schema.ts';

export type UserRow = Selectable<UserTable>;
export type NewUser = Omit<Insertable<UserTable>, 'id'>;

export type UserRepository = ReturnType<typeof userRepository>;

/** Accounts. Names are told apart without regard to case. */
export function userRepository(db: Kysely<Database>) {
  return {
    async any(): Promise<boolean> {
      return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
    },

    async byUsername(username: string): Promise<UserRow | undefined> {
      return db
        .selectFrom('users')
        .selectAll()
        .where(sql`lower(username)`, '=', sql`lower(${username})`)
        .executeTakeFirst();
    },

    /** Undefined when the name is taken. */
    async insert(user: NewUser): Promise<UserRow | undefined> {
      return db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
    },

    /** The very first user; undefined when there is one already. Of several at once exactly one succeeds. */
    async insertFirst(user: NewUser): Promise<UserRow | undefined> {
      return db.transaction().execute(async (trx) => {
        await sql`lock table users in share row exclusive mode`.execute(trx);
        const users = userRepository(trx);
        return (await users.any()) ? undefined : users.insert(user);
      });
    },

    /** Answers false when there is no such user. The new password ends all sessions of the old one. */
    async setPassword(username: string, passwordHash: string): Promise<boolean> {
      return db.transaction().execute(async (trx) => {
        const user = await trx
          .updateTable('users')
          .set({ password_hash: passwordHash })
          .where(sql`lower(username)`, '=', sql`lower(${username})`)
          .returning('id')
          .executeTakeFirst();
        if (user) await trx.deleteFrom('sessions').where('user_id', '=', user.id).execute();
        return user !== undefined;
      });
    },
  };
}
