import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Suppression } from '../../src/crd/suppression.ts';
import { failureRepository, type FailureRepository } from '../../src/db/failures.ts';
import { reportRepository, type ReportRepository } from '../../src/db/reports.ts';
import { resuppression } from '../../src/failures/resuppress.ts';
import { createLog } from '../../src/log.ts';
import { aReportRow } from '../support/report.ts';
import { engines } from '../support/store.ts';
import { aSuppression } from '../support/suppression.ts';

for (const engine of engines('resuppression')) {
  const test = suite(`resuppression on ${engine.name}`);
  let failures: FailureRepository;
  let reports: ReportRepository;
  let close: () => Promise<void>;
  let suppressions: Suppression[] = [];
  let solved: number[] = [];
  let count = 0;

  test.before(async () => {
    const store = await engine.open();
    close = () => store.close();
    failures = failureRepository(store.db);
    reports = reportRepository(store.db);
  });
  test.before.each(async () => {
    const open = await failures.openSubjects();
    await failures.close(
      open.map(({ id }) => id),
      new Date(),
    );
    [suppressions, solved] = [[], []];
  });
  test.after(() => close());

  /** Stores an open record of a pod and answers its id. */
  const stored = async (pod_name: string, over: Parameters<typeof aReportRow>[0] = {}) => {
    const identity = `uid-${++count}`;
    const row = aReportRow({ identity, pod_uid: identity, pod_name, owner: `Pod/${identity}`, ...over });
    const [report] = await reports.store([row]);
    return report!.record.id;
  };
  const resuppress = resuppression({
    get failures() {
      return failures;
    },
    suppressions: () => suppressions,
    operatorNamespace: 'podmend',
    async solve({ id, pod_name }) {
      solved.push(id);
      if (pod_name === 'breaks-rules') throw new Error('a rule broke');
      return { solution: `solution for ${pod_name}`, isFallback: true };
    },
    now: () => new Date('2026-06-01T00:00:00Z'),
    log: createLog({ level: 'silent' }),
  });
  const lists = async () => ({
    active: (await failures.active()).map(({ id }) => id).toSorted((one, other) => one - other),
    suppressed: (await failures.suppressed()).map(({ id, suppressed_by }) => `${id} ${suppressed_by}`).toSorted(),
  });

  test('hides what is matched, brings it back, and counts', async () => {
    const web = await stored('web-1');
    const db = await stored('db-1');
    suppressions = [aSuppression({ pods: ['web-*'] })];
    assert.equal([...(await resuppress())], [['podmend/known', 1]]);
    assert.equal(await lists(), { active: [db], suppressed: [`${web} known`] });
    suppressions = [];
    assert.equal([...(await resuppress())], []);
    assert.equal(await lists(), { active: [web, db], suppressed: [] });
    assert.equal(solved, []);
  });

  test('what another Suppression hides now says so', async () => {
    const web = await stored('web-1');
    suppressions = [aSuppression({ pods: ['web-*'] })];
    await resuppress();
    suppressions = [aSuppression({ pods: ['web-*'] }, { metadata: { name: 'other' } })];
    await resuppress();
    assert.equal(await lists(), { active: [], suppressed: [`${web} other`] });
  });

  test('what was born hidden gets its solution when it comes back, even beside one that breaks a rule', async () => {
    const broken = await stored('breaks-rules', { suppressed_by: 'known', solution: null });
    const born = await stored('web-1', { suppressed_by: 'known', solution: null });
    await resuppress();
    assert.equal(await lists(), { active: [broken, born], suppressed: [] });
    assert.is((await failures.record(born))?.solution, 'solution for web-1');
    assert.is((await failures.record(broken))?.solution, null);
  });

  test('a Suppression that has expired hides nothing', async () => {
    const web = await stored('web-1', { suppressed_by: 'known' });
    suppressions = [aSuppression({ pods: ['web-*'] }, { expirationTime: '2026-06-01T00:00:00Z' })];
    await resuppress();
    assert.equal(await lists(), { active: [web], suppressed: [] });
  });

  test('calls during a run share the next one, which sees what they saw', async () => {
    const web = await stored('web-1');
    const first = resuppress();
    suppressions = [aSuppression({ pods: ['web-*'] })];
    const [second, third] = [resuppress(), resuppress()];
    assert.is(second, third);
    assert.is.not(first, second);
    await first;
    assert.equal([...(await second)], [['podmend/known', 1]]);
    assert.equal(await lists(), { active: [], suppressed: [`${web} known`] });
  });
  test.run();
}
