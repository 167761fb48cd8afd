import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Advice } from '../../src/contract/advice.ts';
import { adviceRepository, type AdviceRow } from '../../src/db/advice.ts';
import { adviceSuppressionRepository } from '../../src/db/suppressible.ts';
import { anAdviceRow } from '../support/builders/advice.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const WHY = { reason: 'one replica is enough', by: 'ada' };
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);

for (const engine of engines('advice')) {
  const store = await engine.open();
  const advice = adviceRepository(store.db);
  const adviceSuppressions = adviceSuppressionRepository(store.db);
  const pass = (rows: AdviceRow[], at = T0, over = {}) =>
    advice.store(
      { cluster: 'test', namespace: 'shop', detectors: ['limit-far-above-request', 'bare-pod'], rows, unreadable: [], ...over },
      at,
    );
  const listed = async (page = {}) => (await readList(advice.list, page)).map(({ resource_name, status }) => `${resource_name} ${status}`);

  const test = suite(`advice on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['advice', 'advice_passes'] as const) await store.db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  test('found advice is open, and stays the same row when it is found again: then nothing is written or sent', async () => {
    const [first] = await pass([anAdviceRow()]);
    const { labels: _1, images: _2, ...row } = anAdviceRow();
    const { id, ...shown } = first!;
    const ignored = { ignored_reason: null, ignored_by: null, ignored_at: null };
    assert.equal(shown, {
      ...row,
      ...ignored,
      namespace: 'shop',
      explanation: null,
      is_fallback: true,
      status: 'open',
      created_at: T0.toISOString(),
    });
    assert.equal(await pass([anAdviceRow()], minutes(60)), []);
    assert.equal(await advice.byId(id), first);
    const [changed] = await pass([anAdviceRow({ evidence: { containers: ['app', 'db'] } })], minutes(120));
    assert.equal([changed?.id, changed?.created_at, changed?.evidence], [id, T0.toISOString(), { containers: ['app', 'db'] }]);
  });

  test('advice that is not found any more is resolved, unless its detector could not look, or it is elsewhere', async () => {
    await pass([anAdviceRow(), anAdviceRow({ detector_id: 'bare-pod', resource_name: 'agent' })]);
    await pass([anAdviceRow({ resource_name: 'other' })], T0, { namespace: 'bank' });
    const gone = await pass([], minutes(1), { detectors: ['limit-far-above-request'] });
    assert.equal(
      gone.map(({ resource_name, status }) => [resource_name, status]),
      [['web', 'resolved']],
    );
    assert.equal(await listed(), ['other open', 'agent open']);
    assert.equal(await listed({ status: 'resolved' }), ['web resolved']);
    const [again] = await pass([anAdviceRow()], minutes(2), { detectors: ['limit-far-above-request'] });
    assert.equal([again?.id, again?.status], [gone[0]?.id, 'open']);
    assert.equal((await advice.namespaces('test')).sort(), ['bank', 'shop']);
  });

  test('ignored advice stays ignored, also when it comes back; restored, it has the state it would have', async () => {
    const [one] = await pass([anAdviceRow()]);
    assert.is((await advice.ignore(one!.id, WHY, T0))?.status, 'ignored');
    const again = await advice.ignore(one!.id, { reason: 'another', by: 'bob' }, minutes(1));
    const why = [again?.ignored_reason, again?.ignored_by, again?.ignored_at];
    assert.equal([again?.status, ...why], ['ignored', WHY.reason, WHY.by, T0.toISOString()], 'the first reason stays');
    await pass([anAdviceRow({ severity: 'high' })], minutes(1));
    assert.equal([await listed(), await listed({ status: 'ignored' })], [[], ['web ignored']]);
    await pass([], minutes(2));
    assert.equal([await listed({ status: 'ignored' }), await listed({ status: 'resolved' })], [[], []]);
    await pass([anAdviceRow()], minutes(3));
    assert.equal(await listed({ status: 'ignored' }), ['web ignored']);
    const restored = await advice.restore(one!.id);
    assert.equal([restored?.status, restored?.ignored_reason, restored?.ignored_by, restored?.ignored_at], ['open', null, null, null]);
    assert.is((await advice.restore(one!.id))?.status, 'open');
    await advice.ignore(one!.id, WHY, T0);
    await pass([], minutes(4));
    assert.is((await advice.restore(one!.id))?.status, 'resolved');
    assert.equal([await advice.ignore(999_999, WHY, T0), await advice.restore(999_999)], [undefined, undefined]);
  });

  test('an explanation lasts as long as what it explains', async () => {
    const [one] = await pass([anAdviceRow()]);
    await advice.explain(one!, 'because\0', false);
    assert.equal((({ explanation, is_fallback }) => [explanation, is_fallback])((await advice.byId(one!.id))!), ['because', false]);
    await pass([anAdviceRow({ evidence: { containers: ['db'] } })], minutes(1));
    assert.is((await advice.byId(one!.id))?.explanation, 'because');
    await pass([anAdviceRow({ summary: 'another one' })], minutes(2));
    assert.is((await advice.byId(one!.id))?.explanation, null);
    await advice.explain(one!, 'too late', true);
    assert.is((await advice.byId(one!.id))?.explanation, null, 'it explained what was said before');
  });

  test('the list has its filters and pages', async () => {
    await pass([
      anAdviceRow({ resource_name: 'a', severity: 'high' }),
      anAdviceRow({ resource_name: 'b', category: 'security', detector_id: 'bare-pod' }),
      anAdviceRow({ resource_name: 'c', suppressed_by: 'quiet' }),
      anAdviceRow({ resource_name: 'd%' }),
    ]);
    for (const [page, names] of [
      [{ severity: 'high' }, ['a open']],
      [{ category: 'security' }, ['b open']],
      [{ detector: 'bare-pod' }, ['b open']],
      [{ namespace: 'bank' }, []],
      [{ q: 'D%' }, ['d% open']],
      [{ status: 'suppressed' }, ['c open']],
      [{ limit: 2 }, ['d% open', 'a open']],
      [{ scope: { namespaces: '*', hidden: ['shop'] } }, []],
    ] as const)
      assert.equal(await listed(page), names, JSON.stringify(page));
    const [newest, second] = await readList(advice.list);
    assert.equal(newest, await advice.byId(newest!.id), 'a list shows a piece of advice as it is shown alone');
    assert.equal(await listed({ before: second?.id }), ['b open']);
    assert.equal(await advice.countBySeverity({ namespaces: '*', hidden: [] }), { high: 1, medium: 2 });
    assert.equal(await advice.countBySeverity({ namespaces: '*', hidden: ['shop'] }), {});
  });

  test('the most severe stand first where that is asked for, page by page', async () => {
    const severities = ['low', 'critical', 'info', 'medium', 'high', 'medium'] as const;
    for (const [index, severity] of severities.entries())
      await pass([anAdviceRow({ resource_name: `${severity}-${index}`, severity })], T0, { namespace: `team-${index}` });
    const expected = ['critical-1 open', 'high-4 open', 'medium-5 open', 'medium-3 open', 'low-0 open', 'info-2 open'];
    assert.equal(await listed({ sort: 'severity' }), expected);
    const pages: string[] = [];
    for (let before: number | undefined; ;) {
      const { rows, last } = await advice.list.page({ sort: 'severity', limit: 2, before });
      pages.push(...rows.map((row) => (JSON.parse(row) as Advice).resource_name));
      if (rows.length < 2) break;
      before = last;
    }
    assert.equal(
      pages,
      expected.map((one) => one.split(' ')[0]),
    );
    assert.equal(await listed({ sort: 'severity', before: 1_000_000 }), []);
  });

  test('kinds that could not be read are remembered until they can', async () => {
    await pass([], T0, { unreadable: ['Pod', 'Service'] });
    await pass([], T0, { namespace: 'bank', unreadable: ['Pod'] });
    assert.equal((await advice.unreadable('test')).sort(), ['Pod', 'Service']);
    await pass([], T0);
    assert.equal(await advice.unreadable('test'), ['Pod']);
    assert.equal(await advice.namespaces('test'), ['bank'], 'a namespace that is gone meanwhile is looked at once more');
    await pass([], T0, { namespace: 'bank' });
    assert.equal([await advice.unreadable('test'), await advice.namespaces('test')], [[], []]);
    assert.equal(await advice.unreadable('other'), []);
  });

  test('advice that was resolved long ago is deleted', async () => {
    await pass([anAdviceRow(), anAdviceRow({ resource_name: 'kept' })]);
    await pass([anAdviceRow({ resource_name: 'kept' })], minutes(1));
    assert.equal([await advice.deleteVanished(minutes(1), 10), await advice.deleteVanished(minutes(2), 10)], [0, 1]);
    assert.equal(await listed(), ['kept open']);
  });

  test('Suppressions see what is found, with the pod it is about', async () => {
    await pass([anAdviceRow(), anAdviceRow({ resource_kind: 'Pod', resource_name: 'one' })]);
    const ids = await adviceSuppressions.openIds();
    const [pod, web] = (await adviceSuppressions.subjects(ids)).sort((a, b) => b.id - a.id);
    const { id, ...subject } = web!;
    const row = anAdviceRow();
    const { severity, labels, images } = row;
    const same = { namespace: 'shop', check: 'limit-far-above-request', severity, labels, images, suppressed_by: null, isCounted: true };
    const place = { resource_type: row.resource_kind, resource_name: row.resource_name };
    assert.equal([subject, pod?.pod_name], [{ ...same, ...place, pod_name: null }, 'one']);
    assert.equal(await adviceSuppressions.set([{ id, severity: 'medium', suppressed_by: null, name: 'quiet' }]), [id]);
    assert.equal(await listed(), ['one open']);
    await advice.ignore(id, WHY, T0);
    assert.is((await adviceSuppressions.subjects([id]))[0]?.isCounted, false);
  });

  test('two passes at once over one namespace leave one of each', async () => {
    const rows = Array.from({ length: 50 }, (_, n) => anAdviceRow({ resource_name: `web-${n}` }));
    await Promise.all([pass(rows), pass(rows.toReversed(), minutes(1))]);
    assert.is((await readList(advice.list)).length, 50);
  });

  test.run();
}
