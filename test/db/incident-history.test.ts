import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository, type ReportRow } from '../../src/db/failure-reports.ts';
import { type HistoryQuery, incidentHistoryRepository } from '../../src/db/incident-history.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { userRepository } from '../../src/db/users.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const NOW = new Date('2026-05-10T12:00:00Z');
const ago = (hours: number): Date => new Date(NOW.getTime() - hours * 3_600_000);
const SCOPE = { namespaces: '*' as const, hidden: [] as string[] };

for (const engine of engines('incident history')) {
  const store = await engine.open();
  const { db } = store;
  const history = incidentHistoryRepository(db);
  const test = suite(`incident history on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['users', 'trials', 'failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  let count = 0;
  /** An incident of the workload that began so many hours ago, and ended unless `end` is undefined. Returns the id of its record. */
  const incident = async (name: string, begin: number, end?: number, over: Partial<ReportRow> = {}): Promise<number> => {
    const pod = `${name}-${++count}`;
    const row = { pod_name: pod, identity: pod, pod_uid: pod, owner: `Deployment/${name}`, now: ago(begin).toISOString() };
    const [stored] = await reportRepository(db).store([aReportRow({ ...row, ...over })]);
    if (end !== undefined) await failureRepository(db).close([stored!.record.id], ago(end));
    return stored!.record.id;
  };
  const workloads = (over: Partial<HistoryQuery> = {}) => history.workloads({ days: 3, limit: 10, scope: SCOPE, now: NOW, ...over });
  const names = async (over: Partial<HistoryQuery> = {}) => (await workloads(over)).workloads.map(({ name }) => name);

  test('a workload has its incidents, how long they lasted, why, and when they began', async () => {
    await incident('web', 100, 90, { failure_reason: 'TooEarly' });
    await incident('web', 70, 65, { suppressed_by: 'quiet' });
    await incident('web', 60, 58);
    await incident('web', 47, 46, { failure_reason: 'OOMKilled' });
    await incident('web', 30, 24, { failure_reason: 'OOMKilled' });
    await incident('web', 5);
    assert.equal(await workloads(), {
      total: 1,
      workloads: [
        {
          ...{ namespace: 'shop', kind: 'Deployment', name: 'web', incidents: 4, open: 1, last_opened: ago(5).toISOString() },
          ...{ median_seconds: 2 * 3600, longest_seconds: 6 * 3600, reasons: ['CrashLoopBackOff', 'OOMKilled'], trend: [1, 2, 1] },
        },
      ],
    });
    const [longer] = (await workloads({ days: 5 })).workloads;
    assert.equal([longer?.incidents, longer?.trend], [5, [1, 0, 1, 2, 1]]);
  });

  test('an incident that began before these days and ended in them counts, and begins on none of them', async () => {
    await incident('web', 100, 10);
    const [one] = (await workloads()).workloads;
    assert.equal([one?.incidents, one?.trend], [1, [0, 0, 0]]);
    await incident('api', 100);
    assert.equal((await names()).toSorted(), ['api', 'web']);
    await incident('old', 100, 72);
    assert.equal((await names()).toSorted(), ['api', 'web']);
  });

  test('those that failed most often come first, then those that failed last, and every filter narrows them', async () => {
    for (const begin of [40, 30]) await incident('often', begin, begin - 1);
    await incident('late', 1);
    await incident('early', 20, 19);
    await incident('pay', 10, 9, { namespace: 'bank' });
    await incident('quiet', 1, undefined, { suppressed_by: 'quiet' });
    assert.equal(await names(), ['often', 'late', 'pay', 'early']);
    assert.equal(await names({ limit: 2 }), ['often', 'late']);
    assert.is((await workloads({ limit: 2 })).total, 4);
    assert.equal(await names({ namespace: 'bank' }), ['pay']);
    assert.equal(await names({ owner: 'Deployment/late' }), ['late']);
    assert.equal(await names({ q: 'OFT' }), ['often']);
    assert.equal(await names({ scope: { namespaces: '*', hidden: ['shop'] } }), ['pay']);
    assert.equal(await workloads({ namespace: 'nowhere' }), { total: 0, workloads: [] });
  });

  test('five reasons at most are named, the most frequent ones first, equal ones by name', async () => {
    for (const failure_reason of ['F', 'E', 'D', 'C', 'B', 'A', 'F']) await incident('web', 5, 4, { failure_reason });
    assert.equal((await workloads()).workloads[0]?.reasons, ['F', 'A', 'B', 'C', 'D']);
  });

  test('the incidents of a workload are listed with their newest record and verdict, newest first', async () => {
    const first = await incident('web', 20, 10, { container: '' });
    const second = await incident('web', 5);
    await incident('api', 4);
    const shown = { reason_before: null, reason_after: null, shown_before: null, shown_after: null };
    for (const [mirror_id, verdict, hours] of [
      ['a', 'StillFailing', 15],
      ['b', 'Fixed', 14],
    ] as const) {
      await trialRepository(db).insert({
        ...{ mirror_id, failure_id: first, verdict: null, ...shown, origin: 'Rules', changes: [], started_at: ago(hours) },
      });
      await trialRepository(db).update(mirror_id, { verdict, reason_after: null });
    }
    const list = await history.incidents({ owner: 'Deployment/web', days: 3, limit: 10, scope: SCOPE, now: NOW });
    assert.equal(
      list.map(({ id: _, ...rest }) => rest),
      [
        {
          ...{ container: 'app', reason: 'CrashLoopBackOff', failure_id: second, pods: 1 },
          ...{ opened_at: ago(5).toISOString(), closed_at: null, verdict: null },
        },
        {
          ...{ container: null, reason: 'CrashLoopBackOff', failure_id: first, pods: 1 },
          ...{ opened_at: ago(20).toISOString(), closed_at: ago(10).toISOString(), verdict: 'Fixed' },
        },
      ],
    );
    assert.equal(await history.incidents({ owner: 'Deployment/none', days: 3, limit: 10, scope: SCOPE, now: NOW }), []);
  });

  test('the overview counts what began and ended in the last 24 hours, hour by hour', async () => {
    const nothing = await history.overview({ scope: SCOPE, now: NOW });
    assert.equal([nothing.hasIncident, nothing.hasTrial, nothing.users, nothing.new_24h, nothing.resolved_24h], [false, false, 0, 0, 0]);
    const web = await incident('web', 23.5, 0.5);
    await incident('api', 1.5);
    await incident('old', 30, 2.5);
    await incident('older', 30, 25);
    await incident('quiet', 1, undefined, { suppressed_by: 'quiet' });
    await incident('pay', 3.5, undefined, { namespace: 'bank' });
    await userRepository(db).insert({ username: 'ada', password_hash: null, role: 'read', external_id: null, created_at: NOW });
    const shown = { reason_before: null, reason_after: null, shown_before: null, shown_after: null };
    await trialRepository(db).insert({
      ...{ mirror_id: 'm', failure_id: web, verdict: null, ...shown, origin: 'Rules', changes: [], started_at: NOW },
    });
    const { hours, ...counts } = await history.overview({ scope: SCOPE, now: NOW });
    assert.equal(counts, { new_24h: 3, resolved_24h: 2, hasIncident: true, hasTrial: true, users: 1 });
    assert.equal(
      hours.map(({ from }) => from),
      Array.from({ length: 24 }, (_, index) => ago(24 - index).toISOString()),
    );
    const at = (what: 'opened' | 'resolved') => hours.flatMap((hour, index) => Array<number>(hour[what]).fill(24 - index));
    assert.equal(
      [at('opened'), at('resolved')],
      [
        [24, 4, 2],
        [3, 1],
      ],
    );
    const bank = await history.overview({ namespace: 'bank', scope: SCOPE, now: NOW });
    assert.equal([bank.new_24h, bank.hasTrial], [1, true]);
    const hidden = await history.overview({ scope: { namespaces: '*', hidden: ['shop'] }, now: NOW });
    assert.equal([hidden.new_24h, hidden.hasIncident, hidden.hasTrial], [1, true, false]);
  });

  test.run();
}
