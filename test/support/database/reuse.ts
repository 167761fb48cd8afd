import type { PGlite } from '@electric-sql/pglite';
import type { PGliteDialect } from 'kysely';

// Starting an embedded database takes half a second of CPU. Emptying one takes a hundredth of that. So a database that a test closes is
// kept for the next test of the same process.

/** The part of PGlite that kysely uses. */
type LentPGlite = Exclude<ConstructorParameters<typeof PGliteDialect>[0]['pglite'], (...args: never[]) => unknown>;

/** Statements with effects that remain when a database is emptied. */
const CHANGES_MORE_THAN_ROWS = /^\s*(alter|create|drop|analyze|vacuum)\b/i;

/**
 * An open PGlite keeps its process alive. In a process that runs many files (it has a channel to the runner), the next file starts soon.
 */
const KEEP_MS = process.send ? 10_000 : 200;

const kept = new Map<PGlite, NodeJS.Timeout>();

process.once('disconnect', () => {
  for (const pglite of kept.keys()) endKept(pglite);
});

/** `pglite` for kysely. `close` refuses further queries and keeps the database for `takeKept`, unless a test changed the tables. */
export function reusable(pglite: PGlite): LentPGlite {
  let isClosed = false;
  let isChanged = false;
  const check = (sql = ''): void => {
    if (isClosed) throw new Error('PGlite is closed');
    isChanged ||= CHANGES_MORE_THAN_ROWS.test(sql);
  };
  return {
    waitReady: pglite.waitReady,
    ready: true,
    get closed() {
      return isClosed;
    },
    async query(sql, parameters, options) {
      check(sql);
      return pglite.query(sql, parameters, options);
    },
    async transaction(body) {
      check();
      return pglite.transaction((own) =>
        body({
          async query(sql, parameters, options) {
            check(sql);
            return own.query(sql, parameters, options);
          },
          rollback: () => own.rollback(),
        }),
      );
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      const isEnding = process.send && !process.connected;
      if (isChanged || isEnding) await pglite.close();
      else kept.set(pglite, setTimeout(endKept, KEEP_MS, pglite));
    },
  };
}

function endKept(pglite: PGlite): void {
  clearTimeout(kept.get(pglite));
  kept.delete(pglite);
  void pglite.close();
}

/** A kept database, emptied; undefined if there is none. */
export async function takeKept(): Promise<PGlite | undefined> {
  for (const [pglite, timer] of kept) {
    clearTimeout(timer);
    kept.delete(pglite);
    if (await empty(pglite)) return pglite;
    await pglite.close();
  }
  return undefined;
}

/**
 * The tables that were written to since they were created or truncated: they have blocks, even if their rows are deleted, or have numbered a
 * row that was refused. Most tests use few tables, and truncating all of them takes six times as long.
 */
const USED_TABLES = `
  select string_agg(quote_ident(relname), ', ') as names from pg_class one
  where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not like 'kysely%' and (
    pg_relation_size(one.oid) > 0 or exists (
      select from pg_depend join pg_class counter on counter.oid = objid
      where refobjid = one.oid and case when counter.relkind = 'S' then pg_sequence_last_value(counter.oid) is not null end
    )
  )`;

/** False if it cannot be emptied because the last test left a transaction open. */
async function empty(pglite: PGlite): Promise<boolean> {
  try {
    await pglite.exec('discard all');
    const { rows } = await pglite.query<{ names: string | null }>(USED_TABLES);
    if (rows[0]?.names) await pglite.exec(`truncate ${rows[0].names} restart identity cascade`);
    // The counts of changed rows outlive that. Those of the last second are counted later, unless one asks for it.
    await pglite.exec('select pg_stat_force_next_flush()');
    await pglite.exec('select pg_stat_reset()');
    return true;
  } catch {
    return false;
  }
}
