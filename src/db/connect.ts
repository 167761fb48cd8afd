import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Dialect, Kysely, PGliteDialect, PostgresDialect } from 'kysely';
import type { Logger } from '../log.ts';
import { lockFolder } from './folder-lock.ts';
import { type PoolState, postgresPool } from './postgres.ts';
import type { Database } from './schema.ts';

/** An open database. `close` ends its connections and releases its folder. */
export interface Store {
  db: Kysely<Database>;
  /** The state of the connection pool; undefined for the embedded database, which has none. */
  pool(): PoolState | undefined;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Without it, the embedded database in `dataDir` is used, and no other process may use that folder. */
  databaseUrl?: string | undefined;
  dataDir: string;
  log: Logger;
}

/**
 * Opens PostgreSQL, or PGlite if there is no address. It connects to PostgreSQL at the first query, so the process starts even while the
 * database is away; queries then throw DatabaseUnavailable. Throws FolderLocked if another process uses the folder.
 */
export async function openStore({ databaseUrl, dataDir, log }: StoreOptions): Promise<Store> {
  if (databaseUrl) {
    const pool = await postgresPool(databaseUrl, log);
    return { ...storeOn(new PostgresDialect({ pool }), () => pool.end()), pool: pool.state };
  }
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const unlock = await lockFolder(dataDir);
  try {
    // Imported only here, because it takes 300 MB that an installation with PostgreSQL does not need.
    const { PGlite } = await import('@electric-sql/pglite');
    const pglite = await PGlite.create({ dataDir: join(dataDir, 'pglite') });
    return storeOn(new PGliteDialect({ pglite }), async () => {
      if (!pglite.closed) await pglite.close();
      await unlock();
    });
  } catch (error) {
    await unlock();
    throw error;
  }
}

/** Makes a store over a dialect. `release` closes resources that kysely's `destroy` leaves open if no query was ever made. */
export function storeOn(dialect: Dialect, release: () => Promise<void>): Store {
  const db = new Kysely<Database>({ dialect });
  let closing: Promise<void> | undefined;
  return { db, pool: () => undefined, close: () => (closing ??= db.destroy().then(release)) };
}
