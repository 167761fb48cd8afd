import { type Kysely, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureHistoryRepository } from '../../src/db/failure-history.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { auditRepository } from '../../src/db/audit.ts';
import { findingRepository } from '../../src/db/findings.ts';
import type { Store } from '../../src/db/connect.ts';
import type { Database } from '../../src/db/schema.ts';
import { manyFailures, manyFindings } from '../support/database/many-rows.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const [RECORDS, PAGE] = [6_000, 50];
/** After five executions, a connection may switch to a generic plan. This is more than five. */
const PLANNED_AFTER = 8;
/** The number of rare rows. A list of rare rows must not read the common ones. */
const RARE = 20;

type Table = 'failures' | 'findings' | 'audit';

/** How many rows of the table the work reads, by scans and through indexes. */
async function rowsRead(db: Kysely<Database>, table: Table, work: (trx: Kysely<Database>) => Promise<unknown>): Promise<number> {
  const inside = async (trx: Kysely<Database>): Promise<number> => {
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as n
        from pg_stat_xact_user_tables where relname = ${table}`.execute(trx);
      return rows[0]?.n ?? 0;
    };
    const before = await read();
    await work(trx);
    return (await read()) - before;
  };
  return db.isTransaction ? inside(db) : db.transaction().execute(inside);
}

for (const engine of engines('plans')) {
  const test = suite(`plans on ${engine.name}`);
  let store: Store;
  test.before(async () => {
    store = await engine.open();
    const { db } = store;
    await manyFailures(db, RECORDS, { mixed: true });
    // The rare rows are the oldest, so a backward scan by id would read all others first.
    await sql`update failures set status = case when id % 2 = 0 then 'new' else 'ignored' end, namespace = 'rare' where id <= ${RARE}`.execute(
      db,
    );
    await manyFindings(db, RECORDS);
    await sql`update findings set severity = 'info', namespace = 'rare' where id <= ${RARE}`.execute(db);
    await sql`insert into audit (at, username, address, action, target, details)
      select now(), 'x', '::1', 'a.b', 't', '{}' from generate_series(1, ${RECORDS}::int)`.execute(db);
    for (const table of ['failures', 'findings', 'audit']) await sql`analyze ${sql.table(table)}`.execute(db);
  });
  test.after(() => store.close());

  const scope = { namespaces: '*' as const, hidden: ['hidden'] };
  const page = { limit: PAGE, scope };
  const LISTS: [string, Table, (trx: Kysely<Database>) => Promise<unknown>][] = [
    ['active failures', 'failures', (trx) => readList(failureRepository(trx).active, page)],
    ['active failures, later', 'failures', (trx) => readList(failureRepository(trx).active, { ...page, before: RECORDS / 2 })],
    [
      'active failures of a namespace where they are rare',
      'failures',
      (trx) => readList(failureRepository(trx).active, { ...page, namespace: 'rare' }),
    ],
    ['the history', 'failures', (trx) => readList(failureRepository(trx).history, { ...page, before: RECORDS / 2 })],
    [
      'the history of a namespace without one',
      'failures',
      (trx) => readList(failureRepository(trx).history, { ...page, namespace: 'rare' }),
    ],
    [
      'what advice looks back at, where failures are rare',
      'failures',
      (trx) => failureHistoryRepository(trx).read({ cluster: 'test', namespace: 'rare' }, new Date()),
    ],
    ['ignored failures', 'failures', (trx) => readList(failureRepository(trx).ignored, page)],
    ['suppressed failures', 'failures', (trx) => readList(failureRepository(trx).suppressed, page)],
    ['findings', 'findings', (trx) => readList(findingRepository(trx).list, page)],
    ['findings, later', 'findings', (trx) => readList(findingRepository(trx).list, { ...page, before: RECORDS / 2 })],
    ['findings of a rare severity', 'findings', (trx) => readList(findingRepository(trx).list, { ...page, severity: 'info' })],
    [
      'findings of a namespace where they are rare',
      'findings',
      (trx) => readList(findingRepository(trx).list, { ...page, namespace: 'rare' }),
    ],
    ['old rows of the audit log, when there are none', 'audit', (trx) => auditRepository(trx).deleteOld(new Date(0), PAGE)],
  ];
  for (const [what, table, work] of LISTS) {
    test(`a page of ${what} reads little else`, async () => {
      const read = await rowsRead(store.db, table, work);
      assert.ok(read <= 2 * PAGE, `${read} rows were read for ${PAGE}`);
    });
  }

  test('a page whose plan was made on an empty table reads few rows of a full one', async () => {
    const empty = await engine.open();
    const early = { ...page, before: RECORDS / 2 };
    const lists: [Table, (trx: Kysely<Database>) => Promise<unknown>][] = [
      ['failures', (trx) => readList(failureRepository(trx).active, early)],
      ['failures', (trx) => readList(failureRepository(trx).history, early)],
      ['findings', (trx) => readList(findingRepository(trx).list, early)],
    ];
    // One transaction means one connection. The database makes no statistics of its rows before it ends.
    const read = await empty.db.transaction().execute(async (trx) => {
      for (const [, work] of lists) for (let n = 0; n < PLANNED_AFTER; n++) await work(trx);
      await manyFailures(trx, RECORDS, { mixed: true });
      await manyFindings(trx, RECORDS);
      const counts: number[] = [];
      for (const [table, work] of lists) counts.push(await rowsRead(trx, table, work));
      return counts;
    });
    await empty.close();
    assert.ok(Math.max(...read) <= 2 * PAGE, `${read.join()} rows were read for ${PAGE}`);
  });
  test.run();
}
