import { sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { History, OneWorkloadHistory, Overview } from '../../src/contract/incident.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

// The overview and the history of workloads. The test sends reports as agents do.

const [MINUTE_MS, HOUR_MS, DAY_MS] = [60_000, 3_600_000, 86_400_000];

let it: TestApp;
const test = suite('history');
test.before(async () => {
  it = await testApp();
});
test.before.each(async () => {
  for (const table of ['failures', 'incidents', 'agents'] as const) await it.store.db.deleteFrom(table).execute();
});
test.after(() => it.close());

async function report(name: string, over: Partial<FailureReport> = {}): Promise<number> {
  const payload = aFailureReport({ pod_name: `${name}-1`, pod_uid: `uid-${name}`, workload: { kind: 'Deployment', name }, ...over });
  const answer = await it.send('service', { method: 'POST', url: '/api/pods/failed', payload });
  assert.ok(answer.statusCode < 300, answer.body);
  return answer.json<{ id: number }>().id;
}

async function recover(name: string, namespace = 'shop'): Promise<void> {
  const pods = [{ namespace, pod_name: `${name}-1` }];
  await it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload: { pods, reason: 'recovered' } });
}

/** A failure that lasted `ms` and is over. */
async function passed(name: string, ms: number, over: Partial<FailureReport> = {}): Promise<void> {
  await report(name, over);
  it.advance(ms);
  await recover(name, over.namespace);
}

async function ask<T>(url: string): Promise<T> {
  const answer = await it.send('read', { url });
  assert.is(answer.statusCode, 200, answer.body);
  return answer.json<T>();
}
const overview = (query = '') => ask<Overview>(`/api/overview${query}`);

test('before the first failure, the overview says what is watched and what to do first', async () => {
  const { at, hours, ...rest } = await overview();
  assert.ok(Date.parse(at) > 0);
  assert.is(hours.length, 24);
  assert.equal([...new Set(hours.map(({ opened, resolved }) => opened + resolved))], [0]);
  assert.equal(rest, {
    totals: { active: 0, ignored: 0, suppressed: 0, resolved: 0 },
    new_24h: 0,
    resolved_24h: 0,
    proven: [],
    proven_total: 0,
    newest: [],
    worst: [],
    agents: { nodes: 0, pods: 0, silent: [] },
    setup: ['agent', 'failure', 'mirror', 'people', 'model'].map((step) => ({ step, done: step === 'people' })),
  });
});

test('what fails in a hidden namespace is no first step', async () => {
  const none = { shown_before: null, shown_after: null, reason_before: null, reason_after: null, changes: [], verdict: null };
  const id = await report('spy', { namespace: 'hidden' });
  await trialRepository(it.store.db).insert({ mirror_id: 'spy', failure_id: id, ...none, origin: 'Rules', started_at: it.deps.now() });
  const { setup } = await overview();
  assert.equal(
    setup.filter(({ done }) => done).map(({ step }) => step),
    ['people'],
  );
});

test('live agents are counted, silent ones are named', async () => {
  const beat = (node: string) =>
    it.send('service', {
      method: 'PUT',
      url: `/api/agents/${node}`,
      payload: { version: '1', pods: 30, failing: [], spooled: 0, dropped: 0 },
    });
  await beat('node-a');
  it.advance(10 * MINUTE_MS);
  await beat('node-b');
  const { agents, setup } = await overview();
  assert.equal([agents.nodes, agents.pods, agents.silent.map(({ node }) => node)], [1, 30, ['node-a']]);
  assert.is(setup.find(({ step }) => step === 'agent')?.done, true);
});

test('the last 24 hours by the hour: what began and what ended', async () => {
  await passed('old', MINUTE_MS);
  it.advance(25 * HOUR_MS);
  await report('web');
  it.advance(2 * HOUR_MS);
  await recover('web');
  await report('api');
  await report('quiet', { namespace: 'quiet' });
  await report('spy', { namespace: 'hidden' });
  it.advance(MINUTE_MS);
  const { hours, new_24h, resolved_24h, totals } = await overview();
  assert.equal([new_24h, resolved_24h], [2, 1]);
  assert.equal([hours.at(-3)?.opened, hours.at(-1)?.opened, hours.at(-1)?.resolved], [1, 1, 1]);
  assert.is(
    hours.reduce((sum, { opened }) => sum + opened, 0),
    2,
  );
  assert.equal(totals, { active: 1, ignored: 0, suppressed: 1, resolved: 2 });
  await report('other', { namespace: 'bank' });
  const bank = await overview('?namespace=bank');
  assert.equal([bank.new_24h, bank.resolved_24h, bank.totals], [1, 0, { active: 1, ignored: 0, suppressed: 0, resolved: 0 }]);
  assert.equal(
    bank.worst.map(({ workload }) => workload.name),
    ['other'],
  );
  const hidden = await overview('?namespace=hidden');
  assert.equal([hidden.new_24h, hidden.totals.active, hidden.worst.length], [0, 0, 0]);
  const absent = await overview(`?namespace=${encodeURIComponent("no\0'such")}`);
  assert.equal([absent.new_24h, absent.hours.length, absent.setup.find(({ step }) => step === 'failure')?.done], [0, 24, true]);
});

test('proven corrections wait until nothing of their incident fails; the newest and the worst are named', async () => {
  const id = await report('web', { container_statuses: [aCrash(9)] });
  await report('api', { container_statuses: [aCrash(2)] });
  const trials = trialRepository(it.store.db);
  const none = { shown_before: null, shown_after: null, reason_before: null, reason_after: null, changes: [], verdict: null };
  await trials.insert({ mirror_id: 'm', failure_id: id, ...none, origin: 'Rules', started_at: it.deps.now() });
  assert.is((await overview()).proven_total, 0);
  await trials.update('m', { verdict: 'Fixed', reason_after: null, strength: 'Strong' });
  const { proven, proven_total, newest, worst, setup } = await overview();
  assert.equal([proven_total, proven.map(({ workload }) => workload.name)], [1, ['web']]);
  assert.equal(
    [newest, worst].map((list) => list.map(({ workload }) => workload.name)),
    [
      ['api', 'web'],
      ['web', 'api'],
    ],
  );
  assert.equal(
    setup.filter(({ done }) => done).map(({ step }) => step),
    ['failure', 'mirror', 'people'],
  );
  await recover('web');
  assert.is((await overview()).proven_total, 0);
});

test('a workload that fails again and again is first, with its times and trend', async () => {
  await passed('gone', MINUTE_MS);
  // Moves the incident into the past. Advancing the clock would end the test's session.
  await sql`update incidents set opened_at = opened_at - interval '31 days', closed_at = closed_at - interval '31 days'`.execute(
    it.store.db,
  );
  await passed('web', 10 * MINUTE_MS);
  it.advance(DAY_MS);
  await passed('web', 20 * MINUTE_MS);
  it.advance(DAY_MS);
  await passed('web', 60 * MINUTE_MS, { failure_reason: 'OOMKilled' });
  await report('api');
  await report('quiet', { namespace: 'quiet' });
  await report('spy', { namespace: 'hidden' });
  const { workloads, total, days } = await ask<History>('/api/history/workloads');
  assert.equal([days, total, workloads.map(({ name }) => name)], [30, 2, ['web', 'api']]);
  const [web, api] = workloads;
  const { last_opened, trend, median_seconds, longest_seconds, ...rest } = web!;
  assert.equal(rest, {
    namespace: 'shop',
    kind: 'Deployment',
    name: 'web',
    incidents: 3,
    open: 0,
    reasons: ['CrashLoopBackOff', 'OOMKilled'],
  });
  assert.ok(Date.parse(last_opened) > 0);
  assert.ok(Math.abs((median_seconds ?? 0) - 1_200) < 60 && Math.abs((longest_seconds ?? 0) - 3_600) < 60);
  assert.is(trend.length, 30);
  assert.equal(trend.slice(-3), [1, 1, 1]);
  assert.equal([api?.open, api?.median_seconds, api?.longest_seconds], [1, null, null]);
  assert.is((await ask<History>('/api/history/workloads?days=1')).workloads.find(({ name }) => name === 'web')?.incidents, 1);
  assert.is((await ask<History>('/api/history/workloads?limit=1')).workloads.length, 1);
  assert.is((await ask<History>('/api/history/workloads?limit=1')).total, 2);
  assert.equal((await ask<History>('/api/history/workloads?q=AP')).total, 1);
  assert.equal((await ask<History>('/api/history/workloads?namespace=hidden')).total, 0);
});

test('one workload shows its incidents, newest first', async () => {
  await passed('web', 10 * MINUTE_MS);
  const id = await report('web');
  const one = await ask<OneWorkloadHistory>('/api/history/workloads/shop/Deployment/web?days=2');
  assert.equal([one.days, one.incidents, one.open, one.trend.length], [2, 2, 1, 2]);
  assert.equal(
    one.list.map(({ failure_id, closed_at, pods, reason, verdict }) => [failure_id === id, closed_at === null, pods, reason, verdict]),
    [
      [true, true, 1, 'CrashLoopBackOff', null],
      [false, false, 1, 'CrashLoopBackOff', null],
    ],
  );
});

for (const [path, detail] of [
  ['shop/Deployment/nobody', 'No incident of this workload is known'],
  ['hidden/Deployment/spy', 'No incident of this workload is known'],
  ['shop/Deployment/%00', 'No incident of this workload is known'],
]) {
  test(`the history of ${path} answers 404`, async () => {
    await report('spy', { namespace: 'hidden' });
    const answer = await it.send('read', { url: `/api/history/workloads/${path}` });
    assert.equal([answer.statusCode, answer.json()], [404, { detail }]);
  });
}

for (const query of ['days=0', 'days=91', 'days=1.5', 'limit=0', 'limit=1001', `q=${'x'.repeat(201)}`]) {
  test(`the history of ?${query.slice(0, 20)} answers 400`, async () => {
    assert.is((await it.send('read', { url: `/api/history/workloads?${query}` })).statusCode, 400);
  });
}

test.run();
