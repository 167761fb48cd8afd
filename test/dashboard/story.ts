import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trial } from '../../src/contract/failure.ts';
import { apiClient } from '../support/network/client.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { DEMO_SERVICE_TOKEN, type DemoProcess } from '../support/processes/demo.ts';
import { until } from '../support/runner/wait.ts';
import { chromiumFor, openScreens, type Screen, type Screens, within } from '../support/network/browser.ts';
import { countClicks } from './clicks.ts';
import { typeAccount } from './keyboard.ts';

const chromium = chromiumFor('the story on the screen');
const test = suite('the story on the screen');
const PASSWORD = 'correct horse';
/** A manifest with this prefix is not valid YAML. */
const NONSENSE = 'nonsense: x: ';

/** The test ids around each verdict that can be seen on the screen of an incident. */
const VERDICTS = `[...document.querySelectorAll('main article *')]
  .filter((one) => [...one.childNodes].some((node) => node.nodeType === 3 && /\\bFixed\\b/i.test(node.data)))
  .filter((one) => one.checkVisibility() && !one.closest('[role=status], dialog'))
  .map((one) => one.closest('[data-testid]')?.dataset.testid ?? one.outerHTML)`;

let demo: DemoProcess;
let start: () => Promise<DemoProcess>;
let screens: Screens;
let screen: Screen;
/** A user with the role read. */
let reader: Screen;
let url: string;
let kubeconfig: string;

test.before(async () => {
  // This builds the dashboard. The demo serves the build that exists when it starts.
  screens = await openScreens(chromium ?? '');
  demo = await start();
  ({ url, kubeconfig } = demo);
});
test.after(async () => {
  await screens?.close();
  assert.is(await demo?.stop(), 0, demo?.output());
});

const incident = (name: string) => screen.page.locator('.incident', { hasText: name });
/** Waits for the count. While the pointer is on the list, changes wait behind a button, which this presses. */
async function untilCount(name: string, count: number): Promise<void> {
  const waiting = screen.page.getByRole('button', { name: /^\d+ (new|gone)/ });
  await until(
    async () => {
      if (await waiting.isVisible()) await waiting.click();
      return (await incident(name).count()) === count;
    },
    { timeoutMs: 90_000, what: `${name} to be shown ${count} times` },
  );
}
const toTheList = () => screen.page.getByRole('link', { name: 'Incidents', exact: true }).click();

test('the first visitor creates the administrator', async () => {
  screen = await screens.visit(url, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = screen;
  await page.getByRole('heading', { name: 'Welcome to Podmend' }).waitFor();
  await screen.assertAccessible('signup');
  await page.getByLabel('Username').fill('admin');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('the failures of the shop appear, by themselves as they come', async () => {
  await toTheList();
  for (const name of ['payments', 'checkout', 'tax', 'storefront-preview']) await untilCount(name, 1);
  await screen.assertAccessible('the list');
  const kubectl = await clusterUser(kubeconfig);
  await kubectl.apply(`
apiVersion: v1
kind: Pod
metadata: {name: hello-again, namespace: shop}
spec: {containers: [{name: app, image: 'web:404'}]}
`);
  await untilCount('hello-again', 1);
  await kubectl('delete', 'pod', 'hello-again', '-n', 'shop');
  await untilCount('hello-again', 0);
  await kubectl.close();
});

test('an alert of Alertmanager stands beside the cause', async () => {
  const { page } = screen;
  const client = apiClient(url);
  await client.send('POST', '/api/auth/login', { username: 'admin', password: PASSWORD });
  const records = await client.get<{ pod_name: string }[]>('/api/pods/failed');
  const pod = records.find(({ pod_name: name }) => name.startsWith('payments-'))?.pod_name ?? '';
  const alert = {
    status: 'firing',
    labels: { alertname: 'KubePodNotReady', namespace: 'shop', pod },
    annotations: { summary: 'Pod has not been ready for 15 minutes.' },
    startsAt: new Date().toISOString(),
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'javascript:alert(1)',
    fingerprint: '0123456789abcdef',
  };
  const answer = await fetch(`${url}/api/alerts/alertmanager`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${DEMO_SERVICE_TOKEN}` },
    body: JSON.stringify({ version: '4', groupKey: '{}', alerts: [alert] }),
  });
  assert.equal(await answer.json(), { joined: 1, unknown: 0, ignored: 0 });
  await incident('payments').click();
  const alerts = page.getByRole('region', { name: 'Alerts' });
  await alerts.getByText('KubePodNotReady').waitFor();
  await alerts.getByText('Pod has not been ready for 15 minutes.').waitFor();
  assert.is(await alerts.getByRole('link').count(), 0, 'an address that is none of the web is no link');
  await page.goBack();
});

test('one incident is explained, and each line of evidence leads to its place', async () => {
  const { page } = screen;
  await incident('payments').click();
  await page.getByRole('heading', { level: 1, name: 'payments' }).waitFor();
  await page.getByText('nothing listens on port').first().waitFor();
  await page.getByRole('button', { name: 'log of app' }).click();
  const line = page.locator('[data-at]');
  await line.waitFor();
  assert.match(await line.innerText(), 'listening on');
  await page.locator('[data-at]:focus').waitFor();
  for (const [tab, shown] of [
    ['Containers', 'web:1'],
    ['Manifest', 'readinessProbe'],
    ['History', 'Nothing of this workload failed before'],
    ['Prompt', 'Instructions'],
    ['Events', 'Unhealthy'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel').getByText(shown).first().waitFor();
    await screen.assertAccessible(tab);
  }
});

test('its log is read as it runs, searched and copied', async () => {
  const { page } = screen;
  await page.getByRole('tab', { name: 'Logs' }).click();
  await page.getByText('Live', { exact: true }).last().click();
  const log = page.getByRole('region', { name: 'Log' });
  await log.getByText('listening on').waitFor();
  await page.getByLabel('Search the log').fill('no such line');
  await page.getByText(/^0 of \d+ lines$/).waitFor();
  await page.getByLabel('Search the log').fill('LISTENING');
  await log.getByText('listening on').waitFor();
  await page.getByRole('tabpanel').getByRole('button', { name: 'Copy' }).click();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), 'listening on');
});

test('from an empty browser to the copied patch of a proven correction it takes three clicks, and others see it come', async () => {
  const admin = apiClient(url);
  await admin.send('POST', '/api/auth/login', { username: 'admin', password: PASSWORD });
  await admin.send('POST', '/api/admin/users', { username: 'rita', password: PASSWORD, role: 'read' });
  const { page } = screen;
  await page.context().clearCookies();
  await page.goto(url);
  await typeAccount(page, 'admin', PASSWORD);
  const [clicks, began] = [await countClicks(page), performance.now()];
  await page
    .getByRole('main')
    .getByRole('link', { name: /^payments/ })
    .first()
    .click();
  const run = page.getByRole('button', { name: 'Try it', exact: true });
  const diff = page.getByRole('region', { name: 'Change of the manifest' });
  await diff.waitFor();
  assert.match(await diff.locator('tr[data-kind=removed]').innerText(), 'port: 8080');
  assert.match(await diff.locator('tr[data-kind=added]').innerText(), 'port: 80');
  await screen.assertAccessible('a correction');
  reader = await screens.visit(page.url());
  await reader.page.getByLabel('Username').fill('rita');
  await reader.page.locator('input[name=password]').fill(PASSWORD);
  await reader.page.keyboard.press('Enter');
  await reader.page.getByRole('button', { name: 'Try it', exact: true }).waitFor();

  await run.click();
  await page
    .getByText(/^Ready \d+ of \d+ s$/)
    .first()
    .waitFor({ timeout: 60_000 });
  await reader.page
    .getByText(/^Ready \d+ of \d+ s$/)
    .first()
    .waitFor();
  await screen.assertAccessible('a mirror that is watched');
  const take = page.getByRole('button', { name: 'Get the patch' });
  await take.waitFor({ timeout: 120_000 });
  const places = await page.evaluate<string[]>(VERDICTS);
  assert.equal(places, ['headline', 'action'], 'nothing is said twice: the state of the incident, and the badge beside the next action');
  await take.click();
  await page.getByText('kubectl patch is on the clipboard.').waitFor();
  assert.is(await clicks(), 3);
  // How long it takes is not asserted: other tests run on the same machine.
  console.log(`from the login to the copied patch, with what is checked meanwhile: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  const command = await within('the clipboard', page.evaluate<string>('navigator.clipboard.readText()'));
  assert.match(command, /^kubectl patch deployment payments -n shop --type=json -p '/);
  assert.match(command, '"value":80');
  await page.getByRole('status').filter({ hasText: 'The mirror’s verdict: Fixed' }).waitFor({ state: 'attached' });
  await screen.assertAccessible('the patch');
  for (const [form, text] of [
    ['YAML', 'value: 80'],
    ['Git diff', 'diff --git a/deployment-payments.yaml'],
    ['Pull request', '**Fixed**'],
  ] as const) {
    await page.getByText(form, { exact: true }).click();
    await page.getByRole('dialog').getByText(text).waitFor();
  }
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // Looks only in the mirror: a closing panel may still contain the same words.
  await page.getByTestId('mirror').getByText('What this verdict cannot know').waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await screen.assertAccessible('a verdict in the dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await screen.assertAccessible('a verdict');
});

test('a user with the role read sees the same, and all controls that change something are disabled', async () => {
  const { page } = reader;
  await page.getByTestId('headline').getByText('Fixed on a mirror').waitFor();
  for (const name of ['New', 'Dismiss', 'End', 'Suppress…']) {
    const button = page.getByRole('button', { name, exact: true });
    assert.ok(await button.isDisabled(), name);
    assert.match((await button.getAttribute('title')) ?? '', /^Your role is read\./);
  }
  await page.getByRole('tab', { name: 'Manifest' }).click();
  assert.ok(await page.getByRole('button', { name: 'Edit and try' }).isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Get the patch' }).isEnabled(), 'reading a patch changes nothing');
  await reader.assertAccessible('an incident for who may only read');
  assert.equal(reader.complaints(), []);
  await reader.close();
});

test('a mirror is ended, and its proof stays, also at the same address later', async () => {
  const { page } = screen;
  await page.getByRole('button', { name: 'End', exact: true }).click();
  await page.getByRole('button', { name: /^End .*mirror$/ }).click();
  await page.getByTestId('mirror').waitFor({ state: 'detached' });
  await page.reload();
  await page.getByRole('list', { name: 'Tried' }).getByText('Strong evidence').waitFor();
  await page.getByRole('button', { name: 'Get the patch' }).waitFor();
  assert.equal(await page.evaluate<string[]>(VERDICTS), ['headline', 'action'], 'when the mirror is over, too');
  const id = /\/incidents\/(\d+)$/.exec(page.url())?.[1];
  const client = apiClient(url);
  await client.send('POST', '/api/auth/login', { username: 'admin', password: PASSWORD });
  const { trials } = await client.get<{ trials: Trial[] }>(`/api/pods/failed/${id}`);
  assert.equal(
    trials.map(({ verdict }) => verdict),
    ['Fixed'],
  );
});

test('what a mirror may do is told before it runs, and a wrong time is not sent', async () => {
  const { page } = screen;
  await toTheList();
  await incident('ledger').click();
  await page.getByText('Before you run it').waitFor();
  await page.getByText(/what it writes there is written for real: see DATABASE_URL/).waitFor();
  await page.getByText(/^Runs for at most/).click();
  const [seconds, run] = [page.getByLabel('Run for at most'), page.getByRole('button', { name: 'Try it', exact: true })];
  await screen.assertAccessible('risks');
  await seconds.fill('');
  assert.ok(await run.isDisabled(), 'for no time');
  await seconds.fill('5');
  assert.ok(await run.isDisabled(), 'for too short a time');
  await page.keyboard.press('Tab');
  assert.is(await seconds.inputValue(), '30');
  assert.ok(await run.isEnabled());
});

test('a manifest is edited and checked with the keyboard alone, and the draft survives a reload', async () => {
  const { page } = screen;
  const press = async (key: string, what: string, isThere: () => Promise<boolean>): Promise<void> => {
    for (let left = 60; left > 0 && !(await isThere()); left--) await page.keyboard.press(key);
    assert.ok(await isThere(), what);
  };
  const focused = (text: string) => async () =>
    (await page.evaluate<string>('document.activeElement.matches("button, [role=tab]") ? document.activeElement.innerText : ""')).includes(
      text,
    );
  await press('Tab', 'the tabs are reached', focused('Events'));
  await press('ArrowRight', 'the manifest is chosen', focused('Manifest'));
  await press('Tab', 'the editor can be opened', focused('Edit and try'));
  await page.keyboard.press('Enter');
  const editor = page.getByRole('textbox', { name: 'Manifest to try' });
  await editor.waitFor();
  await page.getByText('A mirror can try this.').waitFor();
  await screen.assertAccessible('the editor');
  await page.keyboard.press('Control+Home');
  await page.keyboard.type(NONSENSE);
  await page.getByRole('alert').getByText('manifest: not valid YAML').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Try what I wrote' }).isDisabled());
  await page.reload();
  await page.getByRole('alert').getByText('manifest: not valid YAML').waitFor();
  await editor.press('Escape');
  await press('Tab', 'the draft can be dropped', focused('Discard'));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Edit and try' }).waitFor();
});

test('when no change of the manifest is a cure, the page says what a person must do, and offers no mirror', async () => {
  const { page } = screen;
  await toTheList();
  await incident('tax').click();
  await page.getByRole('heading', { name: 'What a person must do' }).waitFor();
  await page.getByTestId('headline').getByText('No change of the manifest helps').waitFor();
  await page.getByRole('button', { name: 'Copy the commands' }).click();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^kubectl logs /);
  assert.is(await page.getByRole('button', { name: /^Try it/ }).count(), 0);
  await screen.assertAccessible('what a person must do');
});

test('a failure is dismissed and restored', async () => {
  const { page } = screen;
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByRole('button', { name: 'Restore' }).waitFor();
  await toTheList();
  await incident('payments').waitFor();
  await untilCount('tax', 0);
  await page.getByText(/^Dismissed \d/).click();
  await incident('tax').click();
  await page.getByRole('button', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'Dismiss' }).waitFor();
  await toTheList();
  await incident('tax').waitFor();
});

test('the browser logged no complaint', () => {
  // The browser logs refused requests: 400 for the invalid YAML, 503 from a busy machine, after which the dashboard asks again.
  assert.equal(
    screen.complaints().filter((line) => !/Failed to load resource: .* (400|503) /.test(line)),
    [],
  );
});

/** The README's story as a newcomer sees it, in a real browser. Each step builds on the earlier ones. One demo for each process. */
export function tellStory(of: () => Promise<DemoProcess>): void {
  start = of;
  if (chromium) test.run();
}
