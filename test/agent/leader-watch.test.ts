import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { DismissDeleted } from '../../src/contract/agent.ts';
import type { FailureReport } from '../../src/contract/failure.ts';
import type { Pod, PodSpec, Workload } from '../../src/crd/kubernetes.ts';
import { type LeaderWatch, type LeaderWatchDeps, type OpenRecord, leaderWatch } from '../../src/agent/leader-watch.ts';
import { type KubeClient, connect } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { until } from '../support/runner/wait.ts';

interface World {
  sandbox: Sandbox;
  client: KubeClient;
  reports: FailureReport[];
  gone: DismissDeleted[];
  /** Nodes with a live agent. */
  live: string[];
  open: OpenRecord[];
  coverage: LeaderWatch;
  begin(more?: Partial<LeaderWatchDeps>): void;
}

const cover = suite<World>("the leader's watch");

cover.before.each(async (world) => {
  world.sandbox = await startSandbox({ speed: 10 });
  world.client = connect({ kubeconfigText: world.sandbox.kubeconfig });
  Object.assign(world, { reports: [], gone: [], open: [], live: [world.sandbox.nodeName] });
  world.begin = (more = {}) => {
    world.coverage = leaderWatch({
      client: world.client,
      cluster: 'test',
      watchNamespaces: [],
      graces: { pendingSeconds: 1, unreadySeconds: 1, recoverySeconds: 1 },
      now: () => new Date(),
      log: createLog({ level: 'silent' }),
      liveNodes: async () => world.live,
      report: async (report) => {
        world.reports.push(report);
        return undefined;
      },
      gone: async (message) => world.gone.push(message),
      openRecords: async () => world.open,
      silentMs: 50,
      everyMs: 100,
      ...more,
    });
    world.coverage.start();
  };
});
cover.after.each(async ({ coverage, client, sandbox }) => {
  await coverage.stop();
  client.close();
  await sandbox.close();
});

const podSpec: PodSpec = { containers: [{ name: 'app', image: 'web:9' }] };
async function aPodOf(client: KubeClient, name: string, spec: Partial<PodSpec> = {}): Promise<Pod> {
  return await client.create<Pod>(KINDS.pod, { metadata: { name, namespace: 'default' }, spec: { ...podSpec, ...spec } });
}
const record = (over: Partial<OpenRecord>): OpenRecord => ({
  namespace: 'default',
  pod_name: 'x',
  pod_uid: null,
  node_name: null,
  resource_kind: 'Pod',
  identity: 'x',
  pods: [],
  ...over,
});

cover('reports pods that no node takes, and their end', async ({ begin, client, reports, gone }) => {
  begin();
  await aPodOf(client, 'nowhere', { nodeSelector: { disk: 'none' } });
  const report = await until(() => reports[0], { what: 'the report' });
  assert.equal([report.pod_name, report.failure_reason, report.node_name], ['nowhere', 'Unschedulable', null]);
  await client.remove(KINDS.pod, 'default', 'nowhere', { graceSeconds: 0 });
  const word = await until(() => gone[0], { what: 'the word' });
  assert.equal(word, { pod_uid: report.pod_uid, pod_name: 'nowhere', namespace: 'default', reason: 'deleted' });
});

cover('leaves pods of nodes with an agent to it', async ({ begin, client, reports }) => {
  begin();
  await aPodOf(client, 'unpulled');
  await aPodOf(client, 'nowhere', { nodeSelector: { disk: 'none' } });
  await until(() => reports.length > 0, { what: 'a report' });
  const failing = await until(
    () => client.read(KINDS.pod, 'default', 'unpulled').then((pod) => pod?.status?.containerStatuses?.[0]?.state?.waiting?.reason),
    { what: 'a failing pod' },
  );
  assert.ok(failing);
  assert.equal([...new Set(reports.map(({ pod_name }) => pod_name))], ['nowhere']);
});

cover('watches a node whose agent is silent, until it speaks again', async (world) => {
  world.live.length = 0;
  world.begin();
  await aPodOf(world.client, 'unpulled');
  const report = await until(() => world.reports[0], { what: 'the report' });
  assert.equal([report.pod_name, report.failure_reason, report.node_name], ['unpulled', 'ImagePullBackOff', 'sandbox-node']);
  assert.equal(world.coverage.nodes(), ['sandbox-node']);
  world.live.push('sandbox-node');
  await until(() => world.coverage.nodes().length === 0, { what: 'the node to be left to its agent' });
});

cover('with some namespaces it does so too, and never asks for the nodes', async (world) => {
  world.live.length = 0;
  const asked = new Set<string>();
  const page: KubeClient['page'] = (kind, selection, ...rest) => {
    asked.add(`${kind.kind} in ${selection.namespace}`);
    return world.client.page(kind, selection, ...rest);
  };
  world.begin({ watchNamespaces: ['default'], client: { ...world.client, page } });
  await aPodOf(world.client, 'unpulled');
  const report = await until(() => world.reports[0], { what: 'the report' });
  assert.equal([report.pod_name, report.node_name, world.coverage.nodes()], ['unpulled', 'sandbox-node', ['sandbox-node']]);
  assert.equal([...asked].sort(), ['Event in default', 'Job in default', 'Pod in default']);
});

cover('reports controllers that cannot create their pods, and when they can', async ({ begin, client, reports, gone }) => {
  await client.patch(
    KINDS.namespace,
    undefined,
    'default',
    { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } },
    { type: 'merge' },
  );
  begin({ controllersEveryMs: 100 });
  const metadata = { name: 'web', namespace: 'default' };
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  await client.create<Workload>(KINDS.deployment, { metadata, spec: { replicas: 1, selector: { matchLabels: { app: 'web' } }, template } });
  const report = await until(() => reports[0], { what: 'the report' });
  assert.equal(
    [report.failure_reason, report.resource_kind, report.workload],
    ['FailedCreate', 'ReplicaSet', { kind: 'Deployment', name: 'web' }],
  );
  assert.match(report.failure_message ?? '', /forbidden: violates PodSecurity/);
  await client.remove(KINDS.deployment, 'default', 'web');
  const word = await until(() => gone[0], { what: 'the word' });
  assert.equal(word, { namespace: 'default', pod_name: report.pod_name, pod_uid: report.pod_uid, reason: 'deleted' });
});

cover('reports a Job that has given up', async ({ begin, client, reports }) => {
  begin();
  const template = {
    spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', 'exit 1'] }] },
  };
  await client.create<Workload>(KINDS.job, { metadata: { name: 'once', namespace: 'default' }, spec: { backoffLimit: 0, template } });
  const report = await until(() => reports[0], { what: 'the report' });
  assert.equal([report.failure_reason, report.resource_kind, report.pod_name], ['BackoffLimitExceeded', 'Job', 'once']);
});

cover('closes records of pods that were deleted or recovered while nobody watched', async (world) => {
  await aPodOf(world.client, 'well', { containers: [{ name: 'app', image: 'web:1' }] });
  world.open.push(
    record({ pod_name: 'lost', pod_uid: 'u' }),
    record({ pod_name: 'well' }),
    record({ pod_name: 'elsewhere', node_name: 'sandbox-node' }),
  );
  world.begin();
  await until(() => world.gone.length >= 2, { what: 'two words' });
  assert.equal(world.gone.slice(0, 2), [
    { namespace: 'default', pod_name: 'lost', pod_uid: 'u', reason: 'deleted' },
    { namespace: 'default', pod_name: 'well', reason: 'recovered' },
  ]);
});

cover('closes the record of a controller whose name another one has now', async (world) => {
  const template = { metadata: { labels: { app: 'web' } }, spec: podSpec };
  const spec = { replicas: 0, selector: { matchLabels: { app: 'web' } }, template };
  const { metadata } = await world.client.create<Workload>(KINDS.statefulSet, { metadata: { name: 'web', namespace: 'default' }, spec });
  const of = (pod_uid: string) => record({ pod_name: 'web', pod_uid, resource_kind: 'StatefulSet' });
  world.open.push(of('former'), of(metadata.uid ?? ''));
  world.begin();
  const word = await until(() => world.gone[0], { what: 'the word' });
  assert.equal(word, { namespace: 'default', pod_name: 'web', pod_uid: 'former', reason: 'deleted' });
});

cover('closes records of pods that went with their node', async (world) => {
  const { metadata } = await aPodOf(world.client, 'left', { nodeName: 'removed-node' });
  const of = (pod_name: string, pod_uid: string, node_name: string) => record({ pod_name, pod_uid, node_name });
  world.open.push(of('lost', 'u', 'removed-node'), of('left', metadata.uid ?? '', 'removed-node'), of('lost', 'v', 'sandbox-node'));
  world.begin();
  await until(() => world.gone.length >= 2, { what: 'the word, twice' });
  assert.equal(new Set(world.gone.map(({ reason, ...one }) => `${'pod_uid' in one && one.pod_uid} ${reason}`)), new Set(['u deleted']));
});

cover('nodes without an agent stay watched when the clock is set back', async (world) => {
  let setMs = 3_600_000;
  world.live = [];
  world.begin({ now: () => new Date(Date.now() + setMs) });
  await until(() => world.coverage.nodes().length === 1, { what: 'a covered node' });
  setMs = 0;
  await until(() => world.coverage.nodes().length === 0, { what: 'a new start' });
  await until(() => world.coverage.nodes().length === 1, { what: 'a covered node again' });
});

cover.run();
