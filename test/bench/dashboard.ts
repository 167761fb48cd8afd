import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setInterval, setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core';
import { build } from 'vite';
import { apiClient } from '../support/network/client.ts';
import { chromiumFor, openScreens, type Screens } from '../support/network/browser.ts';
import { loadReport } from '../support/load/report.ts';
import { startOperatorProcess, TOKEN } from '../support/processes/operator.ts';
import { until } from '../support/runner/wait.ts';
import { type Bench, percentile, spread, table } from './bench.ts';

export const name = 'dashboard';

const INCIDENTS = 5_000;
const LOADS = 7;
const SCROLLS = 2;
const LETTERS = 40;
const MESSAGES_PER_SECOND = 100;
const RESOLVED = 2_500;
const PERSON = { username: 'admin', password: 'correct horse' };

/** A page to measure. Both pages are measured in the same way. */
interface Measures {
  page: Page;
  devTools: CDPSession;
}

/** The list of 5,000 incidents in a real browser, compared with an empty page of the same component library in the same run. */
export async function run(out: Parameters<Bench['run']>[0]): Promise<void> {
  const chromium = chromiumFor('the bench of the dashboard');
  if (!chromium) return;
  const screens = await openScreens(chromium, { optimises: true });
  const empty = await serveEmptyPage();
  const operator = await startOperatorProcess();
  try {
    const signedIn = await logIn(operator.url);
    await fill(operator.url);
    const places = [
      { what: 'an empty page', url: empty.url, options: {} },
      { what: `${INCIDENTS} incidents`, url: `${operator.url}/incidents`, options: signedIn },
    ];
    out(`First load with an empty cache, median (lowest..highest) of ${LOADS}, both pages in turn.\n`);
    out(table(['page', 'KB sent', 'first contentful paint, ms'], await firstLoads(screens, places)));
    out(
      `\nScrolled through ${SCROLLS} times, then ${LETTERS} letters typed, then the same with ${MESSAGES_PER_SECOND} live messages a second.\n`,
    );
    const rows: string[][] = [];
    for (const place of places) rows.push(await used(screens, place, operator.url));
    out(
      table(
        [
          'page',
          'longest task while scrolling, ms',
          'rows in the document, at most',
          'heap before and after, MB',
          'a key, ms: p50, p95, most',
          'the same with messages',
        ],
        rows,
      ),
    );
    out(`\n${RESOLVED} records resolved at once: ${await resolveMany(screens, places[1] ?? places[0], operator.url)}`);
  } finally {
    await operator.stop();
    await empty.close();
    await screens.close();
  }
}

type Place = { what: string; url: string; options: BrowserContextOptions } | undefined;

async function firstLoads(screens: Screens, places: Exclude<Place, undefined>[]): Promise<string[][]> {
  const all = places.map(({ what }) => ({ what, kilobytes: [] as number[], paints: [] as number[] }));
  for (let turn = 0; turn < LOADS; turn++)
    for (const [index, { options, url }] of places.entries()) {
      const { page, devTools, close } = await opened(screens, 'about:blank', options);
      let bytes = 0;
      await devTools.send('Network.enable');
      devTools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
      await page.goto(url);
      await page.getByLabel('Search incidents').waitFor();
      const paint = await until(
        () =>
          page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`).then((at) => at || undefined),
        { what: 'the first paint' },
      );
      all[index]?.kilobytes.push(bytes / 1024);
      all[index]?.paints.push(paint);
      await close();
    }
  return all.map(({ what, kilobytes, paints }) => [what, spread(kilobytes, 0), spread(paints, 0)]);
}

async function used(screens: Screens, place: Exclude<Place, undefined>, operator: string): Promise<string[]> {
  const it = await opened(screens, place.url, place.options);
  const { page } = it;
  await page.getByLabel('Search incidents').waitFor();
  await observe(page);
  const before = await heap(it);
  const scrolled = await scrollThrough(page);
  const after = await heap(it);
  const quiet = await typed(page);
  const live = liveMessages(operator);
  const busy = await typed(page);
  await live.stop();
  await it.close();
  return [
    place.what,
    String(Math.round(scrolled.longest)),
    String(scrolled.rows),
    `${before.toFixed(1)} and ${after.toFixed(1)}`,
    ...[quiet, busy].map((times) => [percentile(times, 0.5), percentile(times, 0.95), Math.max(...times)].map(Math.round).join(', ')),
  ];
}

/** Records long tasks, and the time from each key to its frame (Long Tasks API; Event Timing API, in steps of 8 ms). */
const observe = (page: Page): Promise<void> =>
  page.evaluate(`
    window.tasks = []; window.keys = [];
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' });
    new PerformanceObserver((list) => keys.push(...list.getEntries().filter(({ name }) => name === 'keydown').map(({ duration }) => duration)))
      .observe({ type: 'event', durationThreshold: 16 });
  `);

async function scrollThrough(page: Page): Promise<{ longest: number; rows: number }> {
  await page.evaluate('tasks.length = 0');
  let rows = 0;
  await page.mouse.move(700, 500);
  for (let turn = 0; turn < SCROLLS; turn++)
    for (const by of [1, -1])
      for (let step = 0; step < 60; step++) {
        await page.mouse.wheel(0, by * 5_000);
        await sleep(16);
        if (step % 10 === 0) rows = Math.max(rows, await page.locator('.incident').count());
      }
  return { rows, longest: await page.evaluate<number>('Math.max(0, ...tasks)') };
}

/** Milliseconds for each key. A time below the browser's threshold counts as the threshold. */
async function typed(page: Page): Promise<number[]> {
  const field = page.getByLabel('Search incidents');
  await field.scrollIntoViewIfNeeded();
  await field.fill('');
  await page.evaluate('keys.length = 0');
  await field.pressSequentially('team'.repeat(LETTERS / 4), { delay: 80 });
  await sleep(500);
  const slow = await page.evaluate<number[]>('keys');
  await field.fill('');
  return [...slow, ...Array.from({ length: Math.max(0, LETTERS - slow.length) }, () => 16)];
}

async function heap({ devTools }: Measures): Promise<number> {
  await devTools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devTools.send('Runtime.getHeapUsage');
  return usedSize / 1024 / 1024;
}

/** Repeats reports of open incidents. Each report causes one message. */
function liveMessages(operator: string): { stop(): Promise<void> } {
  const running = new AbortController();
  let n = 0;
  const sent = (async () => {
    for await (const _ of setInterval(50, undefined, { signal: running.signal }))
      await Promise.all(Array.from({ length: MESSAGES_PER_SECOND / 20 }, () => report(operator, n++ % INCIDENTS)));
  })().catch((error: unknown) => {
    if (!running.signal.aborted) throw error;
  });
  return {
    async stop() {
      running.abort();
      await sent;
    },
  };
}

async function resolveMany(screens: Screens, place: Place, operator: string): Promise<string> {
  const it = await opened(screens, place?.url ?? operator, place?.options ?? {});
  const { page } = it;
  const total = (count: number) => page.getByText(new RegExp(`^Active ${count.toLocaleString('en')}$`)).first();
  await total(INCIDENTS).waitFor({ timeout: 60_000 });
  await observe(page);
  const pods = Array.from({ length: RESOLVED }, (_, n) => ({ pod_name: `bench-${n}`, namespace: `team-${n % 20}` }));
  const began = performance.now();
  await post(`${operator}/api/pods/dismiss-deleted`, JSON.stringify({ pods }));
  const answered = performance.now() - began;
  await total(INCIDENTS - RESOLVED).waitFor({ timeout: 60_000 });
  const shown = performance.now() - began;
  const longest = await page.evaluate<number>('Math.max(0, ...tasks)');
  await it.close();
  return `answered after ${Math.round(answered)} ms, shown after ${Math.round(shown)} ms, longest task of the page ${Math.round(longest)} ms`;
}

async function opened(screens: Screens, url: string, options: BrowserContextOptions): Promise<Measures & { close(): Promise<void> }> {
  const { page, close } = await screens.visit(url, options);
  return { page, devTools: await page.context().newCDPSession(page), close };
}

async function logIn(url: string): Promise<BrowserContextOptions> {
  const client = apiClient(url);
  await client.send('POST', '/api/auth/signup', PERSON);
  const answer = await post(`${url}/api/auth/login`, JSON.stringify(PERSON));
  const [pair = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';');
  const [cookie = '', value = ''] = pair.split(/=(.*)/s);
  const where = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  return { storageState: { cookies: [{ name: cookie, value, ...where }], origins: [] } };
}

async function fill(url: string): Promise<void> {
  for (let from = 0; from < INCIDENTS; from += 50) await Promise.all(Array.from({ length: 50 }, (_, n) => report(url, from + n)));
}

async function report(url: string, n: number): Promise<void> {
  const { workload = { kind: 'Deployment', name: `bench-${n}` }, ...rest } = JSON.parse(loadReport(n, 'bench')) as Record<string, unknown>;
  await post(`${url}/api/pods/failed`, JSON.stringify({ ...rest, workload, pod_uid: `bench-${n}` }));
}

async function post(url: string, body: string): Promise<Response> {
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', 'x-service-token': TOKEN }, body });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer;
}

async function serveEmptyPage(): Promise<{ url: string; close(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'podmend-empty-'));
  const root = fileURLToPath(new URL('empty-page', import.meta.url));
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // This plugin prevents the bundler's warnings about "use client" and similar directives.
    plugins: [react()],
    build: { outDir: folder, emptyOutDir: true, modulePreload: { polyfill: false } },
  });
  const files = new Map(
    globSync('**/*.*', { cwd: folder }).map((path) => [`/${path}`, brotliCompressSync(readFileSync(join(folder, path)))]),
  );
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
  const server: Server = createServer((request, answer) => {
    const path = request.url === '/' ? '/index.html' : (request.url ?? '');
    const type = types[extname(path)];
    if (!type || !files.has(path)) return void answer.writeHead(404).end();
    answer.writeHead(200, { 'content-type': type, 'content-encoding': 'br' }).end(files.get(path));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
