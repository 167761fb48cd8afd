import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail, FailureRecord } from '../../src/contract/failure.ts';
import type { MirrorPreview } from '../../src/contract/mirror.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { type NodeMirrors, nodeMirrors } from '../support/worlds/node-mirrors.ts';
import { until } from '../support/runner/wait.ts';
import { nodeKubeconfig, onNode } from '../support/cluster/on-node.ts';

/** What only a real kubelet shows about mirrors: a verdict with its figures. `test/mirrors/ends.node.test.ts` tests their ends. */
const test = suite('mirrors on a real node');
const NS = 'mirrors-node';
let world: NodeMirrors;

const JOB = `---
apiVersion: batch/v1
kind: Job
metadata: {name: bill, namespace: ${NS}}
spec:
  backoffLimit: 0
  template: {spec: {restartPolicy: Never, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'exit 3']}]}}
`;
const STATEFUL = (image: string) => `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: kept, namespace: ${NS}}
spec:
  serviceName: kept
  selector: {matchLabels: {app: kept}}
  template:
    metadata: {labels: {app: kept}}
    spec: {terminationGracePeriodSeconds: 1, containers: [{name: app, image: '${image}'}]}
`;
const STATELESS = (image: string) =>
  STATEFUL(image)
    .replaceAll('kept', 'moved')
    .replace('StatefulSet', 'Deployment')
    .replace(/ *serviceName: .*\n/, '');
const eventsIn = (text: string): string[] => [...text.matchAll(/^\s+(?:Normal|Warning)\s+(Mirror\w+)/gm)].map(([, reason = '']) => reason);
/**
 * The record of a pod or of a workload, once it says that the image cannot be pulled. On a busy node it may say something else before: that
 * the new namespace has no certificate to mount yet, or that nothing has started.
 */
const pullFailureOf = (name: string): Promise<FailureRecord> =>
  until(
    async () =>
      (await world.client.get<FailureRecord[]>('/api/pods/failed')).find(
        (one) => [one.pod_name, one.workload?.name].includes(name) && one.failure_reason === 'ImagePullBackOff',
      ),
    { timeoutMs: 90_000, what: `the record of ${name}` },
  );

test.before(async () => {
  world = await nodeMirrors(nodeKubeconfig, NS, JOB);
});
test.after(() => world?.stop([NS]));

test('describe shows the verdict on the mirror and on its source, and the trial keeps what both showed', async () => {
  const { id } = await pullFailureOf('web');
  await world.kubectl.apply(world.mirror('try', 'web', `{containers: [{name: app, image: 'web:1'}]}`));
  // The window of a source that never ran is a minute.
  await world.kubectl('wait', '--for=condition=Ready', 'mirrorpod/try', '-n', NS, '--timeout=100s');
  const described = await until(
    async () => {
      const text = await world.kubectl('describe', 'mirrorpod/try', '-n', NS);
      return text.includes('MirrorFixed') ? text : undefined;
    },
    { what: 'the event of the verdict' },
  );
  assert.equal(eventsIn(described), ['MirrorCreated', 'MirrorFixed']);
  const figures = /The source showed ImagePullBackOff; the mirror was Ready .* window of 60 s\..* Ready for (\d+) s, 0 restarts\./.exec(
    described,
  );
  assert.ok(Number(figures?.[1]) >= 60, described);
  assert.equal(eventsIn(await world.kubectl('describe', 'pod/web', '-n', NS)), ['MirrorCreated', 'MirrorFixed']);
  const { trials, events } = await world.client.get<FailureDetail>(`/api/pods/failed/${id}`);
  const [trial] = trials;
  assert.equal([trial?.verdict, trial?.reason_before, trial?.reason_after], ['Fixed', 'ImagePullBackOff', null]);
  assert.match(trial?.shown_before?.message ?? '', /web:11/);
  assert.ok((trial?.shown_after?.ready_seconds ?? 0) >= 60 && trial?.shown_after?.restarts === 0, JSON.stringify(trial));
  assert.equal(
    events.filter(({ reason }) => reason?.startsWith('Mirror')),
    [],
  );
});

for (const [kind, name, manifest] of [
  ['Deployment', 'moved', STATELESS],
  ['StatefulSet', 'kept', STATEFUL],
] as const)
  test(`a ${kind}\u2019s earlier revision is proposed, and going back to it is Fixed on a mirror`, async () => {
    await world.kubectl.apply(manifest('web:1'));
    await world.kubectl('rollout', 'status', `${kind.toLowerCase()}/${name}`, '-n', NS, '--timeout=60s');
    await world.kubectl.apply(manifest('web:12'));
    const record = await pullFailureOf(name);
    const preview = await world.client.send<MirrorPreview>('POST', `/api/mirror/preview/${record.id}`);
    const back = preview.body.candidates.find(({ title }) => title === 'Go back to revision 1');
    assert.equal(
      back?.changes.map(({ path, from, to }) => [path, from, to]),
      [['spec.containers[0].image', 'web:12', 'web:1']],
      JSON.stringify(preview.body.candidates),
    );
    const candidate = preview.body.candidates.indexOf(back as MirrorPreview['candidates'][0]);
    assert.is((await world.client.send('POST', `/api/mirror/deploy/${record.id}`, { candidate, ttl_seconds: 120 })).status, 200);
    await until(
      async () =>
        (await world.client.get<FailureDetail>(`/api/pods/failed/${record.id}`)).trials.some(({ verdict }) => verdict === 'Fixed'),
      { timeoutMs: 100_000, what: `the verdict about ${name}` },
    );
  });

test('a Job\u2019s pod is only run again when somebody acknowledges that, and its end is the verdict', async () => {
  const name =
    (await world.read<{ items: Pod[] }>('pods')).items.find((pod) => pod.metadata.name?.startsWith('bill-'))?.metadata.name ?? '';
  const spec = `{restartPolicy: Never, containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'exit 0']}]}`;
  await world.kubectl.apply(world.mirror('bill', name, spec));
  await world.kubectl('wait', '--for=condition=Stalled', 'mirrorpod/bill', '-n', NS, '--timeout=20s');
  assert.match(await world.kubectl('describe', 'mirrorpod/bill', '-n', NS), /MirrorRejected .*SideEffects: .*acknowledgeSideEffects/);
  await world.kubectl('patch', 'mirrorpod', 'bill', '-n', NS, '--type=merge', '-p', '{"spec":{"acknowledgeSideEffects":true}}');
  await world.kubectl('wait', '--for=condition=Ready', 'mirrorpod/bill', '-n', NS, '--timeout=40s');
  const judged = await world.read<MirrorPod>('mirrorpod/bill');
  assert.equal([judged.status?.phase, judged.status?.verdict], ['Succeeded', 'Fixed']);
});

onNode('mirrors on a real node', () => test.run());
