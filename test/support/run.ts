import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { glob, mkdir } from 'node:fs/promises';

// `npm test [-- part-of-a-path…]`: one process per test file, up to four at a time, slowest first. See README, "Develop".
// `*.node.test.ts` share one cluster with a real kubelet, so they run one after another, beside the rest.
// `npm run soak` runs what has a long form (see long.ts) in that form, and nothing else.

/** The embedded database lives for a second in a test: optimising its WebAssembly would cost more than it saves. */
const FLAGS = ['--liftoff-only'];
const soak = process.env['SOAK'] === 'true';
const FILE_LIMIT_MS = soak ? 3_600_000 : 300_000;
/** Two for two cores and two for the stories, which come first and mostly wait. In CI real clusters and databases run beside them. */
const AT_ONCE = soak ? 1 : process.env['CI'] === 'true' ? 2 : 4;
const MEMORY = new URL('../../node_modules/.cache/podmend/', import.meta.url);
const HOOKS = new URL('hooks.ts', import.meta.url).href;
const root = new URL('../../', import.meta.url);
const strict = process.env['CI'] === 'true';
/** Compiled modules are shared by all files; coverage wants them compiled anew. */
const env = process.env['NODE_V8_COVERAGE'] ? process.env : { ...process.env, NODE_COMPILE_CACHE: MEMORY.pathname };

interface Result {
  file: string;
  passed: number;
  failed: number;
  skips: string[];
  skipped: number;
  seconds: number;
  output: string;
}

const alive = new Set<number>();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    for (const pid of alive) endGroup(pid);
    process.exit(1);
  });
}

const wanted = process.argv.slice(2);
const chosen = (file: string): boolean => wanted.length === 0 || wanted.some((part) => file.includes(part));
const files = slowestFirst((await testFiles()).filter((file) => chosen(file) && (!soak || hasLongForm(file))));
const started = performance.now();
const results: Result[] = [];
const queue = [...files];
let nodeIsTaken = false;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let file = next(); file !== undefined; file = next()) {
      const result = await run(file);
      if (isOnNode(file)) nodeIsTaken = false;
      results.push(result);
      tell(result);
    }
  }),
);
await remember(results);
process.exitCode = summary(results);

/** The next file in the queue; of those that share the node only when no other one runs. Whoever runs that one comes back for the rest. */
function next(): string | undefined {
  const index = queue.findIndex((file) => !isOnNode(file) || !nodeIsTaken);
  const [file] = index < 0 ? [] : queue.splice(index, 1);
  if (file !== undefined && isOnNode(file)) nodeIsTaken = true;
  return file;
}

function isOnNode(file: string): boolean {
  return file.endsWith('.node.test.ts');
}

function hasLongForm(file: string): boolean {
  return readFileSync(new URL(file, root), 'utf8').includes('support/long.ts');
}

async function testFiles(): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('test/**/*.test.ts', { cwd: root.pathname })) found.push(file);
  return found.sort();
}

/** In a process group of its own, so that a file that hangs takes what it started with it. */
function run(file: string): Promise<Result> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const child = spawn(process.execPath, [...FLAGS, '--import', HOOKS, file], {
      cwd: root,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const pid = child.pid ?? 0;
    alive.add(pid);
    let output = '';
    let late = false;
    const collect = (chunk: Buffer): void => void (output += chunk.toString());
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const limit = setTimeout(() => {
      late = true;
      endGroup(pid);
    }, FILE_LIMIT_MS);
    child.on('close', (code) => {
      clearTimeout(limit);
      endGroup(pid);
      alive.delete(pid);
      const ending = late ? `\nended after ${FILE_LIMIT_MS / 1000} s: something kept it open\n` : '';
      resolve(count(file, output + ending, late ? 1 : code, (performance.now() - begun) / 1000));
    });
  });
}

/** What the file left behind ends with it; nothing there is the usual case. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}

/** Reads uvu's own summary. A file that ends badly, or without having tested or skipped anything, counts as one failure at least. */
function count(file: string, output: string, code: number | null, seconds: number): Result {
  const number = (label: string): number =>
    sum([...output.matchAll(new RegExp(`^\\s*${label}:\\s+(\\d+)`, 'gm'))].map((match) => Number(match[1])));
  const [total, passed, left] = [number('Total'), number('Passed'), number('Skipped')];
  const skips = [...output.matchAll(/^SKIP (.+)$/gm)].map((match) => match[1] ?? '');
  const nothing = total === 0 && skips.length === 0;
  const failed = Math.max(total - passed - left, code === 0 && !nothing ? 0 : 1);
  return {
    file,
    passed,
    failed,
    skips,
    skipped: left + skips.length,
    seconds,
    output: nothing && code === 0 ? `${output}no test ran\n` : output,
  };
}

function tell({ file, passed, failed, skips, skipped, seconds, output }: Result): void {
  const bad = failed > 0 || (strict && skipped > 0);
  const numbers = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`].filter(Boolean).join(', ');
  console.log(`${bad ? 'FAIL' : 'ok  '} ${file}  ${numbers}  ${seconds.toFixed(1)} s`);
  for (const reason of skips) console.log(`     skipped ${reason}`);
  if (failed > 0) console.log(output.replace(/^/gm, '     | '));
}

function summary(all: Result[]): number {
  const skipped = sum(all.map((result) => result.skipped));
  const passed = sum(all.map((result) => result.passed));
  const failed = sum(all.map((result) => result.failed)) + (strict ? skipped : 0);
  const bad = all.filter((result) => result.failed > 0 || (strict && result.skipped > 0)).map((result) => result.file);
  console.log(`\n${all.length} files in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (bad.length > 0) console.log(`failed: ${bad.sort().join(' ')}`);
  if (strict && skipped > 0) console.log('CI=true: what is skipped counts as failed');
  if (all.length === 0) console.log(`no test file matches ${wanted.join(' ')}`);
  console.log(`${passed} passed, ${failed} failed, ${strict ? 0 : skipped} skipped`);
  return failed > 0 || passed === 0 ? 1 : 0;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, next) => total + next, 0);
}

/** How long files took last time, on this machine; unknown ones count as slow, so that they do not come last. */
function slowestFirst(all: string[]): string[] {
  const seconds = lastSeconds();
  const known = (file: string): number => (isOnNode(file) ? 10_000 : 0) + (seconds[file] ?? (file.includes('/stories/') ? 1000 : 100));
  return all.sort((a, b) => known(b) - known(a) || a.localeCompare(b));
}

function lastSeconds(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(new URL('seconds.json', MEMORY), 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

async function remember(all: Result[]): Promise<void> {
  const seconds = { ...lastSeconds(), ...Object.fromEntries(all.map(({ file, seconds: took }) => [file, Number(took.toFixed(1))])) };
  await mkdir(MEMORY, { recursive: true });
  writeFileSync(new URL('seconds.json', MEMORY), JSON.stringify(seconds));
}
