import type { Store } from '../../src/db/connect.ts';
import { failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { eventHub, internalBus } from '../../src/events.ts';
import { failureIntake, type Intake } from '../../src/failures/intake.ts';
import { createLog } from '../../src/log.ts';
import { FORMATS } from '../../src/redact/formats/list.ts';
import { type ReportMask, reportMask } from '../../src/redact/report.ts';
import { maskText } from '../../src/redact/text.ts';
import { random } from '../support/builders/random.ts';
import { memoryStore } from '../support/database/store.ts';
import { LOGS_OF_PROGRAMS, STRANGE } from '../support/load/logs.ts';
import { loadReport } from '../support/load/report.ts';
import { type Bench, spread, table } from './bench.ts';

export const name = 'masking';

const MEGABYTE = 1024 * 1024;
const TIMES = 5;
/** An eighth of a megabyte is enough for repeated fragments. */
const SAMPLE = MEGABYTE / 8;
const HUNT_MS = 30_000;
const REPORTS = 300;

/** Measures CPU time, so that other work on the machine has little effect. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const logs = Object.entries(LOGS_OF_PROGRAMS).map(([what, line]): [string, number] => [what, cost(filled(line, MEGABYTE), TIMES)]);
  const mixed = cost(filled(Object.values(LOGS_OF_PROGRAMS).join(''), MEGABYTE), TIMES);
  const { found, tried } = hunt(mixed);
  out(`Milliseconds of processor for a megabyte, median of ${TIMES}. The slowest of ${tried} repeated fragments come last.\n`);
  const rows = [...logs, ['all of these logs', mixed] as const, ...found.map(([what, ms]) => [JSON.stringify(what), ms] as const)];
  out(
    table(
      ['text', 'ms', 'times the logs together'],
      rows.map(([what, ms]) => [what, ms.toFixed(1), (ms / mixed).toFixed(2)]),
    ),
  );
  out(`\nIntake on PGlite with and without the mask: milliseconds of processor for a report, median (lowest..highest) of ${TIMES}.\n`);
  out(table(['reports', 'without', 'with', 'ratio of the medians'], await intakes()));
}

function filled(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

/** Milliseconds for a megabyte in UTF-8. */
function cost(text: string, times: number): number {
  const bytes = Buffer.byteLength(text);
  const spent = Array.from({ length: times + 1 }, () => (spentMs(() => maskText(text)) * MEGABYTE) / bytes);
  return median(spent.slice(1));
}

function spentMs(work: () => unknown): number {
  const begun = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000;
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const WORDS =
  'password token secret key api auth cookie name value id is was set to the with for user login mysql redis-cli sshpass docker kty d ' +
  'argument requirepass identified by bearer bot PASSWORD DB_PASSWORD API_KEY entry clé senha пароль 密码 é eyJ $6$ {SHA} 8Q~ -p -u --user salt pin';
const SIGNS = [
  ...' |\n|:|=|@|/|"|\'|<|>|{|[|(|,|;|.|-|_|~|$|%|\\|*|&|?|0|1|a|A'.split('|'),
  '://',
  ': ',
  '--',
  '%3D',
  '\\n',
  '\u001b[0m',
  '":"',
  '="',
];

/** Joins token prefixes, words and punctuation at random, mutates the slowest texts, and returns the slowest with their costs. */
function hunt(mixed: number): { found: [string, number][]; tried: number } {
  const { pick, integer } = random(7);
  const atoms = [...SIGNS, ...SIGNS, ...WORDS.split(' '), ...FORMATS.map(({ prefix }) => prefix)];
  const costs = new Map<string, number>();
  const measure = (part: string): void => {
    const once = cost(filled(part, SAMPLE), 1);
    costs.set(part, once > 1.5 * mixed ? cost(filled(part, SAMPLE), 3) : once);
  };
  const slowest = (count: number): [string, number][] => [...costs].toSorted(([, a], [, b]) => b - a).slice(0, count);
  for (const part of [...Object.values(STRANGE), ...FORMATS.flatMap(({ prefix }) => [`${prefix} `, `${prefix}.`])]) measure(part);
  const until = performance.now() + HUNT_MS;
  while (performance.now() < until) {
    const [base] = pick(slowest(20));
    const at = integer(base.length + 1);
    const part = pick([
      () => Array.from({ length: 1 + integer(4) }, () => pick(atoms)).join(''),
      () => base.slice(0, at) + pick(atoms) + base.slice(at),
      () => base.slice(0, at) + base.slice(at + 1),
      () => base + pick(slowest(20))[0],
    ])();
    if (part !== '' && part.length <= 40 && !costs.has(part)) measure(part);
  }
  return { found: slowest(12).map(([part]) => [part, cost(filled(part, SAMPLE), TIMES)]), tried: costs.size };
}

/** New failures and repeats of them, with each mask in turn. */
async function intakes(): Promise<string[][]> {
  const masks: Record<string, ReportMask> = { without: (report) => report, with: reportMask() };
  const store = await memoryStore();
  try {
    const spent: Record<string, number[]> = {};
    for (let turn = 0; turn <= TIMES; turn++)
      for (const [which, mask] of Object.entries(masks)) {
        const intake = intakeOver(store, mask);
        const reports = Array.from({ length: REPORTS }, (_, n) => loadReport(n, `${which}-${turn}`));
        const [first, again] = [await reported(intake, reports), await reported(intake, reports)];
        // The first round is a warm-up.
        if (turn === 0) continue;
        (spent[`new ${which}`] ??= []).push(first);
        (spent[`repeated ${which}`] ??= []).push(again);
      }
    return ['new', 'repeated'].map((kind) => {
      const [without = [], masked = []] = [spent[`${kind} without`], spent[`${kind} with`]];
      return [kind, spread(without, 2), spread(masked, 2), (median(masked) / median(without)).toFixed(2)];
    });
  } finally {
    await store.close();
  }
}

async function reported(intake: Intake, reports: string[]): Promise<number> {
  const begun = process.cpuUsage();
  await Promise.all(reports.map((report) => intake.report(JSON.parse(report) as FailureReport, new Date())));
  const { user, system } = process.cpuUsage(begun);
  return (user + system) / 1000 / reports.length;
}

function intakeOver({ db }: Store, mask: ReportMask): Intake {
  return failureIntake({
    reports: reportRepository(db),
    incidents: incidentRepository(db),
    failureSuppressions: failureSuppressionRepository(db),
    hub: eventHub(),
    bus: internalBus(),
    cluster: 'bench',
    suppressionOf: () => undefined,
    mask,
    diagnose,
    log: createLog({ level: 'silent' }),
  });
}
