import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { WebSocket } from 'ws';
import { SESSION_CHECK_MS } from '../../src/api/caller.ts';
import { MAX_SOCKETS } from '../../src/api/ws.ts';
import { SESSION_COOKIE } from '../../src/contract/auth.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { until } from '../support/runner/wait.ts';

let it: TestApp;
let port = 0;
const sockets = suite('sockets');
sockets.before(async () => {
  it = await testApp();
  await it.app.listen({ port: 0, host: '127.0.0.1' });
  port = (it.app.server.address() as AddressInfo).port;
});
sockets.after(() => it.close());

interface Listener {
  socket: WebSocket;
  heard: SocketMessage[];
}

async function listen(query = `?token=${SERVICE_TOKEN}`, headers: Record<string, string> = {}): Promise<Listener> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws${query}`, { headers });
  const heard: SocketMessage[] = [];
  socket.on('message', (data, isBinary) => {
    assert.is(isBinary, false);
    heard.push(JSON.parse((data as Buffer).toString()) as SocketMessage);
  });
  await once(socket, 'open');
  return { socket, heard };
}

/** The status of a refused upgrade. */
async function refusal(query: string, headers: Record<string, string> = {}): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/api/ws${query}`, { headers });
  socket.on('error', () => {});
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  socket.terminate();
  return response.statusCode;
}

const closed = async (socket: WebSocket): Promise<number> => ((await once(socket, 'close')) as [number])[0];

const REFUSED: [string, string, Record<string, string>, number][] = [
  ['nobody', '', {}, 401],
  ['a wrong token of the right length', `?token=${SERVICE_TOKEN.slice(0, -1)}X`, {}, 401],
  ['an empty token', '?token=', {}, 401],
  ['two tokens', `?token=${SERVICE_TOKEN}&token=${SERVICE_TOKEN}`, {}, 401],
  ['the token as a header', '', { 'x-service-token': SERVICE_TOKEN }, 401],
  ['an invented cookie', '', { cookie: `${SESSION_COOKIE}=x.y` }, 401],
  ['a foreign page with a token', `?token=${SERVICE_TOKEN}`, { origin: 'http://evil.example' }, 403],
];
for (const [who, query, headers, status] of REFUSED) {
  sockets(`${who} is refused with ${status} before the upgrade`, async () => {
    assert.is(await refusal(query, headers), status);
  });
}

sockets('a foreign page with a good cookie is refused with 403', async () => {
  assert.is(await refusal('', { cookie: it.cookie('admin'), origin: 'http://evil.example' }), 403);
});

sockets('when messages of another replica are missing, clients are told to read everything again', async () => {
  const { socket } = await listen();
  const code = closed(socket);
  it.missMessages();
  assert.is(await code, 1012);
  const { socket: again } = await listen();
  again.close();
});

sockets('a session or an API token has a bounded number of sockets, at the same time too, and room again when one closes', async () => {
  const { token } = (await it.send('read', { method: 'POST', url: '/api/tokens', payload: { name: 'many' } })).json() as { token: string };
  for (const headers of [{ cookie: it.cookie('write') }, { authorization: `Bearer ${token}` }] as Record<string, string>[]) {
    const tries = await Promise.allSettled(Array.from({ length: MAX_SOCKETS.person + 3 }, () => listen('', headers)));
    const open = tries.flatMap((one) => (one.status === 'fulfilled' ? [one.value.socket] : []));
    assert.is(open.length, MAX_SOCKETS.person);
    assert.is(await refusal('', headers), 429);
    const other = await listen('', { cookie: it.cookie('admin') });
    open[0]!.close();
    await closed(open[0]!);
    const again = await until(() => listen('', headers).catch(() => undefined), { what: 'room for another socket' });
    for (const socket of [...open, other.socket, again.socket]) socket.terminate();
  }
});

sockets('an ordinary GET is told to upgrade', async () => {
  const answer = await it.send('read', { url: '/api/ws' });
  assert.is(answer.statusCode, 426);
  assert.equal(answer.json(), { detail: 'Connect with WebSocket' });
});

sockets('token and cookie, own page and BASE_URL: everybody hears exactly {type, data}', async () => {
  const all = await Promise.all([
    listen(),
    listen('', { cookie: it.cookie('read') }),
    listen('', { cookie: it.cookie('read'), origin: `http://127.0.0.1:${port}` }),
    listen('', { cookie: it.cookie('read'), origin: 'https://podmend.example' }),
  ]);
  const data = { namespace: 'shop', pod_name: 'web-1' };
  it.deps.hub.publish({ type: 'pod_deleted', data, extra: 1 } as SocketMessage);
  for (const { socket, heard } of all) {
    await until(() => heard.length > 0, { what: 'the message' });
    assert.equal(heard, [{ type: 'pod_deleted', data }]);
    socket.terminate();
  }
});

sockets(
  'what happens over HTTP is heard: failure, status, solution, heartbeat, deletion; nothing of hidden and suppressed pods',
  async () => {
    const { socket, heard } = await listen();
    const report = async (fields: object) =>
      (await it.send('service', { method: 'POST', url: '/api/pods/failed', payload: aFailureReport(fields) })).json();
    const { id } = await report({});
    await report({ namespace: 'hidden', pod_uid: 'uid-hidden', node_name: 'node-2' });
    await report({ namespace: 'quiet', pod_uid: 'uid-quiet' });
    await it.send('write', { method: 'PUT', url: `/api/pods/${id}/status`, payload: { status: 'investigating' } });
    await it.send('write', { method: 'POST', url: `/api/pods/failed/${id}/retry-solution` });
    const failing = [{ pod_uid: 'uid-web-1', pod_name: 'web-1', namespace: 'shop' }];
    const payload = { version: '1', pods: 1, failing, spooled: 0, dropped: 0 };
    await it.send('service', { method: 'PUT', url: '/api/agents/node-1', payload });
    // The hidden pod recovers. Its record ends, and no socket gets a message about it.
    await it.send('service', { method: 'PUT', url: '/api/agents/node-2', payload: { ...payload, failing: [] } });
    await it.send('service', { method: 'POST', url: '/api/pods/dismiss-deleted', payload: { pods: failing } });
    await until(() => heard.some(({ type }) => type === 'pod_deleted'), { what: 'pod_deleted' });
    assert.equal(
      heard.map(({ type }) => type),
      ['pod_failure', 'pod_status_change', 'solution_updated', 'agent_status', 'agent_status', 'pod_deleted'],
    );
    const [failure, change] = heard;
    assert.ok(failure?.type === 'pod_failure' && failure.data.id === id && failure.data.reason === failure.data.failure_reason);
    assert.equal(change?.data, { id, status: 'investigating' });
    socket.terminate();
  },
);

sockets('a logout closes the socket of its session at once, and no other', async () => {
  const userId = (await it.users.byUsername('the-read'))?.id ?? 0;
  const cookies = [];
  for (let number = 0; number < 2; number++) {
    const { token } = await it.deps.sessions.begin(userId, '127.0.0.1', it.deps.now());
    cookies.push(`${SESSION_COOKIE}=${it.app.signCookie(token)}`);
  }
  const [mine, other] = await Promise.all(cookies.map((cookie) => listen('', { cookie })));
  const ending = closed(mine!.socket);
  await it.send('nobody', { method: 'POST', url: '/api/auth/logout', headers: { cookie: cookies[0] ?? '' } });
  assert.is(await ending, 1008);
  assert.is(other!.socket.readyState, WebSocket.OPEN);
  other!.socket.terminate();
});

sockets('the socket of a session that ended elsewhere closes within 2 s', async () => {
  const { socket } = await listen('', { cookie: it.cookie('write') });
  const ending = closed(socket);
  await it.deps.accounts.setPassword('the-write', 'a new one');
  assert.is(await ending, 1008);
  assert.ok(SESSION_CHECK_MS < 2_000, 'the next check comes within 2 s');
});

sockets('a client that answers no ping is dropped, one that does stays', async () => {
  const pinging = await testApp(() => ({ pingMs: 50 }));
  await pinging.app.listen({ port: 0, host: '127.0.0.1' });
  const { port: there } = pinging.app.server.address() as AddressInfo;
  const address = `ws://127.0.0.1:${there}/api/ws?token=${SERVICE_TOKEN}`;
  const [silent, answering] = [new WebSocket(address, { autoPong: false }), new WebSocket(address)];
  let pings = 0;
  answering.on('ping', () => void pings++);
  const dropped = closed(silent);
  await Promise.all([once(silent, 'open'), once(answering, 'open')]);
  assert.is(await dropped, 1006, 'the connection was cut');
  const before = pings;
  await until(() => pings > before + 3, { what: 'more pings of the client that answers' });
  assert.is(answering.readyState, WebSocket.OPEN);
  assert.is(pinging.app.websocketServer.clients.size, 1);
  answering.terminate();
  await pinging.close();
});

sockets('what a client sends is ignored; too much of it ends the connection', async () => {
  const { socket, heard } = await listen();
  socket.send('{"type":"pod_deleted","data":{}}');
  socket.send(Buffer.alloc(4096));
  it.deps.hub.publish({ type: 'pod_deleted', data: { namespace: 'a', pod_name: 'b' } });
  await until(() => heard.length === 1, { what: 'the message after' });
  const ending = closed(socket);
  socket.send(Buffer.alloc(4097));
  assert.is(await ending, 1009);
});

sockets('a client that does not read is dropped, the others hear everything', async () => {
  const { socket, heard } = await listen();
  const deaf = connect(port, '127.0.0.1');
  deaf.on('error', () => {});
  const key = Buffer.alloc(16).toString('base64');
  deaf.write(
    `GET /api/ws?token=${SERVICE_TOKEN} HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\n\r\n`,
  );
  await once(deaf, 'data');
  deaf.pause();
  const open = it.app.websocketServer.clients.size;
  const data = { id: 1, solution: 'x'.repeat(256 * 1024) };
  let sent = 0;
  while (it.app.websocketServer.clients.size === open) {
    assert.ok(sent < 200, 'still connected after 50 MB unread');
    it.deps.hub.publish({ type: 'solution_updated', data, namespace: 'shop' });
    sent++;
    await until(() => heard.length === sent, { what: `message ${sent}`, everyMs: 1 });
  }
  assert.is(heard.length, sent);
  deaf.destroy();
  socket.terminate();
});

sockets('a stop closes every socket with 1001 and does not wait for clients', async () => {
  const stopping = await testApp();
  await stopping.app.listen({ port: 0, host: '127.0.0.1' });
  port = (stopping.app.server.address() as AddressInfo).port;
  const { socket } = await listen();
  const idle = connect(port, '127.0.0.1');
  await once(idle, 'connect');
  const ending = closed(socket);
  // The client never closes the idle connection. A stop that waits for it would never end.
  let isStopped = false;
  void stopping.close().then(() => (isStopped = true));
  assert.is(await ending, 1001);
  await until(() => isStopped, { what: 'the stop' });
  idle.destroy();
});

sockets.run();
