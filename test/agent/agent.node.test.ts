import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AgentRecord } from '../../src/contract/agent.ts';
import { type CountingProxy, countingProxy } from '../support/network/counting-proxy.ts';
import { longOr } from '../support/runner/long.ts';
import { inOrder, millis, type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';

// One agent on a real node: what it asks for, and that each failure has one record with the times of the failure. What the API server shows
// for less than a moment (a pod that is deleted before the kubelet acts, a first crash whose pod is deleted while it is restarted) leaves
// none.

const kubeconfig = process.env['TEST_KUBECONFIG'];
const QUIET_MS = longOr(120_000, 10_000);
/** Kubernetes' instants have whole seconds. */
const SECOND = 1_000;
/** The operator takes the agent for dead after three heartbeats. */
const SILENT_SECONDS = 30;
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

  test('asks for the pods of its node only, and for nothing about those that are well', async () => {
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
    const asked = proxy.requests.map(({ method, path }) => `${method} ${path}`);
    // One watch may end and begin anew; anything about a pod would be a request each.
    assert.ok(asked.length <= Math.ceil(QUIET_MS / 60_000) + 1, asked.join('\n'));
    await world.run({ mine: PODS.unpulled });
    await world.recordOf('mine');
    const about = proxy.requests.filter(({ path }) => path.includes('foreign') || path.includes('well-'));
    assert.equal(about, []);
    const broad = proxy.requests.filter(({ path }) => path.startsWith('/api/v1/pods') && !path.includes(`spec.nodeName=${world.node}`));
    assert.equal(broad, []);
    const eventsOfAll = proxy.requests.filter(({ path }) => path.includes('/events') && !path.includes('involvedObject.uid='));
    assert.equal(eventsOfAll, []);
    // After that time the operator itself watches a node without an agent: the report is not this agent's.
    const ofOperator = QUIET_MS > SILENT_SECONDS * SECOND ? ['foreign'] : [];
    assert.equal((await world.records()).map(({ pod_name }) => pod_name).toSorted(), [...ofOperator, 'mine']);
  });

  test('a Job that fails in a moment and cleans up after itself has a record with the times of its pod', async () => {
    const begun = Date.now();
    const template = `{spec: ${PODS.failing}}`;
    await world.kubectl.apply(
      `{apiVersion: batch/v1, kind: Job, metadata: {name: brief, namespace: ${world.namespace}}, spec: {backoffLimit: 0, ttlSecondsAfterFinished: 0, template: ${template}}}`,
    );
    const ofPod = async () => (await world.records()).filter((one) => one.resource_kind === 'Pod' && one.workload?.name === 'brief');
    await until(async () => (await ofPod())[0]?.resolved_at, {
      timeoutMs: 60_000,
      everyMs: 200,
      what: () => `brief\n${agent.output().slice(-3000)}`,
    });
    const found = await ofPod();
    assert.is(found.length, 1);
    const [record] = found;
    assert.equal([record?.failure_reason, record?.occurrences], ['Error', 1]);
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

  test('a pod of the same name is another pod, and one that never began is none', async () => {
    await world.run({ twin: PODS.unpulled });
    const first = await world.recordOf('twin');
    await world.remove('twin');
    await world.run({ twin: PODS.unpulled });
    const both = await until(
      async () => {
        const found = (await world.records()).filter(({ pod_name }) => pod_name === 'twin');
        return found.length === 2 ? found : undefined;
      },
      { timeoutMs: 40_000, everyMs: 200, what: 'two records' },
    );
    assert.is(both[0]?.id, first.id);
    inOrder('twins', both[0]?.timestamp, both[0]?.resolved_at, both[1]?.timestamp);
    assert.is(both[1]?.resolved_at, null);
    await world.run({ unborn: PODS.unpulled });
    await world.kubectl('delete', 'pod', 'unborn', '-n', world.namespace, '--grace-period=0', '--force', '--wait=false');
    await world.remove('twin');
    const ends = async () => (await world.records()).filter(({ pod_name }) => pod_name === 'twin').every((one) => one.resolved_at);
    await until(ends, { timeoutMs: 20_000, everyMs: 200, what: 'the end of both' });
    const unborn = (await world.records()).filter(({ pod_name }) => pod_name === 'unborn');
    assert.ok(unborn.length <= 1 && unborn.every((one) => one.resolved_at), JSON.stringify(unborn));
  });

  test.run();
}

if (kubeconfig) tell(kubeconfig);
else console.log('SKIP the agent on a real node: TEST_KUBECONFIG is not set');
