import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { History, OneWorkloadHistory, Overview, WorkloadHistory } from '../../../src/contract/incident.ts';
import { anIncident, minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { cannedDashboard, refuse, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The overview and the history of workloads with given answers.

const chromium = chromiumFor('the overview and the history with given answers');
const test = suite('the overview and the history');
const dashboard = cannedDashboard(test, chromium);

const proven = anIncident({ id: 1, failure_id: 91, workload: { kind: 'Job', name: 'tax' }, verdict: { verdict: 'Fixed' } as never });
const STEPS = ['agent', 'failure', 'mirror', 'people', 'model'] as const;
const OVERVIEW: Overview = {
  at: minutesAgo(0),
  totals: { active: 3, ignored: 2, suppressed: 1, resolved: 0 },
  new_24h: 4,
  resolved_24h: 1,
  hours: Array.from({ length: 24 }, (_, hour) => ({
    from: new Date(Date.UTC(2026, 0, 5, hour)).toISOString(),
    opened: hour,
    resolved: hour === 3 ? 2 : 0,
  })),
  proven: [proven],
  proven_total: 1,
  newest: [proven, anIncident({ restarts: 1234 }), anIncident({ id: 12, failure_id: 102, namespace: 'back' })],
  worst: [anIncident({ id: 13, restarts: 1 })],
  agents: { nodes: 2, pods: 1, silent: [] },
  setup: STEPS.map((step) => ({ step, done: true })),
};
const NOTHING: Partial<Overview> = {
  totals: { active: 0, ignored: 0, suppressed: 0, resolved: 0 },
  proven: [],
  newest: [],
  worst: [],
  proven_total: 0,
};
const open = (over: Partial<Overview>, search = '') =>
  dashboard.open(`/overview${search}`, { 'GET /api/overview': { ...OVERVIEW, ...over } });

test('the figures, the proven incidents, the others, and the last day by the hour', async () => {
  const { page, shows } = await open({});
  await shows('img "The last 24 hours by the hour: 4 new incidents, 1 resolved"', '4 new, 1 resolved', '/url: /incidents/102');
  const figures = page.locator('dl > div');
  assert.equal(await textsOf(figures), [
    'Open incidents 3 2 dismissed, 1 suppressed',
    'New in 24 hours 4',
    'Proven, not yet taken 1',
    'Nodes watched 2 1 pod',
  ]);
  const tones = await figures.evaluateAll((all: { getAttribute(name: string): string | null }[]) =>
    all.map((one) => one.getAttribute('data-tone')),
  );
  assert.equal(tones, ['bad', null, 'good', null]);
  assert.is(await figures.getByRole('link').getAttribute('href'), '/incidents');
  const lines = (name: string) => textsOf(page.getByRole('region', { name, exact: true }).getByRole('listitem'));
  assert.equal(await lines('Proven, not yet taken'), ['tax shop The program ends with exit code 1 Fixed']);
  assert.equal(await lines('Other open incidents'), [
    ...['web shop The program ends with exit code 1 1,234 restarts · 5 min', 'web back The program ends with exit code 1 5 min'],
  ]);
  assert.is(await page.getByRole('region', { name: 'Other open incidents' }).getByRole('link', { name: 'All incidents' }).count(), 1);
  assert.is(await page.locator('[title="Job tax in shop"]').count(), 1);
  const titles = await page.locator('main svg g title').allTextContents();
  assert.is(titles.length, 24);
  assert.ok(titles[3]?.startsWith('3 new, 2 resolved in the hour from 5 Jan 2026, 03:00:00'), titles[3]);
  assert.ok((await textOf(page.getByRole('region', { name: 'Last 24 hours' }))).endsWith('00:00 new resolved now'));
  // Every bar has the height of its share: 23 is the most.
  const heights = await page
    .locator('main svg g')
    .evaluateAll((all: { querySelectorAll(what: string): Iterable<{ getAttribute(name: string): string }> }[]) =>
      [0, 1, 23, 3].map((index) =>
        [...(all[index]?.querySelectorAll('rect') ?? [])].slice(1).map((one) => Math.round(Number(one.getAttribute('height')))),
      ),
    );
  assert.equal(heights, [
    [0, 0],
    [2, 0],
    [28, 0],
    [4, 2],
  ]);
  assert.is(await page.getByRole('region', { name: 'First steps' }).count(), 0);
});

test('of many incidents it shows the newest and those with most restarts', async () => {
  const { page, shows } = await open({ totals: { ...OVERVIEW.totals, active: 1500 }, proven: [], proven_total: 7 });
  await shows('link "All 1,500 incidents"', 'heading "Most restarts"', 'heading "Newest incidents"');
  assert.equal(await textsOf(page.getByRole('region', { name: 'Most restarts' }).getByRole('listitem')), [
    'web shop The program ends with exit code 1 1 restart',
  ]);
  const { shows: showsMore } = await open({ proven_total: 7 });
  await showsMore('1 of 7');
  const { shows: showsOpen } = await open({ proven: [], proven_total: 0 });
  await showsOpen('heading "Open incidents"');
});

test('while nothing fails it says what is watched', async () => {
  for (const [text, over, search = ''] of [
    ['Nothing fails. 1 pod on 2 nodes are watched. A failing pod appears here within seconds. 1 incident ended in the last 24 hours.', {}],
    [
      'Nothing fails in shop. 20 pods on 1 node are watched. A failing pod appears here within seconds.',
      { agents: { nodes: 1, pods: 20, silent: [] }, resolved_24h: 0 },
      '?namespace=shop',
    ],
    [
      'Nothing fails. No agent reports, so Podmend sees only pods without a node. Install the agent on every node.',
      { agents: { nodes: 0, pods: 0, silent: [] } },
    ],
  ] as [string, Partial<Overview>, string?][]) {
    const { page, read } = await open({ ...NOTHING, ...over }, search);
    await page.getByText('Nothing fails').waitFor();
    assert.ok((await textOf(page.getByRole('main'))).includes(text), await textOf(page.getByRole('main')));
    const tones = await page
      .locator('dl > div')
      .evaluateAll((all: { getAttribute(name: string): string | null }[]) => all.map((one) => one.getAttribute('data-tone')));
    assert.equal(tones, ['good', null, null, over.agents?.nodes === 0 ? 'bad' : null]);
    assert.ok(read().includes(`GET /api/overview${search}`));
  }
});

test('silent agents are named, ten of many, and first steps that are not done say how', async () => {
  const silent = Array.from({ length: 12 }, (_, index) => ({ node: `n${index + 1}`, last_seen: minutesAgo(7) }));
  const { page, shows } = await open({
    agents: { nodes: 3, pods: 9, silent },
    setup: STEPS.map((step) => ({ step, done: step === 'agent' })),
  });
  await shows('12 agents are silent', '1 of 5 done');
  assert.ok(
    (await textOf(page.getByRole('main'))).includes(
      'n1 was last heard of 7 minutes ago. Also: n2, n3, n4, n5, n6, n7, n8, n9, n10, n11 and others. The operator watches these nodes itself, with less evidence.',
    ),
  );
  assert.ok((await textOf(page.locator('dl'))).endsWith('Nodes watched 3 12 silent'));
  assert.equal(await textsOf(page.getByRole('region', { name: 'First steps' }).getByRole('listitem')), [
    'An agent reports · done',
    'A failure was seen As soon as a pod fails, it is listed under Incidents.',
    'A correction was tried on a mirror Open an incident, choose a correction, then “Try it”.',
    'Others were invited An administrator adds users with a role: read, write or admin.',
    'A language model is set up (optional) The rules explain failures without one.',
  ]);
  const one = await open({
    agents: { nodes: 3, pods: 9, silent: silent.slice(0, 2) },
    setup: STEPS.map((step) => ({ step, done: !['model', 'people'].includes(step) })),
  });
  await one.shows('2 agents are silent');
  assert.ok((await textOf(page.getByRole('main'))).includes('Also: n2. The'));
  assert.is(await page.getByRole('region', { name: 'First steps' }).count(), 0, 'people and a model are optional');
  const single = await open({ agents: { nodes: 3, pods: 9, silent: silent.slice(0, 1) } });
  await single.shows('An agent is silent');
  const broken = await dashboard.open('/overview', { 'GET /api/overview': refuse(403, 'Not you') });
  await broken.shows('alert', 'Not you', 'button "Try again"');
});

const WORKLOAD: WorkloadHistory = {
  ...{
    namespace: 'shop',
    kind: 'Deployment',
    name: 'web',
    incidents: 5,
    open: 2,
    last_opened: minutesAgo(70),
    median_seconds: 90,
    longest_seconds: 12_600,
  },
  ...{ reasons: ['OOMKilled', 'Error'], trend: [0, 1, 0, 2] },
};

test('the history counts incidents, how many are open, and how long they lasted', async () => {
  const history: History = {
    days: 30,
    total: 9,
    workloads: [
      WORKLOAD,
      { ...WORKLOAD, name: 'api', incidents: 1, open: 1, median_seconds: null, longest_seconds: null },
      { ...WORKLOAD, name: 'job', open: 0, longest_seconds: 172_800 },
    ],
  };
  const { page, shows, address, read } = await dashboard.open('/history', {
    'GET /api/history/workloads': history,
    'GET /api/history/workloads/shop/Deployment/web': {
      ...WORKLOAD,
      days: 7,
      list: [
        {
          id: 1,
          container: 'app',
          reason: 'Error',
          failure_id: 101,
          pods: 2,
          opened_at: '2026-01-01T00:00:00Z',
          closed_at: '2026-01-01T00:00:45Z',
          verdict: 'Fixed',
        },
        { id: 2, container: null, reason: 'OOMKilled', failure_id: 102, pods: 1, opened_at: minutesAgo(3), closed_at: null, verdict: null },
      ],
    } satisfies OneWorkloadHistory,
  });
  await shows(
    'region "Workloads by number of incidents"',
    'img "web: 3 incidents began in 30 days"',
    'The first 3 of 9 workloads. Search to see others.',
  );
  assert.equal(await textsOf(page.getByRole('row')), [
    'Workload Incidents Time to resolve Longest Last Trend',
    'web shop · OOMKilled, Error 5, 2 open 1.5 min 3.5 h 1 hour ago',
    'api shop · OOMKilled, Error 1 open – – 1 hour ago',
    'job shop · OOMKilled, Error 5 1.5 min 2 d 1 hour ago',
  ]);
  assert.ok(read().includes('GET /api/history/workloads?days=30'));
  await page.getByText('7 days', { exact: true }).click();
  await page.getByLabel('Search workloads').fill('we');
  await until(() => address() === '?days=7&q=we', { what: () => address() });
  await until(() => read().includes('GET /api/history/workloads?days=7&q=we'), { what: 'the narrowed history' });
  await page.getByRole('link', { name: 'web' }).click();
  await shows('heading "History of web"', 'Deployment in shop', 'region "Incidents of the workload"', '/url: /incidents/101');
  assert.ok(read().includes('GET /api/history/workloads/shop/Deployment/web?days=7'));
  assert.ok(
    (await textOf(page.getByRole('main'))).includes(
      '5 incidents in 7 days, 2 open. Half were over within 1.5 min; the longest took 3.5 h.',
    ),
  );
  assert.equal(await textsOf(page.getByRole('row')), [
    'Reason Container Pods Began Took Verdict',
    (await textsOf(page.getByRole('row')))[1],
    'OOMKilled – 1 3 minutes ago open –',
  ]);
  assert.match((await textsOf(page.getByRole('row')))[1] ?? '', /^Error app 2 .* ago 45 s Fixed$/);
  await page.getByRole('button', { name: 'All workloads' }).click();
  await until(() => address() === '?days=7&q=we', { what: () => address() });
  await page.getByText('30 days', { exact: true }).click();
  await until(() => address() === '?q=we', { what: () => address() });
});

test('an empty history says for which days, or that nothing matches', async () => {
  const answers = { 'GET /api/history/workloads': { days: 90, total: 0, workloads: [] } };
  const { shows } = await dashboard.open('/history?days=90', answers);
  await shows('Nothing failed in the last 90 days.', 'Incidents stay here when they are over, until retention deletes them.');
  const { shows: showsOther, read } = await dashboard.open('/history?days=12&q=x&namespace=shop', answers);
  await showsOther('No workload matches “x”.');
  assert.ok(read().includes('GET /api/history/workloads?days=30&q=x&namespace=shop'));
});

if (chromium) test.run();
