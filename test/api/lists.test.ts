import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import { STREAMS } from '../../src/api/lists.ts';
import { SEARCHES } from '../../src/api/searches.ts';
import { json } from '../../src/db/json.ts';
import { until } from '../support/runner/wait.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

// Lists longer than one read of 500 rows. The server streams them.

const NAMESPACES = ['shop', 'hidden', 'bank', 'hidden'];
const REASONS = ['CrashLoopBackOff', 'OOMKilled', 'ImagePullBackOff'];
const COUNT = 2_600;
const all = Array.from({ length: COUNT }, (_, index) => ({
  pod_name: `pod-${index}`,
  namespace: NAMESPACES[index % NAMESPACES.length] ?? '',
  failure_reason: REASONS[index % REASONS.length] ?? '',
}));

let it: TestApp;
const lists = suite('long lists');
lists.before(async () => {
  it = await testApp();
  const { db } = it.store;
  const now = new Date();
  const incident = { cluster: 'test', namespace: 'shop', owner: 'Pod/x', container: '', family: 'crash', opened_at: now, closed_at: null };
  const { id } = await db.insertInto('incidents').values(incident).returning('id').executeTakeFirstOrThrow();
  const rest = {
    cluster: 'test',
    pod_uid: null,
    node_name: null,
    resource_kind: 'Pod',
    container: null,
    workload: null,
    labels: json({}),
    images: json([]),
    incident_id: id,
    family: 'crash',
    failure_message: 'it failed',
    reason_rank: 0,
    status: 'new' as const,
    solution: null,
    is_fallback: true,
    events: json([]),
    container_statuses: json([]),
    manifest: null,
    logs: null,
    occurrences: 1,
    occurrence_keys: [],
    timestamp: now,
    last_seen: now,
    status_at: now,
    resolved_at: null,
    closed_at: null,
    suppressed_by: null,
    announced_at: null,
  };
  const rows = all.map((one) => ({ ...rest, ...one, identity: one.pod_name }));
  for (let from = 0; from < COUNT; from += 500)
    await db
      .insertInto('failures')
      .values(rows.slice(from, from + 500))
      .execute();
});
lists.after(() => it.close());

const newestFirst = (isWanted: (one: (typeof all)[number]) => boolean): string[] =>
  all
    .filter((one) => one.namespace !== 'hidden' && isWanted(one))
    .map(({ pod_name }) => pod_name)
    .toReversed();

for (const [what, query, isWanted] of [
  ['without a filter', '', () => true],
  ['of a namespace', '?namespace=shop', ({ namespace }) => namespace === 'shop'],
  ['of a reason', '?reason=CrashLoopBackOff', ({ failure_reason }) => failure_reason === 'CrashLoopBackOff'],
  ['that holds a text', '?q=POD-1', ({ pod_name }) => pod_name.startsWith('pod-1')],
  ['from before an id', '?before=2500', (one) => all.indexOf(one) < 2_499],
  ['of a hidden namespace', '?namespace=hidden', () => false],
] as [string, string, (one: (typeof all)[number]) => boolean][]) {
  lists(`a list ${what} is whole and in order beyond its first 500 rows, and shows nothing hidden`, async () => {
    const expected = newestFirst(isWanted);
    assert.ok(expected.length > 500 || expected.length === 0 || what === 'of a reason', `${expected.length} rows`);
    const answer = await it.send('read', { url: `/api/pods/failed${query}` });
    assert.is(answer.statusCode, 200);
    const records = answer.json<FailureRecord[]>();
    assert.equal(
      records.map(({ pod_name }) => pod_name),
      expected,
    );
    assert.equal(
      records.filter(({ namespace }) => namespace === 'hidden'),
      [],
    );
  });
}

lists('what is streamed has the same fields as a page', async () => {
  const [streamed] = (await it.send('read', { url: '/api/pods/failed' })).json<FailureRecord[]>();
  const [paged] = (await it.send('read', { url: '/api/pods/failed?limit=1' })).json<FailureRecord[]>();
  assert.equal(streamed, paged);
});

lists('a limited number of long lists is streamed at once; another one waits, but pages and logins do not', async () => {
  const { listStreams } = it.app;
  const leave = await Promise.all(Array.from({ length: STREAMS.most }, () => listStreams.take(60_000)));
  const waits = it.send('read', { url: '/api/pods/failed', headers: { 'accept-encoding': 'gzip' } });
  await until(() => listStreams.waiting() === 1, { what: 'the list to wait for its turn' });
  assert.is((await it.send('read', { url: '/api/pods/failed?limit=100' })).json<unknown[]>().length, 100);
  const login = { method: 'POST' as const, url: '/api/auth/login', payload: { username: 'nobody', password: 'wrong password' } };
  assert.is((await it.send('nobody', login)).statusCode, 401);
  leave.forEach((one) => one?.());
  const answer = await waits;
  assert.is(JSON.parse(gunzipSync(answer.rawPayload).toString()).length, newestFirst(() => true).length);
  assert.equal(await freeStreams(), STREAMS.most, 'every turn was given back');
});

for (const url of ['/api/incidents?q=x', '/api/overview', '/api/history/workloads?q=x', '/api/pods/failed?q=x', '/api/admin/audit?q=x'])
  lists(`a limited number of searches runs at once: ${url} waits, but pages and logins do not`, async () => {
    const { searches } = it.app;
    const leave = await Promise.all(Array.from({ length: SEARCHES.most }, () => searches.take(60_000)));
    const waits = it.send('admin', { url });
    await until(() => searches.waiting() > 0, { what: 'the search to wait for its turn' });
    assert.is((await it.send('read', { url: '/api/pods/failed?limit=100' })).json<unknown[]>().length, 100);
    const login = { method: 'POST' as const, url: '/api/auth/login', payload: { username: 'nobody', password: 'wrong password' } };
    assert.is((await it.send('nobody', { ...login, remoteAddress: `10.0.0.${url.length}` })).statusCode, 401);
    leave.forEach((one) => one?.());
    assert.is((await waits).statusCode, 200);
    const taken = await Promise.all(Array.from({ length: SEARCHES.most }, () => searches.take(1)));
    assert.ok(
      taken.every((one) => one !== undefined),
      'every turn was given back',
    );
    taken.forEach((one) => one?.());
  });

lists('a reader that disconnects in the middle frees its slot', async () => {
  await it.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = it.app.server.address() as AddressInfo;
  for (const encoding of ['gzip', 'identity']) {
    const readers = Array.from({ length: STREAMS.most * 3 }, async () => {
      const request = get({ port, path: '/api/pods/failed', headers: { cookie: it.cookie('read'), 'accept-encoding': encoding } });
      request.on('error', () => {});
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      response.on('error', () => {});
      await once(response, 'readable');
      request.destroy();
    });
    await Promise.all(readers);
    await until(async () => (await freeStreams()) === STREAMS.most, { what: 'all turns to be free' });
  }
});

lists('a reader that disconnects while it waits frees its slot', async () => {
  const { listStreams } = it.app;
  const { port } = it.app.server.address() as AddressInfo;
  const leave = await Promise.all(Array.from({ length: STREAMS.most }, () => listStreams.take(60_000)));
  const requests = Array.from({ length: STREAMS.most }, () =>
    get({ port, path: '/api/pods/failed', headers: { cookie: it.cookie('read') } }),
  );
  for (const request of requests) request.on('error', () => {});
  await until(() => listStreams.waiting() === requests.length, { what: 'the readers to wait' });
  for (const request of requests) request.destroy();
  leave.forEach((one) => one?.());
  await until(async () => (await freeStreams()) === STREAMS.most, { what: 'all turns to be free' });
});

lists('one user gets at most half of the slots, so others go on', async () => {
  const { listStreams } = it.app;
  const { port } = it.app.server.address() as AddressInfo;
  const slow = Array.from({ length: STREAMS.most }, () => get({ port, path: '/api/pods/failed', headers: { cookie: it.cookie('read') } }));
  for (const request of slow) request.on('error', () => {});
  // They receive the headers, and read no body.
  await Promise.all(slow.slice(0, STREAMS.perUser).map((request) => once(request, 'response')));
  const answer = await it.send('write', { url: '/api/pods/failed' });
  assert.is(answer.json<unknown[]>().length, newestFirst(() => true).length);
  assert.is(listStreams.waiting(), 0);
  for (const request of slow) request.destroy();
  await until(async () => (await freeStreams()) === STREAMS.most, { what: 'all turns to be free' });
});

/** How many more lists the server can stream now. */
async function freeStreams(): Promise<number> {
  const taken = await Promise.all(Array.from({ length: STREAMS.most }, () => it.app.listStreams.take(1)));
  taken.forEach((leave) => leave?.());
  return taken.filter((leave) => leave !== undefined).length;
}

lists.run();
