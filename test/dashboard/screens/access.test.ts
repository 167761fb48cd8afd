import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EscalationPaths, Rights, Through, WhoCan } from '../../../src/contract/access.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { cannedDashboard, marksOf, refuse, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The screen of access rights with given answers.

const chromium = chromiumFor('access with given answers');
const test = suite('access on the screen');
const dashboard = cannedDashboard(test, chromium);

const account = { kind: 'ServiceAccount', namespace: 'shop', name: 'web' } as const;
const group: Through['subject'] = { kind: 'Group', name: 'dev' };
const through = (over: Partial<Through> = {}): Through => ({
  binding: { kind: 'RoleBinding', namespace: 'shop', name: 'b' },
  role: { kind: 'Role', namespace: 'shop', name: 'r' },
  subject: account,
  ...over,
});
const step = (as: string, does: string, by: Through[] = [through()]) => ({ as, does, through: by });
const PATHS: EscalationPaths = {
  total: 3,
  paths: [
    {
      subject: account,
      target: 'cluster-admin',
      steps: [
        step('ServiceAccount shop/web', 'creates a pod'),
        step('ServiceAccount shop/web', 'reads its token'),
        step('User ann', 'binds a role', [through({ subject: group })]),
      ],
      ends: [through({ binding: { kind: 'ClusterRoleBinding', name: 'root' }, role: { kind: 'ClusterRole', name: 'cluster-admin' } })],
    },
    { subject: group, target: 'secrets', namespace: 'shop', steps: [step('Group dev', 'reads them')], ends: [] },
    { subject: group, target: 'node', steps: [step('Group dev', 'runs a pod')], ends: [] },
  ],
  cut: { binding: { kind: 'RoleBinding', namespace: 'shop', name: 'b' }, breaks: 2 },
};

test('escalation paths have their steps, what grants them, and the cut that helps most', async () => {
  const { page, shows, address, read } = await dashboard.open('/access', {
    'GET /api/access/paths': { ...PATHS, missing_rights: ['list roles', 'list x'] },
  });
  await shows('3 paths', 'The answer may lack something: Podmend may not list roles, list x.', 'The best cut', '2 of 3 paths are gone.');
  assert.equal(
    [...new Set(read())].filter((path) => path.includes('access')),
    ['GET /api/access/paths?limit=100'],
  );
  const rows = page.getByRole('list', { name: 'Paths' }).locator('> li');
  const heads = await textsOf(rows.getByRole('heading'));
  assert.equal(heads.length, 3);
  for (const [index, words] of [
    [0, ['ServiceAccount shop/web', 'everything, as cluster-admin', '3 steps']],
    [1, ['Group dev', 'the Secrets of namespace shop', '1 step']],
    [2, ['Group dev', 'a node, with every pod on it', '1 step']],
  ] as const)
    for (const word of words) assert.ok(heads[index]?.includes(word), `${word} in ${heads[index]}`);
  assert.equal(await marksOf(rows, 'target'), [
    ...['cluster-admin: everything, as cluster-admin', 'secrets: the Secrets of namespace shop', 'node: a node, with every pod on it'],
  ]);
  assert.equal(
    (await marksOf(page.getByRole('main'), 'tone')).map((mark) => mark.slice(0, 20)),
    ['plain: The best cutW'],
  );
  // The first one is open until somebody chooses.
  assert.equal(await textsOf(rows.first().locator('ol > li')), [
    'ServiceAccount shop/web creates a pod granted by RoleBinding shop/b to Role shop/r reads its token granted by RoleBinding shop/b to Role shop/r',
    'User ann binds a role granted by RoleBinding shop/b to Role shop/r for Group dev',
    'has everything, as cluster-admin held through ClusterRoleBinding root to ClusterRole cluster-admin',
  ]);
  await page.getByRole('button', { name: 'Copy the command' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), 'kubectl delete rolebinding b -n shop');
  await rows.nth(1).getByRole('button').click();
  await until(() => address() === '?open=Group dev > secrets shop' || address() === '?open=Group+dev+>+secrets+shop', {
    what: () => address(),
  });
  assert.is(await rows.first().locator('ol > li').count(), 0);
  await rows.nth(1).getByRole('button').first().click();
  await until(() => address() === '?open=none', { what: () => address() });
  await page.getByText('A node', { exact: true }).click();
  await until(() => address() === '?to=node', { what: () => address() });
  await until(() => read().includes('GET /api/access/paths?to=node&limit=100'), { what: 'the paths to nodes' });
  await shows('radio "Anything"', 'radio "cluster-admin"', 'radio "Secrets"');
  for (const [name, form] of [
    ['Who can …', 'Who can do something'],
    ['What can … do', 'What somebody can do'],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    await page.getByRole('form', { name: form }).waitFor();
  }
  await page.getByText('Escalation paths', { exact: true }).first().click();
  await shows('3 paths');
});

test('paths are limited to a subject and a namespace, and a long list is shown on request', async () => {
  const { page, shows, address, read } = await dashboard.open('/access?kind=User&name=ann&namespace=shop', {
    'GET /api/access/paths': {
      ...PATHS,
      total: 2000,
      cut: { binding: { kind: 'ClusterRoleBinding', name: 'a b' }, breaks: 2000 },
      left_out: 1200,
    },
  });
  await shows('2,000 paths, of the ServiceAccounts of shop', 'all 2,000 paths are gone.', 'of 1,200 subjects not all paths were searched');
  await page.getByRole('button', { name: 'Show more' }).click();
  await until(() => read().includes('GET /api/access/paths?kind=User&name=ann&namespace=shop&limit=1000'), { what: 'more paths' });
  await shows('The first 3 are shown. Choose a namespace or where the path ends to see others.');
  await page.getByRole('button', { name: 'Of everybody, not only User ann' }).click();
  await until(() => address() === '?namespace=shop&most=yes', { what: () => address() });
  for (const [search, answer, text] of [
    ['', { total: 0, paths: [] }, 'Nobody can gain rights that no binding gives them.'],
    ['?namespace=shop', { total: 0, paths: [] }, 'No ServiceAccount of namespace shop can gain rights that no binding gives it.'],
    ['', { ...PATHS, total: 1, paths: PATHS.paths.slice(1, 2), cut: { ...PATHS.cut, breaks: 1 } }, 'the path is gone.'],
    ['', { ...PATHS, total: 1, paths: PATHS.paths.slice(1, 2) }, 'One path'],
  ] as const) {
    const one = await dashboard.open(`/access${search}`, { 'GET /api/access/paths': answer });
    assert.not.match(await one.shows(text), /Show more|are shown\./, 'all are shown');
  }
});

test('who can do something is asked in a sentence, and each subject leads to what else it can do', async () => {
  const answer: WhoCan = {
    subjects: [
      { ...account, through: [through()] },
      { kind: 'Group', name: 'system:masters', through: [] },
    ],
  };
  const { page, shows, address, read } = await dashboard.open('/access?ask=who-can&namespace=shop', { 'GET /api/access/who-can': answer });
  await shows(
    'list "Questions to begin with"',
    'Who can get secrets in shop?',
    'Who can create pods/exec in shop?',
    'Who can create serviceaccounts/token in shop?',
    'Who can bind clusterroles.rbac.authorization.k8s.io in shop?',
  );
  const form = page.getByRole('form', { name: 'Who can do something' });
  await form.getByRole('combobox', { name: 'Verb' }).fill(' get ');
  await form.getByRole('combobox', { name: 'Resource' }).fill(' pods/log ');
  await form.getByLabel('Name of the object').fill(' web ');
  assert.is(await form.getByLabel('In namespace').inputValue(), 'shop');
  await form.getByRole('button', { name: 'Ask' }).click();
  await shows('2 subjects can.', 'The API server asks its members nothing.');
  assert.is(address(), '?ask=who-can&namespace=shop&verb=get&resource=pods/log&object=web');
  assert.ok(read().includes('GET /api/access/who-can?verb=get&resource=pods%2Flog&name=web&namespace=shop'));
  assert.equal(await textsOf(page.getByRole('list', { name: 'Who can do it' }).locator('> li')), [
    'ServiceAccount shop/web granted by RoleBinding shop/b to Role shop/r',
    'Group system:masters The API server asks its members nothing.',
  ]);
  const hrefs = await page
    .getByRole('list', { name: 'Who can do it' })
    .getByRole('link')
    .evaluateAll((all: { getAttribute(name: string): string }[]) => all.map((one) => decodeURIComponent(one.getAttribute('href'))));
  assert.equal(
    hrefs.map((href) =>
      [...new URL(href, 'http://x').searchParams]
        .map((pair) => pair.join('='))
        .sort()
        .join(' '),
    ),
    [
      'ask=rights kind=ServiceAccount name=web namespace=shop',
      'graph=roles namespace=shop role=Role/shop/r',
      'ask=rights kind=Group name=system:masters',
    ],
  );
  await form.getByRole('combobox', { name: 'Resource' }).fill('/healthz');
  assert.is(await form.getByLabel('Name of the object').count(), 0);
  await form.getByRole('button', { name: 'Ask' }).click();
  await until(() => read().includes('GET /api/access/who-can?verb=get&path=%2Fhealthz'), { what: 'the question about a path' });
  const one = await dashboard.open('/access?ask=who-can&verb=get&resource=x', {
    'GET /api/access/who-can': { subjects: answer.subjects.slice(0, 1) },
  });
  await one.shows('One subject can.');
  const none = await dashboard.open('/access?ask=who-can&verb=get&resource=x', { 'GET /api/access/who-can': { subjects: [] } });
  await none.shows('Nobody', 'No binding lets anybody do it.');
  const everywhere = await dashboard.open('/access?ask=who-can', {});
  await everywhere.shows('Who can get secrets in the whole cluster?');
  const asked = everywhere.page.getByRole('form', { name: 'Who can do something' });
  await asked.getByRole('combobox', { name: 'Verb' }).fill('get');
  await asked.getByRole('combobox', { name: 'Resource' }).fill('pods');
  everywhere.answer({ 'GET /api/access/who-can': refuse(403, 'Not you') });
  await asked.getByRole('button', { name: 'Ask' }).click();
  await everywhere.shows('alert', 'Not you');
  assert.is(everywhere.address(), '?ask=who-can&verb=get&resource=pods');
  assert.is(await everywhere.page.locator('.mantine-Skeleton-root').count(), 0, 'nothing is awaited after a refusal');
});

test('what somebody can do is asked in a sentence, and answered binding by binding', async () => {
  const right = (over: object) => ({
    namespace: 'shop',
    verbs: ['get'],
    api_groups: [''],
    resources: ['pods'],
    resource_names: [],
    non_resource_urls: [],
    through: through(),
    ...over,
  });
  const answer = {
    rights: [
      right({ namespace: '*', through: through({ binding: { kind: 'ClusterRoleBinding', name: 'g' }, subject: group }) }),
      right({}),
      right({ verbs: ['*'], api_groups: ['apps', ''], resources: ['*'] }),
    ],
  } as unknown as Rights;
  const { page, shows, address, read } = await dashboard.open('/access?ask=rights', { 'GET /api/access/rights': answer });
  const form = page.getByRole('form', { name: 'What somebody can do' });
  assert.equal(await form.getByLabel('Kind').locator('option').allTextContents(), ['ServiceAccount', 'User', 'Group']);
  await form.getByLabel('Name', { exact: true }).fill(' web ');
  await form.getByLabel('Of namespace').fill('shop');
  await form.getByRole('button', { name: 'Ask' }).click();
  await shows('Which paths begin at it?');
  assert.ok(
    (await textOf(page.getByRole('region', { name: 'What can' }))).includes('ServiceAccount shop/web has rights through 2 bindings.'),
  );
  assert.equal(await textsOf(page.getByRole('list', { name: 'Its rights' }).locator('> li')), [
    'In namespace shop get pods do anything to every resource of apps, the core group granted by RoleBinding shop/b to Role shop/r',
    'In the whole cluster get pods granted by ClusterRoleBinding g to Role shop/r for Group dev',
  ]);
  assert.ok(read().includes('GET /api/access/rights?kind=ServiceAccount&name=web&namespace=shop'));
  await form.getByLabel('Kind').selectOption('User');
  assert.is(await form.getByLabel('Of namespace').count(), 0);
  await form.getByLabel('In groups').fill('dev,ops');
  await form.getByRole('button', { name: 'Ask' }).click();
  await until(() => read().includes('GET /api/access/rights?kind=User&name=web&groups=dev%2Cops'), { what: 'the question about a user' });
  assert.ok(address().includes('kind=User') && address().includes('groups=dev,ops'), address());
  await form.getByLabel('Kind').selectOption('Group');
  await form.getByRole('button', { name: 'Ask' }).click();
  await until(() => read().includes('GET /api/access/rights?kind=Group&name=web'), { what: 'the question about a group' });
  const none = await dashboard.open('/access?ask=rights&kind=User&name=ann', { 'GET /api/access/rights': { rights: [] } });
  await none.shows('No rights', 'No binding names it, or a group that it is in.');
  assert.ok((await textOf(page.getByRole('region', { name: 'What can' }))).includes('User ann can do nothing.'));
  const one = await dashboard.open('/access?ask=rights&kind=User&name=ann', {
    'GET /api/access/rights': { rights: answer.rights.slice(1) },
  });
  await one.shows('has rights through one binding.');
});

if (chromium) test.run();
