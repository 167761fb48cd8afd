import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Trial } from '../../src/contract/failure.ts';
import { apiClient } from '../support/network/client.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { startDemo } from '../support/processes/demo.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { chromiumFor, openScreens, type Screen, type Screens } from '../support/network/browser.ts';

// The README's story as a newcomer sees it: the demo in a real browser, each step on top of those before it.

const chromium = chromiumFor('the story on the screen');
const test = suite('the story on the screen');
const PASSWORD = 'correct horse';

let demo: Running;
let screens: Screens;
let screen: Screen;
let url: string;
let kubeconfig: string;

test.before(async () => {
  // First, because the demo shows what is built when it starts.
  screens = await openScreens(chromium ?? '');
  demo = await startDemo();
  url = (await demo.line(/^address: (\S+)$/m))[1] ?? '';
  kubeconfig = (await demo.line(/^kubeconfig: (\S+)$/m))[1] ?? '';
});
test.after(async () => {
  await screens?.close();
  assert.is(await demo?.stop(), 0, demo?.output());
});

const incident = (name: string) => screen.page.locator('.incident', { hasText: name });
/** Changes of the list wait while the pointer is on it. */
async function untilCount(name: string, count: number): Promise<void> {
  const waiting = screen.page.getByRole('button', { name: /^\d+ (new|gone)/ });
  await until(
    async () => {
      if (await waiting.isVisible()) await waiting.click();
      return (await incident(name).count()) === count;
    },
    { timeoutMs: 20_000, what: `${name} to be shown ${count} times` },
  );
}
const toTheList = () => screen.page.getByRole('link', { name: 'Incidents', exact: true }).click();

test('the first visitor creates the administrator', async () => {
  screen = await screens.visit(url);
  const { page } = screen;
  await page.getByRole('heading', { name: 'Welcome to Podmend' }).waitFor();
  await screen.assertAccessible('signup');
  await page.getByLabel('Username').fill('admin');
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
});

test('the failures of the shop appear, by themselves as they come', async () => {
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

test('one failure is explained, with what it was concluded from', async () => {
  const { page } = screen;
  await incident('payments').click();
  await page.getByRole('heading', { level: 1, name: /^payments-/ }).waitFor();
  await page.getByText('nothing listens on port').waitFor();
  await page.getByText('Readiness probe failed').first().waitFor();
  for (const [tab, shown] of [
    ['Containers', 'web:1'],
    ['Log', 'listening on'],
    ['Manifest', 'readinessProbe'],
    ['Events', 'Unhealthy'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('tabpanel').getByText(shown).first().waitFor();
  }
  await screen.assertAccessible('a failure');
});

test('its fix is shown as a diff, tried on a mirror, and the verdict comes by itself', async () => {
  const { page } = screen;
  await page.getByRole('button', { name: 'Preview the fix' }).click();
  const diff = page.getByRole('region', { name: 'Change of the manifest' });
  await diff.waitFor();
  assert.match(await diff.locator('tr[data-kind=removed]').innerText(), 'port: 8080');
  assert.match(await diff.locator('tr[data-kind=added]').innerText(), 'port: 80');
  await screen.assertAccessible('a preview');
  await page.getByRole('button', { name: 'Try it on a mirror' }).click();
  await page.locator('.mirror').getByText('Fixed', { exact: true }).waitFor({ timeout: 120_000 });
  await page.getByRole('heading', { name: 'Trials' }).waitFor();
  await page.locator('.trials').getByText('Fixed').waitFor();
  await screen.assertAccessible('a verdict');
});

test('a mirror is ended, and its trial stays, also for who comes back to the address', async () => {
  const { page } = screen;
  await page.getByRole('button', { name: 'End it' }).click();
  await page.locator('.mirror').waitFor({ state: 'detached' });
  await page.reload();
  await page.locator('.trials').getByText('Fixed').waitFor();
  const id = /\/incidents\/(\d+)$/.exec(page.url())?.[1];
  const client = apiClient(url);
  await client.send('POST', '/api/auth/login', { username: 'admin', password: PASSWORD });
  const { trials } = await client.get<{ trials: Trial[] }>(`/api/pods/failed/${id}`);
  assert.equal(
    trials.map(({ verdict }) => verdict),
    ['Fixed'],
  );
});

test('what a mirror may do is told before it runs', async () => {
  const { page } = screen;
  await toTheList();
  await incident('ledger').click();
  await page.getByRole('button', { name: 'Preview the fix' }).click();
  await page.getByText('Before you run it').waitFor();
  await page.getByText(/what it writes there is written for real: see DATABASE_URL/).waitFor();
  await screen.assertAccessible('risks');
  const [seconds, run] = [page.getByLabel('Run for at most'), page.getByRole('button', { name: 'Try it on a mirror' })];
  await seconds.fill('');
  assert.ok(await run.isDisabled(), 'for no time');
  await seconds.fill('5');
  assert.ok(await run.isDisabled(), 'for too short a time');
  await page.keyboard.press('Tab');
  assert.is(await seconds.inputValue(), '30');
  assert.ok(await run.isEnabled());
});

test('where no manifest cures it, the preview says so', async () => {
  const { page } = screen;
  await toTheList();
  await incident('tax').click();
  await page.getByRole('button', { name: 'Preview the fix' }).click();
  await page
    .getByText(/no change to the manifest cures this/i)
    .last()
    .waitFor();
  assert.is(await page.getByRole('button', { name: 'Try it on a mirror' }).count(), 0);
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

test('the browser had nothing to complain about', () => {
  assert.equal(screen.complaints(), []);
});

if (chromium) test.run();
