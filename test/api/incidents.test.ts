import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { IncidentPage } from '../../src/contract/incident.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';
import { assertRecent } from '../support/builders/recent-hours.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

// The list of incidents. The test sends reports as agents do, and reads the list as the dashboard does.

const MINUTE_MS = 60_000;

let it: TestApp;
const test = suite('incidents');
test.before(async () => {
  it = await testApp();
});
test.before.each(async () => {
  for (const table of ['failures', 'incidents'] as const) await it.store.db.deleteFrom(table).execute();
});
test.after(() => it.close());

/** Reports a failing pod of a workload. Returns the id of its record. */
async function report(pod: string, over: Partial<FailureReport> = {}): Promise<number> {
  const workload = { kind: 'Deployment', name: pod.replace(/-\w+$/, '') };
  const payload = aFailureReport({ pod_name: pod, pod_uid: `uid-${over.namespace ?? ''}-${pod}`, workload, ...over });
  const answer = await it.send('service', { method: 'POST', url: '/api/pods/failed', payload });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json<{ id: number }>().id;
}

async function ask(query = ''): Promise<IncidentPage> {
  const answer = await it.send('read', { url: `/api/incidents${query}` });
  assert.is(answer.statusCode, 200, answer.body);
  return answer.json<IncidentPage>();
}

const names = ({ incidents }: IncidentPage) => incidents.map(({ workload }) => workload.name);

async function tried(failure: number, verdict: string | null, { mirror = `m-${failure}`, ended = true } = {}): Promise<void> {
  const trials = trialRepository(it.store.db);
  const shown = { shown_before: null, shown_after: null, reason_before: null, reason_after: null };
  const started_at = it.deps.now();
  await trials.insert({ mirror_id: mirror, failure_id: failure, verdict: null, ...shown, origin: 'Rules', changes: [], started_at });
  if (verdict) await trials.update(mirror, { verdict, reason_after: null, strength: 'Strong' });
  if (ended) await trials.end(mirror, it.deps.now());
}

async function status(id: number, to: string): Promise<void> {
  const answer = await it.send('write', { method: 'PUT', url: `/api/pods/${id}/status`, payload: { status: to } });
  assert.is(answer.statusCode, 200, answer.body);
}

async function gone(pod: string, namespace = 'shop'): Promise<void> {
  await it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload: { pods: [{ namespace, pod_name: pod }] } });
}

test('nothing fails: an empty page that says so', async () => {
  assert.equal(await ask(), { incidents: [], total: 0, totals: { active: 0, ignored: 0, suppressed: 0, resolved: 0 } });
});

test('the pods of a workload are one entry, with the cause in one line', async () => {
  const logs = '==> app (previous) <==\nError: Cannot find module "express"\n';
  const first = await report('web-1', { container_statuses: [aCrash(3)], logs });
  it.advance(MINUTE_MS);
  await report('web-2', { container_statuses: [aCrash(4)], logs });
  const { incidents, total, totals } = await ask();
  assert.is(incidents.length, 1);
  const [{ id, first_seen, last_seen, cause, culprit, occurrences_24h, ...rest }] = incidents as [IncidentPage['incidents'][number]];
  assert.type(id, 'number');
  assertRecent(occurrences_24h, 2);
  assert.ok(Date.parse(last_seen) - Date.parse(first_seen) >= MINUTE_MS, `${first_seen} ${last_seen}`);
  const solution = (await it.send('read', { url: `/api/pods/failed/${first}` })).json<{ solution: string }>().solution;
  const said = /## What happened\n\n(.+)\n/.exec(solution)?.[1] ?? '';
  assert.is(cause, said.replaceAll('`', ''));
  assert.ok(cause.length > 20 && !cause.includes('\n'));
  assert.ok(culprit === null || solution.includes(`**Culprit:** \`${culprit}\``), String(culprit));
  assert.equal(rest, {
    cluster: 'test',
    namespace: 'shop',
    workload: { kind: 'Deployment', name: 'web' },
    container: 'app',
    list: 'active',
    status: 'new',
    failure_id: first,
    pod_name: 'web-1',
    reason: 'CrashLoopBackOff',
    pods: 2,
    restarts: 7,
    resolved_at: null,
    verdict: null,
    assignee: null,
    trying: false,
    suppressed_by: null,
  });
  assert.equal([total, totals.active], [1, 1]);
});

test('the focus is the pod that failed first, then the one that was tried, and stays when pods come', async () => {
  const [first, second] = [await report('web-1'), await report('web-2')];
  const focus = async () => (await ask()).incidents[0]?.failure_id;
  assert.is(await focus(), first);
  await tried(second, 'StillFailing');
  assert.is(await focus(), second, 'tried');
  await report('web-3');
  assert.is(await focus(), second);
  await gone('web-2');
  assert.is(await focus(), first, 'the tried one is gone');
});

test('the newest verdict is shown, and whether its correction is taken', async () => {
  const id = await report('web-1');
  await tried(id, 'StillFailing', { mirror: 'first' });
  it.advance(MINUTE_MS);
  await tried(id, null, { mirror: 'second', ended: false });
  const [running] = (await ask()).incidents;
  assert.equal([running?.verdict?.verdict, running?.trying], ['StillFailing', true]);
  it.advance(MINUTE_MS);
  await tried(id, 'Fixed', { mirror: 'third' });
  const verdict = async (query = '') => (await ask(query)).incidents[0]?.verdict;
  const { given_at, ...fixed } = (await verdict())!;
  assert.equal(fixed, { verdict: 'Fixed', strength: 'Strong', final: true, mirror_id: 'third', failure_id: id, taken: false });
  assert.ok(Date.parse(given_at) > 0);
  assert.is((await ask('?verdict=Fixed')).total, 1);
  for (const other of ['StillFailing', 'Inconclusive', 'none']) assert.is((await ask(`?verdict=${other}`)).total, 0, other);
  await gone('web-1');
  assert.is((await verdict('?list=resolved'))?.taken, true);
});

test('each incident is on one list: the most urgent one of its records', async () => {
  const [one] = [await report('web-1'), await report('web-2'), await report('job-1'), await report('quiet-1', { namespace: 'quiet' })];
  await report('old-1');
  await gone('web-2');
  await gone('old-1');
  const job = (await ask('?q=job')).incidents[0]?.failure_id ?? 0;
  await status(job, 'ignored');
  const lists = async () =>
    Promise.all(['active', 'ignored', 'suppressed', 'resolved'].map(async (list) => names(await ask(`?list=${list}`))));
  assert.equal(await lists(), [['web'], ['job'], ['quiet'], ['old']]);
  assert.equal((await ask()).totals, { active: 1, ignored: 1, suppressed: 1, resolved: 1 });
  assert.is((await ask()).incidents[0]?.pods, 1, 'what has recovered does not count');
  assert.is((await ask('?list=suppressed')).incidents[0]?.suppressed_by, 'keep-quiet');
  assert.ok((await ask('?list=suppressed')).incidents[0]?.cause, 'without a solution there is a cause too');
  assert.ok((await ask('?list=resolved')).incidents[0]?.resolved_at);
  await status(one, 'resolved');
  assert.equal((await lists())[3], ['old', 'web']);
});

test('one record under investigation makes the whole incident so', async () => {
  const [, second] = [await report('web-1'), await report('web-2')];
  await status(second, 'investigating');
  assert.is((await ask()).incidents[0]?.status, 'investigating');
  assert.equal([(await ask('?status=investigating')).total, (await ask('?status=new')).total], [1, 0]);
  assert.is((await ask('?status=ignored')).total, 0);
});

test('a status asks for its list', async () => {
  const id = await report('web-1');
  await status(id, 'ignored');
  assert.equal(names(await ask('?status=ignored')), ['web']);
  assert.equal(names(await ask('?status=ignored&list=active')), []);
});

test('filters look at namespace, reason and text, in any case; nothing hidden is ever shown', async () => {
  await report('web-1');
  await report('pay-1', { namespace: 'bank', failure_reason: 'OOMKilled', failure_message: 'killed for 100% of its memory' });
  await report('spy-1', { namespace: 'hidden' });
  for (const [query, expected] of [
    ['', ['pay', 'web']],
    ['?namespace=bank', ['pay']],
    ['?namespace=hidden', []],
    ['?namespace=', []],
    ['?reason=OOMKilled', ['pay']],
    ['?reason=oomkilled', []],
    ['?q=PAY-1', ['pay']],
    ['?q=100%25', ['pay']],
    ['?q=_', []],
    ['?q=deploy', []],
    ['?q=spy', []],
    [`?q=${'x'.repeat(200)}`, []],
    ['?q=%00', ['pay', 'web']],
  ] as [string, string[]][]) {
    assert.equal(names(await ask(query)).sort(), expected, query);
  }
  const [web] = (await ask('?namespace=shop')).incidents;
  assert.equal(names(await ask(`?q=${encodeURIComponent(web?.cause.slice(0, 60) ?? '')}`)), ['web'], 'the cause');
  assert.equal((await ask('?namespace=bank')).totals.active, 1);
  assert.equal((await ask()).totals.active, 2);
});

test('a workload is found by its name when its pods are called otherwise', async () => {
  await report('x-1', { workload: { kind: 'CronJob', name: 'nightly-report' } });
  await report('web-1');
  assert.equal(names(await ask('?q=nightly')), ['nightly-report']);
});

test('every sort pages through all of them once, in both directions', async () => {
  for (const [n, name] of ['delta', 'alpha', 'charlie', 'bravo', 'echo'].entries()) {
    it.advance(MINUTE_MS);
    await report(`${name}-1`, { container_statuses: [aCrash((n * 3) % 5)] });
    if (n % 2 === 0) await report(`${name}-2`, { container_statuses: [aCrash(1)] });
  }
  for (const sort of ['last_seen', 'first_seen', 'restarts', 'pods', 'name']) {
    const whole = (await ask(`?sort=${sort}&order=asc`)).incidents;
    assert.is(whole.length, 5);
    const values = whole.map((one) => (sort === 'name' ? one.workload.name : one[sort as 'pods']));
    assert.equal(
      values,
      values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0)),
      sort,
    );
    for (const order of ['asc', 'desc']) {
      const seen: number[] = [];
      for (let url: string | undefined = `/api/incidents?sort=${sort}&order=${order}&limit=2`; url;) {
        const answer = await it.send('read', { url });
        seen.push(...answer.json<IncidentPage>().incidents.map(({ id }) => id));
        assert.is(answer.json<IncidentPage>().total, 5, 'on each page');
        url = /<(.+)>; rel="next"/.exec(String(answer.headers.link ?? ''))?.[1];
      }
      const ids = whole.map(({ id }) => id);
      assert.equal(seen, order === 'asc' ? ids : ids.toReversed(), `${sort} ${order}`);
    }
  }
  assert.equal(names(await ask('?sort=name')), ['alpha', 'bravo', 'charlie', 'delta', 'echo'], 'names begin with a');
});

test('an answer that the caller already has is not sent again; a changed one is', async () => {
  const id = await report('web-1');
  const tag = async (known?: string) => {
    const answer = await it.send('read', { url: '/api/incidents', headers: known ? { 'if-none-match': known } : {} });
    return [answer.statusCode, String(answer.headers.etag), answer.body.length === 0] as const;
  };
  const [, first] = await tag();
  assert.equal(await tag(first), [304, first, true]);
  assert.equal(await tag(`W/${first}, "x"`), [304, first, true]);
  await status(id, 'investigating');
  assert.is((await tag(first))[0], 200);
  const [, second] = await tag();
  await report('quiet-1', { namespace: 'quiet' });
  assert.is((await tag(second))[0], 200, 'another list is longer');
});

test('a report may have any number of restarts', async () => {
  for (const [pod, count] of [
    ['big-1', 1e15],
    ['big-2', Number.MAX_SAFE_INTEGER],
    ['less-1', -3],
    ['none-1', null],
  ] as [string, number | null][])
    await report(pod, { container_statuses: [{ ...aCrash(1), restart_count: count }] });
  const restarts = new Map((await ask('?sort=restarts')).incidents.map((one) => [one.workload.name, one.restarts]));
  assert.equal(Object.fromEntries(restarts), { big: Number.MAX_SAFE_INTEGER, less: -3, none: 0 });
});

const REFUSED: [query: string, words: RegExp][] = [
  ['list=failed', /list/],
  ['status=open', /status/],
  ['verdict=fixed', /verdict/],
  ['sort=id', /sort/],
  ['order=down', /order/],
  ['limit=0', /limit/],
  ['limit=1001', /limit/],
  ['before=', /before/],
  ['before=5', /before/],
  ['before=e30', /before/],
  [`before=${Buffer.from('["name","x",1]').toString('base64url')}`, /before/],
  [`before=${Buffer.from('["first_seen","1e5",1]').toString('base64url')}`, /before/],
  [`before=${Buffer.from('["first_seen","1",1.5]').toString('base64url')}`, /before/],
  [`before=${'a'.repeat(1001)}`, /before/],
  [`q=${'x'.repeat(201)}`, /q/],
];
for (const [query, words] of REFUSED) {
  test(`?${query.slice(0, 60)} answers 400 and names it`, async () => {
    const answer = await it.send('read', { url: `/api/incidents?${query}` });
    assert.is(answer.statusCode, 400, answer.body);
    assert.match(answer.json<{ detail: string }>().detail, words);
  });
}

test('invalid names in the position of a page are no error', async () => {
  await report('web-1');
  const place = Buffer.from(JSON.stringify(['name', 'a\0\ud800', 1])).toString('base64url');
  assert.equal(names(await ask(`?sort=name&before=${place}`)), ['web']);
});

test.run();
