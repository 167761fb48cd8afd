import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail } from '../../src/contract/failure.ts';
import type { KubeObject, Pod } from '../../src/crd/kubernetes.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { evidenceOf, readNeighbours, recordFor } from '../../src/mirrors/evidence.ts';
import { aMirrorPod, aSource } from '../support/builders/mirror.ts';
import { aPod, after, anEvent } from '../support/builders/pod.ts';

const named = (name: string, spec: object = {}) => ({ metadata: { name }, spec }) as unknown as KubeObject;
const LISTS: Record<string, KubeObject[]> = {
  NetworkPolicy: [named('net')],
  PersistentVolumeClaim: [
    named('one', { accessModes: ['ReadWriteOnce'] }),
    named('many', { accessModes: ['ReadWriteOnce', 'ReadWriteMany'] }),
    named('read', { accessModes: ['ReadOnlyMany'] }),
    named('mixed', { accessModes: ['ReadOnlyMany', 'ReadWriteOnce'] }),
    named('unknown'),
  ],
  ResourceQuota: [named('quota')],
  PodDisruptionBudget: [named('all', { selector: {} }), named('none'), named('some', { selector: { matchLabels: { a: 'b' } } })],
};

async function neighbours(refusals: Record<string, Error> = {}) {
  const asked: unknown[] = [];
  const answer = (kind: string, value: unknown) => {
    if (refusals[kind]) throw refusals[kind];
    return value;
  };
  const client = {
    list: async ({ kind }: { kind: string }, selection: object) => (asked.push([kind, selection]), answer(kind, LISTS[kind])),
    read: async ({ kind }: { kind: string }, _namespace: unknown, name: string) => answer(kind, named(name)),
  };
  return { ...(await readNeighbours(client as never, 'shop')), asked };
}

test('claims that only one node can use, quotas, and budgets that count every pod', async () => {
  const { policies, unsharedClaims, quotas, openBudgets, hasPriorityClass, asked } = await neighbours();
  assert.equal([unsharedClaims, openBudgets, hasPriorityClass], [['one', 'mixed', 'unknown'], ['all'], true]);
  assert.equal([policies.length, quotas.length], [1, 1]);
  assert.equal(asked[0], ['NetworkPolicy', { namespace: 'shop', labelSelector: '!podmend.dev/mirror' }]);
});

test('what Podmend may not read counts as absent; another error is one', async () => {
  const forbidden = new KubeError(403, 'Forbidden', 'no');
  const { openBudgets, hasPriorityClass } = await neighbours({ PodDisruptionBudget: forbidden, PriorityClass: forbidden });
  assert.equal([openBudgets, hasPriorityClass], [[], false]);
  for (const refusals of [{ ResourceQuota: forbidden }, { PodDisruptionBudget: new KubeError(500, 'InternalError', 'etcd') }] as Record<
    string,
    Error
  >[])
    await neighbours(refusals).then(
      () => assert.unreachable(),
      (error: Error) => assert.instance(error, KubeError),
    );
});

const open = (id: number, pod_uid: string) => ({ id, namespace: 'shop', pod_name: 'web', pod_uid }) as FailureDetail;
const matched = async (
  failureId: number | undefined,
  { podUid, detail, has = false, all = [] }: { podUid?: string; detail?: FailureDetail; has?: boolean; all?: FailureDetail[] },
) => {
  const failures = { openByPod: async () => all, detail: async () => detail, hasPod: async () => has };
  const { record, mismatch } = await recordFor(aMirrorPod(failureId === undefined ? {} : { failureId }), failures as never, podUid);
  return mismatch ? 'mismatch' : record?.id;
};
test('a mirror that names no record has that of the source’s uid, or else the newest of its name', async () => {
  const all = [open(2, 'new'), open(1, 'old')];
  assert.equal(
    [
      await matched(undefined, { all, podUid: 'old' }),
      await matched(undefined, { all, podUid: 'other' }),
      await matched(undefined, { all }),
    ],
    [1, 2, 2],
  );
  assert.is(await matched(undefined, {}), undefined);
});
test('a mirror that names a record must be about its pod, or an earlier pod of its Job', async () => {
  assert.is(await matched(5, { detail: open(5, 'u') }), 5);
  assert.is(await matched(5, {}), 'mismatch');
  assert.is(await matched(5, { detail: { ...open(5, 'u'), namespace: 'bank' } }), 'mismatch');
  const other = { ...open(5, 'u'), pod_name: 'db' };
  assert.equal([await matched(5, { detail: other }), await matched(5, { detail: other, has: true })], ['mismatch', 5]);
});

const crashed = aPod({
  ...{ name: 'web', app: { ready: false, restartCount: 2, state: { waiting: { reason: 'CrashLoopBackOff' } } } },
});
crashed.status!.containerStatuses![0]!.lastState = {
  terminated: { exitCode: 1, reason: 'Error', startedAt: after(1), finishedAt: after(2) },
};
const NOW = new Date(after(60));

function cluster(log: (previous: boolean) => string | Error) {
  const asked: unknown[] = [];
  const client = {
    list: async (_kind: unknown, selection: object) => (asked.push(selection), [anEvent('BackOff', 'b', 9)]),
    logs: async (namespace: string, name: string, options: { previous: boolean }) => {
      asked.push([namespace, name, options]);
      const said = log(options.previous);
      if (said instanceof Error) throw said;
      return said;
    },
  };
  return {
    asked,
    report: (pod: Pod | undefined, over = {}) => evidenceOf(client as never, aSource(undefined, { ...(pod && { pod }), ...over }), NOW),
  };
}

test('a source without a pod is reported by name and owner alone', async () => {
  const { report, asked } = cluster(() => '');
  assert.equal(await report(undefined), { pod_name: 'web', namespace: 'shop' });
  const owner = { kind: 'Deployment', metadata: { name: 'web' } };
  assert.equal(await report(undefined, { owner }), { pod_name: 'web', namespace: 'shop', workload: { kind: 'Deployment', name: 'web' } });
  assert.equal(asked, []);
});

test('a failing pod is reported with its failure, its events and both logs, masked', async () => {
  const { report, asked } = cluster((previous) => (previous ? 'password=hunter2' : 'starting'));
  const { failure_reason, container, container_statuses, events, logs } = await report(crashed);
  assert.equal([failure_reason, container, container_statuses?.length, events?.length], ['CrashLoopBackOff', 'app', 1, 1]);
  assert.is(logs, '==> app (current) <==\nstarting\n==> app (previous) <==\npassword=***');
  const options = { container: 'app', tailLines: 100, limitBytes: 262_144 };
  assert.equal(asked, [
    { namespace: 'shop', fieldSelector: 'involvedObject.kind=Pod,involvedObject.name=web' },
    ['shop', 'web', { ...options, previous: false }],
    ['shop', 'web', { ...options, previous: true }],
  ]);
});

test('logs that are not there are left out; a cluster that is away is an error', async () => {
  const gone = cluster((previous) =>
    previous ? 'unable to retrieve container logs for containerd://1' : new KubeError(400, 'BadRequest', 'waiting'),
  );
  assert.is((await gone.report(crashed)).logs, '');
  await cluster(() => new Error('away'))
    .report(crashed)
    .then(
      () => assert.unreachable(),
      ({ message }: Error) => assert.is(message, 'away'),
    );
});

test('a pod that does not fail has neither reason nor log', async () => {
  const { report } = cluster(() => assert.unreachable() as never);
  const { failure_reason, container, logs } = await report(aPod());
  assert.equal([failure_reason, container, logs], [null, null, '']);
});

test.run();
