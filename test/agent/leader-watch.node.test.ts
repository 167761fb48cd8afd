import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Advice, AdviceDetector } from '../../src/contract/advice.ts';
import type { AgentRecord } from '../../src/contract/agent.ts';
import { longOr } from '../support/runner/long.ts';
import { inOrder, type NodeWorld, nodeWorld, PODS } from '../support/worlds/node.ts';
import type { Running } from '../support/processes/process.ts';
import { until } from '../support/runner/wait.ts';
import { onNode } from '../support/cluster/on-node.ts';

// When an agent falls silent, the operator watches its node until the agent is back. Neither hand-over makes a second record of a failure.

const SILENT_SECONDS = longOr(180, 9);
const SETTINGS = { AGENT_SILENT_SECONDS: String(SILENT_SECONDS), RECOVERY_SECONDS: '5' };
const PATIENCE = { timeoutMs: (SILENT_SECONDS + 60) * 1000, everyMs: 200 };

function tell(admin: string): void {
  const test = suite('a node without an agent');
  let world: NodeWorld;
  let agent: Running;
  const isLive = async () => (await world.client.get<AgentRecord[]>('/api/agents')).find(({ node }) => node === world.node)?.live;

  test.before(async () => {
    world = await nodeWorld(admin, 'agentless');
    await world.startOperator(SETTINGS);
    await world.signUp();
    agent = world.startAgent(SETTINGS);
    await until(isLive, { ...PATIENCE, what: 'the agent' });
  });
  test.after(async () => {
    await world?.kubectl('delete', 'node', 'removed', '--ignore-not-found');
    await world?.end();
  });

  test('is watched by the operator until the agent is back, with one record a failure', async () => {
    await world.run({ stays: PODS.unpulled, loops: PODS.looping, goes: PODS.unpulled, heals: PODS.unconfigured('late') });
    const names = ['stays', 'loops', 'goes', 'heals'];
    const before = await Promise.all(names.map((name) => world.recordOf(name)));
    await agent.stop('SIGKILL');
    await until(async () => (await isLive()) === false, { ...PATIENCE, what: 'the agent to be missed' });
    const begun = Date.now();
    await world.run({ new: PODS.unpulled });
    const found = await world.recordOf('new', PATIENCE.timeoutMs);
    inOrder('new', begun, found.timestamp, Date.now());
    await world.remove('goes');
    await world.kubectl('create', 'configmap', 'late', '-n', world.namespace, '--from-literal=size=2');
    for (const name of ['goes', 'heals']) await world.closed(name, PATIENCE.timeoutMs);

    agent = world.startAgent(SETTINGS);
    await until(isLive, { ...PATIENCE, what: 'the agent to be back' });
    await world.run({ newer: PODS.unpulled });
    await world.recordOf('newer');
    await world.remove('new');
    await world.closed('new');
    // Wait for another crash. By then, a second watcher would have reported too.
    const crashes = before[1]?.occurrences ?? 0;
    await until(async () => (await world.single('loops')).occurrences > crashes, { ...PATIENCE, what: 'another crash' });
    const after = await Promise.all(names.map((name) => world.single(name)));
    const identity = ({ id, timestamp }: (typeof after)[number]) => [id, timestamp];
    assert.equal(after.map(identity), before.map(identity));
    assert.equal(
      after.map(({ resolved_at }) => resolved_at === null),
      [true, true, false, false],
      'one healed, and one was deleted',
    );
    const loops = await world.kubectl(
      'get',
      'pod',
      'loops',
      '-n',
      world.namespace,
      '-o',
      'jsonpath={.status.containerStatuses[0].restartCount}',
    );
    assert.ok((after[1]?.occurrences ?? 0) <= Number(loops) + 1, 'no crash counts twice');
  });

  test('that is taken from the cluster ends the records of its pods', async () => {
    await world.kubectl.apply('{apiVersion: v1, kind: Node, metadata: {name: removed}}');
    await world.run({ orphan: `{nodeName: removed, terminationGracePeriodSeconds: 0, containers: [{name: app, image: 'web:9'}]}` });
    const waiting = [
      { name: 'app', ready: false, restartCount: 0, image: 'web:9', imageID: '', state: { waiting: { reason: 'ImagePullBackOff' } } },
    ];
    const status = JSON.stringify({ status: { phase: 'Pending', containerStatuses: waiting } });
    await world.kubectl('patch', 'pod', 'orphan', '-n', world.namespace, '--subresource=status', '--type=merge', '-p', status);
    const record = await world.recordOf('orphan', PATIENCE.timeoutMs);
    assert.is(record.node_name, 'removed');
    await world.kubectl('delete', 'node', 'removed');
    await world.kubectl('delete', 'pod', 'orphan', '-n', world.namespace, '--grace-period=0', '--force', '--wait=false');
    await world.closed('orphan', PATIENCE.timeoutMs);
  });

  test('the leader advises on what its rights let it see, again when it changes', async () => {
    const { namespace, kubectl, client } = world;
    const advised = async () => {
      const all = await client.get<Advice[]>(`/api/advice/findings?namespace=${namespace}`);
      return all.map(({ detector_id, resource_kind, resource_name }) => `${detector_id} ${resource_kind}/${resource_name}`);
    };
    await kubectl.apply(ADVISABLE.replaceAll('NAMESPACE', namespace));
    const expected = [
      'autoscaler-without-target HorizontalPodAutoscaler/advised',
      'budget-blocks-eviction PodDisruptionBudget/advised',
      'job-without-deadline CronJob/advised',
      'missing-readiness-probe Deployment/advised',
      'service-port-without-name Service/advised',
    ];
    const isAll = async () => (await advised()).filter((one) => expected.includes(one)).length === expected.length;
    await until(isAll, { ...PATIENCE, what: `advice on ${expected.join(', ')}` });
    await kubectl('patch', 'service', 'advised', '-n', namespace, '-p', '{"spec":{"ports":[{"port":80,"targetPort":80}]}}');
    const isMended = async () => !(await advised()).includes('service-port-without-name Service/advised');
    await until(isMended, { ...PATIENCE, what: 'the Service to be mended' });
    const detectors = await client.get<AdviceDetector[]>('/api/advice/detectors');
    const disabled = detectors.filter(({ enabled }) => !enabled).map(({ id }) => id);
    assert.equal(disabled, [], 'every kind that the cluster has can be read, and one that it lacks is no fault of rights');
  });

  test.run();
}

/** An object of every kind that is watched for advice. None of them has a running pod. */
const ADVISABLE = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: advised, namespace: NAMESPACE}
spec:
  replicas: 1
  selector: {matchLabels: {app: advised}}
  template:
    metadata: {labels: {app: advised}}
    spec: {nodeSelector: {is: nowhere}, containers: [{name: app, image: 'web:1'}]}
---
apiVersion: v1
kind: Service
metadata: {name: advised, namespace: NAMESPACE}
spec: {selector: {app: advised}, ports: [{port: 80, targetPort: web}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: advised, namespace: NAMESPACE}
spec: {maxUnavailable: 0, selector: {matchLabels: {app: advised}}}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: advised, namespace: NAMESPACE}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: nowhere}, maxReplicas: 2}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: advised, namespace: NAMESPACE}
spec:
  schedule: '0 0 1 1 *'
  suspend: true
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: app, image: 'web:1'}]}}}}
`;

onNode('a node without an agent', tell);
