import type { Kysely } from 'kysely';
import type { Database } from './schema.ts';

export type SettingRepository = ReturnType<typeof settingRepository>;

/** What administrators set. Which keys there are and what they default to is the contract's (`SETTINGS`). */
export function settingRepository(db: Kysely<Database>) {
  return {
    async get(key: string): Promise<string | undefined> {
      return (await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst())?.value;
    },

    async set(key: string, value: string, now: Date): Promise<void> {
      await db
        .insertInto('settings')
        .values({ key, value, updated_at: now })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value, updated_at: now }))
        .execute();
    },
  };
}
