import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ContainerStatus, CoreEvent, Pod, PodStatus } from '../../src/crd/kubernetes.ts';
import { type Patrol, type PatrolDeps, patrol } from '../../src/failures/patrol.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/wait.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): string => new Date(T0.getTime() + seconds * 1000).toISOString();

interface World {
  watch: Patrol;
  /** `<pod> <reason>`, `<pod> recovered`, in order. */
  told: string[];
  now: Date;
  /** What listing events does. */
  events(): Promise<CoreEvent[]>;
  asked: number;
  messages: string[];
  /** Whether the log of what fails is missing. */
  isDue(): boolean;
}

const patrols = suite<World>('a patrol');

patrols.before.each((world) => {
  Object.assign(world, { told: [], messages: [], now: T0, asked: 0, events: async () => [], isDue: () => false });
  const begun = performance.now();
  const deps: PatrolDeps = {
    graces: { pendingSeconds: 120, unreadySeconds: 60, recoverySeconds: 600 },
    // The clock goes on while a test waits.
    now: () => new Date(world.now.getTime() + performance.now() - begun),
    log: createLog({ level: 'silent' }),
    events: () => {
      world.asked += 1;
      return world.events();
    },
    failed: async ({ pod, failure }, isLastTry) => {
      world.told.push(`${pod.metadata.name} ${failure.reason}${isLastTry ? ' at last' : ''}`);
      world.messages.push(failure.message);
      return { isDue: world.isDue() && !isLastTry };
    },
    recovered: (pod) => void world.told.push(`${pod.metadata.name} recovered`),
    backoff: { firstMs: 20, maxMs: 160 },
  };
  world.watch = patrol(deps);
});
patrols.after.each(({ watch }) => watch.stop());

const app = (over: Partial<ContainerStatus>): ContainerStatus => ({ name: 'app', image: 'web:1', ready: false, restartCount: 0, ...over });
const crash = { exitCode: 1, reason: 'Error', startedAt: after(-20), finishedAt: after(-10) };
const FAILED = app({ state: { terminated: crash } });
const UNPULLED = app({ state: { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "web:9"' } } });
const RUNNING = app({ ready: true, state: { running: { startedAt: after(-9) } } });
const CRASHED_ONCE = { ...RUNNING, restartCount: 1, lastState: { terminated: crash } };

function aPod(name: string, status: ContainerStatus, over: { deletedAt?: string; status?: Partial<PodStatus> } = {}): Pod {
  const isReady = status.ready === true;
  const phase = status === FAILED ? 'Failed' : isReady ? 'Running' : 'Pending';
  return {
    metadata: { name, namespace: 'shop', uid: name, ...(over.deletedAt ? { deletionTimestamp: over.deletedAt } : {}) },
    spec: { nodeName: 'node-1', restartPolicy: status === FAILED ? 'Never' : 'Always', containers: [{ name: 'app', image: 'web:1' }] },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: after(-9) }],
      containerStatuses: [status],
      ...over.status,
    },
  } as Pod;
}
const names = (pods: { pod_name: string }[]) => pods.map(({ pod_name }) => pod_name);

patrols('tells of a failure before its end, when a pod is deleted at once', async ({ watch, told }) => {
  watch.seen(aPod('job', FAILED));
  assert.is(await watch.gone(aPod('job', FAILED)), true);
  assert.equal(told, ['job Error']);
  assert.equal(watch.pods(), []);
});

patrols('tells of a failure although the deletion began before anybody looked', async ({ watch, told }) => {
  watch.seen(aPod('web', UNPULLED));
  watch.seen(aPod('web', UNPULLED, { deletedAt: after(30) }));
  await watch.idle();
  assert.equal(told, ['web ImagePullBackOff']);
});

patrols('what a deletion does to a pod is no failure', async ({ watch, told }) => {
  watch.seen(aPod('web', RUNNING));
  await watch.idle();
  watch.seen(aPod('web', app({ state: { terminated: { exitCode: 137 } } }), { deletedAt: after(30) }));
  assert.is(await watch.gone(aPod('web', RUNNING)), false);
  assert.equal(told, []);
});

patrols('waits for what was seen so far, and not for what comes all the time', async (world) => {
  const gates: (() => void)[] = [];
  world.events = () => new Promise((resolve) => gates.push(() => resolve([])));
  world.watch.seen(aPod('first', UNPULLED));
  await until(() => gates.length === 1, { what: 'the first look' });
  let isIdle = false;
  void world.watch.idle().then(() => (isIdle = true));
  world.watch.seen(aPod('second', UNPULLED));
  await until(() => gates.length === 2, { what: 'the second look' });
  gates[0]?.();
  await until(() => isIdle, { what: 'the first look to be over' });
  assert.equal(world.told, ['first ImagePullBackOff']);
  gates[1]?.();
});

patrols('calls nothing well that it could not look at', async (world) => {
  world.events = () => Promise.reject(new Error('429'));
  world.watch.seen(aPod('web', UNPULLED));
  await world.watch.idle();
  assert.equal([names(world.watch.failing()), names(world.watch.unsettled())], [[], ['web']]);
});

patrols('a pod that was there before is unsettled until it has been well for long enough', async (world) => {
  world.watch.seen(aPod('old', RUNNING, { status: { startTime: after(-100) } }));
  world.watch.seen(aPod('new', RUNNING));
  await world.watch.idle();
  assert.equal(names(world.watch.unsettled()), ['old']);
  world.now = new Date(T0.getTime() + 600_000);
  assert.equal(names(world.watch.unsettled()), []);
  assert.is(world.asked, 0, 'nobody asks for events of what is well');
});

patrols('tells once of a crash that is over already, and of its recovery', async (world) => {
  const { watch, told } = world;
  for (let look = 0; look < 2; look += 1) {
    watch.seen(aPod('web', CRASHED_ONCE));
    await watch.idle();
  }
  assert.equal(told, ['web CrashLoopBackOff']);
  assert.equal(names(watch.failing()), ['web']);
  world.now = new Date(T0.getTime() + 600_000);
  watch.seen(aPod('web', CRASHED_ONCE));
  await watch.idle();
  assert.equal(told, ['web CrashLoopBackOff', 'web recovered']);
});

patrols('says nothing of crashes long ago, nor of what a reboot ended', async (world) => {
  world.now = new Date(T0.getTime() + 600_000);
  world.watch.seen(aPod('ago', CRASHED_ONCE));
  const rebooted = { terminated: { ...crash, exitCode: 255, reason: 'Unknown', finishedAt: after(590) } };
  world.watch.seen(aPod('rebooted', { ...CRASHED_ONCE, lastState: rebooted }));
  await world.watch.idle();
  const dateless = { terminated: { ...crash, startedAt: '1970-01-01T00:00:00Z', finishedAt: '1970-01-01T00:00:00Z' } };
  world.watch.seen(aPod('dateless', { ...CRASHED_ONCE, lastState: dateless }));
  await world.watch.idle();
  assert.equal(world.told, []);
});

patrols('tells again what got lost on its way', async ({ watch, told }) => {
  watch.seen(aPod('web', UNPULLED));
  watch.seen(aPod('well', RUNNING));
  await watch.idle();
  watch.again(['web', 'well', 'nobody']);
  assert.equal(names(watch.failing()), ['web'], 'it stays open meanwhile');
  await watch.idle();
  assert.equal(told, ['web ImagePullBackOff', 'web ImagePullBackOff']);
});

patrols('looks again at what it could not examine, ever more rarely', async (world) => {
  const looks: number[] = [];
  world.events = () => {
    looks.push(performance.now());
    return looks.length < 6 ? Promise.reject(new Error('503')) : Promise.resolve([]);
  };
  world.watch.seen(aPod('web', UNPULLED));
  await until(() => world.told.length > 0, { what: 'a look that succeeds' });
  const waits = looks.slice(1).map((at, index) => at - (looks[index] ?? 0));
  assert.ok(
    [20, 40, 80, 160, 160].every((least, index) => (waits[index] ?? 0) >= least - 2),
    waits.join(' '),
  );
  assert.equal(world.told, ['web ImagePullBackOff']);
});

patrols('leaves an API server alone for as long as it asks', async (world) => {
  world.events = () => Promise.reject(new KubeError(429, 'TooManyRequests', 'busy', 60_000));
  world.watch.seen(aPod('web', UNPULLED));
  await until(() => world.asked === 1, { what: 'the first look' });
  await sleep(100);
  assert.is(world.asked, 1);
});

patrols('tells again, as it was seen, what lacks its log, until it has it', async (world) => {
  let tries = 0;
  world.isDue = () => ++tries < 3;
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await until(() => tries === 3, { what: 'the third try' });
  await sleep(200);
  assert.equal(world.told, Array(3).fill('web CrashLoopBackOff'));
});

patrols('gives up a log that never comes, and says so', async (world) => {
  world.isDue = () => true;
  world.watch.seen(aPod('job', FAILED));
  await until(() => world.told.at(-1) === 'job Error at last', { what: 'the last try' });
  await sleep(200);
  assert.is(world.told.length, 7);
});

patrols('asks for no log of what has recovered or is gone', async (world) => {
  world.isDue = () => true;
  world.watch.seen(aPod('job', FAILED));
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await world.watch.idle();
  assert.is(await world.watch.gone(aPod('job', FAILED)), true);
  world.now = new Date(T0.getTime() + 600_000);
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await until(() => world.told.includes('web recovered'), { what: 'the recovery' });
  const told = world.told.length;
  await sleep(200);
  assert.equal(world.told.slice(told), []);
});

patrols('says of a crash that is over when it was, and since when the container runs again', async (world) => {
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await world.watch.idle();
  assert.equal(world.messages, [
    'container app ended with exit code 1; ended at 2026-05-01T09:59:50.000Z, running again since 2026-05-01T09:59:51.000Z',
  ]);
});

patrols('leaves a pod to somebody else without a word', async ({ watch, told }) => {
  watch.seen(aPod('web', UNPULLED));
  watch.leave(aPod('web', UNPULLED));
  await watch.idle();
  assert.equal([told, watch.pods()], [[], []]);
});

patrols.run();
