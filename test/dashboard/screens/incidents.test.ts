import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { anIncident, aShownFailure, incidentPage, minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { cannedDashboard, marksOf, refuse, Reply, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The list of incidents with given answers: what its rows say, what its controls ask for, and what its actions send.

const chromium = chromiumFor('the list of incidents with given answers');
const test = suite('the list of incidents');
const dashboard = cannedDashboard(test, chromium);

const VERDICT = {
  verdict: 'Fixed',
  strength: 'Strong',
  final: true,
  mirror_id: 'm',
  failure_id: 1,
  given_at: minutesAgo(9),
  taken: false,
} as const;
const [web, api, batch] = [
  anIncident({ id: 11, failure_id: 101, assignee: 'bob', pods: 3, restarts: 1200, verdict: VERDICT }),
  anIncident({
    id: 12,
    failure_id: 102,
    workload: { kind: 'StatefulSet', name: 'api' },
    namespace: 'back',
    reason: 'OOMKilled',
    cause: 'The container needs more memory',
    first_seen: minutesAgo(125),
    status: 'investigating',
    restarts: 1,
    assignee: 'eve',
  }),
  anIncident({ id: 13, failure_id: 103, workload: { kind: 'Job', name: 'batch' }, reason: 'ImagePullBackOff', trying: true }),
] as const;
const page = incidentPage([web, api, batch], { ignored: 1234, suppressed: 2, resolved: 0 });
const LIST = { 'GET /api/incidents': page };

test('each row says what, where, why, since when, how often, who and with which result', async () => {
  const { page: window, shows } = await dashboard.open('/incidents', LIST);
  const shown = await shows('table "Incidents"', '3 incidents');
  assert.is(await window.title(), 'Incidents · Podmend');
  assert.equal(await textsOf(window.getByRole('row')), [
    'Selected Status Workload and cause 24 hours Assignee Verdict Pods Restarts Age',
    'web shop CrashLoopBackOff The program ends with exit code 1 bob Fixed 3 pods 1,200 restarts 5 min',
    'api back OOMKilled The container needs more memory eve Investigating 1 pod 1 restart 2 h',
    'batch shop ImagePullBackOff The program ends with exit code 1 On a mirror now 1 pod 0 restarts 5 min',
  ]);
  for (const part of [
    'img "New"',
    'img "Investigating"',
    'checkbox "Select web"',
    'img "Assigned to bob"',
    'img "Assigned to you, eve"',
    'img "No failed run in the last 24 hours"',
    '/url: /incidents/102',
  ])
    assert.ok(shown.includes(part), `${part} in\n${shown}`);
  const attributes = (selector: string, name: string) =>
    window
      .locator(selector)
      .evaluateAll((all: { getAttribute(name: string): string | null }[], of) => all.map((one) => one.getAttribute(of)), name);
  assert.equal(await attributes('.incident [role=cell] bdi[title]', 'title'), [
    ...['Deployment web', 'Namespace shop', 'StatefulSet api', 'Namespace back', 'Job batch', 'Namespace shop'],
  ]);
  assert.equal(await attributes('.incident a', 'title'), [web.cause, api.cause, batch.cause]);
  assert.equal(await attributes('[role=row]', 'aria-rowindex'), ['1', '2', '3', '4']);
  assert.equal(await attributes('.incident [data-usual]', 'data-usual'), ['true', 'true', 'true']);
  assert.equal(await attributes('[role=table]', 'aria-rowcount'), ['4']);
  assert.is(await window.locator('.incident span[title="Proven, and not applied yet"]').count(), 1);
  assert.equal(await attributes('.incident .verdict', 'data-verdict'), ['Fixed']);
  assert.equal(await attributes('.incident .dot', 'data-status'), ['new', 'investigating', 'new']);
  assert.equal(await marksOf(window.locator('.incident'), 'initials'), ['BO:', 'EV:']);
});

test('the lists have their counts, and each empty one says what would be in it', async () => {
  const one = await dashboard.open('/incidents', LIST);
  await one.shows('radio "Active 3" [checked]', 'radio "Dismissed 1,234"', 'radio "Suppressed 2"', 'radio "Resolved 0"');
  for (const [list, title, text] of [
    ['', 'Nothing fails', 'A failing pod appears here at once.'],
    ['ignored', 'Nothing is dismissed', 'An incident that somebody dismisses is kept here until it is restored.'],
    ['suppressed', 'Nothing is suppressed', 'What a Suppression hides is kept here.'],
    ['resolved', 'Nothing has been resolved yet', 'An incident comes here when its pods work again or are gone.'],
  ] as const) {
    const { shows, read } = await dashboard.open(`/incidents?list=${list}`, { 'GET /api/incidents': incidentPage([]) });
    const shown = await shows(title, text);
    assert.not.match(shown, 'Clear filters');
    assert.is(shown.includes('combobox "Status"'), list === '');
    const asked = `list=${list || 'active'}&sort=first_seen&order=desc`;
    assert.equal(
      [...new Set(read())].filter((path) => path.includes('/incidents')),
      [`GET /api/incidents?limit=200&${asked}`],
    );
  }
  const { shows } = await dashboard.open('/incidents?reason=Evicted&namespace=shop', { 'GET /api/incidents': incidentPage([]) });
  await shows('Nothing here matches', 'Clear the filters, or look through another list.', 'button "Clear filters"');
});

test('each filter stands in the address and in the request, and one button takes all away, but not the list, the order and the namespace', async () => {
  const { page: window, shows, address, read } = await dashboard.open('/incidents?namespace=shop', LIST);
  await shows('table "Incidents"');
  const select = (name: string, option: string) => window.getByRole('combobox', { name, exact: true }).selectOption({ label: option });
  const options = (name: string) => window.getByRole('combobox', { name, exact: true }).locator('option').allTextContents();
  assert.equal(await options('Reason'), ['Any reason', 'CrashLoopBackOff', 'ImagePullBackOff', 'OOMKilled']);
  assert.equal(await options('Status'), ['Any status', 'New', 'Investigating']);
  assert.equal(await options('Verdict'), ['Any verdict', 'Fixed', 'Still failing', 'Inconclusive', 'Not tried']);
  assert.equal(await options('Assignee'), ['Any assignee', 'Assigned to me', 'Unassigned', 'bob', 'eve']);
  await select('Reason', 'OOMKilled');
  await select('Status', 'Investigating');
  await select('Verdict', 'Not tried');
  await select('Assignee', 'bob');
  // Where the columns have no room, the order is chosen from a list.
  await window.setViewportSize({ width: 390, height: 844 });
  assert.equal(await options('Sorted by'), [
    ...['Newest first', 'Oldest first', 'Seen last first', 'Seen first first', 'Most restarts first', 'Fewest restarts first'],
    ...['Most pods first', 'Fewest pods first', 'Workloads Z to A', 'Workloads A to Z'],
  ]);
  await select('Sorted by', 'Fewest pods first');
  await window.getByLabel('Search incidents').fill(' memory ');
  const asked = 'list=active&sort=pods&order=asc&reason=OOMKilled&status=investigating&verdict=none&assignee=bob&q=memory&namespace=shop';
  await until(() => read().some((path) => path === `GET /api/incidents?limit=200&${asked}`), { what: 'the request with all filters' });
  const all = '?namespace=shop&reason=OOMKilled&status=investigating&verdict=none&assignee=bob&sort=pods&order=asc&q=memory';
  await until(() => address() === all, { what: () => address() });
  await window.getByRole('button', { name: 'Clear filters' }).click();
  await until(() => address() === '?namespace=shop&sort=pods&order=asc', { what: () => address() });
  await window.setViewportSize({ width: 1440, height: 900 });
  const value = (name: string) => window.getByRole('combobox', { name, exact: true }).inputValue();
  for (const name of ['Reason', 'Status', 'Verdict', 'Assignee']) assert.is(await value(name), '', name);
  assert.is(await window.getByLabel('Search incidents').inputValue(), '');
  // Usual orders do not stand in the address. Another list has no status, and Back returns to this one.
  await window.setViewportSize({ width: 390, height: 844 });
  await select('Sorted by', 'Workloads A to Z');
  await until(() => address() === '?namespace=shop&sort=name', { what: () => address() });
  await window.setViewportSize({ width: 1440, height: 900 });
  await select('Status', 'New');
  await window.getByText('Dismissed 1,234').click();
  await until(() => address() === '?namespace=shop&sort=name&list=ignored', { what: () => address() });
  await window.goBack();
  await until(() => address() === '?namespace=shop&sort=name&status=new', { what: () => address() });
});

test('a chosen filter stays to choose from, also one that no incident has', async () => {
  const { page: window } = await dashboard.open('/incidents?reason=Evicted&assignee=zoe', { 'GET /api/incidents': page });
  const options = (name: string) => window.getByRole('combobox', { name, exact: true }).locator('option').allTextContents();
  await window.getByRole('table').waitFor();
  assert.equal(await options('Reason'), ['Any reason', 'CrashLoopBackOff', 'Evicted', 'ImagePullBackOff', 'OOMKilled']);
  assert.equal(await options('Assignee'), ['Any assignee', 'Assigned to me', 'Unassigned', 'bob', 'eve', 'zoe']);
  await window.getByRole('combobox', { name: 'Assignee' }).selectOption('me');
  await until(async () => (await options('Assignee')).length === 5, { what: 'that “me” is no name' });
});

test('a column is sorted by a click in its usual order, and by the next one in the other', async () => {
  const { page: window, address } = await dashboard.open('/incidents', LIST);
  const sorted = () =>
    window
      .locator('[role=columnheader][aria-sort]')
      .evaluateAll((all: { textContent: string; ariaSort: string }[]) => all.map((one) => [one.textContent, one.ariaSort].join(' ')));
  await window.getByRole('table').waitFor();
  assert.equal(await sorted(), ['Age ascending']);
  for (const [column, search, state] of [
    ['Age', '?order=asc', 'Age descending'],
    ['Age', '', 'Age ascending'],
    ['Restarts', '?sort=restarts', 'Restarts descending'],
    ['Restarts', '?sort=restarts&order=asc', 'Restarts ascending'],
    ['Pods', '?sort=pods', 'Pods descending'],
    ['Workload and cause', '?sort=name', 'Workload and cause ascending'],
    ['Workload and cause', '?sort=name&order=desc', 'Workload and cause descending'],
  ] as const) {
    await window.getByRole('button', { name: column, exact: true }).click();
    await until(async () => address() === search && (await sorted())[0] === state, { what: `${search} ${state}` });
  }
});

test('selected rows have the actions of their list, and a range is selected with Shift', async () => {
  for (const [list, verbs] of [
    ['active', ['Investigate', 'Set to new', 'Resolve', 'Dismiss', 'Assign…', 'Suppress…', 'Clear']],
    ['ignored', ['Restore', 'Assign…', 'Suppress…', 'Clear']],
    ['suppressed', ['Assign…', 'Clear']],
    ['resolved', ['Open again', 'Assign…', 'Clear']],
  ] as const) {
    const { page: window } = await dashboard.open(`/incidents?list=${list}`, LIST);
    const bulk = window.getByRole('region', { name: 'Selected incidents' });
    await window.getByLabel('Select web').check();
    assert.equal(await textsOf(bulk.getByRole('button')), verbs, list);
    assert.is(await bulk.getByRole('status').innerText(), 'One selected');
    await window.getByLabel('Select batch').click({ modifiers: ['Shift'] });
    assert.is(await bulk.getByRole('status').innerText(), '3 selected');
    assert.is(await window.locator('.incident[data-selected]').count(), 3);
    await window.getByLabel('Select api').uncheck();
    assert.is(await bulk.getByRole('status').innerText(), '2 selected');
    await window.keyboard.press('Escape');
    await bulk.waitFor({ state: 'detached' });
  }
});

test('keys move along the rows, select one, and open its menu of assignees', async () => {
  const {
    page: window,
    sent,
    nextSent,
  } = await dashboard.open('/incidents', {
    ...LIST,
    'GET /api/incidents/assignees': ['eve', 'bob', 'zoe'],
    'PUT /api/incidents/12/assignee': new Reply(204),
  });
  const focused = () => window.evaluate<string>(`document.activeElement.closest('.incident')?.querySelector('bdi').textContent ?? ''`);
  const isAt = (name: string) => until(async () => (await focused()) === name, { what: `the focus on ${name}` });
  await window.getByRole('table').waitFor();
  // Without a row there is nothing to select or assign.
  await window.keyboard.press('x');
  await window.keyboard.press('a');
  for (const [key, name] of [
    ['j', 'web'],
    ['k', 'web'],
    ['j', 'api'],
    ['j', 'batch'],
    ['j', 'batch'],
    ['k', 'api'],
  ] as const) {
    await window.keyboard.press(key);
    await isAt(name);
  }
  assert.is(await window.locator('.incident[data-selected]').count(), 0);
  await window.keyboard.press('x');
  await window.locator('.incident[data-selected]', { hasText: 'api' }).waitFor();
  await window.keyboard.press('x');
  await window.locator('.incident[data-selected]').waitFor({ state: 'detached' });
  await window.keyboard.press('a');
  // It is mine already.
  const items = window.getByRole('menuitem');
  await items.filter({ hasText: 'zoe' }).waitFor();
  assert.equal(await textsOf(items), ['Unassign', 'bob', 'zoe']);
  assert.equal(sent(), []);
  await items.filter({ hasText: 'bob' }).click();
  assert.equal(await nextSent(), ['PUT /api/incidents/12/assignee {"username":"bob"}']);
  await window.getByText('One incident assigned to bob').waitFor();
  await window.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await nextSent(), ['PUT /api/incidents/12/assignee {"username":"eve"}']);
  await window.getByText('Undone', { exact: true }).waitFor();
  await window.keyboard.press('/');
  await window.locator('input[type=search]:focus').waitFor();
});

test('a change of several incidents is counted, names what was refused, and is undone record by record', async () => {
  const many = [
    aShownFailure({ id: 101, incident_id: 11 }),
    aShownFailure({ id: 104, incident_id: 11, status: 'investigating' }),
    aShownFailure({ id: 105, incident_id: 99 }),
  ];
  const {
    page: window,
    sent,
    nextSent,
    read,
  } = await dashboard.open('/incidents', {
    ...LIST,
    'GET /api/pods/failed?namespace=shop&limit=500': new Reply(200, many, { link: '</api/pods/failed?before=1>; rel="next"' }),
    'GET /api/pods/failed?before=1': [aShownFailure({ id: 106, incident_id: 11 })],
    ...Object.fromEntries([101, 104, 106].map((id) => [`PUT /api/pods/${id}/status`, {}])),
    'PUT /api/pods/102/status': refuse(409, 'It has recovered'),
  });
  await window.getByLabel('Select web').check();
  await window.getByLabel('Select api').check();
  await window.getByRole('button', { name: 'Resolve' }).click();
  await window.getByText('One incident resolved, 1 not. It has recovered').waitFor();
  assert.equal(
    sent().sort(),
    [101, 102, 104, 106].map((id) => `PUT /api/pods/${id}/status {"status":"resolved"}`),
  );
  assert.ok(read().includes('GET /api/incidents?limit=200&list=active&sort=first_seen&order=desc'), 'the list is loaded again');
  await window.getByRole('region', { name: 'Selected incidents' }).waitFor({ state: 'detached' });
  await window.getByRole('button', { name: 'Undo' }).click();
  await window.getByText('Undone', { exact: true }).waitFor();
  assert.equal(sent().sort(), [
    'PUT /api/pods/101/status {"status":"new"}',
    'PUT /api/pods/104/status {"status":"investigating"}',
    'PUT /api/pods/106/status {"status":"new"}',
  ]);
  // One record stands for all: the others follow.
  await window.getByLabel('Select web').check();
  await window.getByRole('button', { name: 'Investigate' }).click();
  assert.equal(await nextSent(), ['PUT /api/pods/101/status {"status":"investigating"}']);
  await window.getByText('One incident set to investigating').waitFor();
});

test('incidents are suppressed with a reason, after a count of what it hides', async () => {
  const {
    page: window,
    shows,
    sent,
  } = await dashboard.open('/incidents', {
    ...LIST,
    'GET /api/pods/failed/101': aShownFailure(),
    'GET /api/pods/failed/102': aShownFailure({ id: 102, pod_name: 'api-0', namespace: 'back', failure_reason: 'OOMKilled' }),
    'POST /api/suppressions/preview': { newly_hidden: 600 },
    'POST /api/suppressions': (body: { reason: string; match: { namespaces: string[] } }) => ({
      name: `${body.match.namespaces.join()}-1`,
    }),
    'DELETE /api/suppressions/shop-1': new Reply(204),
    'DELETE /api/suppressions/back-1': new Reply(204),
  });
  await window.getByLabel('Select web').check();
  await window.getByLabel('Select api').check();
  await window.getByRole('button', { name: 'Suppress…' }).click();
  const dialog = window.getByRole('dialog', { name: 'Suppress 2 incidents' });
  await shows('Hides 1,200 open failures now, and those of the same kind that come.');
  assert.equal(await dialog.getByLabel('Hide for').locator('option').allTextContents(), ['A day', 'A week', '30 days']);
  assert.is(await dialog.getByLabel('Hide for').inputValue(), String(7 * 86_400));
  const button = dialog.getByRole('button', { name: 'Suppress' });
  for (const [text, isReady] of [
    ['', false],
    ['no', false],
    ['  no  ', false],
    ['yes', true],
  ] as const) {
    await dialog.getByLabel('Why').fill(text);
    assert.is(await button.isEnabled(), isReady, text);
  }
  await dialog.getByLabel('Why').fill(' a known fault ');
  await dialog.getByLabel('Ticket').fill('OPS-7');
  await dialog.getByLabel('Hide for').selectOption('A day');
  await shows('Hides 1,200 open failures now');
  sent();
  await button.click();
  await window.getByText('2 incidents suppressed').waitFor();
  const bodies = sent().map((line) => JSON.parse(line.replace('POST /api/suppressions ', '')) as Record<string, unknown>);
  assert.equal(
    bodies.map(({ reason, ticket, ttl_seconds }) => [reason, ticket, ttl_seconds]),
    [
      ['a known fault', 'OPS-7', 86_400],
      ['a known fault', 'OPS-7', 86_400],
    ],
  );
  assert.equal(bodies.map(({ match }) => (match as Record<string, string[]>)['failure_reasons']?.join() ?? '').sort(), [
    'CrashLoopBackOff',
    'OOMKilled',
  ]);
  await dialog.waitFor({ state: 'detached' });
  await window.getByRole('button', { name: 'Undo' }).click();
  await window.getByText('Undone', { exact: true }).waitFor();
  assert.equal(sent().sort(), ['DELETE /api/suppressions/back-1', 'DELETE /api/suppressions/shop-1']);
});

test('rows stay while a person works in the list; new and gone ones wait for a click and are announced', async () => {
  const { page: window, shows, answer, tell } = await dashboard.open('/incidents', LIST);
  await window.getByLabel('Select web').check();
  const fresh = anIncident({ id: 20, workload: { kind: 'Deployment', name: 'new-one' }, reason: 'Evicted' });
  answer({ 'GET /api/incidents': incidentPage([fresh, { ...web, restarts: 1201 }, api]) });
  tell({ type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'batch' } });
  const shown = await shows('button "1 new, 1 gone"', 'New incident: new-one, Evicted', 'No longer in this list', '1,201 restarts');
  assert.not.match(shown, 'Select new-one');
  assert.is(
    await window
      .locator('.incident[data-gone]')
      .innerText()
      .then((text) => text.includes('batch')),
    true,
  );
  await window.getByLabel('Select batch').check();
  assert.is(await window.getByRole('region', { name: 'Selected incidents' }).getByRole('status').innerText(), 'One selected');
  await window.getByRole('button', { name: '1 new, 1 gone' }).click();
  await window.getByLabel('Select new-one').waitFor();
  assert.equal(await textsOf(window.locator('.incident bdi[title^=Deploy], .incident bdi[title^=Stateful]')), ['new-one', 'web', 'api']);
});

test('a view of the list is named, opened, replaced and deleted', async () => {
  const { page: window, shows, address } = await dashboard.open('/incidents?reason=OOMKilled', LIST);
  const menu = window.getByRole('button', { name: 'Saved views' });
  await menu.click();
  await window.getByRole('menuitem', { name: 'Save this view…' }).click();
  const dialog = window.getByRole('dialog', { name: 'Save this view' });
  await dialog.getByLabel('Name').fill('  ');
  await window.keyboard.press('Enter');
  await dialog.getByLabel('Name').fill(' memory ');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await shows('View “memory” saved in this browser');
  assert.is(await menu.innerText(), 'memory');
  await window.getByRole('button', { name: 'Clear filters' }).click();
  await until(async () => (await menu.innerText()) === 'Views', { what: 'no view' });
  await menu.click();
  assert.equal(await textsOf(window.getByRole('menuitem')), ['memory', 'Save this view…']);
  await window.getByRole('menuitem', { name: 'Save this view…' }).click();
  await dialog.getByLabel('Name').fill('Memory');
  await dialog.getByRole('button', { name: 'Replace “memory”' }).waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  await menu.click();
  await window.getByRole('menuitem', { name: 'memory' }).click();
  await until(() => address() === '?reason=OOMKilled', { what: () => address() });
  await menu.click();
  assert.equal(await textsOf(window.getByRole('menuitem')), ['memory', 'Delete “memory”']);
  assert.is(await window.getByRole('menuitem', { name: 'memory', exact: true }).getAttribute('aria-current'), 'true');
  await window.getByRole('menuitem', { name: 'Delete' }).click();
  await shows('View “memory” deleted');
  await window.getByRole('button', { name: 'Undo' }).click();
  await until(async () => (await menu.innerText()) === 'memory', { what: 'the view again' });
});

test('a person with the role read sees who may change what', async () => {
  const { page: window } = await dashboard.open('/incidents', LIST, 'read');
  await window.getByLabel('Select web').check();
  const buttons = window.getByRole('region', { name: 'Selected incidents' }).getByRole('button');
  for (const name of ['Investigate', 'Set to new', 'Resolve', 'Dismiss', 'Assign…', 'Suppress…']) {
    const button = buttons.filter({ hasText: name });
    assert.ok(await button.isDisabled(), name);
    assert.is(await button.getAttribute('title'), 'Your role is read. This can be done by: write, admin.', name);
  }
  await window.keyboard.press('a');
  assert.is(await window.getByRole('menu').count(), 0);
});

test('more rows are loaded before the end is reached, and an error of the server can be tried again', async () => {
  const all = Array.from({ length: 45 }, (_, index) =>
    anIncident({ id: 900 - index, workload: { kind: 'Deployment', name: `w${index}` } }),
  );
  const next = { link: '</api/incidents?before=x>; rel="next"' };
  const {
    page: window,
    read,
    shows,
    answer,
  } = await dashboard.open('/incidents', {
    'GET /api/incidents': new Reply(200, { ...incidentPage(all), total: 1045 }, next),
    'GET /api/incidents?before=x': { ...incidentPage([anIncident({ id: 3 })]), total: 1045 },
  });
  await shows('1,045 incidents');
  await until(() => read().includes('GET /api/incidents?before=x'), { what: 'the next page' });
  assert.is(
    await window
      .locator('.incident')
      .count()
      .then((count) => count < 30),
    true,
  );
  answer({ 'GET /api/incidents': refuse(500, 'It is broken') });
  const broken = await dashboard.open('/incidents', { 'GET /api/incidents': refuse(400, 'It is not allowed') });
  await broken.shows('alert', 'It is not allowed', 'button "Try again"');
  broken.answer(LIST);
  await window.getByRole('button', { name: 'Try again' }).click();
  await broken.shows('3 incidents');
});

if (chromium) test.run();
