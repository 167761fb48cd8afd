import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DismissDeleted, FailingPod } from '../../src/contract/agent.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { agentRepository } from '../../src/db/agents.ts';
import { alertRepository } from '../../src/db/alerts.ts';
import type { Store } from '../../src/db/connect.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { eventHub, internalBus } from '../../src/events.ts';
import { failureIntake, type ReportSubject } from '../../src/failures/intake.ts';
import { recovery } from '../../src/failures/recovery.ts';
import { createLog } from '../../src/log.ts';
import { recordFor } from '../../src/mirrors/evidence.ts';
import { reportMask } from '../../src/redact/report.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const JOB_UID = '5f0d9a52-96e4-4b6c-8f5e-6f1f7f0c1a11';
const BEAT = { version: '1', pods: 1, failing: [] as FailingPod[], spooled: 0, dropped: 0 };

/** The report of the nth pod of Job `import`, which ended with exit code 3. */
function aPodOfJob(n: number, over: Partial<FailureReport> = {}): FailureReport {
  return {
    pod_name: `import-${n}`,
    namespace: 'shop',
    node_name: `node-${n}`,
    pod_uid: `pod-${n}`,
    failure_reason: 'Error',
    failure_message: 'the container ended with exit code 3',
    container: 'app',
    workload: { kind: 'Job', name: 'import' },
    labels: { 'batch.kubernetes.io/controller-uid': JOB_UID, 'batch.kubernetes.io/job-name': 'import', app: 'import' },
    images: ['registry.example/import:1'],
    events: [{ type: 'Normal', reason: 'Started', message: `Started container ${n}`, timestamp: after(n).toISOString() }],
    container_statuses: [
      {
        name: 'app',
        image: 'registry.example/import:1',
        restart_count: 0,
        state: 'terminated',
        exit_code: 3,
        reason: 'Error',
        finished_at: after(n).toISOString(),
      },
    ],
    manifest: `apiVersion: v1\nkind: Pod\nmetadata: {name: import-${n}, namespace: shop}\n`,
    logs: `==> app (current) <==\nError: table orders_${n} does not exist`,
    ...over,
  };
}

/** The report of Job `import` after it has given up. */
function aFailedJob(over: Partial<FailureReport> = {}): FailureReport {
  return {
    pod_name: 'import',
    namespace: 'shop',
    pod_uid: JOB_UID,
    resource_kind: 'Job',
    failure_reason: 'BackoffLimitExceeded',
    failure_message: 'Job has reached the specified backoff limit',
    workload: { kind: 'Job', name: 'import' },
    labels: { team: 'data' },
    events: [
      {
        type: 'Warning',
        reason: 'BackoffLimitExceeded',
        message: 'Job has reached the specified backoff limit',
        timestamp: after(50).toISOString(),
      },
    ],
    manifest: 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: import, namespace: shop}\nspec: {backoffLimit: 0}\n',
    ...over,
  };
}

const failing = (n: number): FailingPod => ({ pod_uid: `pod-${n}`, pod_name: `import-${n}`, namespace: 'shop' });

const opened: { name: string; store: Store }[] = [];
for (const { name, open } of engines('jobs')) opened.push({ name, store: await open() });
for (const { name: engine, store } of opened) {
  const { db } = store;
  const failures = failureRepository(db);
  const hub = eventHub();
  const messages: SocketMessage[] = [];
  hub.subscribe((message) => void messages.push(message));
  let suppressionOf: (subject: ReportSubject) => string | undefined;
  const replica = () =>
    failureIntake({
      reports: reportRepository(db),
      incidents: incidentRepository(db),
      failureSuppressions: failureSuppressionRepository(db),
      hub,
      bus: internalBus(),
      cluster: 'test',
      suppressionOf: (subject) => suppressionOf(subject),
      mask: reportMask(),
      diagnose,
      log: createLog({ level: 'silent' }),
    });
  const intake = replica();
  const { heartbeat, gone } = recovery({ failures, agents: agentRepository(db), hub, cluster: 'test', hiddenNamespaces: [] });
  const tell = async (report: FailureReport, at = T0): Promise<number> => {
    const outcome = await intake.report(report, at);
    return outcome.kind === 'stored' ? outcome.record.id : outcome.id;
  };
  const detail = async (id: number) => (await failures.detail(id))!;
  const deleted = (n: number, at: Date) => gone({ ...failing(n), reason: 'deleted' } as DismissDeleted, at);
  const jobGone = (reason: 'deleted' | 'recovered', at: Date) =>
    gone({ namespace: 'shop', pod_name: 'import', pod_uid: JOB_UID, reason }, at);
  const all = async () => db.selectFrom('failures').select(['id', 'closed_at', 'pod_name', 'status']).orderBy('id').execute();
  const open = async () => (await all()).filter(({ closed_at }) => closed_at === null).map(({ id }) => id);
  const shown = () => messages.splice(0).flatMap(({ type, data }) => ('id' in data ? [[type, data.id]] : []));

  const test = suite(`a Job and its pods on ${engine}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'agents'] as const) await db.deleteFrom(table).execute();
    messages.length = 0;
    suppressionOf = () => undefined;
  });
  test.after(() => store.close());

  const ORDERS: [string, FailureReport[]][] = [
    ['the pod first', [aPodOfJob(1), aFailedJob()]],
    ['the Job first', [aFailedJob(), aPodOfJob(1)]],
    ['the pod first, each delivered twice', [aPodOfJob(1), aPodOfJob(1), aFailedJob(), aFailedJob(), aPodOfJob(1)]],
    ['the Job first, each delivered twice', [aFailedJob(), aFailedJob(), aPodOfJob(1), aPodOfJob(1), aFailedJob()]],
  ];
  for (const [order, reports] of ORDERS)
    test(`one record has the Job's failure and its pod's evidence: ${order}`, async () => {
      const ids = [];
      for (const [n, report] of reports.entries()) ids.push(await tell(report, after(n)));
      assert.is(new Set(ids).size, 1);
      assert.is((await all()).length, 1);
      assert.is((await db.selectFrom('incidents').selectAll().execute()).length, 1);
      const record = await detail(ids[0]!);
      assert.equal([record.resource_kind, record.pod_name, record.pod_uid], ['Job', 'import', JOB_UID]);
      assert.equal(
        [record.failure_reason, record.failure_message],
        ['BackoffLimitExceeded', 'Job has reached the specified backoff limit'],
      );
      assert.equal([record.container, record.container_statuses[0]?.exit_code], ['app', 3]);
      assert.is(record.logs, '==> app (current) <==\nError: table orders_1 does not exist');
      assert.match(record.manifest ?? '', 'kind: Job');
      assert.equal(
        record.events.map(({ reason }) => reason),
        ['Started', 'BackoffLimitExceeded'],
      );
      assert.match(record.solution ?? '', 'gave up');
      assert.match(record.solution ?? '', 'orders_1');
      assert.equal(
        (await readList(failures.active)).map(({ id }) => id),
        [ids[0]],
      );
      assert.equal(new Set(shown().map(([, id]) => id)), new Set([ids[0]]), 'sockets hear of one record');
    });

  test('the Jobs of this cluster say all that Kubernetes says of their end', async () => {
    const ends: [reason: string, message: string][] = [
      ['DeadlineExceeded', 'Job was active longer than specified deadline'],
      ['PodFailurePolicy', 'Container app for pod shop/import-1 failed with exit code 3 matching FailJob rule at index 0'],
      ['FailedIndexes', 'Job has failed indexes'],
      ['MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes'],
    ];
    for (const [n, [failure_reason, failure_message]] of ends.entries()) {
      const labels = { 'controller-uid': `job-${n}`, 'job-name': `import${n}` };
      const pod = await tell(aPodOfJob(1, { pod_uid: `p${n}`, labels }));
      const job = await tell(aFailedJob({ pod_uid: `job-${n}`, pod_name: `import${n}`, failure_reason, failure_message }));
      assert.is(job, pod);
      const record = await detail(job);
      assert.equal([record.failure_reason, record.failure_message], [failure_reason, failure_message]);
      assert.match(record.logs ?? '', 'orders_1');
    }
  });

  test('the pods of a Job that tries again are one record, about the newest', async () => {
    const ids = [];
    for (const n of [1, 2, 3]) ids.push(await tell(aPodOfJob(n), after(n)));
    assert.is(new Set(ids).size, 1);
    const before = await detail(ids[0]!);
    assert.equal([before.pod_name, before.node_name, before.occurrences, before.resource_kind], ['import-3', 'node-3', 3, 'Pod']);
    assert.match(before.solution ?? '', 'orders_3');
    await tell(aPodOfJob(1), after(4));
    assert.equal([(await detail(ids[0]!)).pod_name, (await detail(ids[0]!)).occurrences], ['import-3', 3], 'an earlier pod, once more');
    await tell(aFailedJob(), after(5));
    const record = await detail(ids[0]!);
    assert.equal([record.pod_name, record.occurrences, record.failure_reason], ['import', 3, 'BackoffLimitExceeded']);
    assert.match(record.logs ?? '', 'orders_3');
  });

  test('a pod that fails in another way than the one before moves the record to another incident', async () => {
    const id = await tell(aPodOfJob(1));
    const waiting = [{ name: 'app', state: 'waiting', reason: 'ImagePullBackOff', restart_count: 0 }];
    assert.is(await tell(aPodOfJob(2, { failure_reason: 'ImagePullBackOff', container_statuses: waiting, logs: null }), after(1)), id);
    const incidents = await db.selectFrom('incidents').select('family').where('closed_at', 'is', null).execute();
    assert.equal(incidents, [{ family: 'image' }]);
  });

  test('the record stays when a Job that has given up loses its pod, and ends with the Job', async () => {
    for (const reports of [
      [aPodOfJob(1), undefined, aFailedJob()],
      [aPodOfJob(1), aFailedJob(), undefined],
    ]) {
      await db.deleteFrom('failures').execute();
      for (const [n, report] of reports.entries()) {
        if (report) await tell(report, after(n));
        else await deleted(1, after(n));
      }
      await heartbeat('node-1', BEAT, after(10));
      assert.is((await open()).length, 1);
      assert.is((await all()).length, 1);
      await jobGone('deleted', after(11));
      assert.equal(await open(), []);
    }
  });

  test('a report that comes when the Job is deleted already is about its ended record', async () => {
    const id = await tell(aPodOfJob(1), after(1));
    await jobGone('deleted', after(2));
    shown();
    for (const late of [aFailedJob(), aPodOfJob(1, { failure_reason: 'OOMKilled' }), aPodOfJob(2)]) {
      const outcome = await intake.report(late, after(3));
      assert.equal(
        [outcome.kind, outcome.kind === 'stored' && [outcome.record.id, outcome.isNew, outcome.isEnded]],
        ['stored', [id, false, true]],
      );
    }
    assert.equal([(await all()).length, await open(), shown()], [1, [], []]);
    const other = '6f0d9a52-96e4-4b6c-8f5e-6f1f7f0c1a12';
    const [again, fresh] = await Promise.all([
      intake.report(aFailedJob(), after(4)),
      intake.report(aFailedJob({ pod_uid: other }), after(4)),
    ]);
    assert.equal(
      [again, fresh].map((one) => one.kind === 'stored' && [one.isNew, one.isEnded]),
      [
        [false, true],
        [true, false],
      ],
      'another Job of that name',
    );
  });

  test('a Job whose record ended while it was well has another record', async () => {
    await tell(aPodOfJob(1), after(1));
    await jobGone('recovered', after(2));
    await tell(aPodOfJob(1), after(3));
    assert.equal([(await all()).length, (await open()).length], [2, 1]);
  });

  test('a Job that succeeds after all ends its record, and the pods that stay failed make no new one', async () => {
    for (const n of [1, 2]) await tell(aPodOfJob(n), after(n));
    const beat = { ...BEAT, failing: [failing(1), failing(2)] };
    assert.equal((await heartbeat('node-1', beat, after(3))).unknown, []);
    assert.is((await open()).length, 1);
    await jobGone('recovered', after(4));
    assert.equal(await open(), []);
    assert.equal((await heartbeat('node-1', beat, after(5))).unknown, []);
    assert.equal((await heartbeat('node-1', { ...BEAT, failing: [failing(3)] }, after(6))).unknown, ['pod-3']);
  });

  test('a pod that is well again ends the record of a Job that still tries, unless another one fails', async () => {
    for (const n of [1, 2]) await tell(aPodOfJob(n), after(n));
    await gone({ ...failing(2), reason: 'recovered' } as DismissDeleted, after(3));
    assert.is((await open()).length, 1);
    await gone({ ...failing(1), reason: 'recovered' } as DismissDeleted, after(4));
    assert.equal(await open(), []);
    const id = await tell(aPodOfJob(1), after(5));
    await tell(aFailedJob(), after(6));
    await gone({ ...failing(1), reason: 'recovered' } as DismissDeleted, after(7));
    assert.equal(await open(), [id], 'a Job that has given up does not recover with a pod');
  });

  test('the status and Suppression of the pod’s record apply to the Job', async () => {
    const ignored = await tell(aPodOfJob(1));
    await failures.setStatus(ignored, 'ignored', after(1));
    messages.length = 0;
    assert.is(await tell(aFailedJob(), after(2)), ignored);
    assert.equal([(await detail(ignored)).status, shown()], ['ignored', []]);
    await jobGone('recovered', after(3));

    const resolved = await tell(aPodOfJob(1), after(4));
    await failures.setStatus(resolved, 'resolved', after(5));
    assert.is(await tell(aPodOfJob(1), after(6)), resolved);
    assert.is((await detail(resolved)).status, 'resolved');
    await tell(aFailedJob(), after(7));
    assert.is((await detail(resolved)).status, 'new', 'that it has given up is news');
    await jobGone('recovered', after(8));

    suppressionOf = ({ failure_reason }) => (failure_reason === 'Error' ? 'quiet' : undefined);
    const hidden = await tell(aPodOfJob(1), after(9));
    assert.is((await detail(hidden)).suppressed_by, 'quiet');
    await tell(aFailedJob(), after(10));
    const now = await detail(hidden);
    assert.is(now.suppressed_by, null);
    assert.match(now.solution ?? '', 'gave up');
  });

  test('a log that comes late is the record’s, also after the Job has given up', async () => {
    const due = aPodOfJob(1, { logs: 'log not available yet' });
    const id = await tell(due);
    await tell(aFailedJob(), after(1));
    await tell(aPodOfJob(1), after(2));
    assert.match((await detail(id)).logs ?? '', 'orders_1');
  });

  test('a run whose log is gone with its pod leaves the log of the run before', async () => {
    const id = await tell(aPodOfJob(1));
    const lacking = [
      'log not available: refused',
      'log not available yet',
      '==> app (current) <==\nlog not available: the pod or its node is gone\n',
    ];
    for (const [n, logs] of lacking.entries()) {
      await tell(aPodOfJob(n + 2, { logs }), after(n + 1));
      assert.match((await detail(id)).logs ?? '', 'orders_1');
    }
    await tell(aPodOfJob(5), after(9));
    assert.match((await detail(id)).logs ?? '', 'orders_5');
  });

  test('two replicas that hear of the Job and of its pods at once make one record with both', async () => {
    const other = replica();
    for (let round = 0; round < 5; round++) {
      const labels = { 'controller-uid': `at-once-${round}`, 'job-name': 'import' };
      const pods = [1, 2].map((n) => aPodOfJob(n, { pod_uid: `at-once-${round}-${n}`, labels }));
      await Promise.all([
        intake.report(pods[0]!, T0),
        other.report(aFailedJob({ pod_uid: `at-once-${round}` }), T0),
        intake.report(pods[1]!, T0),
      ]);
      const records = await open();
      assert.is(records.length, round + 1);
      const record = await detail(records.at(-1)!);
      assert.equal([record.resource_kind, record.failure_reason], ['Job', 'BackoffLimitExceeded']);
      assert.match(record.logs ?? '', /orders_[12]/);
    }
  });

  test('labels alone, another namespace and missing uids join nothing', async () => {
    const job = await tell(aFailedJob());
    const strangers = [
      aPodOfJob(1, { workload: null }),
      aPodOfJob(2, { namespace: 'elsewhere' }),
      aPodOfJob(3, { pod_uid: null }),
      aPodOfJob(4, { labels: { 'job-name': 'import' } }),
      aPodOfJob(5, { labels: { 'controller-uid': '', 'job-name': '' } }),
      aFailedJob({ pod_uid: null, pod_name: 'import' }),
    ];
    const ids = [];
    for (const report of strangers) ids.push(await tell(report));
    assert.is(new Set([job, ...ids]).size, strangers.length + 1);
  });

  test('an alert that names the pod joins the incident of the Job', async () => {
    const id = await tell(aPodOfJob(1));
    await tell(aFailedJob(), after(1));
    const about = (pod: string) => ({
      ...{ fingerprint: pod, starts_at: T0, status: 'firing' as const, name: 'KubePodFailed', severity: 'warning', summary: '' },
      ...{ labels: {}, annotations: {}, namespace: 'shop', pod, owner: null, node: null, source_url: null, ended_at: null },
    });
    const alerts = alertRepository(db, 'test');
    assert.is((await alerts.store(about('import-1'), after(2))).incident_id, (await detail(id)).incident_id);
    assert.is((await alerts.store(about('import-2'), after(2))).incident_id, null);
  });

  test('a mirror of the pod keeps its record when the record becomes the Job’s', async () => {
    const id = await tell(aPodOfJob(1));
    await tell(aFailedJob(), after(1));
    const mirrorOf = (name: string, failureId?: number) =>
      ({ metadata: { namespace: 'shop' }, spec: { source: { name }, failureId } }) as Parameters<typeof recordFor>[0];
    assert.is((await recordFor(mirrorOf('import-1', id), failures)).record?.id, id);
    assert.is((await recordFor(mirrorOf('import-1'), failures)).record?.id, id);
    assert.is((await recordFor(mirrorOf('import', id), failures)).record?.id, id);
    assert.equal(await recordFor(mirrorOf('import-2', id), failures), { mismatch: true });
  });

  test.run();
}
