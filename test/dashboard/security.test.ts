import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_COOKIE } from '../../src/contract/auth.ts';
import type { Finding } from '../../src/contract/finding.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { chromiumFor, DASHBOARD, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { apiClient, type Client } from '../support/network/client.ts';
import { type DemoProcess, startDemo } from '../support/processes/demo.ts';
import { until } from '../support/runner/wait.ts';
import { testApp } from '../support/worlds/app.ts';

// The screens Security and Access in a real browser, with the demo and its scanner.

const chromium = chromiumFor('security and access');
const test = suite('security and access');
const PASSWORD = 'correct horse';
/** How long the scanner may take on a busy machine. */
const PATIENCE_MS = 120_000;

/** A workload with two privileged containers, a workload in a kube-* namespace, and an account two steps from cluster-admin. */
const WORLD = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: miner, namespace: shop}
spec:
  selector: {matchLabels: {app: miner}}
  template:
    metadata: {labels: {app: miner}}
    spec:
      containers:
      - {name: app, image: 'busybox:1.35', command: [sleep, '86400'], securityContext: {privileged: true}}
      - {name: sidecar, image: 'busybox:1.35', command: [sleep, '86400'], securityContext: {privileged: true}}
---
apiVersion: v1
kind: Namespace
metadata: {name: kube-tools}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: system-part, namespace: kube-tools}
spec:
  selector: {matchLabels: {app: part}}
  template:
    metadata: {labels: {app: part}}
    spec: {containers: [{name: app, image: 'busybox:1.35', command: [sleep, '86400']}]}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: ci, namespace: shop}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: deployer, namespace: shop}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: token-maker, namespace: shop}
rules:
- {apiGroups: [''], resources: [serviceaccounts/token], verbs: [create]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: ci-tokens, namespace: shop}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: token-maker}
subjects: [{kind: ServiceAccount, name: ci, namespace: shop}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: cluster-admin}
rules:
- {apiGroups: ['*'], resources: ['*'], verbs: ['*']}
- {nonResourceURLs: ['*'], verbs: ['*']}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: deployers}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin}
subjects: [{kind: ServiceAccount, name: deployer, namespace: shop}]
`;

let screens: Screens;
let demo: DemoProcess;
let admin: Client;
let screen: Screen;

test.before(async () => {
  // This builds the dashboard. The demo serves the build that exists when it starts.
  screens = await openScreens(chromium ?? '');
  demo = await startDemo();
  const kubectl = await clusterUser(demo.kubeconfig);
  await kubectl.apply(WORLD);
  await kubectl.close();
  admin = apiClient(demo.url);
  await admin.send('POST', '/api/auth/signup', { username: 'admin', password: PASSWORD });
  await admin.send('POST', '/api/admin/users', { username: 'rita', password: PASSWORD, role: 'read' });
  await until(async () => (await privileged()).length === 2, { timeoutMs: PATIENCE_MS, what: 'the scanner to find what is privileged' });
  screen = await logIn('admin', { permissions: ['clipboard-read', 'clipboard-write'] });
});
test.after(async () => {
  await screens?.close();
  assert.is(await demo?.stop(), 0, demo?.output());
});

const privileged = () => admin.get<Finding[]>('/api/security/findings?check=privileged');

async function logIn(username: string, options = {}): Promise<Screen> {
  const opened = await screens.visit(demo.url, options);
  const { page } = opened;
  await page.getByLabel('Username').fill(username);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: `Account of ${username}` }).waitFor();
  return opened;
}

const goTo = async (path: string, { page }: Screen = screen): Promise<void> => {
  await page.goto(demo.url + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

/** Checks accessibility in the light and the dark colour scheme. */
const assertAccessible = (what: string): Promise<void> => screen.assertAccessibleInBothSchemes(what);

/** Asserts that nothing is cut off on a phone. */
async function assertFits(what: string): Promise<void> {
  const { page } = screen;
  await page.setViewportSize({ width: 390, height: 844 });
  await screen.assertFits(what);
  await screen.assertAccessible(`${what}, 390 px`);
  await page.setViewportSize({ width: 1440, height: 900 });
}

test('findings are grouped by workload, filtered with keys, and one is opened with the patch that cures it', async () => {
  const { page } = screen;
  await goTo('/security');
  const list = page.getByRole('list', { name: 'Findings' });
  const miner = list.getByRole('button', { name: /^Deployment miner shop 2 critical/ });
  await miner.waitFor();
  assert.is(await miner.getAttribute('aria-expanded'), 'true', 'what is critical is open');
  assert.is(await list.getByRole('button', { name: /system-part/ }).count(), 0, 'what is of the system is folded');
  const info = page.getByRole('button', { name: /^Info/ });
  assert.is(await info.getAttribute('aria-pressed'), 'false', 'what only informs is hidden');
  await assertAccessible('the list');
  // Findings of kube-* namespaces are folded into a line at the end.
  await goTo('/security?q=system-part');
  await list.getByRole('button', { name: /findings? in kube-\*/ }).click();
  await list.getByRole('button', { name: /^Deployment system-part kube-tools/ }).waitFor();
  assert.match(page.url(), /kube=yes/);

  await goTo('/security');
  await miner.waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('miner privileged');
  await page.waitForURL(/q=miner\+privileged/);
  await page.getByText('2 findings, 1 resource').waitFor();
  // Switch Low off. The focus is then on a button, where the keys j and k work.
  await page.getByRole('button', { name: /^Low/ }).focus();
  await page.keyboard.press('Space');
  await page.waitForURL(/severity=critical/);
  // The first j moves to the group, the second to its row.
  await page.keyboard.press('j');
  await miner.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('j');
  await list.getByRole('button', { name: 'Privileged container' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await panel.getByRole('heading', { name: 'Privileged container' }).waitFor();
  assert.match(page.url(), /open=\d+/);
  await panel.getByText('spec.template.spec.containers[0].securityContext.privileged').first().waitFor();
  await panel.getByRole('region', { name: 'Why it matters' }).waitFor();
  await panel.getByText('CIS Benchmark 5.2.2').waitFor();
  await panel.getByRole('button', { name: 'Get the patch' }).click();
  await panel.getByRole('button', { name: 'Copy', exact: true }).click();
  await panel.getByText('Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.match(copied, /^kubectl patch deployment miner -n shop --type=json -p '/);
  await panel.getByText('Diff', { exact: true }).click();
  await panel.getByRole('region', { name: 'Change of the manifest' }).getByText('privileged: false').waitFor();
  await panel.getByText('sidecar', { exact: true }).click();
  await panel.getByText('spec.template.spec.containers[1].securityContext.privileged').first().waitFor();
  await assertAccessible('one finding');
  await assertFits('one finding');
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await list.getByRole('button', { name: 'Privileged container' }).and(page.locator(':focus')).waitFor();

  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: /^CSV/ }).waitFor();
  await assertAccessible('the forms of an export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /^CSV/ }).click()]);
  const saved = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  assert.is(saved.length, 3, 'the names and what the filters let through');
  assert.equal(screen.complaints(), []);
});

test('the mouse shows the exact time of a finding, and a click there opens it', async () => {
  const { page, titleShownAt } = screen;
  await goTo('/security?q=miner+privileged');
  const row = page.getByRole('list', { name: 'Findings' }).getByRole('listitem').filter({ hasText: 'Privileged container' });
  assert.match(await titleShownAt(row.locator('time')), /UTC$/);
  assert.is(await titleShownAt(row.getByRole('button')), '');
  await titleShownAt(row.locator('time'));
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole('complementary', { name: 'Finding' }).waitFor();
  await page.keyboard.press('Escape');
});

test('two people see each other’s changes, and who only reads is told who may act', async () => {
  const rita = await logIn('rita');
  for (const one of [rita, screen]) await goTo('/security?q=miner+privileged', one);
  const row = ({ page }: Screen) => page.getByRole('list', { name: 'Findings' }).getByRole('button', { name: 'Privileged container' });
  await row(rita).click();
  const dismiss = rita.page.getByRole('button', { name: 'Dismiss all 2' });
  assert.ok(await dismiss.isDisabled());
  assert.match((await dismiss.getAttribute('title')) ?? '', /write, admin/);
  for (const name of ['Rescan', 'Get the patch', 'Suppress…']) assert.ok(await rita.page.getByRole('button', { name }).isDisabled(), name);
  await rita.page.keyboard.press('Escape');
  const { page } = screen;
  await row(screen).click();
  await page.getByRole('button', { name: 'Dismiss all 2' }).click();
  await page.getByText('Privileged container on 2 containers: dismissed').waitFor();
  await row(screen).waitFor({ state: 'detached' });
  // Rita's focus is in the list, so nothing moves there. Her row says that it is gone.
  await rita.page.getByText('No longer in this list').waitFor();
  await rita.page.getByRole('button', { name: '2 gone' }).click();
  await row(rita).waitFor({ state: 'detached' });
  assert.equal(await privileged(), []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').waitFor();
  await row(screen).waitFor();
  await until(async () => (await row(rita).count()) > 0 || (await rita.page.getByRole('button', { name: '2 new' }).count()) > 0, {
    what: 'rita to be told of what came back',
  });
  assert.is((await privileged()).length, 2);
  await rita.close();
});

test('a check is suppressed with a reason, found among the suppressed, and comes back', async () => {
  const { page } = screen;
  const [first] = await privileged();
  await goTo(`/security?open=${first?.id}`);
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await panel.getByRole('button', { name: 'Suppress…' }).click();
  await panel.getByText(/^Hides 2 findings now/).waitFor();
  const save = panel.getByRole('button', { name: 'Suppress', exact: true });
  assert.ok(await save.isDisabled(), 'not without a reason');
  await panel.getByRole('textbox', { name: 'Why' }).fill('it moves to a node of its own in June');
  await save.click();
  await until(async () => (await privileged()).length === 0, { timeoutMs: PATIENCE_MS, what: 'the findings to be hidden' });
  await page.getByText('Privileged container: suppressed').waitFor();
  await page.getByText('Suppressed', { exact: true }).click();
  await page
    .getByRole('list', { name: 'Findings' })
    .getByRole('button', { name: /^Deployment miner/ })
    .waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await privileged()).length === 2, { timeoutMs: PATIENCE_MS, what: 'the findings to be shown' });
  await page.getByText('Nothing is suppressed').waitFor();
});

test('a rescan shows its progress, also after a registry is trusted', async () => {
  const { page } = screen;
  await goTo('/security');
  await page.getByRole('button', { name: 'Rescan' }).click();
  await page.getByText(/^Scanned just now, nothing changed$/).waitFor({ timeout: PATIENCE_MS });
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: /^Go to a screen/ }).fill('trusted');
  await page.getByRole('option', { name: /Trusted registries/, selected: true }).waitFor();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Trusted registries' });
  await dialog.getByLabel('Trust: registry').fill('*');
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await dialog.getByText(/must not be only/).waitFor();
  assert.is(screen.complaints().length, 1, 'the refusal');
  await dialog.getByLabel('Trust: registry').fill('registry.example:5000/team');
  await dialog.getByRole('button', { name: 'Trust', exact: true }).click();
  await dialog.getByText('registry.example:5000/team', { exact: true }).waitFor();
  await assertAccessible('the registries');
  await page.keyboard.press('Escape');
  // The demo has no image from that registry, so now every image is a finding.
  await page
    .getByRole('button', { name: /^\d+ new/ })
    .or(page.getByText(/\d+ changes$/))
    .first()
    .waitFor({ timeout: PATIENCE_MS });
  await until(async () => (await admin.get<Finding[]>('/api/security/findings?check=untrusted-registry')).length > 5, {
    timeoutMs: PATIENCE_MS,
    what: 'findings of the check that the list decides',
  });
  await goTo('/security?check=untrusted-registry&by=check');
  await page
    .getByRole('list', { name: 'Findings' })
    .getByRole('button', { name: /untrusted-registry/ })
    .waitFor();
});

test('an escalation path is a chain of who does what by which binding, and questions are sentences', async () => {
  const { page } = screen;
  await goTo('/access?namespace=shop');
  const paths = page.getByRole('list', { name: 'Paths' });
  const path = paths.getByRole('button', { name: /^ServiceAccount shop\/ci.*everything, as cluster-admin/ });
  await path.waitFor({ timeout: PATIENCE_MS });
  if ((await path.getAttribute('aria-expanded')) === 'false') await path.click();
  await paths.getByText('requests a token of ServiceAccount shop/deployer').waitFor();
  await paths.getByText('RoleBinding shop/ci-tokens').waitFor();
  await paths.getByText('ClusterRoleBinding deployers').waitFor();
  await assertAccessible('escalation paths');
  await assertFits('escalation paths');
  await page.getByText('Who can …', { exact: true }).click();
  const form = page.getByRole('form', { name: 'Who can do something' });
  await form.getByRole('combobox', { name: 'Verb' }).fill('create');
  await page.getByRole('option', { name: 'create' }).waitFor();
  await assertAccessible('the verbs');
  await form.getByRole('combobox', { name: 'Resource' }).fill('serviceaccounts/token');
  await page.keyboard.press('Escape');
  await form.getByRole('button', { name: 'Ask' }).click();
  assert.match(page.url(), /ask=who-can/);
  const who = page.getByRole('list', { name: 'Who can do it' });
  await who.getByRole('link', { name: 'ServiceAccount shop/ci' }).click();
  await page.getByRole('list', { name: 'Its rights' }).getByText('create serviceaccounts/token').waitFor();
  await assertAccessible('the rights of an account');
  await assertFits('the rights of an account');
  await page.getByRole('link', { name: 'Which paths begin at it?' }).click();
  await paths.waitFor();
  assert.is(await paths.getByRole('button').count(), 1);
  await goTo('/graphs?graph=roles&namespace=shop');
  await page.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'token-maker' }).waitFor();
  await assertAccessible('the roles');
  await goTo('/access?ask=rights&kind=User&name=nobody');
  await page.getByText('No binding names it, or a group that it is in.').waitFor();
  assert.equal(screen.complaints(), []);
});

const bare = suite('security and access without a cluster');
bare('the screens say that no scanner runs, that nothing was found, and that the cluster is away', async () => {
  const browser = await openScreens(chromium ?? '');
  const it = await testApp(({ config }) => ({ dashboard: DASHBOARD, config: { ...config, baseUrl: undefined } }));
  try {
    await it.app.listen({ host: '127.0.0.1', port: 0 });
    const url = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}`;
    const value = it.cookie('write').slice(SESSION_COOKIE.length + 1);
    const rest = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
    const { page, assertAccessible: check } = await browser.visit(`${url}/security`, {
      storageState: { cookies: [{ name: SESSION_COOKIE, value, ...rest }], origins: [] },
    });
    await page.getByText('Start the Deployment podmend-scanner.').waitFor();
    await page.getByText('No findings', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Rescan' }).click();
    await page.getByText(/none was heard in the last 90 seconds/).waitFor();
    await check('no scanner');
    // The screen says nothing about scanners until it knows whether one runs.
    let answer = (): void => {};
    // The screen may ask again after a message. Those requests get the same answer.
    const isTold = new Promise<void>((resolve) => (answer = resolve));
    const isAsked = new Promise<void>((asked) => {
      void page.route('**/api/about', async (route) => {
        asked();
        await isTold;
        await route.fulfill({ status: 404, json: { detail: 'No such place' } });
      });
    });
    await page.goto(`${url}/security`);
    await isAsked;
    // The head of the list appears when the findings are loaded.
    await page.getByRole('button', { name: 'Critical 0' }).waitFor();
    await page.getByRole('img', { name: 'Loading findings' }).waitFor();
    assert.is(await page.getByText('No findings', { exact: true }).count(), 0);
    answer();
    await page.getByText('Whether a scanner looks now is not known.').waitFor();
    await page.unroute('**/api/about');
    await page.goto(`${url}/security?open=7`);
    await page.getByText('Finding not found').waitFor();
    await page.goto(`${url}/access`);
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await check('no cluster');
  } finally {
    await browser.close();
    await it.close();
  }
});

if (chromium) {
  bare.run();
  test.run();
}
