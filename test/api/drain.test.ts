import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { drainRequests } from '../../src/api/drain.ts';
import { createLog } from '../../src/log.ts';
import { testApp } from '../support/worlds/app.ts';
import { until } from '../support/runner/wait.ts';

const drain = suite('drain');

/** A server with a slow route, and a request that has arrived there. */
async function withSlowRequest(patienceMs: number) {
  const app = Fastify({ forceCloseConnections: true });
  drainRequests(app, patienceMs);
  const answer = Promise.withResolvers<void>();
  let arrived = false;
  app.get('/slow', async () => {
    arrived = true;
    await answer.promise;
    return { is: 'done' };
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const response = fetch(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}/slow`);
  const outcome = response.then((one) => one.json()).catch(() => 'cut off');
  await until(() => arrived, { what: 'the request' });
  return { app, answer, outcome };
}

drain('running requests are answered before the connections are closed', async () => {
  const { app, answer, outcome } = await withSlowRequest(60_000);
  const closing = app.close();
  setImmediate(answer.resolve);
  assert.equal(await outcome, { is: 'done' });
  await closing;
});

drain('a request that never ends is cut off after the time limit', async () => {
  const { app, outcome } = await withSlowRequest(50);
  await app.close();
  assert.is(await outcome, 'cut off');
});

drain('every answer has the id by which its line in the log is found; a good one of the caller is kept', async () => {
  const lines: string[] = [];
  const it = await testApp(() => ({ log: createLog({ level: 'info' }, { write: (line) => void lines.push(line) }) }));
  const ask = async (id?: string) => {
    const answer = await it.send('read', { url: '/api/config', headers: id === undefined ? {} : { 'x-request-id': id } });
    assert.is(JSON.parse(lines.at(-1) ?? '{}').reqId, answer.headers['x-request-id']);
    return String(answer.headers['x-request-id']);
  };
  assert.is.not(await ask(), await ask());
  assert.is(await ask('proxy-4711.a'), 'proxy-4711.a');
  for (const bad of ['', 'two words', 'x'.repeat(65), '"}{']) assert.is.not(await ask(bad), bad);
  await it.close();
});

drain.run();
