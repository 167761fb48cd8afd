import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { leaderWatch } from '../../src/agent/leader-watch.ts';
import type { KubeObject, OwnerReference, Workload } from '../../src/crd/kubernetes.ts';
import { agentRepository } from '../../src/db/agents.ts';
import type { Store } from '../../src/db/connect.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { failureRepository } from '../../src/db/failures.ts';
import { incidentRepository } from '../../src/db/incidents.ts';
import { failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { eventHub, internalBus } from '../../src/events.ts';
import { failureIntake, type Intake } from '../../src/failures/intake.ts';
import { recovery } from '../../src/failures/recovery.ts';
import { type KubeClient, connect } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { reportMask } from '../../src/redact/report.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { memoryStore } from '../support/database/store.ts';
import { until } from '../support/runner/wait.ts';

/** A cluster without agents. The leader watches it and stores what it sees. */
interface World {
  sandbox: Sandbox;
  client: KubeClient;
  store: Store;
  intake: Intake;
  messages: string[];
  stop(): Promise<void>;
}

const jobs = suite<World>('Jobs of a cluster');

jobs.before.each(async (world) => {
  const sandbox = await startSandbox({ speed: 10 });
  const client = connect({ kubeconfigText: sandbox.kubeconfig });
  const store = await memoryStore();
  const { db } = store;
  const [log, hub, failures, agents] = [createLog({ level: 'silent' }), eventHub(), failureRepository(db), agentRepository(db)];
  const messages: string[] = [];
  hub.subscribe(({ type, data }) => void messages.push(`${type} ${'id' in data ? data.id : ''}`));
  const intake = failureIntake({
    ...{ reports: reportRepository(db), incidents: incidentRepository(db), failureSuppressions: failureSuppressionRepository(db) },
    ...{ hub, bus: internalBus(), cluster: 'test', suppressionOf: () => undefined, mask: reportMask(), diagnose, log },
  });
  const { gone } = recovery({ failures, agents, hub, cluster: 'test', hiddenNamespaces: [] });
  const watch = leaderWatch({
    ...{ client, log, cluster: 'test', watchNamespaces: [], liveNodes: async () => [], now: () => new Date() },
    graces: { pendingSeconds: 1, unreadySeconds: 1, recoverySeconds: 600 },
    report: async (report, seenAt) => {
      const outcome = await intake.report(report, new Date(), seenAt);
      return outcome.kind === 'stored' ? outcome : undefined;
    },
    gone,
    openRecords: failures.openObjects,
    ...{ silentMs: 50, everyMs: 100, controllersEveryMs: 200 },
  });
  watch.start();
  const stop = async () => {
    await watch.stop();
    client.close();
    await sandbox.close();
    await store.close();
  };
  Object.assign(world, { sandbox, client, store, intake, messages, stop });
});
jobs.after.each(({ stop }) => stop());

type JobWish = Record<string, unknown> & { ownerReferences?: OwnerReference[]; labels?: Record<string, string> };

async function start(
  client: KubeClient,
  name: string,
  { command, restartPolicy = 'Never', ownerReferences = [], labels = {}, ...spec }: JobWish,
) {
  const containers = [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', command] }];
  const template = { metadata: { labels }, spec: { restartPolicy, containers } };
  const metadata = { name, namespace: 'default', ownerReferences };
  return await client.create<Workload>(KINDS.job, { metadata, spec: { template, ...spec } } as Workload);
}
const records = ({ store: { db } }: World) =>
  db.selectFrom('failures').select(['id', 'resource_kind', 'pod_name', 'failure_reason', 'logs', 'closed_at']).orderBy('id').execute();
const incidents = async ({ store: { db } }: World) => (await db.selectFrom('incidents').select('id').execute()).length;

jobs('that give up after two tries have one record with the log of a pod, until they are deleted', async (world) => {
  await start(world.client, 'import', { backoffLimit: 1, command: 'echo table orders does not exist; exit 3' });
  const record = await until(async () => (await records(world)).find((one) => one.resource_kind === 'Job' && one.logs), {
    what: 'the record of the Job, with a log',
  });
  assert.equal([record.pod_name, record.failure_reason], ['import', 'BackoffLimitExceeded']);
  assert.match(record.logs ?? '', 'table orders does not exist');
  assert.equal([(await records(world)).length, await incidents(world)], [1, 1]);
  await world.client.remove(KINDS.job, 'default', 'import');
  await until(async () => (await records(world))[0]?.closed_at, { what: 'the end of the record' });
  assert.equal([(await records(world)).length, await incidents(world)], [1, 1]);
  assert.equal([...new Set(world.messages.map((message) => message.split(' ')[1]))].filter(Boolean), [String(record.id)]);
});

jobs('whose pod is deleted when they give up keep its log', async (world) => {
  const command = 'echo no licence found; exit 3';
  await start(world.client, 'restarting', { backoffLimit: 2, restartPolicy: 'OnFailure', command });
  const find = (kind: string) => async () =>
    (await records(world)).find((one) => one.resource_kind === kind && one.logs?.includes('licence'));
  await until(find('Pod'), { what: 'the record of its pod, with the log of a first run' });
  const record = await until(find('Job'), { what: 'the record of the Job, with the log' });
  assert.equal([(await records(world)).length, record.closed_at], [1, null]);
});

jobs('that succeed after all end their record, and the pod that failed makes no other', async (world) => {
  const { client } = world;
  await start(client, 'late', { backoffLimit: 6, command: 'echo not yet; exit 3' });
  await until(async () => (await records(world)).length > 0, { what: 'the record of a pod' });
  const now = new Date().toISOString();
  const conditions = [{ type: 'Complete', status: 'True', lastProbeTime: now, lastTransitionTime: now }];
  await client.patch(KINDS.job, 'default', 'late', { status: { conditions } }, { type: 'merge', subresource: 'status' });
  await until(async () => (await records(world)).every(({ closed_at }) => closed_at !== null), {
    what: 'the end of the record',
  });
  assert.is((await records(world)).length, 1);
});

jobs('that a later run of their CronJob overtakes end their record', async (world) => {
  const { client } = world;
  const spec = { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } } } } };
  const cronJob = await client.create(KINDS.cronJob, { metadata: { name: 'nightly', namespace: 'default' }, spec } as KubeObject);
  const uid = cronJob.metadata.uid ?? '';
  const ownerReferences = [{ apiVersion: 'batch/v1', kind: 'CronJob', name: 'nightly', uid, controller: true }];
  await start(client, 'nightly-1', { ownerReferences, backoffLimit: 0, command: 'echo no room; exit 3' });
  await until(async () => (await records(world)).find((one) => one.resource_kind === 'Job'), { what: 'the record of the Job' });
  // The API gives times in whole seconds.
  const made = Date.parse((await client.read(KINDS.job, 'default', 'nightly-1'))?.metadata.creationTimestamp ?? '');
  await until(() => Date.now() >= made + 1000, { what: 'the next second' });
  await start(client, 'nightly-2', { ownerReferences, backoffLimit: 0, command: 'echo done' });
  await until(async () => (await records(world)).every(({ closed_at }) => closed_at !== null), {
    what: 'the end of the record',
  });
  assert.is((await records(world)).length, 1);
  assert.not((await client.read(KINDS.job, 'default', 'nightly-1'))?.metadata.deletionTimestamp);
});

jobs('with a selector of their own are one record with their pods as well', async (world) => {
  const labels = { run: 'legacy' };
  const selection = { manualSelector: true, selector: { matchLabels: labels }, labels };
  await start(world.client, 'legacy', { ...selection, backoffLimit: 0, command: 'echo no ledger; exit 3' });
  await until(async () => (await records(world)).find((one) => one.resource_kind === 'Job' && one.logs?.includes('no ledger')), {
    what: 'the record of the Job, with the log',
  });
  const pods = await world.client.list<KubeObject>(KINDS.pod, { namespace: 'default' });
  assert.equal(
    pods.map(({ metadata }) => metadata.labels),
    [labels],
  );
  assert.is((await records(world)).length, 1);
});

jobs('whose failed pod is deleted while they try again have no open record', async (world) => {
  const { client } = world;
  await start(client, 'stuck', { command: 'sleep 3600', backoffLimit: 6 });
  const job = await client.read(KINDS.job, 'default', 'stuck');
  const uid = job?.metadata.uid ?? '';
  await until(async () => Number((await client.read(KINDS.job, 'default', 'stuck'))?.status?.['active']) > 0, {
    what: 'a pod',
  });
  // This report is about a pod that is already deleted.
  const labels = { 'controller-uid': uid, 'job-name': 'stuck' };
  const row = { pod_name: 'stuck-gone', pod_uid: 'gone', namespace: 'default', labels, workload: { kind: 'Job', name: 'stuck' } };
  await world.intake.report(row, new Date());
  await until(async () => (await records(world)).some(({ pod_name, closed_at }) => pod_name === 'stuck-gone' && closed_at), {
    what: 'the end of the record',
  });
});

jobs.run();
