import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { alertRepository, type NewAlert } from '../../src/db/alerts.ts';
import { chatTargetRepository } from '../../src/db/chat-targets.ts';
import type { ReportRow } from '../../src/db/failure-reports.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import type { FailureTable } from '../../src/db/schema.ts';
import { aReportRow } from '../support/builders/report.ts';
import { engines } from '../support/database/store.ts';

// What names in a chat and labels of an alert refer to. Each table has rows that come near and are not meant.

const T0 = new Date('2026-05-01T10:00:00Z');
const minutes = (count: number): Date => new Date(T0.getTime() + count * 60_000);

for (const engine of engines('targets of chats and alerts')) {
  const store = await engine.open();
  const { db } = store;
  const targets = chatTargetRepository(db, { cluster: 'test', hidden: ['hidden'] });
  const alerts = alertRepository(db, 'test');
  const test = suite(`targets of chats and alerts on ${engine.name}`);
  test.before.each(async () => {
    for (const table of ['alerts', 'failures', 'incidents'] as const) await db.deleteFrom(table).execute();
  });
  test.after(() => store.close());

  let count = 0;
  /** A failing pod; returns the ids of its record and its incident. */
  async function failing(pod_name: string, over: Partial<ReportRow> = {}, changes: Partial<FailureTable> = {}) {
    count += 1;
    const [stored] = await reportRepository(db).store([
      aReportRow({
        ...{ pod_name, identity: `uid-${count}`, pod_uid: `uid-${count}`, owner: `Deployment/${pod_name.split('-')[0]}` },
        ...over,
      }),
    ]);
    const { id } = stored!.record;
    await db
      .updateTable('failures')
      .set({ last_seen: minutes(count), ...(changes as object) })
      .where('id', '=', id)
      .execute();
    const { incident_id } = await db.selectFrom('failures').select('incident_id').where('id', '=', id).executeTakeFirstOrThrow();
    return { id, incident: Number(incident_id) };
  }
  const HIDDEN = { namespace: 'hidden' };
  const ELSEWHERE = { cluster: 'other' };

  test('only incidents of this cluster outside of hidden namespaces are there', async () => {
    const web = await failing('web-1');
    for (const over of [HIDDEN, ELSEWHERE]) {
      const { id, incident } = await failing('web-1', over);
      assert.equal([await targets.ofRecord(id), await targets.isShown(incident)], [undefined, false]);
    }
    assert.equal([await targets.ofRecord(web.id), await targets.isShown(web.incident)], [web.incident, true]);
    assert.is(await targets.ofRecord(0), undefined);
    assert.equal(await targets.named('web', null, true), [web.incident]);
    assert.equal(await targets.failing(null, 10), { ids: [web.incident], total: 1 });
  });

  test('the open records of an incident', async () => {
    const web = await failing('web-1');
    const more = await failing('web-2');
    await failing('web-3', {}, { closed_at: T0 });
    await failing('api-1');
    assert.equal(
      (await targets.openRecords(web.incident)).map(({ id }) => id),
      [web.id, more.id],
    );
  });

  test('a name is that of a workload or pod, else of a container, else the beginning of pods, else a part of workloads', async () => {
    const exact = await failing('web-1');
    const container = await failing('api-1', { container: 'web' });
    const begins = await failing('web-x-9', { owner: 'Deployment/other' });
    const part = await failing('shop-1', { owner: 'Deployment/my-web-shop' });
    const named = async (name: string, isExact = false, namespace: string | null = null) => targets.named(name, namespace, isExact);
    assert.equal(await named('web'), [exact.incident]);
    assert.equal(await named('web-x-9'), [begins.incident]);
    assert.equal(await named('my-web-shop'), [part.incident]);
    await db.updateTable('failures').set({ closed_at: T0 }).where('id', '=', exact.id).execute();
    assert.equal([await named('web'), await named('web', true)], [[container.incident], []]);
    await db.updateTable('failures').set({ suppressed_by: 'quiet' }).where('id', '=', container.id).execute();
    assert.equal(await named('web'), [begins.incident]);
    await db.updateTable('failures').set({ closed_at: T0 }).where('id', '=', begins.id).execute();
    assert.equal([await named('web'), await named('web', true), await named('nothing')], [[part.incident], [], []]);
  });

  test('a name may have a kind before it, and a namespace narrows it', async () => {
    const web = await failing('web-1');
    const set = await failing('web-2', { owner: 'StatefulSet/web' });
    const bank = await failing('web-3', { namespace: 'bank' });
    assert.equal(await targets.named('web', null, true), [bank.incident, set.incident, web.incident], 'the newest first');
    assert.equal(await targets.named('statefulset/web', null, true), [set.incident]);
    assert.equal(await targets.named('web', 'bank', true), [bank.incident]);
    assert.equal(await targets.named('web', 'test', true), []);
  });

  test('what fails: the newest first, without what is hidden, ignored or over, and how many', async () => {
    const [web, api, bank] = [
      await failing('web-1'),
      await failing('api-1', {}, { status: 'investigating' }),
      await failing('pay-1', { namespace: 'bank' }),
    ];
    await failing('a-1', {}, { status: 'ignored' });
    await failing('b-1', {}, { suppressed_by: 'quiet' });
    await failing('c-1', {}, { closed_at: T0 });
    assert.equal(await targets.failing(null, 10), { ids: [bank.incident, api.incident, web.incident], total: 3 });
    assert.equal(await targets.failing(null, 1), { ids: [bank.incident], total: 3 });
    assert.equal(await targets.failing('shop', 10), { ids: [api.incident, web.incident], total: 2 });
    assert.equal(await targets.failing('test', 10), { ids: [], total: 0 });
  });

  const alert = (over: Partial<NewAlert> = {}): NewAlert => ({
    ...{ fingerprint: 'f', starts_at: T0, status: 'firing', name: 'Down', severity: 'critical', summary: '', labels: {}, annotations: {} },
    ...{ namespace: 'shop', pod: null, owner: null, node: null, source_url: null, ended_at: null },
    ...(over as object),
  });
  const joined = async (over: Partial<NewAlert>, at = T0) => (await alerts.store(alert(over), at)).incident_id;

  test('an alert joins the open incident of its pod, else of its workload, else of its node', async () => {
    const web = await failing('web-1');
    await failing('web-1', { namespace: 'bank' });
    await failing('web-1', ELSEWHERE);
    const old = await failing('old-1', {}, { closed_at: T0 });
    const node = await failing('lost-1', { family: 'node', node_name: 'n1' });
    await failing('beside-1', { node_name: 'n1' });
    const of = (fingerprint: string, over: object) => joined({ fingerprint, ...over });
    assert.is(await of('a', { pod: 'web-1' }), web.incident);
    assert.is(await of('b', { owner: 'Deployment/web' }), web.incident);
    assert.is(await of('c', { pod: 'web-9', owner: 'Deployment/web' }), null, 'another pod is named');
    assert.is(await of('d', { pod: 'old-1' }), null, `${old.incident} is over`);
    assert.is(await of('e', { namespace: null, node: 'n1' }), node.incident);
    assert.is(await of('f', { node: 'n1' }), null, 'with a namespace it is not about the node');
    assert.is(await of('g', { pod: 'web-1', status: 'resolved' }), null);
  });

  test('of two containers of a pod, the one of the alert is meant', async () => {
    const app = await failing('web-1', { container: 'app' });
    const side = await failing('web-1', { container: 'side' });
    assert.is(await joined({ fingerprint: 'a', pod: 'web-1', labels: { container: 'app' } }), app.incident);
    assert.is(await joined({ fingerprint: 'b', pod: 'web-1', labels: { container: 'side' } }), side.incident);
    assert.is(await joined({ fingerprint: 'c', pod: 'web-1' }), side.incident, 'else the newest');
  });

  test('an alert that comes again is the same one, and never leaves its incident', async () => {
    const web = await failing('web-1');
    const first = await alerts.store(alert({ pod: 'web-1' }), T0);
    const again = await alerts.store(alert({ status: 'resolved', severity: null, summary: 'over', ended_at: minutes(1) }), minutes(2));
    assert.equal([again.id, again.incident_id, again.status, again.summary], [first.id, web.incident, 'resolved', 'over']);
    assert.equal([again.first_seen, again.last_seen], [T0, minutes(2)]);
    const other = await alerts.store(alert({ starts_at: minutes(1) }), T0);
    assert.is.not(other.id, first.id, 'it began at another time');
    assert.equal(
      (await alerts.ofIncident(web.incident, 10)).map(({ id }) => id),
      [first.id],
    );
  });

  test('the newest alerts, and the end of those without an incident', async () => {
    await failing('web-1');
    const at = (fingerprint: string, minute: number, over: object = {}) => alerts.store(alert({ fingerprint, ...over }), minutes(minute));
    await at('old', 1);
    await at('new', 5);
    await at('hidden', 5, { namespace: 'hidden' });
    await at('nowhere', 5, { namespace: null });
    await at('joined', 1, { pod: 'web-1' });
    const names = async (since: number, limit = 10) =>
      (await alerts.newest(minutes(since), { hidden: ['hidden'], limit })).map(({ fingerprint }) => fingerprint);
    assert.equal([await names(5), await names(6), await names(5, 1)], [['nowhere', 'new'], [], ['nowhere']]);
    assert.equal([await alerts.deleteOld(minutes(1), 10), await alerts.deleteOld(minutes(5), 10)], [0, 1]);
    assert.equal((await names(0)).sort(), ['joined', 'new', 'nowhere']);
  });

  test.run();
}
