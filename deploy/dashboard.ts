import { createHash } from 'node:crypto';
import { appendFileSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type Plugin, type Rolldown } from 'vite';
import { oneAtATime } from './one-at-a-time.ts';

// Builds the dashboard's files, which the operator serves, in dist/dashboard. `node deploy/dashboard.ts` does nothing if they were built
// from the same sources.

const root = fileURLToPath(new URL('../', import.meta.url));
const target = `${root}dist/dashboard`;

/** A placeholder in index.html: the server replaces it by the nonce of each answer (src/api/dashboard.ts). */
const NONCE = '__CSP_NONCE__';
/** The content of index.html before any script has run. */
const STARTING = '<p class="starting">Podmend</p>';
const STYLE = /<style[^>]*>([^]*?)<\/style>/g;
const START = `${root}src/dashboard/start.ts`;
const MAIN = `${root}src/dashboard/main.tsx`;
/** Files below this size, in bytes, do not get smaller. */
const WORTH_COMPRESSING = 1024;
/** Sends 5 % less than quality 9 for some seconds of work; 11 takes twice that and saves 2 % more. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } };

/** Builds the dashboard, or waits until another process has. `tell` is called when there is something to build, and when it is built. */
export async function buildDashboard(tell: (line: string) => void = () => {}): Promise<void> {
  const sources = digestOfSources();
  if (builtOf() === sources) return;
  mkdirSync(`${root}dist`, { recursive: true });
  await oneAtATime(`${root}dist/.dashboard-lock`, async () => {
    if (builtOf() !== sources) await buildOf(sources, tell);
  });
}

/** Builds in another folder and moves it to its place, so that nobody sees half a dashboard. */
async function buildOf(sources: string, tell: (line: string) => void): Promise<void> {
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
      plugins: [react(), firstLoad()],
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
        // Modules that both need belong to the first script, which must not wait for the other.
        rolldownOptions: { output: { codeSplitting: { groups: [chunkOf('start', START, 2), chunkOf('main', MAIN, 1)] } } },
      },
    });
    await addShell(fresh);
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

/** One chunk of all modules that a file imports statically, directly or not: one request instead of twenty. */
const chunkOf = (name: string, file: string, priority: number): Rolldown.CodeSplittingGroup => {
  let all: ReadonlySet<string> | undefined;
  return {
    name: (id, context) => {
      all ??= reached(file, (one) => context.getModuleInfo(one)?.importedIds ?? []);
      return all.has(id) ? name : null;
    },
    debugName: name,
    priority,
  };
};

/**
 * Adds links to index.html, so that browsers load the main script early without running it. Writes the further files of each screen to
 * `chunks.json`; the server adds links to them.
 */
function firstLoad(): Plugin {
  /** The files of a chunk with its imports. */
  const filesOf = (bundle: Rolldown.OutputBundle, name: string): Set<string> =>
    reached(name, (one) => (bundle[one]?.type === 'chunk' ? bundle[one].imports : []));
  const mainOf = (bundle: Rolldown.OutputBundle): Set<string> =>
    filesOf(bundle, Object.values(bundle).find((one) => one.type === 'chunk' && one.moduleIds.includes(MAIN))?.fileName ?? '');
  const stylesOf = (bundle: Rolldown.OutputBundle, files: Iterable<string>): string[] =>
    [...files].flatMap((name) => (bundle[name]?.type === 'chunk' ? [...(bundle[name].viteMetadata?.importedCss ?? [])] : []));
  return {
    name: 'first-load',
    transformIndexHtml: {
      order: 'post',
      handler(_, { bundle = {}, chunk }) {
        const files = without(mainOf(bundle), filesOf(bundle, chunk?.fileName ?? ''));
        const link = (rel: string, file: string) => ({
          tag: 'link',
          attrs: { rel, crossorigin: '', href: `/${file}` },
          injectTo: 'head' as const,
        });
        return [
          ...stylesOf(bundle, files).map((file) => link('stylesheet', file)),
          ...[...files].map((file) => link('modulepreload', file)),
        ];
      },
    },
    writeBundle({ dir = '' }, bundle) {
      const first = mainOf(bundle);
      const screens = Object.values(bundle).flatMap((one): [string, string[]][] => {
        const screen = one.type === 'chunk' && /\/([a-z]+)\/screen\.tsx$/.exec(one.facadeModuleId ?? '')?.[1];
        const files = without(filesOf(bundle, one.fileName), first);
        return screen ? [[screen, [...files, ...stylesOf(bundle, files)]]] : [];
      });
      writeFileSync(`${dir}/chunks.json`, JSON.stringify(Object.fromEntries(screens)));
    },
  };
}

/** `from` and everything reachable from it. */
function reached(from: string, next: (one: string) => readonly string[], seen = new Set<string>()): Set<string> {
  if (seen.has(from)) return seen;
  seen.add(from);
  for (const one of next(from)) reached(one, next, seen);
  return seen;
}

const without = (all: ReadonlySet<string>, some: ReadonlySet<string>): Set<string> => new Set([...all].filter((one) => !some.has(one)));

/**
 * Writes `console.html` beside index.html: the page with a session, which shows the frame. The styles of the theme become a file, which
 * browsers cache.
 */
async function addShell(folder: string): Promise<void> {
  const built = `${folder}/.server`;
  await build({
    configFile: false,
    root: `${root}src/dashboard`,
    logLevel: 'warn',
    plugins: [react()],
    build: { ssr: 'prerender.tsx', outDir: built, emptyOutDir: false },
  });
  const { shellHtml } = (await import(`${built}/prerender.js`)) as { shellHtml(): string };
  const html = shellHtml();
  const styles = Array.from(html.matchAll(STYLE), ([, text = '']) => text).join('\n');
  const theme = `assets/theme-${createHash('sha256').update(styles).digest('base64url').slice(0, 8)}.css`;
  writeFileSync(`${folder}/${theme}`, styles);
  const page = readFileSync(`${folder}/index.html`, 'utf8')
    .replace(STARTING, () => html.replace(STYLE, ''))
    .replace('</head>', `  <link rel="stylesheet" crossorigin href="/${theme}" />\n  </head>`);
  writeFileSync(`${folder}/console.html`, page);
  rmSync(built, { recursive: true });
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
