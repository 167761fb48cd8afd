import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { isKubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { lastLogs } from '../../src/mirrors/last-log.ts';
import { mirrorPodReconciler } from '../../src/reconcilers/mirrorpod.ts';
import type { MirrorsDeps } from '../../src/reconcilers/mirrorpod-controller.ts';
import { aFailureReport } from '../support/builders/report.ts';
import { clusters } from '../support/cluster/clusters.ts';
import { CRASHED_STATUS, readyFor } from '../support/builders/mirror.ts';
import { aMirror, aSourcePod, type MirrorWorld, useMirrorWorld } from '../support/worlds/mirrors.ts';

/** What goes wrong at one call to the cluster or the database. */
const TROUBLES = [
  'killed before it',
  'killed after it',
  'the API server is away from then on',
  'another leader makes a whole pass',
] as const;
type Trouble = (typeof TROUBLES)[number];

/** The steps of a mirror's life. Each step prepares what the pass will find. */
const STEPS = ['the pod is created', 'the window was held', 'the container crashes', 'the time is over'] as const;
type Step = (typeof STEPS)[number];

/** No pass makes more calls than this. */
const MOST_CALLS = 40;

for (const cluster of clusters('interrupted mirrorpod passes', { noNode: true })) {
  const test = suite(`interrupted mirrorpod passes on the ${cluster.name}`);
  let world: MirrorWorld;
  useMirrorWorld(test, cluster, (made) => (world = made));

  for (const trouble of TROUBLES)
    test(`${trouble}, at every call of every step: one pod, one revision, one end`, async () => {
      let reached = 0;
      for (let call = 1; call === 1 || reached === call - 1; call++) {
        assert.ok(call < MOST_CALLS, 'the calls of a pass are bounded');
        if ((await live(world, call, trouble)).wasReached) reached = call;
      }
      assert.ok(reached >= 5, `only ${reached} calls were interrupted`);
    });

  test.run();
}

/** Lets a mirror live through all steps. In each step, one pass meets the trouble at this call, and then a pass runs without trouble. */
async function live(world: MirrorWorld, call: number, trouble: Trouble): Promise<{ wasReached: boolean }> {
  const namespace = await world.namespace();
  const source = await world.client.create(KINDS.pod, aSourcePod(namespace));
  const report = aFailureReport({ namespace, pod_name: 'web', pod_uid: source.metadata.uid ?? null, failure_reason: 'ImagePullBackOff' });
  const stored = await world.intake.report(report, world.deps.now());
  const template = { spec: { containers: [{ name: 'app', image: 'web:1' }] } };
  const mirror = await world.apply(aMirror(namespace, { template, onExpiry: 'Retain' }));
  const made = new Set<string>();
  let wasReached = false;
  for (const step of STEPS) {
    await prepare(world, mirror, step);
    const troubled = withTrouble(world, { call, trouble, mirror, made });
    await world.pass(mirror, troubled.over).catch((error: Error) => {
      // A conflict with the other leader is harmless: the controller tries again.
      if (error.message !== TROUBLE && !isKubeError(error, 409)) throw error;
    });
    wasReached ||= troubled.wasReached();
    await world.pass(mirror, recording(world, made));
  }
  const what = `call ${call}, ${trouble}`;
  const { status } = (await world.read(mirror)) as MirrorPod;
  assert.is(made.size, 1, `one pod: ${what}`);
  assert.is(await world.podOf(mirror), undefined, `no pod is left: ${what}`);
  assert.equal([status?.phase, status?.verdict, final(status)], ['Expired', 'StillFailing', 'True'], what);
  assert.equal(
    status?.revisions?.map(({ from, verdict, failure }) => [from, verdict, failure]),
    REVISIONS,
    what,
  );
  const [trial, ...others] = (await world.failures.record(stored.kind === 'stored' ? stored.record.id : 0))?.trials ?? [];
  assert.equal([trial?.verdict, trial?.final, others], ['StillFailing', true, []], what);
  assert.equal(
    trial?.revisions?.map(({ from, verdict }) => [from, verdict]),
    REVISIONS.map(([from, verdict]) => [from, verdict]),
    what,
  );
  world.rewind();
  await world.client.remove(KINDS.mirrorPod, namespace, 'try');
  return { wasReached };
}

const REVISIONS = [['Fixed', 'StillFailing', 'CrashLoopBackOff']];

const final = (status: MirrorPod['status']): string | undefined => status?.conditions?.find(({ type }) => type === 'Final')?.status;

async function prepare(world: MirrorWorld, mirror: MirrorPod, step: Step): Promise<void> {
  if (step === 'the pod is created') return;
  if (step === 'the time is over') return world.advance(121);
  const pod = (await world.podOf(mirror)) as Pod;
  await world.setStatus(pod, step === 'the window was held' ? readyFor(61, world.deps.now()) : CRASHED_STATUS);
}

const TROUBLE = 'the trouble of the test';

/** Dependencies that record the uid of every pod they create. */
function recording(world: MirrorWorld, made: Set<string>): Pick<MirrorsDeps, 'client'> {
  const { client } = world;
  const create: typeof client.create = async (kind, object, options) => {
    const created = await client.create(kind, object, options);
    if (kind.kind === 'Pod' && !options?.dryRun) made.add(created.metadata.uid ?? '');
    return created;
  };
  return { client: { ...client, create } };
}

/** A whole pass in another process, which has its own event recorder. */
async function passOfAnother(world: MirrorWorld, { metadata }: MirrorPod, made: Set<string>): Promise<void> {
  const { client } = recording(world, made);
  const recorder = { record: () => undefined, idle: async () => undefined };
  const mirrorPods = () => client.list(KINDS.mirrorPod);
  const ending = lastLogs({ ...world.deps, client });
  await mirrorPodReconciler({ ...world.deps, client, recorder, mirrorPods, lastLogs: ending })(`${metadata.namespace}/${metadata.name}`);
}

interface Trial {
  call: number;
  trouble: Trouble;
  mirror: MirrorPod;
  made: Set<string>;
}

/** Dependencies in which this call meets the trouble. */
function withTrouble(world: MirrorWorld, { call, trouble, mirror, made }: Trial) {
  let calls = 0;
  const fail = (): never => {
    throw new Error(TROUBLE);
  };
  const meet = async <T>(isCluster: boolean, work: () => Promise<T>): Promise<T> => {
    const number = ++calls;
    if (number < call) return work();
    switch (trouble) {
      case 'killed before it':
        return fail();
      case 'killed after it':
        if (number === call) await work();
        return fail();
      case 'the API server is away from then on':
        return isCluster ? fail() : work();
      case 'another leader makes a whole pass':
        if (number === call) await passOfAnother(world, mirror, made);
        return work();
    }
  };
  const { client } = recording(world, made);
  const { trials } = world;
  const over: Partial<MirrorsDeps> = {
    client: {
      ...client,
      read: (...given) => meet(true, () => client.read(...given)),
      list: (...given) => meet(true, () => client.list(...given)),
      create: (...given) => meet(true, () => client.create(...given)),
      patch: (...given) => meet(true, () => client.patch(...given)),
      remove: (...given) => meet(true, () => client.remove(...given)),
    } as MirrorsDeps['client'],
    trials: {
      ...trials,
      insert: (...given) => meet(false, () => trials.insert(...given)),
      update: (...given) => meet(false, () => trials.update(...given)),
      end: (...given) => meet(false, () => trials.end(...given)),
    },
  };
  return { over, wasReached: () => calls >= call };
}
