import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { trialRepository } from '../../src/db/trials.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);

for (const engine of engines('past mirrors')) {
  const store = await engine.open();
  const { db } = store;
  const [trials, reports] = [trialRepository(db), reportRepository(db)];
  const test = suite(`past mirrors on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['trials', 'failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  const failure = async (pod_name: string, namespace = 'shop'): Promise<number> => {
    const name = `${namespace}/${pod_name}`;
    const [stored] = await reports.store([aReportRow({ pod_name, namespace, identity: name, pod_uid: name })]);
    return stored!.record.id;
  };
  const ended = async (mirror_id: string, failure_id: number, { verdict, at }: { verdict: 'Fixed' | 'StillFailing'; at: number }) => {
    const shown = { reason_before: 'CrashLoopBackOff', reason_after: null, shown_before: null, shown_after: null };
    const changes = [{ path: 'spec.containers[0].image', from: 'web:11', to: 'web:1', why: 'the tag exists' }];
    await trials.insert({ mirror_id, failure_id, verdict: null, ...shown, origin: 'Rules', changes, started_at: minutes(at) });
    await trials.update(mirror_id, { verdict, reason_after: null });
    await trials.end(mirror_id, minutes(at + 3));
  };
  const ids = async (page = {}) => (await readList(trials.past, page)).map(({ mirror_id }) => mirror_id);

  test('ended mirrors are listed with verdict and failure, the newest first', async () => {
    const [web, cart] = [await failure('web-1'), await failure('cart-1', 'bank')];
    await ended('a', web, { verdict: 'StillFailing', at: 0 });
    await ended('b', cart, { verdict: 'Fixed', at: 1 });
    await trials.insert({
      ...{ mirror_id: 'running', failure_id: web, verdict: null, reason_before: null, reason_after: null },
      ...{ shown_before: null, shown_after: null, origin: 'Rules', changes: [], started_at: minutes(2) },
    });
    const [first] = await readList(trials.past);
    const { id, evidence: _, revisions: _1, ...shown } = first!;
    assert.type(id, 'number');
    assert.equal(shown, {
      ...{ pod_id: cart, source_pod_name: 'cart-1', namespace: 'bank', workload: { kind: 'Deployment', name: 'web' } },
      ...{ failure_reason: 'CrashLoopBackOff', failure_status: 'new', is_open: true, mirror_id: 'b', verdict: 'Fixed' },
      ...{ reason_before: 'CrashLoopBackOff', reason_after: null, shown_before: null, shown_after: null, strength: null, final: true },
      ...{ origin: 'Rules', changes: [{ path: 'spec.containers[0].image', from: 'web:11', to: 'web:1', why: 'the tag exists' }] },
      ...{ started_at: minutes(1).toISOString(), ended_at: minutes(4).toISOString(), log_pod_name: null },
    });
    assert.equal(await ids(), ['b', 'a']);
  });

  test('the log of a mirror is kept with its trial, found by its pod, and goes with its record', async () => {
    const [web, cart] = [await failure('web-1'), await failure('cart-1', 'bank')];
    await ended('a', web, { verdict: 'Fixed', at: 0 });
    await ended('b', cart, { verdict: 'Fixed', at: 1 });
    const log = (text: string) => ({ container: 'app', containers: [{ name: 'app', current: text, previous: null }] });
    await trials.keepLog('a', 'web-mirror-1', log('begun'));
    await trials.keepLog('a', 'web-mirror-1', log('begun\u0000 and ended'));
    await trials.keepLog('b', 'web-mirror-1', log('another'));
    await trials.keepLog('of no trial', 'web-mirror-1', log('nobody'));
    assert.equal(await trials.keptLog('shop', 'web-mirror-1'), log('begun and ended'));
    assert.equal(await trials.keptLog('bank', 'web-mirror-1'), log('another'));
    assert.is(await trials.keptLog('shop', 'web-1\u0000'), undefined);
    assert.equal(
      (await readList(trials.past)).map(({ log_pod_name: name }) => name),
      ['web-mirror-1', 'web-mirror-1'],
    );
    await db.deleteFrom('failures').execute();
    assert.is(await trials.keptLog('shop', 'web-mirror-1'), undefined);
    assert.equal(await db.selectFrom('mirror_logs').selectAll().execute(), []);
  });

  test('what people wrote for mirrors of a record is kept, and answered once it was Fixed', async () => {
    const [web, cart] = [await failure('web-1'), await failure('cart-1', 'bank')];
    const aTrial = async (
      mirror_id: string,
      failure_id: number,
      { at, verdict = 'Fixed' }: { at: number; verdict?: 'Fixed' | 'StillFailing' },
    ) => {
      const nothing = { verdict: null, reason_before: null, reason_after: null, shown_before: null, shown_after: null };
      const written = { before: { image: 'web:11' }, after: { image: `web:${at}\u0000` }, hidden: ['spec.x'] };
      const trial = { mirror_id, failure_id, ...nothing, origin: 'Given', changes: [], started_at: minutes(at), written };
      await trials.insert(trial);
      await trials.insert({ ...trial, written: { ...written, hidden: [] } });
      await trials.update(mirror_id, { verdict, reason_after: null });
    };
    await aTrial('a', web, { at: 1 });
    await aTrial('b', web, { at: 2 });
    await aTrial('c', web, { at: 3, verdict: 'StillFailing' });
    await aTrial('d', cart, { at: 4 });
    await ended('proposed', web, { verdict: 'Fixed', at: 5 });
    assert.equal(await trials.written(web), [
      { mirror_id: 'b', before: { image: 'web:11' }, after: { image: 'web:2' }, hidden: ['spec.x'] },
      { mirror_id: 'a', before: { image: 'web:11' }, after: { image: 'web:1' }, hidden: ['spec.x'] },
    ]);
    await db.deleteFrom('failures').execute();
    assert.equal(await db.selectFrom('written_manifests').selectAll().execute(), []);
  });

  test('they are narrowed by namespace, verdict and text, and come in pages', async () => {
    const [web, cart] = [await failure('web-1'), await failure('cart-1', 'bank')];
    await ended('a', web, { verdict: 'StillFailing', at: 0 });
    await ended('b', cart, { verdict: 'Fixed', at: 1 });
    await ended('c', web, { verdict: 'Fixed', at: 2 });
    for (const [page, expected] of [
      [{ namespace: 'shop' }, ['c', 'a']],
      [{ verdict: 'Fixed' }, ['c', 'b']],
      [{ q: 'CART' }, ['b']],
      [{ q: '%' }, []],
      [{ q: 'web', verdict: 'Fixed', namespace: 'shop' }, ['c']],
      [{ scope: { namespaces: '*' as const, hidden: ['bank'] } }, ['c', 'a']],
      [{ namespace: '\u0000' }, []],
    ] as [object, string[]][])
      assert.equal(await ids(page), expected, JSON.stringify(page));
    const first = await trials.past.page({ limit: 2 });
    assert.equal(await ids({ limit: 2, before: first.last }), ['a']);
    assert.is(await trials.past.version({ limit: 2 }), first.version);
    await db.updateTable('failures').set({ closed_at: T0 }).where('id', '=', web).execute();
    assert.is.not(await trials.past.version({ limit: 2 }), first.version, 'a record that closes is told');
  });

  test.run();
}
