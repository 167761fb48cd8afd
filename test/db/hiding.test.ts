import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Store } from '../../src/db/connect.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { hidingRepository } from '../../src/db/hiding.ts';
import { reportRepository, type ReportRow } from '../../src/db/reports.ts';
import { aReportRow } from '../support/report.ts';
import { engines } from '../support/store.ts';

for (const engine of engines('hiding')) {
  const test = suite(`hiding on ${engine.name}`);
  let store: Store;
  let failures: ReturnType<typeof failureRepository>;
  let hiding: ReturnType<typeof hidingRepository>;
  test.before(async () => {
    store = await engine.open();
    failures = failureRepository(store.db);
    hiding = hidingRepository(store.db);
  });
  test.before.each(async () => {
    await store.db.deleteFrom('failures').execute();
  });
  test.after(() => store.close());

  const put = async (n: number, over: Partial<ReportRow> = {}): Promise<number> => {
    const names = { identity: `uid-${n}`, pod_uid: `uid-${n}`, pod_name: `web-${n}`, owner: `Pod/web-${n}` };
    const [stored] = await reportRepository(store.db).store([aReportRow({ ...names, ...over })]);
    return stored!.record.id;
  };
  const hide = async (id: number, name: string | null, over: { failure_reason?: string } = {}) => {
    const [subject] = await hiding.subjects([id]);
    await hiding.set([{ ...subject!, ...over, name }]);
  };
  const hidden = async () => (await failures.suppressed()).map(({ id, suppressed_by }) => `${id} ${suppressed_by}`);

  test('open records are seen with the failing container’s image, closed ones are not', async () => {
    const [known, unknown, closed] = [await put(1), await put(2, { container: null }), await put(3)];
    await failures.close([closed], new Date());
    assert.equal(await hiding.openIds(), [known, unknown]);
    const subjects = (await hiding.subjects([known, unknown, closed])).sort((one, other) => one.id - other.id);
    assert.equal(
      subjects.map(({ images }) => images.join()),
      ['registry.example/shop/app:1', 'registry.example/shop/web:1'],
    );
  });

  test('records are hidden, hidden by another, and shown', async () => {
    const [a, b] = [await put(1), await put(2)];
    await hide(a, 'quiet');
    assert.equal([await hidden(), (await failures.active()).map(({ id }) => id)], [[`${a} quiet`], [b]]);
    await hide(a, 'other');
    assert.equal(await hidden(), [`${a} other`]);
    await hide(a, null);
    assert.equal([await hidden(), (await failures.active()).length], [[], 2]);
    await hiding.set([]);
  });

  test('what became of a record meanwhile stays', async () => {
    const [relabelled, closed, shown] = [await put(1), await put(2), await put(3, { suppressed_by: 'quiet' })];
    const [, before] = (await hiding.subjects([closed, shown])).sort((one, other) => one.id - other.id);
    await failures.close([closed], new Date());
    await hide(shown, null);
    await hiding.set([
      { id: relabelled, failure_reason: 'Error', suppressed_by: null, name: 'late' },
      { id: closed, failure_reason: 'CrashLoopBackOff', suppressed_by: null, name: 'late' },
      { ...before!, name: 'late' },
    ]);
    const rows = await store.db.selectFrom('failures').select('suppressed_by').execute();
    assert.equal(rows, [{ suppressed_by: null }, { suppressed_by: null }, { suppressed_by: null }]);
  });

  test('shown records without a solution get one, and keep the one they have', async () => {
    const bare = { solution: null };
    const [without, , closed] = [await put(1, bare), await put(2, { ...bare, suppressed_by: 'quiet' }), await put(3, bare), await put(4)];
    await failures.close([closed], new Date());
    assert.equal(await hiding.unsolved(), [without]);
    await hiding.solve(without, 'late', true);
    await hiding.solve(without, 'later', true);
    assert.is((await failures.record(without))?.solution, 'late');
    assert.equal(await hiding.unsolved(), []);
  });
  test.run();
}
