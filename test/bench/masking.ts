import { FORMATS } from '../../src/redact/formats/list.ts';
import { maskText } from '../../src/redact/text.ts';
import { LOGS_OF_PROGRAMS, STRANGE } from '../support/load/logs.ts';
import { type Bench, table } from './bench.ts';

export const name = 'masking';

const MEGABYTE = 1024 * 1024;
const TIMES = 5;

/** What it costs to mask a megabyte of log, and how much more the worst text that we know. Processor time: other work does not count. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const logs = Object.entries(LOGS_OF_PROGRAMS).map(([what, line]): [string, number] => [what, cost(filled(line))]);
  const mixed = cost(filled(Object.values(LOGS_OF_PROGRAMS).join('')));
  const strange = Object.entries(STRANGE).map(([what, part]): [string, number] => [what, cost(filled(part))]);
  const prefixes = FORMATS.map(({ kind, prefix }): [string, number] => [`the beginning of: ${kind}`, cost(filled(`${prefix} `), 1)]);
  const worst = [...strange, ...prefixes].toSorted(([, a], [, b]) => b - a);
  out(`Milliseconds of processor for a megabyte, median of ${TIMES}.\n`);
  out(
    table(
      ['text', 'ms', 'times the logs together'],
      [...logs, ['all of these logs', mixed] as const, ...worst.slice(0, 12)].map(([what, ms]) => [
        what,
        ms.toFixed(1),
        (ms / mixed).toFixed(2),
      ]),
    ),
  );
}

function filled(part: string): string {
  return part.repeat(Math.ceil(MEGABYTE / part.length)).slice(0, MEGABYTE);
}

function cost(text: string, times = TIMES): number {
  maskText(text.slice(0, MEGABYTE / 8));
  const spent = Array.from({ length: times }, () => {
    const begun = process.cpuUsage();
    maskText(text);
    return process.cpuUsage(begun).user / 1000;
  });
  return spent.toSorted((a, b) => a - b)[Math.floor(times / 2)] ?? Number.NaN;
}
