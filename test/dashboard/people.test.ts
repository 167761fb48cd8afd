import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions, WebSocketRoute } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AppDeps } from '../../src/api/deps.ts';
import { type Role, SESSION_COOKIE } from '../../src/contract/auth.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import { SERVICE_TOKEN, type TestApp, testApp } from '../support/worlds/app.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';
import { chromiumFor, DASHBOARD, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { startFreezer } from '../support/network/freezer.ts';
import { isLong } from '../support/runner/long.ts';
import { until } from '../support/runner/wait.ts';

// Who sees what, and what they are told when something goes wrong. The cluster is away all the time.

const chromium = chromiumFor('people before the screen');
const test = suite('people before the screen');
const PASSWORD = 'correct horse';
const NARROW = { viewport: { width: 390, height: 844 } };

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
  // The runner comes here once more after a failure: then nothing is left to complain about.
  const windows = opened.splice(0);
  // The browser itself tells of every refusal; what the screen makes of them is what is tested.
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

/** An app that serves the dashboard, over plain HTTP. */
function withDashboard(over: Partial<AppDeps['config']> = {}) {
  return ({ config }: AppDeps): Partial<AppDeps> => ({ dashboard: DASHBOARD, config: { ...config, baseUrl: undefined, ...over } });
}

async function listen({ app }: TestApp): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}

/** A window in which nobody is logged in. */
async function visit(path = '/incidents', options?: BrowserContextOptions, at = url): Promise<Screen> {
  const screen = await screens.visit(at + path, options);
  opened.push(screen);
  return screen;
}

/** A window of somebody with that role. */
async function visitAs(role: Role, path = '/incidents', options: BrowserContextOptions = {}, at = url): Promise<Screen> {
  const [name = '', ...rest] = it.cookie(role).split('=');
  assert.is(name, SESSION_COOKIE);
  const cookie = {
    name,
    value: rest.join('='),
    domain: '127.0.0.1',
    path: '/',
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: 'Lax' as const,
  };
  const screen = await visit(path, { ...options, storageState: { cookies: [cookie], origins: [] } }, at);
  await screen.page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  return screen;
}

/** Somebody with the role write, and the usual password. */
async function addUser(username: string): Promise<void> {
  assert.ok(await it.deps.accounts.add({ username, password: PASSWORD, role: 'write' }, new Date()));
}

/** The id of the record that a report makes. */
async function report(over: Partial<FailureReport> = {}): Promise<number> {
  const payload = aFailureReport({ pod_uid: `uid-${over.pod_name ?? 'web-1'}`, ...over });
  const answer = await it.app.inject({ method: 'POST', url: '/api/pods/failed', headers: { 'x-service-token': SERVICE_TOKEN }, payload });
  return answer.json<{ id: number }>().id;
}

async function logIn({ page }: Screen, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** Holds the main script back until `release` is called, and loads the page. */
async function withoutScripts({ page }: Screen, path: string): Promise<{ release(): void }> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/main-*.js', (route) => released.then(() => route.continue()));
  await page.goto(url + path, { waitUntil: 'commit' });
  return { release };
}

for (const [width, options] of [
  [1440, {}],
  [768, { viewport: { width: 768, height: 900 } }],
  [390, NARROW],
] as const) {
  test(`at ${width} pixels the frame is there before the scripts, and stays where it is`, async () => {
    const screen = await visitAs('read', '/suppressions', { ...options, colorScheme: 'dark' });
    const { page } = screen;
    const { release } = await withoutScripts(screen, '/suppressions');
    await page.getByText('Loading …').waitFor();
    const placed = () =>
      page.evaluate<string>(
        `JSON.stringify(['#root > div > header', '#root > div > main', 'nav[aria-label=Screens] a']
          .flatMap((selector) => [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility()))
          .map((one) => [one.tagName, one.getAttribute('href')?.split('?')[0], one.getAttribute('title'), ...['x', 'y', 'width'].map((side) => one.getBoundingClientRect()[side])]))`,
      );
    const before = await placed();
    assert.is(before.includes('/incidents'), width > 390);
    release();
    await page.getByRole('heading', { name: 'Suppressions', level: 1 }).waitFor();
    assert.is(await placed(), before);
  });
}

test('a session that has ended shows the login, and nothing of the frame before', async () => {
  await addUser('ended');
  const screen = await visit();
  const { page } = screen;
  await logIn(screen, 'ended', PASSWORD);
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  await it.deps.accounts.setPassword('ended', 'another horse');
  const { release } = await withoutScripts(screen, '/incidents');
  await page.getByText('Podmend', { exact: true }).waitFor();
  assert.is(await page.getByRole('navigation').count(), 0);
  release();
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
});

test('a wrong password is told in the words of the server, again and again; the right one lets in', async () => {
  await addUser('ada');
  const screen = await visit();
  const { page } = screen;
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
  await screen.assertAccessible('login');
  await logIn(screen, 'ada', 'wrong horse');
  await page.getByRole('alert').getByText('Invalid username or password').waitFor();
  assert.is(await page.getByLabel('Username').inputValue(), 'ada');
  assert.is(await page.locator('input[name=password]').inputValue(), '');
  await screen.assertAccessible('a refused login');
  await logIn(screen, 'ada', PASSWORD);
  await page.getByText('A failing pod appears here at once.').waitFor();
  await screen.assertAccessible('an empty list');
});

test('too many attempts are told, with the wait, and what was typed stays', async () => {
  const screen = await visit();
  for (let attempt = 0; attempt < 6; attempt++) {
    const answered = screen.page.waitForResponse('**/api/auth/login');
    await logIn(screen, 'nobody', 'wrong horse');
    await answered;
  }
  await screen.page.getByRole('alert').getByText('Too many login attempts').waitFor();
  await screen.page.getByText(/^Try again in \d+ s\.$/).waitFor();
  assert.is(await screen.page.locator('input[name=password]').inputValue(), 'wrong horse');
  await screen.assertAccessible('too many logins');
});

test('the first visitor is asked for the setup token where one is needed', async () => {
  const guarded = await testApp(withDashboard({ setupToken: 'from the installer' }));
  await guarded.store.db.deleteFrom('users').execute();
  const screen = await screens.visit(await listen(guarded));
  const { page } = screen;
  const sign = () => page.getByRole('button', { name: 'Create administrator' }).click();
  await page.getByLabel('Username').fill('ada');
  await page.locator('input[name=password]').fill(PASSWORD);
  await sign();
  await page.getByRole('alert').getByText('setup_token is missing or wrong').waitFor();
  await page.locator('input[name=setup-token]').fill('from the installer');
  await sign();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.waitForURL('**/overview');
  await screen.close();
  await guarded.close();
});

test('a failure that comes is listed, counted and announced; pods of a workload are one line', async () => {
  const { page } = await visitAs('read');
  // Only what begins after the list was loaded is new.
  await page.getByText('Nothing fails', { exact: true }).waitFor();
  await report({ pod_name: 'web-1' });
  await page.locator('.incident', { hasText: 'web' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'New incident: web, CrashLoopBackOff' }).waitFor({ state: 'attached' });
  await report({ pod_name: 'web-2' });
  await page.locator('.incident', { hasText: '2 pods' }).waitFor();
  await page.locator('.incident').click();
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
});

test('while somebody points at the list nothing in it moves, and what came waits', async () => {
  await report({ pod_name: 'web-1' });
  const { page } = await visitAs('read');
  await page.locator('.incident', { hasText: 'web' }).hover();
  await report({ pod_name: 'bank-1', workload: { kind: 'Deployment', name: 'bank' } });
  await page.getByRole('button', { name: '1 new' }).waitFor();
  assert.is(await page.locator('.incident').count(), 1);
  await page.getByRole('button', { name: '1 new' }).click();
  await page.locator('.incident', { hasText: 'bank' }).waitFor();
  assert.is(await page.getByRole('button', { name: '1 new' }).count(), 0);
});

test('several incidents are dismissed at once, and it is undone', async () => {
  for (const name of ['web', 'bank', 'shop']) await report({ pod_name: `${name}-1`, workload: { kind: 'Deployment', name } });
  const screen = await visitAs('write');
  const { page } = screen;
  for (const name of ['web', 'bank']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByText('2 selected').waitFor();
  await screen.assertAccessible('selected incidents');
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('2 incidents dismissed').waitFor();
  await until(async () => (await page.locator('.incident').count()) === 1, { what: 'the two to leave the list' });
  await screen.assertAccessible('what was done');
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await page.locator('.incident').count()) === 3, { what: 'the two to come back' });
});

test('filters, sorting and the search stand in the address', async () => {
  for (const [name, failure_reason] of [
    ['web', 'CrashLoopBackOff'],
    ['bank', 'OOMKilled'],
    ['shop', 'CrashLoopBackOff'],
  ] as const)
    await report({ pod_name: `${name}-1`, workload: { kind: 'Deployment', name }, failure_reason });
  const { page } = await visitAs('read', '/incidents?reason=CrashLoopBackOff&sort=name&order=desc&verdict=nonsense');
  const names = async () => page.getByRole('row').locator('[title^="Deployment "]').allInnerTexts();
  await page.locator('.incident').first().waitFor();
  assert.equal(await names(), ['web', 'shop']);
  await page.getByRole('button', { name: 'Cause and workload' }).click();
  await until(async () => (await names()).join() === 'shop,web', { what: 'the other order' });
  assert.is(new URL(page.url()).searchParams.get('order'), null, 'what is usual is not written');
  await page.getByLabel('Reason').selectOption('Any reason');
  await until(async () => (await names()).join() === 'bank,shop,web', { what: 'all reasons' });
  await page.keyboard.press('/');
  await page.keyboard.type('bank');
  await until(async () => (await names()).join() === 'bank', { what: 'the search' });
  assert.match(page.url(), 'q=bank');
});

test('who may only read is shown everything and offered nothing', async () => {
  const id = await report();
  const reader = await visitAs('read', `/incidents/${id}`);
  await reader.page.getByRole('heading', { name: 'Cause' }).waitFor();
  await reader.page.getByRole('tab', { name: 'Manifest' }).waitFor();
  assert.is(await reader.page.getByRole('tab', { name: 'Prompt' }).count(), 0);
  const why = 'Your role is read. This can be done by: write, admin.';
  for (const name of ['Dismiss', 'New', 'Suppress…']) {
    const button = reader.page.getByRole('button', { name });
    assert.ok(await button.isDisabled(), name);
    assert.is(await button.getAttribute('title'), why);
  }
  await reader.page.getByRole('button', { name: 'More actions' }).click();
  await reader.page.getByRole('menu').getByText(why).waitFor();
  assert.ok(await reader.page.getByRole('menuitem', { name: 'Explain again' }).isDisabled());
  assert.ok(await reader.page.getByRole('menuitem', { name: 'Copy link' }).isEnabled(), 'a link changes nothing');
  await reader.assertAccessible('the other actions');
  const writer = await visitAs('write', `/incidents/${id}`);
  await writer.page.getByRole('button', { name: 'Dismiss' }).waitFor();
  assert.ok(await writer.page.getByRole('button', { name: 'Suppress…' }).isEnabled());
});

test('a status that one person sets is seen by the other', async () => {
  const id = await report();
  const [ada, bob] = [await visitAs('write', `/incidents/${id}`), await visitAs('admin', `/incidents/${id}`)];
  await bob.page.getByRole('button', { name: 'New' }).waitFor();
  await ada.page.getByRole('button', { name: 'New' }).click();
  await ada.page.getByRole('menuitem', { name: 'Investigating' }).click();
  await bob.page.getByRole('button', { name: 'Investigating' }).waitFor();
  await bob.page.getByRole('button', { name: 'Dismiss' }).click();
  await ada.page.getByRole('button', { name: 'Restore' }).waitFor();
  await ada.page.getByRole('link', { name: 'Incidents', exact: true }).click();
  await ada.page.getByText('A failing pod appears here at once.').waitFor();
});

test('a session that is ended elsewhere ends here, and whoever logs in again is back where they were, with what they wrote', async () => {
  await addUser('eva');
  const id = await report();
  const screen = await visit(`/incidents/${id}`);
  await logIn(screen, 'eva', PASSWORD);
  await screen.page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
  await screen.page.getByRole('button', { name: 'Suppress…' }).click();
  await screen.page.getByLabel('Why').fill('half of a thought');
  await it.deps.accounts.setPassword('eva', 'another horse');
  await screen.page.getByText('Your session has ended. Log in to go on.').waitFor();
  assert.is(await screen.page.getByText('web-1').count(), 0);
  await logIn(screen, 'eva', 'another horse');
  await screen.page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
  assert.is(await screen.page.getByLabel('Why').inputValue(), 'half of a thought');
  await screen.page.getByRole('button', { name: 'Cancel' }).click();
  await screen.page.reload();
  await screen.page.getByRole('button', { name: 'Suppress…' }).waitFor();
});

test('a server that does not answer at first is asked again without a click', async () => {
  const { page } = await visit('/nowhere');
  await page.route('**/api/auth/status', (route) => route.abort());
  await page.goto(`${url}/incidents`);
  await page.getByRole('heading', { name: 'Podmend cannot be reached' }).waitFor();
  await page.unroute('**/api/auth/status');
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
});

test('logging out leaves nothing behind', async () => {
  const id = await report();
  await addUser('leaver');
  const screen = await visit(`/incidents/${id}`);
  const { page } = screen;
  await logIn(screen, 'leaver', PASSWORD);
  await page.getByRole('button', { name: 'Account of leaver' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
  await page.goto(`${url}/incidents/${id}`);
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
  assert.equal(await page.context().cookies(), []);
});

test('what the server refuses is told in its own words', async () => {
  const id = await report();
  const { page } = await visitAs('write', `/incidents/${id}`);
  await page.getByRole('button', { name: 'Suppress…' }).click();
  await page.getByRole('alert').getByText('Kubernetes client not available').first().waitFor();
});

test('an address that leads nowhere, or to a failure that is gone, leads home', async () => {
  const screen = await visitAs('read', '/nowhere');
  const { page } = screen;
  for (const path of ['/incidents/0', '/incidents/1e3', '/incidents/99999999999999999999', '/elsewhere?namespace=shop']) {
    await page.goto(url + path);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  }
  await screen.assertAccessible('an address that leads nowhere');
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(`${url}/failures/999999`);
  await page.getByRole('heading', { level: 1, name: 'Incident not found' }).waitFor();
  assert.match(page.url(), '/incidents/999999');
  await screen.assertAccessible('an incident that is gone');
  await page.getByRole('link', { name: 'All incidents' }).click();
  await page.getByRole('heading', { level: 1, name: 'Incidents' }).waitFor();
});

test('HTML, scripts and addresses in what pods say stay text', async () => {
  const evil =
    '<img src=x onerror="document.title=\'owned\'"><script>document.title="owned"</script> [here](javascript:alert(1)) ![](https://elsewhere.example/x.png)';
  const id = await report({ failure_message: evil, logs: evil, events: [{ type: 'Warning', reason: 'BackOff', message: evil }] });
  const { page } = await visitAs('read', `/incidents/${id}`);
  await page.getByText('onerror').first().waitFor();
  assert.is(await page.locator('main img, main script, main a[href^="javascript"]').count(), 0);
  assert.not.match(await page.title(), 'owned');
});

test('a lost connection is told, and what was missed is there when it is back', async () => {
  const screen = await visit();
  const routes: WebSocketRoute[] = [];
  let isAway = false;
  await screen.page.routeWebSocket('**/api/ws', (route) => {
    if (isAway) return void route.close({ code: 4000 });
    route.connectToServer();
    routes.push(route);
  });
  await addUser('ida');
  await logIn(screen, 'ida', PASSWORD);
  const connection = screen.page.getByRole('status');
  await connection.filter({ hasText: 'Live' }).waitFor();
  isAway = true;
  await routes[0]?.close({ code: 4000 });
  await connection.filter({ hasText: 'Reconnecting' }).waitFor();
  await report();
  assert.is(await screen.page.locator('.incident').count(), 0);
  isAway = false;
  await screen.page.locator('.incident', { hasText: 'web' }).waitFor();
  await connection.filter({ hasText: 'Live' }).waitFor();
});

// Both ways of a network to be away: connections break and new ones are refused, or nothing passes and nobody is told.
for (const way of ['refuse', 'freeze'] as const) {
  test(`where the network ${way}s, the age of the data is told, and what changed meanwhile is there afterwards`, async () => {
    const network = await startFreezer({ host: '127.0.0.1', port: Number(new URL(url).port) });
    try {
      await report({ pod_name: 'gone-1', workload: { kind: 'Deployment', name: 'gone' } });
      const screen = await visitAs('read', '/incidents', {}, `http://127.0.0.1:${network.port}`);
      const { page } = screen;
      const [connection, row] = [page.getByRole('status'), (name: string) => page.locator('.incident', { hasText: name })];
      await row('gone').waitFor();
      const before = Date.now();
      network[way]();
      const said = await connection.filter({ hasText: /data as of \d/ }).innerText();
      const clock = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit' });
      const minutes = [before - 60_000, before, Date.now()].map((at) => clock.format(at));
      assert.ok(
        minutes.some((minute) => said.endsWith(`data as of ${minute}`)),
        said,
      );
      await page.setViewportSize(NARROW.viewport);
      await connection.getByText(/data as of \d/).waitFor();
      await screen.assertFits('the age of the data on a telephone');
      await report({ pod_name: 'came-1', workload: { kind: 'Deployment', name: 'came' } });
      const payload = { pods: [{ namespace: 'shop', pod_name: 'gone-1' }], reason: 'deleted' };
      const headers = { 'x-service-token': SERVICE_TOKEN };
      await it.app.inject({ method: 'POST', url: '/api/pods/dismiss-deleted', headers, payload });
      // In the long form as long as people would notice it.
      if (isLong) await sleep(60_000);
      assert.equal([await row('gone').count(), await row('came').count()], [1, 0]);
      network.thaw();
      await row('came').waitFor();
      await row('gone').waitFor({ state: 'detached' });
      await connection.filter({ hasText: /^Live$/ }).waitFor();
    } finally {
      await network.close();
    }
  });
}

test('filters are saved under a name, shown again, replaced and deleted, by keys, and stay after a reload', async () => {
  await report();
  const screen = await visitAs('read', '/incidents?reason=CrashLoopBackOff&sort=name');
  const { page } = screen;
  const { keyboard } = page;
  const views = page.getByRole('button', { name: 'Saved views' });
  const open = async (): Promise<void> => {
    await views.focus();
    await keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
  };
  await open();
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
  await page.getByRole('dialog', { name: 'Save this view' }).waitFor();
  await screen.assertAccessible('the name of a view');
  await keyboard.type('Crashes \u202eby');
  // As after a session that was ended elsewhere.
  await page.reload();
  await open();
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
  await keyboard.press('End');
  await keyboard.type(' name');
  await keyboard.press('Enter');
  await page.getByText('saved in this browser').waitFor();
  await views.getByText('Crashes').waitFor();
  await page.goto(`${url}/incidents?list=resolved`);
  await open();
  await screen.assertAccessible('saved views');
  await page.getByRole('menuitem', { name: /^Crashes/ }).press('Enter');
  await page.waitForURL('**/incidents?reason=CrashLoopBackOff&sort=name');
  await page.goBack();
  await page.waitForURL('**/incidents?list=resolved');
  await open();
  await page.getByRole('menuitem', { name: 'Save this view…' }).press('Enter');
  await keyboard.type('crashes \u202eBY name');
  await page.getByRole('button', { name: /^Replace “Crashes/ }).waitFor();
  await keyboard.press('Enter');
  await open();
  assert.is(await page.getByRole('menuitem').count(), 2, 'one view, and what can be done with it');
  await page.getByRole('menuitem', { name: /^Delete/ }).press('Enter');
  await page.getByText(/deleted$/).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await views.getByText('crashes').waitFor();
});

test('of many incidents only those in sight are in the document, and searching asks the server', async () => {
  for (let pod = 1; pod <= 205; pod++) await report({ pod_name: `pod-${pod}`, workload: null });
  const { page } = await visitAs('read');
  await page.getByText('205 incidents').waitFor();
  const rows = page.locator('.incident');
  assert.ok((await rows.count()) <= 60, 'only rows in sight');
  await until(
    async () => {
      await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
      return (await rows.filter({ has: page.getByText('pod-1', { exact: true }) }).count()) === 1;
    },
    { what: 'the oldest, which is on the second page' },
  );
  assert.ok((await rows.count()) <= 60, 'only rows in sight, at the end too');
  assert.is(await page.getByText('New incident').count(), 0, 'older ones are not announced as new');
  await page.getByLabel('Search incidents').fill('pod-10');
  await page.getByText('11 incidents').waitFor();
  await page.getByLabel('Search incidents').fill('nothing of that name');
  await page.getByText('Nothing here matches').waitFor();
});

test('it is used with the keyboard alone', async () => {
  await report();
  const { page } = await visitAs('write');
  await page.locator('.incident').waitFor();
  const press = async (key: string, what: string, isThere: () => Promise<boolean>): Promise<void> => {
    const next = async (): Promise<boolean> => (await isThere()) || (await page.keyboard.press(key).then(() => false));
    await until(next, { what });
  };
  const focused = (text: string) => async () =>
    (await page.evaluate<string>('document.activeElement.matches("a, button") ? document.activeElement.innerText : ""')).includes(text);
  await press('Tab', 'the incident is reached', () => page.evaluate<boolean>('document.activeElement.matches(".incident a")'));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
  await press('Tab', 'the status is reached', focused('New'));
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Resolved' }).waitFor();
  await press('ArrowDown', 'the status can be chosen', focused('Resolved'));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Resolved' }).waitFor();
});

for (const [what, options] of [
  ['a telephone', NARROW],
  ['a telephone in the dark', { ...NARROW, colorScheme: 'dark' }],
  ['a large screen in the dark', { colorScheme: 'dark' }],
  ['a large screen', {}],
] as [string, BrowserContextOptions][]) {
  test(`on ${what} everything is legible and nothing sticks out`, async () => {
    const last = new Date();
    const event = { type: 'Warning', reason: 'FailedScheduling', message: 'x'.repeat(300), source: 'default-scheduler', count: 12 };
    const id = await report({
      pod_name: `a-pod-with-${'quite-'.repeat(20)}a-long-name`,
      failure_message: 'x'.repeat(300),
      events: [{ ...event, timestamp: last.toISOString(), first_timestamp: new Date(last.getTime() - 600_000).toISOString() }],
    });
    const screen = await visitAs('write', '/incidents', options);
    const { page } = screen;
    await page.locator('.incident').waitFor();
    await screen.assertFits('the list');
    await screen.assertAccessible('the list');
    await page.locator('.incident').click();
    await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
    if (options.viewport) assert.is(await page.evaluate('document.activeElement.id'), 'content', 'the list gave the focus away');
    for (const tab of ['Containers', 'Log', 'Manifest', 'Events']) {
      await page.getByRole('tab', { name: tab }).click();
      await screen.assertFits(tab);
    }
    // The time of an event stands beside its reason or below it, and not upon it.
    const upon = `[...document.querySelectorAll('ol[aria-label^="Events"] li')].filter(({ children: [reason, time] }) => {
      const [one, other] = [reason.getBoundingClientRect(), time.getBoundingClientRect()];
      return one.right > other.left && one.bottom > other.top && other.bottom > one.top;
    }).length`;
    assert.equal(await page.evaluate<number>(upon), 0, 'events that overlap');
    await screen.assertAccessible('a failure');
    assert.match(page.url(), `/incidents/${id}`);
    await page.getByRole('button', { name: /^Account of / }).click();
    await screen.assertAccessible('the menu of the account');
    await page.getByRole('menuitemradio', { name: options.colorScheme === 'dark' ? 'Light' : 'Dark' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await screen.assertAccessible('the other colours');
    if (!options.viewport) return;
    await page.getByRole('button', { name: 'Menu', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    await screen.assertAccessible('the menu of the screens');
    await page.getByRole('dialog').getByRole('link', { name: 'Incidents' }).click();
    await page.locator('.incident').waitFor();
  });
}

test('on a telephone the cause comes before what else can be done, which is in a menu', async () => {
  const id = await report();
  const screen = await visitAs('write', `/incidents/${id}`, NARROW);
  const { page } = screen;
  await page.getByRole('heading', { name: 'Cause' }).waitFor();
  const shown = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main article :is(a, button)')].filter((one) => one.checkVisibility()).filter((one) =>
      one.getBoundingClientRect().top < [...document.querySelectorAll('h2')].find((one) => one.innerText === 'Cause').getBoundingClientRect().top
    ).map((one) => one.ariaLabel ?? one.innerText)`,
  );
  assert.equal(shown, ['All incidents', 'Assign', 'New', 'More actions']);
  await page.getByRole('button', { name: 'More actions' }).click();
  await screen.assertAccessible('the menu of an incident');
  await page.getByRole('menuitem', { name: 'Dismiss' }).click();
  await page
    .getByRole('button', { name: 'Ignored' })
    .or(page.getByRole('button', { name: 'Dismissed' }))
    .waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'New', exact: true }).waitFor();
});

test('the list fits 320 px with whatever a row can say, and so do its actions and messages', async () => {
  const { page, assertFits } = await visitAs('write', '/incidents', { viewport: { width: 320, height: 568 } });
  const trials = trialRepository(it.store.db);
  const row = page.locator('.incident');
  for (const [index, verdict] of (['Inconclusive', 'StillFailing', 'Fixed'] as const).entries()) {
    const name = `${'w'.repeat(60)}${index}`;
    const failure_id = await report({
      pod_name: `${name}-1`,
      namespace: 'n'.repeat(63),
      workload: { kind: 'Deployment', name },
      failure_message: 'x'.repeat(300),
      container_statuses: [aCrash(1_234_567)],
    });
    const none = { shown_before: null, shown_after: null, reason_before: null, reason_after: null, changes: [], verdict: null };
    await trials.insert({ mirror_id: name, failure_id, ...none, origin: 'Rules', started_at: new Date() });
    await trials.update(name, { verdict, reason_after: null, strength: 'Weak' });
  }
  await page.reload();
  await row.getByText('Inconclusive').waitFor();
  await assertFits('the list');
  const verdict = page.getByLabel('Verdict', { exact: true });
  assert.ok(!(await verdict.isVisible()), 'the filters do not push the list down');
  await page.getByRole('button', { name: 'Filter' }).click();
  await verdict.selectOption('Inconclusive');
  await page.getByText('One incident', { exact: true }).waitFor();
  await assertFits('the filters');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('3 incidents', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  // Nothing stands upon anything else.
  const full = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.incident [role=cell]')].filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.innerText)`,
  );
  assert.equal(full, []);
  await row.first().getByRole('checkbox').check({ force: true });
  const bulk = page.getByRole('region', { name: 'Selected incidents' });
  await bulk.waitFor();
  await assertFits('the actions');
  await bulk.getByRole('button', { name: 'Investigate' }).click();
  await page.getByRole('button', { name: 'Undo' }).waitFor();
  await assertFits('a message');
});

if (chromium) test.run();
