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
  /** The use of its connections; undefined for the embedded database, which has none. */
  pool(): PoolState | undefined;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Absent = the embedded database in `dataDir`, which this process then owns alone. */
  databaseUrl?: string | undefined;
  dataDir: string;
  log: Logger;
}

/**
 * Opens PostgreSQL, or PGlite when there is no address. It connects to PostgreSQL only with the first query. So the process starts even
 * when the database is away, and queries then throw DatabaseUnavailable. Throws FolderLocked when another process has the folder.
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

/** A store over a dialect; `release` ends what kysely's own `destroy` leaves open when no query was ever made. */
export function storeOn(dialect: Dialect, release: () => Promise<void>): Store {
  const db = new Kysely<Database>({ dialect });
  let closing: Promise<void> | undefined;
  return { db, pool: () => undefined, close: () => (closing ??= db.destroy().then(release)) };
}
