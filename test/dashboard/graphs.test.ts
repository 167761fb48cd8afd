import type { AddressInfo } from 'node:net';
import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_COOKIE } from '../../src/contract/auth.ts';
import type { Graph } from '../../src/contract/graph.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { chromiumFor, DASHBOARD, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { until } from '../support/runner/wait.ts';
import { type TestApp, testApp } from '../support/worlds/app.ts';
import { deploymentYaml, type DrawnCluster, drawnCluster, objectsOf } from '../support/worlds/drawn.ts';

// The screen Graphs in a real browser, over an app that reads a cluster of objects.

const SHOP = `
{kind: Namespace, metadata: {name: shop}}
---
{kind: Namespace, metadata: {name: empty}}
---
{kind: Namespace, metadata: {name: hidden}}
---
{kind: ServiceAccount, metadata: {name: default, namespace: shop}}
---
${deploymentYaml('web', { pods: 2 })}
---
${deploymentYaml('cart', { waiting: 'CreateContainerConfigError', spec: 'volumes: [{name: v, configMap: {name: cart-settings}}]' })}
---
{kind: Service, metadata: {name: web, namespace: shop}, spec: {selector: {app: web}, ports: [{name: http, port: 80}]}}
---
{kind: NetworkPolicy, metadata: {name: cart, namespace: shop}, spec: {podSelector: {matchLabels: {app: cart}}, policyTypes: [Ingress]}}
---
{kind: Role, metadata: {name: reader, namespace: shop}, rules: [{apiGroups: [''], resources: [pods], verbs: [get, list]}]}
---
kind: RoleBinding
metadata: {name: readers, namespace: shop}
roleRef: {kind: Role, name: reader}
subjects: [{kind: User, name: ann}, {kind: ServiceAccount, name: gone, namespace: shop}]
---
${Array.from({ length: 9 }, (_, index) => `{kind: Node, metadata: {name: node-${index}}, status: {conditions: [{type: Ready, status: 'True'}]}}`).join('\n---\n')}
`;

const chromium = chromiumFor('the graphs');
const test = suite('the graphs');

let screens: Screens;
let cluster: DrawnCluster;
let it: TestApp;
let url: string;
let failure: number;
test.before(async () => {
  screens = await openScreens(chromium ?? '');
  cluster = drawnCluster(objectsOf(SHOP));
  it = await testApp(({ config }) => ({ graphs: cluster.graphs, dashboard: DASHBOARD, config: { ...config, baseUrl: undefined } }));
  await it.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}`;
  failure = await report('cart-5d9c7-0', 'cart');
});
test.after(async () => {
  await screens?.close();
  await it?.close();
});

async function report(pod: string, workload: string): Promise<number> {
  const payload = aFailureReport({
    pod_name: pod,
    pod_uid: `Pod-${pod}`,
    workload: { kind: 'Deployment', name: workload },
    failure_reason: 'CreateContainerConfigError',
    events: [{ type: 'Warning', reason: 'FailedMount', message: 'configmap "cart-settings" not found' }],
  });
  return (await it.send('service', { method: 'POST', url: '/api/pods/failed', payload })).json<{ id: number }>().id;
}

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Screen> {
  const value = it.cookie('read').slice(SESSION_COOKIE.length + 1);
  const rest = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  const storageState = { cookies: [{ name: SESSION_COOKIE, value, ...rest }], origins: [] };
  return screens.visit(url + path, { ...options, storageState });
}

/** In the colours that the system asks for, and in the others. */
async function assertAccessible(what: string, screen: Screen): Promise<void> {
  await screen.assertAccessible(what);
  await screen.page.emulateMedia({ colorScheme: 'dark' });
  await screen.page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
  await screen.assertAccessible(`${what}, dark`);
  await screen.page.emulateMedia({ colorScheme: 'light' });
}

const arranged = async ({ page }: Screen): Promise<void> => page.locator('[data-layout]').first().waitFor();
const focused = ({ page }: Screen): Promise<string> => page.evaluate<string>('document.activeElement?.textContent ?? ""');

test('by keyboard from a failing pod to the ConfigMap that is missing, to the incident, and back', async () => {
  const screen = await visit('/graphs');
  const { page } = screen;
  await page.getByRole('button', { name: 'shop', exact: true }).press('Enter');
  await arranged(screen);
  await page.getByText('1 missing').waitFor();
  assert.is(await page.getByRole('button', { name: 'empty', exact: true }).count(), 0);
  // Tab leads to one node: the first that is not well. Arrows lead on.
  await page.getByRole('button', { name: /^Pod cart-5d9c7-0/ }).focus();
  await page.keyboard.press('ArrowRight');
  await until(async () => (await focused(screen)).includes('cart-settings'), { timeoutMs: 20_000, what: 'the focus on the ConfigMap' });
  await page.keyboard.press('Enter');
  const missing = page.getByRole('complementary', { name: 'ConfigMap cart-settings' });
  await missing.getByText('It does not exist, so it has no manifest.').waitFor();
  assert.match(page.url(), /node=ConfigMap%2Fshop%2Fcart-settings/);
  await assertAccessible('the panel of a missing ConfigMap', screen);
  await page.keyboard.press('ArrowLeft');
  await until(async () => (await focused(screen)).includes('cart-5d9c7-0'), { timeoutMs: 20_000, what: 'the focus on the pod' });
  await page.keyboard.press('Enter');
  const pod = page.getByRole('complementary', { name: 'Pod cart-5d9c7-0' });
  await pod.getByText('configmap "cart-settings" not found').waitFor();
  await pod.getByRole('button', { name: 'Show', exact: true }).press('Enter');
  await pod.getByText('kind: Pod').waitFor();
  assert.equal(screen.complaints(), []);
  await pod.getByRole('link', { name: 'Open the incident' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'cart' }).waitFor();
  assert.match(page.url(), new RegExp(`/incidents/${failure}(\\?|$)`));
  await page.getByRole('link', { name: 'Show in graph' }).press('Enter');
  await pod.waitFor();
  await page.getByText('Only Deployment cart').waitFor();
  await arranged(screen);
  // Only what belongs to the workload is drawn.
  assert.is(await page.getByRole('button', { name: /^Deployment web/ }).count(), 0);
  await page.keyboard.press('Escape');
  await pod.waitFor({ state: 'detached' });
  await screen.close();
});

test('the list says the same, a search narrows both, and neighbours stay alone', async () => {
  const screen = await visit('/graphs?namespace=shop&as=list');
  const { page } = screen;
  const rows = page.getByRole('table').getByRole('row');
  await rows.nth(1).waitFor();
  const { nodes } = (await it.send('read', { url: '/api/diagram/namespace/shop' })).json<Graph>();
  // Neither nodes nor the default account: every pod has them.
  const drawn = nodes.filter(({ kind, name }) => kind !== 'Node' && !(kind === 'ServiceAccount' && name === 'default'));
  assert.is((await rows.count()) - 1, drawn.length);
  assert.match((await rows.nth(1).textContent()) ?? '', /cart.*Failing/);
  await rows.filter({ hasText: 'cart-settings' }).filter({ hasText: 'Missing' }).first().waitFor();
  await assertAccessible('the list', screen);
  await page.getByLabel('Search the graph').fill('missing settings');
  await page.getByText(`1 of ${drawn.length} found`).waitFor();
  assert.is(await rows.count(), 2);
  await page.getByLabel('Search the graph').fill('');
  await page.getByText('Show what every pod has').click();
  await rows.filter({ hasText: 'node-0' }).first().waitFor();
  await page.goto(`${url}/graphs?namespace=shop&as=list&node=Service/shop/web`);
  const panel = page.getByRole('complementary', { name: 'Service web' });
  await panel.getByRole('button', { name: 'Only neighbours' }).click();
  await until(async () => (await rows.count()) === 4, { timeoutMs: 20_000, what: 'the Service with its two pods' });
  await page.reload();
  await until(async () => (await rows.count()) === 4, { timeoutMs: 20_000, what: 'the same after a reload' });
  await screen.close();
});

test('what changes in the cluster appears, and what somebody looks at stays', async () => {
  const screen = await visit('/graphs?namespace=shop&node=Pod/shop/cart-5d9c7-0');
  const { page } = screen;
  await arranged(screen);
  const pod = page.locator('.react-flow__node').getByRole('button', { name: /^Pod cart-5d9c7-0/ });
  await pod.focus();
  const before = await pod.boundingBox();
  cluster.add(deploymentYaml('mailer', { waiting: 'ImagePullBackOff' }));
  await report('mailer-5d9c7-0', 'mailer');
  await page
    .locator('.react-flow__node')
    .getByRole('button', { name: /^Pod mailer-5d9c7-0/ })
    .waitFor({ state: 'attached' });
  assert.ok((await focused(screen)).includes('cart-5d9c7-0'));
  await until(
    async () => {
      const now = await pod.boundingBox();
      return before !== null && now !== null && Math.abs(now.x - before.x) < 2 && Math.abs(now.y - before.y) < 2;
    },
    { timeoutMs: 20_000, what: 'the pod where it was' },
  );
  await page.getByRole('complementary', { name: 'Pod cart-5d9c7-0' }).waitFor();
  assert.equal(screen.complaints(), []);
  await screen.close();
});

test('whether one pod may reach another is answered in a sentence', async () => {
  const screen = await visit('/graphs?namespace=shop&graph=network');
  const { page } = screen;
  await page.getByLabel('From pod').fill('web-5d9c7-0');
  await page.getByLabel('To pod').fill('shop/cart-5d9c7-0');
  await page.keyboard.press('Enter');
  await page.getByText('shop/web-5d9c7-0 cannot reach shop/cart-5d9c7-0: NetworkPolicy shop/cart restricts it').waitFor();
  await page.getByText('Sending: no NetworkPolicy restricts it.').waitFor();
  await arranged(screen);
  await assertAccessible('the answer', screen);
  await page.goto(`${url}/graphs?namespace=shop&graph=network&from=web-5d9c7-0&to=hidden/x`);
  await page.getByText('Pod not found').waitFor();
  await screen.close();
});

test('a role is drawn with whom it reaches, and leads to what these can do', async () => {
  const screen = await visit('/graphs?namespace=shop&graph=roles');
  const { page } = screen;
  await page.getByLabel('Role', { exact: true }).first().click();
  await page.getByRole('option', { name: 'reader' }).click();
  await arranged(screen);
  await page.getByRole('button', { name: /^Permission pods get, list/ }).waitFor();
  await page.getByRole('button', { name: /^ServiceAccount gone/ }).press('Enter');
  const panel = page.getByRole('complementary', { name: 'ServiceAccount gone' });
  await panel.getByText('Missing', { exact: true }).first().waitFor();
  await assertAccessible('a role', screen);
  await panel.getByRole('link', { name: 'What can it do?' }).click();
  await page.getByRole('heading', { level: 1, name: 'Access' }).waitFor();
  await screen.close();
});

test('the graph is taken along as Mermaid, SVG and PNG', async () => {
  const screen = await visit('/graphs?namespace=shop', { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = screen;
  await arranged(screen);
  const choose = async (item: string): Promise<void> => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  const saved = async (item: string): Promise<Buffer> => {
    const [download] = await Promise.all([page.waitForEvent('download'), choose(item)]);
    assert.match(download.suggestedFilename(), /^graph-shop\.(svg|png)$/);
    return readFile(await download.path());
  };
  const svg = (await saved('Save as SVG')).toString();
  assert.match(svg, /^<svg [^>]*viewBox/);
  assert.match(svg, 'cart-settings');
  const png = await saved('Save as PNG');
  assert.is(png.subarray(1, 4).toString(), 'PNG');
  assert.ok(png.length > 5_000, `${png.length} bytes`);
  await choose('Copy as Mermaid');
  await page.getByText('Copied: paste it where Mermaid is drawn').waitFor();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^flowchart LR/);
  assert.equal(screen.complaints(), []);
  await screen.close();
});

test('many pods are folded, expanded and folded again', async () => {
  cluster.add(Array.from({ length: 60 }, (_, index) => deploymentYaml(`app-${index}`, { pods: 10 })).join('\n---\n'));
  const screen = await visit('/graphs?namespace=shop&node=Deployment/shop/app-7');
  const { page } = screen;
  await arranged(screen);
  const panel = page.getByRole('complementary', { name: 'Deployment app-7' });
  await panel.getByText('11 folded of Deployment app-7.').waitFor();
  await panel.getByRole('button', { name: 'Expand' }).click();
  await page.getByRole('button', { name: 'Expanded: Deployment app-7: undo' }).waitFor();
  await page.getByRole('button', { name: /^Pod app-7-5d9c7-3/ }).waitFor();
  await assertAccessible('an expanded group', screen);
  await panel.getByRole('button', { name: 'Fold' }).click();
  await panel.getByText('11 folded of Deployment app-7.').waitFor();
  await page.getByRole('button', { name: /^Pod app-7-5d9c7-3/ }).waitFor({ state: 'detached' });
  await screen.close();
});

test('what cannot be shown is said: nothing there, a right that is missing, a cluster that is away; on a narrow screen too', async () => {
  const screen = await visit('/graphs?namespace=empty', { viewport: { width: 320, height: 700 } });
  const { page } = screen;
  await page.getByText('Nothing is here').waitFor();
  cluster.refused.add('networkpolicies');
  await page.goto(`${url}/graphs?namespace=shop&node=Pod/shop/never`);
  await page.getByText('Podmend may not list networkpolicies.networking.k8s.io').waitFor();
  await page.getByText('Pod never is not in this graph').waitFor();
  await arranged(screen);
  await screen.assertAccessible('a narrow screen');
  const [needed = 0, there = 0] = await page.evaluate<number[]>('[document.documentElement.scrollWidth, innerWidth]');
  assert.ok(needed <= there, `${needed} wide on ${there}`);
  cluster.refused.clear();
  await page.goto(`${url}/graphs?namespace=hidden`);
  await page.getByText('Namespace not found').waitFor();
  screen.complaints();
  cluster.isAway = true;
  await page.goto(`${url}/graphs?namespace=shop`);
  await page.getByText('Kubernetes client not available').waitFor({ timeout: 60_000 });
  cluster.isAway = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await arranged(screen);
  await screen.close();
});

if (chromium) test.run();
