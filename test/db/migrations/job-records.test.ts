import { type Kysely, sql } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportRepository } from '../../../src/db/failure-reports.ts';
import { failureRepository } from '../../../src/db/failures.ts';
import { up } from '../../../src/db/migrations/021-job-records.ts';
import { trialRepository } from '../../../src/db/trials.ts';
import { aReportRow } from '../../support/builders/report.ts';
import { engines } from '../../support/database/store.ts';

/** A record before the migration: the uid of the pod identifies it. */
const ofPod = (n: number, job: string, over = {}) =>
  aReportRow({
    ...{ identity: `pod-${n}`, pod_uid: `pod-${n}`, pod_name: `${job}-${n}`, owner: `Job/${job}`, workload: { kind: 'Job', name: job } },
    ...{ labels: { 'controller-uid': `${job}-uid`, 'job-name': job }, logs: `log of ${n}`, ...over },
  });
const ofJob = (job: string) =>
  aReportRow({
    ...{ identity: `${job}-uid`, pod_uid: `${job}-uid`, pod_name: job, resource_kind: 'Job', owner: `Job/${job}`, container: null },
    ...{ family: 'controller', failure_reason: 'BackoffLimitExceeded', logs: null, container_statuses: [], labels: {}, workload: null },
  });

for (const engine of engines('records from before a Job and its pods were one')) {
  const test = suite(`records from before a Job and its pods were one, on ${engine.name}`);

  test('one of them stays, with the evidence and the trials of all; others are not touched', async () => {
    const { db, close } = await engine.open();
    const failures = failureRepository(db);
    const rows = [ofPod(1, 'a'), ofPod(2, 'a'), ofJob('a'), ofPod(3, 'b'), ofPod(4, 'b'), ofPod(5, 'c', { workload: null }), aReportRow()];
    const ids = (await reportRepository(db).store(rows)).map((stored) => stored!.record.id);
    const trial = { mirror_id: 'm', failure_id: ids[1]!, origin: 'user', changes: [], started_at: new Date('2026-05-01T10:00:00Z') };
    await trialRepository(db).insert(trial as unknown as Parameters<ReturnType<typeof trialRepository>['insert']>[0]);
    await sql`drop table failure_pods`.execute(db);
    await db.transaction().execute((trx) => up(trx as unknown as Kysely<unknown>));

    const left = await db
      .selectFrom('failures')
      .select(['id', 'identity', 'status'])
      .where('closed_at', 'is', null)
      .orderBy('id')
      .execute();
    assert.equal(left, [
      { id: ids[2], identity: 'Job/shop/a/a-uid', status: 'new' },
      { id: ids[4], identity: 'Job/shop/b/b-uid', status: 'new' },
      { id: ids[5], identity: 'pod-5', status: 'new' },
      { id: ids[6], identity: 'uid-web-1', status: 'new' },
    ]);
    const job = await failures.detail(ids[2]!);
    assert.equal([job?.logs, job?.container, job?.failure_reason], ['log of 2', 'app', 'BackoffLimitExceeded']);
    assert.equal(
      job?.trials.map(({ mirror_id }) => mirror_id),
      ['m'],
    );
    const pods = await db.selectFrom('failure_pods').select(['pod_uid', 'failure_id']).orderBy('pod_uid').execute();
    const expected = [2, 2, 4, 4].map((kept, n) => ({ pod_uid: `pod-${n + 1}`, failure_id: ids[kept] }));
    assert.equal(pods, expected);
    const stale = await sql`select from incidents i where closed_at is null
      and not exists (select from failures f where f.incident_id = i.id and f.closed_at is null)`.execute(db);
    assert.equal(stale.rows, []);
    await close();
  });

  test.run();
}
