import type { WebSocketRoute } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { chromiumFor, type Screen } from '../support/network/browser.ts';
import { startFreezer } from '../support/network/freezer.ts';
import { isLong } from '../support/runner/long.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN, testApp } from '../support/worlds/app.ts';
import { listen, logIn, PASSWORD, visitorsOf, withDashboard } from '../support/worlds/visitors.ts';

// What each user sees, and what the dashboard says when something goes wrong. The cluster is always away.

const chromium = chromiumFor('people before the screen');
const test = suite('people before the screen');
const NARROW = { viewport: { width: 390, height: 844 } };
const people = visitorsOf(test, chromium);
const { visit, visitAs, addUser, report } = people;

/** Loads the page. Delays the main script until `release` is called. */
async function withoutScripts({ page }: Screen, path: string): Promise<{ release(): void }> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/main-*.js', (route) => released.then(() => route.continue()));
  await page.goto(people.url() + path, { waitUntil: 'commit' });
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
    // The browser paints nothing before the styles are there, but it answers questions about the page.
    await page.waitForFunction(`[...document.querySelectorAll('link[rel=stylesheet]')].every((link) => link.sheet)`);
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

test('the data of a screen are requested before its scripts are there, and once', async () => {
  const id = await report();
  for (const [path, asked, shown] of [
    ['/incidents?q=web', ['/api/config', '/api/incidents?limit=200&list=active&sort=first_seen&order=desc&q=web'], '.incident'],
    [`/incidents/${id}`, ['/api/config', '/api/mirror/active', `/api/pods/failed/${id}`, `/api/pods/failed/${id}/diagnosis`], 'article h2'],
    ['/overview?namespace=shop', ['/api/config', '/api/overview?namespace=shop'], 'main section'],
  ] as [string, string[], string][]) {
    const screen = await visitAs('read', '/suppressions');
    const { page } = screen;
    // A socket that opens makes the dashboard load everything again. So this socket never opens.
    await page.addInitScript('window.WebSocket = class extends EventTarget { close() {} }');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url().replace(people.url(), '')));
    const { release } = await withoutScripts(screen, path);
    const early = () => asked.filter((one) => requested.includes(one));
    await until(() => early().length === asked.length, { what: () => `the requests of ${path}, of which there were ${early().join(' ')}` });
    release();
    await page.locator(shown).first().waitFor();
    // The dashboard requests the mirrors again, because the cluster is away.
    const once = asked.filter((one) => one !== '/api/mirror/active');
    assert.equal(requested.filter((one) => once.includes(one)).sort(), once.sort(), path);
    // Chromium complains about unused preloads, because the scripts are delayed.
    const strange = screen.complaints().filter((line) => !/was preloaded using link preload|Failed to load resource: .* 503 /.test(line));
    assert.equal(strange, []);
  }
});

test('the first list is shown when it arrives, even if the socket opens first', async () => {
  await report();
  const { page } = await visitAs('read', '/suppressions');
  const held: (() => void)[] = [];
  await page.route('**/api/incidents?*', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve));
    await route.continue().catch(() => undefined);
  });
  await page.goto(`${people.url()}/incidents`);
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  held[0]?.();
  await page.locator('.incident').waitFor();
  await until(() => held.length > 1, { what: 'the list to be loaded again, for what changed before the connection' });
  for (const release of held) release();
});

test('after the end of a session, the page shows the login and nothing of the frame', async () => {
  await addUser('ended');
  const screen = await visit();
  const { page } = screen;
  await logIn(screen, 'ended', PASSWORD);
  await page.getByRole('heading', { name: 'Incidents', level: 1 }).waitFor();
  await people.app().deps.accounts.setPassword('ended', 'another horse');
  const { release } = await withoutScripts(screen, '/incidents');
  await page.getByText('Podmend', { exact: true }).waitFor();
  assert.is(await page.getByRole('navigation').count(), 0);
  release();
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
});

test('each wrong password shows the server’s message; the right one lets in', async () => {
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

test('after too many attempts the page says how long to wait, and the inputs stay', async () => {
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
  const screen = await people.screens().visit(await listen(guarded));
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

test('a user with the role read sees everything, and no action is offered', async () => {
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
  await people.app().deps.accounts.setPassword('eva', 'another horse');
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
  await page.goto(`${people.url()}/incidents`);
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
  await page.goto(`${people.url()}/incidents/${id}`);
  await page.getByRole('heading', { name: 'Log in to Podmend' }).waitFor();
  assert.equal(await page.context().cookies(), []);
});

test('a refusal is shown in the words of the server', async () => {
  const id = await report();
  const { page } = await visitAs('write', `/incidents/${id}`);
  await page.getByRole('button', { name: 'Suppress…' }).click();
  await page.getByRole('alert').getByText('Kubernetes client not available').first().waitFor();
  const headers = { 'retry-after': '600' };
  await page.route('**/api/history/workloads?*', (route) => route.fulfill({ status: 429, headers, json: { detail: 'Too many requests' } }));
  await page.goto(`${people.url()}/history`);
  const alert = page.getByRole('alert').filter({ hasText: 'Too many requests' });
  assert.ok(await alert.getByRole('button', { name: /^Try again in \d{3} s$/ }).isDisabled());
});

test('an address that leads nowhere, or to a failure that is gone, leads home', async () => {
  const screen = await visitAs('read', '/nowhere');
  const { page } = screen;
  for (const path of ['/incidents/0', '/incidents/1e3', '/incidents/99999999999999999999', '/elsewhere?namespace=shop']) {
    await page.goto(people.url() + path);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  }
  await screen.assertAccessible('an address that leads nowhere');
  await page.getByRole('link', { name: 'Go to the overview' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  await page.goto(`${people.url()}/failures/999999`);
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

test('a lost connection is shown, and the missed changes appear when it is back', async () => {
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

// Two ways in which a network fails: it breaks connections and refuses new ones, or it silently drops all data.
for (const way of ['refuse', 'freeze'] as const) {
  test(`when the network ${way}s, the page shows the age of the data, and afterwards the missed changes`, async () => {
    const network = await startFreezer({ host: '127.0.0.1', port: Number(new URL(people.url()).port) });
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
      await people.app().app.inject({ method: 'POST', url: '/api/pods/dismiss-deleted', headers, payload });
      // Long runs wait as long as a real outage.
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

test('after a minute without a network, everything that happened meanwhile is there, in order and once', async () => {
  const network = await startFreezer({ host: '127.0.0.1', port: Number(new URL(people.url()).port) });
  const reportOf = (name: string) => report({ pod_name: `${name}-1`, workload: { kind: 'Deployment', name } });
  try {
    for (const name of ['gone', 'stays']) await reportOf(name);
    const { page } = await visitAs('read', '/incidents', {}, `http://127.0.0.1:${network.port}`);
    // The clock of the page, so that a minute passes at once.
    await page.clock.install();
    await page.reload();
    const [connection, rows] = [page.getByRole('status'), page.locator('.incident')];
    const names = async () => rows.locator('[title^="Deployment "]').allInnerTexts();
    await connection.filter({ hasText: /^Live$/ }).waitFor();
    await until(async () => (await names()).join() === 'stays,gone', { what: 'the list' });
    await page.clock.pauseAt(new Date(await page.evaluate<number>('Date.now() + 100')));
    network.refuse();
    // The clock stands still after five seconds. What is said then was found out by then.
    await page.clock.runFor(5_000);
    const away = connection.filter({ hasText: /^Server away, data as of \d/ });
    await away.waitFor();
    const said = await away.innerText();
    for (const name of ['first', 'second', 'third', 'stays']) await reportOf(name);
    const payload = { pods: [{ namespace: 'shop', pod_name: 'gone-1' }], reason: 'deleted' };
    const headers = { 'x-service-token': SERVICE_TOKEN };
    await people.app().app.inject({ method: 'POST', url: '/api/pods/dismiss-deleted', headers, payload });
    for (let passed = 0; passed < 60_000; passed += 5_000) await page.clock.runFor(5_000);
    assert.equal(
      [await away.innerText(), await names()],
      [said, ['stays', 'gone']],
      'the age of the data is that of the last sign of life',
    );
    network.thaw();
    await page.clock.resume();
    await until(async () => (await names()).join() === 'third,second,first,stays', { what: 'what was missed' });
    await connection.filter({ hasText: /^Live$/ }).waitFor();
    await reportOf('later');
    await until(async () => (await names()).join() === 'later,third,second,first,stays', { what: 'what comes after it' });
  } finally {
    await network.close();
  }
});

if (chromium) test.run();
