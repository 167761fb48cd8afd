import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerWhileStarting } from '../../src/api/starting.ts';
import { createLog } from '../../src/log.ts';

const test = suite('answers while starting');

const HOST = '127.0.0.1';
const log = createLog({ level: 'silent' });
const start = (port: number) => answerWhileStarting({ host: HOST, port, version: '1.2.3', log });

async function aServer() {
  const server = createServer((_request, response) => response.end('the facade'));
  server.listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { port, close };
}

async function freePort(): Promise<number> {
  const { port, close } = await aServer();
  await close();
  return port;
}

test('a startup probe is answered, everything else gets 503, and afterwards the port is free', async () => {
  const port = await freePort();
  const starting = await start(port);
  const health = await fetch(`http://${HOST}:${port}/health`);
  assert.equal([health.status, await health.json()], [200, { status: 'ok', version: '1.2.3' }]);
  for (const path of ['/ready', '/api/pods', '/']) {
    const answer = await fetch(`http://${HOST}:${port}${path}`);
    assert.equal([answer.status, await answer.json()], [503, { detail: 'Podmend is starting' }], path);
    const told = ['content-type', 'connection', 'retry-after'].map((name) => answer.headers.get(name));
    assert.equal(told, ['application/json', 'close', '1']);
  }
  assert.is((await fetch(`http://${HOST}:${port}/health?verbose`)).status, 200);
  assert.is((await fetch(`http://${HOST}:${port}/health`, { method: 'POST' })).status, 503);
  await Promise.all([starting.close(), starting.close()]);
  const again = await start(port);
  assert.is((await fetch(`http://${HOST}:${port}/health`)).status, 200, 'the port can be had at once');
  await again.close();
});

test('a probe is answered while the process is busy', async () => {
  const port = await freePort();
  const starting = await start(port);
  // This thread waits for the other process, so it can answer nothing itself.
  const ask = `process.stdout.write(String((await fetch('http://${HOST}:${port}/health')).status))`;
  assert.is(execFileSync(process.execPath, ['--input-type=module', '--eval', ask], { encoding: 'utf8', timeout: 60_000 }), '200');
  await starting.close();
});

test('a port that is taken does not stop the start', async () => {
  const { port, close } = await aServer();
  const starting = await start(port);
  assert.is(await (await fetch(`http://${HOST}:${port}/health`)).text(), 'the facade');
  await starting.close();
  await close();
});

test('without a fixed port there is no answer during the start', async () => {
  await (await start(0)).close();
});

test.run();
