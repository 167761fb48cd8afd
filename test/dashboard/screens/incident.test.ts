import type { Page } from 'playwright-core';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Alert } from '../../../src/contract/alert.ts';
import type { Comment } from '../../../src/contract/comment.ts';
import type { EvidenceLine, EvidencePlace } from '../../../src/contract/diagnosis.ts';
import type { Evidence } from '../../../src/contract/failure.ts';
import type { IncidentMessage } from '../../../src/contract/notification.ts';
import {
  aDiagnosis,
  aMirrorRecord,
  anIncident,
  anOffer,
  aShownFailure,
  aTrial,
  incidentPage,
  inMinutes,
  minutesAgo,
} from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { type Answers, cannedDashboard, marksOf, refuse, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// One incident with given answers: what the screen says about it, and what its controls send.

const chromium = chromiumFor('an incident with given answers');
const test = suite('an incident');
const dashboard = cannedDashboard(test, chromium);

const ANSWERS: Answers = {
  'GET /api/pods/failed/101': aShownFailure(),
  'GET /api/pods/failed/101/diagnosis': aDiagnosis([anOffer()]),
  'GET /api/mirror/active': [],
  'GET /api/incidents/11/comments': [],
  'GET /api/pods/failed': [],
  'GET /api/incidents': incidentPage([]),
  'GET /api/pods/failed/101/notifications': [],
};
const open = (over: Answers = {}, role: 'read' | 'write' | 'admin' = 'write', search = '') =>
  dashboard.open(`/incidents/101${search}`, { ...ANSWERS, ...over }, role);
const failing = (over: Parameters<typeof aShownFailure>[0]) => ({ 'GET /api/pods/failed/101': aShownFailure(over) });
const diagnosed = (...args: Parameters<typeof aDiagnosis>) => ({ 'GET /api/pods/failed/101/diagnosis': aDiagnosis(...args) });

const EVIDENCE: Evidence = {
  window_seconds: 38,
  window_reason: 'The source failed after 19 s.',
  ready_since: minutesAgo(1),
  restarts: 0,
  readiness_lost: 0,
  source_runs: 2,
  longest_source_run_seconds: 19,
  probes_asked: [],
  weaknesses: [],
  strength: 'Strong',
};

/** The tones of the headline and of the stages. */
const tonesOf = async (page: Page): Promise<string[]> =>
  (await marksOf(page.getByRole('article'), 'tone')).map((mark) =>
    mark.replace(/ \d(Cause|Correction|Proof|What a person must do).*/, ' $1'),
  );

test('the head names the workload, the reason and the pod, and the column beside it the facts', async () => {
  const { page } = await open({
    ...failing({ occurrences: 3, longest_run_seconds: 42, resolved_at: minutesAgo(3), occurrences_24h: [...Array<number>(23).fill(0), 2] }),
  });
  const aside = page.getByRole('complementary', { name: 'About this incident' });
  await page.getByText('Raise the memory limit to').first().waitFor();
  assert.is(await page.title(), 'web: CrashLoopBackOff · Podmend');
  assert.is(await textOf(page.getByRole('heading', { level: 1 })), 'web');
  assert.is(await textOf(page.getByTestId('headline')), 'Failing, a correction is known');
  assert.equal(await tonesOf(page), ['bad: Failing, a correction is known', 'plain: Cause', 'plain: Correction', 'plain: Proof']);
  assert.ok((await textOf(page.getByRole('article').locator('header').first())).endsWith('CrashLoopBackOff in shop · pod web-1'));
  assert.is(await page.getByText('back-off 5m0s').count(), 0, 'the message is explained');
  assert.equal(await textsOf(aside.locator('dl > div')), [
    ...['Deployment web', 'Container app', 'Node node-a', 'First seen 1 hour ago', 'Last seen 2 minutes ago', 'Seen 3 times'],
    ...['Last 24 hours', 'Longest run 42 s', 'Resolved 3 minutes ago'],
  ]);
  await aside.getByRole('img', { name: '2 failed runs in the last 24 hours, the last one in this hour' }).waitFor();
  // The comments come with an answer of their own.
  await aside.getByRole('heading', { level: 3, name: 'Comments' }).waitFor();
  assert.equal(await textsOf(aside.getByRole('heading', { level: 3 })), ['Comments', 'Suppression']);

  const bare = await open({ ...failing({ workload: null, container: null, node_name: null }), ...diagnosed() });
  await bare.shows('No change of the manifest helps');
  assert.is(await textOf(page.getByRole('heading', { level: 1 })), 'web-1');
  assert.ok((await textOf(page.getByRole('article').locator('header').first())).endsWith('CrashLoopBackOff in shop'));
  assert.equal(await textsOf(aside.locator('dl > div')), [
    'First seen 1 hour ago',
    'Last seen 2 minutes ago',
    'Seen once',
    'Last 24 hours',
  ]);
});

test('an incident that is gone leads to all incidents, and one that cannot be read is tried again', async () => {
  const { page, shows } = await open({ 'GET /api/pods/failed/101': refuse(404, 'There is none') });
  await shows('Incident not found', 'link "All incidents"', 'It deletes incidents some time after they are resolved.');
  assert.is(await page.getByRole('alert').count(), 0);
  assert.is(await page.title(), 'Incident not found · Podmend');
});

test('without a diagnosis, the stored explanation and the message are shown', async () => {
  const { page, shows, answer } = await open({
    'GET /api/pods/failed/101/diagnosis': refuse(409, 'The record is too old'),
    ...failing({ solution: 'It needs **more** memory than \u202e64Mi. ![shot](https://elsewhere.example/x.png)' }),
  });
  await shows(
    'heading "Cause"',
    'It needs',
    'memory than ‹U+202E›64Mi.',
    'alert',
    'The record is too old',
    'back-off 5m0s restarting failed container',
  );
  assert.is(await page.locator('main img').count(), 0, 'an explanation loads no images');
  assert.is(await textOf(page.getByTestId('headline')), 'Failing');
  assert.is(await page.getByTestId('action').count(), 0);
  answer(diagnosed([anOffer()]));
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByTestId('action').waitFor();
  const none = await open({ 'GET /api/pods/failed/101/diagnosis': refuse(409, 'The record is too old') });
  await none.shows('Podmend is making the explanation. It will appear here.');
});

test('the cause has its culprit, its first three lines of evidence, and where each stands', async () => {
  const line = (text: string, source: string | null = null, place: EvidencePlace | null = null) => ({ text, source, place });
  const evidence = [
    line('one', 'log of app', { in: 'log', index: 1 }),
    line('two', 'event Killing'),
    line('three', null, { in: 'manifest', index: 0 }),
    line('four'),
    line('five'),
  ] as EvidenceLine[];
  const { page, shows, address } = await open({
    ...failing({ logs: 'first\nsecond\n', solution: 'Told', is_fallback: false }),
    ...diagnosed([], { culprit: 'limits.memory 64Mi', evidence, source: 'gone' }),
  });
  await shows('heading "Cause"', 'explained by the language model', 'The pod and its workload are gone. This is what was reported last.');
  assert.is(await textOf(page.getByText('Culprit:').locator('..')), 'Culprit: limits.memory 64Mi');
  assert.equal(await textsOf(page.getByRole('list', { name: 'Evidence' }).first().getByRole('listitem')), [
    ...['one log of app', 'two event Killing', 'three in the manifest'],
  ]);
  await page.getByText('2 more lines of evidence').click();
  assert.equal(await textsOf(page.getByRole('list', { name: 'Evidence' }).nth(1).getByRole('listitem')), ['four', 'five']);
  await page.getByRole('button', { name: 'log of app' }).click();
  await until(() => address() === '?tab=logs&at=1', { what: () => address() });
  assert.is(await textOf(page.locator('[data-at]')), 'second');
  await until(() => page.evaluate<boolean>(`document.activeElement?.textContent === 'second'`), { what: 'the focus on the line' });
  await page.goBack();
  await until(() => address() === '', { what: () => address() });

  const plain = await open({
    ...failing({ solution: 'Told', is_fallback: true }),
    ...diagnosed([], {
      summary: 'The `memory` limit of 64Mi is too low.',
      culprit: 'memory: 64Mi',
      evidence: evidence.slice(0, 3),
    }),
  });
  const shown = await plain.shows('found by rules, without a language model');
  for (const text of ['Culprit', 'more lines of evidence', 'are gone']) assert.not.ok(shown.includes(text), text);
});

test('corrections are cards, the best is open, and another one is chosen by a click', async () => {
  const offers = [
    anOffer({
      title: 'Raise `memory`',
      confidence: 'certain',
      explanation: 'It needs **more**.',
      diff: '@@ -1,2 +1,2 @@\n a: 1\n-b: 2\n+b: 3\n',
    }),
    anOffer({ title: 'Use another image', is_fallback: false, confidence: 'guess', explanation: 'Because.', tried: 'mirror-1' }),
    anOffer({ title: 'By hand', mirrorable: false, explanation: 'So.', written_for: 'mirror-9' }),
  ];
  const { page, shows } = await open({
    ...failing({ trials: [aTrial({ verdict: 'StillFailing' })] }),
    ...diagnosed(offers, { preview: { ...aDiagnosis(offers).preview, risks: ['It mounts a volume.'] } }),
  });
  await shows('3 are known, the best first', 'Still failing with what was tried');
  const cards = page.getByRole('radiogroup', { name: 'Corrections' }).getByRole('article');
  assert.equal(await textsOf(cards.locator('label:has(input[type=radio])')), [
    ...['Raise memory Certain', 'Use another image Tried: Still failing Model Worth a try', 'By hand'],
  ]);
  assert.equal(await cards.locator('[title]').evaluateAll((all: { title: string }[]) => all.map(({ title }) => title)), [
    'Nothing else can be wrong',
    'It may help: a mirror shows it',
  ]);
  assert.is(await cards.first().getAttribute('data-chosen'), 'true');
  await shows('Before you run it', 'It mounts a volume.', 'Take the patch without a proof', 'Runs for at most 300 s');
  assert.equal(await textsOf(page.getByRole('region', { name: 'Change of the manifest' }).getByRole('row')), [
    ...['@@ -1,2 +1,2 @@', '1 a: 1', '2 − b: 2', '2 + b: 3'],
  ]);
  assert.equal(await marksOf(page.getByRole('region', { name: 'Change of the manifest' }), 'kind'), [
    ...['place: @@ -1,2 +1,2 @@', 'same: 1 a: 1', 'removed: 2−b: 2', 'added: 2+b: 3'],
  ]);
  const action = page.getByTestId('action');
  assert.is(await textOf(action), 'Raise memory Try it');
  await cards.nth(1).getByRole('radio').check();
  assert.is(await textOf(action), 'Use another image Try it again');
  await shows('Nothing in the manifest changes.');
  await cards.nth(2).getByRole('radio').check();
  const shown = await shows('A mirror cannot prove this one, or may not run it: take it where the workload is kept.');
  assert.is(await textOf(action), 'Not proven: no mirror can try this one. Get the patch');
  assert.not.ok(shown.includes('Take the patch without a proof'));
  assert.not.ok(shown.includes('Runs for at most'));
});

test('a correction is tried for the chosen time, only if the server still offers it', async () => {
  const offer = anOffer({ title: 'Raise it', fixed_manifest: 'new' });
  const candidates = [anOffer({ fixed_manifest: 'new', mirrorable: false }), anOffer({ fixed_manifest: 'old' }), offer];
  const { page, shows, sent } = await open({
    ...diagnosed([offer]),
    'POST /api/mirror/preview/101': { candidates },
    'POST /api/mirror/deploy/101': aMirrorRecord(),
  });
  const button = page.getByTestId('action').getByRole('button');
  await page.getByText('Runs for at most').click();
  const field = page.getByLabel('Run for at most');
  for (const [text, isRight] of [
    ['29', false],
    ['3601', false],
    ['', false],
    ['30', true],
    ['3600', true],
  ] as const) {
    await field.fill(text);
    assert.is(await button.isEnabled(), isRight, text);
    if (!isRight) assert.is(await button.getAttribute('title'), 'Say for how long it may run.');
  }
  await page.getByRole('heading', { name: 'Correction' }).click();
  await page.keyboard.press('t');
  await page.locator('[data-testid=action] button:focus').waitFor();
  await page.keyboard.press('Enter');
  await shows('button "Watching…"');
  assert.equal(sent(), ['POST /api/mirror/preview/101', 'POST /api/mirror/deploy/101 {"candidate":2,"ttl_seconds":3600}']);
  assert.is(await textOf(page.getByTestId('action')), 'The mirror starts Watching…');
  assert.is(await textOf(page.getByTestId('headline')), 'A correction is being tried');

  const changed = await open({
    ...diagnosed([offer]),
    'POST /api/mirror/preview/101': { candidates: [anOffer({ fixed_manifest: 'other' })] },
  });
  await page.getByTestId('action').getByRole('button').click();
  await changed.shows('The workload has changed meanwhile, and so has this correction. Look at it again, then try it.');
  assert.equal(changed.sent(), ['POST /api/mirror/preview/101']);
  assert.ok(changed.read().filter((path) => path.endsWith('/diagnosis')).length > 1, 'the diagnosis is loaded again');
});

test('the work of a Job runs a second time only after somebody confirms it', async () => {
  const { page, nextSent } = await open({
    ...failing({ workload: { kind: 'CronJob', name: 'batch' } }),
    'POST /api/mirror/preview/101': { candidates: [anOffer()] },
    'POST /api/mirror/deploy/101': aMirrorRecord({ status: 'Rejected', conditions: [] }),
  });
  const button = page.getByTestId('action').getByRole('button');
  assert.ok(await button.isDisabled());
  assert.is(await button.getAttribute('title'), 'Confirm first that its work may run a second time.');
  await page.getByLabel('I know that its work may run a second time').check();
  await button.click();
  await until(
    async () => (await nextSent()).some((line) => line.endsWith('{"candidate":0,"ttl_seconds":300,"acknowledge_side_effects":true}')),
    {
      what: 'the confirmation',
    },
  );
  await page.getByText('The mirror was refused').waitFor();
});

test('a running mirror shows its steps, its progress and its log, and its verdict is announced', async () => {
  const condition = (type: string, status: string, message = '') => ({
    type,
    status,
    message,
    reason: 'R',
    last_transition_time: minutesAgo(1),
  });
  const mirror = aMirrorRecord({
    evidence: { ...EVIDENCE, ready_since: null },
    conditions: [
      condition('Validated', 'True', 'It is valid.'),
      condition('PodCreated', 'False', ''),
      condition('Reconciling', 'True', 'It waits.'),
    ],
    expires_at: inMinutes(1),
  });
  const { page, shows, tell, nextSent, readAgain } = await open({
    'GET /api/mirror/active': [mirror, aMirrorRecord({ mirror_id: 'other', pod_id: 7 })],
    'DELETE /api/mirror/mirror-1': new Reply(204),
  });
  await shows('heading "Proof"', 'progressbar "Time that the mirror was Ready"');
  const shown = page.getByTestId('mirror');
  assert.is(await shown.count(), 1);
  assert.is(await textOf(shown.locator('strong')), 'Not Ready, 38 s of it are needed');
  assert.equal(await textsOf(page.getByRole('list', { name: 'Steps' }).getByRole('listitem')), [
    ...['The correction is checked It is valid.', 'The mirror pod is created It waits.', 'The mirror is judged'],
  ]);
  assert.equal(
    await page
      .getByRole('list', { name: 'Steps' })
      .getByRole('listitem')
      .evaluateAll((all: { dataset: { state: string } }[]) => all.map(({ dataset }) => dataset.state)),
    ['done', 'active', 'waiting'],
  );
  assert.is(await textOf(shown.locator('summary').last()), 'Log of the mirror web-1-mirror-pod, which ends in 60 s');
  await shown.getByRole('button', { name: 'End' }).click();
  await shown.getByRole('button', { name: 'End web-1’s mirror' }).click();
  assert.equal(await nextSent(), ['DELETE /api/mirror/mirror-1']);
  await readAgain('/api/mirror/active');
  const judged = { ...mirror, verdict: 'StillFailing', evidence: { ...EVIDENCE, strength: 'Weak', weaknesses: ['No load.'] } as Evidence };
  tell({ type: 'mirror_status', data: judged });
  await shows('The mirror’s verdict: still failing', 'weak evidence, may still be revised', 'What this verdict cannot know', 'No load.');
  assert.is(await page.getByRole('list', { name: 'Steps' }).count(), 0);
  assert.is(await shown.getAttribute('data-verdict'), 'StillFailing');
  assert.equal(await tonesOf(page), ['bad: Still failing with what was tried', 'plain: Cause', 'plain: Correction', 'bad: Proof']);
});

test('earlier trials show what was changed, what became of it, and on what the verdict rests', async () => {
  const trials = [
    aTrial({
      mirror_id: 'a',
      verdict: 'Inconclusive',
      final: false,
      ended_at: null,
      strength: null,
      origin: 'Given',
      started_at: minutesAgo(50),
    }),
    aTrial({
      mirror_id: 'b',
      reason_after: 'Error',
      shown_after: { message: '', restarts: 2, ready_seconds: 40 },
      changes: [
        { path: 'spec.memory', from: '64Mi', to: '256Mi', why: 'more' },
        { path: 'spec.x', from: null, to: 3, why: '' },
      ],
      evidence: { ...EVIDENCE, restarts: 1, readiness_lost: 2, probes_asked: ['readiness'], source_runs: 1 },
      revisions: [{ time: minutesAgo(9), from: 'StillFailing', verdict: 'Fixed', reason: 'Recovered', message: 'It recovered.' }],
      log_pod_name: 'web-1-mirror-pod',
    }),
    aTrial({
      mirror_id: 'c',
      verdict: null,
      started_at: minutesAgo(55),
      origin: 'Model',
      shown_after: { message: 'It crashed.', restarts: 0, ready_seconds: 0 },
    }),
  ];
  const { page } = await open(failing({ trials }));
  const rows = page.getByRole('list', { name: 'Tried' }).locator('> li');
  await rows.first().waitFor();
  const [first = '', second = '', third = ''] = await textsOf(rows);
  assert.is(
    first,
    'Fixed strong evidence 30 minutes ago, proposed by rules OOMKilled became Error. It was Ready for 40 s, with 2 restarts. ' +
      'spec.memory: 64Mi → 256Mi more spec.x: nothing → 3 Revised 9 minutes ago from Still failing to Fixed: It recovered. ' +
      'What it rests on What the mirror wrote to its log',
  );
  assert.equal(await tonesOf(page), ['good: Fixed on a mirror', 'plain: Cause', 'plain: Correction', 'good: Proof']);
  assert.is(second, 'Inconclusive may still be revised 50 minutes ago, written by hand');
  assert.is(third, 'Ended without a verdict 55 minutes ago, proposed by the model It crashed.');
  await rows.first().getByText('What it rests on').click();
  assert.equal(await textsOf(rows.first().locator('details li')), [
    'It is watched for 38 s. The source failed after 19 s.',
    'One run of the source before a failure is known, the longest of 19 s.',
    'Containers were restarted once.',
    'Readiness was lost 2 times.',
    'Probes asked: readiness.',
  ]);
});

test('a proven correction offers its patch in each form, and what is copied', async () => {
  const offer = anOffer({
    tried: 'mirror-1',
    owner_patch: {
      api_version: 'apps/v1',
      kind: 'Deployment',
      name: 'web',
      namespace: 'shop',
      type: 'json',
      body: '',
      command: '',
      note: 'It `restarts`.',
    },
    formats: [
      { name: 'kubectl patch', about: 'For a shell.', text: 'kubectl patch x' },
      { name: 'YAML', about: 'For a file.', text: 'a: 1' },
    ],
  });
  const { page, shows } = await open({ ...failing({ trials: [aTrial()] }), ...diagnosed([offer]) });
  await shows('Fixed on a mirror');
  assert.is(await textOf(page.getByTestId('action')), 'Fixed Get the patch');
  assert.is(await textOf(page.getByRole('list', { name: 'Tried' }).locator('strong')), 'Strong evidence');
  await page.getByTestId('action').getByRole('button').click();
  const dialog = page.getByRole('dialog', { name: 'The patch' });
  await shows('kubectl patch is on the clipboard.', 'For a shell.', 'button "Copy the command"', 'It', 'restarts');
  assert.is(await page.evaluate('navigator.clipboard.readText()'), 'kubectl patch x');
  await dialog.getByText('YAML').click();
  await shows('For a file.', 'button "Copy it"');
  assert.is(await textOf(dialog.locator('pre')), 'a: 1');
  await dialog.getByRole('button', { name: 'Copy it' }).click();
  await dialog.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), 'a: 1');
  await dialog.getByRole('button', { name: 'Copy the link to this incident' }).click();
  await until(() => page.evaluate<boolean>(`navigator.clipboard.readText().then((text) => text === location.origin + '/incidents/101')`), {
    what: 'the link',
  });
  await dialog.getByRole('button', { name: 'Close' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('where no change of the manifest helps, it says what a person must do', async () => {
  const { page, shows } = await open(
    diagnosed([], {
      no_correction: { why: 'The `node` is full.', where_to_look: 'its disk' },
      advice: ['Free some `space`.', 'Then wait.'],
      commands: ['kubectl get nodes', 'df -h'],
    }),
  );
  const shown = await shows('heading "What a person must do"', 'Where to look:', 'A person must act.', 'button "Copy the commands"');
  assert.not.ok(shown.includes('heading "Proof"'));
  assert.equal((await tonesOf(page)).slice(1), ['plain: Cause', 'unsure: What a person must do']);
  assert.equal(await textsOf(page.locator('#stage-2').locator('xpath=../..').locator('ol li')), ['Free some space.', 'Then wait.']);
  assert.equal(await textsOf(page.getByRole('list', { name: 'Commands' }).getByRole('listitem')), ['kubectl get nodes Copy', 'df -h Copy']);
  await page.getByRole('button', { name: 'Copy the commands' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), 'kubectl get nodes\ndf -h');
  const none = await open({ ...diagnosed(), ...failing({ status: 'resolved' }) });
  await none.shows('No change of the manifest is known that helps.');
  assert.is(await page.getByTestId('action').count(), 0, 'a resolved incident needs no action');
});

test('nothing can be tried while the cluster is away, mirrors are off, or the role does not suffice', async () => {
  const away = await open(
    diagnosed([anOffer({ mirrorable: false })], {
      source: 'unknown',
      preview: { ...aDiagnosis([anOffer({ mirrorable: false })]).preview, risks: ['No answer.'] },
    }),
  );
  const shown = await away.shows('Not now', 'No answer.', 'Not proven: the cluster does not answer.');
  assert.not.ok(shown.includes('A mirror cannot prove this one'));
  const config = { version: '1', cluster: 'c', features: { mirrors: false } };
  const off = await open({ 'GET /api/config': config });
  const without = await off.shows('Not proven: no mirror can try this one.');
  for (const text of ['Runs for at most', 'heading "Proof"']) assert.not.ok(without.includes(text), text);
  const reader = await open({}, 'read');
  const read = await reader.shows('button "Try it" [disabled]', 'Nothing was tried yet.', 'button "Suppress…" [disabled]');
  for (const text of ['Runs for at most']) assert.not.ok(read.includes(text), text);
  assert.is(
    await reader.page.getByRole('button', { name: 'Try it' }).getAttribute('title'),
    'Your role is read. This can be done by: write, admin.',
  );
});

test('the status is set from a menu that lacks the present one; dismissing and explaining again are one click', async () => {
  const record = (status: string) => () => ({ ...aShownFailure({ status: status as never }) });
  const { page, nextSent, shows, answer, readAgain } = await open({
    'PUT /api/pods/101/status': record('investigating'),
    'PUT /api/pods/ignored/101/restore': record('new'),
    'POST /api/pods/failed/101/retry-solution': record('new'),
  });
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const items = page.getByRole('menuitem');
  assert.equal(await textsOf(items), ['Investigating', 'Resolved']);
  await items.first().click();
  assert.equal(await nextSent(), ['PUT /api/pods/101/status {"status":"investigating"}']);
  await readAgain('/api/pods/failed/101');
  await items.first().waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'More actions' }).click();
  assert.equal(await textsOf(items), ['Explain again', 'Show in graph', 'Copy link']);
  assert.is(await items.nth(1).getAttribute('href'), '/graphs?namespace=shop&workload=Deployment%2Fshop%2Fweb&node=Pod%2Fshop%2Fweb-1');
  await items.nth(2).click();
  await items.filter({ hasText: 'Copied' }).waitFor();
  await items.filter({ hasText: 'Explain again' }).click();
  assert.equal(await nextSent(), ['POST /api/pods/failed/101/retry-solution']);
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  assert.is(await dismiss.getAttribute('title'), 'Ignore every pod of the workload that fails in the same way');
  answer({
    'DELETE /api/pods/failed/101': () => {
      answer(failing({ status: 'ignored' }));
      return aShownFailure({ status: 'ignored' });
    },
  });
  await dismiss.click();
  assert.equal(await nextSent(), ['DELETE /api/pods/failed/101']);
  await shows('button "Ignored"');
  const restore = page.getByRole('button', { name: 'Restore' });
  assert.is(await restore.getAttribute('title'), 'Show it in the active list again');
  await restore.click();
  assert.equal(await nextSent(), ['PUT /api/pods/ignored/101/restore']);
  const reader = await open({}, 'read');
  await reader.shows('button "New" [disabled]', 'button "Dismiss" [disabled]', 'button "Assign" [disabled]');
  await page.getByRole('button', { name: 'More actions' }).click();
  await reader.shows('Your role is read. This can be done by: write, admin.', 'menuitem "Explain again" [disabled]');
});

test('somebody is assigned from the menu; a long list of users has a search', async () => {
  const users = ['eve', ...Array.from({ length: 60 }, (_, index) => `user-${String(index + 1).padStart(2, '0')}`)];
  const { page, shows, nextSent } = await open({
    'GET /api/incidents/assignees': users,
    'PUT /api/incidents/11/assignee': { assignee: 'user-60' },
    ...failing({ assignee: 'user-03' }),
  });
  await shows('button "Assigned to user-03"');
  await page.keyboard.press('a');
  const items = page.getByRole('menuitem');
  await shows('10 more users: search for them');
  assert.equal((await textsOf(items)).slice(0, 3), ['Assign to me', 'Unassign', 'user-01']);
  assert.is(await items.count(), 52);
  assert.is(await page.getByText('No other users yet').count(), 0);
  assert.is(await items.filter({ hasText: 'user-03' }).getAttribute('aria-current'), 'true');
  await page.getByLabel('Search users').fill(' USER-60 ');
  await until(async () => (await items.count()) === 3, { what: 'one match' });
  await items.filter({ hasText: 'user-60' }).click();
  assert.equal(await nextSent(), ['PUT /api/incidents/11/assignee {"username":"user-60"}']);
  await shows('button "Assigned to user-60"');
  const few = await open({ 'GET /api/incidents/assignees': ['eve'] });
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  await few.shows('No other users yet', 'Assign to me');
  assert.is(await page.getByLabel('Search users').count(), 0);
  assert.is(await page.getByText('more users').count(), 0);
  assert.equal(await textsOf(items), ['Assign to me']);
});

test('the tabs show events, containers, logs and the manifest, and the place of the address', async () => {
  const events = [
    { type: 'Normal', reason: 'Pulled', message: 'pulled', timestamp: minutesAgo(9), count: 1, source: 'kubelet' },
    { type: 'Warning', reason: 'BackOff', message: 'restarting', timestamp: minutesAgo(3), count: 4, first_timestamp: minutesAgo(8) },
  ];
  const statuses = [
    { name: 'init', kind: 'init', image: 'busybox:1', state: 'terminated', reason: 'Completed', exit_code: 0 },
    {
      ...{ name: 'app', kind: 'app', image: 'web:1', restart_count: 7, state: 'waiting', reason: 'CrashLoopBackOff', message: 'back-off' },
      last_state: { state: 'terminated', reason: 'Error', exit_code: 137, signal: 9 },
    },
    { name: 'side' },
  ];
  const { page, shows, address } = await open(failing({ events, container_statuses: statuses, manifest: 'a: 1\n\nb: 2\n' }));
  const tabs = page.getByRole('tab');
  await tabs.first().waitFor();
  assert.equal(await textsOf(tabs), ['Events (2)', 'Logs', 'Containers (3)', 'Manifest', 'History']);
  assert.equal(await textsOf(page.getByRole('list', { name: 'Events, the newest first' }).getByRole('listitem')), [
    'BackOff 3 minutes ago · 4 times, first 8 minutes ago restarting',
    'Pulled 9 minutes ago · kubelet pulled',
  ]);
  assert.equal(
    await marksOf(page.getByRole('list', { name: 'Events, the newest first' }), 'type').then((all) => all.map((mark) => mark.slice(0, 14))),
    ['Warning: BackO', 'Normal: Pulled'],
  );
  await tabs.filter({ hasText: 'Containers' }).click();
  await until(() => address() === '?tab=containers', { what: () => address() });
  assert.is(
    await textOf(page.getByRole('region', { name: 'Container statuses' }).locator('bdi').first()),
    'back-off 5m0s restarting failed container',
  );
  assert.equal(await textsOf(page.getByRole('table', { name: 'Container statuses' }).getByRole('row')), [
    'Container State Restarts Run before Image',
    'init init terminated: Completed, exit code 0 0 busybox:1',
    'app waiting: CrashLoopBackOff back-off 7 terminated: Error, exit code 137, signal 9 web:1',
    'side unknown 0',
  ]);
  await tabs.filter({ hasText: 'Manifest' }).click();
  await shows('region "Manifest of the pod"', 'As reported, secrets masked.', 'button "Edit and try"');
  assert.is(await page.getByRole('region', { name: 'Manifest of the pod' }).innerText(), 'a: 1\n \nb: 2');
  for (const [search, text] of [
    ['?tab=manifest&at=2', 'b: 2'],
    ['?tab=events&at=0', 'Pulled'],
    ['?tab=containers&at=1', 'CrashLoopBackOff'],
  ] as const) {
    await open(failing({ events, container_statuses: statuses, manifest: 'a: 1\n\nb: 2\n' }), 'write', search);
    const at = page.locator('[data-at]');
    await at.filter({ hasText: text }).waitFor();
    assert.is(await at.count(), 1);
    await until(() => page.evaluate<boolean>('document.activeElement?.matches("[data-at]") === true'), { what: `the focus for ${search}` });
  }
  const bare = await open(failing({ manifest: null }), 'write', '?tab=manifest');
  await bare.shows('No manifest was reported');
  await tabs.filter({ hasText: 'Containers' }).click();
  await bare.shows('No container has started yet');
  await tabs.filter({ hasText: 'Events' }).click();
  await bare.shows('No events were reported');
});

test('the manifest can be edited only where a mirror can run', async () => {
  const manifest = { manifest: 'a: 1\n' };
  for (const [why, over] of [
    ['Mirrors are switched off in this installation.', { 'GET /api/config': { version: '1', cluster: 'c', features: { mirrors: false } } }],
    ['The pod and its workload are gone: there is nothing to copy.', diagnosed([anOffer()], { source: 'gone' })],
    ['The cluster does not answer.', diagnosed([anOffer()], { source: 'unknown' })],
    ['The manifest is being read.', { 'GET /api/pods/failed/101/diagnosis': refuse(409, 'no') }],
  ] as const) {
    const { page } = await open({ ...failing(manifest), ...(over as Answers) }, 'write', '?tab=manifest');
    const button = page.getByRole('button', { name: 'Edit and try' });
    await until(async () => (await button.getAttribute('title')) === why, { what: why });
    assert.ok(await button.isDisabled());
  }
});

test('an edited manifest is checked while somebody types, tried, and kept as a draft until it is discarded', async () => {
  const { page, shows, sent, answer } = await open(
    {
      ...failing({ manifest: 'a: 1\n' }),
      ...diagnosed([anOffer({ fixed_manifest: 'a: 2\n' })], { manifest: 'a: 1\n' }),
      'POST /api/mirror/check/101': { risks: ['It writes.'] },
      'POST /api/mirror/deploy/101': aMirrorRecord(),
    },
    'write',
    '?tab=manifest',
  );
  await page.getByRole('button', { name: 'Edit and try' }).click();
  const field = page.getByRole('textbox', { name: 'Manifest to try' });
  // The editor itself selects its text: it may undo a selection that was made past it.
  const write = async (text: string): Promise<void> => {
    await field.press('Control+a');
    await page.keyboard.insertText(text);
  };
  await shows('A mirror can try this. It writes.', 'button "Try what I wrote"');
  assert.equal(sent(), ['POST /api/mirror/check/101 {"manifest":"a: 2\\n"}']);
  await write('a: 1');
  await shows('Nothing is changed yet.', 'button "Try what I wrote" [disabled]');
  answer({ 'POST /api/mirror/check/101': refuse(422, 'That is no pod') });
  await write('a: 3');
  await shows('That is no pod', 'button "Try what I wrote" [disabled]');
  answer({ 'POST /api/mirror/check/101': { risks: [] } });
  await page.reload();
  await page.getByRole('textbox', { name: 'Manifest to try' }).waitFor();
  await shows('A mirror can try this.');
  sent();
  await page.getByRole('button', { name: 'Try what I wrote' }).click();
  await shows('The mirror starts', 'button "Edit and try"');
  assert.equal(sent(), ['POST /api/mirror/deploy/101 {"manifest":"a: 3"}']);
  await page.getByRole('button', { name: 'Edit and try' }).click();
  await page.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('button', { name: 'Edit and try' }).waitFor();
  assert.is(await page.evaluate('Object.keys(sessionStorage).filter((key) => key.includes("manifest")).length'), 0);
});

test('comments are written, changed and deleted by their authors', async () => {
  const comment = (id: number, over: Partial<Comment> = {}): Comment => ({
    ...{ id, author: 'bob', author_id: 8, text: `Comment ${id}`, created_at: minutesAgo(60 - id), edited_at: null },
    ...over,
  });
  const all = [
    ...[1, 2, 3, 4].map((id) => comment(id)),
    comment(5, { edited_at: minutesAgo(1) }),
    comment(6, { author: 'eve', author_id: 7, text: 'See https://example.org/x.' }),
  ];
  const { page, shows, nextSent, answer, readAgain } = await open({
    'GET /api/incidents/11/comments': all,
    'POST /api/incidents/11/comments': (body: { text: string }) => comment(9, { author: 'eve', author_id: 7, text: body.text }),
    'PATCH /api/incidents/11/comments/6': (body: { text: string }) => comment(6, { author: 'eve', author_id: 7, text: body.text }),
    'DELETE /api/incidents/11/comments/6': new Reply(204),
  });
  const section = page.getByRole('region', { name: 'Comments' });
  const items = section.getByRole('log').getByRole('listitem');
  await shows('heading "Comments (6)"', 'button "Show 1 earlier"', '/url: https://example.org/x');
  assert.equal(await textsOf(items), [
    ...[
      'bob 58 minutes ago Comment 2',
      'bob 57 minutes ago Comment 3',
      'bob 56 minutes ago Comment 4',
      'bob 55 minutes ago · edited Comment 5',
    ],
    'eve 54 minutes ago See https://example.org/x. Edit Delete',
  ]);
  await page.getByRole('button', { name: 'Show 1 earlier' }).click();
  assert.is(await items.count(), 6);
  const field = section.getByLabel('Comment', { exact: true });
  const button = section.getByRole('button', { name: 'Comment', exact: true });
  for (const [text, isReady] of [
    ['  ', false],
    ['x'.repeat(4001), false],
    [`  ${'x'.repeat(4000)}  `, true],
  ] as const) {
    await field.fill(text);
    assert.is(await button.isEnabled(), isReady, text.slice(0, 5));
    assert.is((await section.innerText()).includes('1 characters too many'), text.length === 4001);
  }
  await field.fill(' I look. ');
  answer({ 'GET /api/incidents/11/comments': [...all, comment(9, { author: 'eve', author_id: 7, text: 'I look.' })] });
  await field.press('Control+Enter');
  assert.equal(await nextSent(), ['POST /api/incidents/11/comments {"text":"I look."}']);
  await readAgain('/api/incidents/11/comments');
  await shows('I look.', 'heading "Comments (7)"');
  assert.is(await field.inputValue(), '');
  await items.nth(5).getByRole('button', { name: 'Edit' }).click();
  const edited = section.getByLabel('Change the comment');
  assert.is(await edited.inputValue(), 'See https://example.org/x.');
  await edited.press('Escape');
  await edited.waitFor({ state: 'detached' });
  await items.nth(5).getByRole('button', { name: 'Edit' }).click();
  await edited.fill('Done.');
  await section.getByRole('button', { name: 'Save' }).click();
  assert.equal(await nextSent(), ['PATCH /api/incidents/11/comments/6 {"text":"Done."}']);
  await edited.waitFor({ state: 'detached' });
  await items.nth(5).getByRole('button', { name: 'Delete' }).click();
  await section.getByRole('button', { name: 'Delete the comment' }).click();
  assert.equal(await nextSent(), ['DELETE /api/incidents/11/comments/6']);
  await readAgain('/api/incidents/11/comments');

  const none = await open({}, 'read');
  await none.shows('No comments yet.', 'textbox "Comment" [disabled]', 'Your role is read. This can be done by: write, admin.');
  const admin = await open({ 'GET /api/incidents/11/comments': all }, 'admin');
  await admin.shows('heading "Comments (6)"');
  assert.equal((await textsOf(items)).map((text) => [text.includes('Edit'), text.includes('Delete')]).at(0), [false, true]);
});

test('beside it stand changes, alerts, messages, other pods, similar incidents, and what hides it', async () => {
  const alert = (id: number, over: Partial<Alert> = {}): Alert => ({
    ...{ id, name: `Alert${id}`, status: 'firing', severity: null, summary: `Sum ${id}`, labels: {}, annotations: {}, incident_id: 11 },
    ...{ source_url: 'https://alerts.example/1', starts_at: minutesAgo(30), ended_at: null, last_seen: minutesAgo(1) },
    ...over,
  });
  const message = (id: number, over: Partial<IncidentMessage> = {}): IncidentMessage => ({
    ...{ id, provider: 'ops', event: 'incident_opened', title: 'web fails', state: 'delivered', attempts: 1, reason: null, detail: null },
    ...{ created_at: minutesAgo(20), ended_at: minutesAgo(10), next_attempt_at: null, resendable: false },
    ...over,
  });
  const alerts = [
    alert(1),
    alert(2, { status: 'resolved', ended_at: minutesAgo(4), source_url: 'javascript:alert(1)' }),
    ...[3, 4, 5, 6, 7, 8, 9].map((id) => alert(id, { source_url: null })),
  ];
  const messages = [
    message(1),
    message(2, { state: 'dead', reason: 'Timeout', detail: 'no answer', resendable: true, ended_at: null }),
    message(3, { state: 'dead', reason: 'Odd', event: 'resolved' }),
    message(4, { state: 'pending', attempts: 0, ended_at: null }),
    message(5, { state: 'pending', attempts: 2, reason: 'RateLimited', next_attempt_at: inMinutes(5), ended_at: null }),
    message(6, { state: 'accepted' }),
    message(7, { state: 'dropped', event: 'verdict' }),
  ];
  const pods = Array.from({ length: 10 }, (_, index) => aShownFailure({ id: 200 + index, pod_name: `web-${index + 2}` }));
  const similar = Array.from({ length: 6 }, (_, index) =>
    anIncident({ id: 30 + index, failure_id: 300 + index, workload: { kind: 'Job', name: `job-${index}` } }),
  );
  const hidden_by = {
    name: 'known',
    namespace: 'podmend',
    reason: 'a known fault',
    expires_at: inMinutes(180),
    why: 'the only one',
    others: [],
  };
  const { page, shows, nextSent, read } = await open(
    {
      ...failing({ alerts, hidden_by }),
      ...diagnosed([anOffer()], { changed: { since: 'since `v1`', lines: ['image: `a` → `b`'] } }),
      'GET /api/pods/failed/101/notifications': messages,
      'GET /api/pods/failed': [aShownFailure(), aShownFailure({ id: 250, incident_id: 99, pod_name: 'other' }), ...pods],
      'GET /api/incidents': incidentPage([anIncident(), ...similar]),
      'GET /api/suppressions': [
        { name: 'known', namespace: 'other', ticket: 'no' },
        { name: 'known', namespace: 'podmend', ticket: 'https://tickets.example/7' },
      ],
      'POST /api/admin/notifications/ops/deliveries/2/resend': new Reply(202, {}),
    },
    'admin',
  );
  const region = (name: string) => page.getByRole('region', { name });
  await shows(
    '10 other pods fail alike',
    'Also CrashLoopBackOff',
    '9 alerts',
    'Who was told',
    'Hidden by known: a known fault'.slice(0, 9),
  );
  assert.is(await textOf(region('What changed')), 'What changed since v1 image: a → b');
  const lines = await textsOf(region('Alerts').getByRole('listitem'));
  assert.is(lines.length, 8);
  assert.equal(lines.slice(0, 2), ['firing Alert1 30 minutes ago Sum 1', 'resolved Alert2 4 minutes ago Sum 2']);
  assert.equal(await textsOf(region('Alerts').getByRole('link')), ['Alert1']);
  assert.is(await textOf(region('Alerts').locator('> p')), 'and 1 more');
  assert.equal(await textsOf(region('Who was told').locator('> ul > li')), [
    'Delivered ops Began · 10 minutes ago',
    'Not sent ops Began · 20 minutes ago Timeout: it did not answer in time. no answer Send again',
    'Not sent ops Ended · 10 minutes ago Odd: it did not arrive. Its incident is over.',
    'Waiting ops Began · 20 minutes ago',
    'Trying again ops Began · 20 minutes ago RateLimited: it gets too many messages. The next try is in 5 minutes.',
    'Accepted ops Began · 10 minutes ago',
  ]);
  await region('Who was told').getByText('1 earlier messages').click();
  assert.is(await textOf(region('Who was told').locator('details li')), 'Dropped ops Verdict · 10 minutes ago');
  await region('Who was told').getByRole('button', { name: 'Send again' }).click();
  assert.equal(await nextSent(), ['POST /api/admin/notifications/ops/deliveries/2/resend']);
  assert.equal(
    await textsOf(region('Pods that fail in the same way').getByRole('link')),
    pods.slice(0, 8).map(({ pod_name }) => pod_name),
  );
  assert.is(await textOf(region('Pods that fail in the same way').locator('> p')), 'and 2 more');
  assert.equal(
    await textsOf(region('Similar incidents').getByRole('listitem')),
    [0, 1, 2, 3, 4].map((index) => `job-${index} shop`),
  );
  assert.is(
    await textOf(region('Suppression')),
    'Suppression Hidden by known: a known fault ends in 3 hours · https://tickets.example/7 · the only one',
  );
  const asked = new Set(read());
  for (const path of [
    '/api/pods/failed?namespace=shop&reason=CrashLoopBackOff&limit=100',
    '/api/incidents?list=active&reason=CrashLoopBackOff&limit=6',
  ])
    assert.ok(asked.has(`GET ${path}`), [...asked].join('\n'));
  const one = await open({
    ...failing({ alerts: alerts.slice(0, 1), hidden_by: { ...hidden_by, expires_at: null } }),
    'GET /api/pods/failed': pods.slice(0, 1),
    'GET /api/suppressions': [{ name: 'known', namespace: 'podmend', ticket: 'OPS-7' }],
  });
  await one.shows('heading "An alert"', 'heading "Another pod fails alike"', 'without an end', '· OPS-7 · the only one');
});

test('a failure is suppressed after a count, and not at all when it is resolved', async () => {
  const { page, shows, nextSent, sent, readAgain } = await open({
    'POST /api/suppressions/preview': { newly_hidden: 1 },
    'POST /api/suppressions': { name: 'new-one' },
    'DELETE /api/suppressions/new-one': new Reply(204),
    'GET /api/suppressions': [],
  });
  await page.getByRole('button', { name: 'Suppress…' }).click();
  await shows('Hides one open failure now, and those of the same kind that come.');
  const form = page.getByRole('form', { name: 'Suppress' });
  await form.getByLabel('Why').fill('known');
  await page.reload();
  await until(async () => (await form.getByLabel('Why').inputValue()) === 'known', { what: 'the draft' });
  await shows('Hides one open failure now');
  sent();
  await form.getByRole('button', { name: 'Suppress' }).click();
  const [line = ''] = await nextSent();
  const { reason, ttl_seconds, match } = JSON.parse(line.replace('POST /api/suppressions ', '')) as Record<string, unknown>;
  assert.equal([reason, ttl_seconds], ['known', 604_800]);
  assert.equal((match as Record<string, unknown>)['failure_reasons'], ['CrashLoopBackOff']);
  await shows('web: suppressed');
  await page.getByRole('button', { name: 'Undo' }).click();
  assert.equal(await nextSent(), ['DELETE /api/suppressions/new-one']);
  await readAgain('/api/pods/failed/101');
  await page.getByRole('button', { name: 'Suppress…' }).click();
  assert.is(await form.getByLabel('Why').inputValue(), '');
  await form.getByLabel('Why').fill('other');
  await form.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Suppress…' }).waitFor();
  const over = await open(failing({ status: 'resolved' }));
  await over.shows('Nothing hides it.');
});

test('the history lists earlier incidents of the same workload, and an administrator reads the prompt', async () => {
  const earlier = [
    anIncident({
      id: 5,
      failure_id: 55,
      resolved_at: minutesAgo(100),
      first_seen: minutesAgo(200),
      verdict: { verdict: 'Fixed' } as never,
    }),
    anIncident({ id: 11 }),
    anIncident({ id: 6, workload: { kind: 'Deployment', name: 'website' } }),
  ];
  const { page, shows, read } = await open({ 'GET /api/incidents': incidentPage(earlier) }, 'admin', '?tab=history');
  await shows('list "Earlier incidents of web"');
  assert.equal(await textsOf(page.getByRole('list', { name: 'Earlier incidents of web' }).getByRole('listitem')), [
    'The program ends with exit code 1 CrashLoopBackOff · began 3 hours ago, resolved 1 hour ago · Fixed',
  ]);
  assert.ok(read().includes('GET /api/incidents?list=resolved&namespace=shop&q=web&sort=last_seen&limit=50'));
  const none = await open({}, 'write', '?tab=history');
  await none.shows('Nothing of this workload failed before');
  const prompt = {
    system: 'Be brief.',
    user: 'It fails.',
    configured: true,
    provider: 'acme',
    model: 'm-1',
    url: 'https://m',
    cached: true,
  };
  const configured = await open({ 'GET /api/pods/failed/101/prompt': prompt }, 'admin', '?tab=prompt');
  await configured.shows(
    'm-1 of acme would get this at https://m. An answer to it is kept: nothing would be sent now. Secrets are masked.',
  );
  assert.is(await textOf(page.getByRole('region', { name: 'Instructions' })), 'Instructions Copy Be brief.');
  assert.is(await textOf(page.getByRole('region', { name: 'About this failure' })), 'About this failure Copy It fails.');
  const unset = await open({ 'GET /api/pods/failed/101/prompt': { ...prompt, configured: false, cached: false } }, 'admin', '?tab=prompt');
  const shown = await unset.shows('No model is configured, so nothing is sent. A model would get this. Secrets are masked.');
  assert.not.ok(shown.includes('An answer to it is kept'));
  const writer = await open({}, 'write', '?tab=prompt');
  await writer.shows('tab "Events (0)" [selected]');
});

if (chromium) test.run();
