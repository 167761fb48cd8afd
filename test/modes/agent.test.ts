import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import type { Pod, PodSpec } from '../../src/crd/kubernetes.ts';
import { MIRROR_LABEL, MIRROR_OF_LABEL } from '../../src/crd/mirrorpod.ts';
import { occurrenceKey } from '../../src/failures/policy/identity.ts';
import { type KubeClient, connect } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { runAgent } from '../../src/modes/agent.ts';
import type { Running } from '../../src/modes/mode.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Backend, aBackend } from '../support/worlds/backend.ts';
import { until } from '../support/runner/wait.ts';

interface World {
  sandbox: Sandbox;
  client: KubeClient;
  backend: Backend;
  agent: Running;
  start(): Promise<Running>;
}

const folder = mkdtempSync(join(tmpdir(), 'podmend-agent-'));
const agent = suite<World>('the agent');

agent.before.each(async (world) => {
  world.sandbox = await startSandbox({ speed: 10 });
  world.client = connect({ kubeconfigText: world.sandbox.kubeconfig });
  world.backend = await aBackend();
  const KUBECONFIG = join(folder, 'kubeconfig');
  writeFileSync(KUBECONFIG, world.sandbox.kubeconfig);
  const graces = { PENDING_GRACE_SECONDS: '1', UNREADY_GRACE_SECONDS: '1', RECOVERY_SECONDS: '1' };
  const env = {
    KUBECONFIG,
    SERVICE_TOKEN: 'secret-of-an-agent',
    BACKEND_URL: world.backend.url,
    NODE_NAME: world.sandbox.nodeName,
    ...graces,
  };
  world.start = () => runAgent({ config: readConfig(env, 'agent'), log: createLog({ level: 'silent' }), heartbeatMs: 200 });
  world.agent = await world.start();
});
agent.after.each(async ({ agent: running, backend, client, sandbox }) => {
  await running.stop();
  await backend.close();
  client.close();
  await sandbox.close();
});
agent.after(() => rmSync(folder, { recursive: true, force: true }));

async function run(client: KubeClient, name: string, spec: Partial<PodSpec>, labels: Record<string, string> = {}): Promise<void> {
  const containers = [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', 'echo password=hunter2; exit 3'] }];
  await client.create<Pod>(KINDS.pod, { metadata: { name, namespace: 'default', labels }, spec: { containers, ...spec } });
}
const image = (name: string): Partial<PodSpec> => ({ containers: [{ name: 'app', image: name }] });
const reasons = ({ reports }: Backend, pod: string) => reports.filter(({ pod_name }) => pod_name === pod).map((one) => one.failure_reason);

agent('reports what fails with its evidence, and nothing of what is well', async ({ client, backend }) => {
  await run(client, 'well', image('web:1'));
  await run(client, 'crashing', {});
  await run(client, 'unpulled', image('web:9'));
  await until(() => reasons(backend, 'crashing').length > 0 && reasons(backend, 'unpulled').length > 0, { what: 'two reports' });
  assert.is(reasons(backend, 'crashing')[0], 'CrashLoopBackOff');
  assert.is(reasons(backend, 'unpulled')[0], 'ImagePullBackOff');
  const report = backend.reports.find(({ pod_name }) => pod_name === 'crashing');
  assert.equal([report?.container, report?.node_name, report?.resource_kind], ['app', 'sandbox-node', 'Pod']);
  assert.ok(report?.logs?.includes('password=***'), report?.logs ?? 'no logs');
  assert.not(JSON.stringify(backend.reports).includes('hunter2'));
  assert.equal(reasons(backend, 'well'), []);
});

agent('says with each heartbeat what fails', async ({ client, backend }) => {
  await run(client, 'well', image('web:1'));
  await run(client, 'unpulled', image('web:9'));
  // A report counts as spooled until the operator has accepted it.
  const beat = await until(
    () => backend.heartbeats.find(({ failing, pods, spooled }) => failing.length === 1 && pods === 2 && spooled === 0),
    {
      what: 'a heartbeat',
    },
  );
  assert.equal([beat.node, beat.failing[0]?.pod_name, beat.failing[0]?.container], ['sandbox-node', 'unpulled', 'app']);
});

agent('reports each occurrence once', async ({ client, backend }) => {
  await run(client, 'unpulled', image('web:9'));
  await run(client, 'crashing', {});
  await until(() => reasons(backend, 'crashing').length >= 2, { what: 'two crashes' });
  assert.is(reasons(backend, 'unpulled').length, 1);
  const occurrences = backend.reports.filter(({ pod_name }) => pod_name === 'crashing').map(occurrenceKey);
  assert.is(new Set(occurrences).size, occurrences.length, occurrences.join(' '));
});

agent('reports a deletion', async ({ client, backend }) => {
  await run(client, 'unpulled', image('web:9'));
  const report = await until(() => backend.reports[0], { what: 'the report' });
  await client.remove(KINDS.pod, 'default', 'unpulled', { graceSeconds: 0 });
  const gone = await until(() => backend.gone[0], { what: 'the word' });
  assert.equal([gone.pod_uid, gone.pod_name, gone.namespace, gone.reason], [report.pod_uid, 'unpulled', 'default', 'deleted']);
  assert.ok(Date.parse(report.observed_at ?? '') < Date.parse(gone.observed_at ?? ''), 'each says when it was seen');
});

agent('reports a recovery', async ({ client, backend }) => {
  const optional = { configMapKeyRef: { name: 'settings', key: 'size' } };
  await run(client, 'waiting', { containers: [{ name: 'app', image: 'web:1', env: [{ name: 'SIZE', valueFrom: optional }] }] });
  await until(() => reasons(backend, 'waiting')[0] === 'CreateContainerConfigError', { what: 'the report' });
  await client.create(KINDS.configMap, { metadata: { name: 'settings', namespace: 'default' }, data: { size: '2' } });
  const gone = await until(() => backend.gone[0], { what: 'the recovery' });
  assert.equal([gone.pod_name, gone.reason], ['waiting', 'recovered']);
  await until(() => backend.heartbeats.at(-1)?.failing.length === 0, { what: 'a heartbeat without it' });
});

agent('reports a pod that only carries our label', async ({ client, backend }) => {
  await run(client, 'hidden', image('web:9'), { [MIRROR_LABEL]: 'true', [MIRROR_OF_LABEL]: 'x' });
  await until(() => reasons(backend, 'hidden')[0] === 'ImagePullBackOff', { what: 'the report' });
});

agent('keeps its reports while the operator is away', async ({ client, backend }) => {
  backend.away = true;
  await run(client, 'unpulled', image('web:9'));
  await until(() => backend.refused > 0, { what: 'a report that is refused' });
  backend.away = false;
  await until(() => reasons(backend, 'unpulled').length > 0, { what: 'the report' });
});

agent('knows after a restart what fails', async (world) => {
  await run(world.client, 'unpulled', image('web:9'));
  await until(() => world.backend.reports.length > 0, { what: 'the report' });
  await world.agent.stop();
  world.backend.heartbeats.length = 0;
  world.agent = await world.start();
  const first = await until(() => world.backend.heartbeats[0], { what: 'the first heartbeat' });
  assert.equal(
    first.failing.map(({ pod_name }) => pod_name),
    ['unpulled'],
  );
});

agent.run();
