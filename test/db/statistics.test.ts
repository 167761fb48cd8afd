import { sql } from 'kysely';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { refreshStatistics } from '../../src/db/statistics.ts';
import { memoryStore } from '../support/database/store.ts';

const store = await memoryStore();
test.after(() => store.close());

test('a table that has filled is analyzed once, and no other table is', async () => {
  const known = async (): Promise<number | undefined> =>
    (await sql<{ rows: number }>`select reltuples::int as rows from pg_class where relname = 'incidents'`.execute(store.db)).rows[0]?.rows;
  const fill = (rows: number, from: number) =>
    sql`
    insert into incidents (cluster, namespace, owner, container, family, opened_at)
    select 'c', 'n', 'Deployment/w-' || n, 'app', 'crash', now() from generate_series(${from}::int, ${from + rows - 1}::int) n`.execute(
      store.db,
    );
  // By itself, the database counts changed rows at most once a second.
  const refreshed = async (): Promise<string[]> => {
    await sql`select pg_stat_force_next_flush()`.execute(store.db);
    return refreshStatistics(store.db);
  };
  await refreshed();
  await fill(200, 0);
  assert.equal(await refreshed(), ['incidents']);
  assert.is(await known(), 200);
  assert.equal(await refreshed(), []);
  await fill(100, 200);
  await fill(100, 300);
  assert.equal(await refreshed(), ['incidents']);
  assert.is(await known(), 400);
});

test.run();
