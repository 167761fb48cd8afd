import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { apiServerAssets } from '../support/api-server.ts';
import { isLong, longOr } from '../support/long.ts';
import { aFailureReport } from '../support/report.ts';
import { until } from '../support/wait.ts';
import { NAMESPACE, type OutageWorld, outageWorld, podCreates, TTL_SECONDS } from './world.ts';

/** How long each trouble lasts. */
const TROUBLE_MS = longOr(65_000, 4_000);
/**
 * A wait of 30 s, give or take a quarter, may have begun just before the trouble ended, and another one while the API server started and
 * did not serve our kinds yet; a silent watch is known after 90 s.
 */
const CAUGHT_UP_MS = longOr(140_000, 80_000);
/** Requests of operator and agent together in a trouble, and until all is caught up; the first seconds are the busiest. */
const MOST_REQUESTS = longOr(600, 250);

interface Trouble {
  says: string;
  begin(world: OutageWorld): unknown;
  end(world: OutageWorld): unknown;
  /** Whether the API server cannot be reached meanwhile. */
  isAway: boolean;
}

const forward = ({ chaos }: OutageWorld) => chaos.forward();
const TROUBLES: Trouble[] = [
  { says: 'refused connections', begin: ({ chaos }) => chaos.refuse(), end: forward, isAway: true },
  {
    says: 'a proxy that stops forwarding without closing',
    begin: ({ chaos }) => chaos.freeze(),
    // What it had taken is lost. In the long form nobody says so; in the short one it is started anew.
    end: ({ chaos }) => (chaos.forward(), isLong || chaos.cut()),
    isAway: true,
  },
  { says: '429 with Retry-After', begin: ({ chaos }) => (chaos.cut(), chaos.limit(1_000_000, 2)), end: forward, isAway: true },
  { says: 'answers that take 5 s', begin: ({ chaos }) => (chaos.cut(), chaos.delay(5_000)), end: forward, isAway: true },
  { says: 'watches that are cut', begin: ({ chaos }) => chaos.cut(), end: forward, isAway: false },
  { says: '410 Gone on every watch', begin: ({ chaos }) => chaos.expire(), end: forward, isAway: false },
  {
    says: 'an API server that is stopped, its history compacted',
    begin: ({ api }) => api.halt(),
    end: async ({ api }) => {
      await api.compact();
      await api.resume();
    },
    isAway: true,
  },
];

const test = suite<{ world: OutageWorld; messages: SocketMessage[] }>('outages of the API server');
let ran = 0;

test.before(async (context) => {
  context.world = await outageWorld();
  context.messages = (await context.world.user.listen()).messages;
});
test.after(async ({ world }) => world.close());

for (const { says, begin, end, isAway } of TROUBLES)
  test(`${says}: all is caught up, nothing lost, nothing doubled, no hot loop`, async ({ world, messages }) => {
    const { chaos, direct } = world;
    const id = `t${++ran}`;
    const soon = { timeoutMs: 20_000, everyMs: 100 };
    const open = async () => (await world.shown()).filter((name) => name.endsWith(id)).join();
    await world.suppress(`old-${id}`, `was-hidden-${id}`);
    for (const name of ['dies', 'heals', 'source', 'was-hidden', 'hides']) await world.fails(`${name}-${id}`);
    const before = ['dies', 'heals', 'hides', 'source'].map((name) => `${name}-${id}`).join();
    await until(async () => (await open()) === before, { ...soon, what: 'the pods to be listed' });
    await world.mirror(`ends-${id}`, `source-${id}`);
    const podOf = async (name: string) => (await direct.read(KINDS.mirrorPod, NAMESPACE, name))?.status?.podName;
    await until(() => podOf(`ends-${id}`), { ...soon, what: 'a mirror' });

    const from = { seen: chaos.seen.length, refused: chaos.refused };
    const beganAt = performance.now();
    const isStopped = says.includes('stopped');
    const inTrouble = async () => {
      await world.removes(`dies-${id}`);
      await world.heals(`heals-${id}`);
      await world.fails(`fails-${id}`);
      await world.suppress(`new-${id}`, `hides-${id}`);
      await direct.remove(KINDS.suppression, 'podmend', `old-${id}`);
      await direct.remove(KINDS.mirrorPod, NAMESPACE, `ends-${id}`);
      await world.mirror(`begins-${id}`, `source-${id}`);
    };
    if (isStopped) {
      // Nothing can happen while it is stopped, so it happens where the proxy keeps it from everybody.
      chaos.freeze();
      await inTrouble();
      await begin(world);
      chaos.forward();
      chaos.cut();
    } else {
      await begin(world);
      await inTrouble();
    }
    await facade(world, isAway, id);
    await sleep(Math.max(0, TROUBLE_MS - (performance.now() - beganAt)));
    await end(world);
    const endedAt = performance.now();

    const after = ['fails', 'source', 'was-hidden'].map((name) => `${name}-${id}`).join();
    let last = '';
    await until(async () => (last = await open()) === after, {
      timeoutMs: CAUGHT_UP_MS,
      everyMs: 100,
      what: () => `the list to be ${after}, which is ${last}`,
    });
    const trials = async () => (await world.record(`source-${id}`))?.trials ?? [];
    await until(async () => (await trials()).length === 2, { ...soon, timeoutMs: CAUGHT_UP_MS, what: 'both trials' });
    await until(() => podOf(`begins-${id}`), { ...soon, timeoutMs: CAUGHT_UP_MS, what: 'the mirror that was made in the trouble' });
    const caughtUpMs = Math.round(performance.now() - endedAt);
    const seen = chaos.seen.slice(from.seen);
    const attempts = seen.length + chaos.refused - from.refused;
    console.log(`${says}: ${attempts} requests, caught up after ${caughtUpMs} ms`);
    assert.ok(attempts <= MOST_REQUESTS, `${attempts} requests`);
    assert.is((await world.record(`hides-${id}`))?.suppressed_by, `new-${id}`);
    assert.is(podCreates(seen), 1, 'one pod for the mirror that was made meanwhile');
    const told = messages.filter(({ type, data }) => type === 'pod_failure' && (data as { pod_name?: string }).pod_name === `fails-${id}`);
    assert.is(told.length, 1, 'told once');
  });

/** What works without the cluster works; what needs it says so within two seconds. */
async function facade({ user }: OutageWorld, isAway: boolean, id: string): Promise<void> {
  const answers = async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const began = performance.now();
    const { status, body: answer } = await user.send<{ detail?: string }>(method, path, body, headers);
    return { status, detail: answer.detail, ms: performance.now() - began };
  };
  const report = aFailureReport({ namespace: 'elsewhere', pod_name: `reported-${id}`, pod_uid: `reported-${id}` });
  const taken = await answers('POST', '/api/pods/failed', report, { 'x-service-token': 'outage-token' });
  assert.ok(taken.status === 200 || taken.status === 201, `a report is taken: ${JSON.stringify(taken)}`);
  assert.is((await answers('GET', '/api/pods/failed')).status, 200);
  assert.is((await answers('GET', '/health')).status, 200);
  if (!isAway) return;
  for (const path of ['/api/mirror/active', '/ready']) {
    const { status, detail, ms } = await answers('GET', path);
    assert.equal([status, detail], [503, 'Kubernetes client not available'], path);
    // Two seconds; the machine may be busy.
    assert.ok(ms < 4_000, `${path} took ${ms} ms`);
  }
}

test('mirrors have ended at their time, and nothing of them is left', async ({ world }) => {
  const { direct } = world;
  const left = async () => (await direct.list(KINDS.mirrorPod)).length + (await world.mirrorPods()).length;
  // What belongs to a MirrorPod that somebody deletes is swept once a minute where the cluster has no collector.
  await until(async () => (await left()) === 0, { timeoutMs: (TTL_SECONDS + 75) * 1000, everyMs: 250, what: 'the mirrors to be gone' });
});

if (apiServerAssets()) test.run();
else console.log('SKIP outages of the API server: KUBEBUILDER_ASSETS is not set');
