import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { Container } from '../../src/crd/kubernetes.ts';
import { MIRROR_LABEL, type MirrorPod } from '../../src/crd/mirrorpod.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { mirrorController, type MirrorController } from '../../src/reconcilers/mirrorpod-controller.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { aMirror, aSourcePod, mirrorWorld, type MirrorWorld } from '../support/worlds/mirrors.ts';
import { until } from '../support/runner/wait.ts';

/** Whole lives of mirrors on the sandbox, whose kubelet runs their pods. */
const test = suite('mirrors on the sandbox');
let sandbox: Sandbox;
let world: MirrorWorld;
let mirrors: MirrorController;
/** How many times the sweep looked for leftovers of mirrors. */
let sweeps = 0;

test.before(async () => {
  sandbox = await startSandbox({ speed: 20 });
  world = await mirrorWorld(sandbox.kubeconfig);
  const { client } = world.deps;
  const list: typeof client.list = (kind, selection) => {
    if ((kind as unknown) === KINDS.networkPolicy && selection?.labelSelector?.includes(MIRROR_LABEL)) sweeps++;
    return client.list(kind, selection);
  };
  mirrors = mirrorController({ ...world.deps, client: { ...client, list } });
  await mirrors.start();
});
test.after(async () => {
  await mirrors?.stop();
  await world?.close();
  await sandbox?.close();
});

const statusesOf = ({ metadata }: MirrorPod): MirrorRecord[] =>
  world.messages.flatMap(({ type, data }) => (type === 'mirror_status' && data.mirror_id === metadata.uid ? [data] : []));

async function failingPod(container: Partial<Container>): Promise<{ namespace: string; name: string }> {
  const namespace = await world.namespace();
  await world.client.create(KINDS.pod, aSourcePod(namespace, { containers: [{ name: 'app', image: 'web:1', ...container }] }));
  return { namespace, name: 'web' };
}

const verdictOf = (mirror: MirrorPod, timeoutMs = 15_000): Promise<MirrorPod> =>
  until(
    async () => {
      const now = await world.read(mirror);
      return now?.status?.verdict ? now : undefined;
    },
    { timeoutMs, what: 'a verdict' },
  );

test('a right correction is Fixed, a wrong one StillFailing, and Services never see either', async () => {
  const { namespace, name } = await failingPod({ image: 'web:11' });
  const template = (image: string) => ({ spec: { containers: [{ name: 'app', image }] } });
  const right = await world.apply(aMirror(namespace, { source: { name }, template: template('web:1') }, { name: 'right' }));
  const wrong = await world.apply(aMirror(namespace, { source: { name }, template: template('web:12') }, { name: 'wrong' }));
  const judged = await verdictOf(wrong);
  assert.equal([judged.status?.verdict, judged.status?.phase], ['StillFailing', 'Failed']);
  await until(async () => (await world.podOf(right))?.status?.phase === 'Running', { what: 'the mirror to run' });
  world.advance(61);
  await until(
    async () => {
      await world.pass(right);
      return (await world.read(right))?.status?.verdict;
    },
    { what: 'a verdict' },
  );
  assert.is((await world.read(right))?.status?.verdict, 'Fixed');
  world.rewind();
});

test('a MirrorPod without a template tries the correction of the rules', async () => {
  const { namespace, name } = await failingPod({ command: ['/bin/sh', '-c', 'exit 3'] });
  await until(async () => (await world.client.read(KINDS.pod, namespace, name))?.status?.containerStatuses?.[0]?.restartCount, {
    what: 'a crash',
  });
  const mirror = await world.apply(aMirror(namespace, { source: { name } }));
  const seen = await until(
    async () => {
      const now = await world.read(mirror);
      return now?.status?.phase ? now : undefined;
    },
    { what: 'a status' },
  );
  assert.ok(['Pending', 'Running', 'Rejected', 'Failed'].includes(seen.status?.phase ?? ''));
});

test('deleting a MirrorPod takes everything with it', async () => {
  const { namespace, name } = await failingPod({ image: 'web:11' });
  const mirror = await world.apply(
    aMirror(namespace, { source: { name }, template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } } }),
  );
  await until(() => world.podOf(mirror), { what: 'the mirror pod' });
  await world.client.remove(KINDS.mirrorPod, namespace, 'try');
  await until(async () => !(await world.podOf(mirror)), { what: 'the mirror pod to go' });
  await until(async () => (await world.client.list(KINDS.networkPolicy, { namespace })).length === 0, { what: 'its policy to go' });
  const told = await until(() => statusesOf(mirror).find(({ status }) => status === 'Expired'), { what: 'the last message about it' });
  assert.equal([told.mirror_id, told.name, told.ttl_seconds], [mirror.metadata.uid, 'try', 120]);
  assert.ok(Date.parse(told.expires_at ?? '') <= world.deps.now().getTime(), 'its time is over');
});

test('a deletion is announced when its mirror is among the past ones', async () => {
  const { namespace, name } = await failingPod({ image: 'web:11' });
  const report = aFailureReport({ namespace, pod_name: name, pod_uid: `uid-${namespace}` });
  const stored = await world.intake.report(report, world.deps.now());
  const id = stored.kind === 'stored' ? stored.record.id : 0;
  const mirror = await world.apply(
    aMirror(namespace, { source: { name }, template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } } }),
  );
  const trial = async () => (await world.failures.record(id))?.trials[0];
  await until(trial, { what: 'the trial' });
  await world.client.remove(KINDS.mirrorPod, namespace, 'try');
  await until(() => statusesOf(mirror).some(({ status }) => status === 'Expired'), { what: 'the last message' });
  assert.ok((await trial())?.ended_at, 'whoever asks now is told that it is over');
});

test('the leftovers of many MirrorPods that are deleted together are removed together', async () => {
  const { namespace, name } = await failingPod({ image: 'web:11' });
  const template = { spec: { containers: [{ name: 'app', image: 'web:1' }] } };
  const names = Array.from({ length: 12 }, (_, index) => `many-${index}`);
  const all = await Promise.all(names.map((each) => world.apply(aMirror(namespace, { source: { name }, template }, { name: each }))));
  const policies = async () => (await world.client.list(KINDS.networkPolicy, { namespace })).length;
  await until(async () => (await Promise.all(all.map((one) => world.read(one)))).every((one) => one?.status?.phase), { what: 'statuses' });
  const before = sweeps;
  for (const each of names) void world.client.remove(KINDS.mirrorPod, namespace, each);
  await until(async () => (await world.client.list(KINDS.mirrorPod, { namespace })).length + (await policies()) === 0, { what: 'the end' });
  await until(() => sweeps > before, { what: 'a sweep' });
  assert.ok(sweeps - before <= 6, `${sweeps - before} sweeps for ${names.length} mirrors`);
});

test('time alone ends a mirror', async () => {
  const { namespace, name } = await failingPod({ image: 'web:11' });
  const template = { spec: { containers: [{ name: 'app', image: 'web:1' }] } };
  const mirror = await world.apply(aMirror(namespace, { source: { name }, template, ttlSeconds: 30 }));
  await until(() => world.podOf(mirror), { what: 'the mirror pod' });
  world.advance(31);
  await world.pass(mirror);
  await until(async () => !(await world.read(mirror)) && !(await world.podOf(mirror)), { what: 'the end' });
  await until(() => statusesOf(mirror).some(({ status }) => status === 'Expired'), { what: 'the last message' });
  // When a later change has arrived, everything before it has arrived too.
  await world.client.create(KINDS.mirrorPod, aMirror(namespace, { source: { name } }, { name: 'later' }));
  await until(() => world.messages.some(({ data }) => 'name' in data && data.name === 'later'), { what: 'the later one' });
  assert.is(statusesOf(mirror).filter(({ status }) => status === 'Expired').length, 1, 'told once');
});

test.run();
