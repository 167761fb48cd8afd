import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { About } from '../../src/contract/about.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

// The whole endpoint. When something is away, the answer says so and is no error.

const test = suite('about endpoint');
let it: TestApp;
const away = { cluster: false };
test.before(async () => {
  const cluster = async () => {
    if (away.cluster) throw new Error('secret address of the cluster');
  };
  it = await testApp(({ checks, notifications }) => ({
    checks: { ...checks, cluster },
    notifications: { ...notifications, count: () => 2 },
  }));
});
test.after(() => it.close());

const states = async () => {
  const answer = await it.send('read', { url: '/api/about' });
  assert.is(answer.statusCode, 200, answer.body);
  assert.not.match(answer.body, 'secret');
  const { version, cluster, parts } = answer.json<About>();
  assert.equal([version, cluster], ['0.0.0-test', 'test']);
  return Object.fromEntries(parts.map(({ id, state }) => [id, state]));
};

test('a new installation says what is missing, to everybody who is logged in', async () => {
  const first = {
    database: 'ok',
    cluster: 'ok',
    agents: 'down',
    mirrors: 'ok',
    model: 'off',
    advice: 'ok',
    scanner: 'off',
    notifications: 'ok',
  };
  assert.equal(await states(), first);
  const heartbeat = { version: '1.0.0', pods: 3, failing: [], spooled: 0, dropped: 0 };
  await it.send('service', { method: 'PUT', url: '/api/agents/node-1', payload: heartbeat });
  await it.deps.scans.heard(it.deps.now());
  assert.equal(await states(), { ...first, agents: 'ok', scanner: 'ok' });
  it.advance(10 * 60_000);
  assert.equal(await states(), { ...first, agents: 'degraded' });
});

test('the answer says that the cluster is away, and has everything else', async () => {
  away.cluster = true;
  const { cluster, database } = await states();
  assert.equal([cluster, database], ['down', 'ok']);
  away.cluster = false;
});

test.run();
