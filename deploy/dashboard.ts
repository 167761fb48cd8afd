import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

// Builds the dashboard's files, which the operator serves, in dist/dashboard. `node deploy/dashboard.ts` does nothing if they were built
// from the same sources.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = `${root}dist/dashboard`;

/** A placeholder in index.html: the server replaces it by the nonce of each answer (src/api/dashboard.ts). */
const NONCE = '__CSP_NONCE__';
/** Files below this size, in bytes, do not get smaller. */
const WORTH_COMPRESSING = 1024;
/** The highest quality takes ten times as long and saves 3 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Builds in another folder and moves it to its place, so that nobody sees half a dashboard. `tell` is called when there is something to
 * build, and when it is built.
 */
export async function buildDashboard(tell: (line: string) => void = () => {}): Promise<void> {
  const sources = digestOfSources();
  if (builtOf() === sources) return;
  tell('Building the dashboard. This is needed once, and takes some ten seconds …');
  const began = performance.now();
  const fresh = `${root}dist/.dashboard-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    await build({
      configFile: false,
      root: `${root}src/dashboard`,
      logLevel: 'warn',
      plugins: [react()],
      html: { cspNonce: NONCE },
      // No data: addresses, no polyfill for old browsers, and a file with the licences of the bundled packages.
      build: {
        outDir: fresh,
        emptyOutDir: true,
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        chunkSizeWarningLimit: 800,
        license: { fileName: 'licences.md' },
      },
    });
    for (const name of globSync('assets/*', { cwd: fresh })) compress(`${fresh}/${name}`);
    writeFileSync(`${fresh}/sources`, sources);
    rmSync(target, { recursive: true, force: true });
    renameSync(fresh, target);
    tell(`The dashboard is built (${Math.round((performance.now() - began) / 1000)} s).`);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process has built it meanwhile.
    if (builtOf() !== sources) throw error;
  }
}

/** Writes `.br` and `.gz` beside a file. */
export function compress(file: string): void {
  const content = readFileSync(file);
  if (content.length < WORTH_COMPRESSING) return;
  writeFileSync(`${file}.br`, brotliCompressSync(content, BROTLI));
  writeFileSync(`${file}.gz`, gzipSync(content));
}

function builtOf(): string | undefined {
  try {
    return readFileSync(`${target}/sources`, 'utf8');
  } catch {
    return undefined;
  }
}

function digestOfSources(): string {
  const files = globSync(['src/dashboard/**/*.*', 'src/contract/*.ts', 'deploy/dashboard.ts', 'package-lock.json'], { cwd: root }).sort();
  const digest = createHash('sha256');
  for (const file of files) digest.update(`${file}\0`).update(readFileSync(root + file));
  return digest.digest('hex');
}

if (import.meta.main) await buildDashboard((line) => void process.stdout.write(`${line}\n`));
