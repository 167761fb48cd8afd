import { hasLongForm, isOnNode, needsOwnProcess, rememberSeconds, testFiles } from './files.ts';
import { endAll, runAlone, sharedProcess, type SharedProcess } from './processes.ts';
import { isCI, printResult, printSummary, type Result } from './result.ts';

// `npm test [-- part-of-a-path…]`, as test/README.md describes it. `npm run soak` runs only the files that have a long form, in that form.

const soak = process.env['SOAK'] === 'true';
const FILE_LIMIT_MS = soak ? 3_600_000 : 600_000;
/**
 * Two for two cores, and four for the stories and the tests of the dashboard, which wait half of the time. In CI, real clusters and databases
 * run beside them.
 */
const AT_ONCE = soak ? 1 : isCI ? 2 : 6;
/** How many shared processes run at once. Each loads all modules, so more of them cost more than they save. */
const SHARED_AT_ONCE = soak ? 1 : 2;

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    endAll();
    process.exit(1);
  });
}

const wanted = process.argv.slice(2);
const files = (await testFiles(wanted)).filter((file) => !soak || hasLongForm(file));
if (files.length === 0) console.log(`no test file matches ${wanted.join(' ')}`);
const started = performance.now();
const queue = [...files];
const results: Result[] = [];
const idle: SharedProcess[] = Array.from({ length: SHARED_AT_ONCE }, sharedProcess);
let isNodeTaken = false;

await Promise.all(Array.from({ length: AT_ONCE }, lane));
for (const shared of idle) report(await shared.end());
await rememberSeconds(results);
const flaky = await flakyOnes(results.filter(({ failed }) => failed > 0));
process.exitCode = printSummary(results, flaky, (performance.now() - started) / 1000);

/** Runs files from the queue until no file is left that may run beside the others. */
async function lane(): Promise<void> {
  for (let file = next(); file !== undefined; file = next()) {
    if (needsOwnProcess(file)) report(await runAlone(file, FILE_LIMIT_MS));
    else {
      const shared = idle.pop() as SharedProcess;
      report(await shared.run(file, FILE_LIMIT_MS));
      idle.push(shared);
    }
    if (isOnNode(file)) isNodeTaken = false;
  }
}

/**
 * The next file in the queue that has what it needs: the node, or a shared process. The lane that uses these now comes back for the rest.
 */
function next(): string | undefined {
  const index = queue.findIndex((file) => (isOnNode(file) ? !isNodeTaken : needsOwnProcess(file) || idle.length > 0));
  const [file] = index < 0 ? [] : queue.splice(index, 1);
  if (file !== undefined && isOnNode(file)) isNodeTaken = true;
  return file;
}

function report(result: Result | undefined): void {
  if (!result) return;
  results.push(result);
  printResult(result);
}

/** Runs each failed file once more, alone on the machine. Returns the results of the files that pass then: they are flaky. */
async function flakyOnes(failed: Result[]): Promise<Result[]> {
  const again: Result[] = [];
  for (const { file } of failed.filter((one) => files.includes(one.file))) {
    const result = await runAlone(file, FILE_LIMIT_MS);
    console.log(`${result.failed > 0 ? 'fails alone as well' : 'passes alone'}: ${file}`);
    if (result.failed === 0) again.push(result);
  }
  return again;
}
