import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerStatus, CoreEvent, Pod, PodStatus } from '../../src/crd/kubernetes.ts';
import { type PodWatch, type PodWatchDeps, podWatch } from '../../src/agent/pod-watch.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/runner/wait.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): string => new Date(T0.getTime() + seconds * 1000).toISOString();

interface World {
  watch: PodWatch;
  /** What was reported, in order: `<pod> <reason>` or `<pod> recovered`. */
  reported: string[];
  now: Date;
  /** Lists the events of a pod. */
  events(pod: string | undefined): Promise<CoreEvent[]>;
  asked: number;
  messages: string[];
  /** Whether the log of this failing pod is missing. */
  isDue(pod: string | undefined): boolean;
  /** Whether the log of this pod's init container grows. */
  isWorking(pod: string | undefined): boolean;
  /** The waits after failed examinations, in milliseconds. */
  pauses: number[];
}

const watches = suite<World>('a pod watch');

watches.before.each((world) => {
  Object.assign(world, {
    reported: [],
    messages: [],
    pauses: [],
    now: T0,
    asked: 0,
    events: async () => [],
    isDue: () => false,
    isWorking: () => false,
  });
  const begun = performance.now();
  const deps: PodWatchDeps = {
    graces: { pendingSeconds: 120, unreadySeconds: 60, recoverySeconds: 600 },
    // This clock also runs while a test waits.
    now: () => new Date(world.now.getTime() + performance.now() - begun),
    log: Object.assign(createLog({ level: 'silent' }), { warn: ({ wait_ms }: { wait_ms: number }) => void world.pauses.push(wait_ms) }),
    events: ({ metadata }) => {
      world.asked += 1;
      return world.events(metadata.name);
    },
    failed: async ({ pod, failure }, isLastTry) => {
      if (world.isWorking(pod.metadata.name)) {
        world.messages.push('works');
        return { isDue: false, isWorking: true };
      }
      world.reported.push(`${pod.metadata.name} ${failure.reason}${isLastTry ? ' at last' : ''}`);
      world.messages.push(failure.message);
      return { isDue: world.isDue(pod.metadata.name) && !isLastTry };
    },
    recovered: (pod) => void world.reported.push(`${pod.metadata.name} recovered`),
    backoff: { firstMs: 20, maxMs: 160 },
  };
  world.watch = podWatch(deps);
});
watches.after.each(({ watch }) => watch.stop());

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
/** Waits until all tries for another pod's log are over. Whatever is due for the earlier pods happens in that time. */
async function allTriesOfAnother({ watch, reported }: World): Promise<void> {
  watch.seen(aPod('other', FAILED));
  await until(() => reported.at(-1) === 'other Error at last', { what: 'the last try for another pod' });
}
const of = (pod: string, reported: string[]) => reported.filter((said) => said.startsWith(`${pod} `));
const names = (pods: { pod_name: string }[]) => pods.map(({ pod_name }) => pod_name);

watches('reports a failure before the deletion, when a pod is deleted at once', async ({ watch, reported }) => {
  watch.seen(aPod('job', FAILED));
  assert.is(await watch.gone(aPod('job', FAILED)), true);
  assert.equal(reported, ['job Error']);
  assert.equal(watch.pods(), []);
});

watches('examines a few pods at once, and the others as soon as one of these is done', async (world) => {
  const { watch, reported } = world;
  let [now, most] = [0, 0];
  world.events = async () => {
    most = Math.max(most, ++now);
    await new Promise((resolve) => setImmediate(resolve));
    now -= 1;
    return [];
  };
  const pods = Array.from({ length: 100 }, (_, n) => `web-${n}`);
  for (const pod of pods) watch.seen(aPod(pod, UNPULLED));
  await until(() => reported.length === pods.length, { what: 'a report of each pod' });
  assert.equal(new Set(reported), new Set(pods.map((pod) => `${pod} ImagePullBackOff`)));
  assert.ok(most > 1 && most <= 10, `${most} at once`);
});

watches('reports a failure although the deletion began before the examination', async ({ watch, reported }) => {
  watch.seen(aPod('web', UNPULLED));
  watch.seen(aPod('web', UNPULLED, { deletedAt: after(30) }));
  await watch.idle();
  assert.equal(reported, ['web ImagePullBackOff']);
});

watches('the effects of a deletion on a pod are no failure', async ({ watch, reported }) => {
  watch.seen(aPod('web', RUNNING));
  await watch.idle();
  watch.seen(aPod('web', app({ state: { terminated: { exitCode: 137 } } }), { deletedAt: after(30) }));
  assert.is(await watch.gone(aPod('web', RUNNING)), false);
  assert.equal(reported, []);
});

watches('waits for the pods seen so far, and not for those that come later', async (world) => {
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
  assert.equal(world.reported, ['first ImagePullBackOff']);
  gates[1]?.();
});

watches('a pod that it could not examine does not count as healthy', async (world) => {
  world.events = () => Promise.reject(new Error('429'));
  world.watch.seen(aPod('web', UNPULLED));
  await world.watch.idle();
  assert.equal([names(world.watch.failing()), names(world.watch.unsettled())], [[], ['web']]);
});

watches('a pod that was there before is unsettled until it has been well for long enough', async (world) => {
  world.watch.seen(aPod('old', RUNNING, { status: { startTime: after(-100) } }));
  world.watch.seen(aPod('new', RUNNING));
  await world.watch.idle();
  assert.equal(names(world.watch.unsettled()), ['old']);
  world.now = new Date(T0.getTime() + 600_000);
  assert.equal(names(world.watch.unsettled()), []);
  assert.is(world.asked, 0, 'nobody asks for events of what is well');
});

watches('reports a crash that is over once, and its recovery', async (world) => {
  const { watch, reported } = world;
  for (let look = 0; look < 2; look += 1) {
    watch.seen(aPod('web', CRASHED_ONCE));
    await watch.idle();
  }
  assert.equal(reported, ['web CrashLoopBackOff']);
  assert.equal(names(watch.failing()), ['web']);
  world.now = new Date(T0.getTime() + 600_000);
  watch.seen(aPod('web', CRASHED_ONCE));
  await watch.idle();
  assert.equal(reported, ['web CrashLoopBackOff', 'web recovered']);
});

watches('does not report crashes long ago, or containers that a reboot ended', async (world) => {
  world.now = new Date(T0.getTime() + 600_000);
  world.watch.seen(aPod('ago', CRASHED_ONCE));
  const rebooted = { terminated: { ...crash, exitCode: 255, reason: 'Unknown', finishedAt: after(590) } };
  world.watch.seen(aPod('rebooted', { ...CRASHED_ONCE, lastState: rebooted }));
  await world.watch.idle();
  const dateless = { terminated: { ...crash, startedAt: '1970-01-01T00:00:00Z', finishedAt: '1970-01-01T00:00:00Z' } };
  world.watch.seen(aPod('dateless', { ...CRASHED_ONCE, lastState: dateless }));
  await world.watch.idle();
  assert.equal(world.reported, []);
});

watches('reports again what was lost', async ({ watch, reported }) => {
  watch.seen(aPod('web', UNPULLED));
  watch.seen(aPod('well', RUNNING));
  await watch.idle();
  watch.again(['web', 'well', 'nobody']);
  assert.equal(names(watch.failing()), ['web'], 'it stays open meanwhile');
  await watch.idle();
  assert.equal(reported, ['web ImagePullBackOff', 'web ImagePullBackOff']);
});

watches('examines again what it could not examine, with growing waits', async (world) => {
  world.events = () => (world.asked < 6 ? Promise.reject(new Error('503')) : Promise.resolve([]));
  world.watch.seen(aPod('web', UNPULLED));
  await until(() => world.reported.length > 0, { what: 'a look that succeeds' });
  assert.equal(world.pauses, [20, 40, 80, 160, 160]);
  assert.equal(world.reported, ['web ImagePullBackOff']);
});

watches('sends no request for as long as the API server asks to wait', async (world) => {
  const asked: (string | undefined)[] = [];
  world.events = (pod) => {
    asked.push(pod);
    return Promise.reject(pod === 'web' ? new KubeError(429, 'TooManyRequests', 'busy', 60_000) : new Error('503'));
  };
  for (const pod of ['web', 'other']) world.watch.seen(aPod(pod, UNPULLED));
  await until(() => asked.filter((pod) => pod === 'other').length === 4, { what: 'four looks at a pod that may be looked at soon' });
  assert.is(asked.filter((pod) => pod === 'web').length, 1);
  assert.ok(world.pauses.includes(60_000), world.pauses.join());
});

watches('reports a failure without its log again, as it was, until the log comes', async (world) => {
  let tries = 0;
  world.isDue = (pod) => pod === 'other' || ++tries < 3;
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await until(() => tries === 3, { what: 'the third try' });
  await allTriesOfAnother(world);
  assert.equal(of('web', world.reported), Array(3).fill('web CrashLoopBackOff'));
});

watches('gives up a log that never comes, and says so', async (world) => {
  world.isDue = () => true;
  world.watch.seen(aPod('job', FAILED));
  await until(() => world.reported.at(-1) === 'job Error at last', { what: 'the last try' });
  await allTriesOfAnother(world);
  assert.is(of('job', world.reported).length, 7);
});

watches('requests no log of pods that have recovered or are gone', async (world) => {
  world.isDue = () => true;
  world.watch.seen(aPod('job', FAILED));
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await world.watch.idle();
  assert.is(await world.watch.gone(aPod('job', FAILED)), true);
  world.now = new Date(T0.getTime() + 600_000);
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await until(() => world.reported.includes('web recovered'), { what: 'the recovery' });
  const reported = world.reported.length;
  await allTriesOfAnother(world);
  assert.equal(
    world.reported.slice(reported).filter((said) => !said.startsWith('other ')),
    [],
  );
});

watches('the message about a past crash says when it was, and since when the container runs again', async (world) => {
  world.watch.seen(aPod('web', CRASHED_ONCE));
  await world.watch.idle();
  assert.equal(world.messages, [
    'container app ended with exit code 1; ended at 2026-05-01T09:59:50.000Z, running again since 2026-05-01T09:59:51.000Z',
  ]);
});

watches('leaves a pod to another watch without a report', async ({ watch, reported }) => {
  watch.seen(aPod('web', UNPULLED));
  watch.leave(aPod('web', UNPULLED));
  await watch.idle();
  assert.equal([reported, watch.pods()], [[], []]);
});

watches('an init container that works is not reported, and is asked again after its grace time', async (world) => {
  let works = true;
  world.isWorking = () => works;
  world.watch.seen(aPod('slow', UNPULLED));
  world.now = new Date(T0.getTime() + 3600_000);
  await until(() => world.messages.includes('works'), { what: 'the first look at the pod' });
  assert.equal(world.reported, []);
  works = false;
  world.now = new Date(world.now.getTime() + 121_000);
  world.watch.seen(aPod('slow', UNPULLED));
  await until(() => world.reported.length > 0, { what: 'the report of the pod that works no more' });
  assert.equal(world.reported, ['slow ImagePullBackOff']);
});

watches.run();
