import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Suppression } from '../../src/crd/suppression.ts';
import { failureRepository, type FailureRepository } from '../../src/db/failures.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository, type FindingRepository } from '../../src/db/findings.ts';
import {
  findingSuppressionRepository,
  failureSuppressionRepository,
  type FailureSuppressionRepository,
  type OpenSubject,
  type SuppressibleRows,
} from '../../src/db/suppressible.ts';
import { reportRepository, type ReportRepository } from '../../src/db/failure-reports.ts';
import { internalBus } from '../../src/events.ts';
import { fingerprintOf, openSubjects, suppressionApplier } from '../../src/suppressions/apply.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { aSuppression } from '../support/builders/suppression.ts';
import { readList } from '../support/database/read-list.ts';

const told = suite('what suppressionApplier tells');
const rowsOf = (some: OpenSubject[], isStored = (_id: number) => true): SuppressibleRows => ({
  openIds: async () => some.map(({ id }) => id).toSorted((one, other) => other - one),
  // In any order.
  subjects: async (ids) => some.filter(({ id }) => ids.includes(id)),
  set: async (changes) => changes.map(({ id }) => id).filter(isStored),
});
const subject = (id: number, more: Partial<OpenSubject> = {}): OpenSubject => ({
  ...{ id, namespace: 'shop', pod_name: 'web', suppressed_by: null, isCounted: true },
  ...more,
});
const applied = async (suppressible: Omit<Parameters<typeof suppressionApplier>[0]['suppressible'], 'failures'>) => {
  const emitted: unknown[] = [];
  const emit = async (...given: unknown[]) => void emitted.push(given);
  const { matched } = await suppressionApplier({
    suppressible: { failures: rowsOf([]), ...suppressible },
    bus: { emit },
    suppressions: () => [aSuppression({ pods: ['web'] })],
    rules: async () => ({ operatorNamespace: 'podmend', tenantsHideHigh: false }),
    hiddenNamespaces: [],
    now: () => new Date('2026-06-01T00:00:00Z'),
  })();
  return { emitted, counts: matched.get('podmend/known') };
};

told('the findings that are hidden now, the newest first: of very many, only the first are sent', async () => {
  const findings = [
    ...[subject(1), subject(2, { suppressed_by: 'other' }), subject(3, { isCounted: false }), subject(4), subject(5)],
    ...[subject(6, { pod_name: 'db' }), subject(7)],
  ];
  const { emitted, counts } = await applied({ findings: rowsOf(findings, (id) => id !== 5) });
  assert.equal(emitted, [
    ['findingsSuppressed', { ids: [7, 4, 1] }],
    ['recordsUnsuppressed', {}],
  ]);
  assert.equal(counts, { failures: 0, findings: 5 });
});

told('advice counts as findings, and nothing is sent about it', async () => {
  const { emitted, counts } = await applied({ findings: rowsOf([]), advice: rowsOf([subject(1), subject(2)]) });
  assert.equal([emitted, counts], [[['recordsUnsuppressed', {}]], { failures: 0, findings: 2 }]);
});

told('a statement reads at most 1,000 records', async () => {
  const all = rowsOf(Array.from({ length: 2_001 }, (_, id) => subject(id)));
  const parts: number[][] = [];
  for await (const part of openSubjects(all)) parts.push([part.length, Math.max(...part.map(({ id }) => id))]);
  assert.equal(parts, [
    [1_000, 2_000],
    [1_000, 1_000],
    [1, 0],
  ]);
});
told.run();

for (const engine of engines('suppressionApplier')) {
  const test = suite(`suppressionApplier on ${engine.name}`);
  let failures: FailureRepository;
  let failureSuppressions: FailureSuppressionRepository;
  let reports: ReportRepository;
  let close: () => Promise<void>;
  let findings: FindingRepository;
  let findingSuppressions: SuppressibleRows;
  let suppressions: Suppression[] = [];
  let tenantsHideHigh = false;
  let told: number[][] = [];
  let count = 0;

  test.before(async () => {
    const store = await engine.open();
    close = () => store.close();
    failures = failureRepository(store.db);
    failureSuppressions = failureSuppressionRepository(store.db);
    reports = reportRepository(store.db);
    findings = findingRepository(store.db);
    findingSuppressions = findingSuppressionRepository(store.db);
  });
  test.before.each(async () => {
    await failures.close(await failureSuppressions.openIds(), new Date());
    for (const finding of await readList(findings.list)) await findings.staleOf(finding, new Date());
    suppressions = [];
    told = [];
    tenantsHideHigh = false;
  });
  test.after(() => close());

  /** Stores an open record of a pod and returns its id. */
  const stored = async (pod_name: string, over: Parameters<typeof aReportRow>[0] = {}) => {
    const identity = `uid-${++count}`;
    const row = aReportRow({ identity, pod_uid: identity, pod_name, owner: `Pod/${identity}`, ...over });
    const [report] = await reports.store([row]);
    return report!.record.id;
  };
  const bus = internalBus();
  bus.on('findingsSuppressed', ({ ids }) => void told.push(ids));
  const applySuppressions = suppressionApplier({
    hiddenNamespaces: ['vault'],
    get suppressible() {
      return { failures: failureSuppressions, findings: findingSuppressions };
    },
    bus,
    suppressions: () => suppressions,
    rules: async () => ({ operatorNamespace: 'podmend', tenantsHideHigh }),
    now: () => new Date('2026-06-01T00:00:00Z'),
  });
  const lists = async () => ({
    active: (await readList(failures.active)).map(({ id }) => id).toSorted((one, other) => one - other),
    suppressed: (await readList(failures.suppressed)).map(({ id, suppressed_by }) => `${id} ${suppressed_by}`).toSorted(),
  });

  test('suppresses what is matched, brings it back, and counts', async () => {
    const web = await stored('web-1');
    const db = await stored('db-1');
    suppressions = [aSuppression({ pods: ['web-*'] })];
    assert.equal([...(await applySuppressions()).matched], [['podmend/known', { failures: 1, findings: 0 }]]);
    assert.equal(await lists(), { active: [db], suppressed: [`${web} known`] });
    suppressions = [];
    assert.equal([...(await applySuppressions()).matched], []);
    assert.equal(await lists(), { active: [web, db], suppressed: [] });
  });

  test('a record in a hidden namespace is suppressed, and not counted', async () => {
    const ids = [await stored('web-1', { namespace: 'vault' }), await stored('web-2')];
    suppressions = [aSuppression({ pods: ['web-*'] })];
    assert.is((await applySuppressions()).matched.get('podmend/known')?.failures, 1);
    assert.equal((await lists()).suppressed, ids.map((id) => `${id} known`).toSorted());
  });

  test('a record that another Suppression hides now says so', async () => {
    const web = await stored('web-1');
    suppressions = [aSuppression({ pods: ['web-*'] })];
    await applySuppressions();
    suppressions = [aSuppression({ pods: ['web-*'] }, { metadata: { name: 'other' } })];
    await applySuppressions();
    assert.equal(await lists(), { active: [], suppressed: [`${web} other`] });
  });

  test('a Suppression that has expired hides nothing', async () => {
    const web = await stored('web-1', { suppressed_by: 'known' });
    suppressions = [aSuppression({ pods: ['web-*'] }, { expirationTime: '2026-06-01T00:00:00Z' })];
    await applySuppressions();
    assert.equal(await lists(), { active: [web], suppressed: [] });
  });

  test('the answer of a run names the Suppressions that it applied, and the effect of each', async () => {
    const [ever, over] = [aSuppression({ pods: ['a'] }), aSuppression({ pods: ['b'] }, { metadata: { name: 'over' }, suspend: true })];
    suppressions = [ever, over];
    assert.equal(
      [...(await applySuppressions()).fingerprints],
      [
        ['podmend/known', fingerprintOf(ever, true)],
        ['podmend/over', fingerprintOf(over, false)],
      ],
    );
  });

  test('many records are checked in parts, and reports run in between', async () => {
    const rows = Array.from({ length: 2_200 }, (_, n) =>
      aReportRow({ identity: `many-${n}`, pod_uid: `many-${n}`, pod_name: `${n % 2 ? 'web' : 'db'}-${n}`, owner: `Pod/${n}` }),
    );
    await reports.store(rows);
    suppressions = [aSuppression({ pods: ['web-*'] })];
    let isDone = false;
    const run = applySuppressions().finally(() => (isDone = true));
    await stored('late');
    assert.not(isDone);
    assert.is((await run).matched.get('podmend/known')?.failures, 1_100);
    assert.is((await readList(failures.suppressed)).length, 1_100);
  });

  test('calls during a run share the next one, which sees what they saw', async () => {
    const web = await stored('web-1');
    const first = applySuppressions();
    suppressions = [aSuppression({ pods: ['web-*'] })];
    const [second, third] = [applySuppressions(), applySuppressions()];
    assert.is(second, third);
    assert.is.not(first, second);
    await first;
    assert.equal([...(await second).matched], [['podmend/known', { failures: 1, findings: 0 }]]);
    assert.equal(await lists(), { active: [], suppressed: [`${web} known`] });
  });

  /** Stores an open finding and returns its id. */
  const found = async (over: Parameters<typeof aFindingRow>[0] = {}) => {
    const resource_name = `web-${++count}`;
    const { stored: rows } = await findings.store([readyFinding(aFindingRow({ resource_name, ...over }))], [], new Date());
    return rows[0]!.finding.id;
  };
  const inShop = { metadata: { namespace: 'shop' } };
  const inBank = { metadata: { namespace: 'bank' } };
  const registry = { checks: ['untrusted-registry'], images: ['ghcr.io/*'] };
  const fromGhcr = { check_name: 'untrusted-registry', details: { images: ['ghcr.io/a:1'] } };
  test('a finding about a hidden namespace itself is suppressed, and not counted', async () => {
    const id = await found({ resource_type: 'Namespace', namespace: 'cluster-wide', resource_name: 'vault' });
    await found();
    suppressions = [aSuppression({ checks: ['privileged'] })];
    assert.is((await applySuppressions()).matched.get('podmend/known')?.findings, 1);
    assert.is((await findings.byId(id))?.suppressed_by, 'known');
    suppressions = [];
    await applySuppressions();
  });
  const matches: [says: string, suppression: Suppression, finding: Parameters<typeof aFindingRow>[0], isHidden: boolean][] = [
    ['its check', aSuppression({ checks: ['privi*'] }), {}, true],
    ['another check', aSuppression({ checks: ['host-*'] }), {}, false],
    ['its namespace', aSuppression({ namespaces: ['shop'] }), {}, true],
    ['another namespace', aSuppression({ namespaces: ['bank'] }), {}, false],
    ['a reason of failures', aSuppression({ failureReasons: ['CrashLoop*'] }), {}, false],
    ['its pod', aSuppression({ pods: ['web-*'] }), {}, true],
    ['a pod, where it is a workload’s', aSuppression({ pods: ['web-*'] }), { resource_type: 'Deployment' }, false],
    ['its label', aSuppression({ labelSelector: { matchLabels: { app: 'web' } } }), { details: { labels: { app: 'web' } } }, true],
    ['a label that it has not', aSuppression({ labelSelector: { matchLabels: { app: 'web' } } }), {}, false],
    ['its image', aSuppression({ images: ['ghcr.io/*'] }), { details: { images: ['docker.io/b', 'ghcr.io/a:1'] } }, true],
    ['an image that is none', aSuppression({ images: ['ghcr.io/*'] }), { details: { images: 'ghcr.io/a:1' } }, false],
    ['a trusted registry, whoever uses it', aSuppression(registry), { ...fromGhcr, severity: 'high' }, true],
    ['a tenant’s trusted registry, gravely', aSuppression(registry, inShop), { ...fromGhcr, severity: 'high' }, false],
    ['a tenant’s, mildly', aSuppression({ checks: ['privileged'] }, inShop), { severity: 'medium' }, true],
    ['a tenant’s, critically', aSuppression({ checks: ['privileged'] }, inShop), { severity: 'critical' }, false],
    ['another tenant’s', aSuppression({ checks: ['privileged'] }, inBank), { severity: 'low' }, false],
    ['one that is over', aSuppression({ checks: ['*a*'] }, { expirationTime: '2026-05-31T00:00:00Z' }), {}, false],
  ];
  for (const [says, suppression, finding, isHidden] of matches)
    test(`a stored finding and ${says}: ${isHidden ? 'suppressed, and back when unsuppressed' : 'shown'}`, async () => {
      const id = await found(finding);
      suppressions = [suppression];
      const { matched } = await applySuppressions();
      const key = `${suppression.metadata.namespace}/known`;
      assert.equal([...matched], isHidden ? [[key, { failures: 0, findings: 1 }]] : []);
      assert.is((await findings.byId(id))?.suppressed_by, isHidden ? 'known' : null);
      assert.equal(told, isHidden ? [[id]] : []);
      suppressions = [];
      await applySuppressions();
      assert.equal([(await findings.byId(id))?.suppressed_by, told.length], [null, isHidden ? 1 : 0]);
    });

  test('a changed setting decides anew what tenants may hide', async () => {
    const id = await found({ severity: 'high' });
    suppressions = [aSuppression({ checks: ['privileged'] }, inShop)];
    const by = async () => {
      await applySuppressions();
      return (await findings.byId(id))?.suppressed_by;
    };
    assert.is(await by(), null);
    tenantsHideHigh = true;
    assert.is(await by(), 'known');
    tenantsHideHigh = false;
    assert.is(await by(), null);
  });

  test('a dismissed finding is suppressed too, for when it is restored, and neither counted nor sent', async () => {
    const id = await found();
    await findings.dismiss(id);
    suppressions = [aSuppression({ checks: ['privileged'] })];
    const { matched } = await applySuppressions();
    assert.equal([matched.get('podmend/known'), told], [{ failures: 0, findings: 0 }, []]);
    assert.is((await findings.restore(id))?.suppressed_by, 'known');
  });
  test.run();
}
