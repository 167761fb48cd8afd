import { type Kysely, type QueryResult, sql } from 'kysely';

/** Rows per statement, few enough that no statement reaches its time limit. */
const CHUNK = 1_000;

/**
 * Details of findings are stored as the text in which they arrived, and pages have room for the next version of each finding. So a scan
 * with the same results rewrites neither details nor indexes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const run = (statement: string) => sql.raw(statement).execute(db);
  await run(`alter table findings add column details_text json`);
  for (let last: number | null = 0; last !== null;) {
    const { rows }: QueryResult<{ last: number | null }> = await sql<{ last: number | null }>`
      with chunk as (select id from findings where id > ${last} order by id limit ${CHUNK}),
      moved as (update findings f set details_text = f.details::json from chunk where chunk.id = f.id)
      select max(id)::float8 as last from chunk`.execute(db);
    last = rows[0]?.last ?? null;
  }
  await run(`alter table findings drop column details`);
  await run(`alter table findings rename column details_text to details`);
  await run(`alter table findings alter column details set not null`);
  await run(`alter table findings set (fillfactor = 50)`);
}
