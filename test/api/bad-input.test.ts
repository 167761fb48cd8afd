import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { assertRecent } from '../support/builders/recent-hours.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';
import { aFailureReport } from '../support/builders/report.ts';

let it: TestApp;
let port = 0;
test.before(async () => {
  it = await testApp();
  await it.app.listen({ port: 0, host: '127.0.0.1' });
  port = (it.app.server.address() as AddressInfo).port;
});
test.after(() => it.close());

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (payload: string | object | undefined, headers: Record<string, string> = JSON_TYPE) =>
  it.send('service', { method: 'POST', url: '/api/pods/failed', headers, ...(payload === undefined ? {} : { payload }) });
const detailOf = async (id: number) => (await it.send('read', { url: `/api/pods/failed/${id}` })).json();

const NAMELESS: [string, string | object | undefined, Record<string, string>?][] = [
  ['no body', undefined, {}],
  ['an empty body', ''],
  ['{}', {}],
  ['null', 'null'],
  ['a list', []],
  ['a text', '"web-1"'],
  ['no namespace', { pod_name: 'web-1' }],
  ['no pod_name', { namespace: 'shop' }],
  ['an empty pod_name', { pod_name: '', namespace: 'shop' }],
  ['an empty namespace', { pod_name: 'web-1', namespace: '' }],
  ['a pod_name of null', { pod_name: null, namespace: 'shop' }],
  ['a pod_name that is a number', { pod_name: 1, namespace: 'shop' }],
  ['a namespace that is a list', { pod_name: 'web-1', namespace: ['shop'] }],
  ['other wrong fields as well', { pod_name: 1, namespace: 'shop', logs: 5 }],
];
for (const [what, payload, headers] of NAMELESS) {
  test(`a report with ${what} answers 400 Pod name and namespace are required`, async () => {
    const answer = await post(payload, headers);
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail: 'Pod name and namespace are required' });
  });
}

const NAME = 'hold no blanks, slashes, control characters or invisible characters';
const CLUSTER = 'hold only letters, digits, -, _, ., : and /';
const INSTANT = 'be an instant such as 2026-05-01T10:00:00Z';
const WRONG: [object, string][] = [
  [{ failure_reason: 5 }, 'failure_reason must be string or null'],
  [{ logs: {} }, 'logs must be string or null'],
  [{ manifest: ['kind'] }, 'manifest must be string or null'],
  [{ events: 'none' }, 'events must be array or null'],
  [{ events: ['none'] }, 'events[0] must be object'],
  [{ events: [{}, { count: 'x' }] }, 'events[1].count must be integer or null'],
  [{ events: [...Array(10).fill({}), { count: 'x' }] }, 'events[10].count must be integer or null'],
  [{ container_statuses: [{}] }, 'container_statuses[0].name is required'],
  [
    { container_statuses: [{ name: 'app', last_state: { exit_code: 1.5 } }] },
    'container_statuses[0].last_state.exit_code must be integer or null',
  ],
  [{ labels: { app: 1 } }, 'labels.app must be string'],
  [{ workload: { kind: 'Job' } }, 'workload.name is required'],
  [{ creation_timestamp: 'yesterday' }, `creation_timestamp must ${INSTANT} or null`],
  [{ creation_timestamp: '2026-02-30T10:00:00Z' }, `creation_timestamp must ${INSTANT} or null`],
  [{ creation_timestamp: '' }, `creation_timestamp must ${INSTANT} or null`],
  [{ pod_name: 'a\0' }, `pod_name must ${NAME}`],
  [{ pod_name: 'web 1' }, `pod_name must ${NAME}`],
  [{ namespace: '../secrets' }, `namespace must ${NAME}`],
  [{ namespace: 'shop\u202egnp' }, `namespace must ${NAME}`],
  [{ pod_name: 'n'.repeat(254) }, 'pod_name must not have more than 253 characters'],
  [{ node_name: 'a\r\nset-cookie: x=1' }, `node_name must ${NAME} or null`],
  [{ container: 'app\u0007' }, `container must ${NAME} or null`],
  // A tag character and a variation selector: both are invisible.
  [{ pod_name: 'web\u{e0041}-1' }, `pod_name must ${NAME}`],
  [{ container: 'app\ufe0f' }, `container must ${NAME} or null`],
  [{ cluster: 'eu\u202ewest' }, `cluster must ${CLUSTER} or null`],
  [{ cluster: 'c'.repeat(254) }, 'cluster must not have more than 253 characters or null'],
  [{ pod_uid: 'shop/web-1' }, `pod_uid must ${NAME} or null`],
  [{ container_statuses: [{ name: 'a\ud800' }] }, `container_statuses[0].name must ${NAME}`],
  [{ workload: { kind: 'Deployment', name: 'w\u200beb' } }, `workload.name must ${NAME}`],
];
for (const [fields, detail] of WRONG) {
  test(`a report with ${JSON.stringify(fields).slice(0, 80)} answers 400 ${detail}`, async () => {
    const answer = await post({ pod_name: 'web-1', namespace: 'shop', ...fields });
    assert.is(answer.statusCode, 400);
    assert.equal(answer.json(), { detail });
  });
}

test('fields with null count as missing', async () => {
  const { properties } = (await it.send('nobody', { url: '/docs/json' })).json().paths['/api/pods/failed'].post.requestBody.content[
    'application/json'
  ].schema;
  const nulls = Object.fromEntries(Object.keys(properties).map((name) => [name, null]));
  const answer = await post({ ...nulls, pod_name: 'nulls', namespace: 'shop' });
  assert.is(answer.statusCode, 200);
  assert.is(answer.json().failure_reason, 'Unknown');
});

test('creation_timestamp is an instant in any form of ISO 8601', async () => {
  const forms = ['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.123456+02:00', '2026-05-01 10:00:00+00:00', '2026-05-01T10:00:00', null];
  for (const creation_timestamp of forms) {
    const answer = await post({ pod_name: 'instant', namespace: 'shop', creation_timestamp });
    assert.is(answer.statusCode, 200, String(creation_timestamp));
  }
});

test('optional names may be empty, which counts as missing', async () => {
  const answer = await post({ pod_name: 'blank', namespace: 'shop', node_name: '', container: '', pod_uid: '', resource_kind: '' });
  assert.equal([answer.statusCode, answer.json().node_name, answer.json().resource_kind], [200, null, 'Pod']);
});

test('more than 10,000 pods are too many to dismiss at once, and the answer says so', async () => {
  const pods = (count: number) => Array.from({ length: count }, (_, n) => ({ namespace: 'shop', pod_name: `p-${n}` }));
  const dismiss = (payload: object) => it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload });
  const refused = await dismiss({ pods: pods(10_001) });
  assert.equal([refused.statusCode, refused.json()], [400, { detail: 'pods must not have more than 10000 items' }]);
  assert.equal((await dismiss({ pods: pods(10_000) })).json(), { resolved: 0 });
});

test('a body that is no JSON answers 400, one of another type 415', async () => {
  for (const payload of ['{', '{"pod_name":"a",}', "{'a':1}", '\u0000']) {
    const answer = await post(payload);
    assert.is(answer.statusCode, 400, payload);
    assert.equal(answer.json(), { detail: 'The body is not valid JSON' });
  }
  const answer = await post('pod_name=web-1', { 'content-type': 'application/x-www-form-urlencoded' });
  assert.is(answer.statusCode, 415);
  assert.equal(answer.json(), { detail: 'Send JSON with Content-Type: application/json' });
});

test('unknown fields are ignored, wherever they are, whatever they are called', async () => {
  const payload = `{"pod_name":"odd","namespace":"shop","__proto__":{"a":1},"constructor":{"prototype":1},"x":[1],
    "events":[{"reason":"R","x":1}],"container_statuses":[{"name":"app","x":{"y":1}}]}`;
  const answer = await post(payload);
  assert.is(answer.statusCode, 200);
  assert.equal(answer.json().events[0].reason, 'R');
  assert.not(Object.hasOwn(answer.json().container_statuses[0], 'x'), 'and not stored to be shown');
});

test('NUL and lone surrogates in texts are stored as what a database can hold', async () => {
  const logs = 'before \\u0000 between \\ud800 after';
  const answer = await post(
    `{"pod_name":"nul","namespace":"shop","failure_reason":"Error","failure_message":"a\\u0000b","logs":"${logs}",
      "labels":{"a":"\\u0000"},"events":[{"message":"\\udc00x\\u0000"}],"container_statuses":[{"name":"a","message":"\\u0000"}]}`,
  );
  assert.is(answer.statusCode, 200);
  const detail = await detailOf(answer.json().id);
  assert.match(detail.logs, /^before .* between .* after$/);
  for (const text of [detail.logs, detail.failure_message, JSON.stringify(detail.events)]) {
    assert.ok(text.isWellFormed() && !text.includes('\u0000') && !text.includes('\\u0000'), JSON.stringify(text));
  }
});

test('of 1,000 events the newest 100 are kept, of 1,000 labels the first 100', async () => {
  const events = Array.from({ length: 1000 }, (_, number) => ({ type: 'Warning', reason: 'BackOff', message: `event ${number}` }));
  const labels = Object.fromEntries(events.map(({ message }) => [message, message]));
  const answer = await post(aFailureReport({ pod_name: 'busy', pod_uid: 'uid-busy', events, labels }));
  assert.is(answer.statusCode, 200);
  const detail = await detailOf(answer.json().id);
  assert.equal([detail.events.length, detail.events.at(-1).message, Object.keys(detail.labels).length], [100, 'event 999', 100]);
});

test('headers beyond all bounds answer 431, and a request that never ends is ended', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`GET /health HTTP/1.1\r\nhost: x\r\ncookie: ${'x'.repeat(20_000)}\r\n\r\n`);
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 431 [^]*{"detail":"The headers are too large"}$/);
  socket.destroy();
  const { requestTimeout, headersTimeout } = it.app.server;
  assert.ok(requestTimeout > 0 && requestTimeout <= 60_000 && headersTimeout > 0 && headersTimeout <= 60_000);
});

const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]', ...['b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map(bombLine)].join('\n');
for (const [what, manifest] of Object.entries({
  'no YAML': '{"kind": [',
  'an alias bomb': bomb,
  'a text': 'hello',
  binary: '\u0001\u0002\ufffe',
})) {
  test(`a manifest that is ${what} is stored as it came, and costs nothing`, async () => {
    const answer = await post(
      aFailureReport({
        pod_name: 'strange',
        pod_uid: `uid-${what.replaceAll(' ', '-')}`,
        manifest,
        failure_reason: 'CreateContainerConfigError',
      }),
    );
    assert.is(answer.statusCode, 200);
    const { id } = answer.json();
    assert.is((await detailOf(id)).manifest, manifest);
    assert.is((await it.send('write', { method: 'POST', url: `/api/pods/failed/${id}/retry-solution` })).statusCode, 200);
  });
}

test('odd names and long labels are shown within bounds, as they came', async () => {
  for (const name of ['__proto__', 'constructor', '..', 'a?b=c#d', 'r\u00e9sum\u00e9\u{1f600}', 'system:node', "'--"]) {
    const answer = await post({ pod_name: name, namespace: name, failure_reason: name, container: name, workload: { kind: name, name } });
    assert.is(answer.statusCode, 200, name);
    assert.equal([answer.json().pod_name, answer.json().failure_reason], [name, name]);
  }
  const { failure_reason } = (await post({ pod_name: 'long', namespace: 'shop', failure_reason: 'n'.repeat(1_000_000) })).json();
  assert.is(failure_reason.length, 253);
});

test('texts of a query that no database stores find nothing', async () => {
  for (const query of ['q=%00zzz', 'namespace=zzz%00', 'reason=%00zzz', 'q=%25zzz%5C', "q='zzz"]) {
    const answer = await it.send('read', { url: `/api/pods/failed?${query}` });
    assert.equal([answer.statusCode, answer.json()], [200, []], query);
  }
});

for (const [id, detail] of [
  ['abc', 'pod_id must be integer'],
  ['-1', 'pod_id must be >= 1'],
  ['0', 'pod_id must be >= 1'],
  ['1e3', 'pod_id must be integer'],
  ['1.5', 'pod_id must be integer'],
  ['9007199254740993', 'pod_id must be integer'],
  ['%00', 'pod_id must be integer'],
  ['__proto__', 'pod_id must be integer'],
] as const) {
  test(`the id ${id} answers 400 wherever it stands`, async () => {
    for (const [method, url] of [
      ['GET', `/api/pods/failed/${id}`],
      ['PUT', `/api/pods/${id}/status`],
      ['DELETE', `/api/pods/failed/${id}`],
      ['PUT', `/api/pods/ignored/${id}/restore`],
      ['POST', `/api/pods/failed/${id}/retry-solution`],
      ['POST', `/api/mirror/preview/${id}`],
      ['POST', `/api/mirror/deploy/${id}`],
    ] as const) {
      const answer = await it.send('write', { method, url, ...(method === 'PUT' ? { payload: { status: 'new' } } : {}) });
      assert.equal([answer.statusCode, answer.json()], [400, { detail }], `${method} ${url}`);
    }
  });
}

test('an id that is a number, and nobody\u2019s, answers 404', async () => {
  const answer = await it.send('read', { url: '/api/pods/failed/999999999999999' });
  assert.equal([answer.statusCode, answer.json()], [404, { detail: 'Pod failure not found' }]);
});

test('a body of null is not a missing body: it answers 400 and starts nothing', async () => {
  const headers = JSON_TYPE;
  for (const url of ['/api/mirror/deploy/999999', '/api/security/rescan']) {
    const answer = await it.send('write', { method: 'POST', url, headers, payload: 'null' });
    assert.equal([answer.statusCode, answer.json()], [400, { detail: 'The body must be object' }], url);
    assert.not([400, 415].includes((await it.send('write', { method: 'POST', url })).statusCode), url);
  }
  for (const [method, url] of Object.entries({
    POST: '/api/admin/users',
    PATCH: '/api/admin/users/1',
    PUT: '/api/admin/settings/mirror-ttl',
  })) {
    const answer = await it.send('admin', { method: method as 'PUT', url, headers, payload: 'null' });
    assert.equal([answer.statusCode, answer.json()], [400, { detail: 'The body must be object' }], url);
  }
});

test('every route that changes something refuses a body of null; one that takes no body refuses all but an object', async () => {
  const headers = JSON_TYPE;
  const changing = it.app.accessTable.filter(
    ({ method, url }) => !['GET', 'HEAD', 'OPTIONS'].includes(method) && !url.startsWith('/api/chatops/'),
  );
  assert.ok(changing.length > 50, String(changing.length));
  for (const { method, url, access } of changing) {
    const who = access === 'public' ? 'nobody' : access === 'service' ? 'service' : 'admin';
    const request = { method: method as 'POST', url: url.replaceAll(/:\w+/g, '1'), headers };
    const detail = url === '/api/pods/failed' ? 'Pod name and namespace are required' : 'The body must be object';
    const answer = await it.send(who, { ...request, payload: 'null' });
    assert.equal([answer.statusCode, answer.json()], [400, { detail }], `${method} ${url}`);
  }
  const url = '/api/pods/ignored/999999/restore';
  for (const payload of ['[]', '"x"', '7', 'false', 'null']) {
    const answer = await it.send('write', { method: 'PUT', url, headers, payload });
    assert.equal([answer.statusCode, answer.json()], [400, { detail: 'The body must be object' }], payload);
  }
  for (const payload of ['', '{}', '{"later":true}'])
    assert.is((await it.send('write', { method: 'PUT', url, headers, payload })).statusCode, 404, payload);
});

const CODED: [string, Record<string, string>, string][] = [
  ['compressed', { 'content-encoding': 'gzip' }, 'Send the body without Content-Encoding'],
  ['compressed twice', { 'content-encoding': 'identity, br' }, 'Send the body without Content-Encoding'],
  ['in Latin 1', { 'content-type': 'application/json; charset=iso-8859-1' }, 'Send the body in UTF-8'],
  ['in UTF-16', { 'content-type': 'application/json;CHARSET="utf-16le"' }, 'Send the body in UTF-8'],
];
for (const [what, headers, detail] of CODED) {
  test(`a body that is ${what} answers 415, with what would be right`, async () => {
    const answer = await post({ pod_name: 'web-1', namespace: 'shop' }, { ...JSON_TYPE, ...headers });
    assert.equal([answer.statusCode, answer.json()], [415, { detail }]);
    assert.is(answer.headers['accept-encoding'], 'content-encoding' in headers ? 'identity' : undefined);
  });
}

test('a body with the encoding identity or the charset UTF-8 is accepted', async () => {
  for (const headers of [{ 'content-encoding': 'Identity' }, { 'content-type': 'application/json; charset=UTF-8' }])
    assert.is((await post({ pod_name: 'plain', namespace: 'shop' }, { ...JSON_TYPE, ...headers })).statusCode, 200);
});

test('bytes that are no UTF-8 answer 400, in a body and in a query', async () => {
  for (const bytes of [[0xff], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf0, 0x9f, 0x98]]) {
    const payload = Buffer.concat([Buffer.from('{"pod_name":"web-1","namespace":"a'), Buffer.from(bytes), Buffer.from('"}')]);
    const answer = await it.send('service', { method: 'POST', url: '/api/pods/failed', headers: JSON_TYPE, payload });
    assert.equal([answer.statusCode, answer.json()], [400, { detail: 'The body is not valid UTF-8' }], bytes.join());
  }
  for (const query of ['q=%FF', 'namespace=a&q=%C0%AF', 'q=%', 'q=%zz']) {
    const answer = await it.send('read', { url: `/api/pods/failed?${query}` });
    assert.equal([answer.statusCode, answer.json()], [400, { detail: 'The address is not a valid one' }], query);
  }
});

test('a deploy without a body, as browsers send it, asks for nothing in particular', async () => {
  const answer = await fetch(`http://127.0.0.1:${port}/api/mirror/deploy/999999`, {
    method: 'POST',
    headers: { cookie: it.cookie('write') },
  });
  assert.equal([answer.status, await answer.json()], [404, { detail: 'Pod failure not found' }]);
});

test('counts that no agent can have answer 400', async () => {
  const beat = { version: '1', pods: 1, failing: [], spooled: 0, dropped: 0 };
  for (const wrong of [{ pods: 3e9 }, { pods: -1 }, { dropped: 1e300 }, { spooled: 1.5 }]) {
    const answer = await it.send('service', { method: 'PUT', url: '/api/agents/node-1', payload: { ...beat, ...wrong } });
    assert.is(answer.statusCode, 400, JSON.stringify(wrong));
    assert.match(answer.json().detail, new RegExp(`^${Object.keys(wrong)[0]} must be `));
  }
});

test('names that no agent can have answer 400', async () => {
  const beat = { version: '1', pods: 1, failing: [], spooled: 0, dropped: 0 };
  const pod = { namespace: 'shop', pod_name: 'web-1', pod_uid: 'uid-1' };
  const failing = (fields: object) => ({ ...beat, failing: [{ ...pod, ...fields }] });
  const wrong: [string, string, object, string][] = [
    ['PUT', `/api/agents/${encodeURIComponent('node\0-1')}`, beat, `node must ${NAME}`],
    ['PUT', `/api/agents/${encodeURIComponent('node\u202e-1')}`, beat, `node must ${NAME}`],
    ['PUT', '/api/agents/node-1', { ...beat, version: 'v'.repeat(254) }, 'version must not have more than 253 characters'],
    ['PUT', '/api/agents/node-1', failing({ pod_uid: 'uid\0-1' }), `failing[0].pod_uid must ${NAME}`],
    ['PUT', '/api/agents/node-1', failing({ pod_name: 'web\u200b-1' }), `failing[0].pod_name must ${NAME}`],
    ['POST', '/api/pods/dismiss-deleted', { ...pod, pod_name: 'web\0-1' }, `pod_name must ${NAME}`],
    ['POST', '/api/pods/dismiss-deleted', { pods: [pod, { ...pod, namespace: 'shop/' }] }, `pods[1].namespace must ${NAME}`],
  ];
  for (const [method, url, payload, detail] of wrong) {
    const answer = await it.send('service', { method: method as 'PUT', url, payload });
    assert.equal([answer.statusCode, answer.json()], [400, { detail }], url);
  }
});

test('the same report many times at once is one record with one occurrence', async () => {
  const payload = aFailureReport({ pod_name: 'same', pod_uid: 'uid-same' });
  const answers = await Promise.all(Array.from({ length: 20 }, () => post(payload)));
  assert.is(new Set(answers.map((answer) => answer.json().id)).size, 1);
  assert.is((await detailOf(answers[0]?.json().id)).occurrences, 1);
});

test('a body of 10 MB answers 413 over a real connection, one of 4 MB is taken', async () => {
  assert.equal(await upload(10_000_000), { status: 413, body: { detail: 'The body is too large' } });
  assert.is((await upload(4_000_000)).status, 200);
});

const PADDING = 'x'.repeat(600_000);
const large = (fields: object) => post({ pod_name: 'large', namespace: 'shop', padding: PADDING, ...fields });

test('a large report is stored as a small one is', async () => {
  const fields = {
    container: 'app',
    labels: { app: 'web' },
    events: [{ reason: 'BackOff', message: 'naïve 字 😀', x: [1] }],
    container_statuses: [{ name: 'app', state: 'waiting', last_state: { exit_code: 3 }, x: {} }],
    logs: 'panic: login as root, password=hunter2-Xk29Lm',
    manifest: 'kind: Pod\nmetadata: {name: same-size, annotations: {password: hunter2-Xk29Lm}}\n',
  };
  const details = [];
  for (const [n, padding] of [PADDING, ''].entries()) {
    const answer = await large({ ...fields, pod_name: 'same-size', pod_uid: `size-${n}`, padding });
    assert.is(answer.statusCode, 200);
    const detail = await detailOf(answer.json().id);
    // Both records are in one incident, which counts the failed runs of both.
    assertRecent(detail.occurrences_24h, n + 1);
    details.push({ ...detail, id: 0, pod_uid: '', timestamp: '', last_seen: '', occurrences_24h: [] });
  }
  assert.equal(details[0], details[1]);
  assert.equal(details[0].events, [{ reason: 'BackOff', message: 'naïve 字 😀' }]);
  assert.match(details[0].logs, /password=\*\*\*$/);
  assert.not.match(JSON.stringify(details[0]), /hunter2/);
});

for (const [what, fields, detail] of [
  ['no name', { pod_name: '' }, 'Pod name and namespace are required'],
  ['a wrong name', { pod_name: 'a/b' }, `pod_name must ${NAME}`],
  ['one long name', { pod_name: PADDING }, 'pod_name must not have more than 253 characters'],
  ['a wrong field', { events: [{ count: 'x' }] }, 'events[0].count must be integer or null'],
  ['a wrong field in what would be cut', { events: [5, ...Array(200).fill({})] }, 'events[0] must be object'],
] as const) {
  test(`a large report with ${what} answers 400 ${detail}`, async () => {
    const answer = await large(fields);
    assert.equal([answer.statusCode, answer.json()], [400, { detail }]);
  });
}

test('a large body that is no JSON, or no object, answers 400', async () => {
  const broken = await post(`{"logs":"${PADDING}`);
  assert.equal([broken.statusCode, broken.json()], [400, { detail: 'The body is not valid JSON' }]);
  const list = await post(`[${'1,'.repeat(300_000)}1]`);
  assert.equal([list.statusCode, list.json()], [400, { detail: 'Pod name and namespace are required' }]);
});

test('fields nested a million times are dropped, in a large body and in a small one', async () => {
  for (const depth of [100_000, 1_000_000]) {
    const deep = `${'['.repeat(depth)}${']'.repeat(depth)}`;
    const answer = await post(`{"pod_name":"deep-${depth}","namespace":"shop","x":${deep},"events":[{"reason":"R","x":${deep}}]}`);
    assert.is(answer.statusCode, 200, String(depth));
    assert.equal((await detailOf(answer.json().id)).events, [{ reason: 'R' }]);
  }
});

test('keys that would reach a prototype are dropped from a large body too', async () => {
  const answer = await post(
    `{"pod_name":"proto","namespace":"shop","__proto__":{"logs":"x"},"labels":{"__proto__":"x","app":"web"},"padding":"${PADDING}"}`,
  );
  assert.is(answer.statusCode, 200);
  const detail = await detailOf(answer.json().id);
  assert.equal([detail.labels, detail.logs], [{ app: 'web' }, null]);
});

test('a body of 2 MB is too large everywhere else', async () => {
  const payload = { status: 'new', filler: 'x'.repeat(2_000_000) };
  assert.is((await it.send('write', { method: 'PUT', url: '/api/pods/1/status', payload })).statusCode, 413);
});

test('invalid HTTP and an invalid address answer 400', async () => {
  const socket = connect(port, '127.0.0.1');
  socket.write('hello\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 400 [^]*{"detail":"Not an HTTP request"}$/);
  socket.destroy();
  const strange = await it.send('read', { url: '/api/pods/failed/%E0%A4%A' });
  assert.is(strange.statusCode, 400);
  assert.equal(strange.json(), { detail: 'The address is not a valid one' });
});

test('an unknown address answers 404 with a detail, whatever the method', async () => {
  for (const [method, url] of [
    ['GET', '/api/nothing'],
    ['POST', '/nothing'],
    ['GET', '/api/pods/failed/1/nothing'],
    ['DELETE', '/api/'],
  ] as const) {
    const answer = await it.send('admin', { method, url });
    assert.equal([answer.statusCode, answer.headers.allow, answer.json()], [404, undefined, { detail: 'Not found' }], url);
  }
});

test('a method that an address does not have answers 405 and names those that it has, to everybody', async () => {
  for (const [method, url, allow] of [
    ['POST', '/health', 'GET, HEAD'],
    ['DELETE', '/api/pods/failed', 'GET, HEAD, POST'],
    ['GET', '/api/pods/dismiss-deleted?x=1', 'POST'],
    ['PATCH', '/api/pods/17/status', 'PUT'],
    ['PATCH', '/', 'GET, HEAD'],
    ['OPTIONS', '/api/pods/failed/17', 'DELETE, GET, HEAD'],
    ['PUT', '/api/security/trusted-registries/ghcr.io/team/*', 'DELETE'],
    ['POST', '/api/admin/settings/mirror-ttl', undefined],
  ] as const) {
    for (const who of ['admin', 'nobody'] as const) {
      const answer = await it.send(who, { method, url });
      if (allow) assert.equal([answer.statusCode, answer.headers.allow], [405, allow], `${method} ${url}`);
      else assert.is.not(answer.statusCode, 405, `${method} ${url}: the generic route has it`);
    }
  }
  assert.equal((await it.send('nobody', { method: 'POST', url: '/health' })).json(), { detail: 'POST is not possible here' });
});

test.run();

function bombLine(name: string): string {
  const before = String.fromCharCode(name.charCodeAt(0) - 1);
  return `${name}: &${name} [${Array(10).fill(`*${before}`).join(', ')}]`;
}

async function upload(bytes: number): Promise<{ status: number | undefined; body: unknown }> {
  const sending = httpRequest({
    port,
    method: 'POST',
    path: '/api/pods/failed',
    headers: { ...JSON_TYPE, 'x-service-token': SERVICE_TOKEN },
  });
  const head = '{"pod_name":"large","namespace":"shop","logs":"';
  // The server may close the connection while we still write.
  sending.on('error', () => {});
  sending.end(`${head}${'x'.repeat(bytes - head.length - 2)}"}`);
  const [response] = (await once(sending, 'response')) as [IncomingMessage];
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(await response.toArray()).toString()) };
}
