import type { Suppression } from '../../src/crd/suppression.ts';
import type { Store } from '../../src/db/connect.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { internalBus } from '../../src/events.ts';
import { suppressionApplier } from '../../src/suppressions/apply.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { aSuppression } from '../support/builders/suppression.ts';
import { type Bench, spread, table } from './bench.ts';

const RUNS = 5;
const RECORDS = 20_000;
const STORED_AT_ONCE = 500;

/** Milliseconds. */
interface Cost {
  wall: number;
  cpu: number;
}

/** How long the stored failures and findings take to follow a new or deleted Suppression. */
export const name = 'suppressing';

export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  out(`${RECORDS} open failures and as many findings, half of which are matched. Median (lowest..highest) of ${RUNS} runs.\n`);
  const rows: string[][] = [];
  for (const engine of engines('suppressible records')) {
    const store = await engine.open();
    try {
      await fill(store);
      rows.push(...(await measure(engine.name, store)));
    } finally {
      await store.close();
    }
  }
  out(table(['database', 'records', 'hide ms', 'bring back ms', 'CPU ms to hide', 'CPU ms to bring back'], rows));
}

async function fill({ db }: Store): Promise<void> {
  const [reports, findings] = [reportRepository(db), findingRepository(db)];
  for (let from = 0; from < RECORDS; from += STORED_AT_ONCE) {
    const numbers = Array.from({ length: STORED_AT_ONCE }, (_, n) => from + n);
    const half = (n: number): string => (n % 2 ? 'known' : 'other');
    await reports.store(
      numbers.map((n) => aReportRow({ identity: `${n}`, pod_uid: `${n}`, pod_name: `${half(n)}-${n}`, owner: `Deployment/${n % 100}` })),
    );
    const found = numbers.map((n) => aFindingRow({ resource_name: `pod-${n}`, check_name: half(n), details: { images: ['a:1'] } }));
    await findings.store(found.map(readyFinding), [], new Date());
  }
}

async function measure(database: string, { db }: Store): Promise<string[][]> {
  let suppressions: Suppression[] = [];
  const hold = suppressionApplier({
    hiddenNamespaces: [],
    suppressible: { failures: failureSuppressionRepository(db), findings: findingSuppressionRepository(db) },
    suppressions: () => suppressions,
    rules: async () => ({ operatorNamespace: 'podmend', tenantsHideHigh: false }),
    bus: internalBus(),
    now: () => new Date(),
  });
  const timed = async (given: Suppression[]): Promise<Cost> => {
    suppressions = given;
    const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
    await hold();
    const { user, system } = process.cpuUsage(cpuBegan);
    return { wall: performance.now() - began, cpu: (user + system) / 1000 };
  };
  const rows: string[][] = [];
  for (const [records, suppression] of [
    ['failures', aSuppression({ pods: ['known-*'] })],
    ['findings', aSuppression({ checks: ['known'] })],
  ] as const) {
    const hidden: Cost[] = [];
    const back: Cost[] = [];
    for (let n = 0; n < RUNS; n++) {
      hidden.push(await timed([suppression]));
      back.push(await timed([]));
    }
    const of = (runs: Cost[], what: keyof Cost) =>
      spread(
        runs.map((one) => one[what]),
        0,
      );
    rows.push([database, records, of(hidden, 'wall'), of(back, 'wall'), of(hidden, 'cpu'), of(back, 'cpu')]);
  }
  return rows;
}
