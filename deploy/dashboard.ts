import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

// The dashboard as the files that the operator serves, in dist/dashboard. `node deploy/dashboard.ts` makes them unless they are there and
// made of the same sources.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = `${root}dist/dashboard`;

/** In index.html, where the server puts the nonce of each answer (src/api/dashboard.ts). */
const NONCE = '__CSP_NONCE__';
/** Below this many bytes compression saves nothing. */
const WORTH_COMPRESSING = 1024;
/** The best one takes ten times as long for 3 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/** Builds beside the target and moves it there, so that nobody ever sees half of it. */
export async function buildDashboard(): Promise<void> {
  const sources = digestOfSources();
  if (builtOf() === sources) return;
  const fresh = `${root}dist/.dashboard-${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  try {
    await build({
      configFile: false,
      root: `${root}src/dashboard`,
      logLevel: 'warn',
      plugins: [react()],
      html: { cspNonce: NONCE },
      // No data: addresses, no helper that old browsers would need; licences of what is bundled beside it.
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
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process was as quick.
    if (builtOf() !== sources) throw error;
  }
}

/** Leaves `.br` and `.gz` beside a file. */
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

if (import.meta.main) await buildDashboard();
