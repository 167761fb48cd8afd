import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { Suppression } from '../../src/crd/suppression.ts';
import type { Store } from '../../src/db/connect.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { eventHub, internalBus } from '../../src/events.ts';
import { failureIntake } from '../../src/failures/intake.ts';
import { reportMask } from '../../src/redact/report.ts';
import { unsuppressedSolutions } from '../../src/failures/solve-unsuppressed.ts';
import { suppressionApplier } from '../../src/suppressions/apply.ts';
import { findSuppression } from '../../src/suppressions/policy/match.ts';
import { announceSuppressedFindings } from '../../src/findings/announce.ts';
import { createLog } from '../../src/log.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { longOr } from '../support/runner/long.ts';
import { aFailureReport, aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { aSuppression } from '../support/builders/suppression.ts';

/** The number of open failures, half of which match, and the number of findings. */
const RECORDS = longOr(20_000, 4_000);
/** More reports than this must be stored meanwhile, one after another. If a report waits for the whole change, there is only one. */
const FLOWING = 1;
const RULES = { operatorNamespace: 'podmend', tenantsHideHigh: false };

for (const engine of engines('many records')) {
  const test = suite(`${RECORDS} records on ${engine.name}`);
  let store: Store;
  let suppressions: Suppression[] = [];
  const messages: string[] = [];
  test.before(async () => {
    store = await engine.open();
    const rows = Array.from({ length: RECORDS }, (_, n) =>
      aReportRow({ identity: `uid-${n}`, pod_uid: `uid-${n}`, pod_name: `${n % 2 ? 'web' : 'db'}-${n}`, owner: `Deployment/${n % 100}` }),
    );
    for (let from = 0; from < RECORDS; from += 500) await reportRepository(store.db).store(rows.slice(from, from + 500));
    const found = Array.from({ length: RECORDS }, (_, n) =>
      aFindingRow({
        resource_name: `pod-${n}`,
        check_name: n % 2 ? 'privileged' : 'host-network',
        details: { images: ['a:1'], container: 'app' },
      }),
    );
    for (let from = 0; from < RECORDS; from += 500)
      await findingRepository(store.db).store(found.slice(from, from + 500).map(readyFinding), [], new Date());
  });
  test.after(() => store.close());

  const world = () => {
    const { db } = store;
    const [failures, failureSuppressions] = [failureRepository(db), failureSuppressionRepository(db)];
    const now = () => new Date();
    const hub = eventHub();
    hub.subscribe(({ type }) => void messages.push(type));
    const log = createLog({ level: 'silent' });
    const bus = internalBus();
    const unsuppressed = unsuppressedSolutions({
      bus,
      failures,
      failureSuppressions,
      solve: async () => ({ solution: 'late', isFallback: true }),
      log,
    });
    const findings = findingRepository(db);
    announceSuppressedFindings({ findings, hub, bus });
    const applySuppressions = suppressionApplier({
      hiddenNamespaces: [],
      suppressible: { failures: failureSuppressions, findings: findingSuppressionRepository(db) },
      suppressions: () => suppressions,
      rules: async () => RULES,
      bus,
      now,
    });
    const suppressionOf = (subject: Parameters<typeof findSuppression>[0], at: Date) =>
      findSuppression(subject, suppressions, at, RULES)?.metadata.name;
    const [reports, incidents] = [reportRepository(db), incidentRepository(db)];
    const intake = failureIntake({
      reports,
      incidents,
      hub,
      cluster: 'test',
      suppressionOf,
      failureSuppressions,
      bus,
      mask: reportMask(),
      diagnose,
      log,
    });
    const counts = async () => {
      const { count } = db.fn;
      const open = db.selectFrom('failures').where('closed_at', 'is', null).where('pod_name', 'not like', 'live-%');
      const some = async (by: 'is' | 'is not') =>
        Number((await open.where('suppressed_by', by, null).select(count('id').as('n')).executeTakeFirstOrThrow()).n);
      return { shown: await some('is'), hidden: await some('is not') };
    };
    return { applySuppressions, intake, counts, unsuppressed, failureSuppressions, findings };
  };
  type World = ReturnType<typeof world>;

  /** Applies the Suppressions while reports come in one after another. Returns the time it took, and the longest wait of a report. */
  const held = async ({ applySuppressions, intake }: World, prefix: string) => {
    let isDone = false;
    const [began, cpuBegan] = [performance.now(), process.cpuUsage()];
    const run = applySuppressions().finally(() => (isDone = true));
    let [longestMs, sent] = [0, 0];
    while (!isDone) {
      const report: Partial<FailureReport> = { pod_name: `live-${prefix}-${sent}`, pod_uid: `live-${prefix}-${sent++}` };
      const asked = performance.now();
      await intake.report(aFailureReport(report), new Date());
      longestMs = Math.max(longestMs, performance.now() - asked);
    }
    const { matched } = await run;
    const { user, system } = process.cpuUsage(cpuBegan);
    return { matched, tookMs: performance.now() - began, cpuMs: (user + system) / 1000, longestMs, sent };
  };

  test('half of them are suppressed, and reports keep flowing', async () => {
    const it = world();
    suppressions = [aSuppression({ pods: ['web-*'] })];
    const { matched, tookMs, cpuMs, longestMs, sent } = await held(it, 'hide');
    assert.equal([...matched], [['podmend/known', { failures: RECORDS / 2, findings: 0 }]]);
    assert.equal(await it.counts(), { shown: RECORDS / 2, hidden: RECORDS / 2 });
    console.log(
      `${engine.name}: hid ${RECORDS / 2} of ${RECORDS} in ${Math.round(tookMs)} ms (${Math.round(cpuMs)} of this process); ${sent} reports, the slowest ${Math.round(longestMs)} ms`,
    );
    assert.ok(sent > FLOWING, `${sent} reports`);
  });

  test('unsuppressed, they are back with the solutions that they lacked, and no message is sent', async () => {
    const it = world();
    const bare = Array.from({ length: 100 }, (_, n) =>
      aReportRow({ identity: `bare-${n}`, pod_uid: `bare-${n}`, pod_name: `web-bare-${n}`, suppressed_by: 'known', solution: null }),
    );
    await reportRepository(store.db).store(bare);
    suppressions = [];
    messages.length = 0;
    const { tookMs, cpuMs, longestMs, sent } = await held(it, 'lift');
    assert.equal(await it.counts(), { shown: RECORDS + 100, hidden: 0 });
    console.log(
      `${engine.name}: brought ${RECORDS / 2} back in ${Math.round(tookMs)} ms (${Math.round(cpuMs)} of this process); ${sent} reports, the slowest ${Math.round(longestMs)} ms`,
    );
    assert.ok(sent > FLOWING, `${sent} reports`);
    await it.unsuppressed.idle();
    assert.equal(await it.failureSuppressions.unsolved(), []);
    // Only the failures that were reported meanwhile get a message.
    assert.is(messages.length, sent);
  });

  test('half of as many findings are suppressed and brought back; the newest of them get a message each', async () => {
    const it = world();
    for (const [says, given, hidden] of [
      ['hid', [aSuppression({ checks: ['privileged'] })], RECORDS / 2],
      ['brought back', [], 0],
    ] as const) {
      suppressions = [...given];
      messages.length = 0;
      const { matched, tookMs, cpuMs, sent } = await held(it, `find-${says}`);
      assert.is(matched.get('podmend/known')?.findings ?? 0, hidden);
      assert.equal(await it.findings.countBySeverity({ namespaces: '*', hidden: [] }), { high: RECORDS - hidden });
      assert.is(messages.filter((type) => type === 'finding_deleted').length, Math.min(hidden, 500));
      console.log(
        `${engine.name}: ${says} ${RECORDS / 2} of ${RECORDS} findings in ${Math.round(tookMs)} ms (${Math.round(cpuMs)} of this process); ${sent} reports`,
      );
    }
  });
  test.run();
}
