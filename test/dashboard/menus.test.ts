import { globSync, readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import { aCrash } from '../support/builders/report.ts';
import { chromiumFor, type Screen } from '../support/network/browser.ts';
import { visitorsOf } from '../support/worlds/visitors.ts';

// What opens on a screen: that each menu is checked for accessibility in both colour schemes, that filters leave the list its room, and that
// nothing moves for a person who asked for that.

/** Where each menu, list of choices and dialog is opened and checked in both schemes: the words of the check. */
const CHECKED: Record<string, [test: string, ...what: string[]]> = {
  'access/who-can.tsx': ['security', 'the verbs'],
  'components/assign-menu.tsx': ['triage', 'who can be assigned', 'who can be assigned to several'],
  'components/dialog.tsx': ['incidents', 'the keys'],
  'components/log-view.tsx': ['menus', 'the containers of a log'],
  'graphs/choose-namespace.tsx': ['security', 'the roles'],
  'graphs/export.tsx': ['screens', 'the forms of a graph'],
  'incident/actions.tsx': ['incidents', 'the menu of an incident', 'the menu of the status'],
  'incident/patch-panel.tsx': ['screens', 'the patch of what somebody wrote'],
  'incidents/saved-views.tsx': ['incidents', 'saved views', 'the name of a view'],
  'incidents/suppress.tsx': ['screens', 'an incident that is suppressed'],
  'security/export-menu.tsx': ['security', 'the forms of an export'],
  'security/registries.tsx': ['security', 'the registries'],
  'shell/account.tsx': ['incidents', 'the menu of the account'],
  'shell/frame.tsx': ['incidents', 'the menu of the screens'],
  'shell/palette.tsx': ['incidents', 'the palette', 'the keys'],
  'shell/scope.tsx': ['screens', 'the namespaces'],
  'suppressions/row.tsx': ['screens', 'the ways to extend'],
};

const sources = suite('menus and dialogs');
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
sources('each is checked for accessibility', () => {
  const opening = /<(Menu|Select|Autocomplete|MultiSelect|Popover|HoverCard|Modal|Drawer|Dialog|dialog)\b/;
  const folder = new URL('../../src/dashboard/', import.meta.url).pathname;
  const found = globSync('**/*.tsx', { cwd: folder }).filter((path) => opening.test(read(`src/dashboard/${path}`)));
  assert.equal(found.sort(), Object.keys(CHECKED).sort());
  for (const [test, ...all] of Object.values(CHECKED))
    for (const what of all) assert.match(read(`test/dashboard/${test}.test.ts`), new RegExp(`ccessible\\w*\\('${what}'`), what);
});
sources.run();

const chromium = chromiumFor('menus, filters and motion');
const test = suite('menus, filters and motion');
const people = visitorsOf(test, chromium);
const { visitAs, report } = people;

test('the containers of a log are chosen from a list', async () => {
  const id = await report({ container_statuses: [aCrash(1), aCrash(2, 'sidecar')] });
  const screen = await visitAs('read', `/incidents/${id}?tab=logs`);
  const { page } = screen;
  await page.getByRole('tabpanel').getByText('Live', { exact: true }).click();
  await page.getByRole('combobox', { name: 'Container' }).click();
  await page.getByRole('option', { name: 'sidecar' }).waitFor();
  await screen.assertAccessibleInBothSchemes('the containers of a log');
});

test('on a telephone the filters of findings are behind a button, as those of incidents are', async () => {
  const screen = await visitAs('read', '/security', { viewport: { width: 390, height: 844 } });
  const { page } = screen;
  const filters = [
    page.getByLabel('Check', { exact: true }),
    page.getByLabel('Framework'),
    page.getByRole('group', { name: 'Severities' }),
  ];
  const shown = () => Promise.all(filters.map((one) => one.isVisible()));
  await page.getByText('No findings', { exact: true }).waitFor();
  assert.equal(await shown(), [false, false, false], 'they do not push the list down');
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  assert.equal(await shown(), [true, true, true]);
  await screen.assertFits('the filters');
  await screen.assertAccessibleInBothSchemes('the filters');
  await page.getByRole('button', { name: /^Low/ }).click();
  await page.waitForURL(/severity=critical/);
  await page.reload();
  await page.getByText('Nothing here matches').waitFor();
  assert.equal(await shown(), [true, true, true], 'filters that are used are shown');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('No findings', { exact: true }).waitFor();
  assert.equal(await shown(), [false, false, false]);
});

const RUNNING: Omit<MirrorRecord, 'pod_id'> = {
  ...{ mirror_id: 'm', name: 'web-mirror', mirror_pod_name: 'web-mirror', source_pod_name: 'web-1', namespace: 'shop' },
  ...{ status: 'Running', verdict: null, ttl_seconds: 120, created_at: '2026-05-01T10:00:00Z', expires_at: null, final: false },
  ...{ fixed_manifest: '', explanation: '', evidence: null, revisions: [], conditions: [], events: [] },
};

/** Notes each animation and transition that takes longer than a frame. */
const WATCH = `
  window.moved = new Set();
  const look = () => {
    for (const { animationName, transitionProperty, effect } of document.getAnimations())
      if (!(effect.getComputedTiming().endTime < 16)) moved.add((animationName ?? transitionProperty) + ' of ' + effect.target.className);
  };
  look();
  for (const type of ['animationstart', 'transitionrun']) addEventListener(type, look, true);
`;

/** Opens a screen with live steps, a dialog, a menu and a message. Returns what moved. */
async function movedOn({ page }: Screen, id: number): Promise<string[]> {
  await page.route('**/api/mirror/active', (route) => route.fulfill({ json: [{ ...RUNNING, pod_id: id }] }));
  await page.reload();
  await page.getByRole('list', { name: 'Steps' }).waitFor();
  await page.evaluate(WATCH);
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'New', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Investigating' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Incidents', exact: true }).click();
  await page.getByRole('checkbox', { name: 'Select web' }).check();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await page.getByText('One incident dismissed').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('Undone').waitFor();
  return page.evaluate<string[]>('[...moved]');
}

test('nothing moves for a person who asked the system for less motion', async () => {
  const id = await report();
  const [usual, still] = [
    await visitAs('write', `/incidents/${id}`),
    await visitAs('write', `/incidents/${id}`, { reducedMotion: 'reduce' }),
  ];
  assert.ok((await movedOn(usual, id)).length > 2, 'otherwise something moves');
  assert.equal(await movedOn(still, id), []);
});

if (chromium) test.run();
