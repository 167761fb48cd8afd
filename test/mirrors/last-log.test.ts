import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KeptLog, PodLog } from '../../src/contract/log.ts';
import { Refusal } from '../../src/contract/refusal.ts';
import type { ContainerStatus, Pod } from '../../src/crd/kubernetes.ts';
import type { KubeClient, LogOptions } from '../../src/kube/client.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import type { LogLine, PodLogs } from '../../src/kube/pod-logs.ts';
import { createLog } from '../../src/log.ts';
import { withKeptLogs } from '../../src/mirrors/kept-logs.ts';
import { lastLogs } from '../../src/mirrors/last-log.ts';
import { until } from '../support/runner/wait.ts';

const PLACE = { namespace: 'shop', name: 'web-mirror-1' };
const aStatus = (name: string, restartCount: number, ready = true): ContainerStatus => ({
  ...{ name, restartCount, ready, image: '', imageID: '' },
  state: { running: { startedAt: '2026-05-01T10:00:00Z' } },
});
const POD: Pod = {
  metadata: PLACE,
  spec: { containers: [{ name: 'app' }, { name: 'sidecar' }] },
  status: { containerStatuses: [aStatus('app', 0), aStatus('sidecar', 2, false)] },
};

interface World {
  /** Null: the pod is gone. */
  pod?: Pod | null;
  logs(options: LogOptions): Promise<string>;
}

/** The logs that were stored for a mirror, and the log options that were requested. */
async function kept({ pod = POD, logs }: World, times = 1, over: { readMs?: number } = {}) {
  const stored: [string, string, KeptLog][] = [];
  const asked: LogOptions[] = [];
  const client: Pick<KubeClient, 'read' | 'logs'> = {
    read: async () => (pod ?? undefined) as never,
    logs: async (_namespace, _pod, options) => {
      asked.push(options);
      return logs(options);
    },
  };
  const trials = { keepLog: async (...row: [string, string, KeptLog]) => void stored.push(row) };
  const keeper = lastLogs({ client, trials, now: () => new Date(0), log: createLog({ level: 'silent' }), ...over });
  for (let left = times; left > 0; left -= 1) await keeper.keep('uid', PLACE);
  return { stored, asked };
}

const keeping = suite('keeping the last log of a mirror');

keeping('each container with its previous run, secrets masked, the unhealthy one first', async () => {
  const { stored } = await kept({ logs: async ({ container, previous }) => `${container} ${previous} API_TOKEN=hunter2secret\n` });
  assert.equal(stored, [
    [
      'uid',
      PLACE.name,
      {
        container: 'sidecar',
        containers: [
          { name: 'app', current: 'app false API_TOKEN=***\n', previous: null },
          { name: 'sidecar', current: 'sidecar false API_TOKEN=***\n', previous: 'sidecar true API_TOKEN=***\n' },
        ],
      },
    ],
  ]);
});

keeping('the log is read once, however often it is requested', async () => {
  assert.is((await kept({ logs: async () => 'x\n' }, 3)).stored.length, 1);
});

keeping('fewer lines are read if they are very long, so that the end is included', async () => {
  const { asked, stored } = await kept({
    logs: async ({ tailLines = 0 }) => (tailLines > 100 ? 'x'.repeat(256 * 1024) : `the last ${tailLines}\n`),
  });
  assert.equal([...new Set(asked.map(({ tailLines }) => tailLines))], [1_000, 100]);
  assert.is(stored[0]?.[2].containers[0]?.current, 'the last 100\n');
});

keeping('a kubelet that does not answer delays the removal only for a moment', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  // In place of the open request: the wait alone keeps no process alive.
  const request = setInterval(() => undefined, 1_000);
  const { stored, asked } = await kept({ logs: () => promise }, 1, { readMs: 1 });
  clearInterval(request);
  assert.equal([asked.length > 0, stored], [true, []]);
  resolve('late\n');
  await until(() => stored.length === 1, { what: 'the log that came late' });
});

const NEVER: [string, World][] = [
  ['a pod that is gone', { pod: null, logs: async () => 'x' }],
  ['containers that never started', { logs: async () => Promise.reject(new KubeError(400, 'BadRequest', 'waiting to start')) }],
  ['a kubelet that is away', { logs: async () => Promise.reject(new ClusterUnavailable('timeout')) }],
  ['a log that the runtime has lost', { logs: async () => 'unable to retrieve container logs for containerd://1' }],
];
for (const [what, world] of NEVER)
  keeping(`${what}: nothing is kept, and nothing fails`, async () => {
    const { stored } = await kept(world);
    assert.equal(stored, []);
  });

const GONE = new Refusal('missing', 'Pod not found');
const KEPT: KeptLog = {
  container: 'app',
  containers: [
    { name: 'app', current: 'one\ntwo\n', previous: 'before\n' },
    { name: 'sidecar', current: null, previous: null },
  ],
};

function answering(error: Error, known: KeptLog | undefined = KEPT): PodLogs {
  const refuse = async (): Promise<never> => {
    throw error;
  };
  return withKeptLogs(
    { read: refuse, follow: refuse },
    { keptLog: async (namespace, name) => (namespace === 'shop' && name === PLACE.name ? known : undefined) },
  );
}

const wish = (over = {}) => ({ namespace: 'shop', pod_name: PLACE.name, tailLines: 100, ...over });
const reading = suite('the kept log of a mirror');
const anAnswer = (over: Partial<PodLog>): PodLog => ({
  ...{ pod_name: PLACE.name, namespace: 'shop', container: 'app', containers: ['app', 'sidecar'], logs: 'one\ntwo\n' },
  ...over,
});
const READ: [string, Parameters<PodLogs['read']>, PodLog][] = [
  ['the container to show first', [wish(), false], anAnswer({})],
  ['the last lines', [wish({ tailLines: 1 }), false], anAnswer({ logs: 'two\n' })],
  ['the run before', [wish(), true], anAnswer({ logs: 'before\n' })],
  ['a container without lines', [wish({ container: 'sidecar' }), false], anAnswer({ container: 'sidecar', logs: '' })],
];
for (const [what, asked, expected] of READ)
  reading(what, async () => {
    for (const error of [GONE, new ClusterUnavailable('away')]) assert.equal(await answering(error).read(...asked), expected);
  });

const REFUSED: [string, PodLogs, Parameters<PodLogs['read']>, string][] = [
  ['of another pod there is none', answering(GONE), [wish({ pod_name: 'web' }), false], 'Pod not found'],
  ['of another namespace there is none', answering(GONE), [wish({ namespace: 'bank' }), false], 'Pod not found'],
  ['a container that it does not have', answering(GONE), [wish({ container: 'x' }), false], 'container must be one of app, sidecar'],
  ['no run before', answering(GONE), [wish({ container: 'sidecar' }), true], 'Container sidecar had no run before this one'],
  ['who may not read logs gets none', answering(new Refusal('denied', 'no')), [wish(), false], 'no'],
];
for (const [what, logs, asked, message] of REFUSED)
  reading(what, async () => {
    await logs.read(...asked).then(
      () => assert.unreachable(),
      (error: Error) => assert.is(error.message, message),
    );
  });

reading('a stream sends it and ends; a stream that resumes after a line repeats nothing', async () => {
  const { signal } = new AbortController();
  const all = async (lines: AsyncGenerator<LogLine>) => {
    const texts: string[] = [];
    for await (const { text } of lines) texts.push(text);
    return texts;
  };
  assert.equal(await all(await answering(GONE).follow(wish(), { signal })), ['one', 'two']);
  assert.equal(await all(await answering(GONE).follow(wish(), { signal, after: '2026-05-01T10:00:00Z' })), []);
});

keeping.run();
reading.run();
