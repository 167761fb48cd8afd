import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord, FailureReport } from '../../src/contract/failure.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { DatabaseUnavailable } from '../../src/db/errors.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { type ReportRow, reportRepository } from '../../src/db/failure-reports.ts';
import { eventHub, internalBus, type ReportedLog } from '../../src/events.ts';
import { type ReportSubject, failureIntake } from '../../src/failures/intake.ts';
import { type ReportMask, reportMask } from '../../src/redact/report.ts';
import { createLog } from '../../src/log.ts';
import type { Case } from '../../src/diagnosis/case.ts';
import { aCrash, aFailureReport } from '../support/builders/report.ts';
import type { Store } from '../../src/db/connect.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);

// Open all databases before a suite runs. Otherwise the runner starts the first suite while this file waits for the second database.
const opened: { name: string; store: Store }[] = [];
for (const { name, open } of engines('intake')) opened.push({ name, store: await open() });
for (const { name: engine, store } of opened) {
  const { db } = store;
  const failures = failureRepository(db);
  const messages: SocketMessage[] = [];
  const hub = eventHub();
  hub.subscribe((message) => void messages.push(message));
  const types = (): string[] => messages.splice(0).map((message) => message.type);
  const cases: Case[] = [];
  let suppressionOf: (subject: ReportSubject) => string | undefined;
  let stored: [id: number, log: ReportedLog, isNewSolution: boolean][];
  let unsuppressed = 0;
  const bus = internalBus();
  bus.on('recordStored', ({ record, log, isNewSolution }) => void stored.push([record.id, log, isNewSolution]));
  bus.on('recordsUnsuppressed', () => void unsuppressed++);
  const deps = {
    reports: reportRepository(db),
    incidents: incidentRepository(db),
    hub,
    cluster: 'here',
    suppressionOf: (subject: ReportSubject) => suppressionOf(subject),
    failureSuppressions: failureSuppressionRepository(db),
    bus,
    mask: reportMask(),
    diagnose: (subject: Case) => {
      cases.push(subject);
      if (subject.logs === 'break the rule') throw new Error('a rule broke');
      return {
        summary: `${subject.pod_name}: ${subject.reason}`,
        evidence: [],
        culprit: null,
        advice: [],
        commands: [],
        corrections: [],
        noCorrection: null,
      };
    },
    log: createLog({ level: 'silent' }),
  };
  const intake = failureIntake(deps);
  const report = async (over: Partial<FailureReport> = {}, at = T0) => {
    const outcome = await intake.report(aFailureReport(over), at);
    if (outcome.kind !== 'stored') throw new Error(`suppressed by ${outcome.suppression}`);
    return outcome;
  };
  const openIncidents = async () =>
    await db.selectFrom('incidents').select(['id', 'family', 'owner']).where('closed_at', 'is', null).orderBy('id').execute();

  const test = suite(`intake on ${engine}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents'] as const) await db.deleteFrom(table).execute();
    messages.length = cases.length = 0;
    stored = [];
    suppressionOf = () => undefined;
  });
  test.after(() => store.close());

  test('a new failure is diagnosed, stored and broadcast with its reason', async () => {
    const { record, isNew } = await report();
    assert.is(isNew, true);
    assert.is(record.cluster, 'here');
    assert.match(record.solution ?? '', 'web-1: CrashLoopBackOff');
    assert.is(record.is_fallback, true);
    assert.equal(await failures.record(record.id), record);
    assert.equal(messages, [{ type: 'pod_failure', data: { ...record, reason: 'CrashLoopBackOff' } }]);
    assert.equal(stored, [[record.id, 'given', true]]);
  });

  test('times of a record are those of the failure, whichever report comes first', async () => {
    const told = async (seenAt: Date, now: Date) => {
      const outcome = await intake.report(aFailureReport(), now, seenAt);
      return outcome.kind === 'stored' ? [outcome.record.timestamp, outcome.record.last_seen] : [];
    };
    assert.equal(await told(after(20), after(300)), [after(20).toISOString(), after(20).toISOString()]);
    assert.equal(await told(after(10), after(301)), [after(10).toISOString(), after(20).toISOString()]);
    assert.equal(await told(after(30), after(302)), [after(10).toISOString(), after(30).toISOString()]);
    assert.is(messages.length, 1, 'repeats are counted by the time of delivery');
  });

  test('a report of nothing but its name is stored as Unknown, identified by its name', async () => {
    const bare = { pod_name: 'lonely', namespace: 'shop' };
    const first = await intake.report(bare, T0);
    const second = await intake.report(bare, after(1));
    if (first.kind !== 'stored' || second.kind !== 'stored') throw new Error('suppressed');
    assert.is(first.record.failure_reason, 'Unknown');
    assert.is(first.record.resource_kind, 'Pod');
    assert.is(second.record.id, first.record.id);
    assert.equal(
      (await openIncidents()).map(({ owner }) => owner),
      ['Pod/lonely'],
    );
  });

  test('a missing reason is what the container statuses say', async () => {
    const rows: [string, NonNullable<FailureReport['container_statuses']> | null, string][] = [
      ['waiting', [{ name: 'app', state: 'waiting', reason: 'ErrImagePull' }], 'ErrImagePull'],
      [
        'the failing container’s',
        [
          { name: 'side', state: 'waiting', reason: 'ErrImagePull' },
          { name: 'app', state: 'terminated', reason: 'OOMKilled' },
        ],
        'OOMKilled',
      ],
      [
        'the run before',
        [{ name: 'app', state: 'running', last_state: { state: 'terminated', reason: 'OOMKilled', exit_code: 137 } }],
        'OOMKilled',
      ],
      ['an exit code', [{ name: 'app', state: 'terminated', exit_code: 3 }], 'Error'],
      ['nothing wrong', [{ name: 'app', state: 'terminated', reason: 'Completed', exit_code: 0 }], 'Unknown'],
      ['starting', [{ name: 'app', state: 'waiting', reason: 'ContainerCreating' }], 'Unknown'],
      ['null', null, 'Unknown'],
    ];
    for (const [n, [sentence, container_statuses, expected]] of rows.entries()) {
      const { record } = await report({ failure_reason: null, pod_uid: `uid-${n}`, container_statuses });
      assert.is(record.failure_reason, expected, sentence);
    }
  });

  test('a resend changes nothing but last_seen', async () => {
    const { record } = await report();
    const { record: again, isNew } = await report({ logs: 'other', events: [] }, after(5));
    assert.is(isNew, false);
    assert.equal(again, { ...record, last_seen: after(5).toISOString() });
    assert.is(cases.length, 1, 'diagnosed once');
    assert.is((await failures.detail(record.id))?.logs, 'panic');
  });

  test('a resend of what changed between the look at the record and the storing is stored as what it is then', async () => {
    const { reports } = deps;
    const meanwhile = (change: (id: number) => Promise<unknown>) => ({
      ...reports,
      store: async (rows: ReportRow[]) => {
        assert.equal(
          rows.map(({ repeats }) => repeats),
          [await only()],
          'it was a repeat',
        );
        await change(await only());
        return reports.store(rows);
      },
    });
    const only = async () => (await readList(failures.active))[0]!.id;
    const changes: [string, (id: number) => Promise<unknown>, Partial<FailureRecord>][] = [
      ['closed', (id) => db.updateTable('failures').set({ closed_at: T0, status: 'resolved' }).where('id', '=', id).execute(), {}],
      ['seen anew', () => report({ container_statuses: [aCrash(2)] }, after(1)), { occurrences: 2 }],
      ['of another label', () => report({ failure_reason: 'Evicted', container_statuses: [aCrash(2)] }, after(1)), { occurrences: 2 }],
    ];
    for (const [name, change, expected] of changes) {
      await db.deleteFrom('failures').execute();
      const { record } = await report();
      const late = failureIntake({ ...deps, reports: meanwhile(change) });
      const outcome = await late.report(aFailureReport(), after(5));
      if (outcome.kind !== 'stored') throw new Error(name);
      assert.is(outcome.isNew, name === 'closed', name);
      assert.is(outcome.record.id === record.id, name !== 'closed', name);
      assert.equal({ ...outcome.record, ...expected }, outcome.record, name);
      assert.is(outcome.record.failure_reason, 'CrashLoopBackOff', name);
      assert.is((await failures.detail(outcome.record.id))?.logs, 'panic', name);
      assert.equal(await failures.record(outcome.record.id), outcome.record, name);
    }
  });

  test('a log that was missing comes with the resend of its occurrence, and changes nothing else', async () => {
    const { record } = await report({ logs: 'log not available yet: the node did not answer the API server\n' });
    const late = await report({ logs: 'last words', events: [] }, after(5));
    assert.equal(late.record, { ...record, last_seen: after(5).toISOString() });
    assert.is((await failures.detail(record.id))?.logs, 'last words');
    await report({ logs: 'other words' }, after(6));
    assert.is((await failures.detail(record.id))?.logs, 'last words');
    await report({ container_statuses: [aCrash(2)], logs: 'log not available yet: busy\n' }, after(20));
    await report({ logs: 'words of the first' }, after(21));
    assert.match((await failures.detail(record.id))?.logs ?? '', /^log not available yet/, 'of another occurrence');
    assert.equal(
      stored.map(([, log]) => log),
      ['due', 'given', 'given', 'due', 'given'],
    );
  });

  test('only what is stored is masked: of a repeat, its names alone', async () => {
    const masked: FailureReport[] = [];
    const mask: ReportMask = (given, parsed) => {
      masked.push(given);
      return deps.mask(given, parsed);
    };
    const watched = failureIntake({ ...deps, mask });
    const given = aFailureReport({ logs: 'password=hunter2hunter2', labels: { token: 'hunter2hunter2' } });
    const first = await watched.report(given, T0);
    assert.ok(masked.includes(given));
    masked.length = 0;
    const again = await watched.report(given, after(1));
    assert.equal(
      masked.map(({ logs, labels }) => [logs, labels]),
      [[undefined, given.labels]],
    );
    if (first.kind !== 'stored' || again.kind !== 'stored') throw new Error('suppressed');
    assert.is(again.record.id, first.record.id);
    const detail = await failures.detail(first.record.id);
    assert.equal([detail?.logs, detail?.labels], ['password=***', { token: '***' }]);
  });

  test('a repeat whose record changed meanwhile is stored masked', async () => {
    const { reports } = deps;
    const store: typeof reports.store = async (rows) => {
      await db.updateTable('failures').set({ closed_at: T0, status: 'resolved' }).execute();
      return reports.store(rows);
    };
    const given = aFailureReport({ logs: 'password=hunter2hunter2' });
    await intake.report(given, T0);
    const outcome = await failureIntake({ ...deps, reports: { ...reports, store } }).report(given, after(5));
    if (outcome.kind !== 'stored') throw new Error('suppressed');
    assert.ok(outcome.isNew);
    assert.is((await failures.detail(outcome.record.id))?.logs, 'password=***');
  });

  test('occurrences count distinct runs, whatever the order of resends, and the evidence is the newest’s', async () => {
    await report();
    await report({ container_statuses: [aCrash(2)], logs: 'second' }, after(20));
    await report({ container_statuses: [aCrash(1)] }, after(21));
    const { record } = await report({ container_statuses: [aCrash(2)] }, after(22));
    assert.is(record.occurrences, 2);
    assert.is(record.timestamp, T0.toISOString());
    assert.is((await failures.detail(record.id))?.logs, 'second');
  });

  test('of many occurrences the newest keys are remembered', async () => {
    const crash = (n: number) => ({ container_statuses: [{ ...aCrash(1), restart_count: n }] });
    for (let n = 1; n <= 40; n++) await report(crash(n), after(n));
    const { record } = await report(crash(40), after(50));
    assert.is(record.occurrences, 40);
    const { keys } = await db
      .selectFrom('failures')
      .select(({ fn, ref }) => fn<number>('cardinality', [ref('occurrence_keys')]).as('keys'))
      .executeTakeFirstOrThrow();
    assert.is(keys, 32);
  });

  test('a label becomes more specific within its family, never less, and keeps the solution', async () => {
    const first = await report({ failure_reason: 'Error' });
    const sharper = await report({ failure_reason: 'OOMKilled', failure_message: 'killed' }, after(1));
    assert.is(sharper.record.failure_reason, 'OOMKilled');
    assert.is(sharper.record.failure_message, 'killed');
    assert.is(sharper.record.solution, first.record.solution);
    assert.is(sharper.record.incident_id, first.record.incident_id);
    const duller = await report({ failure_reason: 'CrashLoopBackOff', container_statuses: [aCrash(2)] }, after(2));
    assert.is(duller.record.failure_reason, 'OOMKilled');
    assert.is(duller.record.occurrences, 2);
  });

  test('another family is another incident with a new solution and status new; the empty incident closes', async () => {
    const first = await report();
    await failures.setStatus(first.record.id, 'investigating', T0);
    const moved = await report({ failure_reason: 'ImagePullBackOff' }, after(1));
    assert.is(moved.record.id, first.record.id);
    assert.is(moved.isNew, false);
    assert.is(moved.record.status, 'new');
    assert.is.not(moved.record.incident_id, first.record.incident_id);
    assert.match(moved.record.solution ?? '', 'ImagePullBackOff');
    assert.equal(
      (await openIncidents()).map(({ family }) => family),
      ['image'],
    );
    assert.equal(types(), ['pod_failure', 'pod_status_change', 'solution_updated'], 'within 10 s only what changed');
  });

  test('an ignored record that moves stays ignored', async () => {
    const { record } = await report();
    await failures.setStatus(record.id, 'ignored', T0);
    messages.length = 0;
    assert.is((await report({ failure_reason: 'ImagePullBackOff' }, after(60))).record.status, 'ignored');
    assert.equal(types(), []);
  });

  test('another container of the same pod is another incident', async () => {
    const first = await report();
    const moved = await report({ container: 'side', container_statuses: [aCrash(1, 'side')] }, after(1));
    assert.is(moved.record.id, first.record.id);
    assert.is(moved.record.container, 'side');
    assert.is.not(moved.record.incident_id, first.record.incident_id);
    const nameless = await report({ container: null }, after(2));
    assert.is(nameless.record.container, 'side', 'a report that names none does not move it');
  });

  test('pods of one workload share an incident; new records of an ignored one are ignored, without a message', async () => {
    const first = await report();
    const second = await report({ pod_uid: 'uid-web-2', pod_name: 'web-2' });
    assert.is(second.record.incident_id, first.record.incident_id);
    await failures.setStatus(first.record.id, 'ignored', T0);
    messages.length = 0;
    const third = await report({ pod_uid: 'uid-web-3', pod_name: 'web-3' });
    assert.is(third.isNew, true);
    assert.is(third.record.status, 'ignored');
    assert.is((await report({ pod_uid: 'uid-web-3', pod_name: 'web-3' }, after(60))).record.status, 'ignored');
    assert.equal(types(), []);
  });

  test('resolved by hand while it fails: a resend leaves it, the next occurrence makes it new', async () => {
    const { record } = await report();
    await failures.setStatus(record.id, 'resolved', after(1));
    assert.is((await report({}, after(2))).record.status, 'resolved');
    messages.length = 0;
    const again = await report({ container_statuses: [aCrash(2)] }, after(3));
    assert.is(again.record.id, record.id);
    assert.is(again.record.status, 'new');
    assert.is(again.record.resolved_at, null);
    assert.equal(types(), ['pod_status_change']);
  });

  test('a repeat is broadcast at most once in 10 s', async () => {
    for (const seconds of [0, 1, 9, 10, 15, 19, 20]) await report({ container_statuses: [aCrash(seconds)] }, after(seconds));
    assert.equal(types(), ['pod_failure', 'pod_failure', 'pod_failure']);
  });

  test('a suppressed report is stored without solution and message; unsuppressed, the next report has both', async () => {
    const seen: ReportSubject[] = [];
    suppressionOf = (subject) => {
      seen.push(subject);
      return 'quiet';
    };
    const hidden = await intake.report(aFailureReport(), T0);
    assert.is(hidden.kind, 'suppressed');
    assert.equal(
      seen.slice(0, 1).map(({ images, labels, failure_reason }) => ({ images, labels, failure_reason })),
      [{ images: ['registry.example/shop/app:1'], labels: { app: 'web' }, failure_reason: 'CrashLoopBackOff' }],
    );
    assert.is(cases.length, 0);
    assert.equal(types(), []);
    assert.equal(
      (await readList(failures.suppressed)).map(({ solution, suppressed_by }) => ({ solution, suppressed_by })),
      [{ solution: null, suppressed_by: 'quiet' }],
    );
    suppressionOf = () => undefined;
    const { record, isNew } = await report({}, after(1));
    assert.is(isNew, false);
    assert.ok(record.solution);
    assert.is(record.suppressed_by, null);
    assert.equal(types(), ['pod_failure']);
  });

  test('a Suppression that comes or goes while the report is stored holds for it too', async () => {
    const looks = ['a', undefined];
    suppressionOf = () => (looks.length > 1 ? looks.shift() : looks[0]);
    const { kind } = await intake.report(aFailureReport(), T0);
    assert.equal([kind, types(), unsuppressed], ['stored', ['pod_failure'], 1]);
    assert.is((await readList(failures.suppressed)).length, 0);
    looks.splice(0, 2, undefined, 'b');
    assert.is((await intake.report(aFailureReport({ container_statuses: [aCrash(2)] }), after(30))).kind, 'suppressed');
    assert.equal(
      (await readList(failures.suppressed)).map(({ suppressed_by }) => suppressed_by),
      ['b'],
    );
    assert.equal(types(), []);
  });

  test('the label that a record keeps decides by what it is suppressed, not a less specific one that came later', async () => {
    suppressionOf = ({ failure_reason }) => (failure_reason === 'OOMKilled' ? 'known-leak' : undefined);
    await intake.report(aFailureReport({ failure_reason: 'OOMKilled' }), T0);
    const later = aFailureReport({ failure_reason: 'CrashLoopBackOff', container_statuses: [aCrash(2)] });
    const outcome = await intake.report(later, after(30));
    assert.equal([outcome.kind, types()], ['suppressed', []]);
    assert.equal(
      (await readList(failures.suppressed)).map(({ failure_reason, suppressed_by }) => ({ failure_reason, suppressed_by })),
      [{ failure_reason: 'OOMKilled', suppressed_by: 'known-leak' }],
    );
  });

  test('the same report eight times at the same instant is one record and one message', async () => {
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => report()));
    assert.is(new Set(outcomes.map(({ record }) => record.id)).size, 1);
    assert.is(outcomes.filter(({ isNew }) => isNew).length, 1);
    assert.is(outcomes.at(-1)?.record.occurrences, 1);
    assert.equal(types(), ['pod_failure']);
  });

  test('two replicas that get the same reports at once make one record of each, in one incident', async () => {
    const other = failureIntake({ ...deps, reports: reportRepository(db) });
    const pods = Array.from({ length: 40 }, (_, n) => aFailureReport({ pod_uid: `uid-${n}`, pod_name: `web-${n}` }));
    await Promise.all([...pods.map((one) => intake.report(one, T0)), ...pods.toReversed().map((one) => other.report(one, T0))]);
    assert.is((await readList(failures.active)).length, 40);
    assert.is((await openIncidents()).length, 1);
    assert.is(messages.length, 40);
  });

  test('closing while reports arrive loses no record and leaves no open record in a closed incident', async () => {
    const rounds = Array.from({ length: 15 }, async (_, n) => {
      const { record } = await report({ pod_uid: `uid-${n}`, pod_name: `web-${n}` });
      await Promise.all([failures.close([record.id], after(1)), report({ pod_uid: `uid-x${n}`, pod_name: `web-x${n}` })]);
    });
    await Promise.all(rounds);
    assert.is((await readList(failures.active)).length, 15);
    const homes = new Set((await readList(failures.active)).map(({ incident_id }) => incident_id));
    assert.equal(
      [...homes],
      (await openIncidents()).map(({ id }) => id),
    );
  });

  test('when a rule throws, the report is stored without a solution', async () => {
    const { record } = await report({ logs: 'break the rule' });
    assert.is(record.solution, null);
  });

  test('NUL bytes, halves of surrogate pairs and endless names are stored as far as they can be', async () => {
    const { record } = await report({
      pod_name: `a\0${'b'.repeat(9000)}`,
      logs: '\0\ud800',
      container: 'app\0',
      pod_uid: 'u\0'.repeat(3000),
    });
    assert.is(record.pod_name.length, 253);
    assert.is(record.container, 'app');
    assert.is((await failures.detail(record.id))?.logs, '\ufffd');
  });

  test('a report that comes masked is not masked again, and is stored so; the diagnosis has what was sent', async () => {
    const asked: FailureReport[] = [];
    const mask: ReportMask = (given) => (asked.push(given), reportMask()(given));
    const sent = aFailureReport({ logs: 'password=hunter2-Xk29Lm', manifest: 'kind: Pod\nmetadata: {name: web-1}\n' });
    cases.length = 0;
    const manifest = { kind: 'Pod', metadata: { name: 'web-1' } };
    const diagnosis = (subject: Case) => ({
      ...deps.diagnose(subject),
      summary: `it says ${subject.logs} and canary-4711`,
    });
    const outcome = await failureIntake({ ...deps, mask, diagnose: diagnosis }).report(sent, T0, T0, {
      ...{ masked: reportMask()(sent), secrets: ['canary-4711'], manifest },
    });
    if (outcome.kind !== 'stored') throw new Error('suppressed');
    assert.is(cases[0]?.manifest(), manifest, 'it is not parsed again');
    assert.match(outcome.record.solution ?? '', 'password=***');
    assert.not.match(outcome.record.solution ?? '', /hunter2|canary/);
    assert.is((await failures.detail(outcome.record.id))?.logs, 'password=***');
    assert.is(cases[0]?.logs, sent.logs);
    assert.ok(
      asked.every(({ logs, manifest }) => logs === undefined && manifest === undefined),
      'only names and labels',
    );
  });

  test('while the database is away, every report is refused for that reason', async () => {
    const away = { ...deps.reports, known: () => Promise.reject(new DatabaseUnavailable(new Error('gone'))) };
    const refused = failureIntake({ ...deps, reports: away });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, n) => refused.report(aFailureReport({ pod_uid: `u${n}` }), T0)),
    );
    assert.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof DatabaseUnavailable));
  });

  test.run();
}
