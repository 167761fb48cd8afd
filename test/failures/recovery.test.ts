import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { agentRepository } from '../../src/db/agents.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { type ReportRow, reportRepository } from '../../src/db/failure-reports.ts';
import { eventHub } from '../../src/events.ts';
import { recovery } from '../../src/failures/recovery.ts';
import { aReportRow } from '../support/builders/report.ts';
import type { Store } from '../../src/db/connect.ts';
import { engines } from '../support/database/store.ts';
import { readList } from '../support/database/read-list.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const BEAT = { version: '1', pods: 1, failing: [], spooled: 0, dropped: 0 };

// Open all databases before a suite runs. Otherwise the runner starts the first suite while this file waits for the second database.
const opened: { name: string; store: Store }[] = [];
for (const { name, open } of engines('recovery')) opened.push({ name, store: await open() });
for (const { name: engine, store } of opened) {
  const { db } = store;
  const failures = failureRepository(db);
  const hub = eventHub();
  const messages: SocketMessage[] = [];
  hub.subscribe((message) => void messages.push(message));
  const { heartbeat, gone } = recovery({ failures, agents: agentRepository(db), hub, cluster: 'test', hiddenNamespaces: [] });
  const put = async (n: number, over: Partial<ReportRow> = {}) => {
    const row = aReportRow({ identity: `u${n}`, pod_uid: `u${n}`, pod_name: `web-${n}`, now: T0.toISOString(), ...over });
    const [stored] = await reportRepository(db).store([row]);
    return stored!.record.id;
  };
  const told = () =>
    messages
      .splice(0)
      .filter(({ type }) => type !== 'agent_status')
      .map(({ type, data }) => [type, data]);

  const test = suite(`recovery on ${engine}`);
  test.before.each(async () => {
    for (const table of ['failures', 'incidents', 'agents'] as const) await db.deleteFrom(table).execute();
    messages.length = 0;
  });
  test.after(() => store.close());

  test('a heartbeat resolves what it does not name, and says so', async () => {
    const a = await put(1);
    const b = await put(2);
    const agent = await heartbeat('node-1', { ...BEAT, failing: [{ pod_uid: 'u2', pod_name: 'web-2', namespace: 'shop' }] }, after(1));
    assert.equal(agent, {
      node: 'node-1',
      version: '1',
      pods: 1,
      failing: 1,
      spooled: 0,
      dropped: 0,
      last_seen: after(1).toISOString(),
      live: true,
      unknown: [],
    });
    assert.equal(
      messages.map(({ type }) => type),
      ['pod_status_change', 'agent_status'],
    );
    assert.equal(told(), [['pod_status_change', { id: a, status: 'resolved' }]]);
    assert.equal(
      (await readList(failures.active)).map(({ id }) => id),
      [b],
    );
    assert.equal(
      (await readList(failures.history)).map(({ id }) => id),
      [a],
    );
  });

  test('a record that is suppressed or was resolved before ends without a message', async () => {
    const hidden = await put(1, { suppressed_by: 'quiet' });
    const done = await put(2);
    await failures.setStatus(done, 'resolved', T0);
    await heartbeat('node-1', BEAT, after(1));
    assert.equal(told(), []);
    assert.equal(await failures.openIds([{ namespace: 'shop', pod_name: 'web-1' }], 'test'), [], `record ${hidden} is closed`);
    await put(3, { suppressed_by: 'quiet' });
    await gone({ namespace: 'shop', pod_name: 'web-3' }, after(1));
    assert.equal(told(), []);
  });

  test('an ignored record ends too, and the next failure is a new one that nobody ignored', async () => {
    const a = await put(1);
    await failures.setStatus(a, 'ignored', T0);
    await heartbeat('node-1', BEAT, after(1));
    assert.equal(told(), [['pod_status_change', { id: a, status: 'resolved' }]]);
    const b = await put(1);
    assert.is((await failures.record(b))?.status, 'new');
  });

  test('one deleted pod: its records close with one message', async () => {
    await put(1);
    await put(9, { pod_name: 'web-1', pod_uid: null, identity: 'shop/web-1' });
    assert.equal(await gone({ namespace: 'shop', pod_name: 'web-1' }, after(1)), { resolved: 2 });
    assert.equal(told(), [['pod_deleted', { namespace: 'shop', pod_name: 'web-1' }]]);
    assert.equal(await gone({ namespace: 'shop', pod_name: 'web-1' }, after(2)), { resolved: 0 });
    assert.equal(told(), []);
  });

  test('many pods at once, by uid; another pod of the name stays', async () => {
    await put(1);
    await put(2);
    const twin = await put(3, { pod_name: 'web-2' });
    const pods = [
      { namespace: 'shop', pod_name: 'web-1', pod_uid: 'u1' },
      { namespace: 'shop', pod_name: 'web-2', pod_uid: 'u2' },
      { namespace: 'shop', pod_name: 'web-0\0', pod_uid: 'u0' },
    ];
    assert.equal(await gone({ pods, reason: 'deleted' }, after(1)), { resolved: 2 });
    assert.equal(
      (await readList(failures.active)).map(({ id }) => id),
      [twin],
    );
    assert.is(told().length, 2);
  });

  test('a record that is reported after the message stays open', async () => {
    await put(1, { now: after(10).toISOString() });
    assert.equal(await gone({ namespace: 'shop', pod_name: 'web-1' }, after(9)), { resolved: 0 });
  });

  test('a heartbeat that its reports overtook closes none of their records', async () => {
    const a = await put(1, { now: after(10).toISOString() });
    await put(2, { now: after(8).toISOString() });
    await heartbeat('node-1', BEAT, after(12), after(9));
    assert.equal(
      (await readList(failures.active)).map(({ id }) => id),
      [a],
    );
    const [closed] = await readList(failures.history);
    assert.is(closed?.resolved_at, after(9).toISOString(), 'it had recovered by then');
    await heartbeat('node-1', BEAT, after(72), after(69));
    assert.equal(await readList(failures.active), []);
  });

  test('an unsettled record stays open, and the answer names failures without a record', async () => {
    await put(1);
    const pod = (n: number) => ({ pod_uid: `u${n}`, pod_name: `web-${n}`, namespace: 'shop' });
    const { unknown, failing } = await heartbeat('node-1', { ...BEAT, failing: [pod(2)], unsettled: [pod(1), pod(3)] }, after(1));
    assert.equal([unknown, failing], [['u2'], 1]);
    assert.is((await readList(failures.active)).length, 1);
  });

  test('a record ends when its pod did, however late the report comes', async () => {
    const a = await put(1);
    await gone({ namespace: 'shop', pod_name: 'web-1', pod_uid: 'u1' }, after(5));
    assert.is((await failures.record(a))?.resolved_at, after(5).toISOString());
  });

  test('reason recovered sends the status instead of the deletion', async () => {
    const a = await put(1);
    await gone({ namespace: 'shop', pod_name: 'web-1', reason: 'recovered' }, after(1));
    assert.equal(told(), [['pod_status_change', { id: a, status: 'resolved' }]]);
  });

  test.run();
}
