import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRecord } from '../../src/contract/agent.ts';
import { type CountingProxy, countingProxy } from '../support/network/counting-proxy.ts';
import { longOr } from '../support/runner/long.ts';
import { inOrder, millis, type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { onNode } from '../support/cluster/on-node.ts';

// One agent on a real node: which requests it sends, and that each failure has one record with the times of the failure.
// A failure leaves no record when the API server hardly shows it: a pod that is deleted before the kubelet acts, or a pod that is
// deleted while it restarts after its first crash.

const QUIET_MS = longOr(120_000, 10_000);
/** Kubernetes gives times in whole seconds. */
const SECOND = 1_000;
/** The operator treats the agent as dead after this time, which is three heartbeats. */
const SILENT_SECONDS = 30;
/** Whether a request names another namespace. The agent asks about all failing pods of its node, also those that earlier tests left. */
const isAboutOthers = (namespace: string, path: string): boolean => (/\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? namespace) !== namespace;
const SETTINGS = { AGENT_SILENT_SECONDS: String(SILENT_SECONDS), RECOVERY_SECONDS: '5' };

function tell(admin: string): void {
  const test = suite('the agent on a real node');
  let world: NodeWorld;
  let proxy: CountingProxy;
  let agent: Running;
  let settings: Record<string, string>;

  test.before(async () => {
    world = await nodeWorld(admin, 'agent-node');
    proxy = await countingProxy(admin);
    settings = { ...SETTINGS, KUBECONFIG: await world.kubeconfigOf('podmend-agent', proxy.url) };
    await world.startOperator(SETTINGS);
    await world.signUp();
    agent = world.startAgent(settings);
    await until(async () => (await world.client.get<AgentRecord[]>('/api/agents')).length > 0, { timeoutMs: 60_000, what: 'the agent' });
  });
  test.after(async () => {
    await world?.kubectl('delete', 'node', 'elsewhere', '--ignore-not-found');
    await world?.end();
    await proxy?.close();
  });

  test('requests only the pods of its node, and nothing about healthy ones', async () => {
    await world.kubectl.apply('{apiVersion: v1, kind: Node, metadata: {name: elsewhere}}');
    await world.run({
      'well-1': PODS.well,
      'well-2': PODS.well,
      foreign: `{nodeName: elsewhere, terminationGracePeriodSeconds: 0, containers: [{name: app, image: 'web:9'}]}`,
    });
    await world.kubectl('wait', '--for=condition=Ready', 'pod/well-1', 'pod/well-2', '-n', world.namespace, '--timeout=60s');
    const waiting = [
      { name: 'app', ready: false, restartCount: 0, image: 'web:9', imageID: '', state: { waiting: { reason: 'ErrImagePull' } } },
    ];
    const status = JSON.stringify({ status: { phase: 'Pending', containerStatuses: waiting } });
    await world.kubectl('patch', 'pod', 'foreign', '-n', world.namespace, '--subresource=status', '--type=merge', '-p', status);
    await sleep(1_000);
    proxy.requests.length = 0;
    await sleep(QUIET_MS);
    const own = proxy.requests.filter(({ path }) => !isAboutOthers(world.namespace, path));
    const asked = own.map(({ method, path }) => `${method} ${path}`);
    // The watch may end and start again. Requests about single pods would be many more.
    assert.ok(asked.length <= Math.ceil(QUIET_MS / 60_000) + 1, asked.join('\n'));
    await world.run({ mine: PODS.unpulled });
    await world.recordOf('mine');
    const about = proxy.requests.filter(({ path }) => path.includes('foreign') || path.includes('well-'));
    assert.equal(about, []);
    const broad = proxy.requests.filter(({ path }) => path.startsWith('/api/v1/pods') && !path.includes(`spec.nodeName=${world.node}`));
    assert.equal(broad, []);
    const eventsOfAll = proxy.requests.filter(({ path }) => path.includes('/events') && !path.includes('involvedObject.uid='));
    assert.equal(eventsOfAll, []);
    // After SILENT_SECONDS the operator watches the node without an agent. So the report of `foreign` does not come from this agent.
    const ofOperator = QUIET_MS > SILENT_SECONDS * SECOND ? ['foreign'] : [];
    assert.equal((await world.records()).map(({ pod_name }) => pod_name).toSorted(), [...ofOperator, 'mine']);
  });

  const aJob = (name: string, spec: string) =>
    world.kubectl.apply(
      `{apiVersion: batch/v1, kind: Job, metadata: {name: ${name}, namespace: ${world.namespace}}, spec: {backoffLimit: 0, ${spec}, template: {spec: ${PODS.failing}}}}`,
    );
  const ofJob = async (name: string) => (await world.records()).filter((one) => one.workload?.name === name);

  test('a Job that fails in a moment and cleans up after itself has a record with the times of its pod', async () => {
    const begun = Date.now();
    await aJob('brief', 'ttlSecondsAfterFinished: 0');
    await until(async () => (await ofJob('brief'))[0]?.resolved_at, {
      timeoutMs: 60_000,
      everyMs: 200,
      what: () => `brief\n${agent.output().slice(-3000)}`,
    });
    const found = await ofJob('brief');
    assert.is(found.length, 1);
    const [record] = found;
    // The Job may be gone before the agent or the leader sees it.
    assert.ok(['Error', 'BackoffLimitExceeded'].includes(record?.failure_reason ?? ''));
    assert.is(record?.occurrences, 1);
    inOrder(
      'brief',
      begun,
      record?.container_statuses[0]?.finished_at,
      record?.timestamp,
      record?.last_seen,
      record?.resolved_at,
      Date.now(),
    );
  });

  test("a Job that fails is one record with its pod's log, until it is deleted", async () => {
    await aJob('lasting', 'activeDeadlineSeconds: 600');
    const record = await until(async () => (await ofJob('lasting')).find((one) => one.resource_kind === 'Job' && one.container), {
      timeoutMs: 60_000,
      everyMs: 200,
      what: () => `the Job with its pod\n${agent.output().slice(-3000)}`,
    });
    assert.equal([record.pod_name, record.failure_reason], ['lasting', 'BackoffLimitExceeded']);
    await until(async () => (await world.detail(record.id)).logs?.includes('last words'), { timeoutMs: 60_000, what: 'the log' });
    await world.kubectl('delete', 'job', 'lasting', '-n', world.namespace);
    await until(async () => (await ofJob('lasting'))[0]?.resolved_at, { timeoutMs: 60_000, what: 'the end of the record' });
    assert.equal(
      (await ofJob('lasting')).map(({ id }) => id),
      [record.id],
    );
  });

  test('a failed run of a CronJob ends with a later one that is complete, also for an agent that starts then', async () => {
    const { namespace, kubectl } = world;
    const jobTemplate = `{spec: {template: {spec: ${PODS.failing}}}}`;
    await kubectl.apply(
      `{apiVersion: batch/v1, kind: CronJob, metadata: {name: nightly, namespace: ${namespace}}, spec: {schedule: '0 0 1 1 *', jobTemplate: ${jobTemplate}}}`,
    );
    const uid = await kubectl('get', 'cronjob', 'nightly', '-n', namespace, '-o', 'jsonpath={.metadata.uid}');
    const owner = `{apiVersion: batch/v1, kind: CronJob, name: nightly, uid: '${uid}', controller: true}`;
    const aRun = (name: string, spec: string) =>
      kubectl.apply(
        `{apiVersion: batch/v1, kind: Job, metadata: {name: ${name}, namespace: ${namespace}, ownerReferences: [${owner}]}, spec: {backoffLimit: 0, template: {spec: ${spec}}}}`,
      );
    const ofRun = async () => (await world.records()).filter((one) => one.workload?.name === 'nightly');
    await aRun('nightly-1', PODS.failing);
    const record = await until(async () => (await ofRun()).find((one) => one.resource_kind === 'Job' && one.container), {
      timeoutMs: 60_000,
      what: () => `the failed run\n${agent.output().slice(-3000)}`,
    });
    await aRun('nightly-2', `{restartPolicy: Never, containers: [{name: app, image: 'busybox:1.35', command: ['true']}]}`);
    await until(async () => (await ofRun())[0]?.resolved_at, { timeoutMs: 90_000, what: 'the end of the record' });
    await agent.stop();
    proxy.requests.length = 0;
    agent = world.startAgent(settings);
    await until(() => proxy.requests.some(({ path }) => path.includes('/cronjobs')), {
      timeoutMs: 60_000,
      what: () => `the agent to ask for later runs\n${agent.output().slice(-3000)}`,
    });
    await world.run({ later: PODS.failing });
    await world.recordOf('later');
    assert.equal(
      (await ofRun()).map(({ id }) => id),
      [record.id],
    );
  });

  test('a pod that is deleted as soon as it has failed has a record that ends with it', async () => {
    const begun = Date.now();
    await world.run({ dropped: PODS.failing });
    await world.kubectl('wait', '--for=jsonpath={.status.phase}=Failed', 'pod/dropped', '-n', world.namespace, '--timeout=60s');
    await world.remove('dropped');
    const record = await world.closed('dropped');
    inOrder(
      'dropped',
      begun,
      record.container_statuses[0]?.finished_at,
      record.timestamp,
      record.last_seen,
      record.resolved_at,
      Date.now(),
    );
    assert.ok(millis(record.timestamp) - millis(record.container_statuses[0]?.finished_at) < 10 * SECOND, 'detected when it failed');
  });

  test('a pod that crashes once and runs then has a record that recovers', async () => {
    await world.run({ once: PODS.crashingOnce });
    const open = await world.recordOf('once');
    assert.equal([open.failure_reason, open.container, open.occurrences], ['CrashLoopBackOff', 'app', 1]);
    const record = await world.closed('once');
    assert.equal([record.id, record.occurrences, record.status], [open.id, 1, 'resolved']);
    const crashedAt = open.container_statuses[0]?.finished_at ?? open.container_statuses[0]?.last_state?.finished_at;
    inOrder('once', crashedAt, record.timestamp, record.last_seen, record.resolved_at);
    assert.ok(millis(record.resolved_at) - millis(crashedAt) >= 4 * SECOND, 'well for as long as configured');
  });

  test('a new pod of the same name gets its own record, and a pod that never started gets none', async () => {
    await world.run({ twin: PODS.unpulled });
    const first = await world.recordOf('twin');
    await world.remove('twin');
    await world.run({ twin: PODS.unpulled });
    const both = await until(
      async () => {
        const found = (await world.records()).filter(({ pod_name }) => pod_name === 'twin');
        return found.length === 2 ? found : undefined;
      },
      { everyMs: 200, what: 'two records' },
    );
    assert.is(both[0]?.id, first.id);
    inOrder('twins', both[0]?.timestamp, both[0]?.resolved_at, both[1]?.timestamp);
    assert.is(both[1]?.resolved_at, null);
    await world.run({ unborn: PODS.unpulled });
    await world.kubectl('delete', 'pod', 'unborn', '-n', world.namespace, '--grace-period=0', '--force', '--wait=false');
    await world.remove('twin');
    const ends = async () => (await world.records()).filter(({ pod_name }) => pod_name === 'twin').every((one) => one.resolved_at);
    await until(ends, { everyMs: 200, what: 'the end of both' });
    const unborn = (await world.records()).filter(({ pod_name }) => pod_name === 'unborn');
    assert.ok(unborn.length <= 1 && unborn.every((one) => one.resolved_at), JSON.stringify(unborn));
  });

  test.run();
}

onNode('the agent on a real node', tell);
