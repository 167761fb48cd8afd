import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Suppression } from '../../src/crd/suppression.ts';
import { failureRepository, type FailureRepository } from '../../src/db/failures.ts';
import { hidingRepository, type HidingRepository } from '../../src/db/hiding.ts';
import { reportRepository, type ReportRepository } from '../../src/db/reports.ts';
import { fingerprintOf, resuppression } from '../../src/failures/resuppress.ts';
import { aReportRow } from '../support/report.ts';
import { engines } from '../support/store.ts';
import { aSuppression } from '../support/suppression.ts';

for (const engine of engines('resuppression')) {
  const test = suite(`resuppression on ${engine.name}`);
  let failures: FailureRepository;
  let hiding: HidingRepository;
  let reports: ReportRepository;
  let close: () => Promise<void>;
  let suppressions: Suppression[] = [];
  let count = 0;

  test.before(async () => {
    const store = await engine.open();
    close = () => store.close();
    failures = failureRepository(store.db);
    hiding = hidingRepository(store.db);
    reports = reportRepository(store.db);
  });
  test.before.each(async () => {
    await failures.close(await hiding.openIds(), new Date());
    suppressions = [];
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
    get hiding() {
      return hiding;
    },
    suppressions: () => suppressions,
    rules: async () => ({ operatorNamespace: 'podmend', tenantsHideHigh: false }),
    now: () => new Date('2026-06-01T00:00:00Z'),
  });
  const lists = async () => ({
    active: (await failures.active()).map(({ id }) => id).toSorted((one, other) => one - other),
    suppressed: (await failures.suppressed()).map(({ id, suppressed_by }) => `${id} ${suppressed_by}`).toSorted(),
  });

  test('hides what is matched, brings it back, and counts', async () => {
    const web = await stored('web-1');
    const db = await stored('db-1');
    suppressions = [aSuppression({ pods: ['web-*'] })];
    assert.equal([...(await resuppress()).matched], [['podmend/known', 1]]);
    assert.equal(await lists(), { active: [db], suppressed: [`${web} known`] });
    suppressions = [];
    assert.equal([...(await resuppress()).matched], []);
    assert.equal(await lists(), { active: [web, db], suppressed: [] });
  });

  test('what another Suppression hides now says so', async () => {
    const web = await stored('web-1');
    suppressions = [aSuppression({ pods: ['web-*'] })];
    await resuppress();
    suppressions = [aSuppression({ pods: ['web-*'] }, { metadata: { name: 'other' } })];
    await resuppress();
    assert.equal(await lists(), { active: [], suppressed: [`${web} other`] });
  });

  test('a Suppression that has expired hides nothing', async () => {
    const web = await stored('web-1', { suppressed_by: 'known' });
    suppressions = [aSuppression({ pods: ['web-*'] }, { expirationTime: '2026-06-01T00:00:00Z' })];
    await resuppress();
    assert.equal(await lists(), { active: [web], suppressed: [] });
  });

  test('what a run held the records to is in its answer, with the effect that each had', async () => {
    const [ever, over] = [aSuppression({ pods: ['a'] }), aSuppression({ pods: ['b'] }, { metadata: { name: 'over' }, suspend: true })];
    suppressions = [ever, over];
    assert.equal(
      [...(await resuppress()).held],
      [
        ['podmend/known', fingerprintOf(ever, true)],
        ['podmend/over', fingerprintOf(over, false)],
      ],
    );
  });

  test('many records are held in parts, and reports get their turn in between', async () => {
    const rows = Array.from({ length: 1_200 }, (_, n) =>
      aReportRow({ identity: `many-${n}`, pod_uid: `many-${n}`, pod_name: `${n % 2 ? 'web' : 'db'}-${n}`, owner: `Pod/${n}` }),
    );
    await reports.store(rows);
    suppressions = [aSuppression({ pods: ['web-*'] })];
    let isDone = false;
    const run = resuppress().finally(() => (isDone = true));
    await stored('late');
    assert.not(isDone);
    assert.is((await run).matched.get('podmend/known'), 600);
    assert.is((await failures.suppressed()).length, 600);
  });

  test('calls during a run share the next one, which sees what they saw', async () => {
    const web = await stored('web-1');
    const first = resuppress();
    suppressions = [aSuppression({ pods: ['web-*'] })];
    const [second, third] = [resuppress(), resuppress()];
    assert.is(second, third);
    assert.is.not(first, second);
    await first;
    assert.equal([...(await second).matched], [['podmend/known', 1]]);
    assert.equal(await lists(), { active: [], suppressed: [`${web} known`] });
  });
  test.run();
}
