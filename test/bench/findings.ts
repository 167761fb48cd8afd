import { postgresUrl } from '../support/database/database.ts';
import type { FindingLoad } from '../support/load/finding.ts';
import { type MeasuredOperator, withMeasuredOperators } from '../support/processes/measured-operator.ts';
import { type LoadResult, runFindingLoad } from '../support/processes/operator.ts';
import { type Bench, percentile, spread, table, type Tree } from './bench.ts';

const RUNS = 3;
const CONCURRENCY = 64;
const LOADS: Pick<FindingLoad, 'count' | 'perRequest' | 'hasManifest'>[] = [
  { count: 6_000, perRequest: 'one by one', hasManifest: true },
  { count: 6_000, perRequest: 'one by one', hasManifest: false },
  { count: 20_000, perRequest: 10, hasManifest: false },
  { count: 20_000, perRequest: 100, hasManifest: false },
  { count: 10_000, perRequest: 10, hasManifest: true },
];
const WARM: FindingLoad = { count: 1_000, concurrency: 16, prefix: 'warm', perRequest: 10, hasManifest: false, round: 0 };
/** The first scan, a second scan with the same findings, and a third in which every tenth finding has changed. */
const PASSES = ['new', 'the same again', 'a tenth changed'] as const;
type Pass = (typeof PASSES)[number];

/** Findings per second through the real operator on PostgreSQL, sent by another process. */
export const [name, compares] = ['findings', true] as const;

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  if (!postgresUrl) return out('Needs PostgreSQL: TEST_DATABASE_URL is not set.');
  out(`${CONCURRENCY} requests at once; load, operator and database on one machine. Median (lowest..highest) of ${RUNS} runs.\n`);
  const rows: string[][] = [];
  await withMeasuredOperators('PostgreSQL', trees, async (operators) => {
    for (const { url } of operators) await runFindingLoad(url, WARM);
    for (const load of LOADS) rows.push(...(await measure(operators, load)));
  });
  out(
    table(
      [
        'tree',
        'findings a request',
        'KB each',
        'pass',
        'findings/s',
        'request p99 ms',
        'operator CPU ms/finding',
        'database CPU ms/finding',
      ],
      rows,
    ),
  );
}

type Measured = LoadResult & { operator: number; database: number };

/** One row for each operator and pass. The operators take turns at each step. */
async function measure(operators: MeasuredOperator[], load: (typeof LOADS)[number]): Promise<string[][]> {
  const results = new Map<string, Measured[]>();
  for (let n = 0; n < RUNS; n++)
    for (const [round, pass] of PASSES.entries())
      for (const operator of operators) {
        const prefix = `${load.perRequest === 'one by one' ? 'one' : load.perRequest}-${load.hasManifest}-${n}`;
        const measured = await step(operator, { ...load, prefix, concurrency: CONCURRENCY, round: Math.max(0, round - 1) });
        const key = `${pass}\n${operator.tree}`;
        results.set(key, [...(results.get(key) ?? []), measured]);
      }
  return PASSES.flatMap((pass) => operators.map(({ tree }) => rowOf(tree, load, pass, results.get(`${pass}\n${tree}`) ?? [])));
}

async function step(operator: MeasuredOperator, load: FindingLoad): Promise<Measured> {
  const { result, spent } = await operator.spentOn(() => runFindingLoad(operator.url, load));
  const refused = Object.keys(result.statuses).filter((status) => status !== '200');
  if (refused.length > 0) throw new Error(`not all findings were stored: ${JSON.stringify(result.statuses)}`);
  return { ...result, operator: spent.operator / load.count, database: (spent.database ?? 0) / load.count };
}

function rowOf(tree: string, { perRequest, hasManifest }: (typeof LOADS)[number], pass: Pass, results: Measured[]): string[] {
  const of = (value: (result: Measured) => number, digits: number): string => spread(results.map(value), digits);
  const findings = perRequest === 'one by one' ? 1 : perRequest;
  return [
    ...[tree, String(findings), hasManifest ? '3.7' : '0.6', pass],
    of(({ perSecond }) => perSecond * findings, 0),
    of(({ latencies }) => percentile(latencies, 0.99), 1),
    of(({ operator }) => operator, 3),
    of(({ database }) => database, 3),
  ];
}
