import type { Insertable } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingViews, incidentViews } from '../../src/db/notification-views.ts';
import type { AlertTable, FailureTable, FindingTable } from '../../src/db/schema.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);

for (const engine of engines('incidents in notifications')) {
  const store = await engine.open();
  const { db } = store;
  const [trials, reports] = [trialRepository(db), reportRepository(db)];
  const test = suite(`incidents in notifications on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['alerts', 'trials', 'failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  /** A record of the one incident of workload web. */
  const failure = async (pod_name: string, changes: Partial<FailureTable> = {}): Promise<number> => {
    const [stored] = await reports.store([aReportRow({ pod_name, identity: pod_name, pod_uid: pod_name })]);
    const { id } = stored!.record;
    if (Object.keys(changes).length > 0)
      await db
        .updateTable('failures')
        .set(changes as object)
        .where('id', '=', id)
        .execute();
    return id;
  };
  const view = async () => {
    const incidents = await db.selectFrom('incidents').select('id').execute();
    const views = await incidentViews(
      db,
      incidents.map(({ id }) => id),
    );
    assert.is(views.length, 1);
    return views[0]!;
  };

  test('counts the records that fail, and those among them that are neither hidden nor ignored', async () => {
    await failure('new', { occurrences: 3 });
    await failure('looked-at', { status: 'investigating', occurrences: 2 });
    await failure('ignored', { status: 'ignored', occurrences: 1 });
    await failure('hidden', { suppressed_by: 'quiet', occurrences: 1 });
    await failure('resolved', { status: 'resolved', occurrences: 1 });
    await failure('closed', { closed_at: minutes(1), occurrences: 1 });
    const { open, active, occurrences } = await view();
    assert.equal([open, active, occurrences], [4, 2, 9]);
  });

  test('speaks of the newest active record; without one, of the newest', async () => {
    const older = await failure('older', { last_seen: minutes(1) });
    const newer = await failure('newer', { last_seen: minutes(2) });
    await failure('hidden', { last_seen: minutes(3), suppressed_by: 'quiet' });
    await failure('closed', { last_seen: minutes(4), closed_at: minutes(4) });
    const ignored = await failure('ignored', { last_seen: minutes(5), status: 'ignored' });
    assert.is((await view()).recordId, newer);
    await db.updateTable('failures').set({ status: 'ignored' }).where('id', 'in', [older, newer]).execute();
    assert.is((await view()).recordId, ignored);
  });

  test('has the newest verdict, also while another mirror runs', async () => {
    const [web, other] = [await failure('web'), await failure('other')];
    assert.is((await view()).verdict, null);
    const shown = { reason_before: null, reason_after: null, shown_before: null, shown_after: null, origin: 'Rules', changes: [] };
    const begin = (mirror_id: string, failure_id: number, at: number) =>
      trials.insert({ mirror_id, failure_id, verdict: null, ...shown, started_at: minutes(at) });
    await begin('newest', other, 2);
    await begin('oldest', web, 1);
    await begin('runs', web, 3);
    await trials.update('newest', { verdict: 'Fixed', reason_after: null });
    await trials.update('oldest', { verdict: 'StillFailing', reason_after: null });
    assert.is((await view()).verdict?.verdict, 'Fixed');
  });

  test('has the alerts that fire, the newest first, and at most 100', async () => {
    await failure('web');
    const { id: incident_id } = await view();
    const alert = (n: number, status: 'firing' | 'resolved'): Insertable<AlertTable> => ({
      ...{ cluster: 'kubernetes', fingerprint: `f${n}`, starts_at: minutes(n), status, name: `alert-${n}`, severity: null, summary: '' },
      ...{ labels: '{}', annotations: '{}', namespace: 'shop', pod: null, owner: null, node: null, source_url: null },
      ...{ incident_id, first_seen: minutes(n), last_seen: minutes(n), ended_at: null },
    });
    await db
      .insertInto('alerts')
      .values([alert(0, 'firing'), alert(1, 'resolved'), alert(2, 'firing')])
      .execute();
    const names = async () => (await view()).alerts.map(({ name }) => name);
    assert.equal(await names(), ['alert-2', 'alert-0']);
    await db
      .insertInto('alerts')
      .values(Array.from({ length: 100 }, (_, n) => alert(n + 10, 'firing')))
      .execute();
    const all = await names();
    assert.equal([all.length, all[0], all.at(-1)], [100, 'alert-109', 'alert-10']);
  });

  const FINDINGS: [sentence: string, changes: Partial<FindingTable>, open: number, active: number][] = [
    ['an open one', {}, 1, 1],
    ['a reopened one', { status: 'reopened' }, 1, 1],
    ['a hidden one', { suppressed_by: 'quiet' }, 1, 0],
    ['a resolved one', { status: 'resolved' }, 0, 0],
    ['a dismissed one, which is still there', { status: 'dismissed' }, 1, 0],
    ['a dismissed one, which is gone', { status: 'dismissed', stale_at: minutes(1) }, 0, 0],
  ];
  for (const [sentence, changes, open, active] of FINDINGS)
    test(`counts a finding as failing until it is resolved: ${sentence}`, async () => {
      await db.deleteFrom('findings').execute();
      const row = aFindingRow({ details: { container: 'app', labels: { app: 'web', odd: 7 } } });
      await findingRepository(db).store([readyFinding(row)], [], T0);
      const { id } = await db.selectFrom('findings').select('id').executeTakeFirstOrThrow();
      if (Object.keys(changes).length > 0)
        await db
          .updateTable('findings')
          .set(changes as object)
          .execute();
      const [view, ...more] = await findingViews(db, [-id]);
      assert.equal(more, []);
      assert.equal([view?.id, view?.open, view?.active], [-id, open, active]);
      assert.equal([view?.owner, view?.container, view?.labels], ['Pod/web-1', 'app', { app: 'web' }]);
    });

  test.run();
}
