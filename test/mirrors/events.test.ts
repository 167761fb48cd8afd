import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { eventEvidence } from '../../src/failures/detect/evidence.ts';
import { eventsOf } from '../../src/failures/detect/events.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { eventRecorder } from '../../src/kube/recorder.ts';
import { clusters } from '../support/cluster/clusters.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { aMirror, aSourcePod, mirrorWorld, type MirrorWorld } from '../support/worlds/mirrors.ts';

const kubectlFound = await findKubectl();
if ('missing' in kubectlFound) console.log(`SKIP events of mirrors: ${kubectlFound.missing}`);
else for (const cluster of clusters('events of mirrors')) tellEvents(cluster.name, cluster.start, kubectlFound.path);

/** The events that `kubectl describe` shows for a mirror and its source, from the first wait to the end. */
function tellEvents(name: string, start: () => Promise<{ kubeconfigText: string; close(): Promise<void> }>, kubectlPath: string): void {
  const test = suite(`events of mirrors on the ${name}`);
  let cluster: Awaited<ReturnType<typeof start>>;
  let world: MirrorWorld;
  let kubectl: Kubectl;
  let mirror: MirrorPod;
  let namespace: string;

  test.before(async () => {
    cluster = await start();
    world = await mirrorWorld(cluster.kubeconfigText);
    kubectl = await kubectlFor(kubectlPath, cluster.kubeconfigText);
  });
  test.after(async () => {
    await kubectl?.close();
    await world?.close();
    await cluster?.close();
  });

  const written = () =>
    world.client
      .list(KINDS.event, { namespace })
      .then((events) => events.filter(({ reportingComponent }) => reportingComponent?.startsWith('podmend')));
  const describe = async (what: string): Promise<string> => {
    const { stdout, stderr } = await kubectl(['describe', what, '-n', namespace]);
    assert.is(stderr, '');
    return stdout;
  };
  /** The reasons in the order of describe, oldest first. */
  const reasonsIn = (text: string): string[] =>
    [...text.matchAll(/^\s+(?:Normal|Warning)\s+(Mirror\w+)/gm)].map(([, reason = '']) => reason);

  test('the whole story of a mirror, in its order', async () => {
    namespace = await world.namespace();
    const template = { spec: { containers: [{ name: 'app', image: 'web:1' }] } };
    mirror = await world.apply(aMirror(namespace, { template, onExpiry: 'Retain' }));
    await world.pass(mirror);
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    await world.pass(mirror);
    const pod = (await world.podOf(mirror)) as Pod;
    await world.client.remove(KINDS.pod, namespace, pod.metadata.name ?? '', { graceSeconds: 0 });
    await world.pass(mirror);
    world.advance(121);
    await world.pass(mirror);
    const text = await describe('mirrorpod/try');
    assert.equal(reasonsIn(text), ['MirrorStalled', 'MirrorCreated', 'MirrorInconclusive', 'MirrorExpired']);
    assert.match(text, new RegExp(`Mirror pod ${pod.metadata.name} tries the correction \\(Given, 1 change\\) until `));
    assert.match(text, /The mirror pod was removed before it could be judged/);
    assert.match(text, /podmend\.dev\/operator/);
    for (const word of [
      /Verdict:\s+Inconclusive/,
      /Phase:\s+Expired/,
      /Path:\s+spec\.containers\[0\]\.image/,
      /From:\s+web:11/,
      /To:\s+web:1/,
    ])
      assert.match(text, word);
  });

  test('the source pod tells the creation and the verdict', async () => {
    assert.equal(reasonsIn(await describe('pod/web')), ['MirrorCreated', 'MirrorInconclusive']);
  });

  test('passes that change nothing write nothing', async () => {
    const before = await written();
    for (let times = 0; times < 3; times++) await world.pass(mirror);
    assert.equal(await written(), before);
  });

  test('what Podmend wrote is never evidence', async () => {
    const events = await world.client.list(KINDS.event, { namespace });
    const source = (await world.client.read(KINDS.pod, namespace, 'web')) as Pod;
    const isOurs = ({ reason }: { reason?: string | null }) => reason?.startsWith('Mirror');
    assert.ok(events.some((event) => isOurs(event) && event.involvedObject?.uid === source.metadata.uid));
    assert.equal(eventEvidence(events).filter(isOurs), []);
    assert.equal(eventsOf(source, events).filter(isOurs), []);
  });

  test('a repeated event is one series', async () => {
    const recorder = eventRecorder(world.deps);
    const { uid = '' } = mirror.metadata;
    const regarding = { apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', namespace, name: 'try', uid };
    for (let times = 0; times < 3; times++)
      recorder.record({ regarding, type: 'Normal', reason: 'MirrorWaiting', action: 'Wait', note: 'It waits.' });
    await recorder.idle();
    const waits = (await written()).filter(({ reason }) => reason === 'MirrorWaiting');
    assert.equal(
      waits.map(({ series }) => series?.count),
      [2],
    );
    assert.match(await describe('mirrorpod/try'), /MirrorWaiting\s.*\(x2 over/);
  });

  test.run();
}
