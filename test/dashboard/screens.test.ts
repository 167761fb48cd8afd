import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDiagnosis } from '../../src/contract/diagnosis.ts';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { SuppressionRecord } from '../../src/contract/suppression.ts';
import type { MirrorRecord, PastMirror } from '../../src/contract/mirror.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { chromiumFor, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { apiClient, type Client } from '../support/network/client.ts';
import { type DemoProcess, startDemo } from '../support/processes/demo.ts';
import { until } from '../support/runner/wait.ts';

// The screens Mirrors, Suppressions, Advice and Admin in a real browser. All stories share one demo, but each is independent.

const chromium = chromiumFor('the other screens');
const test = suite('the other screens');
const PASSWORD = 'correct horse';
/** How long the demo's pods may take to fail, and a mirror to start. */
const PATIENCE_MS = 120_000;

let demo: DemoProcess;
let screens: Screens;
let url: string;
let admin: Client;
let screen: Screen;

test.before(async () => {
  // This builds the dashboard. The demo serves the build that exists when it starts.
  screens = await openScreens(chromium ?? '');
  demo = await startDemo();
  ({ url } = demo);
  admin = apiClient(url);
  await admin.send('POST', '/api/auth/signup', { username: 'admin', password: PASSWORD });
  screen = await logIn('admin', PASSWORD, { permissions: ['clipboard-read', 'clipboard-write'] });
});
test.after(async () => {
  await screens?.close();
  assert.is(await demo?.stop(), 0, demo?.output());
});

async function logIn(username: string, password: string, options = {}): Promise<Screen> {
  const opened = await screens.visit(url, options);
  await enter(opened, username, password);
  return opened;
}

async function enter({ page }: Screen, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username);
  await page.locator('input[name=password]').fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: `Account of ${username}` }).waitFor();
}

const goTo = async (path: string, { page }: Screen = screen): Promise<void> => {
  await page.goto(url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

/** Checks accessibility in the light and the dark colour scheme. */
const assertAccessible = (what: string, on: Screen = screen): Promise<void> => on.assertAccessibleInBothSchemes(what);

const failing = (name: string): Promise<FailureRecord> =>
  until(async () => (await admin.get<FailureRecord[]>('/api/pods/failed')).find(({ pod_name }) => pod_name.startsWith(name)), {
    timeoutMs: PATIENCE_MS,
    what: `${name} to fail`,
  });
/** Complaints without the browser's own lines about answers of 400. The tests check what the screen shows then. */
const complaints = () => screen.complaints().filter((line) => !/Failed to load resource: .* 400 /.test(line));
const active = () => admin.get<MirrorRecord[]>('/api/mirror/active');

test('a running mirror is shown, ended, found among the past ones, and run again', async () => {
  const { page } = screen;
  await goTo('/mirrors');
  await page.getByText('No mirror runs').waitFor();
  const { id } = await failing('payments');
  const deployed = await admin.send<MirrorRecord>('POST', `/api/mirror/deploy/${id}`, {});
  assert.is(deployed.status, 200, JSON.stringify(deployed.body));
  const running = page.getByRole('list', { name: 'Mirrors that run' });
  const past = page.getByRole('list', { name: 'Mirrors that are over' });
  // After a reload, the page shows a mirror that somebody else started.
  await goTo('/mirrors');
  await running.getByRole('link', { name: /^payments-/ }).waitFor();
  await running.getByText(/^ends in (\d+ min )?\d+ (s|min)/).waitFor();
  await page
    .getByLabel('Limits')
    .getByText(/^1 of \d+$/)
    .first()
    .waitFor();
  await assertAccessible('a mirror that runs');
  await running.getByRole('button', { name: 'End' }).click();
  await running.getByRole('button', { name: /^End payments-.*mirror$/ }).waitFor();
  await page.keyboard.press('Escape');
  await running.getByRole('button', { name: 'End', exact: true }).click();
  await page.keyboard.press('Enter');
  await page.getByText('No mirror runs').waitFor();
  await until(async () => (await admin.get<PastMirror[]>('/api/mirror/past')).length > 0, {
    timeoutMs: PATIENCE_MS,
    what: 'the mirror to be past',
  });
  await goTo('/mirrors');
  await past
    .getByText(/readinessProbe/)
    .first()
    .click();
  await past.locator('ins').first().waitFor();
  await assertAccessible('a mirror that is over');
  await past.getByRole('button', { name: 'Run again' }).click();
  await running.getByRole('link', { name: /^payments-/ }).waitFor({ timeout: PATIENCE_MS });
  await past.getByText('It runs again').waitFor();
  assert.is((await active()).length, 1);
  await page.getByText('Fixed', { exact: true }).first().click();
  assert.match(page.url(), /verdict=Fixed/);
  await page.getByText('Nothing here matches').waitFor();
});

test('a manifest that somebody wrote is tried where no correction is known', async () => {
  const { page } = screen;
  const { id } = await failing('tax');
  await goTo(`/incidents/${id}?tab=manifest`);
  await page.getByRole('button', { name: 'Edit and try' }).click();
  const editor = page.getByRole('textbox', { name: 'Manifest to try' });
  await page.getByText('Nothing is changed yet.').waitFor();
  const { manifest } = await admin.get<FailureDiagnosis>(`/api/pods/failed/${id}/diagnosis`);
  assert.match(manifest, 'exit 3');
  assert.equal(complaints(), []);
  const attempt = page.getByRole('button', { name: 'Try what I wrote' });
  const write = async (text: string): Promise<void> => {
    // Inserts the text as from the clipboard, because the editor indents typed text.
    await editor.press('Control+a');
    await page.keyboard.insertText(text);
  };
  const written = manifest.replace('exit 3', 'exec sleep 86400');
  await write(written.replace('containers:', 'containers: one'));
  await page.getByRole('alert').getByText('manifest: not valid YAML').waitFor();
  assert.ok(await attempt.isDisabled(), 'what is no YAML is not tried');
  await write(written.replace(/image: .*/, 'image: 7'));
  await page.getByRole('alert').getByText('image').waitFor();
  assert.ok(await attempt.isDisabled(), 'what is no pod is not tried');
  await write(written);
  await page.getByText(/^A mirror can try this\./).waitFor();
  // Chromium copies the style of the replaced text, and the Content-Security-Policy refuses that. It has no other effect.
  assert.equal(
    complaints().filter((line) => !/style-src/.test(line)),
    [],
  );
  await attempt.click();
  await page
    .getByTestId('mirror')
    .getByText(/^Ready \d+ of \d+ s$/)
    .waitFor({ timeout: PATIENCE_MS });
  await page.getByTestId('headline').getByText('A correction is being tried').waitFor();
});

test('a Suppression is saved after a preview of what it hides, extended, and ended; the one from Git is only shown', async () => {
  const { page } = screen;
  const kubectl = await clusterUser(demo.kubeconfig);
  await kubectl.apply(`
apiVersion: podmend.dev/v1alpha1
kind: Suppression
metadata: {name: from-git, namespace: podmend, labels: {kustomize.toolkit.fluxcd.io/name: shop, kustomize.toolkit.fluxcd.io/namespace: flux-system}}
spec: {reason: known and mended in May, match: {pods: ['old-*']}}
`);
  await kubectl.close();
  await failing('checkout');
  await goTo('/suppressions');
  const git = page.getByRole('listitem').filter({ hasText: 'known and mended in May' });
  await git.getByText('managed by').waitFor();
  for (const name of ['Extend', 'End']) {
    const button = git.getByRole('button', { name, exact: true });
    assert.ok(await button.isDisabled(), name);
    assert.match((await button.getAttribute('title')) ?? '', /owns it/);
  }
  await page.getByRole('button', { name: 'New Suppression' }).click();
  await page.getByLabel('Why').fill('the registry moves tonight');
  await page.getByLabel('Pods', { exact: true }).fill('checkout-*');
  await page.getByLabel('Namespaces', { exact: true }).fill('shop');
  const form = page.getByRole('form', { name: 'New Suppression' });
  assert.is(await form.getByRole('button', { name: 'Save' }).count(), 0, 'not before it is seen');
  await form.getByRole('button', { name: 'What would this hide?' }).click();
  await form.getByText(/^It would hide \d/).waitFor();
  await form.getByText(/checkout-.* in shop/).waitFor();
  await assertAccessible('what it would hide');
  await form.getByLabel('Pods', { exact: true }).fill('checkout-*, other-*');
  await form.getByRole('button', { name: 'What would this hide?' }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  const made = page.getByRole('listitem').filter({ hasText: 'the registry moves tonight' });
  await made.getByText('pods checkout-*, other-*').waitFor();
  await until(
    async () => (await admin.get<FailureRecord[]>('/api/pods/failed')).every(({ pod_name }) => !pod_name.startsWith('checkout')),
    {
      what: 'the failure to be hidden',
      timeoutMs: PATIENCE_MS,
    },
  );
  await made.getByText(/^ends in [67] days$/).waitFor();
  await made.getByRole('button', { name: 'Extend' }).click();
  await page.getByRole('menuitem', { name: 'Seven days more' }).waitFor();
  await assertAccessible('the ways to extend');
  await page.getByRole('menuitem', { name: 'Seven days more' }).click();
  await made.getByText(/^ends in 1[34] days$/).waitFor();
  await made.getByRole('button', { name: 'End', exact: true }).click();
  await made.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Undo' }).click();
  await made.getByText(/^ends in 1[34] days$/).waitFor();
  await made.getByRole('button', { name: 'End', exact: true }).click();
  await made.waitFor({ state: 'detached' });
  await failing('checkout');
});

test('an incident of the list is suppressed after a preview, and comes back by Undo', async () => {
  const { page } = screen;
  await failing('mailer');
  await goTo('/incidents?q=mailer');
  const row = page.locator('.incident', { hasText: 'mailer' });
  await row.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Suppress…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suppress an incident' });
  await dialog.getByText('Hides one open failure now, and those of the same kind that come.').waitFor();
  await assertAccessible('an incident that is suppressed');
  await page.keyboard.type('the post office moves');
  await page.keyboard.press('Enter');
  await page.getByText('One incident suppressed').waitFor();
  await row.waitFor({ state: 'detached' });
  const [saved] = (await admin.get<SuppressionRecord[]>('/api/suppressions')).filter(({ reason }) => reason === 'the post office moves');
  assert.equal(saved?.match.label_selector, { match_labels: { app: 'mailer' } });
  await page.getByRole('button', { name: 'Undo' }).click();
  await row.waitFor();
});

test('namespaces are excluded and included again in a list of their own', async () => {
  const { page } = screen;
  await goTo('/suppressions');
  const [entry, end] = ['sandbox-*', 'Include again'];
  const list = page.getByRole('region', { name: 'Excluded namespaces' });
  await list.getByLabel('Exclude: namespace').fill('*');
  await list.getByRole('button', { name: 'Exclude', exact: true }).click();
  await list
    .getByRole('alert')
    .getByText(/must not be only/)
    .waitFor();
  await list.getByLabel('Exclude: namespace').fill(entry);
  await list.getByRole('button', { name: 'Exclude', exact: true }).click();
  await list.getByText(entry, { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Suppressions' }).getByText(entry).first().waitFor();
  await list.getByRole('button', { name: end, exact: true }).click();
  await list.getByRole('button', { name: `${end}: ${entry}` }).click();
  await list.getByText('None.').waitFor();
});

test('typed text in every form survives a session that is ended elsewhere, and so does the place', async () => {
  await admin.send('POST', '/api/admin/users', { username: 'eva', password: PASSWORD, role: 'admin' });
  const eva = await logIn('eva', PASSWORD);
  const { page } = eva;
  const setting = page.getByRole('listitem').filter({ hasText: 'model_concurrency' });
  await goTo('/admin/settings', eva);
  await setting.getByRole('textbox').fill('9');
  await until(async () => (await admin.get<unknown[]>('/api/advice/findings')).length > 0, { timeoutMs: PATIENCE_MS, what: 'advice' });
  await goTo('/advice', eva);
  const ignore = page.getByRole('button', { name: 'Ignore', exact: true }).first();
  await ignore.click();
  await page.getByLabel('Why is it fine as it is?').fill('because');
  await goTo('/suppressions?add=yes', eva);
  await page.getByLabel('Exclude: namespace').fill('sandbox-');
  await page.getByLabel('Why').fill('half of a thought');
  await page.getByLabel('Pods', { exact: true }).fill('web-*');
  const users = await admin.get<{ id: number; username: string }[]>('/api/admin/users');
  const id = users.find(({ username }) => username === 'eva')?.id;
  await admin.send('PATCH', `/api/admin/users/${id}`, { password: 'another horse' });
  await page.getByText('Your session has ended. Log in to go on.').waitFor();
  await enter(eva, 'eva', 'another horse');
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();
  assert.is(await page.getByLabel('Why').inputValue(), 'half of a thought');
  assert.is(await page.getByLabel('Pods', { exact: true }).inputValue(), 'web-*');
  assert.is(await page.getByLabel('Exclude: namespace').inputValue(), 'sandbox-');
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'New Suppression' }).click();
  assert.is(await page.getByLabel('Why').inputValue(), '');
  await goTo('/admin/settings', eva);
  assert.is(await setting.getByRole('textbox').inputValue(), '9');
  await goTo('/advice', eva);
  await page.getByLabel('Why is it fine as it is?').waitFor();
  assert.is(await page.getByLabel('Why is it fine as it is?').inputValue(), 'because');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await eva.close();
});

test('advice shows its evidence and its change, is explained, ignored with a reason, and restored', async () => {
  const { page } = screen;
  await until(async () => (await admin.get<unknown[]>('/api/advice/findings')).length > 5, { timeoutMs: PATIENCE_MS, what: 'advice' });
  await goTo('/advice?severity=medium');
  const list = page.getByRole('list', { name: 'Advice' });
  const first = list.getByRole('listitem').first();
  await first.getByRole('button').first().click();
  await first.getByText('What was seen').waitFor();
  await first.getByText('What to change').waitFor();
  assert.match(page.url(), /open=\d+/);
  await first.getByRole('button', { name: 'Explain' }).click();
  await first.getByText('Written by rules.').waitFor();
  await assertAccessible('a piece of advice');
  const subject = await first.locator('bdi').first().innerText();
  await first.getByRole('button', { name: 'Ignore', exact: true }).click();
  await page.getByLabel('Why is it fine as it is?').fill('a batch job by design');
  const pieces = list.locator('[aria-controls]');
  const before = await pieces.count();
  await page.getByRole('button', { name: 'Ignore it' }).click();
  await until(async () => (await pieces.count()) === before - 1, { what: 'it to leave the list' });
  await goTo('/advice?status=ignored');
  const ignored = list.getByRole('listitem').filter({ hasText: 'a batch job by design' });
  await ignored.getByText(subject, { exact: true }).waitFor();
  await ignored.getByText(/ignored by/).waitFor();
  await ignored.getByRole('button', { name: 'Restore' }).click();
  await page.getByText('Nothing here matches').waitFor();
  await goTo('/advice');
  const titles = await list.getByRole('heading', { level: 2 }).allInnerTexts();
  assert.is(new Set(titles).size, titles.length, 'the same advice for several workloads has one title');
  const group = list.getByRole('list').first();
  await group.getByRole('listitem').last().getByRole('button').first().click();
  await group.getByRole('listitem').last().getByText('What was seen').waitFor();
  await assertAccessible('advice for several workloads');
});

test('an administrator invites somebody, who reads everything and finds each control disabled with who may', async () => {
  const { page } = screen;
  await goTo('/admin/users');
  await page.getByRole('textbox', { name: 'Invite' }).fill('reader');
  await page.getByRole('button', { name: 'Invite' }).click();
  const letter = await page.getByText(/^Podmend: http/).innerText();
  const password = /^Password: (\S+)$/m.exec(letter)?.[1] ?? '';
  await page.getByRole('list', { name: 'Users' }).getByText('reader', { exact: true }).waitFor();
  await assertAccessible('users');
  const reader = await logIn('reader', password);
  await goTo('/mirrors', reader);
  for (const name of ['End', 'Run again']) {
    const button = reader.page.getByRole('button', { name, exact: true }).first();
    await button.waitFor();
    assert.ok(await button.isDisabled(), name);
    assert.match((await button.getAttribute('title')) ?? '', /Your role is read.*: write, admin/);
  }
  await goTo('/advice', reader);
  assert.ok(await reader.page.getByRole('button', { name: 'Ignore', exact: true }).first().isDisabled());
  await goTo('/suppressions', reader);
  await reader.page.getByText(/They can be seen by: write, admin/).waitFor();
  for (const tab of ['users', 'model', 'settings', 'audit']) {
    await goTo(`/admin/${tab}`, reader);
    await reader.page.getByText(/It can be seen by: admin/).waitFor();
  }
  await goTo('/admin/about', reader);
  await reader.page.getByText('The agent of one node reports.').waitFor();
  await reader.assertAccessible('about, for a reader');
  await reader.close();
  await page.getByLabel('Role of reader').selectOption('write');
  await page.getByText(/The role is write now/).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'reader' });
  await row.getByRole('button', { name: 'Delete' }).click();
  await row.getByRole('button', { name: 'Delete this user' }).click();
  await row.waitFor({ state: 'detached' });
});

test('a model is tested with the reason why it does not work, settings are changed, a token is made and revoked', async () => {
  const { page } = screen;
  await goTo('/admin/model');
  await page.getByText('so it cost nothing').waitFor();
  await page.getByLabel('Provider').selectOption('openai-compatible');
  await page.getByRole('textbox', { name: 'Model' }).fill('llama');
  await page.getByLabel('Address').fill('http://127.0.0.1:9/v1');
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('It does not work').waitFor();
  await page.getByText(/unreachable|refused-address/).waitFor();
  await assertAccessible('a model that does not work');

  await goTo('/admin/settings');
  const setting = page.getByRole('listitem').filter({ hasText: 'model_concurrency' });
  await setting.getByRole('textbox').fill('7');
  await setting.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await admin.get<{ value: string }>('/api/admin/settings/model_concurrency')).value === '7', {
    what: 'the setting',
  });
  const kept = page.getByRole('listitem').filter({ hasText: 'ignored_retention_minutes' });
  assert.is(await kept.getByRole('textbox').inputValue(), '30 days');
  await kept.getByRole('textbox').fill('7');
  await kept.getByText('With a unit: 30 days').waitFor();
  assert.ok(await kept.getByRole('button', { name: 'Save' }).isDisabled(), 'a number without a unit is not guessed at');
  await assertAccessible('settings');
  await kept.getByRole('textbox').fill('1 day 12 h');
  await kept.getByRole('button', { name: 'Save' }).click();
  await until(async () => (await admin.get<{ value: string }>('/api/admin/settings/ignored_retention_minutes')).value === '2160', {
    what: 'the setting in minutes',
  });

  await goTo('/admin/account');
  await page.getByLabel('What it is for').fill('nightly report');
  await page.getByRole('button', { name: 'Make a token' }).click();
  await page.getByText(/^podmend_/).waitFor();
  await assertAccessible('a new token');
  const token = page.getByRole('list', { name: 'API tokens' }).getByRole('listitem').filter({ hasText: 'nightly report' });
  await token.getByRole('button', { name: 'Revoke' }).click();
  await token.getByRole('button', { name: 'Revoke it now' }).click();
  await page.getByText('You have no API token').waitFor();
});

test('the audit log and the agents are read, and the log is narrowed in the address', async () => {
  const { page } = screen;
  await goTo('/admin/audit?action=setting');
  const table = page.getByRole('region', { name: 'Audit log' });
  await table.getByText('model_concurrency').first().waitFor();
  assert.is(await table.getByText('auth.login').count(), 0);
  await page.getByLabel('Who').fill('nobody-of-that-name');
  await page.getByText('Nothing here matches').waitFor();
  assert.match(page.url(), /who=nobody/);
  await page.getByLabel('Who').fill('');
  await table.waitFor();
  await assertAccessible('the audit log');
  await goTo('/admin/agents');
  await page.getByRole('region', { name: 'Agents' }).getByText('Reports', { exact: true }).waitFor();
  await assertAccessible('agents');
  await goTo('/admin/about');
  await page.getByText('None is set up. The rules explain every failure.').waitFor();
  await assertAccessible('about');
});

// This test comes late after the attempt, because the verdict takes some time.
test('the proof of a written correction names its author, and the draft can be continued', async () => {
  const { page } = screen;
  await goTo('/incidents?q=tax');
  await page.locator('.incident', { hasText: 'tax' }).getByText('Fixed').waitFor({ timeout: PATIENCE_MS });
  await page.locator('.incident a', { hasText: 'licence' }).click();
  await page.getByTestId('headline').getByText('Fixed on a mirror').waitFor();
  await page.getByRole('radiogroup', { name: 'Corrections' }).getByText('Written by hand: spec.containers[0].command').waitFor();
  await page.getByTestId('action').getByRole('button', { name: 'Get the patch' }).click();
  await page.getByText('kubectl patch is on the clipboard.').waitFor();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^kubectl patch deployment tax -n shop /);
  for (const form of ['YAML', 'Git diff', 'Pull request']) {
    await page.getByText(form, { exact: true }).click();
    await page.getByLabel(form, { exact: true }).and(page.locator('pre')).getByText('exec sleep 86400').waitFor();
  }
  await assertAccessible('the patch of what somebody wrote');
  await page.getByRole('button', { name: 'Close' }).click();
  const end = page.getByTestId('mirror').getByRole('button', { name: 'End', exact: true });
  const tried = page.getByRole('list', { name: 'Tried' });
  await end.or(tried).first().waitFor();
  if (await end.isVisible()) {
    await end.click();
    await page.keyboard.press('Enter');
  }
  await tried.getByText('written by hand').waitFor();
  await tried.getByText('exec sleep 86400').first().waitFor();
  await page.getByTestId('action').getByRole('button', { name: 'Get the patch' }).waitFor();
  await tried.getByText('What the mirror wrote to its log').click();
  await tried.getByRole('region', { name: 'Log' }).getByText('tax engine 4.2').waitFor();
  await assertAccessible('the proof of what somebody wrote');
  await page.getByRole('tab', { name: 'Manifest' }).click();
  await page.getByRole('textbox', { name: 'Manifest to try' }).getByText('exec sleep 86400').first().waitFor();
  await page.getByRole('button', { name: 'Discard' }).click();
  await goTo('/mirrors?q=tax');
  const past = page.getByRole('list', { name: 'Mirrors that are over' });
  await past.getByText('What the mirror wrote to its log').click();
  await past.getByRole('region', { name: 'Log' }).getByText('tax engine 4.2').waitFor();
  await assertAccessible('the log of a mirror that is over');
});

test('a graph is read with the keyboard, follows its window, and its names stay in their cards', async () => {
  const { page } = screen;
  const kubectl = await clusterUser(demo.kubeconfig);
  const name = `${'long-'.repeat(12)}pod`;
  await kubectl.apply(
    `{apiVersion: v1, kind: Pod, metadata: {name: ${name}, namespace: shop}, spec: {containers: [{name: app, image: 'web:1'}]}}`,
  );
  await kubectl.close();
  await page.setViewportSize({ width: 1000, height: 600 });
  await goTo('/graphs?namespace=shop&as=graph');
  const cards = page.getByRole('group', { name: /^Deployment / });
  await cards.first().waitFor();
  await page.getByRole('group', { name: `Pod ${name}` }).waitFor();
  const viewport = page.locator('.react-flow__viewport');
  const zoom = async () => Number(/scale\(([\d.]+)\)/.exec((await viewport.getAttribute('style')) ?? '')?.[1]);
  await until(async () => (await zoom()) < 0.55, { what: 'the whole graph, in which only names can be read' });
  const full = await page.evaluate<string[]>(
    `[...document.querySelectorAll('.react-flow__node button[title]')].filter((one) => one.scrollHeight > one.clientHeight).map(({ title }) => title)`,
  );
  assert.equal(full, [], 'names that stand out of their cards');
  const before = await zoom();
  await page.setViewportSize({ width: 1440, height: 900 });
  await until(async () => (await zoom()) > before, { what: 'the whole graph, larger in a larger window' });
  await assertAccessible('a graph');
  await cards.first().getByRole('button').first().focus();
  await page.keyboard.press('End');
  await page.locator('.react-flow__node button:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Only neighbours' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Only neighbours' }).waitFor({ state: 'detached' });
});

test('the choices of namespaces and of forms of a graph', async () => {
  const { page } = screen;
  await goTo('/graphs?namespace=shop&as=graph');
  await page
    .getByRole('group', { name: /^Deployment / })
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Copy as Mermaid' }).waitFor();
  await assertAccessible('the forms of a graph');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Namespace' }).click();
  await page.getByRole('option', { name: 'shop', exact: true }).waitFor();
  await assertAccessible('the namespaces');
  await page.keyboard.press('Escape');
});

test('on a phone nothing overflows', async () => {
  // Reuses the session. An address may log in only five times in 30 seconds, and on an idle machine all stories run in that time.
  const storageState = await screen.page.context().storageState();
  const narrow = await screens.visit(url, { storageState, viewport: { width: 390, height: 844 } });
  const places = [
    '/mirrors',
    '/suppressions?add=yes',
    '/advice',
    ...['about', 'agents', 'users', 'model', 'settings', 'audit', 'account'].map((tab) => `/admin/${tab}`),
  ];
  for (const place of places) {
    await goTo(place, narrow);
    await until(async () => (await narrow.page.locator('.mantine-Skeleton-root').count()) === 0, { what: `${place} to be loaded` });
    await narrow.assertFits(place);
    if (place.startsWith('/suppressions')) {
      const words = await narrow.page.getByText('known and mended in May').locator('..').boundingBox();
      assert.ok(words && words.width > 250, 'the buttons of a row leave its words room');
    }
    // A table must not need sideways scrolling either.
    const wide = `[...document.querySelectorAll('main [role=region]')].filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.ariaLabel)`;
    assert.equal(await narrow.page.evaluate<string[]>(wide), [], place);
  }
  await narrow.assertAccessible('the last of them');
  await narrow.close();
});

test('the browser logged no complaint', () => assert.equal(complaints(), []));

test('from the login to the copied patch with the keyboard alone', async () => {
  const typist = await screens.visit(`${url}/incidents`, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = typist;
  const { keyboard } = page;
  const focused = () =>
    page.evaluate<string>('document.activeElement.ariaLabel ?? document.activeElement.innerText ?? ""').then((text) => text.trim());
  const tabTo = async (name: string): Promise<void> => {
    for (let left = 80; left > 0 && (await focused()) !== name; left--) await keyboard.press('Tab');
    assert.is(await focused(), name);
  };
  await page.locator('input[name=username]:focus').waitFor();
  await keyboard.type('admin');
  await keyboard.press('Tab');
  await keyboard.type(PASSWORD);
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Account of admin' }).waitFor();
  await page.locator('.incident', { hasText: 'cart' }).waitFor({ timeout: PATIENCE_MS });

  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await keyboard.press('?');
  await shortcuts.waitFor();
  // The next key may come before the focus has left the closed dialog.
  await page.evaluate(`{
    document.querySelector('dialog[open]').close();
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true, cancelable: true }));
  }`);
  await page.locator('[data-index="0"] a:focus').waitFor();
  await shortcuts.waitFor({ state: 'detached' });
  await keyboard.press('?');
  await shortcuts.waitFor();
  await keyboard.press('Escape');
  for (const [key, row] of [
    ['j', 1],
    ['k', 0],
  ] as const) {
    await keyboard.press(key);
    await page.locator(`[data-index="${row}"] a:focus`).waitFor();
  }
  await keyboard.press('/');
  await page.locator('input[type=search]:focus').waitFor();
  await keyboard.type('cart');
  await page.waitForURL('**/incidents?q=cart');
  await keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('combobox').waitFor();
  await keyboard.type('cart');
  await page.getByRole('option', { name: /cart/ }).first().waitFor();
  await keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'cart' }).waitFor();
  await page.getByRole('button', { name: 'Try it', exact: true }).waitFor();
  await keyboard.press('t');
  assert.is(await focused(), 'Try it');
  await keyboard.press('Enter');
  await page.getByRole('button', { name: 'Get the patch' }).waitFor({ timeout: PATIENCE_MS });
  await tabTo('Get the patch');
  await keyboard.press('Enter');
  await page.getByText('kubectl patch is on the clipboard.').waitFor();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^kubectl patch deployment cart -n shop /);
  assert.equal(typist.complaints(), []);
  await typist.close();
});

test('every screen fits where it is magnified twice and four times', async () => {
  const paths = await screen.page.evaluate<string[]>(
    `[...new Set([...document.querySelectorAll('nav a')].map((link) => link.getAttribute('href')))].filter((path) => path?.startsWith('/'))`,
  );
  assert.ok(paths.length >= 8, paths.join());
  const { id } = await failing('payments');
  for (const width of [640, 320]) {
    await screen.page.setViewportSize({ width, height: 512 });
    for (const path of [...paths, `/incidents/${id}`]) {
      await goTo(path);
      await until(async () => (await screen.page.locator('.mantine-Skeleton-root').count()) === 0, { what: `${path} to be loaded` });
      await screen.assertFits(`${path} at ${width}`);
    }
  }
});

if (chromium) test.run();
