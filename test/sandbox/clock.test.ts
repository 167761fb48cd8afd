import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { startSandbox, steppedClock, type Sandbox, type SteppedClock } from '../../src/sandbox/sandbox.ts';

const START = new Date('2030-01-01T00:00:00Z');

const time = suite<{ sandbox: Sandbox; clock: SteppedClock }>('time of the sandbox');

time.before.each(async (world) => {
  world.clock = steppedClock(START);
  world.sandbox = await startSandbox({ clock: world.clock });
});

time.after.each(({ sandbox }) => sandbox.close());

async function create({ url }: Sandbox, name: string, spec: object): Promise<void> {
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec });
  const answer = await fetch(`${url}/api/v1/namespaces/default/pods`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  assert.is(answer.status, 201, await answer.text());
}

async function read({ url }: Sandbox, name: string): Promise<Pod> {
  return (await (await fetch(`${url}/api/v1/namespaces/default/pods/${name}`)).json()) as Pod;
}

const app = (script: string) => ({ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', script] });

time('nothing happens while the clock stands still', async ({ sandbox }) => {
  await create(sandbox, 'idle', { containers: [app('sleep 3600')] });
  const { spec, status } = await read(sandbox, 'idle');
  assert.is(spec?.nodeName, undefined);
  assert.is(status?.phase, 'Pending');
});

time('half an hour of a crash loop passes at once, and each instant is its own', async ({ sandbox, clock }) => {
  await create(sandbox, 'crash', { containers: [app('sleep 5; exit 3')] });
  await clock.advance(60_000);
  const [early] = (await read(sandbox, 'crash')).status?.containerStatuses ?? [];
  await clock.advance(29 * 60_000);
  const [late] = (await read(sandbox, 'crash')).status?.containerStatuses ?? [];
  assert.is(early?.restartCount, 3);
  // Runs of 5 s, after waits of 0, 10, 20, 40, 80, 160, 300, 300, 300 and 300 s.
  assert.is(late?.restartCount, 10);
  const { startedAt = '', finishedAt = '' } = late?.lastState?.terminated ?? {};
  assert.is(Date.parse(finishedAt) - Date.parse(startedAt), 5000);
  assert.ok(Date.parse(finishedAt) > START.getTime() + 20 * 60_000, finishedAt);
});

time('a deadline and a probe count by the same clock', async ({ sandbox, clock }) => {
  await create(sandbox, 'short', { activeDeadlineSeconds: 600, terminationGracePeriodSeconds: 1, containers: [app('sleep 3600')] });
  await create(sandbox, 'slow', {
    containers: [{ ...app('sleep 100; touch /tmp/ready; sleep 3600'), readinessProbe: { exec: { command: ['cat', '/tmp/ready'] } } }],
  });
  const readyAfter = async (): Promise<boolean | undefined> => (await read(sandbox, 'slow')).status?.containerStatuses?.[0]?.ready;
  await clock.advance(90_000);
  assert.is(await readyAfter(), false);
  await clock.advance(30_000);
  assert.is(await readyAfter(), true);
  await clock.advance(470_000);
  assert.is((await read(sandbox, 'short')).status?.phase, 'Running');
  await clock.advance(30_000);
  assert.is((await read(sandbox, 'short')).status?.reason, 'DeadlineExceeded');
});

time.run();
