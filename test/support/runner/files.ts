import { readFileSync, writeFileSync } from 'node:fs';
import { glob, mkdir } from 'node:fs/promises';

export const root = new URL('../../../', import.meta.url);

/** Where the runner keeps compiled modules and the times of the last run. */
export const CACHE = new URL('node_modules/.cache/podmend/', root);

/** All test files whose path contains one of `parts`, or all files without `parts`. The slowest ones of the last run come first. */
export async function testFiles(parts: string[]): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob('test/**/*.test.ts', { cwd: root.pathname })) found.push(file);
  return slowestFirst(found.filter((file) => parts.length === 0 || parts.some((part) => file.includes(part))));
}

/** `*.node.test.ts` share one cluster with a real kubelet, so they run one after another. */
export function isOnNode(file: string): boolean {
  return file.endsWith('.node.test.ts');
}

/**
 * Files that need their own process: they start and measure processes, read what this process writes or emits, or change its global state.
 * All others share a few processes, which saves starting Node, loading modules and opening databases.
 */
const OWN_PROCESS =
  /^test\/(dashboard|stories|outages|deploy|modes|kube)\/|^test\/(main|log|http|architecture)\.test\.ts$|\.node\.test\.ts$/;

export function needsOwnProcess(file: string): boolean {
  return OWN_PROCESS.test(file);
}

/** Whether a file uses long.ts. */
export function hasLongForm(file: string): boolean {
  return readFileSync(new URL(file, root), 'utf8').includes('runner/long.ts');
}

/** A file without a known time counts as slow, so that it does not come last. */
function slowestFirst(all: string[]): string[] {
  const seconds = lastSeconds();
  const known = (file: string): number => (isOnNode(file) ? 10_000 : 0) + (seconds[file] ?? (file.includes('/stories/') ? 1000 : 100));
  return all.sort((a, b) => known(b) - known(a) || a.localeCompare(b));
}

function lastSeconds(): Record<string, number> {
  try {
    return JSON.parse(readFileSync(new URL('seconds.json', CACHE), 'utf8')) as Record<string, number>;
  } catch {
    return {};
  }
}

/** Stores how long each file took. The next run uses it for its order. */
export async function rememberSeconds(all: { file: string; seconds: number }[]): Promise<void> {
  const seconds = { ...lastSeconds(), ...Object.fromEntries(all.map(({ file, seconds: took }) => [file, Number(took.toFixed(1))])) };
  await mkdir(CACHE, { recursive: true });
  writeFileSync(new URL('seconds.json', CACHE), JSON.stringify(seconds));
}
