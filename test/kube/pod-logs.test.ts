import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../src/contract/refusal.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { firstFailing, type LogLine, podLogs } from '../../src/kube/pod-logs.ts';

const test = suite('logs of pods');

type Status = Record<string, unknown>;
const ended = (exitCode: number) => ({ terminated: { exitCode } });
const running = { running: {} };
const waiting = { waiting: { reason: 'CrashLoopBackOff' } };

/** A pod with the containers `init` and `a`, `b`; without a status for those that are not named. */
const aPod = (statuses: Record<string, Status> = {}): Pod => {
  const of = (...names: string[]) => names.filter((name) => statuses[name]).map((name) => ({ name, restartCount: 0, ...statuses[name] }));
  return {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { initContainers: [{ name: 'init' }], containers: [{ name: 'a' }, { name: 'b' }] },
    status: { initContainerStatuses: of('init'), containerStatuses: of('a', 'b') },
  } as unknown as Pod;
};

const FAILING: [what: string, statuses: Record<string, Status>, name: string | undefined][] = [
  ['nothing is known', {}, undefined],
  ['all run and are ready', { init: { state: ended(0) }, a: { state: running, ready: true } }, undefined],
  ['one ended with an error', { a: { state: running, ready: true }, b: { state: ended(1) } }, 'b'],
  ['one ended well', { a: { state: ended(0) } }, undefined],
  ['one waits after an error', { a: { state: waiting, lastState: ended(3) } }, 'a'],
  ['one waits after it ended well', { a: { state: waiting, lastState: ended(0) } }, undefined],
  ['one waits for its first start', { a: { state: waiting } }, undefined],
  ['one runs again after an error, and is ready', { a: { state: running, ready: true, lastState: ended(1) } }, undefined],
  ['one is not ready', { a: { state: running, ready: false } }, 'a'],
  ['an init container runs: it is never ready', { init: { state: running, ready: false } }, undefined],
  ['two fail: the one that starts first', { init: { state: ended(1) }, a: { state: ended(1) } }, 'init'],
];
for (const [what, statuses, name] of FAILING) test(`the failing container: ${what}`, () => assert.is(firstFailing(aPod(statuses)), name));

const WISH = { namespace: 'shop', pod_name: 'web', tailLines: 7 };
/** Logs of a cluster that answers with this pod and these lines or errors. */
function logsOf({ pod = aPod(), answer = '', find }: { pod?: Pod | undefined; answer?: string | Error; find?: Error } = {}) {
  const asked: unknown[] = [];
  const logs = podLogs({
    read: async () => {
      if (find) throw find;
      return pod as never;
    },
    async logs(...call) {
      asked.push(call);
      if (answer instanceof Error) throw answer;
      return answer;
    },
    async followLogs(namespace, name, options) {
      asked.push([namespace, name, options]);
      if (answer instanceof Error) throw answer;
      return new Blob([answer]).stream();
    },
  });
  return { logs, asked };
}
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: Error & { kind?: string }) => (error instanceof Refusal ? `${error.kind}: ${error.message}` : error),
  );

test('the answer names the pod, its containers and the chosen one; secrets are masked', async () => {
  const { logs, asked } = logsOf({ pod: aPod({ b: { state: ended(1) } }), answer: 'password=hunter2-tr0ub4dor\n' });
  assert.equal(await logs.read(WISH, true), {
    pod_name: 'web',
    namespace: 'shop',
    container: 'b',
    containers: ['init', 'a', 'b'],
    logs: 'password=***\n',
  });
  assert.equal(asked, [['shop', 'web', { container: 'b', tailLines: 7, previous: true, limitBytes: 5 * 1024 * 1024 }]]);
  assert.is((await logs.read({ ...WISH, container: 'a' }, false)).container, 'a');
});

test('the first container if none fails', async () => {
  assert.is((await logsOf().logs.read(WISH, false)).container, 'init');
});

const refused = (code: number) => new KubeError(code, 'x', 'no');
const away = new ClusterUnavailable('away');
const REFUSALS: [what: string, world: Parameters<typeof logsOf>[0], previous: boolean, says: unknown][] = [
  ['the pod may not be read', { find: refused(403) }, false, 'denied: Podmend may not read the logs of that namespace'],
  ['its log may not be read', { answer: refused(403) }, false, 'denied: Podmend may not read the logs of that namespace'],
  ['it went meanwhile', { answer: refused(404) }, false, 'missing: Pod not found'],
  ['no run before', { answer: refused(400) }, true, 'missing: Container init had no run before this one'],
  ['no run yet', { answer: refused(400) }, false, undefined],
  ['no cluster', { answer: away }, false, away],
];
for (const [what, world, previous, says] of REFUSALS)
  test(`reading: ${what}`, async () => assert.is(await refusal(logsOf(world).logs.read(WISH, previous)), says));

test('a pod or a container that is not there', async () => {
  const none = logsOf();
  assert.is(await refusal(none.logs.read({ ...WISH, container: 'x' }, false)), 'invalid: container must be one of init, a, b');
  const gone = podLogs({ read: async () => undefined, logs: assert.unreachable, followLogs: assert.unreachable } as never);
  assert.is(await refusal(gone.read(WISH, false)), 'missing: Pod not found');
});

const signal = new AbortController().signal;
async function follow(answer: string, after?: string): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of await logsOf({ answer }).logs.follow(WISH, { after, signal })) lines.push(line);
  return lines;
}
const T = '2026-05-01T10:00:00';

test('lines of a stream have their times apart, and secrets masked', async () => {
  assert.equal(await follow(`${T}.5Z one\n${T}.123456789+02:00 password=hunter2-tr0ub4dor\n${T}Z\nno time\n`), [
    { at: `${T}.5Z`, text: 'one' },
    { at: `${T}.123456789+02:00`, text: 'password=***' },
    { at: `${T}Z`, text: '' },
    { at: '', text: 'no time' },
  ]);
});

test('after a time only later lines come, to the nanosecond, and the cluster is asked for them', async () => {
  const lines = [`${T}Z a`, `${T}.1Z b`, `${T}.100000001Z c`, `${T}.2Z d`, '2026-05-01T10:00:01Z e'].join('\n');
  const after = async (at: string) => (await follow(lines, at)).map(({ text }) => text).join('');
  assert.equal(
    [await after(`${T}Z`), await after(`${T}.1Z`), await after(`${T}.100000000Z`), await after(`${T}.2Z`)],
    ['bcde', 'cde', 'cde', 'e'],
  );
  const { logs, asked } = logsOf();
  await logs.follow(WISH, { after: `${T}Z`, signal });
  await logs.follow({ ...WISH, container: 'b' }, { signal });
  assert.equal(asked, [
    ['shop', 'web', { container: 'init', sinceTime: `${T}Z` }],
    ['shop', 'web', { container: 'b', tailLines: 7 }],
  ]);
});

test('a stream that the cluster refuses', async () => {
  const asked = (code: number) => refusal(logsOf({ answer: refused(code) }).logs.follow(WISH, { signal }));
  assert.equal([await asked(400), await asked(404)], ['missing: The container has not started yet', 'missing: Pod not found']);
});

test.run();
