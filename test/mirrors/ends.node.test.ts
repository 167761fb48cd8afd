import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodLog } from '../../src/contract/log.ts';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { type NodeMirrors, nodeMirrors, podNameOf } from '../support/worlds/node-mirrors.ts';
import { until } from '../support/runner/wait.ts';
import { nodeKubeconfig, onNode } from '../support/cluster/on-node.ts';

/** How mirrors end on a real kubelet: without the operator, without their owner, and when a finalizer holds them. */
const test = suite('ends of mirrors on a real node');
const NS = 'mirror-ends';
let world: NodeMirrors;

test.before(async () => {
  world = await nodeMirrors(nodeKubeconfig, NS);
});
test.after(() => world?.stop([NS]));

test('the kubelet ends a mirror at its time when the operator is down, and the verdict stays', async () => {
  await world.kubectl.apply(
    world.mirror('alone', 'web', `{containers: [{name: app, image: 'web:1'}]}`, 'ttlSeconds: 110, onExpiry: Retain'),
  );
  await world.kubectl('wait', '--for=condition=Ready', 'mirrorpod/alone', '-n', NS, '--timeout=105s');
  const alone = await world.read<MirrorPod>('mirrorpod/alone');
  await world.operator.stop();
  const over = Date.parse(alone.status?.expirationTime ?? '');
  const ended = await until(
    async () => {
      const pod = await world.read<Pod>(`pod/${podNameOf(alone)}`);
      return pod.status?.reason === 'DeadlineExceeded' ? pod : undefined;
    },
    { timeoutMs: 90_000, everyMs: 250, what: 'the kubelet to end the pod' },
  );
  assert.is(ended.status?.phase, 'Failed');
  // The deadline counts from the pod's start, a moment after its creation. The grace period comes on top.
  assert.ok(Date.now() < over + 20_000, `ended ${Math.round((Date.now() - over) / 1000)} s after its time`);
  world.operator = await world.startOperator();
  const kept = await until(
    async () => {
      const now = await world.read<MirrorPod>('mirrorpod/alone');
      return now.status?.phase === 'Expired' ? now : undefined;
    },
    { timeoutMs: 60_000, what: 'the operator to clear up' },
  );
  assert.is(kept.status?.verdict, 'Fixed');
  const left = (await world.read<{ items: Pod[] }>('pods')).items.map(({ metadata }) => metadata.name);
  assert.not.ok(left.includes(podNameOf(alone)));
});

test('a MirrorPod deleted with --cascade=orphan leaves no pod and no policy, and the agent reports neither', async () => {
  await world.kubectl.apply(world.mirror('orphan', 'web', `{containers: [{name: app, image: 'web:1', args: [--exit, '3']}]}`));
  const made = await until(
    async () => {
      const now = await world.read<MirrorPod>('mirrorpod/orphan');
      return now.status?.podName ? now : undefined;
    },
    { what: 'the mirror pod' },
  );
  await world.kubectl('delete', 'mirrorpod/orphan', '-n', NS, '--cascade=orphan');
  const left = async (kind: string) =>
    (await world.read<{ items: Pod[] }>(kind)).items.some(({ metadata }) => metadata.name === podNameOf(made));
  await until(async () => !(await left('pods')) && !(await left('networkpolicies')), { what: 'pod and policy to go' });
  const reported = (await world.client.get<FailureRecord[]>('/api/pods/failed')).map(({ pod_name }) => pod_name);
  assert.not.ok(reported.includes(podNameOf(made)));
});

test('a deleted MirrorPod that a finalizer holds ends its pod and policy at its time', async () => {
  await world.kubectl.apply(world.mirror('held', 'web', `{containers: [{name: app, image: 'web:1'}]}`, 'ttlSeconds: 30'));
  await world.kubectl('patch', 'mirrorpod/held', '-n', NS, '--type=merge', '-p', '{"metadata":{"finalizers":["example.com/hold"]}}');
  const held = await until(
    async () => {
      const now = await world.read<MirrorPod>('mirrorpod/held');
      return now.status?.podName ? now : undefined;
    },
    { what: 'the mirror pod' },
  );
  await world.kubectl('delete', 'mirrorpod/held', '-n', NS, '--wait=false');
  const left = async (kind: string) =>
    (await world.read<{ items: Pod[] }>(kind)).items.some(({ metadata }) => metadata.name === podNameOf(held));
  assert.ok(await left('pods'), 'it runs on until its time');
  await until(async () => !(await left('pods')) && !(await left('networkpolicies')), { timeoutMs: 60_000, what: 'pod and policy to end' });
  assert.is((await world.read<MirrorPod>('mirrorpod/held')).status?.phase, 'Expired');
  await world.kubectl('patch', 'mirrorpod/held', '-n', NS, '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
});

for (const [how, end] of [
  ['by its time', async () => undefined],
  ['by the API', async ({ metadata }) => void (await world.client.send('DELETE', `/api/mirror/${metadata.uid}`))],
  ['by kubectl', async ({ metadata }) => void (await world.kubectl('delete', 'mirrorpod', metadata.name ?? '', '-n', NS, '--wait=false'))],
] as [string, (mirror: MirrorPod) => Promise<void>][])
  test(`the log of a mirror that was ended ${how} is read by the name of its pod`, async () => {
    // Without a record, there is no trial, so no log is kept.
    const isReported = async () => (await world.client.get<FailureRecord[]>('/api/pods/failed')).some(({ namespace }) => namespace === NS);
    await until(isReported, { timeoutMs: 60_000, what: 'the source to be reported' });
    const name = `talker-${how.split(' ').at(-1)?.toLowerCase()}`;
    // The shell is the first process of the container, so it ignores SIGTERM.
    const command = `['sh', '-c', 'echo begun; echo API_TOKEN=hunter2secret; sleep 3600']`;
    const spec = `{containers: [{name: app, image: 'busybox:1.35', command: ${command}}]}`;
    await world.kubectl.apply(world.mirror(name, 'web', spec, 'ttlSeconds: 45'));
    const mirror = await until(
      async () => {
        const now = await world.read<MirrorPod>(`mirrorpod/${name}`);
        return now.status?.podName ? now : undefined;
      },
      { what: 'the mirror pod' },
    );
    const path = `/api/pods/${NS}/${podNameOf(mirror)}/logs`;
    const logs = async () => (await world.client.send<PodLog>('GET', path)).body.logs;
    await until(async () => /TOKEN/.test((await logs()) ?? ''), { what: 'the mirror to speak' });
    await end(mirror);
    const isGone = async () =>
      !(await world.read<{ items: Pod[] }>('pods')).items.some(({ metadata }) => metadata.name === podNameOf(mirror));
    await until(isGone, { timeoutMs: 120_000, what: 'the mirror pod to go' });
    assert.is(await logs(), 'begun\nAPI_TOKEN=***\n');
  });

onNode('ends of mirrors on a real node', () => test.run());
