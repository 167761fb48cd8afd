import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { adviceRepository } from '../../src/db/advice.ts';
import { auditRepository } from '../../src/db/audit.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { reportRepository, type ReportRow } from '../../src/db/failure-reports.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { incidentHistoryRepository } from '../../src/db/incident-history.ts';
import { incidentListRepository, type IncidentRows } from '../../src/db/incident-list.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { anAdviceRow } from '../support/builders/advice.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { readList } from '../support/database/read-list.ts';
import { engines } from '../support/database/store.ts';

// What a text is looked for in. Each row of a table has the text in one field, so that the search must find all of them, and not the last.

const T0 = new Date('2026-05-01T10:00:00Z');
const SCOPE = { namespaces: '*' as const, hidden: [] };
const NAMED = 'a Needle_100% here';
const [LIKE_IT, NEEDLE] = ['a Needle-100% here', 'nEEDLE_100%'];

for (const engine of engines('search')) {
  const store = await engine.open();
  const { db } = store;
  const [failures, findings, advice, trials, audit] = [
    failureRepository(db),
    findingRepository(db),
    adviceRepository(db),
    trialRepository(db),
    auditRepository(db),
  ];
  const test = suite(`search on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['trials', 'failures', 'incidents', 'findings', 'advice', 'audit'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  /** A failing pod of a workload of its own. */
  const failing = async (name: string, over: Partial<ReportRow> = {}): Promise<number> => {
    const row = aReportRow({
      identity: name,
      pod_uid: name,
      pod_name: name,
      owner: `Deployment/${name}`,
      workload: { kind: 'Deployment', name },
      ...over,
    });
    const [stored] = await reportRepository(db).store([row]);
    return stored!.record.id;
  };
  const FAILURES: [field: string, over: Partial<ReportRow>][] = [
    ['pod', { pod_name: NAMED }],
    ['namespace', { namespace: NAMED }],
    ['reason', { failure_reason: NAMED }],
    ['message', { failure_message: NAMED }],
  ];
  const failingOnes = async (more: [string, Partial<ReportRow>][] = []): Promise<void> => {
    for (const [field, over] of [...FAILURES, ...more]) await failing(field, over);
    await failing('like it', { failure_message: LIKE_IT });
  };
  const OF_FAILURES = FAILURES.map(([field]) => field);

  test('a failure is found by its pod, namespace, reason and message', async () => {
    await failingOnes([['logs', { logs: NAMED, solution: NAMED, node_name: NAMED }]]);
    const found = await readList(failures.active, { q: NEEDLE });
    assert.equal(found.map(({ workload }) => workload?.name).toReversed(), OF_FAILURES);
  });

  test('an ended mirror is found by the pod, namespace and reason of its failure', async () => {
    await failingOnes();
    for (const { id, workload } of await readList(failures.active)) {
      const trial = { mirror_id: workload!.name, failure_id: id, verdict: null, reason_before: NAMED, reason_after: null };
      await trials.insert({ ...trial, shown_before: null, shown_after: null, origin: 'Rules', changes: [], started_at: T0 });
      await trials.end(workload!.name, T0);
    }
    const found = await readList(trials.past, { q: NEEDLE });
    assert.equal(found.map(({ mirror_id }) => mirror_id).toSorted(), ['namespace', 'pod', 'reason']);
  });

  test('an incident is found by its pods, reasons, messages, workload and cause, which may have marks of code', async () => {
    await failingOnes([
      ['workload', { workload: { kind: 'Deployment', name: NAMED } }],
      ['cause', { solution: '# Solution\n\n## What happened\n\nIt is a `Needle_100%`.\n\n## What to do\n\nNothing.' }],
      ['plain cause', { solution: NAMED }],
      ['advice', { solution: `## What happened\n\nNothing.\n\n## What to do\n\n${NAMED}` }],
      ['logs', { logs: NAMED, manifest: NAMED }],
    ]);
    const query = { list: 'active', sort: 'first_seen', order: 'asc', limit: 100, scope: SCOPE, now: T0 } as const;
    const found = JSON.parse(await incidentListRepository(db).page({ ...query, q: NEEDLE })) as IncidentRows;
    assert.equal(found.incidents.map(({ owner }) => owner.slice('Deployment/'.length)).toSorted(), [
      ...['cause', 'message', 'namespace', 'plain cause', 'pod', 'reason', 'workload'],
    ]);
    assert.equal([found.total, found.totals.active], [7, 10]);
  });

  test('a history is found by the namespace and the workload', async () => {
    await failing('namespace', { namespace: NAMED });
    await failing('workload', { owner: `Deployment/${NAMED}` });
    await failing('message', { failure_message: NAMED });
    const { workloads, total } = await incidentHistoryRepository(db).workloads({
      q: NEEDLE,
      days: 1,
      limit: 10,
      scope: SCOPE,
      now: new Date(),
    });
    assert.equal(workloads.map(({ name }) => name).toSorted(), [NAMED, 'namespace']);
    assert.is(total, 2);
  });

  test('a finding is found by its resource, namespace, check and message', async () => {
    const rows = [
      aFindingRow({ check_name: 'resource', resource_name: NAMED }),
      aFindingRow({ check_name: 'namespace', namespace: NAMED }),
      aFindingRow({ check_name: NAMED }),
      aFindingRow({ check_name: 'message', message: NAMED }),
      aFindingRow({ check_name: 'details', remediation: NAMED, details: { text: NAMED } }),
      aFindingRow({ check_name: 'like it', message: LIKE_IT }),
    ];
    await findings.store(rows.map(readyFinding), [], T0);
    const found = await readList(findings.list, { q: NEEDLE });
    assert.equal(found.map(({ check_name }) => check_name).toSorted(), [NAMED, 'message', 'namespace', 'resource']);
  });

  test('advice is found by its resource, namespace, detector and summary', async () => {
    const pass = (namespace: string, ...rows: ReturnType<typeof anAdviceRow>[]) =>
      advice.store({ cluster: 'test', namespace, detectors: [], rows, unreadable: [] }, T0);
    await pass(NAMED, anAdviceRow({ title: 'namespace' }));
    await pass(
      'shop',
      anAdviceRow({ title: 'resource', resource_name: NAMED }),
      anAdviceRow({ title: 'detector', detector_id: NAMED }),
      anAdviceRow({ title: 'summary', resource_name: 'a', summary: NAMED }),
      anAdviceRow({ title: 'change', resource_name: 'b', recommended_change: NAMED }),
      anAdviceRow({ title: 'like it', resource_name: 'c', summary: LIKE_IT }),
    );
    const found = await readList(advice.list, { q: NEEDLE });
    assert.equal(found.map(({ title }) => title).toSorted(), ['detector', 'namespace', 'resource', 'summary']);
  });

  test('an action is found by its target, person, address and name', async () => {
    const entry = { userId: null, username: 'ada', address: '::1', action: 'a.b', target: 't' };
    for (const field of ['target', 'username', 'address', 'action'] as const) await audit.insert({ ...entry, [field]: NAMED }, T0);
    await audit.insert({ ...entry, details: { text: NAMED } }, T0);
    await audit.insert({ ...entry, target: LIKE_IT }, T0);
    assert.is((await audit.list({ limit: 10, q: NEEDLE })).length, 4);
  });

  test('letters beyond ASCII are found in upper and lower case too, and signs of patterns are plain characters', async () => {
    for (const message of ['GRÜSSE', 'a\\b', 'a%b', 'a_b']) await failing(message, { failure_message: message });
    const found = async (q: string) => (await readList(failures.active, { q })).map(({ failure_message }) => failure_message);
    assert.equal(await found('grü'), ['GRÜSSE']);
    for (const text of ['a\\b', 'a%b', 'a_b']) assert.equal(await found(text), [text]);
  });

  test.run();
}
