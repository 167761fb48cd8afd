import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationSetting } from '../../src/contract/notification.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { chromiumFor, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { type FakeService, fakeService } from '../support/notifications/fake-service.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN } from '../support/worlds/app.ts';
import { type NotificationWorld, notificationWorld } from '../support/worlds/notifications.ts';

// Providers in a real browser: a real outbox sends to a service on loopback.

const chromium = chromiumFor('notifications');
const test = suite('notifications in the dashboard');
const NARROW = { viewport: { width: 390, height: 844 } };

let screens: Screens;
let world: NotificationWorld;
let hook: FakeService;
let admin: Screen;

test.before(async () => {
  screens = await openScreens(chromium ?? '');
  [world, hook] = await Promise.all([notificationWorld(), fakeService('webhook')]);
  admin = await visitAs('admin', '/notifications');
});
test.after(async () => {
  const strange = (admin?.complaints() ?? []).filter((line) => !/Failed to load resource: .* (404|503) /.test(line));
  await screens?.close();
  await world?.close();
  await hook?.close();
  assert.equal(strange, []);
});

async function visitAs(role: 'read' | 'admin', path: string, options = {}): Promise<Screen> {
  const [name = '', ...rest] = world.cookie(role).split('=');
  const cookie = { name, value: rest.join('='), domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false };
  const storageState = { cookies: [{ ...cookie, sameSite: 'Lax' as const }], origins: [] };
  const screen = await screens.visit(world.url + path, { ...options, storageState });
  await screen.page.getByRole('heading', { level: 1 }).waitFor();
  return screen;
}

/** Checks accessibility in the light and the dark colour scheme. */
const assertAccessible = (what: string, on: Screen = admin): Promise<void> => on.assertAccessibleInBothSchemes(what);

const settings = async (): Promise<NotificationSetting[]> =>
  (await world.send('admin', { method: 'GET', url: '/api/admin/notifications' })).json<NotificationSetting[]>();

/** Reports a failing pod. Returns the id of its record. */
async function report(): Promise<number> {
  const payload = aFailureReport({ pod_uid: 'uid-web-1' });
  const headers = { 'x-service-token': SERVICE_TOKEN };
  return (await world.app.inject({ method: 'POST', url: '/api/pods/failed', headers, payload })).json<{ id: number }>().id;
}

test('a provider is created with the keyboard alone, previewed before it is saved, and tested', async () => {
  const { page } = admin;
  const press = async (key: string, what: string, isThere: () => Promise<boolean>): Promise<void> => {
    const next = async (): Promise<boolean> => (await isThere()) || (await page.keyboard.press(key).then(() => false));
    await until(next, { what });
  };
  const onButton = (name: string) => () =>
    page.evaluate<boolean>(
      `document.activeElement.matches("button") && document.activeElement.innerText.trim() === ${JSON.stringify(name)}`,
    );
  const onField = (label: string) => () =>
    page.evaluate<boolean>(`[...(document.activeElement.labels ?? [])].some((one) => one.innerText.startsWith(${JSON.stringify(label)}))`);
  await page.getByText('No provider yet').waitFor();
  await assertAccessible('no provider');
  await press('Tab', 'the button for a new provider', onButton('New provider'));
  await page.keyboard.press('Enter');
  await page.getByRole('form', { name: 'New provider' }).waitFor();
  await press('Tab', 'the service', onField('Service'));
  await page.keyboard.type('Webhook');
  // A value that was typed for one service does not appear in another service's form.
  await page.getByLabel('Service', { exact: true }).selectOption('slack');
  await page.getByLabel('Address of a webhook').fill('https://of-slack.example');
  await page.getByLabel('Service', { exact: true }).selectOption('webhook');
  assert.is(await page.getByLabel('Address of the webhook').inputValue(), '');
  await page.getByLabel('Service', { exact: true }).focus();
  await press('Tab', 'the address', onField('Address of the webhook'));
  await page.keyboard.type(`${hook.address}/the-secret-path`);
  const preview = page.getByRole('region', { name: 'Preview' });
  await preview.getByRole('group', { name: 'A message in Webhook' }).waitFor();
  assert.match((await preview.textContent()) ?? '', 'CrashLoopBackOff: Deployment/payments in shop');
  assert.not.match((await preview.textContent()) ?? '', /the-secret-path|127\.0\.0\.1/);
  await assertAccessible('a new provider');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'webhook' }).waitFor();
  assert.equal(hook.received, [], 'a preview sends nothing');
  await press('Tab', 'the test', onButton('Test'));
  await page.keyboard.press('Enter');
  await page.getByRole('status').getByText('The service took the message.').waitFor();
  assert.equal(
    hook.received.map(({ path, body }) => `${path} ${String(body['type'])}`),
    ['/the-secret-path podmend.test'],
  );
  hook.next({ status: 401, body: `who is ${hook.address}/the-secret-path?` });
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByRole('alert').getByText('it refused our credentials').waitFor();
  await page.getByText('HTTP 401 who is ***?').waitFor();
  await assertAccessible('a refused test');
});

test('a secret is never shown again, and stays when something else changes; a draft survives a reload', async () => {
  const { page } = admin;
  const secret = page.getByLabel('Address of the webhook');
  assert.equal([await secret.inputValue(), await secret.getAttribute('placeholder')], ['', 'Stored. Type to replace it']);
  assert.not.match(await page.content(), /the-secret-path/);
  assert.not.match(await page.evaluate<string>('JSON.stringify({ ...sessionStorage, ...localStorage })'), /the-secret-path/);
  await page.getByText('What is told').click();
  await page.getByLabel('Only these namespaces').fill('shop, team-*');
  await page.getByLabel('Only pods with these labels').fill('tier in (front');
  await page.getByRole('alert').getByText('“tier in (front” cannot be read').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
  await page.getByLabel('Only pods with these labels').fill('');
  await page.getByText('Quiet hours', { exact: true }).click();
  await page.getByRole('button', { name: 'Add quiet hours' }).click();
  await page.getByLabel('Time zone').fill('Mars/Olympus');
  await page.getByText('Nobody knows this time zone').waitFor();
  await page.getByLabel('Time zone').fill('Asia/Kathmandu');
  for (const day of ['Sat', 'Sun']) await page.getByRole('checkbox', { name: day }).check();
  await page.getByText('Sat, Sun 22:00 to 07:00 of the next day, Asia/Kathmandu').waitFor();
  await assertAccessible('an open form');
  await page.reload();
  await page.getByText('in shop, team-*').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('webhook is saved').first().waitFor();
  await until(() => page.getByRole('button', { name: 'Save' }).isDisabled(), { what: 'nothing to be left to save' });
  assert.is(await page.evaluate('Object.keys(sessionStorage).filter((key) => key.startsWith("draft:")).length'), 0);
  const [stored] = await settings();
  const quietHours = [{ days: ['Sat', 'Sun'], from: '22:00', to: '07:00', timeZone: 'Asia/Kathmandu' }];
  assert.equal(stored?.config, { filter: { namespaces: ['shop', 'team-*'] }, quietHours, webhook_url: '***' });
  await world.send('admin', {
    method: 'PUT',
    url: '/api/admin/notifications/webhook',
    payload: { ...stored, config: { webhook_url: '***' } },
  });
});

test('a message that fails is in the history with its reason, is sent again, and its incident says who was told', async () => {
  const { page } = admin;
  hook.next({ status: 400, body: 'no such field' });
  const id = await report();
  await page.goto(`${world.url}/notifications?provider=webhook&part=history`);
  const messages = page.getByRole('list', { name: 'Messages' });
  await messages.getByText('Not sent').waitFor();
  await messages.getByText('Refused: it refused the message. HTTP 400 no such field').waitFor();
  await assertAccessible('a message that was not sent');
  const reader = await visitAs('read', `/incidents/${id}`);
  const told = reader.page.getByRole('region', { name: 'Who was told' });
  await told.getByText('Refused').waitFor();
  assert.ok(await told.getByRole('button', { name: 'Send again' }).isDisabled());
  assert.match((await told.getByRole('button', { name: 'Send again' }).getAttribute('title')) ?? '', 'Your role is read');
  await page.goto(`${world.url}/incidents/${id}`);
  await page.getByRole('region', { name: 'Who was told' }).getByRole('button', { name: 'Send again' }).click();
  for (const screen of [admin, reader]) {
    const region = screen.page.getByRole('region', { name: 'Who was told' });
    await region.getByText('Delivered').waitFor({ timeout: 30_000 });
    await region.getByText('webhook').waitFor();
  }
  await assertAccessible('an incident that was told');
  assert.is(hook.received.at(-1)?.body['type'], 'podmend.incident_opened');
  await page.goto(`${world.url}/notifications?provider=webhook&part=history`);
  await messages.getByText('Delivered').waitFor();
  await reader.page.goto(`${world.url}/notifications`);
  await reader.page.getByText('Providers are for administrators').waitFor();
  await reader.close();
});

test("Git's providers are shown, say why they cannot be changed, and can be tried", async () => {
  const metadata = { name: 'from-git', namespace: 'podmend', labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } };
  await world.client.create(KINDS.notificationProvider, { metadata, spec: { type: 'teams', secretRef: { name: 'elsewhere' } } });
  await until(async () => (await settings()).length === 2, { what: 'the provider to be known' });
  const { page } = admin;
  await page.goto(`${world.url}/notifications`);
  const row = page.getByRole('listitem').filter({ hasText: 'from-git' });
  await row.getByText('There is no Secret elsewhere.').waitFor();
  await row.getByText('managed by Flux').waitFor();
  await assertAccessible('the providers');
  await row.getByRole('link', { name: 'from-git' }).click();
  await page.getByText('The API refuses it with 409').waitFor();
  for (const control of [
    page.getByLabel('Service'),
    page.getByLabel('Address of the webhook'),
    page.getByRole('button', { name: 'Remove' }),
  ])
    assert.ok(await control.isDisabled());
  assert.ok(await page.getByRole('button', { name: 'Save' }).isDisabled());
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByRole('alert').getByText('the provider is not complete').waitFor();
  await assertAccessible('a provider of Git');
});

test('on a phone nothing overflows', async () => {
  const phone = await visitAs('admin', '/notifications', NARROW);
  const { page } = phone;
  for (const [path, text] of [
    ['/notifications', 'from-git'],
    ['/notifications?provider=webhook', 'An example, drawn from the real payload'],
    ['/notifications?provider=webhook&part=history', 'Delivered'],
    ['/notifications?add=yes', 'Discard'],
  ] as const) {
    await page.goto(world.url + path);
    await page.getByText(text).first().waitFor();
    await phone.assertFits(path);
    await phone.assertAccessible(path);
  }
  await phone.close();
});

test('a provider is removed with its secret, and is gone', async () => {
  const { page } = admin;
  await page.goto(`${world.url}/notifications?provider=webhook`);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove webhook and its secrets' }).click();
  await page.getByRole('link', { name: 'from-git' }).waitFor();
  assert.equal(
    (await settings()).map(({ provider }) => provider),
    ['from-git'],
  );
});

if (chromium) test.run();
