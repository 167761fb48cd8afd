import { type Insertable, type Kysely, type Selectable, type Transaction, type Updateable, sql } from 'kysely';
import type { Database, UserTable } from './schema.ts';

export type UserRow = Selectable<UserTable>;
export type NewUser = Omit<Insertable<UserTable>, 'id'>;

/** The result of a change of a user; `last-admin`: no administrator would have been left. */
export type ChangeOutcome = { kind: 'changed'; user: UserRow } | { kind: 'missing' } | { kind: 'last-admin' };

export type UserRepository = ReturnType<typeof userRepository>;

/** Users. Names are compared without regard to case. */
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

    /** Adds a user. Undefined if the name is taken. */
    async insert(user: NewUser): Promise<UserRow | undefined> {
      return db
        .insertInto('users')
        .values(user)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
    },

    /** Adds the very first user; undefined if there is a user already. Of several simultaneous calls, exactly one succeeds. */
    async insertFirst(user: NewUser): Promise<UserRow | undefined> {
      return db.transaction().execute(async (trx) => {
        await lock(trx);
        const users = userRepository(trx);
        return (await users.any()) ? undefined : users.insert(user);
      });
    },

    async byId(id: number): Promise<UserRow | undefined> {
      return db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
    },

    /** All users, oldest first. */
    async list(): Promise<UserRow[]> {
      return db.selectFrom('users').selectAll().orderBy('id').execute();
    },

    /**
     * Sets role, password or both, and ends all sessions of the user; `endTokens`: the API tokens too. The last administrator keeps the
     * role.
     */
    async change(
      id: number,
      fields: Pick<Updateable<UserTable>, 'role' | 'password_hash'>,
      { endTokens = false }: { endTokens?: boolean } = {},
    ): Promise<ChangeOutcome> {
      return db.transaction().execute(async (trx) => {
        await lock(trx);
        if (fields.role && fields.role !== 'admin' && (await isLastAdmin(trx, id))) return { kind: 'last-admin' };
        const user = await trx.updateTable('users').set(fields).where('id', '=', id).returningAll().executeTakeFirst();
        if (!user) return { kind: 'missing' };
        await trx.deleteFrom('sessions').where('user_id', '=', id).execute();
        if (endTokens) await trx.deleteFrom('tokens').where('user_id', '=', id).execute();
        return { kind: 'changed', user };
      });
    },

    /** Deletes a user with all sessions and tokens. The last administrator stays. */
    async delete(id: number): Promise<ChangeOutcome> {
      return db.transaction().execute(async (trx) => {
        await lock(trx);
        if (await isLastAdmin(trx, id)) return { kind: 'last-admin' };
        const user = await trx.deleteFrom('users').where('id', '=', id).returningAll().executeTakeFirst();
        return user ? { kind: 'changed', user } : { kind: 'missing' };
      });
    },
  };
}

/** Locks the users, so that concurrent changes see each other. Otherwise two administrators could remove each other. */
async function lock(trx: Transaction<Database>): Promise<void> {
  await sql`lock table users in share row exclusive mode`.execute(trx);
}

async function isLastAdmin(trx: Transaction<Database>, id: number): Promise<boolean> {
  const admins = await trx.selectFrom('users').select('id').where('role', '=', 'admin').limit(2).execute();
  return admins.length === 1 && admins[0]?.id === id;
}
