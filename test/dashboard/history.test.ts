import type { AddressInfo } from 'node:net';
import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_COOKIE } from '../../src/contract/auth.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import { durationOf } from '../../src/dashboard/history/duration.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';
import { chromiumFor, DASHBOARD, openScreens, type Screen, type Screens } from '../support/network/browser.ts';
import { type TestApp, testApp } from '../support/worlds/app.ts';

// The screens Overview and History, with an app without a cluster.

const words = suite('lengths of time');
for (const [seconds, text] of [
  [null, '–'],
  [0, '0 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [90, '1.5 min'],
  [3_599, '60 min'],
  [12_600, '3.5 h'],
  [86_400 * 12, '12 d'],
] as const) {
  words(`${String(seconds)} seconds are ${text}`, () => assert.is(durationOf(seconds), text));
}
words.run();

const chromium = chromiumFor('overview and history');
const test = suite('overview and history');
const MINUTE_MS = 60_000;

let screens: Screens;
let it: TestApp;
let url: string;
test.before(async () => {
  screens = await openScreens(chromium ?? '');
  it = await testApp(({ config }) => ({ dashboard: DASHBOARD, config: { ...config, baseUrl: undefined } }));
  await it.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(it.app.server.address() as AddressInfo).port}`;
});
test.after(async () => {
  await screens?.close();
  await it?.close();
});

async function visit(path: string, options: BrowserContextOptions = {}): Promise<Screen> {
  const value = it.cookie('read').slice(SESSION_COOKIE.length + 1);
  const rest = { domain: '127.0.0.1', path: '/', expires: -1, httpOnly: true, secure: false, sameSite: 'Lax' as const };
  const storageState = { cookies: [{ name: SESSION_COOKIE, value, ...rest }], origins: [] };
  return screens.visit(url + path, { ...options, storageState });
}

async function report(name: string, over: Partial<FailureReport> = {}): Promise<number> {
  const payload = aFailureReport({ pod_name: `${name}-1`, pod_uid: `uid-${name}`, workload: { kind: 'Deployment', name }, ...over });
  return (await it.send('service', { method: 'POST', url: '/api/pods/failed', payload })).json<{ id: number }>().id;
}

async function recover(name: string, namespace = 'shop'): Promise<void> {
  const payload = { pods: [{ namespace, pod_name: `${name}-1` }], reason: 'recovered' };
  await it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload });
}

test('before the first failure, the overview shows the first steps, and then what is watched', async () => {
  const screen = await visit('/overview');
  const { page } = screen;
  const steps = page.getByRole('region', { name: 'First steps' });
  await steps.getByText('An agent reports').waitFor();
  await page.getByText('Nothing fails.').waitFor();
  await page.getByText('No agent reports, so').waitFor();
  await it.send('service', {
    method: 'PUT',
    url: '/api/agents/node-a',
    payload: { version: '1', pods: 30, failing: [], spooled: 0, dropped: 0 },
  });
  await page.reload();
  await page.getByText('30 pods on 1 node are watched.').waitFor();
  await page.goto(`${url}/history`);
  await page.getByText('Nothing failed in the last 30 days.').waitFor();
  assert.equal(screen.complaints(), []);
  await screen.close();
});

test('the overview links to proven corrections and to each open incident; light, dark and narrow', async () => {
  const id = await report('web', { container_statuses: [aCrash(2)] });
  await report('a'.repeat(63), { container_statuses: [aCrash(9)] });
  const trials = trialRepository(it.store.db);
  const none = { shown_before: null, shown_after: null, reason_before: null, reason_after: null, changes: [], verdict: null };
  await trials.insert({ mirror_id: 'm', failure_id: id, ...none, origin: 'Rules', started_at: it.deps.now() });
  await trials.update('m', { verdict: 'Fixed', reason_after: null, strength: 'Strong' });
  it.advance(10 * MINUTE_MS);
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const screen = await visit('/overview', { colorScheme, viewport: { width, height: 900 } });
    const { page } = screen;
    const proven = page.getByRole('region', { name: 'Proven, not yet taken' });
    await proven.getByText('web', { exact: true }).waitFor();
    await page.getByText('An agent is silent').waitFor();
    await page.getByRole('img', { name: 'The last 24 hours by the hour: 2 new incidents, 0 resolved' }).waitFor();
    await page.getByRole('region', { name: 'Open incidents' }).getByRole('link', { name: 'aaaa' }).waitFor();
    await screen.assertFits('overview');
    await screen.assertAccessible(`overview, ${colorScheme}`);
    await proven.getByRole('link').click();
    await page.waitForURL(`**/incidents/${id}`);
    assert.equal(screen.complaints(), []);
    await screen.close();
  }
});

test('the overview follows messages, and shows the namespace in the bar', async () => {
  const { page, close } = await visit('/overview');
  const open = page.locator('dl > div', { hasText: 'Open incidents' });
  await open.getByText('2', { exact: true }).waitFor();
  await report('late', { namespace: 'bank' });
  // The message causes this. Without it, the screen asks much later.
  await open.getByText('3', { exact: true }).waitFor();
  await page.goto(`${url}/overview?namespace=bank`);
  await open.getByText('1', { exact: true }).waitFor();
  const incidents = page.getByRole('region', { name: 'Open incidents' }).getByRole('listitem');
  await incidents.getByText('late').waitFor();
  assert.equal(await incidents.count(), 1);
  await page.goto(`${url}/overview?namespace=nowhere`);
  await page.getByText('Nothing fails in nowhere.').waitFor();
  await page.getByText('An agent is silent').waitFor();
  await recover('late', 'bank');
  await close();
});

test('the history names who fails most, and one workload shows its incidents', async () => {
  for (let n = 0; n < 3; n++) {
    await report('again');
    it.advance(30 * MINUTE_MS);
    await recover('again');
  }
  for (const [colorScheme, width] of [
    ['light', 1440],
    ['dark', 390],
  ] as const) {
    const screen = await visit('/history', { colorScheme, viewport: { width, height: 900 } });
    const { page } = screen;
    const row = page.getByRole('row').nth(1);
    await row.getByText('again').waitFor();
    await row.getByText('30 min').first().waitFor();
    await screen.assertFits('history');
    await screen.assertAccessible(`history, ${colorScheme}`);
    await row.getByRole('link').click();
    await page.getByRole('heading', { name: 'History of again' }).waitFor();
    await page.getByText('3 incidents in 30 days, 0 open.').waitFor();
    assert.is(await page.getByRole('region', { name: 'Incidents of the workload' }).getByRole('row').count(), 4);
    await screen.assertAccessible(`history of one workload, ${colorScheme}`);
    await page.goBack();
    // Only the message about the new failure makes the screen ask again.
    const other = `${colorScheme}-later`;
    await report(other);
    await page.getByRole('row').getByText(other).waitFor();
    await page.getByRole('searchbox').fill('nobody has this');
    await page.getByText('No workload matches').waitFor();
    await page.goto(`${url}/history?workload=shop/Deployment/nobody`);
    await page.getByText('No incident of this workload is known').waitFor();
    assert.equal(
      screen.complaints().filter((line) => !line.includes('404')),
      [],
    );
    await screen.close();
  }
});

if (chromium) test.run();
