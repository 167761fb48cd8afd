import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/db/connect.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { type FindingRow, readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { reportRepository, type ReportRow } from '../../src/db/failure-reports.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');

for (const engine of engines('suppressible records')) {
  const test = suite(`suppressible records on ${engine.name}`);
  let store: Store;
  let failures: ReturnType<typeof failureRepository>;
  let failureSuppressions: ReturnType<typeof failureSuppressionRepository>;
  test.before(async () => {
    store = await engine.open();
    failures = failureRepository(store.db);
    failureSuppressions = failureSuppressionRepository(store.db);
  });
  test.before.each(async () => {
    await store.db.deleteFrom('failures').execute();
    await store.db.deleteFrom('findings').execute();
  });
  test.after(() => store.close());

  const put = async (n: number, over: Partial<ReportRow> = {}): Promise<number> => {
    const names = { identity: `uid-${n}`, pod_uid: `uid-${n}`, pod_name: `web-${n}`, owner: `Pod/web-${n}` };
    const [stored] = await reportRepository(store.db).store([aReportRow({ ...names, ...over })]);
    return stored!.record.id;
  };
  const hide = async (id: number, name: string | null, over: { failure_reason?: string } = {}) => {
    const [subject] = await failureSuppressions.subjects([id]);
    await failureSuppressions.set([{ ...subject!, ...over, name }]);
  };
  const hidden = async () => (await readList(failures.suppressed)).map(({ id, suppressed_by }) => `${id} ${suppressed_by}`);

  test('open records are seen with the failing container’s image, closed ones are not', async () => {
    const [known, unknown, closed] = [await put(1), await put(2, { container: null }), await put(3)];
    await failures.close([closed], new Date());
    assert.equal(await failureSuppressions.openIds(), [unknown, known]);
    const subjects = (await failureSuppressions.subjects([known, unknown, closed])).sort((one, other) => one.id - other.id);
    assert.equal(
      subjects.map(({ images }) => images.join()),
      ['registry.example/shop/app:1', 'registry.example/shop/web:1'],
    );
  });

  test('records are hidden, hidden by another, and shown', async () => {
    const [a, b] = [await put(1), await put(2)];
    await hide(a, 'quiet');
    assert.equal([await hidden(), (await readList(failures.active)).map(({ id }) => id)], [[`${a} quiet`], [b]]);
    await hide(a, 'other');
    assert.equal(await hidden(), [`${a} other`]);
    await hide(a, null);
    assert.equal([await hidden(), (await readList(failures.active)).length], [[], 2]);
    assert.equal(await failureSuppressions.set([]), []);
  });

  test('a change of a record in the meantime stays', async () => {
    const [relabelled, closed, shown] = [await put(1), await put(2), await put(3, { suppressed_by: 'quiet' })];
    const [, before] = (await failureSuppressions.subjects([closed, shown])).sort((one, other) => one.id - other.id);
    await failures.close([closed], new Date());
    await hide(shown, null);
    const changed = await failureSuppressions.set([
      { id: relabelled, failure_reason: 'Error', suppressed_by: null, name: 'late' },
      { id: closed, failure_reason: 'CrashLoopBackOff', suppressed_by: null, name: 'late' },
      { ...before!, name: 'late' },
    ]);
    assert.equal(changed, []);
    const rows = await store.db.selectFrom('failures').select('suppressed_by').execute();
    assert.equal(rows, [{ suppressed_by: null }, { suppressed_by: null }, { suppressed_by: null }]);
  });

  test('shown records without a solution get one, and keep the one they have', async () => {
    const bare = { solution: null };
    const [without, , closed] = [await put(1, bare), await put(2, { ...bare, suppressed_by: 'quiet' }), await put(3, bare), await put(4)];
    await failures.close([closed], new Date());
    assert.equal(await failureSuppressions.unsolved(), [without]);
    await failureSuppressions.solve(without, 'late', true);
    await failureSuppressions.solve(without, 'later', true);
    assert.is((await failures.record(without))?.solution, 'late');
    assert.equal(await failureSuppressions.unsolved(), []);
  });

  const findings = () => findingRepository(store.db);
  const find = async (over: Partial<FindingRow> = {}) =>
    (await findings().store([readyFinding(aFindingRow(over))], [], T0)).stored[0]!.finding.id;

  test('findings are seen as Suppressions look at them; resolved and stale ones are not', async () => {
    const details = { images: ['a:1', 7], labels: { app: 'web', odd: 1 } };
    const [pod, workload, dismissed, stale] = [
      await find({ resource_name: 'web-1', details }),
      await find({ resource_type: 'Deployment', resource_name: 'web', severity: 'low', details: { images: 'none' } }),
      await find({ resource_name: 'web-3' }),
      await find({ resource_name: 'web-4' }),
    ];
    await findings().dismiss(dismissed);
    await findings().staleOf({ ...aFindingRow(), resource_name: 'web-4' }, T0);
    const rows = findingSuppressionRepository(store.db);
    assert.equal(await rows.openIds(), [dismissed, workload, pod]);
    const base = { namespace: 'shop', check: 'privileged', suppressed_by: null };
    assert.equal(
      (await rows.subjects([pod, workload, stale])).sort((one, other) => one.id - other.id),
      [
        {
          ...base,
          resource_type: 'Pod',
          resource_name: 'web-1',
          pod_name: 'web-1',
          severity: 'high',
          images: ['a:1'],
          labels: { app: 'web' },
          id: pod,
          isCounted: true,
        },
        {
          ...base,
          resource_type: 'Deployment',
          resource_name: 'web',
          pod_name: null,
          severity: 'low',
          images: [],
          labels: {},
          id: workload,
          isCounted: true,
        },
      ],
    );
    assert.is((await rows.subjects([dismissed]))[0]?.isCounted, false);
  });

  test('findings are hidden and shown if their severity is unchanged', async () => {
    const [mild, grave] = [await find({ severity: 'low' }), await find({ severity: 'low', resource_name: 'web-2' })];
    const rows = findingSuppressionRepository(store.db);
    const seen = await rows.subjects([mild, grave]);
    await find({ severity: 'critical', resource_name: 'web-2' });
    assert.equal(await rows.set(seen.map((one) => ({ ...one, name: 'quiet' }))), [mild]);
    assert.equal(
      (await readList(findings().list, { status: 'suppressed' })).map(({ id, suppressed_by }) => [id, suppressed_by]),
      [[mild, 'quiet']],
    );
    assert.equal(await rows.set([{ id: mild, severity: 'low', suppressed_by: 'quiet', name: null }]), [mild]);
    assert.is((await readList(findings().list)).length, 2);
  });
  test.run();
}
