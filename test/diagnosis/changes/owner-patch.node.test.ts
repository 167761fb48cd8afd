import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Pod, PodSpec } from '../../../src/crd/kubernetes.ts';
import { runWhy } from '../../../src/modes/why.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../../support/cluster/kubectl.ts';
import { spoken } from '../../support/processes/command.ts';
import { until } from '../../support/runner/wait.ts';
import { nodeKubeconfig, onNode } from '../../support/cluster/on-node.ts';

/** Uses `podmend why -o patch` as a person does: runs its output in a shell. Afterwards the workload works. */
const test = suite('patches on a real cluster');
const NS = `owner-patch-${process.pid}`;
const SOON = { timeoutMs: 120_000, everyMs: 200 };
let kubectl: Kubectl;
let binary: string;

test.before(async () => {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  binary = found.path;
  kubectl = await kubectlFor(binary, readFileSync(nodeKubeconfig, 'utf8'));
  await ask(['create', 'namespace', NS]);
  await apply([
    { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings' }, data: { size: '3' } },
    // The pods get limits from it that their owners' templates do not have.
    {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'sizes' },
      spec: { limits: [{ type: 'Container', default: { memory: '64Mi' }, defaultRequest: { memory: '16Mi' } }] },
    },
    ...Object.values(OWNERS),
  ]);
  await ask(['create', 'job', '-n', NS, 'periodic-1', '--from=cronjob/periodic']);
});
test.after(async () => {
  await kubectl?.(['delete', 'namespace', NS, '--wait=false']);
  await kubectl?.close();
});

/** The second container names a misspelled key. */
const spec = (restartPolicy: string): PodSpec & { terminationGracePeriodSeconds: number } => {
  const runs = restartPolicy === 'Always' ? 'sleep 3600' : 'true';
  const size = { name: 'SIZE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'sise' } } };
  return {
    restartPolicy,
    terminationGracePeriodSeconds: 0,
    containers: [
      { name: 'beside', image: 'busybox:1.35', command: ['sh', '-c', runs] },
      { name: 'app', image: 'busybox:1.35', command: ['sh', '-c', runs], env: [{ name: 'PASSWORD', value: 'hunter2' }, size] },
    ],
  };
};
const template = (name: string, restartPolicy = 'Always') => ({ metadata: { labels: { app: name } }, spec: spec(restartPolicy) });
const object = (apiVersion: string, kind: string, name: string, of: object): KubeObject =>
  ({ apiVersion, kind, metadata: { name }, spec: of }) as KubeObject;
const server = (kind: string, name: string, more: object = {}) =>
  object('apps/v1', kind, name, { selector: { matchLabels: { app: name } }, template: template(name), ...more });

const OWNERS: Record<string, KubeObject> = {
  Deployment: server('Deployment', 'shop', { replicas: 1 }),
  StatefulSet: server('StatefulSet', 'ledger', { replicas: 1, serviceName: 'ledger' }),
  DaemonSet: server('DaemonSet', 'gauge'),
  ReplicaSet: server('ReplicaSet', 'loose', { replicas: 1 }),
  Job: object('batch/v1', 'Job', 'once', { template: template('once', 'Never') }),
  CronJob: object('batch/v1', 'CronJob', 'periodic', {
    schedule: '0 0 1 1 *',
    jobTemplate: { spec: { template: template('periodic', 'Never') } },
  }),
  Pod: object('v1', 'Pod', 'bare', spec('Always')),
};

async function ask(args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  assert.is(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}

const apply = (objects: object[]) =>
  ask(['apply', '-n', NS, '-f', '-'], JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

const pods = async (): Promise<Pod[]> => (JSON.parse(await ask(['get', 'pods', '-n', NS, '-o', 'json'])) as { items: Pod[] }).items;

/** The pods of a workload. Their names begin with the name of the workload. */
const podsOf = async (name: string) => (await pods()).filter(({ metadata }) => metadata.name?.split('-')[0] === name);

const lacksKey = ({ status }: Pod): boolean =>
  status?.containerStatuses?.some(({ state }) => state?.waiting?.reason === 'CreateContainerConfigError') === true;

const run = (script: string) =>
  promisify(execFile)('sh', ['-ec', script], {
    // kubectl writes its cache into HOME.
    env: { KUBECONFIG: nodeKubeconfig, HOME: tmpdir(), PATH: `${dirname(binary)}${delimiter}${process.env['PATH']}` },
  });

for (const [kind, { metadata }] of Object.entries(OWNERS)) {
  const name = metadata.name ?? '';
  test(`${kind}: what is printed corrects it`, async () => {
    const [failing] = await until(
      async () => {
        const found = (await podsOf(name)).filter(lacksKey);
        return found.length > 0 ? found : undefined;
      },
      { ...SOON, what: `a pod of ${name} that lacks its key` },
    );
    const podName = failing?.metadata.name ?? '';
    const shown = kind === 'Job' || kind === 'Pod' ? ['--show-secrets'] : [];
    const { stdout, stderr, code } = await spoken(runWhy, [podName, '-n', NS, '-o', 'patch', '--kubeconfig', nodeKubeconfig, ...shown]);
    assert.is(code, 1, stderr);
    assert.match(stdout, /^# [^\n]+\(certain|^# [^\n]+\(likely/);
    assert.is(stdout.includes('hunter2'), shown.length > 0, 'only a new manifest needs secrets');
    const [first = ''] = stdout.split('\n').filter((line) => line.startsWith('kubectl'));
    if (first.startsWith('kubectl patch')) await run(`${first} --dry-run=server`);
    await run(stdout);
    await until(
      async () => {
        const now = await podsOf(name);
        const made = now.filter((pod) => !pod.metadata.deletionTimestamp && pod.metadata.name !== (kind === 'CronJob' ? podName : ''));
        const works = ({ metadata: { uid }, status }: Pod): boolean =>
          uid !== failing?.metadata.uid &&
          (status?.phase === 'Succeeded' || status?.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true);
        return made.length > 0 && made.every(works);
      },
      { ...SOON, what: `${name} to work` },
    );
  });
}

test('a patch that was made for another state is refused', async () => {
  const owner = JSON.parse(await ask(['get', 'deployment', 'shop', '-n', NS, '-o', 'json'])) as { spec: { template: { spec: PodSpec } } };
  const [, app] = owner.spec.template.spec.containers;
  assert.is(app?.env?.[1]?.valueFrom?.configMapKeyRef?.key, 'size');
  assert.is(app?.env?.[0]?.value, 'hunter2', 'a masked value is never written back');
  const patch = JSON.stringify([
    { op: 'test', path: '/spec/template/spec/containers/0/name', value: 'app' },
    { op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'web:1' },
  ]);
  const { code } = await kubectl(['patch', 'deployment', 'shop', '-n', NS, '--type=json', '-p', patch]);
  assert.is(code, 1);
});

onNode('patches on a real cluster', () => test.run());
