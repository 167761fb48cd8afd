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

/** A cluster with these objects by kind, these lists by kind, and these logs. */
function cluster(objects: Record<string, KubeObject>, logs: CollectDeps['client']['logs'], lists: Record<string, KubeObject[]> = {}) {
  const asked: string[] = [];
  const read = (async (kind: { kind: string }) => {
    asked.push(kind.kind);
    return objects[kind.kind];
  }) as CollectDeps['client']['read'];
  const list = (async (kind: { kind: string }) => {
    asked.push(`${kind.kind}s`);
    return lists[kind.kind] ?? [];
  }) as CollectDeps['client']['list'];
  return { asked, collect: collector({ client: { read, list, logs }, cluster: 'test', log: createLog({ level: 'silent' }) }) };
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

test('the log of a first crash is kept when the container has already restarted', async () => {
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
  const collect = collector({ client: { read: away, list: away, logs: away }, cluster: 'test', log: createLog({ level: 'silent' }) });
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

test('everything is bounded, and the end of a log is kept', async () => {
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
  ['a pod that is gone', status(404), status(404), 'final', 'the pod or its node is gone'],
  ['a container that wrote nothing', body(''), noRun, 'none', ''],
  [
    'the log of the failed run is missing, not that of the present run',
    body('starting'),
    status(500),
    'partly',
    'the node did not answer the API server',
  ],
] as const)
  test(`the report says why a log is missing: ${sentence}`, async () => {
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

test('a failed pod does not count when its Job is overtaken by a later run of its CronJob', async () => {
  const owner = (kind: string, name: string, uid: string) => [{ apiVersion: 'batch/v1', kind, name, uid, controller: true }];
  const failed = aPod({ metadata: { ownerReferences: owner('Job', 'nightly-1', 'first') }, status: { phase: 'Failed' } });
  const run = (uid: string, type: string, seconds: number) =>
    ({
      metadata: { name: 'nightly', uid, creationTimestamp: after(seconds), ownerReferences: owner('CronJob', 'nightly', 'cron') },
      spec: {},
      status: { conditions: [{ type, status: 'True', lastTransitionTime: after(seconds + 5) }] },
    }) as unknown as KubeObject;
  const first = run('first', 'Failed', 60);
  const cronJob = { metadata: { name: 'nightly', uid: 'cron' }, status: { lastSuccessfulTime: after(125) } } as KubeObject;
  const later: [says: string, Record<string, KubeObject[]>, boolean][] = [
    ['complete', { Job: [first, run('second', 'Complete', 120)] }, true],
    ['complete and deleted', { Job: [first], CronJob: [cronJob] }, true],
    ['failed too', { Job: [first, run('second', 'Failed', 120)] }, false],
    ['none', {}, false],
  ];
  for (const [says, lists, expected] of later)
    assert.is(await cluster({ Job: first }, someLogs, lists).collect.isMadeGood(failed), expected, says);
  const { asked, collect } = cluster({ Job: run('first', 'Complete', 60) }, someLogs);
  assert.is(await collect.isMadeGood(failed), true);
  assert.equal(asked, ['Job'], 'only a Job that has given up costs more');
});

test('a pod of a Job is reported with the Job that controls it, whatever its labels', async () => {
  const controlled = (kind: string) => ({
    ...crash,
    metadata: { ...crash.metadata, ownerReferences: [{ apiVersion: 'batch/v1', kind, name: 'import', uid: 'job', controller: true }] },
  });
  for (const [kind, job] of [
    ['Job', { name: 'import', uid: 'job' }],
    ['Workflow', undefined],
  ] as const)
    assert.equal((await cluster({}, someLogs).collect.pod(controlled(kind), failure, { events: [] })).report.job, job);
});

test('a failed pod does not count when its Job has succeeded', async () => {
  const failed = aPod({
    metadata: { ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'import', uid: 'job', controller: true }] },
    status: { phase: 'Failed' },
  });
  const job = (uid: string, type: string, status = 'True') =>
    ({ metadata: { name: 'import', uid }, spec: {}, status: { conditions: [{ type, status }] } }) as unknown as KubeObject;
  const jobs: [says: string, KubeObject | undefined, boolean][] = [
    ['complete', job('job', 'Complete'), true],
    ['by its success policy', job('job', 'SuccessCriteriaMet'), true],
    ['at work', job('job', 'Complete', 'False'), false],
    ['given up', job('job', 'Failed'), false],
    ['another of that name', job('other', 'Complete'), false],
    ['deleted', undefined, false],
  ];
  for (const [says, object, expected] of jobs)
    assert.is(await cluster(object ? { Job: object } : {}, someLogs).collect.isMadeGood(failed), expected, says);
  const { asked, collect } = cluster({ Job: job('job', 'Complete') }, someLogs);
  assert.is(await collect.isMadeGood(crash), false);
  assert.equal(asked, [], 'only failed pods of Jobs cost a request');
  const unreadable = collector({
    client: { read: away, list: away, logs: someLogs },
    cluster: 'test',
    log: createLog({ level: 'silent' }),
  });
  assert.is(await unreadable.isMadeGood(failed), false);
});

test.run();
