import { type LoadResult, runLoad } from '../support/processes/operator.ts';
import { type Engine, ENGINES, type MeasuredOperator, type Spent, withMeasuredOperators } from '../support/processes/measured-operator.ts';
import { type Bench, percentile, spread, table, type Tree } from './bench.ts';

const RUNS = 5;
const LOADS = [
  { concurrency: 1, count: 200 },
  { concurrency: 16, count: 1_000 },
  { concurrency: 64, count: 2_500 },
];
const PASSES = ['new', 'repeated'] as const;

/** Failures per second through the real operator: new ones, then the same again. Another process reports them. */
export const [name, compares] = ['ingest', true] as const;

export async function run(out: Parameters<Bench['run']>[0], trees: Tree[]): Promise<void> {
  out(
    `Reports of 7.8 KB, each of a new pod, then all of them again; load, operator and database on one machine. Median (lowest..highest) of ${RUNS} runs; the trees take turns.\n`,
  );
  const rows: string[][] = [];
  for (const engine of ENGINES)
    await withMeasuredOperators(engine, trees, async (operators) => {
      for (const { url } of operators) await runLoad(url, { count: 1_000, concurrency: 16, prefix: 'warm' });
      for (const load of LOADS) rows.push(...(await measure(engine, operators, load)));
    });
  out(
    table(
      ['database', 'reports', 'at once', 'tree', 'reports/s', 'p50 ms', 'p99 ms', 'operator CPU ms/report', 'database CPU ms/report'],
      rows,
    ),
  );
}

type Measured = LoadResult & { spent: Spent };

/** One row for each pass and tree. */
async function measure(engine: Engine, operators: MeasuredOperator[], load: (typeof LOADS)[number]): Promise<string[][]> {
  const results = new Map<string, Measured[]>();
  for (let n = 0; n < RUNS; n++)
    for (const pass of PASSES)
      for (const operator of n % 2 ? operators.toReversed() : operators) {
        const { result, spent } = await operator.spentOn(() => runLoad(operator.url, { ...load, prefix: `c${load.concurrency}-${n}` }));
        if (result.statuses['200'] !== load.count) throw new Error(`not all reports were stored: ${JSON.stringify(result.statuses)}`);
        const key = `${pass}\n${operator.tree}`;
        results.set(key, [...(results.get(key) ?? []), { ...result, spent }]);
      }
  return PASSES.flatMap((pass) =>
    operators.map(({ tree }) => [engine, pass, String(load.concurrency), tree, ...figures(results.get(`${pass}\n${tree}`) ?? [], load)]),
  );
}

function figures(results: Measured[], { count }: (typeof LOADS)[number]): string[] {
  const of = (value: (result: Measured) => number, digits: number): string => spread(results.map(value), digits);
  return [
    of(({ perSecond }) => perSecond, 0),
    of(({ latencies }) => percentile(latencies, 0.5), 1),
    of(({ latencies }) => percentile(latencies, 0.99), 1),
    of(({ spent }) => spent.operator / count, 3),
    results[0]?.spent.database === undefined ? 'in the operator' : of(({ spent }) => (spent.database ?? 0) / count, 3),
  ];
}
