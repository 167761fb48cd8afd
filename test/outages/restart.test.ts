import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { apiServerAssets } from '../support/cluster/api-server.ts';
import { until } from '../support/runner/wait.ts';
import { endure, isAtRest, type Trouble } from './trouble.ts';
import { NAMESPACE, type OutageWorld, outageWorld } from './world.ts';

// The API server is stopped for longer than a mirror's TTL and a leader's term. When it returns, its watch history is gone.

/** The shortest allowed TTL. */
const TTL_SECONDS = 30;
/** How long the API server stays away after the last expiry. */
const AFTER_MS = 2_000;

const test = suite<{ world: OutageWorld; messages: SocketMessage[] }>('an API server that is stopped');
test.before(async (context) => {
  context.world = await outageWorld();
  context.messages = (await context.world.user.listen()).messages;
});
test.after(async ({ world }) => world?.close());

test('all is caught up, and what should have ended meanwhile ends', async ({ world, messages }) => {
  const { api, chaos, direct } = world;
  const read = (name: string) => direct.read(KINDS.mirrorPod, NAMESPACE, name);
  await world.fails('judged');
  await world.mirror('runs-out', 'judged', { ttlSeconds: TTL_SECONDS });
  await world.mirror('runs-out-kept', 'judged', { ttlSeconds: TTL_SECONDS, onExpiry: 'Retain' });
  for (const name of ['runs-out', 'runs-out-kept'])
    await until(async () => (await read(name))?.status?.podName, { everyMs: 100, what: 'a mirror' });

  let overAt = 0;
  const trouble: Trouble = {
    says: 'stopped, its history compacted',
    // Nobody can change a stopped API server. So the changes happen while the proxy hides them from operator and agent.
    begin: () => chaos.freeze(),
    async worsen() {
      await world.mirror('never-ran', 'judged', { ttlSeconds: TTL_SECONDS });
      await world.mirror('never-ran-kept', 'judged', { ttlSeconds: TTL_SECONDS, onExpiry: 'Retain' });
      overAt = Date.now() + TTL_SECONDS * 1000 + AFTER_MS;
      await api.halt();
      chaos.forward();
      chaos.cut();
    },
    async end() {
      await until(() => Date.now() > overAt, {
        timeoutMs: TTL_SECONDS * 1000 + 2 * AFTER_MS,
        everyMs: 100,
        what: 'the mirrors’ time to pass',
      });
      await api.compact();
      await api.resume();
    },
    mirrors: 4,
    isAway: true,
  };
  const from = chaos.seen.length;
  await endure(world, messages, 't', trouble);

  const soon = { everyMs: 100 };
  for (const name of ['runs-out', 'never-ran'])
    await until(async () => (await read(name)) === undefined, { ...soon, what: `the end of ${name}` });
  for (const name of ['runs-out-kept', 'never-ran-kept'])
    await until(async () => (await read(name))?.status?.phase === 'Expired', { ...soon, what: `${name} to be Expired` });
  const owners = (await world.mirrorPods()).map(({ metadata }) => metadata.ownerReferences?.[0]?.name);
  assert.equal(owners, ['begins-t'], 'no pod outlives its mirror, and none is made for a time that is over');
  // The first mirror ran, but nobody could judge it. The second one never ran, so it has no verdict.
  assert.is((await read('runs-out-kept'))?.status?.verdict, 'Inconclusive');
  const { verdict, podName, phase } = (await read('never-ran-kept'))?.status ?? {};
  assert.equal({ verdict, podName, phase }, { verdict: undefined, podName: undefined, phase: 'Expired' });
  const made = chaos.seen.slice(from).filter(({ verb, path, dryRun }) => verb === 'create' && path.endsWith('/pods') && !dryRun);
  assert.is(made.filter(({ status }) => status === 201).length, 2, 'ends-t and begins-t');
});

test('all is at rest afterwards', ({ world }) => isAtRest(world));

if (apiServerAssets()) test.run();
else console.log('SKIP an API server that is stopped: KUBEBUILDER_ASSETS is not set');
