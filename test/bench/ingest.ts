import { sql } from 'kysely';
import { openStore } from '../../src/db/connect.ts';
import { createLog } from '../../src/log.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { type LoadResult, runLoad, startOperatorProcess } from '../support/processes/operator.ts';
import { cpuMs, parentOf } from '../support/processes/proc.ts';
import { type Bench, percentile, spread, table } from './bench.ts';

const RUNS = 3;
const LOADS = [
  { concurrency: 1, count: 600 },
  { concurrency: 16, count: 2_500 },
  { concurrency: 64, count: 5_000 },
];

/** New failures per second through the real operator, reported by another process. Each run is a minute or less. */
export const name = 'ingest';

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  out(`Reports of 7.8 KB, each of a new pod; load, operator and database on one machine. Median (lowest..highest) of ${RUNS} runs.\n`);
  const head = ['database', 'at once', 'reports/s', 'p50 ms', 'p99 ms', 'operator CPU ms/report', 'database CPU ms/report'];
  const rows: string[][] = [];
  if (postgresUrl) rows.push(...(await onPostgres(postgresUrl)));
  else out('PostgreSQL is left out: TEST_DATABASE_URL is not set.\n');
  const embedded = await startOperatorProcess();
  try {
    rows.push(...(await measure('PGlite', embedded)));
  } finally {
    await embedded.stop();
  }
  out(table(head, rows));
}

async function onPostgres(server: string): Promise<string[][]> {
  const database = await createDatabase(server);
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: createLog({ level: 'silent' }) });
  const operator = await startOperatorProcess({ databaseUrl: database.url });
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.db);
    return await measure('PostgreSQL', { ...operator, databasePid: parentOf(rows[0]?.pid ?? 0) });
  } finally {
    await store.close();
    await operator.stop();
    await database.drop();
  }
}

/** One row per load. `databasePid` is the root of the database's processes, when they are on this machine. */
async function measure(
  database: string,
  { url, pid, databasePid = 0 }: { url: string; pid: number; databasePid?: number },
): Promise<string[][]> {
  await runLoad(url, { count: 500, concurrency: 16, prefix: 'warm' });
  const rows: string[][] = [];
  for (const load of LOADS) {
    const results: (LoadResult & { operator: number; database: number })[] = [];
    for (let n = 0; n < RUNS; n++) {
      const before = { operator: cpuMs(pid), database: databasePid ? cpuMs(databasePid) : 0 };
      const result = await runLoad(url, { ...load, prefix: `c${load.concurrency}-${n}` });
      if (result.statuses['200'] !== load.count) throw new Error(`not all reports were stored: ${JSON.stringify(result.statuses)}`);
      const per = (ms: number): number => ms / load.count;
      results.push({
        ...result,
        operator: per(cpuMs(pid) - before.operator),
        database: databasePid ? per(cpuMs(databasePid) - before.database) : 0,
      });
    }
    const of = (value: (result: (typeof results)[number]) => number, digits: number): string => spread(results.map(value), digits);
    rows.push([
      database,
      String(load.concurrency),
      of((result) => result.perSecond, 0),
      of((result) => percentile(result.latencies, 0.5), 1),
      of((result) => percentile(result.latencies, 0.99), 1),
      of((result) => result.operator, 2),
      databasePid ? of((result) => result.database, 2) : 'in the operator',
    ]);
  }
  return rows;
}
