import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Advice } from '../../../src/contract/advice.ts';
import type { SuppressionRecord } from '../../../src/contract/suppression.ts';
import { inMinutes, minutesAgo, NOW_MS } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { type Answers, cannedDashboard, marksOf, refuse, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// Suppressions and advice with given answers.

const chromium = chromiumFor('Suppressions and advice with given answers');
const test = suite('Suppressions and advice on the screen');
const dashboard = cannedDashboard(test, chromium);

const DAY = 24 * 60;
const suppression = (over: Partial<SuppressionRecord> = {}): SuppressionRecord => ({
  ...{
    name: 's-1',
    namespace: 'podmend',
    reason: 'a known fault',
    owner: 'bob',
    ticket: 'https://tickets.example/7',
    expires_at: inMinutes(9 * DAY),
  },
  ...{ suspend: false, active: true, active_reason: 'InEffect', matched_failures: 1, matched_findings: 2, last_matched_at: minutesAgo(9) },
  ...{ match: { namespaces: ['shop'], failure_reasons: ['OOMKilled'] }, source: 'api', created_at: minutesAgo(99) },
  ...over,
});
const LISTS: Answers = { 'GET /api/suppressions': [], 'GET /api/admin/excluded-namespaces': [], 'GET /api/admin/excluded-pods': [] };
const ALL = [
  suppression(),
  suppression({
    name: 's-2',
    reason: 'soon over',
    expires_at: inMinutes(DAY),
    owner: null,
    ticket: 'OPS-7',
    match: { pods: ['canary-*'] },
    source: 'kubectl',
  }),
  suppression({
    name: 's-3',
    reason: 'never used',
    expires_at: null,
    ticket: null,
    matched_failures: 0,
    matched_findings: 0,
    last_matched_at: null,
    match: { namespaces: ['a'] },
    source: 'Argo CD',
  }),
  suppression({
    name: 's-4',
    reason: 'over',
    active: false,
    active_reason: 'Expired',
    expires_at: minutesAgo(130),
    matched_findings: 1,
    match: { checks: ['untrusted-registry'], images: ['x'] },
  }),
  suppression({
    name: 's-5',
    reason: 'paused',
    active: false,
    active_reason: 'Suspended',
    expires_at: null,
    match: { label_selector: { match_labels: { app: 'web' } } },
  }),
];

test('each Suppression says what it hides, how much, until when and who owns it', async () => {
  const { page, shows, address } = await dashboard.open('/suppressions', { ...LISTS, 'GET /api/suppressions': ALL });
  await shows(
    'radio "All 5" [checked]',
    'radio "In effect 3"',
    'radio "Unused 1"',
    'radio "Ends soon 1"',
    'radio "No effect 2"',
    '/url: https://tickets.example/7',
  );
  const rows = page.getByRole('list', { name: 'Suppressions' }).locator('> li');
  assert.equal(await textsOf(rows), [
    'In effect a known fault namespaces shop reasons OOMKilled hides 1 failure, 2 findings last 9 minutes ago ends in 9 days by bob https://tickets.example/7 made here podmend/s-1 Extend End',
    'Ends soon soon over excluded pod pods canary-* hides 1 failure, 2 findings last 9 minutes ago ends tomorrow OPS-7 made with kubectl podmend/s-2 Extend End',
    'Unused never used excluded namespace namespaces a hides 0 failures, 0 findings no end by bob managed by Argo CD podmend/s-3 Extend End',
    'Expired over trusted registry images x checks untrusted-registry hides 1 failure, 1 finding last 9 minutes ago ended 2 hours ago by bob https://tickets.example/7 made here podmend/s-4 Extend End',
    'Suspended paused labels app=web hides 1 failure, 2 findings last 9 minutes ago no end by bob https://tickets.example/7 made here podmend/s-5 Extend End',
  ]);
  assert.equal(await marksOf(rows, 'tone'), [
    'good: In effect',
    'unsure: Ends soon',
    'plain: Unused',
    'plain: Expired',
    'plain: Suspended',
  ]);
  const button = (index: number, name: string) => rows.nth(index).getByRole('button', { name, exact: true });
  assert.is(await button(1, 'Extend').getAttribute('title'), 'It was made with kubectl. Change it there.');
  assert.is(await button(2, 'Extend').getAttribute('title'), 'Argo CD owns it: what changes here, it would undo. Change it there.');
  assert.is(await button(2, 'End').getAttribute('title'), 'Argo CD owns it: what changes here, it would undo. End it there.');
  assert.equal(
    [
      await button(0, 'Extend').isDisabled(),
      await button(1, 'Extend').isDisabled(),
      await button(1, 'End').isDisabled(),
      await button(2, 'End').isDisabled(),
    ],
    [false, true, false, true],
  );
  for (const [name, show, reasons] of [
    ['In effect 3', '?show=active', 3],
    ['Unused 1', '?show=unused', 1],
    ['Ends soon 1', '?show=expiring', 1],
    ['No effect 2', '?show=ended', 2],
    ['All 5', '', 5],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    await until(async () => address() === show && (await rows.count()) === reasons, { what: name });
  }
  const none = await dashboard.open('/suppressions?show=unused', { ...LISTS });
  await none.shows(
    'None of these',
    'Choose All to see the others.',
    'None.',
    'link "Trusted registries"',
    '/url: /security?registries=yes',
  );
});

test('a Suppression is extended and ended, and ending it can be undone where it would be the same', async () => {
  const { page, nextSent, shows, sent, readAgain } = await dashboard.open('/suppressions', {
    ...LISTS,
    'GET /api/suppressions': ALL,
    'POST /api/suppressions': {},
    ...Object.fromEntries(['s-1', 's-2', 's-4'].map((name) => [`DELETE /api/suppressions/${name}`, new Reply(204)])),
  });
  const rows = page.getByRole('list', { name: 'Suppressions' }).locator('> li');
  const items = page.getByRole('menuitem');
  for (const [name, days] of [
    ['One day more', 10],
    ['Seven days more', 16],
    ['30 days more', 39],
    ['No end', undefined],
  ] as const) {
    await rows.first().getByRole('button', { name: 'Extend' }).click();
    await items.first().waitFor();
    assert.equal(await textsOf(items), ['One day more', 'Seven days more', '30 days more', 'No end']);
    await items.filter({ hasText: name }).click();
    const [line = ''] = await nextSent();
    const { expires_at, ...body } = JSON.parse(line.replace('POST /api/suppressions ', '')) as { expires_at?: string };
    assert.equal(body, { reason: 'a known fault', owner: 'bob', ticket: 'https://tickets.example/7', match: ALL[0]?.match });
    assert.is(expires_at && Math.round((Date.parse(expires_at) - NOW_MS) / 86_400_000), days);
    await items.first().waitFor({ state: 'detached' });
  }
  await rows.first().getByRole('button', { name: 'End', exact: true }).click();
  await shows('a known fault: ended');
  assert.equal(sent(), ['DELETE /api/suppressions/s-1']);
  await readAgain('/api/suppressions');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.match((await nextSent())[0] ?? '', /^POST \/api\/suppressions \{"reason":"a known fault","owner":"bob",.*"expires_at"/);
  for (const index of [1, 3]) {
    await rows.nth(index).getByRole('button', { name: 'End', exact: true }).click();
    await page.keyboard.press('Escape');
    await rows.nth(index).getByRole('button', { name: 'End', exact: true }).click();
    await rows.nth(index).getByRole('button', { name: 'End it: show what it hides' }).click();
    assert.equal(await nextSent(), [`DELETE /api/suppressions/s-${index + 1}`]);
  }
});

test('a new Suppression shows what it would hide before it can be saved', async () => {
  const would = {
    ...{ name: 'n', matched_failures: 2, newly_hidden: 1, matched_findings: 30, newly_hidden_findings: 1 },
    failures: [{ id: 1, namespace: 'shop', pod_name: 'web-1', failure_reason: 'Error', suppressed_by: null }],
    findings: [
      {
        id: 1,
        namespace: 'shop',
        resource_type: 'Pod',
        resource_name: 'web-1',
        check_name: 'privileged',
        severity: 'high',
        suppressed_by: null,
      },
    ],
  };
  const { page, shows, sent, answer, address } = await dashboard.open('/suppressions', {
    ...LISTS,
    'POST /api/suppressions/preview': would,
    'POST /api/suppressions': {},
  });
  await shows('Nothing is suppressed', 'Every failure, finding and piece of advice is shown.');
  await page.getByRole('button', { name: 'New Suppression' }).click();
  assert.is(address(), '?add=yes');
  const form = page.getByRole('form', { name: 'New Suppression' });
  assert.ok(await page.getByRole('button', { name: 'New Suppression' }).isDisabled());
  await shows('radio "7 days" [checked]', 'radio "No end"', 'radio "1 day"', 'radio "30 days"', 'radio "90 days"');
  for (const [label, value] of [
    ['Why', ' known '],
    ['Namespaces', 'shop, back shop'],
    ['Pods', 'web-*'],
    ['Reasons of failures', 'Error'],
    ['Images', 'x/*'],
    ['Security checks and advice', 'privileged'],
    ['Ticket', ' OPS-7 '],
  ] as const)
    await form.getByLabel(label).fill(value);
  await form.getByText('30 days', { exact: true }).click();
  await form.getByRole('button', { name: 'What would this hide?' }).click();
  await shows('It would hide 2 failures and 30 findings', '30 of them are hidden already.', 'button "Save"');
  assert.equal(await textsOf(page.getByRole('list', { name: 'What it would hide' }).getByRole('listitem')), [
    ...['web-1 in shop: Error', 'Pod web-1 in shop: privileged, high', 'and 30 more'],
  ]);
  const body =
    '{"reason":"known","ticket":"OPS-7","ttl_seconds":2592000,"match":{"namespaces":["shop","back"],"pods":["web-*"],"failure_reasons":["Error"],"images":["x/*"],"checks":["privileged"]}}';
  assert.equal(sent(), [`POST /api/suppressions/preview ${body}`]);
  // Another match must be looked at first.
  await form.getByLabel('Pods').fill('api-*');
  answer({
    'POST /api/suppressions/preview': {
      ...would,
      matched_failures: 1,
      newly_hidden: 1,
      matched_findings: 0,
      newly_hidden_findings: 0,
      findings: [],
    },
  });
  await form.getByRole('button', { name: 'What would this hide?' }).click();
  const shown = await shows('It would hide 1 failure', 'button "Save"');
  assert.not.ok(shown.includes('hidden already'));
  await form.getByText('No end', { exact: true }).click();
  answer({
    'POST /api/suppressions/preview': {
      ...would,
      matched_failures: 0,
      newly_hidden: 0,
      matched_findings: 0,
      newly_hidden_findings: 0,
      failures: [],
      findings: [],
    },
  });
  await form.getByRole('button', { name: 'What would this hide?' }).click();
  await shows('Now it would hide nothing', 'It hides what comes later and matches.');
  sent();
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  assert.equal(sent(), [`POST /api/suppressions ${body.replace('web-*', 'api-*').replace('"ttl_seconds":2592000,', '')}`]);
  await until(() => page.evaluate<boolean>(`document.activeElement?.textContent === 'New Suppression'`), {
    what: 'the focus on the button',
  });
  await page.getByRole('button', { name: 'New Suppression' }).click();
  assert.is(await form.getByLabel('Pods').inputValue(), '');
  await form.getByRole('button', { name: 'Discard' }).click();
  await form.waitFor({ state: 'detached' });
});

test('excluded namespaces and pods are lists of their own', async () => {
  const entry = (over: object) => ({ source: 'api', created_at: minutesAgo(5), ...over });
  const { page, shows, nextSent, readAgain } = await dashboard.open('/suppressions', {
    ...LISTS,
    'GET /api/admin/excluded-namespaces': [
      entry({ namespace: 'a b' }),
      entry({ namespace: 'git', source: 'Flux' }),
      entry({ namespace: 'k', source: 'kubectl' }),
    ],
    'DELETE /api/admin/excluded-namespaces/a%20b': new Reply(204),
    'POST /api/admin/excluded-pods': {},
  });
  const region = (name: string) => page.getByRole('region', { name });
  await shows('Nothing in them is shown.', 'Pods of these names are not shown, in any namespace.');
  assert.is(
    await textOf(region('Excluded namespaces')),
    'Excluded namespaces Nothing in them is shown. a b 5 minutes ago Include again git managed by Flux, 5 minutes ago Include again k 5 minutes ago Include again Exclude',
  );
  const buttons = region('Excluded namespaces').getByRole('button', { name: 'Include again' });
  assert.equal(
    [await buttons.nth(0).isDisabled(), await buttons.nth(1).isDisabled(), await buttons.nth(2).isDisabled()],
    [false, true, false],
  );
  assert.is(await buttons.nth(1).getAttribute('title'), 'Flux owns it. Change it there.');
  await buttons.first().click();
  await page.getByRole('button', { name: 'Include again: a b' }).click();
  assert.equal(await nextSent(), ['DELETE /api/admin/excluded-namespaces/a%20b']);
  await readAgain('/api/admin/excluded-namespaces');
  await region('Excluded pods').getByLabel('Exclude: pod name').fill(' canary-* ');
  await region('Excluded pods').getByRole('button', { name: 'Exclude' }).click();
  assert.equal(await nextSent(), ['POST /api/admin/excluded-pods {"pod_name":"canary-*"}']);
  await readAgain('/api/admin/excluded-pods');
  await until(async () => (await region('Excluded pods').getByLabel('Exclude: pod name').inputValue()) === '', { what: 'an empty field' });
  const reader = await dashboard.open('/suppressions', LISTS, 'read');
  await reader.shows(
    'Suppressions are not shown to your role',
    'Your role is read. They can be seen by: write, admin. A hidden failure says itself what hides it.',
  );
});

const advice = (over: Partial<Advice> = {}): Advice => ({
  ...{ id: 1, detector_id: 'limits', severity: 'high', category: 'resources', title: 'No memory limit', summary: 'It used `90Mi`.' },
  ...{
    resource_kind: 'Deployment',
    resource_name: 'web',
    namespace: 'shop',
    evidence: { used_mi: 90, pods: ['a', 'b'] },
    recommended_change: 'Set **one**.',
  },
  ...{
    explanation: null,
    is_fallback: false,
    status: 'open',
    ignored_reason: null,
    ignored_by: null,
    ignored_at: null,
    suppressed_by: null,
    created_at: minutesAgo(60),
  },
  ...over,
});
const detector = (id: string, enabled: boolean) => ({ id, title: `Title of ${id}`, category: 'resources', severity: 'high', enabled });
const ADVICE: Answers = {
  'GET /api/advice/findings': [
    advice(),
    advice({ id: 2, title: 'One replica', severity: 'low', category: 'availability' }),
    advice({ id: 3, resource_name: 'api', namespace: 'back' }),
  ],
  'GET /api/advice/detectors': [detector('limits', true), detector('probes', false), detector('hosts', false)],
};

test('advice of the same title stands together, and opens with its evidence and its change', async () => {
  const { page, shows, nextSent, address, read, readAgain } = await dashboard.open('/advice', {
    ...ADVICE,
    'POST /api/advice/findings/2/explain': {},
    'PUT /api/advice/findings/2/ignore': refuse(409, 'Not now'),
  });
  await shows(
    '2 of 3 detectors are off somewhere, because what they need may not be read: Title of probes, Title of hosts.',
    'paragraph: "3"',
  );
  const rows = page.getByRole('list', { name: 'Advice' }).locator('> li');
  assert.equal(await textsOf(rows), [
    'High No memory limit 2 workloads resources Deployment web shop · 1 hour ago Ignore Deployment api back · 1 hour ago Ignore',
    'Low One replica Deployment web shop availability 1 hour ago Ignore',
  ]);
  assert.equal(await marksOf(rows, 'tone'), ['bad: High', 'plain: Low']);
  assert.ok(read().includes('GET /api/advice/findings?sort=severity&limit=50'));
  const title = page.getByRole('button', { name: 'One replica' });
  assert.is(await title.getAttribute('aria-expanded'), 'false');
  await title.click();
  await until(() => address() === '?open=2', { what: () => address() });
  assert.ok(
    (await textOf(rows.nth(1))).endsWith('Ignore It used 90Mi. What was seen used mi 90 pods a, b What to change Set one. Explain'),
    await textOf(rows.nth(1)),
  );
  await page.getByRole('button', { name: 'Explain' }).click();
  assert.equal(await nextSent(), ['POST /api/advice/findings/2/explain']);
  await readAgain('/api/advice/findings?sort=severity&limit=50');
  await rows.nth(1).getByRole('button', { name: 'Ignore' }).click();
  const form = page.getByRole('form', { name: 'Ignore this advice' });
  await form.getByLabel('Why is it fine as it is?').fill(' it is a test ');
  await form.getByRole('button', { name: 'Ignore it' }).click();
  assert.equal(await nextSent(), ['PUT /api/advice/findings/2/ignore {"reason":"it is a test"}']);
  await shows('Not now');
  assert.is(await form.getByLabel('Why is it fine as it is?').inputValue(), ' it is a test ', 'a refused reason stays');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await form.waitFor({ state: 'detached' });
  await title.click();
  await until(() => address() === '', { what: () => address() });
});

test('advice that is not open says why, and who wrote an explanation', async () => {
  const list = [
    advice({
      status: 'ignored',
      ignored_by: 'bob',
      ignored_at: minutesAgo(3),
      ignored_reason: 'a test',
      explanation: 'Because.',
      is_fallback: true,
    }),
    advice({ id: 2, title: 'Two', suppressed_by: 'known', explanation: 'So.' }),
  ];
  const { page, shows, nextSent, readAgain } = await dashboard.open('/advice?open=1', {
    ...ADVICE,
    'GET /api/advice/findings': list,
    'PUT /api/advice/findings/1/restore': {},
  });
  await shows('ignored by bob', 'hidden by known', 'Written by rules.', 'button "Explain again"');
  const rows = page.getByRole('list', { name: 'Advice' }).locator('> li');
  assert.ok((await textOf(rows.first())).includes('ignored by bob 3 minutes ago: a test Restore'));
  await page.getByRole('button', { name: 'Restore' }).click();
  assert.equal(await nextSent(), ['PUT /api/advice/findings/1/restore']);
  await readAgain('/api/advice/findings?sort=severity&limit=50');
  await page.getByRole('button', { name: 'Two' }).click();
  const shown = await shows('Written by the language model. Check it before you act on it.');
  assert.not.ok(shown.includes('Explain again'));
});

test('advice is filtered in the address; an empty list says who looks', async () => {
  const { page, address, read } = await dashboard.open('/advice?open=1&namespace=shop', {
    ...ADVICE,
    'GET /api/advice/findings': new Reply(200, [advice()], { link: '</api/advice/findings?before=1>; rel="next"' }),
    'GET /api/advice/findings?before=1': [advice({ id: 9, title: 'Older' })],
  });
  await page.getByText('1+', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('button', { name: 'Older' }).waitFor();
  const options = (name: string) => page.getByRole('combobox', { name, exact: true }).locator('option').allTextContents();
  assert.equal(await options('Severity'), ['Any severity', 'Critical', 'High', 'Medium', 'Low', 'Info']);
  assert.equal(await options('Detector'), ['Any detector', 'Title of limits', 'Title of probes', 'Title of hosts']);
  await page.getByLabel('Severity').selectOption('low');
  await page.getByLabel('Detector').selectOption('probes');
  await page.getByLabel('Search advice').fill('web');
  await page.getByText('Ignored', { exact: true }).click();
  await until(
    () =>
      address() === '?namespace=shop&severity=low&detector=probes&status=ignored&q=web' ||
      address() === '?namespace=shop&severity=low&detector=probes&q=web&status=ignored',
    { what: () => address() },
  );
  await until(
    () => read().some((path) => path.includes('namespace=shop&status=ignored&severity=low&detector=probes&q=web&sort=severity&limit=50')),
    { what: 'the request' },
  );
  for (const [path, title, text] of [
    ['/advice?q=x', 'Nothing here matches', 'Change what is shown, or the namespace in the bar above.'],
    ['/advice', 'There is no advice', '3 detectors look for what could fail, each time a workload changes.'],
  ] as const) {
    const empty = await dashboard.open(path, { ...ADVICE, 'GET /api/advice/findings': [] });
    await empty.shows(title, text, 'radio "Open"', 'radio "Suppressed"', 'radio "Resolved"');
  }
  const reader = await dashboard.open('/advice', ADVICE, 'read');
  await reader.shows('button "Ignore" [disabled]');
});

if (chromium) test.run();
