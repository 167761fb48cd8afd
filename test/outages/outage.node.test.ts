import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { type ChaosProxy, startChaosProxy } from '../support/network/chaos-proxy.ts';
import { isLong, longOr } from '../support/runner/long.ts';
import { type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import { until } from '../support/runner/wait.ts';
import { idleWrites, mostIn, podCreates } from './trouble.ts';
import { onNode } from '../support/cluster/on-node.ts';

// Operator and agent are processes with the rights of their ServiceAccounts. They lose the API server of a real node, and the node goes on.

const AWAY_MS = longOr(60_000, 10_000);
const FROZEN_MS = longOr(60_000, 6_000);
/** The longest wait between two tries of a watch is 12.5 s. After that, a pod is reported or judged within a few seconds. */
const CAUGHT_UP_MS = 30_000;
/** After 90 s, a client notices that its watch is frozen, even if nobody closes the connection. */
const THAWED_MS = CAUGHT_UP_MS + longOr(90_000, 0);
/** The mirror is judged after the outage, when its window of up to a minute has passed. It ends after that. */
const TTL_SECONDS = longOr(240, 150);
const SETTINGS = { RECOVERY_SECONDS: '5' };

function tell(admin: string): void {
  const test = suite('outages with a real node');
  let world: NodeWorld;
  let chaos: ChaosProxy;
  const mirror = async (): Promise<MirrorPod> =>
    JSON.parse(await world.kubectl('get', 'mirrorpod/try', '-n', world.namespace, '-o', 'json')) as MirrorPod;
  const requests = () => chaos.seen.length + chaos.refused;
  /** Counts the requests during `work`, for at least `ms`. */
  const inTrouble = async (ms: number, work: () => Promise<void>) => {
    const from = requests();
    const began = performance.now();
    await work();
    await sleep(Math.max(0, ms - (performance.now() - began)));
    const lastedMs = performance.now() - began;
    const counted = requests() - from;
    console.log(`${counted} requests in ${Math.round(lastedMs)} ms`);
    assert.ok(counted <= mostIn(lastedMs), `${counted} requests in a trouble of ${lastedMs} ms`);
  };

  test.before(async () => {
    world = await nodeWorld(admin, 'outage');
    chaos = await startChaosProxy(admin);
    const through = async (account: 'podmend-operator' | 'podmend-agent') => ({
      ...SETTINGS,
      KUBECONFIG: await world.kubeconfigOf(account, chaos.server),
    });
    await world.startOperator(await through('podmend-operator'));
    await world.signUp();
    world.startAgent(await through('podmend-agent'));
  });
  test.after(async () => {
    chaos?.forward();
    await world?.end();
    await chaos?.close();
  });

  test('a client has the same identity through the proxy as without it', async () => {
    const config = JSON.parse(await readFile(await world.kubeconfigOf('podmend-agent'), 'utf8')) as {
      users: { user: { token: string } }[];
    };
    const review = await fetch(`${chaos.server}/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
      method: 'POST',
      headers: { authorization: `Bearer ${config.users[0]?.user.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }),
    });
    const { status } = (await review.json()) as { status: { userInfo: { username: string } } };
    assert.is(status.userInfo.username, 'system:serviceaccount:podmend:podmend-agent');
  });

  test('everything that happens while the API server is away or frozen is known afterwards, once', async () => {
    await world.run({ web: PODS.unpulled, dies: PODS.unpulled, heals: PODS.unconfigured('late') });
    for (const name of ['web', 'dies', 'heals']) await world.recordOf(name);
    await world.kubectl.apply(`
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: try, namespace: ${world.namespace}}
spec: {source: {name: web}, ttlSeconds: ${TTL_SECONDS}, onExpiry: Retain, template: {spec: ${PODS.well}}}
`);
    let status: MirrorPod['status'];
    await until(async () => (status = (await mirror()).status)?.podName, {
      everyMs: 200,
      what: () => `the mirror pod: ${JSON.stringify(status)}`,
    });
    const from = chaos.seen.length;

    chaos.refuse();
    await inTrouble(AWAY_MS, async () => {
      await world.kubectl('create', 'configmap', 'late', '-n', world.namespace, '--from-literal=size=2');
      await world.run({ 'begins-away': PODS.unpulled, 'ends-away': PODS.failing });
      await world.remove('dies');
    });
    chaos.forward();
    for (const name of ['begins-away', 'ends-away']) await world.recordOf(name, CAUGHT_UP_MS);
    await world.closed('dies', CAUGHT_UP_MS);

    chaos.freeze();
    await inTrouble(FROZEN_MS, async () => {
      await world.run({ 'begins-frozen': PODS.failing });
      await world.remove('ends-away');
    });
    chaos.forward();
    // The soak does not break the frozen connections: each client must notice by itself that its requests are lost.
    if (!isLong) chaos.cut();
    await world.recordOf('begins-frozen', THAWED_MS);
    await world.closed('ends-away', THAWED_MS);
    // The kubelet takes some time until it retries the ConfigMap.
    await world.closed('heals', 60_000);

    const fixed = async () => (await mirror()).status?.verdict;
    await until(fixed, { timeoutMs: TTL_SECONDS * 1000, everyMs: 200, what: 'the verdict' });
    assert.is(await fixed(), 'Fixed');
    await until(async () => (await mirror()).status?.phase === 'Expired', {
      timeoutMs: TTL_SECONDS * 1000 + CAUGHT_UP_MS,
      everyMs: 200,
      what: 'the end of the mirror',
    });
    const selector = ['-l', 'podmend.dev/mirror=true', '-n', world.namespace, '-o', 'name'];
    await until(async () => (await world.kubectl('get', 'pods', ...selector)).trim() === '', {
      what: 'its pod to be gone',
    });

    const records = await world.records();
    assert.equal(
      records.map(({ pod_name }) => pod_name).sort(),
      ['begins-away', 'begins-frozen', 'dies', 'ends-away', 'heals', 'web'],
      'each failure has one record',
    );
    const open = records.filter(({ resolved_at }) => resolved_at === null).map(({ pod_name }) => pod_name);
    assert.equal(open.sort(), ['begins-away', 'begins-frozen', 'web']);
    const { id } = await world.single('web');
    assert.equal(
      (await world.detail(id)).trials.map(({ verdict }) => verdict),
      ['Fixed'],
    );
    const seen = chaos.seen.slice(from);
    assert.is(podCreates(seen), 0, 'the mirror had its pod before');
    assert.equal(idleWrites(seen), []);
  });

  test.run();
}

onNode('outages with a real node', tell);
