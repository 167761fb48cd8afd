import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import { assertRecent } from '../support/builders/recent-hours.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

let it: TestApp;
const pods = suite('pods');
pods.before(async () => {
  it = await testApp();
});
pods.before.each(async () => {
  for (const table of ['failures', 'incidents', 'audit'] as const) await it.store.db.deleteFrom(table).execute();
  it.messages.length = 0;
});
pods.after(() => it.close());

const REPORT = {
  pod_name: 'web-1',
  namespace: 'shop',
  failure_reason: 'CrashLoopBackOff',
  failure_message: 'back-off',
  node_name: 'node-1',
};
const report = (fields: object = {}) => it.send('service', { method: 'POST', url: '/api/pods/failed', payload: { ...REPORT, ...fields } });
const stored = async (fields: object = {}): Promise<FailureRecord> => (await report(fields)).json();
const list = async (name: string, query = ''): Promise<FailureRecord[]> =>
  (await it.send('read', { url: `/api/pods/${name}${query}` })).json();
const namesOf = (records: FailureRecord[]): string[] => records.map((record) => record.pod_name);
const write = (method: 'PUT' | 'DELETE' | 'POST', url: string, payload?: object) =>
  it.send('write', { method, url, ...(payload ? { payload } : {}) });
const sent = () => it.messages.map(({ type, data }) => ({ type, data }));
const audited = async () => it.store.db.selectFrom('audit').select(['username', 'action', 'target']).orderBy('id').execute();

pods('a page of the largest reports is small, and each record has everything', async () => {
  const text = 'no space left on device; '.repeat(3_000);
  const events = Array.from({ length: 150 }, (_, n) => ({ type: 'Warning', reason: `R${n}`, message: text.slice(0, 6_000) }));
  const container_statuses = Array.from({ length: 60 }, (_, n) => ({
    name: `app-${n}`,
    message: text.slice(0, 12_000),
    last_state: { message: text.slice(0, 12_000) },
  }));
  const large = { events, container_statuses, failure_message: text, logs: text.repeat(10) };
  for (let n = 0; n < 2; n++) assert.is((await report({ ...large, pod_name: `large-${n}` })).statusCode, 200);
  const page = await it.send('read', { url: '/api/pods/failed?limit=100' });
  const records = page.json() as FailureRecord[];
  assert.ok(page.payload.length < records.length * 16_384, `${page.payload.length} bytes`);
  assert.equal(
    records.map((record) => [record.events.length, record.events.at(-1)?.reason]),
    [1, 2].map(() => [5, 'R149']),
  );
  const messages = it.messages.filter(({ type }) => type === 'pod_failure');
  assert.ok(messages.length === 2 && messages.every((message) => JSON.stringify(message).length < 16_384));
  const detail = (await it.send('read', { url: `/api/pods/failed/${records[0]?.id}` })).json();
  assert.equal([detail.events.length, detail.container_statuses.length, detail.logs.length], [100, 50, 750_000]);
  assert.ok(detail.failure_message.length > 32_000);
});

pods('a report is answered with its record, and listed', async () => {
  const answer = await report({ manifest: 'kind: Pod', logs: 'boom', unknown_field: { deep: 1 } });
  assert.is(answer.statusCode, 200);
  const record: FailureRecord = answer.json();
  assert.equal(
    { ...record, id: 0, incident_id: 0, solution: '', timestamp: '', last_seen: '' },
    {
      id: 0,
      cluster: 'test',
      pod_name: 'web-1',
      namespace: 'shop',
      node_name: 'node-1',
      resource_kind: 'Pod',
      container: null,
      workload: null,
      incident_id: 0,
      failure_reason: 'CrashLoopBackOff',
      failure_message: 'back-off',
      status: 'new',
      solution: '',
      is_fallback: true,
      events: [],
      container_statuses: [],
      occurrences: 1,
      timestamp: '',
      last_seen: '',
      resolved_at: null,
      suppressed_by: null,
      trials: [],
    },
  );
  assert.match(record.solution ?? '', '## What happened');
  assert.equal(await list('failed'), [record]);
  assert.equal(await list('history'), []);
  assert.equal(sent(), [{ type: 'pod_failure', data: { ...record, reason: 'CrashLoopBackOff' } }]);
});

pods('manifest and logs are only in the single record', async () => {
  const { id } = await stored({ manifest: 'kind: Pod', logs: 'boom', pod_uid: 'uid-1', labels: { app: 'web' }, images: ['web:1'] });
  const [listed] = await list('failed');
  for (const field of ['manifest', 'logs', 'pod_uid', 'labels', 'images', 'longest_run_seconds'])
    assert.not(Object.hasOwn(listed ?? {}, field), field);
  const detail = (await it.send('read', { url: `/api/pods/failed/${id}` })).json();
  const { manifest, logs, pod_uid, labels, images, hidden_by, longest_run_seconds, alerts, assignee, occurrences_24h, ...record } = detail;
  assertRecent(occurrences_24h, 1);
  assert.equal(
    { manifest, logs, pod_uid, labels, images, hidden_by, longest_run_seconds, alerts, assignee },
    {
      ...{ manifest: 'kind: Pod', logs: 'boom', pod_uid: 'uid-1', labels: { app: 'web' }, images: ['web:1'] },
      hidden_by: null,
      longest_run_seconds: null,
      alerts: [],
      assignee: null,
    },
  );
  assert.equal(record, listed);
});

pods('a suppressed report answers 202, is listed as suppressed only, and sends nothing', async () => {
  const answer = await report({ namespace: 'quiet' });
  assert.is(answer.statusCode, 202);
  const { id, ...rest } = answer.json();
  assert.equal(rest, { suppressed: true, suppression: 'keep-quiet' });
  assert.equal(await list('failed'), []);
  assert.equal(
    (await list('suppressed')).map((record) => [record.id, record.suppressed_by]),
    [[id, 'keep-quiet']],
  );
  assert.equal(sent(), []);
});

for (const status of ['investigating', 'resolved', 'ignored', 'new'] as const) {
  pods(`status ${status} is set, sent to sockets and logged`, async () => {
    const { id } = await stored();
    if (status === 'new') await write('PUT', `/api/pods/${id}/status`, { status: 'investigating' });
    it.messages.length = 0;
    await it.store.db.deleteFrom('audit').execute();
    const answer = await write('PUT', `/api/pods/${id}/status`, { status });
    assert.is(answer.statusCode, 200);
    assert.is(answer.json().status, status);
    const where = { investigating: 'failed', new: 'failed', resolved: 'history', ignored: 'ignored' }[status];
    for (const name of ['failed', 'history', 'ignored']) assert.equal(namesOf(await list(name)), name === where ? ['web-1'] : [], name);
    assert.equal(sent(), [{ type: 'pod_status_change', data: { id, status } }]);
    assert.equal(await audited(), [{ username: 'the-write', action: 'failure.status', target: 'shop/web-1' }]);
  });
}

pods('dismissing ignores the whole incident, restoring brings it back; each changed record sends a message', async () => {
  const workload = { kind: 'Deployment', name: 'web' };
  const one = await stored({ workload });
  const other = await stored({ workload, pod_name: 'web-2' });
  it.messages.length = 0;

  const dismissed = await write('DELETE', `/api/pods/failed/${one.id}`);
  assert.is(dismissed.statusCode, 200);
  assert.is(dismissed.json().status, 'ignored');
  assert.equal(namesOf(await list('ignored')), ['web-2', 'web-1']);
  assert.equal(await list('failed'), []);

  const restored = await write('PUT', `/api/pods/ignored/${other.id}/restore`);
  assert.is(restored.json().status, 'new');
  assert.equal(namesOf(await list('failed')), ['web-2', 'web-1']);
  assert.equal(sent(), [
    ...[one.id, other.id].map((id) => ({ type: 'pod_status_change', data: { id, status: 'ignored' } })),
    ...[other.id, one.id].map((id) => ({ type: 'pod_status_change', data: { id, status: 'new' } })),
  ]);
  assert.equal(await audited(), [
    { username: 'the-write', action: 'failure.dismiss', target: 'shop/web-1' },
    { username: 'the-write', action: 'failure.restore', target: 'shop/web-2' },
  ]);
});

pods('a new solution is stored, sent to sockets and returned', async () => {
  const { id } = await stored();
  await it.deps.failures.setSolution(id, 'of yesterday', true);
  it.messages.length = 0;
  const answer = await write('POST', `/api/pods/failed/${id}/retry-solution`);
  assert.is(answer.statusCode, 200);
  const { solution } = answer.json();
  assert.match(solution, /^## What happened/);
  assert.equal(sent(), [{ type: 'solution_updated', data: { id, solution } }]);
  assert.equal((await list('failed'))[0]?.solution, solution);
  assert.equal(
    (await audited()).map((row) => row.action),
    ['failure.retry-solution'],
  );
});

const BY_ID = [
  ['GET', '/api/pods/failed/ID'],
  ['DELETE', '/api/pods/failed/ID'],
  ['PUT', '/api/pods/ID/status'],
  ['PUT', '/api/pods/ignored/ID/restore'],
  ['POST', '/api/pods/failed/ID/retry-solution'],
  ['GET', '/api/pods/failed/ID/notifications'],
] as const;
for (const [method, url] of BY_ID) {
  pods(`${method} ${url} for a record that does not exist answers 404`, async () => {
    for (const id of ['1', '2147483648', '999999999999999']) {
      const answer = await it.send('write', { method, url: url.replace('ID', id), payload: { status: 'new' } });
      assert.is(answer.statusCode, 404, id);
      assert.equal(answer.json(), { detail: 'Pod failure not found' });
    }
    assert.equal(await audited(), []);
  });

  pods(`${method} ${url} with an id that is no number answers 400`, async () => {
    for (const id of ['abc', '1.5', '1e3', '0x1', '-1', '0', '%20', '1;drop', '9999999999999999999']) {
      const answer = await it.send('write', { method, url: url.replace('ID', id), payload: { status: 'new' } });
      assert.is(answer.statusCode, 400, id);
      assert.match(answer.json().detail, /^pod_id must be /, id);
    }
  });

  pods(`${method} ${url} for a record of a hidden namespace answers 404`, async () => {
    const { id } = await stored({ namespace: 'hidden' });
    const answer = await it.send('write', { method, url: url.replace('ID', String(id)), payload: { status: 'ignored' } });
    assert.is(answer.statusCode, 404);
    assert.equal((await it.deps.failures.record(id))?.status, 'new');
  });
}

pods('a status that is none of the four answers 400 and names them', async () => {
  const { id } = await stored();
  const answer = await write('PUT', `/api/pods/${id}/status`, { status: 'done' });
  assert.is(answer.statusCode, 400);
  assert.equal(answer.json(), { detail: 'status must be one of new, investigating, resolved, ignored' });
});

pods('deleted pods leave the list: by uid, and by name', async () => {
  await stored({ pod_uid: 'uid-1' });
  await stored({ pod_name: 'web-2' });
  await stored({ pod_name: 'web-3' });
  it.messages.length = 0;
  it.advance(1000);
  const gone = (payload: object) => it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload });
  assert.equal((await gone({ namespace: 'shop', pod_name: 'web-1', pod_uid: 'another' })).json(), { resolved: 0 });
  assert.equal((await gone({ namespace: 'shop', pod_name: 'web-1', pod_uid: 'uid-1' })).json(), { resolved: 1 });
  assert.equal(
    (
      await gone({
        pods: [
          { namespace: 'shop', pod_name: 'web-2' },
          { namespace: 'shop', pod_name: 'unknown' },
        ],
      })
    ).json(),
    { resolved: 1 },
  );
  assert.equal(namesOf(await list('failed')), ['web-3']);
  assert.equal(
    sent(),
    ['web-1', 'web-2'].map((pod_name) => ({ type: 'pod_deleted', data: { namespace: 'shop', pod_name } })),
  );
  for (const bad of [{}, { pods: 'x' }, { namespace: 'shop' }, { namespace: 'shop', pod_name: 'web-3', reason: 'bored' }]) {
    assert.is((await gone(bad)).statusCode, 400, JSON.stringify(bad));
  }
});

pods('records that a heartbeat does not name recover, and sockets hear of it, but not of hidden ones', async () => {
  const { id } = await stored({ pod_uid: 'uid-1' });
  await stored({ pod_uid: 'uid-2', pod_name: 'web-2' });
  it.messages.length = 0;
  it.advance(1000);
  const failing = [{ pod_uid: 'uid-2', pod_name: 'web-2', namespace: 'shop', container: null }];
  const beat = { version: '1.0.0', pods: 10, failing, spooled: 1, dropped: 2 };
  const put = (payload: object) => it.send('service', { method: 'PUT', url: '/api/agents/node-1', payload });
  const answer = await put(beat);
  assert.is(answer.statusCode, 200);
  const agents = (await it.send('read', { url: '/api/agents' })).json();
  const { last_seen, ...agent } = agents[0];
  assert.equal(agent, { node: 'node-1', version: '1.0.0', pods: 10, failing: 1, spooled: 1, dropped: 2, live: true });
  assert.equal(answer.json(), { ...agents[0], unknown: [] });
  assert.equal(namesOf(await list('history')), ['web-1']);
  const byType = new Map(sent().map(({ type, data }) => [type, data]));
  assert.equal(byType.get('pod_status_change'), { id, status: 'resolved' });
  assert.equal(byType.get('agent_status'), { ...agent, last_seen });
  it.advance(3 * 60_000);
  assert.is((await it.send('read', { url: '/api/agents' })).json()[0].live, false);
  const withHidden = [...failing, { ...failing[0], pod_uid: 'uid-3', namespace: 'hidden' }];
  assert.is((await put({ ...beat, failing: withHidden })).json().failing, 1);
  assert.equal((await put({ ...beat, pods: -1 })).json(), { detail: 'pods must be >= 0' });
});

pods('times are those of the failure, not of the delivery', async () => {
  const ago = (seconds: number) => new Date(it.deps.now().getTime() - seconds * 1000).toISOString();
  const [seen, ended] = [ago(300), ago(200)];
  const { id, timestamp } = await stored({ pod_uid: 'uid-1', observed_at: seen });
  assert.is(timestamp, seen);
  const beat = { version: '1.0.0', pods: 10, failing: [], spooled: 1, dropped: 0, observed_at: ago(301) };
  await it.send('service', { method: 'PUT', url: '/api/agents/node-1', payload: beat });
  assert.equal(namesOf(await list('history')), [], 'the heartbeat was made before the report');
  const payload = { namespace: 'shop', pod_name: 'web-1', pod_uid: 'uid-1', observed_at: ended };
  await it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload });
  assert.is((await it.deps.failures.record(id))?.resolved_at, ended);
});

pods('a list pages by limit and before, newest first, with the next page in Link', async () => {
  for (let number = 1; number <= 5; number++) await stored({ pod_name: `web-${number}` });
  const seen: string[] = [];
  let url: string | undefined = '/api/pods/failed?limit=2&namespace=shop';
  while (url) {
    const page = await it.send('read', { url });
    seen.push(namesOf(page.json()).join());
    url = /^<(.*)>; rel="next"$/.exec(String(page.headers['link'] ?? ''))?.[1];
  }
  assert.equal(seen, ['web-5,web-4', 'web-3,web-2', 'web-1']);
});

pods('a list narrows by namespace, reason and text; hidden namespaces are in none', async () => {
  await stored();
  await stored({ namespace: 'bank', pod_name: 'till-1', failure_reason: 'OOMKilled' });
  await stored({ namespace: 'hidden', pod_name: 'ghost' });
  const narrowed: [string, string[]][] = [
    ['', ['till-1', 'web-1']],
    ['?namespace=bank', ['till-1']],
    ['?namespace=hidden', []],
    ['?reason=OOMKilled', ['till-1']],
    ['?q=WEB', ['web-1']],
    ['?q=%25', []],
    ['?unknown=1', ['till-1', 'web-1']],
  ];
  for (const [query, names] of narrowed) assert.equal(namesOf(await list('failed', query)), names, query);
});

for (const query of ['limit=0', 'limit=1001', 'limit=x', 'limit=', 'limit=1.5', 'before=0', 'before=x']) {
  pods(`a list with ${query} answers 400 naming it`, async () => {
    const answer = await it.send('read', { url: `/api/pods/failed?${query}` });
    assert.is(answer.statusCode, 400);
    assert.match(answer.json().detail, query.split('=', 1)[0] ?? '');
  });
}

pods('a list that did not change answers 304', async () => {
  const { id } = await stored();
  const get = (etag = '') => it.send('read', { url: '/api/pods/failed', headers: { 'if-none-match': etag } });
  const first = await get();
  const etag = String(first.headers['etag']);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
    const again = await get(known);
    assert.is(again.statusCode, 304, known);
    assert.is(again.body, '');
  }
  await write('PUT', `/api/pods/${id}/status`, { status: 'investigating' });
  assert.is((await get(etag)).statusCode, 200);
});

pods('a long list comes whole, in order, also compressed', async () => {
  await Promise.all(Array.from({ length: 1001 }, (_, number) => stored({ pod_name: `web-${number}`, pod_uid: `uid-${number}` })));
  const plain = await it.send('read', { url: '/api/pods/failed' });
  const ids = (plain.json() as FailureRecord[]).map((record) => record.id);
  assert.is(ids.length, 1001);
  assert.equal(
    ids,
    ids.toSorted((one, other) => other - one),
  );
  const squeezed = await it.send('read', { url: '/api/pods/failed', headers: { 'accept-encoding': 'gzip' } });
  assert.is(squeezed.headers['content-encoding'], 'gzip');
  assert.is(gunzipSync(squeezed.rawPayload).toString(), plain.body);
});

pods.run();
