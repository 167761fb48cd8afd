import { openStore } from '../db/connect.ts';
import { migrate } from '../db/migrate.ts';
import type { Service } from './mode.ts';

/** `podmend migrate`: brings the database schema up to date and exits with 0. Throws when the database is away or in use. */
export const runMigrate: Service = async ({ config: { databaseUrl, dataDir }, log }) => {
  const store = await openStore({ databaseUrl, dataDir, log });
  try {
    const names = await migrate(store.db);
    log.info({ migrations: names }, names.length > 0 ? 'schema brought up to date' : 'schema is up to date');
    return 0;
  } finally {
    await store.close();
  }
};
