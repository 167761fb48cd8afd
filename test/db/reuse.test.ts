import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/db/connect.ts';
import { memoryStore } from '../support/database/store.ts';

// Tests take over the embedded databases of earlier tests (support/database/reuse.ts).

const test = suite('a database that another test has used');

const add = (db: Store['db']) =>
  sql<{
    id: number;
  }>`insert into users (username, password_hash, role, created_at) values ('ada', 'x', 'read', now()) returning id`.execute(db);

for (const [left, leave] of [
  ['rows', add],
  ['deleted rows', async (db) => (await add(db), db.deleteFrom('users').execute())],
  [
    'rows that were rolled back',
    async (db) => {
      const failing = db.transaction().execute(async (own) => {
        await add(own);
        throw new Error('rolled back');
      });
      await failing.catch(() => undefined);
    },
  ],
  ['a number of a refused row', (db) => sql`insert into users (username) values ('ada')`.execute(db).catch(() => undefined)],
] as [string, (db: Store['db']) => Promise<unknown>][]) {
  test(`has no row, and counts from one, after ${left}`, async () => {
    const before = await memoryStore();
    await leave(before.db);
    await before.close();
    const store = await memoryStore();
    assert.equal(await store.db.selectFrom('users').selectAll().execute(), []);
    assert.is((await add(store.db)).rows[0]?.id, 1);
    await store.close();
  });
}

test.run();
