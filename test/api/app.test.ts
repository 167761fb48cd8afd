import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../../src/log.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';

const test = suite('what every answer has');

let it: TestApp;
const lines: Record<string, unknown>[] = [];
test.before(async () => {
  it = await testApp(() => ({ log: createLog({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) }) }));
});
test.after(() => it.close());

const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
};

for (const [who, url, status] of [
  ['read', '/api/config', 200],
  ['nobody', '/api/config', 401],
  ['read', '/api/nowhere', 404],
  ['read', '/api/config?x=%ff', 400],
  ['read', '/api/config?x=%', 400],
] as const)
  test(`${status}: headers that keep browsers out`, async () => {
    const { statusCode, headers } = await it.send(who, { url });
    assert.is(statusCode, status);
    assert.equal(Object.fromEntries(Object.keys(HEADERS).map((name) => [name, headers[name]])), HEADERS);
    assert.is(headers['strict-transport-security'], 'max-age=31536000');
  });

test('browsers are told to keep to https only behind https', async () => {
  const plain = await testApp(({ config }) => ({ config: { ...config, baseUrl: 'http://podmend.example' } }));
  const { headers } = await plain.send('nobody', { url: '/health' });
  assert.is(headers['strict-transport-security'], undefined);
  await plain.close();
});

test('a request is logged once, with who, what and how it ended, without its query', async () => {
  lines.length = 0;
  await it.send('read', { url: '/api/config?token=hunter2', remoteAddress: '10.1.2.3' });
  const told = lines
    .filter(({ msg }) => msg === 'request')
    .map(({ method, path, status, ip, user }) => ({ method, path, status, ip, user }));
  assert.equal(told, [{ method: 'GET', path: '/api/config', status: 200, ip: '10.1.2.3', user: 'the-read' }]);
  assert.not.match(JSON.stringify(lines), 'hunter2');
});

test('an address that is not UTF-8 is refused, in its path and in its query', async () => {
  for (const url of ['/api/pods/failed?namespace=%ff', '/api/pods/%ff/x/logs']) {
    const answer = await it.send('read', { url });
    assert.equal([answer.statusCode, answer.json()], [400, { detail: 'The address is not a valid one' }], url);
  }
});

test('a query with percent signs that is UTF-8 is read', async () => {
  assert.is((await it.send('read', { url: '/api/pods/failed?namespace=%C3%A4' })).statusCode, 200);
});

const RAW: [what: string, sent: string, status: string, detail: string][] = [
  ['no HTTP', 'hello\r\n\r\n', '400 Bad Request', 'Not an HTTP request'],
  [
    'headers that are too large',
    `GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'The headers are too large',
  ],
];
for (const [what, sent, status, detail] of RAW)
  test(`${what}: ${status}, in JSON, and the connection ends`, async () => {
    if (!it.app.server.listening) await it.app.listen({ port: 0, host: '127.0.0.1' });
    const socket = connect((it.app.server.address() as AddressInfo).port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('error', () => undefined);
    socket.write(sent);
    await once(socket, 'close');
    assert.is(answer, `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${JSON.stringify({ detail })}`);
  });

test('the bodies of agents: a route without a body ignores the fields of one, and nothing else', async () => {
  const send = (payload: string, headers: Record<string, string> = {}) =>
    it.send('admin', { method: 'POST', url: '/api/auth/logout', payload, headers: { 'content-type': 'application/json', ...headers } });
  for (const payload of ['[]', 'null', '"x"', '5']) {
    const answer = await send(payload);
    assert.equal([answer.statusCode, answer.json().detail], [400, 'The body must be object'], payload);
  }
  const compressed = await send('{}', { 'content-encoding': 'GZIP' });
  assert.equal([compressed.statusCode, compressed.headers['accept-encoding']], [415, 'identity']);
  assert.is(compressed.json().detail, 'Send the body without Content-Encoding');
  const other = await send('{}', { 'content-type': 'application/json; charset="latin1"' });
  assert.equal([other.statusCode, other.json().detail], [415, 'Send the body in UTF-8']);
  const stranger = await it.app.inject({
    method: 'POST',
    url: '/api/pods/failed',
    payload: Buffer.from([0x22, 0xff, 0x22]),
    headers: { 'content-type': 'application/json', 'x-service-token': SERVICE_TOKEN },
  });
  assert.equal([stranger.statusCode, stranger.json().detail], [400, 'The body is not valid UTF-8']);
  for (const charset of ['utf-8', 'UTF8', 'us-ascii'])
    assert.is.not(
      (await send('{"x": 1}', { 'content-type': `application/json; charset=${charset}`, 'content-encoding': 'identity' })).statusCode,
      415,
      charset,
    );
});

test.run();
