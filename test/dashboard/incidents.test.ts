import type { BrowserContextOptions } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { trialRepository } from '../../src/db/trials.ts';
import { aCrash } from '../support/builders/report.ts';
import { chromiumFor } from '../support/network/browser.ts';
import { until } from '../support/runner/wait.ts';
import { visitorsOf } from '../support/worlds/visitors.ts';
import { chooseByKey } from './keyboard.ts';

// The list of incidents and one incident, with mouse and keyboard, on small and large screens. The cluster is always away.

const chromium = chromiumFor('incidents on the screen');
const test = suite('incidents on the screen');
const NARROW = { viewport: { width: 390, height: 844 } };
const people = visitorsOf(test, chromium);
const { visitAs, report } = people;

test('a failure that comes is listed, counted and announced; pods of a workload are one line', async () => {
  const { page } = await visitAs('read');
  // Only incidents that begin after the list is loaded count as new.
  await page.getByText('Nothing fails', { exact: true }).waitFor();
  await report({ pod_name: 'web-1' });
  await page.locator('.incident', { hasText: 'web' }).waitFor();
  await page.getByRole('status').filter({ hasText: 'New incident: web, CrashLoopBackOff' }).waitFor({ state: 'attached' });
  await report({ pod_name: 'web-2' });
  await page.locator('.incident', { hasText: '2 pods' }).waitFor();
  assert.match(
    await page.locator('.incident [role=cell]:has(a)').innerText(),
    /^web\s+shop\s+CrashLoopBackOff\s/,
    'the workload stands first',
  );
  await page.locator('.incident').click();
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
});

test('the mouse shows the exact time and the full names of a row, and a click there opens the incident', async () => {
  await report({ pod_name: 'web-1' });
  const { page, titleShownAt } = await visitAs('read');
  const row = page.locator('.incident', { hasText: 'web' });
  assert.is(await row.getByRole('link').count(), 1);
  assert.match(await titleShownAt(row.locator('time')), /UTC$/);
  assert.is(await titleShownAt(row.getByText('web', { exact: true })), 'Deployment web');
  assert.match(await titleShownAt(row.getByRole('img', { name: /24 hours/ })), /24 hours/);
  assert.match(await titleShownAt(row.getByRole('link')), /^Container/);
  await titleShownAt(row.locator('time'));
  await page.mouse.down();
  await page.mouse.up();
  await page.getByRole('heading', { level: 1, name: 'web' }).waitFor();
});

test('while the pointer is on the list nothing moves, and new incidents wait', async () => {
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
  await screen.assertAccessibleInBothSchemes('what was done');
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
  await page.getByRole('button', { name: 'Workload and cause' }).click();
  await until(async () => (await names()).join() === 'shop,web', { what: 'the other order' });
  assert.is(new URL(page.url()).searchParams.get('order'), null, 'what is usual is not written');
  await page.getByLabel('Reason').selectOption('Any reason');
  await until(async () => (await names()).join() === 'bank,shop,web', { what: 'all reasons' });
  await page.keyboard.press('/');
  await page.keyboard.type('bank');
  await until(async () => (await names()).join() === 'bank', { what: 'the search' });
  assert.match(page.url(), 'q=bank');
});

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
  await chooseByKey(page.getByRole('menuitem', { name: 'Save this view…' }));
  await page.getByRole('dialog', { name: 'Save this view' }).waitFor();
  await screen.assertAccessibleInBothSchemes('the name of a view');
  await keyboard.type('Crashes \u202eby');
  // The page reloads as if the session was ended elsewhere.
  await page.reload();
  await open();
  await chooseByKey(page.getByRole('menuitem', { name: 'Save this view…' }));
  await keyboard.press('End');
  await keyboard.type(' name');
  await keyboard.press('Enter');
  await page.getByText('saved in this browser').waitFor();
  await views.getByText('Crashes').waitFor();
  await page.goto(`${people.url()}/incidents?list=resolved`);
  await open();
  await screen.assertAccessibleInBothSchemes('saved views');
  await chooseByKey(page.getByRole('menuitem', { name: /^Crashes/ }));
  await page.waitForURL('**/incidents?reason=CrashLoopBackOff&sort=name');
  await page.goBack();
  await page.waitForURL('**/incidents?list=resolved');
  await open();
  await chooseByKey(page.getByRole('menuitem', { name: 'Save this view…' }));
  await keyboard.type('crashes \u202eBY name');
  await page.getByRole('button', { name: /^Replace “Crashes/ }).waitFor();
  await keyboard.press('Enter');
  await open();
  assert.is(await page.getByRole('menuitem').count(), 2, 'one view, and what can be done with it');
  await chooseByKey(page.getByRole('menuitem', { name: /^Delete/ }));
  await page.getByText(/deleted$/).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await views.getByText('crashes').waitFor();
});

test('of many incidents only the visible rows are in the document, and a search asks the server', async () => {
  for (let pod = 1; pod <= 205; pod++) await report({ pod_name: `pod-${pod}`, workload: null });
  const { page } = await visitAs('read');
  await page.getByText('205 incidents').waitFor();
  const rows = page.locator('.incident');
  assert.ok((await rows.count()) <= 60, 'only rows in sight');
  // The list must be as high as all 200 loaded rows. Otherwise new rows are drawn twice, and the scroll bar jumps.
  const heights = () =>
    page.evaluate<number[]>(
      `(({ parentElement: { offsetHeight: all } }, { offsetHeight: one }) => [all, 200 * one])(...Array(2).fill(document.querySelector('[data-index]')))`,
    );
  await until(async () => Math.abs(((all = 0, expected = 0) => all - expected)(...(await heights()))) < 200, {
    what: 'the rows that are not in the document to be as high as those that are',
  });
  // After a jump the same elements show other rows, which is quicker. But what has the focus never becomes something else.
  const jump = async (to: number): Promise<void> => {
    await page.evaluate(`scrollTo(0, ${to})`);
    await until(() => page.evaluate<boolean>(`(document.querySelector('[data-index]').dataset.index > 20) === ${to > 0}`), {
      what: 'the jump',
    });
  };
  await page.evaluate(`window.first = document.querySelector('[data-index]')`);
  await jump(4_000);
  assert.ok(await page.evaluate<boolean>('first.isConnected'), 'an element is used again');
  await jump(0);
  await page.getByRole('checkbox', { name: 'Select pod-205' }).focus();
  await jump(4_000);
  assert.is(await page.evaluate<string>('document.activeElement.tagName'), 'BODY', 'no other row has the focus');
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
  const screen = await visitAs('write');
  const { page } = screen;
  await page.locator('.incident').waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await screen.assertAccessibleInBothSchemes('the keys');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await page.getByRole('dialog').getByRole('option').first().waitFor();
  await screen.assertAccessibleInBothSchemes('the palette');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
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
  await screen.assertAccessibleInBothSchemes('the menu of the status');
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
  test(`on ${what} everything is readable and nothing overflows`, async () => {
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
    // The time of an event is beside or below its reason, never on top of it.
    const upon = `[...document.querySelectorAll('ol[aria-label^="Events"] li')].filter(({ children: [reason, time] }) => {
      const [one, other] = [reason.getBoundingClientRect(), time.getBoundingClientRect()];
      return one.right > other.left && one.bottom > other.top && other.bottom > one.top;
    }).length`;
    assert.equal(await page.evaluate<number>(upon), 0, 'events that overlap');
    const time = page.getByRole('tabpanel').locator('time').first();
    await time.hover();
    assert.match((await time.getAttribute('title')) ?? '', /UTC$/);
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

test('on a phone the cause comes first, and other actions are in a menu', async () => {
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
  const topOf = async (role: 'region' | 'complementary', name: string) => (await page.getByRole(role, { name }).boundingBox())?.y ?? 0;
  const evidence = await topOf('region', 'Evidence and history');
  assert.ok(evidence < (await topOf('complementary', 'About this incident')), 'logs and events come before further facts');
  await page.getByRole('button', { name: 'More actions' }).click();
  await screen.assertAccessibleInBothSchemes('the menu of an incident');
  await page.getByRole('menuitem', { name: 'Dismiss' }).click();
  await page
    .getByRole('button', { name: 'Ignored' })
    .or(page.getByRole('button', { name: 'Dismissed' }))
    .waitFor();
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Restore' }).click();
  await page.getByRole('button', { name: 'New', exact: true }).waitFor();
});

test('the list fits 320 px with every possible row, and so do its actions and messages', async () => {
  const { page, assertFits } = await visitAs('write', '/incidents', { viewport: { width: 320, height: 568 } });
  const trials = trialRepository(people.app().store.db);
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
  // No text is wider than its cell.
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
