import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Role, SESSION_COOKIE } from '../../src/contract/auth.ts';
import { initialsOf } from '../../src/dashboard/components/initials.ts';
import { partsOf } from '../../src/dashboard/incident/comment-parts.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { chromiumFor, DASHBOARD, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN, type TestApp, testApp } from '../support/worlds/app.ts';
import { chooseByKey } from './keyboard.ts';

const words = suite('names and comments on the screen');
for (const [name, initials] of [
  ['ada', 'AD'],
  ['ada.lovelace', 'AL'],
  ['Ada King Lovelace', 'AL'],
  ['ops-team@example.com', 'OC'],
  ['x', 'X'],
  ['émile', 'ÉM'],
  ['😀 b', '😀B'],
  ['...', ''],
] as const)
  words(`${name} is ${initials}`, () => assert.is(initialsOf(name), initials));

for (const [sentence, text, links] of [
  ['no address', 'rolled back', []],
  ['an address', 'see https://ci.example/run/1', ['https://ci.example/run/1']],
  ['one that ends a sentence', 'see https://ci.example/run/1.', ['https://ci.example/run/1']],
  ['one in brackets', '(https://ci.example/a?b=c#d)', ['https://ci.example/a?b=c#d']],
  ['two', 'http://a.example, https://b.example/', ['http://a.example', 'https://b.example/']],
  ['none that runs a script', 'javascript:alert(1) data:text/html,x', []],
] as const)
  words(`${sentence} in a comment`, () => {
    const parts = partsOf(text);
    assert.equal(
      parts.filter(({ isLink }) => isLink).map((part) => part.text),
      [...links],
    );
    assert.is(parts.map((part) => part.text).join(''), text, 'nothing is lost');
  });
words.run();

// Two people and one incident, in real browsers.

const chromium = chromiumFor('triage on the screen');
const test = suite('triage on the screen');
let screens: Screens;
let it: TestApp;
let url: string;
const opened: Screen[] = [];
test.before(async () => {
  screens = await openScreens(chromium ?? '');
  it = await testApp(({ config }) => ({ dashboard: DASHBOARD, config: { ...config, baseUrl: undefined } }));
  await it.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}`;
});
test.before.each(async () => {
  for (const table of ['failures', 'incidents'] as const) await it.store.db.deleteFrom(table).execute();
});
test.after.each(async () => {
  const windows = opened.splice(0);
  const strange = windows
    .flatMap((screen) => screen.complaints())
    .filter((line) => !/Failed to load resource: .* (401|503) |WebSocket connection to/.test(line));
  for (const screen of windows) await screen.close();
  assert.equal(strange, []);
});
test.after(async () => {
  await screens?.close();
  await it?.close();
});

async function visitAs(role: Role, path: string, options: BrowserContextOptions = {}): Promise<Screen> {
  const [name = '', ...rest] = it.cookie(role).split('=');
  assert.is(name, SESSION_COOKIE);
  const cookie = { name, value: rest.join('='), domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false };
  const storageState = { cookies: [{ ...cookie, sameSite: 'Lax' as const }], origins: [] };
  const screen = await screens.visit(url + path, { ...options, storageState });
  opened.push(screen);
  await screen.page.getByRole('status').filter({ hasText: 'Live' }).waitFor();
  return screen;
}

async function report(name: string): Promise<number> {
  const payload = aFailureReport({ pod_name: `${name}-1`, pod_uid: `uid-${name}`, workload: { kind: 'Deployment', name } });
  const answer = await it.app.inject({ method: 'POST', url: '/api/pods/failed', headers: { 'x-service-token': SERVICE_TOKEN }, payload });
  return answer.json<{ id: number }>().id;
}

test('one person takes an incident and comments, and the other sees it at once', async () => {
  const id = await report('web');
  const [ada, bob] = [await visitAs('write', `/incidents/${id}`), await visitAs('admin', `/incidents/${id}`)];
  const { page } = ada;
  await page.getByText('No comments yet.').waitFor();
  await page.keyboard.press('a');
  await page.getByRole('menuitem', { name: 'the-read' }).waitFor();
  await ada.assertAccessibleInBothSchemes('who can be assigned');
  await chooseByKey(page.getByRole('menuitem', { name: 'Assign to me' }));
  await page.getByRole('button', { name: 'Assigned to the-write' }).waitFor();
  await bob.page.getByRole('button', { name: 'Assigned to the-write' }).waitFor();

  const field = page.getByRole('textbox', { name: 'Comment' });
  await field.fill('Rolled back, see https://ci.example/run/1.');
  await field.press('Control+Enter');
  const heard = bob.page.getByRole('log', { name: 'Posted comments' });
  await heard.getByText('Rolled back').waitFor();
  assert.is(await heard.getByRole('link').getAttribute('href'), 'https://ci.example/run/1');
  assert.is(await field.inputValue(), '');
  await ada.assertAccessibleInBothSchemes('a comment');

  await page.getByRole('button', { name: 'Edit' }).click();
  const edited = page.getByRole('textbox', { name: 'Change the comment' });
  await edited.fill('Rolled back to 1.4.');
  await page.getByRole('button', { name: 'Save' }).click();
  await heard.getByText('Rolled back to 1.4.').waitFor();
  await heard.getByText('edited').waitFor();
  await until(async () => page.evaluate(`document.activeElement?.textContent === 'Edit'`), { what: 'the focus where the edit began' });
  assert.is(await bob.page.getByRole('button', { name: 'Edit' }).count(), 0, 'it is somebody else’s');
  // An administrator may delete other people's comments.
  await heard.getByRole('button', { name: 'Delete' }).click();
  await heard.getByRole('button', { name: 'Delete the comment' }).click();
  await page.getByText('No comments yet.').waitFor();
  await until(async () => bob.page.evaluate(`document.activeElement?.role === 'log'`), { what: 'the focus in the list' });
});

test('in the list, rows are assigned by keys, several at once, with a way back, and the filter shows mine', async () => {
  await report('web');
  await report('cart');
  const [ada, bob] = [await visitAs('write', '/incidents'), await visitAs('read', '/incidents')];
  const { page } = ada;
  const row = (screen: Screen, name: string) => screen.page.locator('.incident', { hasText: name });
  const mine = (screen: Screen, name: string) => row(screen, name).getByRole('img', { name: /^Assigned to (you, )?the-write$/ });
  await row(ada, 'web').waitFor();
  // A person may be faster than the frames of a busy browser.
  await page.evaluate(
    'window.requestFrame = requestAnimationFrame; window.requestAnimationFrame = (call) => setTimeout(() => requestFrame(call), 500)',
  );
  await page.keyboard.press('j');
  await page.keyboard.press('a');
  await page.evaluate('window.requestAnimationFrame = requestFrame');
  await chooseByKey(page.getByRole('menuitem', { name: 'Assign to me' }));
  await page.getByText('One incident assigned to the-write').waitFor();
  await until(async () => (await mine(bob, 'cart').count()) + (await mine(bob, 'web').count()) === 1, { what: 'the other to see it' });
  await ada.assertAccessibleInBothSchemes('the list with an assignee');
  await page.getByLabel('Assignee').selectOption('Assigned to me');
  await page.getByText('One incident', { exact: true }).waitFor();
  assert.match(page.url(), 'assignee=me');
  await page.getByLabel('Assignee').selectOption('Any assignee');
  for (const name of ['web', 'cart']) await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Assign…' }).click();
  await page.getByRole('menuitem', { name: 'the-read' }).waitFor();
  await ada.assertAccessibleInBothSchemes('who can be assigned to several');
  await page.getByRole('menuitem', { name: 'the-read' }).click();
  await page.getByText('2 incidents assigned to the-read').waitFor();
  await until(async () => (await bob.page.getByRole('img', { name: 'Assigned to you, the-read' }).count()) === 2, { what: 'both' });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(async () => (await mine(bob, 'cart').count()) + (await mine(bob, 'web').count()) === 1, { what: 'as it was' });
});

test('a user with the role read sees both, and the page says who may act', async () => {
  const id = await report('web');
  const { incident_id: incident } = await it.store.db.selectFrom('failures').select('incident_id').executeTakeFirstOrThrow();
  await it.send('write', { method: 'PUT', url: `/api/incidents/${incident}/assignee`, payload: { username: 'the-admin' } });
  await it.send('write', { method: 'POST', url: `/api/incidents/${incident}/comments`, payload: { text: 'Looking.' } });
  const reader = await visitAs('read', `/incidents/${id}`);
  await reader.page.getByText('Looking.').waitFor();
  const why = 'Your role is read. This can be done by: write, admin.';
  const assign = reader.page.getByRole('button', { name: 'Assigned to the-admin' });
  assert.equal([await assign.isDisabled(), await assign.getAttribute('title')], [true, why]);
  assert.ok(await reader.page.getByRole('textbox', { name: 'Comment' }).isDisabled());
  await reader.page.getByText(why).waitFor();
  assert.is(await reader.page.getByRole('button', { name: /^(Edit|Delete)$/ }).count(), 0);
  await reader.page.keyboard.press('a');
  assert.is(await reader.page.getByRole('menu').count(), 0);
  await reader.assertAccessibleInBothSchemes('comments for a reader');
});

test('a comment that somebody is writing outlives the session, and fits a phone', async () => {
  assert.ok(await it.deps.accounts.add({ username: 'eva', password: 'correct horse', role: 'write' }, new Date()));
  const id = await report('web');
  const screen = await screens.visit(`${url}/incidents/${id}`, { viewport: { width: 390, height: 844 } });
  opened.push(screen);
  const { page } = screen;
  const logIn = async (password: string): Promise<void> => {
    await page.getByLabel('Username').fill('eva');
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
  };
  await logIn('correct horse');
  await page.getByRole('textbox', { name: 'Comment' }).fill('A long thought');
  await it.deps.accounts.setPassword('eva', 'another horse');
  await page.getByText('Your session has ended. Log in to go on.').waitFor();
  await logIn('another horse');
  const field = page.getByRole('textbox', { name: 'Comment' });
  await until(async () => (await field.inputValue()) === 'A long thought', { what: 'the draft' });
  await page.getByRole('button', { name: 'Comment', exact: true }).click();
  await page.getByRole('log').getByText('A long thought').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('textbox', { name: 'Change the comment' }).fill(`${'x'.repeat(300)} A longer thought`);
  await page.reload();
  assert.match(await page.getByRole('textbox', { name: 'Change the comment' }).inputValue(), 'A longer thought');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('log').getByText('A longer thought').waitFor();
  await screen.assertFits('comments at 390 px');
  await screen.assertAccessibleInBothSchemes('comments at 390 px');
});

if (chromium) test.run();
