import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../../src/contract/finding.ts';
import { minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { type Answers, cannedDashboard, marksOf, refuse, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The screen of findings with given answers.

const chromium = chromiumFor('findings with given answers');
const test = suite('findings with given answers');
const dashboard = cannedDashboard(test, chromium);

const finding = (id: number, over: Partial<Finding> = {}): Finding => ({
  ...{
    id,
    cluster: 'harbour',
    resource_type: 'Deployment',
    resource_name: 'web',
    namespace: 'shop',
    check_name: 'privileged',
    source: 'podmend',
  },
  ...{
    severity: 'critical',
    message: 'It is `privileged`.',
    remediation: 'Set **it**.',
    details: { title: 'Privileged', container: 'app' },
    status: 'open',
  },
  ...{ first_seen: minutesAgo(60), last_seen: minutesAgo(1), timestamp: minutesAgo(60), resolved_at: null, suppressed_by: null },
  ...over,
});
const FULL = finding(9, {
  status: 'reopened',
  details: {
    ...{
      title: 'Privileged',
      container: 'app',
      field_paths: ['spec.a'],
      rationale: 'It owns the `node`.',
      enforced_by: ['policy a', 'policy b'],
      may_be_refused_by: ['hook'],
    },
    ...{
      frameworks: { pod_security: 'baseline', cis: ['5.2.2'] },
      references: ['https://example.org/x', 'javascript:x'],
      fix: [
        { path: 'spec.a', from: true, to: false },
        { path: 'spec.b', from: 1, to: null },
      ],
    },
    ...{ seen_by: ['x', 'y'] },
  },
});
const ALL = [
  FULL,
  finding(8, { details: { title: 'Privileged', container: 'side' } }),
  finding(7, {
    resource_name: 'api',
    resource_type: 'StatefulSet',
    check_name: 'no-limits',
    severity: 'low',
    status: 'reopened',
    details: { title: 'No limits', enforced_by: ['policy'] },
  }),
  finding(6, { namespace: 'kube-system', resource_name: 'proxy' }),
  finding(5, { resource_name: 'old', severity: 'info', check_name: 'tag', details: {} }),
];
const SCANNER = { id: 'scanner', name: 'Scanner', state: 'ok', says: 'It looks.', mend: null };
const ABOUT = { version: '1', cluster: 'c', parts: [SCANNER] };
const ANSWERS: Answers = { 'GET /api/security/findings': ALL, 'GET /api/about': ABOUT };

test('findings stand by workload, the worst first; kube namespaces are folded, and what only informs is hidden', async () => {
  const { page, shows, address, read } = await dashboard.open('/security', ANSWERS);
  await shows('4 findings, 2 resources', 'button "Close all"', 'button "New" [disabled]');
  const list = page.getByRole('list', { name: 'Findings' });
  const items = () => textsOf(list.getByRole('listitem'));
  assert.equal(await items(), [
    'Deployment web shop 2 critical',
    'Critical Privileged side, app 1 h',
    'StatefulSet api shop 1 low',
    'Low No limits Reopened Enforced 1 h',
    'One finding in kube-*, which whoever runs the cluster owns',
  ]);
  assert.equal(await marksOf(list, 'tone'), ['bad: Critical', 'plain: Low', 'unsure: Reopened', 'plain: Enforced']);
  assert.equal(await marksOf(list, 'severity'), ['critical: 2 criticalC', 'low: 1 lowL']);
  assert.ok(read().includes('GET /api/security/findings?limit=1000'));
  await page.getByRole('button', { name: 'Close all' }).click();
  await page.getByRole('button', { name: 'Open all' }).waitFor();
  assert.is((await items()).length, 3);
  await list.getByRole('button', { name: 'web' }).click();
  assert.is((await items()).length, 4);
  await list.getByRole('button', { name: 'kube-*' }).click();
  await until(() => address() === '?kube=yes', { what: () => address() });
  await until(async () => (await items()).includes('Deployment proxy kube-system 1 critical'), { what: 'the folded ones' });
  await page.getByText('By check', { exact: true }).click();
  await until(() => address() === '?kube=yes&by=check', { what: () => address() });
  await shows('Privileged privileged 2 critical');
  assert.equal((await items()).slice(0, 3), [
    'Privileged privileged 2 critical',
    'Critical Deployment web shop side, app 1 h',
    'No limits no-limits 1 low',
  ]);
});

test('each filter stands in the address, and one button takes all away but the list', async () => {
  const { page, shows, address } = await dashboard.open('/security', ANSWERS);
  await shows('4 findings');
  const options = (name: string) => page.getByRole('combobox', { name, exact: true }).locator('option').allTextContents();
  assert.equal(await options('Check'), ['Any check', 'No limits', 'Privileged', 'tag']);
  assert.equal(await options('Framework'), [
    'Any framework',
    'Pod Security baseline',
    'Pod Security restricted',
    'NSA/CISA hardening guide',
    'CIS Benchmark',
    'MITRE ATT&CK',
  ]);
  const severities = page.getByRole('group', { name: 'Severities' }).getByRole('button');
  assert.equal(await textsOf(severities), ['Critical 3', 'High 0', 'Medium 0', 'Low 1', 'Info 1', 'New']);
  assert.equal(await marksOf(page.getByRole('group', { name: 'Severities' }), 'zero'), ['true: 0', 'true: 0']);
  assert.equal(await severities.evaluateAll((all: { ariaPressed: string }[]) => all.map(({ ariaPressed }) => ariaPressed)), [
    'true',
    'true',
    'true',
    'true',
    'false',
    'false',
  ]);
  await page.getByRole('combobox', { name: 'Check' }).selectOption('no-limits');
  await shows('1 finding, 1 resource');
  await page.getByRole('combobox', { name: 'Framework' }).selectOption('cis');
  await shows('Nothing here matches', 'Clear the filters, or look through another list.');
  await severities.filter({ hasText: 'Low' }).click();
  await page.getByLabel('Search findings').fill('web');
  await until(() => address() === '?check=no-limits&framework=cis&severity=critical,high,medium&q=web', { what: () => address() });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await until(() => address() === '', { what: () => address() });
  await page.getByText('Dismissed', { exact: true }).click();
  await until(() => address() === '?status=dismissed', { what: () => address() });
});

test('an empty list says what is not there, and whether anything looks', async () => {
  for (const [search, parts, texts] of [
    ['', [SCANNER], ['No findings', 'The scanner watches, and nothing that the checks look for is there.']],
    [
      '',
      [{ ...SCANNER, state: 'down', says: 'It is gone.', mend: 'Start `it`.' }],
      ['Nothing was reported, and no scanner looks now.', 'No scanner is there', 'It is gone.'],
    ],
    ['', [], ['Nothing was reported. Whether a scanner looks now is not known.']],
    ['?status=dismissed', [SCANNER], ['Nothing is dismissed', 'A finding that somebody dismisses is kept here until it is restored.']],
    ['?status=suppressed', [SCANNER], ['Nothing is suppressed', 'What a Suppression hides is kept here.']],
    ['?status=resolved', [SCANNER], ['Nothing has been resolved yet', 'A finding comes here when the scanner finds it no more.']],
  ] as const) {
    const { shows } = await dashboard.open(`/security${search}`, {
      'GET /api/security/findings': [],
      'GET /api/about': { ...ABOUT, parts },
    });
    await shows(...texts);
  }
  const { page, shows, address } = await dashboard.open('/security', { ...ANSWERS, 'GET /api/security/findings': ALL.slice(4) });
  await shows('No findings');
  await page.getByRole('button', { name: 'Show one that only informs' }).click();
  await until(() => address() === '?severity=info', { what: () => address() });
  await shows('1 finding, 1 resource');
});

test('one finding says what, where, why, what to do, and who enforces it', async () => {
  const { page, shows, address } = await dashboard.open('/security', ANSWERS);
  await page.getByRole('list', { name: 'Findings' }).getByRole('button', { name: 'Privileged' }).click();
  await until(() => address() === '?open=8', { what: () => address() });
  const panel = page.getByRole('complementary', { name: 'Finding' });
  await shows('radio "side" [checked]', 'radio "app"', 'button "Dismiss all 2"');
  await panel.getByText('app', { exact: true }).click();
  await until(() => address() === '?open=9', { what: () => address() });
  await panel.getByText('It owns the').waitFor();
  assert.is(
    await textOf(panel),
    'Critical Reopened Privileged Deployment web in shop side app Dismiss all 2 Suppress… What was found It is privileged. spec.a seen by x, y ' +
      'Already enforced A new pod like this is refused today by policy a, policy b. What runs stays. It may be refused by hook. ' +
      'Why it matters It owns the node. What to do Set it. Patch spec.a true → false spec.b 1 → removed Get the patch ' +
      'References Pod Security baseline CIS Benchmark 5.2.2 example.org/x first seen 1 hour ago privileged Copy the link',
  );
  const [severity, state, enforced = ''] = await marksOf(panel, 'tone');
  assert.equal([severity, state, enforced.slice(0, 23)], ['bad: Critical', 'unsure: Reopened', 'plain: Already enforced']);
  assert.is(await panel.getByRole('link', { name: 'web' }).getAttribute('href'), '/graphs?namespace=shop&workload=Deployment%2Fshop%2Fweb');
  await panel.getByRole('button', { name: 'Copy the link' }).click();
  await panel.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), page.url());
  await page.keyboard.press('Escape');
  await panel.waitFor({ state: 'detached' });
  await until(() => page.evaluate<boolean>(`document.activeElement?.textContent === 'Privileged'`), { what: 'the focus on the row' });
  const role = finding(4, {
    resource_type: 'ClusterRole',
    resource_name: 'r',
    namespace: 'cluster-wide',
    source: 'other',
    message: '',
    remediation: '',
    details: { may_be_refused_by: ['hook'] },
  });
  const other = await dashboard.open('/security?open=4', { ...ANSWERS, 'GET /api/security/findings': [role] });
  await other.shows(
    'link "Escalation paths"',
    'reported by other',
    'May be enforced',
    'in the whole cluster',
    'No single field cures it.',
    'button "Propose a correction"',
  );
});

test('a finding that the list lacks is looked for in every state', async () => {
  for (const [over, text] of [
    [{ status: 'resolved' }, 'Critical Resolved Privileged Deployment web in shop What was found'],
    [{ status: 'dismissed' }, 'Critical Dismissed Privileged Deployment web in shop Restore What was found'],
    [{ suppressed_by: 'known' }, 'Critical Suppressed by known Privileged Deployment web in shop Dismiss What was found'],
  ] as const) {
    const { page, read } = await dashboard.open('/security?open=3', {
      ...ANSWERS,
      'GET /api/security/findings?before=4&limit=1': [],
      'GET /api/security/findings?status=dismissed&before=4&limit=1': [finding(2)],
      'GET /api/security/findings?status=suppressed&before=4&limit=1': [],
      'GET /api/security/findings?status=resolved&before=4&limit=1': [finding(3, over)],
    });
    const panel = page.getByRole('complementary', { name: 'Finding' });
    await panel.getByRole('heading', { name: 'Privileged' }).waitFor();
    assert.ok((await textOf(panel)).startsWith(text), await textOf(panel));
    assert.is(new Set(read().filter((path) => path.includes('before=4'))).size, 4);
  }
  const { shows } = await dashboard.open('/security?open=3', { 'GET /api/security/findings': [], 'GET /api/about': ABOUT });
  await shows('Finding not found', 'It was resolved long ago, or its resource is gone.');
});

test('the findings of a row are dismissed together and brought back, and one is suppressed as far as somebody wants', async () => {
  const { page, shows, sent, nextSent, answer, readAgain } = await dashboard.open('/security?open=9', {
    ...ANSWERS,
    ...Object.fromEntries(
      [8, 9].flatMap((id) => [
        [`DELETE /api/security/findings/${id}`, finding(id)],
        [`PUT /api/security/findings/${id}/restore`, finding(id)],
      ]),
    ),
    'POST /api/suppressions/preview': { newly_hidden: 99, newly_hidden_findings: 1 },
    'POST /api/suppressions': { name: 'new-one' },
    'DELETE /api/suppressions/new-one': new Reply(204),
  });
  await page.getByRole('button', { name: 'Suppress…' }).click();
  await shows('Hides one finding now, and those of the same kind that come.');
  const form = page.getByRole('form', { name: 'Suppress' });
  assert.equal(await form.getByLabel('What').locator('option').allTextContents(), ['This check in shop', 'This check everywhere']);
  answer({ 'POST /api/suppressions/preview': { newly_hidden: 99, newly_hidden_findings: 1200 } });
  await form.getByLabel('What').selectOption('This check everywhere');
  await shows('Hides 1,200 findings now');
  await form.getByLabel('Why').fill('known');
  sent();
  await form.getByRole('button', { name: 'Suppress' }).click();
  assert.equal(await nextSent(), ['POST /api/suppressions {"reason":"known","ttl_seconds":604800,"match":{"checks":["privileged"]}}']);
  await shows('Privileged: suppressed');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await nextSent(), ['DELETE /api/suppressions/new-one']);
  answer({ 'GET /api/security/findings': ALL.slice(2) });
  await page.getByRole('button', { name: 'Dismiss all 2' }).click();
  await shows('Privileged on 2 containers: dismissed');
  assert.equal(sent().sort(), ['DELETE /api/security/findings/8', 'DELETE /api/security/findings/9']);
  await readAgain('/api/security/findings?limit=1000');
  answer({ 'GET /api/security/findings': ALL });
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await until(() => sent().sort().join() === 'PUT /api/security/findings/8/restore,PUT /api/security/findings/9/restore', {
    what: 'both restored',
  });
});

test('a correction is shown in each form, with what it was written by', async () => {
  const fix = {
    finding_id: 9,
    fixed_manifest: 'a: 1\n',
    patch: [{}],
    diff: '@@ -1 +1 @@\n-a\n+b\n',
    command: 'kubectl patch x',
    note: 'It `restarts`.',
    explanation: 'So.',
    is_fallback: true,
  };
  const { page, shows, sent } = await dashboard.open('/security?open=9', { ...ANSWERS, 'POST /api/security/findings/9/fix': fix });
  await page.getByRole('button', { name: 'Get the patch' }).click();
  await shows('radio "kubectl patch" [checked]', 'radio "Diff"', 'radio "YAML"');
  assert.equal(sent(), ['POST /api/security/findings/9/fix']);
  const section = page.getByRole('region', { name: 'Patch' });
  assert.is(await textOf(section), 'Patch kubectl patch Diff YAML Copy kubectl patch x It restarts.');
  await section.getByText('Diff', { exact: true }).click();
  await page.getByRole('region', { name: 'Change of the manifest' }).waitFor();
  await section.getByText('YAML', { exact: true }).click();
  assert.is(await section.locator('pre').innerText(), 'a: 1\n');
  for (const [over, text] of [
    [{ command: '', diff: '', patch: [] }, 'Patch So.'],
    [
      { diff: '', patch: [], note: '', is_fallback: false },
      'Patch kubectl patch Copy kubectl patch x So. Written by the language model. Check it before you act on it.',
    ],
  ] as const) {
    await dashboard.open('/security?open=9', { ...ANSWERS, 'POST /api/security/findings/9/fix': { ...fix, ...over } });
    await page.getByRole('button', { name: 'Get the patch' }).click();
    await until(async () => (await textOf(section)) === text, { what: text });
  }
  const refused = await dashboard.open('/security?open=9', { ...ANSWERS, 'POST /api/security/findings/9/fix': refuse(409, 'It is gone') });
  await page.getByRole('button', { name: 'Get the patch' }).click();
  await refused.shows('It is gone', 'button "Try again"');
});

test('a scan is requested, and its progress is told', async () => {
  const { page, shows, tell, nextSent, answer } = await dashboard.open('/security', { ...ANSWERS, 'POST /api/security/rescan': {} });
  await shows('4 findings', 'status "Changes appear by themselves": Live');
  await page.getByRole('button', { name: 'Rescan' }).click();
  assert.equal(await nextSent(), ['POST /api/security/rescan {}']);
  const status = (state: 'requested' | 'started' | 'completed' | 'failed', reason = '') =>
    tell({ type: 'security_rescan_status', data: { status: state, reason } });
  status('requested');
  await shows('Waiting for the scanner…');
  status('started');
  await shows('Scanning…');
  answer({ 'GET /api/security/findings': [finding(30, { resource_name: 'fresh' }), ...ALL] });
  tell({ type: 'security_finding', data: finding(30, { resource_name: 'fresh' }) });
  await shows('Scanning… one change', 'fresh');
  status('completed');
  await until(async () => (await textOf(page.getByRole('main'))).includes('Scanned just now, one change'), { what: 'the end of the scan' });
  status('failed', 'no rights');
  await shows('The scan failed: no rights');
  status('completed');
  await until(async () => (await textOf(page.getByRole('main'))).includes('Scanned just now, nothing changed'), {
    what: 'the end of the next scan',
  });
  const reader = await dashboard.open('/security?open=9', ANSWERS, 'read');
  await reader.shows(
    'button "Rescan" [disabled]',
    'button "Dismiss all 2" [disabled]',
    'button "Suppress…" [disabled]',
    'button "Get the patch" [disabled]',
  );
});

test('what came since the last visit is marked and can be shown alone', async () => {
  const { page, shows, address } = await dashboard.open('/security', ANSWERS);
  await shows('4 findings');
  await page.evaluate(`localStorage.setItem('visit:findings:7', JSON.stringify({ since: 1, seen: 8, at: Date.now() - 31 * 60000 }))`);
  await page.reload();
  await shows('button "New 1"');
  assert.equal(
    (await textsOf(page.getByRole('list', { name: 'Findings' }).getByRole('listitem'))).filter((text) => text.includes('New')).length,
    1,
  );
  await page.getByRole('button', { name: 'New 1' }).click();
  await until(() => address() === '?new=yes', { what: () => address() });
  await shows('1 finding, 1 resource');
});

test('findings are exported as they are filtered', async () => {
  const { page } = await dashboard.open('/security?check=privileged&q=web&namespace=shop', ANSWERS);
  await page.getByRole('button', { name: 'Export' }).click();
  const items = page.getByRole('menuitem');
  await items.first().waitFor();
  assert.equal(await textsOf(items), ['CSV, as filtered', 'JSON, as filtered', 'OpenReports, of any severity']);
  assert.is(await items.nth(2).getAttribute('href'), '/api/security/findings?check=privileged&q=web&namespace=shop&format=openreports');
  const [file] = await Promise.all([page.waitForEvent('download'), items.first().click()]);
  assert.match(file.suggestedFilename(), /^findings-\d{4}-\d\d-\d\d\.csv$/);
  await page.getByRole('button', { name: 'Export' }).click();
  const [other] = await Promise.all([page.waitForEvent('download'), items.nth(1).click()]);
  assert.match(other.suggestedFilename(), /\.json$/);
});

test('trusted registries are a list of their own', async () => {
  const { page, shows, nextSent, address, readAgain } = await dashboard.open('/security', {
    ...ANSWERS,
    'GET /api/security/trusted-registries': [{ registry: 'r.example/x', source: 'api', created_at: minutesAgo(5) }],
    'POST /api/security/trusted-registries': {},
    'DELETE /api/security/trusted-registries/r.example%2Fx': new Reply(204),
  });
  await page.getByRole('button', { name: 'Trusted registries' }).click();
  await until(() => address() === '?registries=yes', { what: () => address() });
  await shows(
    'dialog "Trusted registries"',
    'Images from them are no finding of the check untrusted-registry. The scanner judges all images again after a change.',
  );
  await page.getByLabel('Trust: registry').fill('new.example');
  await page.getByRole('button', { name: 'Trust', exact: true }).click();
  assert.equal(await nextSent(), ['POST /api/security/trusted-registries {"registry":"new.example"}']);
  await readAgain('/api/security/trusted-registries');
  await page.getByRole('button', { name: 'Trust no more' }).click();
  await page.getByRole('button', { name: 'Trust no more: r.example/x' }).click();
  assert.equal(await nextSent(), ['DELETE /api/security/trusted-registries/r.example%2Fx']);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await until(() => address() === '', { what: () => address() });
  const reader = await dashboard.open('/security?registries=yes', ANSWERS, 'read');
  await reader.shows('Your role is read. They can be seen by: write, admin.');
});

if (chromium) test.run();
