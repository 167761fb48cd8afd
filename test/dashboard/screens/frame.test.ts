import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph, GraphNode } from '../../../src/contract/graph.ts';
import { anIncident, aShownFailure, incidentPage, minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { type Answers, cannedDashboard, marksOf, refuse, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The frame around all screens, and graphs, with given answers.

const chromium = chromiumFor('the frame and graphs with given answers');
const test = suite('the frame and graphs');
const dashboard = cannedDashboard(test, chromium);

const EMPTY: Answers = { 'GET /api/history/workloads': { days: 30, total: 0, workloads: [] } };

/** The screens of an administrator, in the order of the menu. */
const SCREENS = [
  'Overview',
  'Incidents',
  'Mirrors',
  'Graphs',
  'Advice',
  'Security',
  'Access',
  'Suppressions',
  'Notifications',
  'History',
  'Admin',
];

test('the frame names the screens, the cluster, the connection and the user', async () => {
  const { page, shows } = await dashboard.open('/history', {
    ...EMPTY,
    'GET /api/diagram/namespaces': { namespaces: ['shop', 'back'], failing: {} },
  });
  await shows('status "Changes appear by themselves": Live', 'button "Account of eve"');
  assert.equal(await textsOf(page.getByRole('navigation', { name: 'Screens' }).first().getByRole('link')), ['Podmend', ...SCREENS]);
  assert.is(await page.getByTitle('The cluster that Podmend watches: harbour').count(), 1);
  await page.getByRole('button', { name: 'Account of eve' }).click();
  await shows(
    'eve',
    ', role write',
    'menuitemradio "Light"',
    'menuitemradio "Dark"',
    'menuitemradio "As the system" [checked]',
    'menuitem "The API"',
    'Podmend 1.2.3',
  );
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor({ state: 'attached' });
  await page.keyboard.press('Escape');
  await page.getByRole('combobox', { name: 'Namespace' }).click();
  assert.equal(await textsOf(page.getByRole('option')), ['back', 'shop']);
  await page.getByRole('option', { name: 'shop' }).click();
  await until(() => page.url().endsWith('/history?namespace=shop'), { what: () => page.url() });
  await page.getByRole('link', { name: 'Admin' }).first().waitFor();
  assert.ok((await page.getByRole('link', { name: 'Graphs' }).first().getAttribute('href'))?.endsWith('?namespace=shop'));
  await page.locator('button[aria-label="All namespaces"]').click();
  await until(() => page.url().endsWith('/history'), { what: () => page.url() });
});

test('the palette goes to screens, their places and incidents, and runs commands', async () => {
  const { page, read } = await dashboard.open('/history', {
    ...EMPTY,
    'GET /api/incidents': incidentPage([anIncident({ cause: 'It crashes' })]),
    'GET /api/access/paths': { total: 0, paths: [] },
    'GET /api/pods/failed/101': refuse(404, 'gone'),
  });
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  const options = dialog.getByRole('option');
  await options.first().waitFor();
  assert.equal(await textsOf(options), [
    ...SCREENS.map((name) => `${name} Screen`),
    ...[
      'Can … reach …? Graphs',
      'Roles and whom they reach Graphs',
      'Findings that are new Security',
      'Critical findings Security',
      'Trusted registries Security',
    ],
    ...['Escalation paths Access', 'Who can …? Access', 'What can … do? Access'],
    ...['Light colours', 'Dark colours', 'Colours as the system', 'Keyboard shortcuts ?', 'The API /docs', 'Log out'],
  ]);
  const chosen = () => textOf(dialog.locator('[role=option][aria-selected=true]'));
  assert.is(await chosen(), 'Overview Screen');
  for (const [key, name] of [
    ['ArrowDown', 'Incidents Screen'],
    ['End', 'Log out'],
    ['ArrowDown', 'Overview Screen'],
    ['ArrowUp', 'Log out'],
    ['Home', 'Overview Screen'],
  ] as const) {
    await page.keyboard.press(key);
    await until(async () => (await chosen()) === name, { what: `${key}: ${name}` });
  }
  await page.keyboard.type('crash');
  await options.filter({ hasText: 'web: It crashes' }).waitFor();
  assert.equal(await textsOf(options), ['web: It crashes shop']);
  assert.ok(read().includes('GET /api/incidents?q=crash&limit=8'));
  await page.keyboard.press('Enter');
  await until(() => page.url().endsWith('/incidents/101'), { what: () => page.url() });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('who can');
  await until(async () => (await chosen()) === 'Who can …? Access', { what: 'the place' });
  await page.keyboard.press('Enter');
  await until(() => page.url().endsWith('/access?ask=who-can'), { what: () => page.url() });
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  assert.is(await help.locator('dl > div').count(), 12);
  assert.is(await textOf(help.locator('dl > div').first()), 'Ctrl K Go to a screen or an incident, or do something');
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
});

test('an address that leads nowhere leads home; an ended session leads to the login; a logout is sent', async () => {
  const { page, shows } = await dashboard.open('/nothing');
  await shows(
    'heading "Not found"',
    'Nothing is at this address. It may have been deleted, or the link is incomplete.',
    'link "Go to the overview"',
  );
  for (const id of ['0', '01', 'x', '99999999999999999']) {
    const gone = await dashboard.open(`/incidents/${id}`);
    await gone.shows('heading "Not found"');
    assert.equal(
      gone.read().filter((path) => path.includes('failed')),
      [],
    );
  }
  const out = await dashboard.open('/history', {
    ...EMPTY,
    'POST /api/auth/logout': new Reply(204),
    'POST /api/auth/login': refuse(401, 'Wrong name or password'),
  });
  await page.getByRole('button', { name: 'Account of eve' }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await out.shows('heading "Log in to Podmend"', 'See why pods fail and how to correct them.');
  assert.equal(out.sent(), ['POST /api/auth/logout']);
  await page.getByLabel('Username').fill('eve');
  await page.locator('input[name=password]').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await out.shows('Wrong name or password');
  assert.equal(out.sent(), ['POST /api/auth/login {"username":"eve","password":"wrong"}']);
  assert.equal([await page.getByLabel('Username').inputValue(), await page.locator('input[name=password]').inputValue()], ['eve', '']);
  out.answer({ 'POST /api/auth/login': refuse(429, 'Too many attempts', { 'retry-after': '60' }) });
  await page.locator('input[name=password]').fill('wrong');
  await page.getByRole('button', { name: 'Log in' }).click();
  await out.shows('Too many attempts', 'Try again in');
  assert.is(await page.locator('input[name=password]').inputValue(), 'wrong', 'it was not checked');
  const ended = await dashboard.open('/history', { 'GET /api/history/workloads': refuse(401, 'no session') });
  await ended.shows('Your session has ended. Log in to go on.');
});

const node = (id: string, over: Partial<GraphNode> = {}): GraphNode => {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  return { id, kind, namespace, name, status: 'healthy', ...over };
};
const edge = (source: string, kind: string, target: string) => ({ id: `${source}|${kind}|${target}`, source, kind, target });
const [web, set, pod, settings] = ['Deployment/shop/web', 'ReplicaSet/shop/web-1', 'Pod/shop/web-1-a', 'ConfigMap/shop/settings'] as const;
const GRAPH: Graph = {
  nodes: [
    node(web, { metadata: { ready_replicas: 1 } }),
    node(set),
    node(pod, { status: 'failing', metadata: { reason: 'OOMKilled', failure_id: 101 } }),
    node(settings, { status: 'missing' }),
    node('ServiceAccount/shop/web'),
    node('Node/cluster-wide/n1'),
  ],
  edges: [edge(web, 'owns', set), edge(set, 'owns', pod), edge(pod, 'mounts', settings), edge(pod, 'uses', 'ServiceAccount/shop/web')],
  groups: [{ id: `owner/${web}`, label: 'web', members: [web, set, pod] }],
};
const SHOP: Answers = {
  'GET /api/diagram/namespace/shop': GRAPH,
  'GET /api/pods/failed/101': aShownFailure({
    events: [{ type: 'Warning', reason: 'BackOff', message: 'again', timestamp: minutesAgo(3) }],
  }),
};

test('a graph as a list begins with what is wrong, and its panel says everything about a node', async () => {
  const { page, shows, address, read, answer } = await dashboard.open('/graphs?namespace=shop&as=list', SHOP);
  await shows('1 failing', '1 missing', '3 healthy');
  assert.equal(await textsOf(page.getByRole('row')), [
    'Name Status Connections',
    'Pod web-1-a Failing: OOMKilled mounts ConfigMap settings (missing) ReplicaSet web-1 owns it uses ServiceAccount web',
    'ConfigMap settings Missing Pod web-1-a mounts it',
    'Deployment web Healthy owns ReplicaSet web-1',
    'ReplicaSet web-1 Healthy owns Pod web-1-a Deployment web owns it',
    'ServiceAccount web Healthy Pod web-1-a uses it',
  ]);
  assert.equal(await marksOf(page.getByRole('main'), 'status'), [
    ...['failing: 1 failing', 'missing: 1 missing', 'healthy: 3 healthy', 'failing: Failing: OOMKilled', 'missing: Missing'],
    ...['healthy: Healthy', 'healthy: Healthy', 'healthy: Healthy'],
  ]);
  await page.getByRole('button', { name: 'Pod web-1-a' }).click();
  await until(() => address() === `?namespace=shop&as=list&node=${pod}`, { what: () => address() });
  const panel = page.getByRole('complementary', { name: 'Pod web-1-a' });
  await panel.getByText('again').waitFor();
  assert.is(
    await textOf(panel),
    'Pod web-1-a Failing: OOMKilled Open the incident Only neighbours What can it reach? namespace shop Connections ' +
      'mounts → ConfigMap settings (missing) ← owns ReplicaSet web-1 uses → ServiceAccount web Events BackOff 3 minutes ago again Manifest Show',
  );
  assert.equal(await marksOf(panel, 'status'), [
    ...['failing: Failing: OOMKilled', 'missing: ConfigMap settings (missing)', 'healthy: ReplicaSet web-1', 'healthy: ServiceAccount web'],
  ]);
  answer({ 'GET /api/diagram/manifest/shop/Pod/web-1-a': 'kind: Pod\n' });
  await panel.getByRole('button', { name: 'Show', exact: true }).click();
  await shows('region "Manifest of Pod web-1-a"', 'button "Hide"');
  await panel.getByRole('button', { name: 'Only neighbours' }).click();
  await until(async () => (await page.getByRole('row').count()) === 5, { what: 'the neighbours' });
  assert.ok(address().endsWith('&near=1'));
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  assert.is(address(), '?namespace=shop&as=list');
  for (const [id, title, actions, text] of [
    [web, 'Deployment web', ['Only neighbours', 'Fold', 'Only this workload'], 'ready replicas 1'],
    [settings, 'ConfigMap settings', ['Only neighbours'], 'It does not exist, so it has no manifest.'],
    ['ServiceAccount/shop/web', 'ServiceAccount web', ['Only neighbours'], 'What can it do?'],
  ] as const) {
    await dashboard.open(`/graphs?namespace=shop&as=list&node=${encodeURIComponent(id)}`, SHOP);
    const one = page.getByRole('complementary', { name: title });
    await one.waitFor();
    for (const action of actions) assert.is(await one.getByRole('button', { name: action }).count(), 1, `${action} of ${id}`);
    assert.ok((await textOf(one)).includes(text), await textOf(one));
  }
  assert.ok(read().every((path) => !path.includes('expand')));
});

test('a node without a manifest says why, and of many connections the first ones are shown', async () => {
  const many = Array.from({ length: 42 }, (_, index) => node(`Pod/shop/web-${String(index).padStart(2, '0')}`));
  const nodes = [
    node('Secret/shop/login'),
    node('Group/shop/all'),
    node('Permission/shop/p'),
    node('Subject:User/cluster-wide/ann'),
    node('Subject:Group/cluster-wide/dev'),
    node('Subject:ServiceAccount/shop/web'),
    node('Service/shop/web'),
    ...many,
  ];
  const edges = [...many].map(({ id }) => edge('Service/shop/web', 'selects', id));
  const answers: Answers = {
    'GET /api/diagram/namespace/shop': { nodes, edges, groups: [] },
    'GET /api/pods/failed/101': SHOP['GET /api/pods/failed/101'],
  };
  const person = 'Kubernetes keeps no objects for people and groups.';
  for (const [id, title, text, can] of [
    ['Secret/shop/login', 'Secret login', 'Podmend shows no Secrets.', false],
    ['Group/shop/all', 'Group all', 'A group of objects has no manifest.', false],
    ['Permission/shop/p', 'Permission p', 'It stands in the manifest of its role.', false],
    ['Subject:User/cluster-wide/ann', 'User ann', person, true],
    ['Subject:Group/cluster-wide/dev', 'Group dev', person, true],
    ['Subject:ServiceAccount/shop/web', 'ServiceAccount web', undefined, true],
  ] as const) {
    const { page } = await dashboard.open(`/graphs?namespace=shop&as=list&all=1&node=${encodeURIComponent(id)}`, answers);
    const manifest = page.getByRole('complementary', { name: title }).getByRole('region', { name: 'Manifest' });
    assert.is(await textOf(manifest), `Manifest ${text ?? 'Show'}`, id);
    assert.is(await page.getByRole('link', { name: 'What can it do?' }).count(), can ? 1 : 0, id);
  }
  const { page } = await dashboard.open('/graphs?namespace=shop&as=list&node=Service/shop/web', answers);
  await page.getByRole('row', { name: 'Service web' }).getByText('and 38 more').waitFor();
  const connections = page.getByRole('region', { name: 'Connections' });
  assert.is(await connections.getByRole('listitem').count(), 40);
  await connections.getByRole('button', { name: 'Show all 42' }).click();
  await until(async () => (await connections.getByRole('listitem').count()) === 42, { what: 'all connections' });
  await connections.getByRole('button', { name: 'Show all' }).waitFor({ state: 'detached' });
});

test('a graph is searched, folded and limited in the address, and each of these is undone by a click', async () => {
  const { page, shows, address, read } = await dashboard.open('/graphs?namespace=shop&as=list', {
    ...SHOP,
    'GET /api/diagram/workload/shop/Deployment/web': GRAPH,
  });
  await page.getByLabel('Search the graph').fill('oom');
  await shows('1 of 5 found');
  await page.getByLabel('Search the graph').fill('');
  await until(() => address() === '?namespace=shop&as=list', { what: () => address() });
  await page.getByLabel('Show what every pod has').check();
  await until(async () => (await page.getByRole('row').count()) === 7, { what: 'the node' });
  await page.getByRole('button', { name: 'Deployment web' }).click();
  await page.getByRole('button', { name: 'Fold', exact: true }).click();
  await shows('button "Folded: web: undo"', 'and 2 folded', 'button "Expand"', '2 folded of web.');
  await page.getByRole('button', { name: 'Folded: web: undo' }).click();
  await page.getByRole('button', { name: 'Fold', exact: true }).click();
  await page.getByRole('button', { name: 'Expand' }).click();
  await page.getByRole('button', { name: 'Only this workload' }).click();
  await shows('button "Only Deployment web: undo"');
  assert.ok(read().includes('GET /api/diagram/workload/shop/Deployment/web'));
  await page.getByRole('button', { name: 'Only Deployment web: undo' }).click();
  await until(() => !address().includes('workload='), { what: () => address() });
  await page.getByRole('button', { name: 'Export' }).click();
  assert.equal(await textsOf(page.getByRole('menuitem')), ['Copy as Mermaid', 'Save as SVG', 'Save as PNG']);
  await shows('menuitem "Save as SVG" [disabled]');
  const gone = await dashboard.open('/graphs?namespace=shop&as=list&node=Pod/shop/old', {
    ...SHOP,
    'GET /api/diagram/namespace/shop': { ...GRAPH, missing_rights: ['list x', 'list y'] },
  });
  await gone.shows(
    'Pod old is not in this graph: it may have been deleted, or belong to another namespace.',
    'Podmend may not list x, list y: the graph lacks what these would show. An administrator can grant it.',
  );
  await page.getByRole('button', { name: 'Show the graph' }).click();
  await until(() => gone.address() === '?namespace=shop&as=list', { what: () => gone.address() });
  const empty = await dashboard.open('/graphs?namespace=shop', { 'GET /api/diagram/namespace/shop': { nodes: [], edges: [], groups: [] } });
  await empty.shows('Nothing is here', 'As soon as there are workloads in this namespace, they are drawn here.');
});

test('a drawn graph is saved as a picture, and copied as text', async () => {
  const { page, shows, read } = await dashboard.open('/graphs?namespace=shop', SHOP);
  await page.locator('[data-layout=elk], [data-layout=dagre]').waitFor();
  await shows('button "Export"');
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Save as SVG' }).click()]);
  assert.is(file.suggestedFilename(), 'graph-shop.svg');
  await shows('graph-shop.svg is saved');
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Copy as Mermaid' }).click();
  await until(() => read().includes('GET /api/diagram/namespace/shop?format=mermaid'), { what: 'the text' });
});

test('who reaches whom is asked on the graph of the network, and roles are chosen from a list', async () => {
  const answer = {
    reach: 'refused',
    why: 'A policy refuses it',
    egress: { reach: 'allowed', restricted_by: [], allowed_by: [] },
    ingress: { reach: 'refused', restricted_by: ['shop/deny'], allowed_by: [] },
  };
  const { page, shows, address, read } = await dashboard.open('/graphs?graph=network&namespace=shop&as=list', {
    ...SHOP,
    'GET /api/access/can-reach': answer,
  });
  const form = page.getByRole('form', { name: 'Can … reach …' });
  const ask = form.getByRole('button', { name: 'Ask' });
  assert.ok(await ask.isDisabled());
  await form.getByLabel('From pod').fill('web');
  await form.getByLabel('To pod').fill('back/db');
  await form.getByLabel('Port').fill('54321');
  await ask.click();
  await shows(
    'A policy refuses it.',
    'Sending: no NetworkPolicy restricts it.',
    'Receiving: restricted by shop/deny; none has a rule for the other end.',
  );
  assert.equal(await marksOf(page.getByRole('main'), 'reach'), ['refused: A policy refuses it.']);
  assert.ok(read().includes('GET /api/access/can-reach?from=shop%2Fweb&to=back%2Fdb&port=54321'));
  assert.is(address(), '?graph=network&namespace=shop&as=list&from=web&to=back/db&port=54321');
  assert.equal((await textsOf(page.getByRole('row'))).length, 2, 'only the pod takes part');
  const roles = {
    cluster_roles: [{ name: 'admin' }],
    roles: [
      { namespace: 'shop', name: 'r' },
      { namespace: 'back', name: 'other' },
    ],
    missing_rights: ['list roles'],
  };
  const list = await dashboard.open('/graphs?graph=roles&namespace=shop', {
    'GET /api/diagram/roles': roles,
    'GET /api/diagram/role/shop/r': GRAPH,
  });
  await list.shows('Podmend may not list roles: the list lacks something.');
  await page.getByRole('combobox', { name: 'Role' }).click();
  assert.equal(await textsOf(page.getByRole('option')), ['r', 'admin']);
  await page.getByRole('option', { name: 'r', exact: true }).click();
  await until(() => list.address() === '?graph=roles&namespace=shop&role=Role/shop/r', { what: () => list.address() });
  const everywhere = await dashboard.open('/graphs?graph=roles', { 'GET /api/diagram/roles': roles });
  await page.getByRole('combobox', { name: 'Role' }).click();
  assert.equal(await textsOf(page.getByRole('option')), ['shop/r', 'back/other', 'admin']);
  assert.ok(everywhere.read().includes('GET /api/diagram/roles'));
  const none = await dashboard.open('/graphs?graph=roles&namespace=shop', { 'GET /api/diagram/roles': { cluster_roles: [], roles: [] } });
  await none.shows('There are no roles here', 'Choose another namespace in the bar above.');
  const choose = await dashboard.open('/graphs', {
    'GET /api/diagram/namespaces': { namespaces: ['a', 'b', 'c'], failing: { c: 2, b: 1200 } },
  });
  await choose.shows('A graph shows one namespace. Choose one, here or in the bar above.');
  assert.equal(await textsOf(page.getByRole('region', { name: 'Namespaces' }).getByRole('button')), [
    'b 1,200 failing',
    'c 2 failing',
    'a',
  ]);
  assert.equal(await marksOf(page.getByRole('region', { name: 'Namespaces' }), 'status'), ['failing: 1,200 failing', 'failing: 2 failing']);
});

if (chromium) test.run();
