import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { type Store, openStore, storeOn } from '../../../src/db/connect.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { createLog } from '../../../src/log.ts';
import { createDatabase, postgresUrl } from './database.ts';
import { reusable, takeKept } from './reuse.ts';

/** A database engine that the same tests run on. Each store that it opens is migrated and empty. */
export interface Engine {
  name: 'PGlite' | 'PostgreSQL';
  open(): Promise<Store>;
}

/** Always PGlite. Also PostgreSQL if `TEST_DATABASE_URL` names one; otherwise a line says that it is missing. */
export function engines(suite: string): Engine[] {
  const embedded: Engine = { name: 'PGlite', open: memoryStore };
  if (postgresUrl) return [embedded, { name: 'PostgreSQL', open: () => serverStore(postgresUrl ?? '') }];
  console.log(`SKIP ${suite} on PostgreSQL: TEST_DATABASE_URL is not set`);
  return [embedded];
}

/** A migrated and empty embedded database in memory. Its `close` keeps it for the next caller. */
export async function memoryStore(): Promise<Store> {
  const pglite = reusable((await takeKept()) ?? (await fromImage()));
  return storeOn(new PGliteDialect({ pglite }), () => pglite.close());
}

/** Prepares `dataDir` as the DATA_DIR of a process, with an embedded database that is already migrated. */
export async function fillFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await (await fromImage(join(dataDir, 'pglite'))).close();
}

/** Starting an embedded database anew takes seconds, so the image of a migrated one is kept in the temporary folder. */
async function fromImage(dataDir?: string): Promise<PGlite> {
  const where = dataDir === undefined ? {} : { dataDir };
  const image = imagePath();
  const kept = await readFile(image).catch(() => undefined);
  if (kept) return PGlite.create({ ...where, loadDataDir: new Blob([kept]) });
  const pglite = await PGlite.create(where);
  await migrate(storeOn(new PGliteDialect({ pglite }), async () => {}).db);
  await keepImage(pglite, image);
  return pglite;
}

async function serverStore(server: string): Promise<Store> {
  const database = await createDatabase(server);
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: createLog({ level: 'silent' }) });
  await migrate(store.db);
  const close = async (): Promise<void> => {
    await store.close();
    await database.drop();
  };
  return { ...store, close };
}

/** Renames the file into place, so that a concurrent test never reads half an image. */
async function keepImage(pglite: PGlite, path: string): Promise<void> {
  const aside = `${path}.${process.pid}`;
  await writeFile(aside, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()));
  await rename(aside, path);
}

/** Each version of PGlite and of the migrations has its own image. */
function imagePath(): string {
  const digest = createHash('sha256').update(
    readFileSync(new URL('../../../node_modules/@electric-sql/pglite/package.json', import.meta.url)),
  );
  const migrations = new URL('../../../src/db/migrations/', import.meta.url);
  for (const file of readdirSync(migrations).sort()) digest.update(readFileSync(new URL(file, migrations)));
  return join(tmpdir(), `podmend-test-database-${process.getuid?.() ?? 0}-${digest.digest('hex').slice(0, 16)}.tar`);
}
