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

  test('those that are over are listed with what they proved and their failure, the last that began first', async () => {
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
      ...{ started_at: minutes(1).toISOString(), ended_at: minutes(4).toISOString() },
    });
    assert.equal(await ids(), ['b', 'a']);
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
