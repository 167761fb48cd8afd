import { test } from 'uvu';
import * as assert from 'uvu/assert';
import Value from 'typebox/value';
import { FailureReport } from '../../src/contract/failure.ts';
import type { KubeObject, Pod } from '../../src/crd/kubernetes.ts';
import { loadManifest } from '../../src/crd/manifest.ts';
import { type CollectDeps, collector } from '../../src/agent/collect-evidence.ts';
import type { Failure } from '../../src/failures/detect/detect.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { createLog } from '../../src/log.ts';
import { aPod, after, anEvent } from '../support/builders/pod.ts';

const failure: Failure = { reason: 'CrashLoopBackOff', family: 'crash', container: 'app', message: 'ended: password=hunter2' };
const crash = aPod({
  metadata: {
    labels: { app: 'web' },
    managedFields: [{}],
    ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'rs', controller: true }],
  },
  spec: { containers: [{ name: 'app', image: 'web:1', env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] }] },
  app: {
    ready: false,
    restartCount: 2,
    state: { waiting: { reason: 'CrashLoopBackOff' } },
    lastState: { terminated: { exitCode: 1, message: 'token=abc', finishedAt: after(20) } },
  },
});
const replicaSet: KubeObject = {
  metadata: { name: 'web-1', ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web', uid: 'd', controller: true }] },
};

/** A cluster that holds these objects by kind, and answers logs. */
function cluster(objects: Record<string, KubeObject>, logs: CollectDeps['client']['logs']) {
  const asked: string[] = [];
  const read = (async (kind: { kind: string }) => {
    asked.push(kind.kind);
    return objects[kind.kind];
  }) as CollectDeps['client']['read'];
  return { asked, collect: collector({ client: { read, logs }, cluster: 'test', log: createLog({ level: 'silent' }) }) };
}
const away = () => Promise.reject(new ClusterUnavailable('away'));
const noRun = () => Promise.reject(new KubeError(400, 'BadRequest', 'previous terminated container "app" in pod "web" not found'));
const someLogs: CollectDeps['client']['logs'] = async (_namespace, _pod, { container, previous }) =>
  previous ? 'unable to retrieve container logs for containerd://0a1b' : `${container} says\nAPI_KEY=abc\n`;

test('a report holds the evidence, masked, and fits the contract', async () => {
  const { collect } = cluster({ Pod: crash, ReplicaSet: replicaSet }, someLogs);
  const report = (await collect.pod(crash, failure, { events: [anEvent('BackOff', 'postgres://app:hunter2@db', 20)] })).report;
  assert.ok(Value.Check(FailureReport, report), JSON.stringify([...Value.Errors(FailureReport, report)]));
  assert.not(JSON.stringify(report).includes('hunter2'));
  assert.is(report.failure_message, 'ended: password=***');
  assert.is(report.container_statuses?.[0]?.last_state?.message, 'token=***');
  assert.is(report.events?.[0]?.message, 'postgres://app:***@db');
  assert.is(report.logs, '==> app (current) <==\napp says\nAPI_KEY=***\n');
  assert.equal([report.cluster, report.resource_kind, report.node_name, report.container], ['test', 'Pod', 'node-1', 'app']);
  assert.equal([report.labels, report.images, report.workload], [{ app: 'web' }, ['web:1'], { kind: 'Deployment', name: 'web' }]);
  const manifest = loadManifest(report.manifest ?? '') as unknown as Pod;
  assert.equal(manifest.spec.containers[0]?.env, [{ name: 'DB_PASSWORD', value: '***' }]);
  assert.equal([manifest.kind, manifest.status, manifest.metadata.managedFields], ['Pod', undefined, undefined]);
});

test('a first crash whose container was restarted meanwhile keeps its log', async () => {
  const ended = aPod({ app: { ready: false, restartCount: 0, state: { terminated: { exitCode: 1, finishedAt: after(20) } } } });
  const restarted: CollectDeps['client']['logs'] = async (_namespace, _pod, { previous }) => (previous ? 'cannot connect\n' : '');
  const { collect } = cluster({}, restarted);
  assert.is((await collect.pod(ended, failure, { events: [] })).report.logs, '==> app (previous) <==\ncannot connect\n');
});

test('an owner is asked for once', async () => {
  const { collect, asked } = cluster({ Pod: crash, ReplicaSet: replicaSet }, someLogs);
  await collect.pod(crash, failure, { events: [] });
  await collect.pod(crash, failure, { events: [] });
  assert.equal(asked.filter((kind) => kind === 'ReplicaSet').length, 1);
});

test('a pod without owner, log and cluster is reported all the same', async () => {
  const collect = collector({ client: { read: away, logs: away }, cluster: 'test', log: createLog({ level: 'silent' }) });
  const { report } = await collect.pod({ ...crash, metadata: { ...crash.metadata, ownerReferences: [] } }, failure, { events: [] });
  assert.equal([report.manifest, report.workload], [undefined, undefined]);
  const { report: owned } = await collect.pod(crash, failure, { events: [] });
  assert.equal(owned.workload, { kind: 'ReplicaSet', name: 'web-1' });
});

test("another pod's manifest and log are no evidence", async () => {
  const { collect } = cluster({ Pod: aPod({ uid: 'another' }) }, someLogs);
  const { report, isLogDue } = await collect.pod(crash, failure, { events: [] });
  assert.equal([report.manifest, report.logs, isLogDue], [undefined, '', false]);
});

test('everything has a bound, and of a log its end stays', async () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n');
  const { collect } = cluster({ Pod: aPod({ metadata: { annotations: { large: 'x'.repeat(200_000) } } }) }, async () => lines);
  const events = Array.from({ length: 1_000 }, (_, second) => anEvent('BackOff', 'm'.repeat(5_000), second));
  const { report } = await collect.pod(crash, failure, { events });
  assert.ok(JSON.stringify(report).length < 200_000, String(JSON.stringify(report).length));
  assert.ok(report.logs?.endsWith('line 19999\n'));
  assert.is(report.events?.at(-1)?.timestamp, new Date(after(999)).toISOString());
});

const status =
  (code: number, message = 'told', reason = 'Told') =>
  () =>
    Promise.reject(new KubeError(code, reason, message));
const body = (text: string) => () => Promise.resolve(text);
const current = '==> app (current) <==\n';

for (const [sentence, current_, previous, first, last] of [
  ['a busy API server', status(429), status(429), 'due', 'the API server was too busy'],
  ['a node that does not answer', status(500), status(503), 'due', 'the node did not answer the API server'],
  ['no answer at all', away, away, 'due', 'the API server did not answer'],
  [
    'a container that is being started',
    status(400, 'container "app" in pod "web" is waiting to start: ContainerCreating'),
    noRun,
    'due',
    'its container was being started',
  ],
  [
    'a runtime that does not find it',
    body('unable to retrieve container logs for containerd://0a1b'),
    noRun,
    'due',
    'the container runtime does not have it',
  ],
  ['a missing right', status(403), status(403), 'final', 'Podmend may not read logs in this namespace'],
  ['a pod that is gone', status(404), status(404), 'none', ''],
  ['a container that wrote nothing', body(''), noRun, 'none', ''],
  [
    'the run that failed missing, and not the one of now',
    body('starting'),
    status(500),
    'partly',
    'the node did not answer the API server',
  ],
] as const)
  test(`of a log that cannot be had the report says why: ${sentence}`, async () => {
    const { collect } = cluster({}, (_namespace, _pod, { previous: isPrevious }) => (isPrevious ? previous() : current_()));
    const look = await collect.pod(crash, failure, { events: [] });
    const text = first === 'partly' ? `${current}starting\n` : '';
    const isDue = first === 'due' || first === 'partly';
    const said = last && `${current}log not available: ${last}\n`;
    assert.equal([look.isLogDue, look.report.logs], [isDue, isDue ? `log not available yet: ${last}\n${text}` : said]);
    const end = await collect.pod(crash, failure, { events: [], isLastTry: true });
    assert.equal([end.isLogDue, end.report.logs], [false, text || said]);
  });

test('a controller is reported with its kind and its root', async () => {
  const { collect } = cluster({}, someLogs);
  const object = {
    ...replicaSet,
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: { ...replicaSet.metadata, namespace: 'shop', uid: 'rs' },
  };
  const report = await collect.controller(object, { reason: 'FailedCreate', family: 'controller', message: 'forbidden' }, []);
  assert.equal(
    [report.resource_kind, report.pod_name, report.pod_uid, report.workload],
    ['ReplicaSet', 'web-1', 'rs', { kind: 'Deployment', name: 'web' }],
  );
});

test.run();
