import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Change, FailureRecord, FailureStatus } from '../../src/contract/failure.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import type { Page } from '../../src/db/failure-page.ts';
import { type ReportRow, reportRepository } from '../../src/db/failure-reports.ts';
import { LISTED_TRIALS } from '../../src/db/failure-records.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);

for (const engine of engines('failure records')) {
  const store = await engine.open();
  const { db } = store;
  const failures = failureRepository(db);
  const incidents = incidentRepository(db);
  const reports = reportRepository(db);
  const put = async (...rows: Partial<ReportRow>[]) =>
    (await reports.store(rows.map((row) => aReportRow(row)))).map((stored) => stored!.record);
  const pod = (n: number, over: Partial<ReportRow> = {}) => ({ identity: `uid-${n}`, pod_uid: `uid-${n}`, pod_name: `web-${n}`, ...over });
  const openIncidents = async () => db.selectFrom('incidents').selectAll().where('closed_at', 'is', null).orderBy('id').execute();

  const test = suite(`failure records on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('a stored report is the record that is read back, and its detail has the large columns', async () => {
    const [record] = await put({});
    assert.equal(await failures.record(record!.id), record);
    const detail = await failures.detail(record!.id);
    assert.is(detail?.manifest, 'kind: Pod\n');
    assert.is(detail?.logs, 'panic');
    assert.equal(detail?.labels, { app: 'web' });
    assert.equal(await readList(failures.active), [record]);
    assert.not('manifest' in record!);
    assert.is(await failures.record(record!.id + 1), undefined);
    assert.is(await failures.detail(record!.id + 1), undefined);
  });

  test('of many reports at once, each has its own record, in the order of the reports', async () => {
    const records = await put(...Array.from({ length: 150 }, (_, n) => pod(n)));
    assert.equal(
      records.map(({ pod_name, occurrences }) => [pod_name, occurrences]),
      Array.from({ length: 150 }, (_, n) => [`web-${n}`, 1]),
    );
    assert.is((await readList(failures.active)).length, 150);
  });

  test('the version of a page changes with what the page shows, and with nothing else', async () => {
    const active = async (page: Page = {}) => {
      const version = await failures.active.version(page);
      assert.is((await failures.active.page(page)).version, version, 'the page says the same');
      return version;
    };
    const changes: [string, () => Promise<unknown>][] = [
      ['a new record', () => put(pod(1))],
      ['another one', () => put(pod(2))],
      ['a repeat', () => put(pod(2, { occurrence_key: 'app|2|', now: after(5).toISOString() }))],
      ['a solution', async () => failures.setSolution((await readList(failures.active))[0]!.id, 'better', false)],
      [
        'a trial',
        async () => {
          const trial = {
            mirror_id: 'm',
            failure_id: (await readList(failures.active))[0]!.id,
            verdict: null,
            reason_before: null,
            reason_after: null,
          };
          const shown = { shown_before: null, shown_after: null, origin: 'Rules', changes: '[]', started_at: T0, ended_at: null };
          await db
            .insertInto('trials')
            .values({ ...trial, ...shown })
            .execute();
        },
      ],
      ['its verdict', () => db.updateTable('trials').set({ verdict: 'Fixed' }).execute()],
      ['one that leaves the list', async () => failures.setStatus((await readList(failures.active))[0]!.id, 'resolved', T0)],
    ];
    for (const [what, change] of changes) {
      const before = await active();
      assert.is(await active(), before, 'nothing happened');
      await change();
      assert.is.not(await active(), before, what);
    }
    const before = await active({ limit: 1 });
    const [history, narrow] = [await failures.history.version({}), await active({ limit: 1, namespace: 'elsewhere' })];
    assert.is(new Set([before, history, narrow]).size, 3);
  });

  /** Columns of a second report about the same pod. Each differs from the first report. */
  const OTHERS = {
    pod_name: 'another',
    namespace: 'elsewhere',
    node_name: 'node-2',
    resource_kind: 'Job',
    workload: { kind: 'StatefulSet', name: 'other' },
    labels: { app: 'other' },
    images: ['other:2'],
    failure_reason: 'Error',
    failure_message: 'another message',
    events: [],
    container_statuses: [{ name: 'app', image: 'other:2', restart_count: 2 }],
    manifest: 'kind: Other\n',
    logs: 'another log',
  } satisfies Partial<ReportRow>;
  const KEPT = ['pod_name', 'namespace', 'resource_kind'] as const;
  const LABEL = ['failure_reason', 'failure_message'] as const;
  const changedBy = async (over: Partial<ReportRow>): Promise<string[]> => {
    const [first] = await put({});
    const before = await failures.detail(first!.id);
    await put({ ...OTHERS, now: after(60).toISOString(), ...over });
    const now = await failures.detail(first!.id);
    const columns = Object.keys(OTHERS) as (keyof typeof OTHERS)[];
    return columns.filter((column) => JSON.stringify(now?.[column]) !== JSON.stringify(before?.[column]));
  };
  const but = (...left: readonly string[]) => Object.keys(OTHERS).filter((column) => !left.includes(column));

  test('a new occurrence updates what is known of the pod, and its identity stays', async () => {
    assert.equal(await changedBy({ occurrence_key: 'app|2|' }), but(...KEPT));
  });

  test('a new occurrence with a less specific label updates everything except the label', async () => {
    assert.equal(await changedBy({ occurrence_key: 'app|2|', reason_rank: 2 }), but(...KEPT, ...LABEL));
  });

  test('the longest run before a failure stays, whatever the next occurrences say', async () => {
    const [first] = await put({ longest_run_seconds: 12 });
    const longest = async () => (await failures.detail(first!.id))?.longest_run_seconds;
    await put({ longest_run_seconds: null, occurrence_key: 'app|2|' });
    assert.is(await longest(), 12);
    await put({ longest_run_seconds: 40, occurrence_key: 'app|3|' });
    await put({ longest_run_seconds: 3, occurrence_key: 'app|4|' });
    assert.is(await longest(), 40);
  });

  test('a resend with the same label changes nothing', async () => {
    assert.equal(await changedBy({ failure_reason: 'CrashLoopBackOff' }), []);
  });

  test('text that PostgreSQL refuses is corrected everywhere, and the answer is what is stored', async () => {
    const rows = {
      logs: 'a\0b',
      failure_message: 'half \ud800 pair',
      labels: { 'a\0': 'x\udc00' },
      events: [{ message: '\\u0000 stays' }],
    };
    const [record] = await put(rows);
    const detail = await failures.detail(record!.id);
    assert.is(detail?.logs, 'ab');
    assert.is(detail?.failure_message, 'half \ufffd pair');
    assert.equal(detail?.labels, { a: 'x\ufffd' });
    assert.is(detail?.events[0]?.message, '\\u0000 stays');
    assert.is(record!.failure_message, 'half \ufffd pair');
  });

  test('of too much evidence, lists and answers always show the same part, and the detail shows all', async () => {
    const events = Array.from({ length: 9 }, (_, n) => ({ reason: `R${n}` }));
    const brief = { events: events.slice(-5), container_statuses: [{ name: 'app', message: 'short…' }] };
    const long = { events, container_statuses: [{ name: 'app', message: 'short and long' }], brief };
    for (const [n, text] of ['x'.repeat(40_000), '字'.repeat(3_000), `${'a'.repeat(4_000)}${'😀'.repeat(400)}`, 'fits'].entries()) {
      const [record] = await put(pod(n, { ...long, solution: text, failure_message: text }));
      const { id } = record!;
      assert.equal([record!.events, record!.container_statuses], [brief.events, brief.container_statuses]);
      for (const shown of [record!.solution ?? '', record!.failure_message]) {
        assert.ok(text === 'fits' ? shown === text : /^[^]{500,}… \[cut: the record itself has the rest\]$/u.test(shown), shown.slice(-99));
        assert.ok(Buffer.byteLength(shown) < 5_300);
      }
      assert.equal(await failures.record(id), record, 'read');
      assert.equal((await readList(failures.active))[0], record, 'listed');
      const [repeated] = await put(pod(n, { ...long, solution: null, failure_message: text, repeats: id, occurrence_key: 'app|1|' }));
      assert.equal(repeated, record, 'noted');
      const detail = await failures.detail(id);
      assert.equal([detail?.events, detail?.container_statuses], [events, long.container_statuses]);
      assert.equal([detail?.solution, detail?.failure_message], [text, text]);
    }
    const [less] = await put(pod(0, { occurrence_key: 'app|2|', now: after(5).toISOString() }));
    assert.equal(less!.events, aReportRow().events, 'a report with less evidence is shown whole again');
  });

  test('a list shows a record as it is shown alone, whatever is in it', async () => {
    const texts = ['"quoted" \\ and \u0001 control', 'naïve 字 😀', '</script>\u2028', ''];
    await put(
      ...texts.map((text, n) =>
        pod(n, { failure_message: text, events: [{ message: text }], now: after(n).toISOString(), workload: { kind: 'Job', name: text } }),
      ),
    );
    const shown = await readList(failures.active);
    assert.is(shown.length, texts.length);
    for (const record of shown) assert.equal(record, await failures.record(record.id));
    await failures.close([shown[0]!.id], new Date('2031-02-03T04:05:06.007Z'));
    assert.equal(await readList(failures.history), [await failures.record(shown[0]!.id)]);
  });

  test('a thousand events are kept', async () => {
    const [record] = await put({ events: Array.from({ length: 1000 }, (_, n) => ({ message: `event ${n}` })) });
    assert.is((await failures.record(record!.id))?.events.length, 1000);
  });

  test('each list has its own records, newest first', async () => {
    const records = await put(
      pod(1),
      pod(2, { owner: 'Deployment/b' }),
      pod(3, { owner: 'Deployment/c' }),
      pod(4, { owner: 'Deployment/d' }),
    );
    await put(pod(5, { suppressed_by: 'quiet' }));
    const [a, b, c, d] = records.map(({ id }) => id) as [number, number, number, number];
    await failures.setStatus(b, 'investigating', T0);
    await failures.setStatus(c, 'resolved', T0);
    await failures.setStatus(d, 'ignored', T0);
    const names = async (list: typeof failures.active) => (await readList(list)).map((record) => record.pod_name);
    assert.equal(await names(failures.active), ['web-2', 'web-1']);
    assert.equal(await names(failures.history), ['web-3']);
    assert.equal(await names(failures.ignored), ['web-4']);
    assert.equal(await names(failures.suppressed), ['web-5']);
    assert.is((await failures.record(c))?.resolved_at, T0.toISOString());
    assert.is((await failures.record(a))?.resolved_at, null);
  });

  test('a page is narrowed by every filter', async () => {
    const made = await put(
      ...[1, 2, 3, 4].map((n) => pod(n)),
      pod(5, { namespace: 'hidden', failure_reason: 'OOMKilled' }),
      pod(6, { failure_message: '100% full' }),
    );
    const ids = made.map(({ id }) => id).sort((a, b) => b - a);
    const byName = new Map(made.map((record) => [record.id, record.pod_name]));
    const pages: [string, Page, string[]][] = [
      ['limit', { limit: 2 }, ids.slice(0, 2).map((id) => byName.get(id)!)],
      ['before', { limit: 2, before: ids[1]! }, ids.slice(2, 4).map((id) => byName.get(id)!)],
      ['namespace', { namespace: 'hidden' }, ['web-5']],
      ['reason', { reason: 'OOMKilled' }, ['web-5']],
      ['text in any case', { q: 'WEB-3' }, ['web-3']],
      ['text with a wildcard in it means itself', { q: '100%' }, ['web-6']],
      ['text that only a wildcard would find', { q: 'w%3' }, []],
      ['scope of one namespace', { scope: { namespaces: ['hidden'], hidden: [] } }, ['web-5']],
      ['nothing in scope', { scope: { namespaces: [], hidden: [] } }, []],
    ];
    for (const [sentence, page, expected] of pages)
      assert.equal(
        (await readList(failures.active, page)).map((record) => record.pod_name),
        expected,
        sentence,
      );
    const shown = await readList(failures.active, { scope: { namespaces: '*', hidden: ['hidden'] } });
    assert.not(shown.some((record) => record.namespace === 'hidden'));
    assert.is(shown.length, 5);
  });

  test('ignoring a record ignores its incident and the open records in it; restoring undoes that', async () => {
    const [a, b] = await put(pod(1), pod(2));
    const [other] = await put(pod(3, { family: 'image' }));
    const ignored = await failures.setStatus(a!.id, 'ignored', T0);
    assert.is(ignored?.record.status, 'ignored');
    assert.equal(ignored?.changed, [
      { id: a!.id, status: 'ignored' },
      { id: b!.id, status: 'ignored' },
    ]);
    assert.is((await failures.record(other!.id))?.status, 'new');
    const [born] = await put(pod(4));
    assert.is(born!.status, 'ignored');
    const restored = await failures.setStatus(b!.id, 'new', T0);
    assert.equal(
      restored?.changed.map(({ id }) => id).sort((a, b) => a - b),
      [a!.id, b!.id, born!.id].sort((a, b) => a - b),
    );
    assert.is((await put(pod(5)))[0]!.status, 'new');
  });

  test('a status that a record has already changes nothing, and a missing record is told', async () => {
    const [a] = await put(pod(1));
    assert.equal((await failures.setStatus(a!.id, 'new', T0))?.changed, []);
    assert.is(await failures.setStatus(a!.id + 999, 'new', T0), undefined);
  });

  test('any status may follow any other', async () => {
    const [a] = await put(pod(1));
    const order: FailureStatus[] = [
      'investigating',
      'ignored',
      'resolved',
      'new',
      'resolved',
      'ignored',
      'investigating',
      'resolved',
      'investigating',
      'new',
    ];
    for (const status of order) {
      const judged = await failures.setStatus(a!.id, status, T0);
      assert.is(judged?.record.status, status);
      assert.is(judged?.record.resolved_at !== null, status === 'resolved');
    }
  });

  test('closing resolves, and the incident closes with its last record', async () => {
    const [a, b] = await put(pod(1), pod(2));
    assert.equal(await failures.close([a!.id], after(1)), [
      { id: a!.id, namespace: 'shop', pod_name: 'web-1', previous: 'new', suppressed_by: null },
    ]);
    assert.is((await openIncidents()).length, 1);
    await failures.close([b!.id], after(2));
    assert.is((await openIncidents()).length, 0);
    assert.is((await failures.record(b!.id))?.resolved_at, after(2).toISOString());
    assert.equal(await failures.close([a!.id, b!.id], after(3)), [], 'a closed record closes no more');
    assert.equal(await failures.close([], after(3)), []);
  });

  test('a record resolved by hand keeps the instant when its pod is gone', async () => {
    const [a] = await put(pod(1));
    await failures.setStatus(a!.id, 'resolved', after(1));
    assert.is((await failures.close([a!.id], after(60)))[0]?.previous, 'resolved');
    assert.is((await failures.record(a!.id))?.resolved_at, after(1).toISOString());
  });

  test('a record that is reported after the message about its end stays open', async () => {
    const [a] = await put(pod(1, { now: after(10).toISOString() }));
    assert.equal(await failures.close([a!.id], after(9)), []);
    assert.is((await openIncidents()).length, 1);
  });

  test('a closed record is history: the next failure is a new record in a new incident', async () => {
    const [a] = await put(pod(1));
    await failures.close([a!.id], after(1));
    const [b] = await put(pod(1));
    assert.is.not(b!.id, a!.id);
    assert.is.not(b!.incident_id, a!.incident_id);
  });

  test('open records are found by pod, and by uid only where there is one', async () => {
    const [a] = await put(pod(1));
    const [b] = await put({ ...pod(1), identity: 'shop/web-1', pod_uid: null });
    const found = async (...args: [string, string, string?]) => (await failures.openByPod(...args)).map(({ id }) => id);
    assert.equal(await found('shop', 'web-1'), [b!.id, a!.id]);
    assert.equal(await found('shop', 'web-1', 'uid-1'), [a!.id]);
    assert.equal(await found('other', 'web-1'), []);
    const ids = async (pod_uid?: string) =>
      (await failures.openIds([{ namespace: 'shop', pod_name: 'web-1', pod_uid }], 'test')).sort((a, b) => a - b);
    assert.equal(
      await ids(),
      [a!.id, b!.id].sort((a, b) => a - b),
    );
    assert.equal(
      await ids('uid-1'),
      [a!.id, b!.id].sort((a, b) => a - b),
    );
    assert.equal(await ids('uid-else'), [b!.id]);
  });

  test('open records tell where their objects are, closed ones do not', async () => {
    const [a] = await put(pod(1), pod(2));
    await failures.close([a!.id], new Date());
    const open = await failures.openObjects();
    assert.equal(
      open.map(({ pod_name, node_name, resource_kind }) => [pod_name, node_name, resource_kind]),
      [[pod(2).pod_name, 'node-1', 'Pod']],
    );
  });

  test('a better solution replaces the first', async () => {
    const [a] = await put(pod(1));
    assert.is(await failures.setSolution(a!.id, 'better', false), true);
    const record = await failures.record(a!.id);
    assert.is(record?.solution, 'better');
    assert.is(record?.is_fallback, false);
    assert.is(await failures.setSolution(a!.id + 999, 'x', true), false);
  });

  test('lists show the newest trials, oldest first, and the single record all of them', async () => {
    const [a] = await put(pod(1));
    const trials = trialRepository(db);
    const shown = { shown_before: null, shown_after: null, reason_before: null, reason_after: null, changes: [] };
    const ids = Array.from({ length: LISTED_TRIALS + 3 }, (_, n) => `trial-${n}`);
    for (const [n, mirror_id] of ids.entries())
      await trials.insert({ failure_id: a!.id, verdict: null, origin: 'Rules', ...shown, mirror_id, started_at: after(n) });
    const [listed] = (await failures.active.page({ limit: 10 })).rows.map((row) => JSON.parse(row) as FailureRecord);
    assert.equal(
      listed!.trials.map(({ mirror_id }) => mirror_id),
      ids.slice(-LISTED_TRIALS),
    );
    assert.equal(
      (await failures.detail(a!.id))!.trials.map(({ mirror_id }) => mirror_id),
      ids,
    );
  });

  test('records show their trials, oldest first, and a repeated trial changes nothing', async () => {
    const [a] = await put(pod(1));
    const trials = trialRepository(db);
    const trial = { failure_id: a!.id, verdict: null, reason_before: 'CrashLoopBackOff', reason_after: null, origin: 'Rules' };
    const shown = { shown_before: { message: 'back-off', restarts: 3, seconds_to_fail: 2.5 }, shown_after: null };
    const changes = [{ path: 'spec.containers[0].image', from: 'a', to: ['b'], why: 'it exists' }];
    const halfEmpty = [{ path: 'spec.hostNetwork', from: true, why: 'not needed' } as unknown as Change];
    await trials.insert({ ...trial, ...shown, mirror_id: 'second', changes: halfEmpty, started_at: after(5) });
    await trials.insert({ ...trial, ...shown, mirror_id: 'first', changes, started_at: T0 });
    await trials.insert({ ...trial, ...shown, mirror_id: 'first', changes: [], started_at: after(9) });
    const evidence = { message: '', restarts: 0, ready_seconds: 12 };
    await trials.update('first', { verdict: 'Fixed', reason_after: null, shown_after: evidence });
    await trials.update('first', { verdict: 'Fixed', reason_after: null });
    await trials.update('first', { verdict: 'Fixed', reason_after: null, shown_after: { ...evidence, ready_seconds: 99 } });
    await trials.end('first', after(7));
    await trials.end('second', after(8));
    const [first, second] = (await failures.record(a!.id))!.trials;
    const { failure_id: _, ...same } = trial;
    assert.equal(first, {
      ...same,
      ...shown,
      shown_after: evidence,
      evidence: null,
      strength: null,
      revisions: [],
      final: true,
      mirror_id: 'first',
      verdict: 'Fixed',
      changes,
      started_at: T0.toISOString(),
      ended_at: after(7).toISOString(),
      log_pod_name: null,
    });
    assert.equal([second?.verdict, second?.shown_after], ['Inconclusive', null]);
    assert.equal(await trials.forFailure(a!.id), [first!, second!]);
    assert.equal(second?.changes, [{ ...halfEmpty[0], to: null }]);
    assert.equal(await readList(failures.active), [await failures.record(a!.id)], 'a list shows the same');
  });

  test('old records go by their status, in batches; incidents without records follow', async () => {
    const [a, b, c] = await put(pod(1), pod(2), pod(3, { owner: 'Deployment/b', now: after(3600).toISOString() }));
    await failures.close([a!.id, b!.id], T0);
    await failures.setStatus(c!.id, 'ignored', T0);
    assert.is(await failures.deleteOld({ status: 'resolved', statusBefore: T0 }, 10), 0, 'not yet');
    assert.is(await failures.deleteOld({ status: 'resolved', statusBefore: after(1) }, 1), 1);
    assert.is(await failures.deleteOld({ status: 'resolved', statusBefore: after(1) }, 10), 1);
    assert.is(await incidents.deleteForgotten(10), 1);
    assert.is(await failures.deleteOld({ status: 'ignored', statusBefore: after(60), lastSeenBefore: after(60) }, 10), 0, 'still heard of');
    assert.is(await failures.deleteOld({ status: 'ignored', statusBefore: after(7200), lastSeenBefore: after(7200) }, 10), 1);
    const abandoned = await incidents.abandoned(10);
    assert.equal(abandoned, [c!.incident_id]);
    await incidents.closeEmpty(abandoned, after(7200));
    assert.equal(await incidents.abandoned(10), []);
  });

  test.run();
}
