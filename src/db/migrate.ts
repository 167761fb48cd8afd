import type { Kysely } from 'kysely';
import { Migrator } from 'kysely/migration';
import { MIGRATIONS } from './migrations/index.ts';
import type { Database } from './schema.ts';

/**
 * Brings the schema up to date and returns the names of the migrations that ran here. All pending ones run in one transaction;
 * several replicas at once are safe, because the Migrator holds an advisory lock and the later ones find nothing to do.
 */
export async function migrate(db: Kysely<Database>): Promise<string[]> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } });
  const { error, results } = await migrator.migrateToLatest();
  if (error) throw error;
  return (results ?? []).map((result) => result.migrationName);
}
