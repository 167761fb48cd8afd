import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openStore } from '../../src/db/connect.ts';
import { DatabaseUnavailable, FolderLocked, sqlState } from '../../src/db/errors.ts';
import { lockFolder } from '../../src/db/folder-lock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { DEADLINES_MS } from '../../src/db/postgres.ts';
import { MIGRATIONS } from '../../src/db/migrations/index.ts';
import { settingRepository } from '../../src/db/settings.ts';
import { openStorage } from '../../src/db/storage.ts';
import { createLog } from '../../src/log.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { startFreezer } from '../support/network/freezer.ts';
import { fillFolder } from '../support/database/store.ts';
import { until } from '../support/runner/wait.ts';

const log = createLog({ level: 'silent' });
const folders: string[] = [];
const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-db-'));
  folders.push(folder);
  return folder;
};
test.after(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const failing = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a folder has one owner at a time, and is free again when given back', async () => {
  const folder = aFolder();
  const attempts = await Promise.allSettled(Array.from({ length: 6 }, () => lockFolder(folder)));
  const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
  assert.is(won.length, 1);
  const error = (await failing(lockFolder(folder))) as FolderLocked;
  assert.instance(error, FolderLocked);
  assert.match(error.message, `process ${process.pid}`);
  await won[0]!.value();
  await (
    await lockFolder(folder)
  )();
  assert.equal(readdirSync(folder), []);
});

test('the lock of a process that was killed is taken over by one of those who try', async () => {
  const folder = aFolder();
  const module = new URL('../../src/db/folder-lock.ts', import.meta.url).href;
  const program = `const { lockFolder } = await import('${module}'); await lockFolder(process.argv[1]); console.log('locked'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  assert.is(((await failing(lockFolder(folder))) as FolderLocked).pid, child.pid);
  child.kill('SIGKILL');
  await once(child, 'exit');
  for (let round = 0; round < 20; round++) {
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockFolder(folder)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    assert.is(won.length, 1);
    assert.equal(readdirSync(folder), ['podmend.lock']);
    await won[0]!.value();
    writeFileSync(join(folder, 'podmend.lock'), JSON.stringify({ pid: child.pid, start: String(round) }));
  }
});

test('a lock of another process with our id, or one that is no lock, is stale', async () => {
  for (const text of [JSON.stringify({ pid: process.pid, start: '1' }), '{', 'null', '']) {
    const folder = aFolder();
    writeFileSync(join(folder, 'podmend.lock'), text);
    const unlock = await lockFolder(folder);
    await unlock();
    assert.not(existsSync(join(folder, 'podmend.lock')), text);
  }
});

test('the embedded database keeps its rows, and its folder for itself', async () => {
  const dataDir = aFolder();
  await fillFolder(dataDir);
  const store = await openStore({ dataDir, log });
  assert.equal(await migrate(store.db), []);
  await settingRepository(store.db).set('mirror-ttl', '77', new Date(0));
  assert.instance(await failing(openStore({ dataDir, log })), FolderLocked);
  await store.close();
  await store.close();
  const again = await openStore({ dataDir, log });
  assert.is(await settingRepository(again.db).get('mirror-ttl'), '77');
  await again.close();
});

test('a folder with a schema that this version does not know is refused, and free again', async () => {
  const dataDir = aFolder();
  await fillFolder(dataDir);
  const store = await openStore({ dataDir, log });
  await sql`insert into kysely_migration values ('999-of-a-later-version', '')`.execute(store.db);
  await store.close();
  const error = await failing(openStorage({ dataDir, log, leaseName: 'podmend', clusterName: 'test' }));
  assert.match((error as Error | undefined)?.message ?? '', /999-of-a-later-version/);
  await (
    await lockFolder(dataDir)
  )();
});

test('a database that refuses, or never answers, counts as unavailable within 2 s', async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  for (const where of ['127.0.0.1:1', `127.0.0.1:${port}`]) {
    const store = await openStore({ databaseUrl: `postgres://u:p@${where}/x`, dataDir: '', log });
    const error = await failing(sql`select 1`.execute(store.db));
    assert.instance(error, DatabaseUnavailable);
    assert.is((error as Error).message, 'Database not available');
    await store.close();
  }
  silent.close();
  assert.ok(Math.max(...Object.values(DEADLINES_MS)) < 2_000);
});

if (postgresUrl) {
  const server = postgresUrl;

  test('replicas that migrate at the same moment make one schema', async () => {
    const database = await createDatabase(server);
    const stores = await Promise.all([1, 2, 3].map(() => openStore({ databaseUrl: database.url, dataDir: '', log })));
    const ran = await Promise.all(stores.map((store) => migrate(store.db)));
    assert.equal(ran.flat(), Object.keys(MIGRATIONS));
    await Promise.all(stores.map((store) => store.close()));
    await database.drop();
  });

  test('when a connection breaks or stops answering, only its statement fails', async () => {
    const { hostname, port } = new URL(server);
    const freezer = await startFreezer({ host: hostname, port: Number(port || 5432) });
    const url = new URL(server);
    url.host = `127.0.0.1:${freezer.port}`;
    const store = await openStore({ databaseUrl: url.href, dataDir: '', log });
    const ask = () => sql<{ one: number }>`select 1 as one`.execute(store.db);
    try {
      await ask();
      const broken = failing(sql`select pg_sleep(1)`.execute(store.db));
      setTimeout(freezer.cut, 50);
      assert.instance(await broken, DatabaseUnavailable);
      assert.is((await ask()).rows[0]?.one, 1, 'the next one has a new connection');

      freezer.cut();
      await until(ask, { what: 'a connection in place of the one that broke while idle' });

      freezer.freeze();
      assert.instance(await failing(ask()), DatabaseUnavailable);
      freezer.thaw();
      assert.is((await ask()).rows[0]?.one, 1);
    } finally {
      await store.close();
      await freezer.close();
    }
  });

  test('a wrong password is not an outage', async () => {
    const url = new URL(server);
    url.password = 'wrong';
    const store = await openStore({ databaseUrl: url.href, dataDir: '', log });
    const error = await failing(sql`select 1`.execute(store.db));
    await store.close();
    assert.not.instance(error, DatabaseUnavailable);
    assert.is(sqlState(error), '28P01');
  });

  test('eight-byte integers and counts are numbers', async () => {
    const store = await openStore({ databaseUrl: server, dataDir: '', log });
    const { rows } = await sql<{
      big: number;
      many: number;
    }>`select 9007199254740991::int8 as big, count(*) as many from (select 1) x`.execute(store.db);
    assert.equal(rows, [{ big: 9007199254740991, many: 1 }]);
    await store.close();
  });
} else console.log('SKIP connections to PostgreSQL: TEST_DATABASE_URL is not set');

test.run();
