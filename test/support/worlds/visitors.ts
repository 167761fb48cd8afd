import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions } from 'playwright-core';
import type { Test } from 'uvu';
import * as assert from 'uvu/assert';
import type { AppDeps } from '../../../src/api/deps.ts';
import { type Role, SESSION_COOKIE } from '../../../src/contract/auth.ts';
import type { FailureReport } from '../../../src/contract/failure.ts';
import { aFailureReport } from '../builders/report.ts';
import { DASHBOARD, openScreens, type Screen, type Screens } from '../network/browser.ts';
import { SERVICE_TOKEN, type TestApp, testApp } from './app.ts';

/** The usual password of `addUser`. */
export const PASSWORD = 'correct horse';

/** Visitors of the dashboard of an app without a cluster. Their windows are closed after each test. */
export interface Visitors {
  app(): TestApp;
  url(): string;
  screens(): Screens;
  /** Opens a window without a login. */
  visit(path?: string, options?: BrowserContextOptions, at?: string): Promise<Screen>;
  /** Opens a window for a user with this role, and waits until it is live. */
  visitAs(role: Role, path?: string, options?: BrowserContextOptions, at?: string): Promise<Screen>;
  /** Adds a user with the role write and the usual password. */
  addUser(username: string): Promise<void>;
  /** Sends a report. Returns the id of its record. */
  report(over?: Partial<FailureReport>): Promise<number>;
}

/** An app that serves the dashboard, over plain HTTP. */
export function withDashboard(over: Partial<AppDeps['config']> = {}) {
  return ({ config }: AppDeps): Partial<AppDeps> => ({ dashboard: DASHBOARD, config: { ...config, baseUrl: undefined, ...over } });
}

/** Lets the app listen. Returns its address. */
export async function listen({ app }: TestApp): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** Fills in the login form and sends it. */
export async function logIn({ page }: Screen, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** One app and one browser for all tests of a suite. Each test begins without failures. */
export function visitorsOf(test: Test, chromium: string | undefined): Visitors {
  let screens: Screens;
  let it: TestApp;
  let url: string;
  const opened: Screen[] = [];
  test.before(async () => {
    screens = await openScreens(chromium ?? '');
    it = await testApp(withDashboard());
    url = await listen(it);
  });
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'login_attempts'] as const) await it.store.db.deleteFrom(table).execute();
  });
  test.after.each(async () => {
    // After a failure here, the runner calls this hook again. Then no window is left to complain.
    const windows = opened.splice(0);
    // The browser itself reports every refused request. The tests check what the screen makes of them.
    const strange = windows
      .flatMap((screen) => screen.complaints())
      .filter((line) => !/Failed to load resource: .* (40[1349]|429|503) |net::ERR_|WebSocket connection to/.test(line));
    for (const screen of windows) await screen.close();
    assert.equal(strange, []);
  });
  test.after(async () => {
    await screens?.close();
    await it?.close();
  });

  async function visit(path = '/incidents', options?: BrowserContextOptions, at = url): Promise<Screen> {
    const screen = await screens.visit(at + path, options);
    opened.push(screen);
    return screen;
  }

  return {
    app: () => it,
    url: () => url,
    screens: () => screens,
    visit,
    async visitAs(role, path = '/incidents', options = {}, at = url) {
      const [name = '', ...rest] = it.cookie(role).split('=');
      assert.is(name, SESSION_COOKIE);
      const where = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
      const storageState = { cookies: [{ name, value: rest.join('='), ...where }], origins: [] };
      const screen = await visit(path, { ...options, storageState }, at);
      await screen.page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
      return screen;
    },
    async addUser(username) {
      assert.ok(await it.deps.accounts.add({ username, password: PASSWORD, role: 'write' }, new Date()));
    },
    async report(over = {}) {
      const payload = aFailureReport({ pod_uid: `uid-${over.pod_name ?? 'web-1'}`, ...over });
      const headers = { 'x-service-token': SERVICE_TOKEN };
      return (await it.app.inject({ method: 'POST', url: '/api/pods/failed', headers, payload })).json<{ id: number }>().id;
    },
  };
}
