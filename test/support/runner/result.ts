/** The result of one test file. */
export interface Result {
  file: string;
  passed: number;
  failed: number;
  /** Reasons of suites that did not run. */
  skips: string[];
  skipped: number;
  seconds: number;
  output: string;
}

/** In CI, flaky files count as failed. */
export const isCI = process.env['CI'] === 'true';
/** CI has everything that tests need. So skipped tests count as failed there too. `ALLOW_SKIPPED` is for a CI without a cluster. */
const isStrict = isCI && process.env['ALLOW_SKIPPED'] !== 'true';

/** Reads uvu's summary. A file counts as at least one failure if it ends with an error, or if it has neither a test nor a skip. */
export function resultOf(file: string, { output, code, seconds }: { output: string; code: number | null; seconds: number }): Result {
  const number = (label: string): number =>
    sum([...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'gm'))].map((match) => Number(match[1])));
  const [total, passed, left] = [number('Total'), number('Passed'), number('Skipped')];
  const skips = [...output.matchAll(/^SKIP (.+)$/gm)].map((match) => match[1] ?? '');
  const isEmpty = total === 0 && skips.length === 0;
  return {
    file,
    passed,
    failed: Math.max(total - passed - left, code === 0 && !isEmpty ? 0 : 1),
    skips,
    skipped: left + skips.length,
    seconds,
    output: isEmpty && code === 0 ? `${output}no test ran\n` : output,
  };
}

/** Prints one line for a file, and its output when it failed. */
export function printResult({ file, passed, failed, skips, skipped, seconds, output }: Result): void {
  const isBad = failed > 0 || (isStrict && skipped > 0);
  const numbers = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean).join(', ');
  console.log(`${isBad ? 'FAIL' : 'ok  '} ${file}  ${numbers}  ${seconds.toFixed(1)} s`);
  for (const reason of skips) console.log(`     skipped ${reason}`);
  if (failed > 0) console.log(output.replace(/^/gm, '     | '));
}

/** Prints the last lines. A file in `flaky` failed in `all` and passed when it ran alone. Returns the exit code. */
export function printSummary(all: Result[], flaky: Result[], seconds: number): number {
  const flakyFiles = new Set(flaky.map(({ file }) => file));
  const counted = isCI ? all : [...all.filter(({ file }) => !flakyFiles.has(file)), ...flaky];
  const skipped = sum(counted.map((result) => result.skipped));
  const passed = sum(counted.map((result) => result.passed));
  const failed = sum(counted.map((result) => result.failed)) + (isStrict ? skipped : 0);
  const bad = counted.filter((result) => result.failed > 0 || (isStrict && result.skipped > 0)).map((result) => result.file);
  console.log(`\n${all.length} files in ${seconds.toFixed(1)} s`);
  if (bad.length > 0) console.log(`failed: ${bad.sort().join(' ')}`);
  if (isStrict && skipped > 0) console.log('CI=true: what is skipped counts as failed');
  if (isCI && flaky.length > 0) console.log('CI=true: what is flaky counts as failed');
  if (flaky.length > 0) console.log(`flaky (failed first, passed alone): ${[...flakyFiles].sort().join(' ')}`);
  console.log(`${passed} passed, ${failed} failed, ${isStrict ? 0 : skipped} skipped`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}
