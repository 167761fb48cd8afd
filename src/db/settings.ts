import type { Kysely } from 'kysely';
import { type SettingKey, SETTINGS } from '../contract/settings.ts';
import type { Database } from './schema.ts';

export type SettingRepository = ReturnType<typeof settingRepository>;

/** The value that an administrator has set, else the default. */
export async function settingValue(settings: Pick<SettingRepository, 'get'>, key: SettingKey): Promise<number> {
  return Number((await settings.get(key)) ?? SETTINGS[key].default);
}

/** The settings that administrators change. `SETTINGS` in the contract lists the keys and their defaults. */
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
