import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Evidence } from '../../../src/contract/failure.ts';
import type { MirrorUse, PastMirror } from '../../../src/contract/mirror.ts';
import { aMirrorRecord, anOffer, aTrial, inMinutes, minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { type Answers, cannedDashboard, marksOf, refuse, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The screen of mirrors with given answers.

const chromium = chromiumFor('mirrors with given answers');
const test = suite('mirrors on the screen');
const dashboard = cannedDashboard(test, chromium);

const USE: MirrorUse = {
  ...{ enabled: true, live: 3, limit: 10, limit_per_namespace: 4, limit_per_incident: 2 },
  namespaces: [
    { namespace: 'shop', live: 2 },
    { namespace: 'back', live: 1 },
  ],
};
const past = (over: Partial<PastMirror> = {}): PastMirror => ({
  ...aTrial({ started_at: minutesAgo(30), ended_at: null }),
  ...{ id: 1, pod_id: 101, source_pod_name: 'web-1', namespace: 'shop', workload: null, failure_reason: 'OOMKilled' },
  ...{ failure_status: 'new', is_open: true },
  ...over,
});
const evidence = { window_seconds: 38, ready_since: null, strength: 'Weak', weaknesses: ['the load'] } as unknown as Evidence;
const ANSWERS: Answers = { 'GET /api/mirror/limits': USE, 'GET /api/mirror/active': [], 'GET /api/mirror/past': [] };

test('the limits, the running mirrors and the past ones are shown, of one namespace where one is chosen', async () => {
  const refused = {
    type: 'Validated',
    status: 'False',
    reason: 'R',
    message: 'The image is not allowed.',
    last_transition_time: minutesAgo(1),
  };
  const mirrors = [
    aMirrorRecord({ evidence, expires_at: inMinutes(2) }),
    aMirrorRecord({
      mirror_id: 'b',
      namespace: 'back',
      source_pod_name: 'api-0',
      pod_id: null,
      status: 'Pending',
      expires_at: null,
      mirror_pod_name: '',
    }),
    aMirrorRecord({ mirror_id: 'c', verdict: 'Fixed', evidence, expires_at: minutesAgo(1) }),
    aMirrorRecord({ mirror_id: 'd', status: 'Rejected', conditions: [{ ...refused, status: 'True', message: 'no' }, refused] }),
  ];
  const { page, shows, read } = await dashboard.open('/mirrors', { ...ANSWERS, 'GET /api/mirror/active': mirrors });
  const rows = page.getByRole('list', { name: 'Mirrors that run' }).getByRole('listitem');
  await rows.first().waitFor();
  assert.equal(await textsOf(page.getByRole('paragraph').filter({ hasText: 'in all' })), [
    '3 of 10 in all 2 of 4 in shop 1 of 4 in back at most 4 in a namespace, 2 for an incident',
  ]);
  assert.equal(await textsOf(rows), [
    'Watching web-1 shop ends in 2 min Not Ready, 38 s of it are needed web-1-mirror-pod End',
    'Starting api-0 back web-1-mirror End',
    'Fixed web-1 shop is being removed web-1-mirror-pod End',
    'Refused web-1 shop ends in 3 min web-1-mirror-pod End The image is not allowed.',
  ]);
  assert.equal(
    await rows.getByRole('link').evaluateAll((all: { getAttribute(name: string): string }[]) => all.map((one) => one.getAttribute('href'))),
    [...['/incidents/101', '/incidents/101', '/incidents/101']],
  );
  await shows('No mirror has ended yet', 'What mirrors prove is kept here for as long as the failure is.');
  assert.equal(await marksOf(rows, 'verdict'), ['Fixed: Fixed']);
  assert.ok(read().includes('GET /api/mirror/past?limit=50'));
  const scoped = await dashboard.open('/mirrors?namespace=back', { ...ANSWERS, 'GET /api/mirror/active': mirrors });
  await scoped.shows('Nothing here matches', 'Change what is shown, or the namespace in the bar above.');
  assert.is((await textsOf(rows)).length, 1);
  assert.equal(await textsOf(page.getByRole('paragraph').filter({ hasText: 'in all' })), [
    '3 of 10 in all 1 of 4 in back at most 4 in a namespace, 2 for an incident',
  ]);
});

test('without mirrors it says how to start one, or how to switch them on', async () => {
  const { shows } = await dashboard.open('/mirrors', ANSWERS);
  await shows('No mirror runs', 'Open an incident and try its correction: the mirror appears here.');
  const off = await dashboard.open('/mirrors', {
    ...ANSWERS,
    'GET /api/mirror/limits': { ...USE, enabled: false },
    'GET /api/mirror/past': [past()],
  });
  await off.shows('Mirrors are switched off', 'Whoever installs Podmend can set MIRRORS_ENABLED=true.', 'button "Run again" [disabled]');
  assert.is(
    await off.page.getByRole('button', { name: 'Run again' }).getAttribute('title'),
    'Mirrors are switched off in this installation.',
  );
});

test('past mirrors say what they tried and what became of it, and are narrowed in the address', async () => {
  const change = (path: string) => ({ path, from: 1, to: null, why: 'It is `needed`.' });
  const started_at = minutesAgo(30);
  const rows = [
    past({
      reason_after: 'Error',
      started_at,
      ended_at: new Date(Date.parse(started_at) + 125_000).toISOString(),
      changes: [change('a'), change('b')],
      evidence,
    }),
    past({
      mirror_id: 'b',
      verdict: null,
      reason_before: null,
      is_open: false,
      origin: 'Given',
      revisions: [{ time: minutesAgo(3), from: 'Fixed', verdict: 'StillFailing', reason: '', message: 'It broke.' }],
    }),
    past({
      mirror_id: 'c',
      verdict: 'StillFailing',
      reason_after: 'OOMKilled',
      origin: 'Odd',
      changes: [change('c')],
      evidence: { ...evidence, strength: 'Strong' },
    }),
    past({ mirror_id: 'd', verdict: 'Inconclusive', changes: [change('d')] }),
  ];
  const { page, shows, address, read } = await dashboard.open('/mirrors', {
    ...ANSWERS,
    'GET /api/mirror/past': new Reply(200, rows, { link: '</api/mirror/past?before=1>; rel="next"' }),
    'GET /api/mirror/past?before=1': [past({ mirror_id: 'z', source_pod_name: 'old-1' })],
  });
  const items = page.getByRole('list', { name: 'Mirrors that are over' }).locator('> li');
  await items.first().waitFor();
  assert.equal(await textsOf(items), [
    'Fixed web-1 shop OOMKilled became Error 30 minutes ago lived 2 min 5 s proposed by rules Run again a and 1 more · weak evidence',
    'Not judged web-1 shop OOMKilled 30 minutes ago written by hand Run again No change was recorded',
    'Still failing web-1 shop OOMKilled 30 minutes ago Odd Run again c · strong evidence',
    'Inconclusive web-1 shop OOMKilled 30 minutes ago proposed by rules Run again d',
  ]);
  assert.equal(await marksOf(items, 'verdict'), ['Fixed: Fixed', 'StillFailing: Still failing', 'Inconclusive: Inconclusive']);
  const again = page.getByRole('button', { name: 'Run again' });
  assert.equal([await again.nth(0).isDisabled(), await again.nth(1).isDisabled()], [false, true]);
  assert.is(await again.nth(1).getAttribute('title'), 'The pod does not fail any more, so there is nothing to try.');
  for (const index of [0, 1]) await items.nth(index).locator('summary').first().click();
  assert.equal(await textsOf(items.nth(0).locator('details li')), [
    ...['a: 1 → nothing It is needed.', 'b: 1 → nothing It is needed.', 'It cannot know: the load'],
  ]);
  assert.equal(await textsOf(items.nth(1).locator('details li')), ['Revised from Fixed to StillFailing: It broke.']);
  await page.getByRole('button', { name: 'Show more' }).click();
  await shows('old-1');
  await page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
  const choice = page.getByRole('radiogroup', { name: 'Verdict' });
  for (const [name, verdict] of [
    ['Fixed', '?verdict=Fixed'],
    ['Still failing', '?verdict=StillFailing'],
    ['All', ''],
    ['Inconclusive', '?verdict=Inconclusive'],
  ] as const) {
    await choice.getByText(name, { exact: true }).click();
    await until(() => address() === verdict, { what: () => address() });
  }
  await page.getByLabel('Search past mirrors').fill('web');
  await until(() => address() === '?verdict=Inconclusive&q=web', { what: () => address() });
  await until(() => read().includes('GET /api/mirror/past?verdict=Inconclusive&q=web&limit=50'), { what: 'the narrowed list' });
});

test('a past correction runs again if it is still offered, and again after a confirmation where its work may run twice', async () => {
  const changes = [{ path: 'a', from: 1, to: 2, why: 'x' }];
  const candidates = [anOffer(), anOffer({ changes: [{ ...changes[0], why: 'y' } as never] })];
  const answers: Answers = {
    ...ANSWERS,
    'GET /api/mirror/past': [past({ changes })],
    'POST /api/mirror/preview/101': { candidates },
    'POST /api/mirror/deploy/101': aMirrorRecord(),
  };
  const { page, shows, sent, answer, read } = await dashboard.open('/mirrors', answers);
  const again = page.getByRole('button', { name: 'Run again' });
  await again.click();
  await shows('It runs again, at the top of this page.', 'list "Mirrors that run"');
  assert.equal(sent(), ['POST /api/mirror/preview/101', 'POST /api/mirror/deploy/101 {"candidate":1}']);
  await until(() => read().filter((path) => path.endsWith('limits')).length > 1, { what: 'the limits again' });
  answer({ 'POST /api/mirror/deploy/101': refuse(409, 'Set acknowledge_side_effects') });
  await again.click();
  await shows('Set acknowledge_side_effects');
  sent();
  await page.getByRole('button', { name: 'Its work may run a second time: run it' }).click();
  await until(() => sent().some((line) => line.endsWith('{"candidate":1,"acknowledge_side_effects":true}')), { what: 'the confirmation' });
  answer({ 'POST /api/mirror/preview/101': { candidates: [anOffer()] } });
  await again.click();
  await shows('This correction is not offered any more: the workload has changed. Open its incident to see what is.');
  answer({
    'POST /api/mirror/preview/101': { candidates: [anOffer(), anOffer(), anOffer({ written_for: 'mirror-1' })] },
    'POST /api/mirror/deploy/101': aMirrorRecord(),
  });
  sent();
  await again.click();
  await shows('It runs again, at the top of this page.');
  assert.is(sent().at(-1), 'POST /api/mirror/deploy/101 {"candidate":2}');
  const reader = await dashboard.open('/mirrors', answers, 'read');
  await reader.shows('button "Run again" [disabled]');
});

test('the kept log of an ended mirror is read when somebody opens it', async () => {
  const { page, read, shows } = await dashboard.open('/mirrors', {
    ...ANSWERS,
    'GET /api/mirror/past': [past({ log_pod_name: 'web-1-mirror-pod' })],
    'GET /api/pods/shop/web-1-mirror-pod/logs': { container: 'app', containers: ['app', 'side'], logs: 'one\nTwo\n' },
    'GET /api/pods/shop/web-1-mirror-pod/logs/stream': new Reply(200, 'data: now\n\nevent: end\ndata:\n\n', {
      'content-type': 'text/event-stream',
    }),
  });
  await page.getByText('What the mirror wrote to its log').waitFor();
  assert.is(read().filter((path) => path.includes('/logs')).length, 0);
  await page.getByText('What the mirror wrote to its log').click();
  await shows('radio "Last run" [checked]', 'The container has ended.', 'combobox "Container"');
  const log = page.getByRole('region', { name: 'Log', exact: true });
  await until(async () => (await textOf(log)) === 'now', { what: 'the line of the stream' });
  assert.equal(
    read().filter((path) => path.includes('/logs')),
    ['GET /api/pods/shop/web-1-mirror-pod/logs?tail_lines=1', 'GET /api/pods/shop/web-1-mirror-pod/logs/stream?tail_lines=2000'],
  );
  await page.getByText('Previous run').click();
  await until(async () => (await log.innerText()) === 'one\nTwo', { what: 'the previous run' });
  assert.ok(read().includes('GET /api/pods/shop/web-1-mirror-pod/logs?tail_lines=2000&previous=true'));
  await page.getByLabel('Search the log').fill(' tWO ');
  await shows('1 of 2 lines');
  assert.is(await textOf(log), 'Two');
  await page.getByLabel('Search the log').fill('three');
  await shows('No lines.', '0 of 2 lines');
  assert.is(await log.getAttribute('data-wrapped'), 'true');
  await page.getByLabel('Wrap').uncheck();
  assert.is(await log.getAttribute('data-wrapped'), null);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()]);
  assert.is(file.suggestedFilename(), 'web-1-mirror-pod-previous.log');
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), 'one\nTwo');
});

if (chromium) test.run();
