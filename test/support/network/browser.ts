import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { buildDashboard } from '../../../deploy/dashboard.ts';

/** Chromium must not contact any outside server. It runs as the user that runs the tests. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Otherwise each window also starts two processes for the suggestions of an address bar that nobody sees. They take two fifths of all
  // CPU. Only the last list counts. So this repeats the features of Playwright's list that make Chromium paint late, hang, or contact
  // outside servers.
  `--disable-features=${[
    'WebUIOmniboxPopup',
    'WebUIOmniboxAimPopup',
    'AvoidUnnecessaryBeforeUnloadCheckSync',
    'DestroyProfileOnBrowserClose',
    'PaintHolding',
    'AimEnabled',
    'NetworkTimeServiceQuerying',
    'OptimizationHints',
    'PreconnectToSearch',
  ].join(',')}`,
];
/** A page lives for seconds. Optimising its scripts takes longer than it saves. */
const NO_OPTIMISING = '--js-flags=--no-opt --no-maglev';
/** The one without a user interface comes first. With the others, each window that nobody sees costs a third more CPU. */
const USUAL = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** A page takes a second of CPU. On a busy machine, it may get only a thirtieth of the CPU. */
const PATIENCE_MS = 60_000;

/** The path of Chromium: `TEST_CHROMIUM`, or the usual place of distributions. If there is none, it reports that `suite` is skipped. */
export function chromiumFor(suite: string): string | undefined {
  const found = [process.env['TEST_CHROMIUM'] ?? '', ...USUAL].find((path) => path !== '' && existsSync(path));
  if (!found) console.log(`SKIP ${suite}: no Chromium (TEST_CHROMIUM names one)`);
  return found;
}

/** Where the built dashboard is. */
export const DASHBOARD = fileURLToPath(new URL('../../../dist/dashboard/', import.meta.url));

/** A Chromium and the built dashboard. */
export interface Screens {
  /** Opens a window for a new visitor, with its own cookies. */
  visit(url: string, options?: BrowserContextOptions): Promise<Screen>;
  close(): Promise<void>;
}

/** A browser window. */
export interface Screen {
  page: Page;
  /** What the browser has complained about since the last call: errors, warnings, and what the Content-Security-Policy blocked. */
  complaints(): string[];
  /** Fails if axe finds accessibility problems. */
  assertAccessible(what: string): Promise<void>;
  /**
   * Checks both colour schemes. In the dark one, it checks only the rules that depend on colours, because all others give the same result.
   */
  assertAccessibleInBothSchemes(what: string): Promise<void>;
  /** Moves the mouse onto the middle of this element. Returns the title that the browser shows there; empty if there is none. */
  titleShownAt(element: Locator): Promise<string>;
  /** Fails if the page is wider than the window, and names the elements that stick out. */
  assertFits(what: string): Promise<void>;
  close(): Promise<void>;
}

/** Builds the dashboard (unless it is built already) and starts the browser. Benchmarks want it with `optimises`, as users have it. */
export async function openScreens(executablePath: string, { optimises = false } = {}): Promise<Screens> {
  const args = optimises ? FLAGS : [...FLAGS, NO_OPTIMISING];
  const [browser] = await Promise.all([chromium.launch({ executablePath, args, timeout: 60_000 }), buildDashboard()]);
  return { visit: (url, options) => visit(browser, url, options), close: () => browser.close() };
}

async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Screen> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  let heard: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`uncaught: ${error.message}`));
  // Must run before the page does. The document hears of everything that the policy blocks, but the console does not.
  await page.addInitScript(
    `document.addEventListener('securitypolicyviolation', (event) => console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`,
  );
  await page.goto(url);
  return {
    page,
    complaints: () => {
      const all = heard;
      heard = [];
      return all;
    },
    assertAccessible: (what) => assertAccessible(page, what, ALL_RULES),
    assertAccessibleInBothSchemes: async (what) => {
      await assertAccessible(page, what, ALL_RULES);
      await inScheme(page, 'dark');
      await assertAccessible(page, `${what}, dark`, RULES_OF_COLOURS);
      await inScheme(page, 'light');
    },
    titleShownAt: (element) => titleShownAt(page, element),
    assertFits: (what) => assertFits(page, what),
    close: () => context.close(),
  };
}

async function inScheme(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor({ state: 'attached' });
}

interface AxeViolation {
  id: string;
  help: string;
  nodes: { html: string; failureSummary?: string }[];
}

const AXE = readFileSync(new URL('../../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** An element that is not drawn does not move, so its animation may never end. After this time, the screen is checked anyway. */
const ANIMATED_MS = 5_000;
/** Resolves when nothing moves any more. What appears begins to move only some frames later, so three frames without any must pass. */
const ENDED = `(async () => {
  const end = performance.now() + ${ANIMATED_MS};
  const moving = () => document.getAnimations()
    .filter(({ effect, playState }) => playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime));
  for (let still = 0; still < 3 && performance.now() < end;) {
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    const all = moving();
    still = all.length === 0 ? still + 1 : 0;
    const late = new Promise((resolve) => setTimeout(resolve, ${ANIMATED_MS}));
    if (all.length > 0) await Promise.race([late, Promise.all(all.map(({ finished }) => finished.catch(() => {})))]);
  }
  return null;
})()`;

/** Limits the time for an answer of the page. The browser itself waits forever. */
export async function within<T>(what: string, answer: Promise<T>): Promise<T> {
  const giveUp = new AbortController();
  const late = sleep(ANSWER_MS, undefined, { signal: giveUp.signal }).then(() => {
    throw new Error(`the page did not answer within ${ANSWER_MS / 1000} s: ${what}`);
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([answer, late]);
  } finally {
    giveUp.abort();
  }
}
const ANSWER_MS = 60_000;

const ALL_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice'];
/** The rules among them that depend on colours. */
const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

async function assertAccessible(page: Page, what: string, runOnly: string[]): Promise<void> {
  // axe is half a megabyte, so it is sent only to a document that does not have it.
  if (!(await within(`whether axe is there for ${what}`, page.evaluate<boolean>('Boolean(window.axe)'))))
    await within(`axe for ${what}`, page.evaluate(AXE));
  // Waits until elements that fade in are visible. A cursor blinks forever, so endless animations do not count.
  await within(`the animations of ${what}`, page.evaluate(ENDED));
  const violations = await within(
    `what axe finds in ${what}`,
    page.evaluate<AxeViolation[]>(
      `axe.run(document, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ['violations'] }).then(({ violations }) => violations)`,
    ),
  );
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary = '' }) => `${id} (${help}): ${html}\n${failureSummary}`),
  );
  assert.equal(told, [], what);
}

async function titleShownAt(page: Page, element: Locator): Promise<string> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  assert.ok(box, `${String(element)} is drawn`);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x - 1, y);
  await page.mouse.move(x, y);
  return page.evaluate<string>(`document.elementFromPoint(${x}, ${y})?.closest('[title]')?.title ?? ''`);
}

/** The innermost elements that reach beyond the right edge. Elements that scroll on their own may do so. */
const STICKING_OUT = `[...document.querySelectorAll('body *')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
  .filter((one) => {
    while ((one = one.parentElement)) if (getComputedStyle(one).overflowX !== 'visible') return false;
    return true;
  })
  .filter((one, _, all) => !all.some((other) => other !== one && one.contains(other)))
  .slice(0, 5).map((one) => one.outerHTML.slice(0, 300))`;

async function assertFits(page: Page, what: string): Promise<void> {
  const [needed = 0, there = 0] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
  const out = needed > there ? await page.evaluate<string[]>(STICKING_OUT) : [];
  assert.ok(needed <= there, [`${what}: ${needed} wide on ${there}`, ...out].join('\n'));
}
