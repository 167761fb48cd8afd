import type { Kysely } from 'kysely';
import type { Provider } from '../contract/model.ts';
import type { Database } from './schema.ts';

/** The configuration as stored: the key is encrypted. */
export interface StoredModelConfig {
  provider: Provider;
  model: string;
  base_url: string | null;
  api_key: string;
  updated_at: Date;
}

export type ModelConfigRepository = ReturnType<typeof modelConfigRepository>;

/** The one row that says which language model administrators configured. */
export function modelConfigRepository(db: Kysely<Database>) {
  return {
    async read(): Promise<StoredModelConfig | undefined> {
      return db
        .selectFrom('model_config')
        .select(['provider', 'model', 'base_url', 'api_key', 'updated_at'])
        .where('id', '=', 1)
        .executeTakeFirst();
    },

    async write(config: StoredModelConfig): Promise<void> {
      const insert = db.insertInto('model_config').values({ id: 1, ...config });
      await insert.onConflict((conflict) => conflict.column('id').doUpdateSet(config)).execute();
    },

    /** The same key sealed anew, if nobody changed it meanwhile. */
    async reseal(from: string, to: string): Promise<void> {
      await db.updateTable('model_config').set({ api_key: to }).where('id', '=', 1).where('api_key', '=', from).execute();
    },

    async remove(): Promise<void> {
      await db.deleteFrom('model_config').execute();
    },
  };
}
