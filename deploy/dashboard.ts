import { createHash } from 'node:crypto';
import { appendFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Plugin } from 'vite';

// Builds the dashboard's files, which the operator serves, in dist/dashboard. `node deploy/dashboard.ts` does nothing if they were built
// from the same sources.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = `${root}dist/dashboard`;

/** A placeholder in index.html: the server replaces it by the nonce of each answer (src/api/dashboard.ts). */
const NONCE = '__CSP_NONCE__';
/** Files below this size, in bytes, do not get smaller. */
const WORTH_COMPRESSING = 1024;
/** Sends 5 % less than quality 9 for some seconds of work; 11 takes twice that and saves 2 % more. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

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
  const inWorkers = new Set<string>();
  try {
    await build({
      configFile: false,
      root: `${root}src/dashboard`,
      logLevel: 'warn',
      plugins: [react()],
      html: { cspNonce: NONCE },
      worker: { format: 'es', plugins: () => [packagesIn(inWorkers)] },
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
    appendLicences(`${fresh}/licences.md`, inWorkers);
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

/** Notes the packages that a bundle holds: the list of licences knows nothing of those in workers. */
function packagesIn(found: Set<string>): Plugin {
  return {
    name: 'packages-in-workers',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
      for (const id of modules) {
        const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1];
        if (name) found.add(name);
      }
    },
  };
}

function appendLicences(file: string, packages: ReadonlySet<string>): void {
  for (const name of packages) {
    const folder = `${root}node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { version: string; license: string };
    const heading = `## ${name} - ${version} (${license})`;
    if (readFileSync(file, 'utf8').includes(heading)) continue;
    const [text = ''] = globSync('LICEN[CS]E*', { cwd: folder });
    appendFileSync(file, `\n${heading}\n\n${readFileSync(`${folder}/${text}`, 'utf8').trim()}\n`);
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
