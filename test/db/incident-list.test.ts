import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { assigneeRepository } from '../../src/db/assignees.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository, type ReportRow } from '../../src/db/failure-reports.ts';
import { incidentListRepository, type IncidentPageQuery, type IncidentRows } from '../../src/db/incident-list.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { userRepository } from '../../src/db/users.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);

for (const engine of engines('incident list')) {
  const store = await engine.open();
  const { db } = store;
  const [failures, lists, trials] = [failureRepository(db), incidentListRepository(db), trialRepository(db)];
  const test = suite(`incident list on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['users', 'trials', 'failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  /** A failing pod of the workload `name`, with that many restarts, first and last seen at that minute. */
  const failing = async (name: string, minute = 0, restarts = 1, over: Partial<ReportRow> = {}) => {
    const pod = `${name}-${over.pod_name ?? minute}-${over.namespace ?? ''}`;
    const container_statuses = [
      { name: 'app', restart_count: restarts },
      { name: 'beside', restart_count: 100 },
    ];
    const row = {
      owner: `Deployment/${name}`,
      workload: { kind: 'Deployment', name },
      container_statuses,
      now: minutes(minute).toISOString(),
    };
    const [stored] = await reportRepository(db).store([aReportRow({ pod_name: pod, identity: pod, pod_uid: pod, ...row, ...over })]);
    return { id: stored!.record.id, incident: stored!.record.incident_id };
  };
  const SCOPE = { namespaces: '*' as const, hidden: [] as string[] };
  const page = async (over: Partial<IncidentPageQuery> = {}): Promise<IncidentRows> => {
    const query = { list: 'active', sort: 'first_seen', order: 'asc', limit: 100, scope: SCOPE, now: T0, ...over } as const;
    return JSON.parse(await lists.page(query)) as IncidentRows;
  };
  const names = async (over: Partial<IncidentPageQuery> = {}) => (await page(over)).incidents.map(({ owner }) => owner.split('/')[1]);
  const judged = async (failure_id: number, mirror_id: string, verdict: 'Fixed' | 'StillFailing' | null, minute = 0) => {
    const shown = { reason_before: null, reason_after: null, shown_before: null, shown_after: null };
    await trials.insert({ mirror_id, failure_id, verdict: null, ...shown, origin: 'Rules', changes: [], started_at: minutes(minute) });
    if (verdict) await trials.update(mirror_id, { verdict, reason_after: null, strength: 'Strong' });
  };

  test('each order sorts by its key, both ways, and equal ones by their id', async () => {
    await failing('Beta', 3, 5);
    await failing('alpha', 1, 7);
    await failing('alpha', 9, 1);
    await failing('gamma', 2, 5);
    const ORDERS: [sort: IncidentPageQuery['sort'], names: string[]][] = [
      ['first_seen', ['alpha', 'gamma', 'Beta']],
      ['last_seen', ['gamma', 'Beta', 'alpha']],
      ['restarts', ['Beta', 'gamma', 'alpha']],
      ['pods', ['Beta', 'gamma', 'alpha']],
      ['name', ['Beta', 'alpha', 'gamma']],
    ];
    for (const [sort, expected] of ORDERS) {
      assert.equal(await names({ sort }), expected, sort);
      assert.equal(await names({ sort, order: 'desc' }), expected.toReversed(), sort);
    }
  });

  test('pages follow each other in every order, without a gap and without a repeat', async () => {
    for (const [index, name] of ['e', 'a', 'd', 'b', 'c'].entries()) await failing(name, index % 2, index % 3);
    for (const sort of ['first_seen', 'last_seen', 'restarts', 'pods', 'name'] as const)
      for (const order of ['asc', 'desc'] as const) {
        const paged: (string | undefined)[] = [];
        let after: IncidentPageQuery['after'];
        for (;;) {
          const { incidents, total } = await page({ sort, order, limit: 2, after });
          assert.is(total, 5);
          paged.push(...incidents.map(({ owner }) => owner.split('/')[1]));
          const last = incidents.at(-1);
          if (!last || incidents.length < 2) break;
          after = { key: last.key, id: last.id };
        }
        assert.equal(paged, await names({ sort, order }), `${sort} ${order}`);
      }
  });

  test('an incident is on the most urgent list of its records, and counts once', async () => {
    const both = await failing('both', 0);
    await failing('both', 1);
    const ignored = await failing('ignored');
    const resolved = await failing('resolved');
    await failing('suppressed', 0, 1, { suppressed_by: 'quiet' });
    const over = await failing('over', 0, 1, { suppressed_by: 'quiet' });
    await failures.setStatus(ignored.id, 'ignored', T0);
    await failures.close([both.id, resolved.id, over.id], minutes(5));
    const totals = { active: 1, ignored: 1, suppressed: 1, resolved: 1 };
    for (const [list, expected] of [
      ['active', 'both'],
      ['ignored', 'ignored'],
      ['suppressed', 'suppressed'],
      ['resolved', 'resolved'],
    ] as const) {
      const found = await page({ list });
      assert.equal([found.incidents.map(({ owner }) => owner), found.total, found.totals], [[`Deployment/${expected}`], 1, totals], list);
    }
    const [one] = (await page()).incidents;
    assert.equal([one?.pods, one?.restarts, one?.is_closed], [1, 1, false], 'only the records of its list');
    const [ended] = (await page({ list: 'resolved' })).incidents;
    assert.equal([ended?.resolved_at, ended?.is_closed], [minutes(5).toISOString(), true]);
  });

  test('every filter narrows the page, and only the namespace narrows the totals', async () => {
    const web = await failing('web', 0, 1, { failure_reason: 'OOMKilled' });
    const api = await failing('api');
    await failing('pay', 0, 1, { namespace: 'bank' });
    await judged(web.id, 'old', 'Fixed', 0);
    await judged(web.id, 'new', 'StillFailing', 1);
    await judged(api.id, 'running', null);
    await failures.setStatus(api.id, 'investigating', T0);
    const ada = (await userRepository(db).insert({
      username: 'Ada',
      password_hash: null,
      role: 'write',
      external_id: null,
      created_at: T0,
    }))!;
    await assigneeRepository(db).assign(web.incident, 'ada');
    const FILTERS: [what: string, over: Partial<IncidentPageQuery>, names: string[]][] = [
      ['none', {}, ['api', 'pay', 'web']],
      ['namespace', { namespace: 'bank' }, ['pay']],
      ['reason', { reason: 'OOMKilled' }, ['web']],
      ['new', { status: 'new' }, ['pay', 'web']],
      ['investigating', { status: 'investigating' }, ['api']],
      ['a verdict', { verdict: 'StillFailing' }, ['web']],
      ['an older verdict', { verdict: 'Fixed' }, []],
      ['no verdict', { verdict: 'none' }, ['api', 'pay']],
      ['a user', { assignee: { id: ada.id } }, ['web']],
      ['another user', { assignee: { id: ada.id + 1 } }, []],
      ['a name in any case', { assignee: { name: 'ADA' } }, ['web']],
      ['another name', { assignee: { name: 'bob' } }, []],
      ['nobody', { assignee: 'none' }, ['api', 'pay']],
      ['visible namespaces', { scope: { namespaces: ['bank'], hidden: [] } }, ['pay']],
      ['hidden namespaces', { scope: { namespaces: '*', hidden: ['bank'] } }, ['api', 'web']],
    ];
    for (const [what, over, expected] of FILTERS) {
      const found = await page({ ...over, sort: 'name' });
      const shown = found.incidents.map(({ owner }) => owner.split('/')[1]);
      const isNarrow = over.namespace !== undefined || over.scope !== undefined;
      assert.equal([shown, found.total, found.totals.active], [expected, expected.length, isNarrow ? expected.length : 3], what);
    }
    const [one] = (await page({ reason: 'OOMKilled' })).incidents;
    const { verdict, strength, final, mirror_id, judged_id, given_at, trying, assignee } = one!;
    assert.equal(
      [verdict, strength, final, mirror_id, judged_id, trying, assignee],
      ['StillFailing', 'Strong', false, 'new', web.id, false, 'Ada'],
    );
    assert.is(given_at, minutes(1).toISOString());
    assert.equal([(await page({ status: 'investigating' })).incidents[0]?.trying, (await page({ limit: 2 })).total], [true, 3]);
  });

  test('a record without a container counts the restarts of all its containers', async () => {
    await failing('web', 0, 3, { container: null });
    assert.is((await page()).incidents[0]?.restarts, 103);
  });

  test('of very long messages the beginning is shown', async () => {
    await failing('web', 0, 1, { failure_message: 'm'.repeat(3_000), solution: 's'.repeat(3_000) });
    const [one] = (await page()).incidents;
    assert.equal([one?.failure_message.length, one?.what_happened?.length], [1_000, 1_000]);
  });

  test('active incidents are counted by namespace', async () => {
    await failing('web', 0);
    await failing('web', 1);
    await failing('api');
    await failing('pay', 0, 1, { namespace: 'bank' });
    await failing('quiet', 0, 1, { namespace: 'test', suppressed_by: 'quiet' });
    assert.equal(
      await lists.activeByNamespace(),
      new Map([
        ['shop', 2],
        ['bank', 1],
      ]),
    );
  });

  test.run();
}
