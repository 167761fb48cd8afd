import { sql } from 'kysely';
import { Pool } from 'undici';
import { openStore } from '../../src/db/connect.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createLog } from '../../src/log.ts';
import { startBareServer } from '../support/load/bare-server.ts';
import { apiClient } from '../support/network/client.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { manyFailures, manyFindings } from '../support/database/many-rows.ts';
import { type MeasuredOperator, type Spent, withMeasuredOperators } from '../support/processes/measured-operator.ts';
import { runLoad, startOperatorProcess } from '../support/processes/operator.ts';
import { cpuMs, rssMiB } from '../support/processes/proc.ts';
import { type Bench, percentile, spread, table, type Tree } from './bench.ts';

const [FAILURES, FINDINGS, LIST] = [100_000, 50_000, 5_000];
const [PAGES, CONCURRENCY, LISTS] = [800, 8, 10];
/** Fewer runs, because a search reads the text of every record. */
const SEARCHES = 40;
/** The interval between samples of resident memory while a list streams. */
const RSS_MS = 20;

/** A comparison uses fewer records: each operator stores its own, because the tables of another commit may differ. */
const COMPARED = { records: 10_000, pages: 300, runs: 5 };

/** Pages and lists of an operator with very many records, on PostgreSQL. */
export const [name, compares] = ['pages', true] as const;

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  if (!postgresUrl) return out('Left out: TEST_DATABASE_URL is not set.');
  if (trees.length > 1) return compare(out, trees);
  out(`${FAILURES} failures and ${FINDINGS} findings; reader, operator and database on one machine; ${CONCURRENCY} at once.\n`);
  const database = await createDatabase(postgresUrl);
  const store = await openStore({ databaseUrl: database.url, dataDir: '', log: createLog({ level: 'silent' }) });
  await migrate(store.db);
  await manyFailures(store.db, FAILURES, { mixed: true });
  await manyFindings(store.db, FINDINGS);
  const operator = await startOperatorProcess({ databaseUrl: database.url });
  const bare = await startBareServer(database.url);
  const [reader, bareReader] = [operator, bare].map(({ url }) => new Pool(url, { connections: CONCURRENCY, pipelining: 1 })) as [
    Pool,
    Pool,
  ];
  try {
    const cookie = await signUp(operator.url);
    const ids = await store.db.selectFrom('failures').select('id').where('status', '=', 'new').orderBy('id').execute();
    const findingIds = await store.db.selectFrom('findings').select('id').orderBy('id').execute();
    const from = (all: { id: number }[], n: number): number => all[(n * 7919) % all.length]?.id ?? 0;
    const readers: [string, (n: number) => string, number?][] = [
      ['failures, first page', () => '/api/pods/failed?limit=100'],
      ['failures, any page', (n) => `/api/pods/failed?limit=100&before=${from(ids, n)}`],
      ['failures of a namespace', (n) => `/api/pods/failed?limit=100&namespace=team-${n % 20}`],
      ['history, any page', (n) => `/api/pods/history?limit=100&before=${from(ids, n)}`],
      ['failures that hold a text (rare)', (n) => `/api/pods/failed?limit=100&q=web-${n % 10}99`, SEARCHES],
      ['findings, any page', (n) => `/api/security/findings?limit=100&before=${from(findingIds, n)}`],
      ['critical findings', () => '/api/security/findings?limit=100&severity=critical'],
    ];
    const rows: string[][] = [];
    const ours = { pid: operator.pid, by: reader };
    const measure = async (
      what: string,
      address: (n: number) => string,
      count = PAGES,
      { pid, by, headers } = { ...ours, headers: {} },
    ) => {
      const before = cpuMs(pid);
      const { seconds, latencies, statuses } = await read(by, { count, address, headers: { cookie, ...headers } });
      const cpu = (cpuMs(pid) - before) / count;
      const [middle, late] = [0.5, 0.99].map((part) => percentile(latencies, part).toFixed(1));
      rows.push([what, String(Math.round(count / seconds)), middle ?? '', late ?? '', cpu.toFixed(2), statuses]);
    };
    const [, [, anyPage]] = readers as [unknown, [string, (n: number) => string]];
    // Round 0 is a warm-up for both servers.
    for (const round of [0, 1]) {
      await measure('the least that a server can do: any page', anyPage, PAGES, { pid: bare.pid, by: bareReader, headers: {} });
      for (const [what, address, count] of readers) await measure(what, address, count);
      if (round === 0) rows.length = 0;
    }
    const first = '/api/pods/failed?limit=100';
    const known = await reader.request({ path: first, method: 'GET', headers: { cookie } });
    await known.body.dump();
    await measure('the same page again (304)', () => first, 4 * PAGES, {
      ...ours,
      headers: { 'if-none-match': String(known.headers['etag']) },
    });
    out(table(['page of 100', 'per second', 'p50 ms', 'p99 ms', 'operator CPU ms', 'statuses'], rows));

    await sql`truncate failures cascade`.execute(store.db);
    await manyFailures(store.db, LIST);
    out();
    out(table(['list', 'p50 ms', 'longest ms', 'RSS before MiB', 'RSS added MiB'], [await list(operator, reader, cookie)]));
  } finally {
    await Promise.all([reader.destroy(), bareReader.destroy()]);
    await bare.stop();
    await operator.stop();
    await store.close();
    await database.drop();
  }
}

async function compare(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  const { records, pages, runs } = COMPARED;
  out(`${records} reported failures; ${CONCURRENCY} readers at once. Median (lowest..highest) of ${runs} runs; the trees take turns.\n`);
  await withMeasuredOperators('PostgreSQL', trees, async (operators) => {
    const read = await Promise.all(operators.map(readersOf));
    const spent = new Map<string, Spent[]>();
    // The first round is a warm-up.
    for (let n = 0; n <= runs; n++)
      for (const what of Object.keys(ADDRESSES))
        for (const { tree, pages: of } of n % 2 ? read.toReversed() : read) {
          const one = await of(what as keyof typeof ADDRESSES, pages);
          if (n > 0) spent.set(`${what}\n${tree}`, [...(spent.get(`${what}\n${tree}`) ?? []), one]);
        }
    const per = (all: Spent[], value: (one: Spent) => number) =>
      spread(
        all.map((one) => value(one) / pages),
        2,
      );
    const rows = [...spent].map(([key, all]) => [
      ...key.split('\n'),
      per(all, ({ operator }) => operator),
      per(all, ({ database }) => database ?? 0),
    ]);
    out(table(['page', 'tree', 'operator CPU ms', 'database CPU ms'], rows));
    for (const { end } of read) await end();
  });
}

/** The address of each reading, from the id of the newest record and the number of the reading. */
const ADDRESSES = {
  'failures, first page': () => '/api/pods/failed?limit=100',
  'failures, any page': (newest: number, n: number) => `/api/pods/failed?limit=100&before=${newest - ((n * 7919) % (newest - 200))}`,
  'failures of a namespace': (_: number, n: number) => `/api/pods/failed?limit=100&namespace=team-${n % 20}`,
  'one record': (newest: number, n: number) => `/api/pods/failed/${newest - ((n * 7919) % COMPARED.records)}`,
};

/** Reports the records to an operator. Returns a function that reads its pages. */
async function readersOf({ tree, url, spentOn }: MeasuredOperator) {
  await runLoad(url, { count: COMPARED.records, concurrency: 64, prefix: 'page' });
  const cookie = await signUp(url);
  const pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 });
  const { body } = await pool.request({ path: '/api/pods/failed?limit=1', method: 'GET', headers: { cookie } });
  const [{ id = 0 } = {}] = (await body.json()) as { id?: number }[];
  return {
    tree,
    async pages(what: keyof typeof ADDRESSES, count: number): Promise<Spent> {
      const address = (n: number) => ADDRESSES[what](id, n);
      const { result, spent } = await spentOn(() => read(pool, { count, address, headers: { cookie } }));
      if (result.statuses !== `200 × ${count}`) throw new Error(`${what} of ${tree}: ${result.statuses}`);
      return spent;
    },
    end: () => pool.destroy(),
  };
}

async function list({ pid }: { pid: number }, reader: Pool, cookie: string): Promise<string[]> {
  const before = rssMiB(pid);
  let most = before;
  const watch = setInterval(() => void (most = Math.max(most, rssMiB(pid))), RSS_MS);
  const { latencies } = await read(reader, {
    count: LISTS,
    address: () => '/api/pods/failed',
    headers: { cookie, 'accept-encoding': 'gzip' },
    atOnce: 1,
  });
  clearInterval(watch);
  const [middle, longest] = [percentile(latencies, 0.5), Math.max(...latencies)].map((ms) => ms.toFixed(0));
  return [`all ${LIST} failures, one after another`, middle ?? '', longest ?? '', before.toFixed(0), (most - before).toFixed(0)];
}

interface Reading {
  count: number;
  address(n: number): string;
  headers: Record<string, string>;
  atOnce?: number;
}

async function read(reader: Pool, { count, address, headers, atOnce = CONCURRENCY }: Reading) {
  const latencies: number[] = [];
  const statuses = new Map<number, number>();
  let next = 0;
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while (next < count) {
      const sent = performance.now();
      const { statusCode, body } = await reader.request({ path: address(next++), method: 'GET', headers });
      for await (const _ of body);
      latencies.push(performance.now() - sent);
      statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const told = [...statuses].map(([status, times]) => `${status} × ${times}`).join(', ');
  return { seconds: (performance.now() - began) / 1000, latencies, statuses: told };
}

async function signUp(url: string): Promise<string> {
  const answer = await apiClient(url).send('POST', '/api/auth/signup', { username: 'bench', password: 'correct horse' });
  return answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}
