import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { until } from '../support/runner/wait.ts';
import { createDatabase, postgresUrl } from '../support/database/database.ts';
import { largeReport, SHAPES, type Shape } from '../support/load/large-report.ts';
import { startOperatorProcess, TOKEN } from '../support/processes/operator.ts';
import { type Bench, spread, table, type Tree } from './bench.ts';

const RUNS = 3;
const SIZES = [
  // Just below the size from which a report is read in a thread of its own.
  ['60 KB', 60_000],
  ['500 KB', 500_000],
  ['5 MB', 5_000_000],
] as const;
const PRELOAD = pathToFileURL(fileURLToPath(new URL('../support/load/longest-pause.ts', import.meta.url))).href;

/** The longest pause of the operator's event loop during one large report, for each shape of report. */
export const name = 'pauses';
export const compares = true;

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  if (!postgresUrl) return out('Left out: TEST_DATABASE_URL is not set.');
  out(
    `One report at a time, each of a new pod, on PostgreSQL. Longest turn of the event loop in ms of CPU: median (lowest..highest) of ${RUNS} reports.\n`,
  );
  for (const tree of trees) {
    const rows = await onTree(postgresUrl, tree);
    out(table([tree.name, ...SIZES.map(([size]) => size), 'answers'], rows));
    out();
  }
}

async function onTree(server: string, { launcher }: Tree): Promise<string[][]> {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-pauses-'));
  const file = join(folder, 'pause');
  const database = await createDatabase(server);
  const env = { NODE_OPTIONS: `--import ${PRELOAD}`, PAUSE_FILE: file };
  const operator = await startOperatorProcess({ databaseUrl: database.url, launcher, env });
  const longest = async (): Promise<number> => {
    rmSync(file, { force: true });
    process.kill(operator.pid, 'SIGUSR2');
    return Number(await until(() => (existsSync(file) ? readFileSync(file, 'utf8') : '') || undefined, { what: 'the longest pause' }));
  };
  const statuses = new Set<number>();
  const measure = async (shape: Shape, bytes: number, n: number): Promise<number> => {
    const body = largeReport(shape, bytes, `${shape.replaceAll(' ', '-')}-${bytes}-${n}`);
    await longest();
    const answer = await fetch(`${operator.url}/api/pods/failed`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-service-token': TOKEN },
      body,
    });
    await answer.arrayBuffer();
    statuses.add(answer.status);
    return longest();
  };
  try {
    // Warm-up: the first reports of a process are slower.
    for (const shape of SHAPES) for (const [, bytes] of SIZES) await measure(shape, bytes, 0);
    const rows: string[][] = [];
    for (const shape of SHAPES) {
      statuses.clear();
      const cells: string[] = [];
      for (const [, bytes] of SIZES) {
        const pauses: number[] = [];
        for (let n = 1; n <= RUNS; n++) pauses.push(await measure(shape, bytes, n));
        cells.push(spread(pauses));
      }
      rows.push([shape, ...cells, [...statuses].join(', ')]);
    }
    return rows;
  } finally {
    await operator.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  }
}
