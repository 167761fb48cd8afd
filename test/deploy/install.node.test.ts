import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import packageJson from '../../package.json' with { type: 'json' };
import type { FailureDetail, FailureRecord } from '../../src/contract/failure.ts';
import { type Client, apiClient } from '../support/network/client.ts';
import { type ClusterUser, clusterUser } from '../support/cluster/user.ts';
import { portForward } from '../support/cluster/port-forward.ts';
import { until } from '../support/runner/wait.ts';

const kubeconfig = process.env['TEST_KUBECONFIG'];
const image = process.env['TEST_IMAGE'];
const INSTALL = new URL('../../deploy/install.yaml', import.meta.url);
const SHOP = 'install-shop';
const ADMIN = { username: 'admin', password: 'correct horse' };

/** Three kinds of workload whose containers end at once. The mirror of one of them has a command that keeps running. */
const KINDS = ['Deployment', 'StatefulSet', 'DaemonSet'];
const FAILING = [
  `{apiVersion: v1, kind: Namespace, metadata: {name: ${SHOP}}}`,
  ...KINDS.map((kind) => {
    const app = kind.toLowerCase();
    return `
apiVersion: apps/v1
kind: ${kind}
metadata: {name: ${app}, namespace: ${SHOP}}
spec:
  selector: {matchLabels: {app: ${app}}}
  template:
    metadata: {labels: {app: ${app}}}
    spec: {containers: [{name: app, image: 'busybox:1.35', command: [sh, -c, 'echo no drawer; exit 3']}]}
`;
  }),
].join('\n---\n');
const MIRROR = (source: string) => `
apiVersion: podmend.dev/v1alpha1
kind: MirrorPod
metadata: {name: till, namespace: ${SHOP}}
spec:
  source: {name: ${source}}
  ttlSeconds: 120
  template: {spec: {containers: [{name: app, image: 'busybox:1.35', command: [sleep, '3600']}]}}
`;

const SUPPRESSION = `
apiVersion: podmend.dev/v1alpha1
kind: Suppression
metadata: {name: two, namespace: podmend}
spec: {reason: two entries in one, match: {pods: ['two-*', 'three-*']}}
`;

if (!kubeconfig || !image) {
  console.log(`SKIP Podmend in a cluster: ${kubeconfig ? 'TEST_IMAGE' : 'TEST_KUBECONFIG'} is not set`);
} else {
  tell(kubeconfig, image);
}

function tell(config: string, ownImage: string): void {
  const test = suite('Podmend in a cluster, by its install.yaml');
  let kubectl: ClusterUser;
  let folder: string;
  let file: string;
  let client: Client;
  let records: FailureRecord[];
  let forward: Awaited<ReturnType<typeof portForward>> | undefined;
  const own = (...args: string[]) => kubectl('-n', 'podmend', ...args);
  const connect = async () => {
    await forward?.close();
    forward = await portForward(config, { namespace: 'podmend', target: 'service/podmend', port: 8000 });
    client = apiClient(forward.url);
  };
  const isReady = () =>
    Promise.all([
      own('rollout', 'status', 'deployment/podmend-operator', '--timeout=120s'),
      own('rollout', 'status', 'daemonset/podmend-agent', '--timeout=120s'),
      own('rollout', 'status', 'deployment/podmend-scanner', '--timeout=120s'),
    ]);

  test.before(async () => {
    kubectl = await clusterUser(config);
    folder = await mkdtemp(join(tmpdir(), 'podmend-install-'));
    file = join(folder, 'install.yaml');
    const text = await readFile(INSTALL, 'utf8');
    const named = `image: podmend:${packageJson.version}\n`;
    assert.is(text.split(named).length, 4, `operator, agent and scanner run ${named}`);
    await writeFile(file, text.replaceAll(named, `image: ${ownImage}\n`));
    // Another suite may have left definitions and roles. This test needs a cluster without them.
    await kubectl('delete', '-f', file, '--ignore-not-found', '--timeout=60s');
  });
  test.after(async () => {
    await forward?.close();
    await kubectl?.('delete', 'namespace', SHOP, '--ignore-not-found', '--wait=false');
    await kubectl?.('delete', '-f', file, '--ignore-not-found', '--timeout=60s');
    await kubectl?.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('one kubectl apply installs it, without a warning, and a second one changes nothing', async () => {
    await kubectl('apply', '-f', file, '--warnings-as-errors');
    const again = (await kubectl('apply', '-f', file, '--warnings-as-errors')).trim().split('\n');
    assert.equal(
      again.filter((line) => !line.endsWith(' unchanged')),
      [],
    );
  });

  test('its namespace is restricted', async () => {
    const refusal = await own('run', 'root', '--image=busybox:1.35', '--dry-run=server').catch(String);
    assert.match(refusal, /violates PodSecurity "restricted/);
  });

  test('without its Secret operator, agent and scanner wait, and say what is missing', async () => {
    const query = '-o=jsonpath={range .items[*]}{.status.containerStatuses[0].state.waiting.message}{"\\n"}{end}';
    const told = async () => (await own('get', 'pods', query)).match(/^secret "podmend" not found$/gm)?.length === 3;
    await until(told, { timeoutMs: 90_000, everyMs: 500, what: 'three pods that wait for the Secret podmend' });
  });

  test('with it, all become ready', async () => {
    await own('create', 'configmap', 'podmend', '--from-literal=CLUSTER_NAME=inside', '--from-literal=RECOVERY_SECONDS=20');
    await own('create', 'secret', 'generic', 'podmend', '--from-literal=SERVICE_TOKEN=secret-of-the-cluster');
    await isReady();
    await connect();
    const signup = await client.send('POST', '/api/auth/signup', ADMIN);
    assert.is(signup.status, 200, JSON.stringify(signup.body));
  });

  test('the agent reports failing pods to the operator, over its Service', async () => {
    await kubectl.apply(FAILING);
    const of = (records: FailureRecord[]) => KINDS.flatMap((kind) => records.find(({ workload }) => workload?.kind === kind) ?? []);
    let last: FailureRecord[] = [];
    const all = async () => {
      last = (await client.get<FailureRecord[]>('/api/pods/failed')).filter(({ namespace }) => namespace === SHOP);
      return of(last).length === KINDS.length;
    };
    await until(all, { timeoutMs: 60_000, everyMs: 250, what: () => `a record of each failing pod: ${JSON.stringify(last)}` });
    records = of(last);
    const agent = await own('logs', 'daemonset/podmend-agent');
    for (const { pod_name, cluster, failure_reason } of records) {
      assert.equal([cluster, failure_reason], ['inside', 'CrashLoopBackOff']);
      assert.match(agent, `"pod":"${pod_name}"`);
    }
  });

  // These requests need rights that the other tests do not need. They answer 5xx when a role lacks one.
  test('the roles allow all requests of the API to the cluster', async () => {
    for (const { id, workload } of records) {
      const preview = await client.send('POST', `/api/mirror/preview/${id}`);
      assert.is(preview.status, 200, `${workload?.kind}: ${JSON.stringify(preview.body)}`);
    }
    const { namespace, pod_name } = records[0]!;
    assert.match((await client.get<{ logs: string }>(`/api/pods/${namespace}/${pod_name}/logs`)).logs, 'no drawer');

    const drawn = [
      `namespace/${SHOP}`,
      `workload/${SHOP}/Deployment/deployment`,
      'roles',
      'role/podmend/podmend-operator',
      'clusterrole/podmend-agent',
    ];
    for (const path of drawn) {
      const answer = await client.get<{ missing_rights?: string[] }>(`/api/diagram/${path}`);
      assert.equal(answer.missing_rights ?? [], [], path);
    }
    assert.ok((await client.get<{ namespaces: string[] }>('/api/diagram/namespaces')).namespaces.includes(SHOP));
    const manifest = await client.send('GET', `/api/diagram/manifest/${namespace}/Pod/${pod_name}`);
    assert.is(manifest.status, 200);

    const excluded = '/api/admin/excluded-pods';
    assert.is((await client.send('POST', excluded, { pod_name: 'one-*' })).status, 200);
    await kubectl.apply(SUPPRESSION);
    const entries = async () => (await client.get<{ pod_name: string }[]>(excluded)).map((one) => one.pod_name).sort();
    await until(async () => (await entries()).length === 3, { what: 'the entries that kubectl made' });
    // One Suppression has two of the entries. The first DELETE patches it, the second deletes it.
    for (const name of ['two-*', 'three-*', 'one-*']) {
      assert.is((await client.send('DELETE', `${excluded}/${encodeURIComponent(name)}`)).status, 204);
    }
    assert.equal(await entries(), []);
    assert.is(await own('get', 'suppressions', '-o=name'), '');
  });

  test('the roles allow all requests for a notification provider', async () => {
    const url = '/api/admin/notifications';
    const setting = (enabled: boolean, token: string) => ({
      provider: 'webhook',
      enabled,
      config: { webhook_url: 'https://hooks.example.com/podmend', token },
    });
    const made = await client.send('POST', url, setting(true, 'the-first-token'));
    assert.is(made.status, 200, JSON.stringify(made.body));
    const conditions = () => own('get', 'notificationprovider', 'webhook', '-o=jsonpath={.status.conditions[*].type}');
    await until(async () => (await conditions()).includes('Ready'), { timeoutMs: 60_000, everyMs: 250, what: 'a status of the provider' });
    const changed = await client.send('PUT', `${url}/webhook`, setting(false, 'the-second-token'));
    assert.is(changed.status, 200, JSON.stringify(changed.body));
    assert.is((await client.send('DELETE', `${url}/webhook`)).status, 204);
    assert.is(await own('get', 'notificationproviders', '-o=name'), '');
    assert.is(await own('get', 'secrets', 'podmend-notification-webhook', '--ignore-not-found', '-o=name'), '');
  });

  test('a MirrorPod there ends Fixed', async () => {
    await kubectl.apply(MIRROR(records[0]?.pod_name ?? ''));
    await kubectl('-n', SHOP, 'wait', '--for=condition=Ready', 'mirrorpod/till', '--timeout=90s');
    assert.is(await kubectl('-n', SHOP, 'get', 'mirrorpod', 'till', '-o=jsonpath={.status.verdict}'), 'Fixed');
  });

  test('a restart of the operator loses nothing', async () => {
    const restarts = '-o=jsonpath={.items[0].status.containerStatuses[0].restartCount}';
    const selector = '--selector=app.kubernetes.io/component=operator';
    // SIGTERM as from the kubelet: the process ends cleanly, and its container starts again.
    await own('exec', 'deployment/podmend-operator', '--', '/nodejs/bin/node', '-e', 'process.kill(1)');
    const isNew = async () => (await own('get', 'pods', selector, restarts)) === '1';
    await until(isNew, { timeoutMs: 60_000, everyMs: 250, what: 'the container to start again' });
    await isReady();
    await connect();
    assert.is((await client.send('POST', '/api/auth/login', ADMIN)).status, 200, 'accounts are still there');
    const again = await client.get<FailureDetail>(`/api/pods/failed/${records[0]?.id}`);
    assert.is(again.pod_name, records[0]?.pod_name);
    assert.equal(
      again.trials.map(({ verdict }) => verdict),
      ['Fixed'],
    );
  });

  test('a second replica without a common database is not ready, and kubectl says why', async () => {
    const selector = '--selector=app.kubernetes.io/component=operator';
    await own('scale', 'deployment/podmend-operator', '--replicas=2');
    let told = '';
    const isTold = async () =>
      /Warning +DatabaseNotShared .*Replicas need a common DATABASE_URL/.test(
        (told = await own('describe', 'pods', selector, '--show-events')),
      );
    await until(isTold, { timeoutMs: 60_000, everyMs: 500, what: () => `the event DatabaseNotShared:\n${told.slice(-3000)}` });
    const ready = '-o=jsonpath={range .items[*]}{.status.containerStatuses[0].ready}{"\\n"}{end}';
    assert.equal((await own('get', 'pods', selector, ready)).trim().split('\n').sort(), ['false', 'true']);
    await own('scale', 'deployment/podmend-operator', '--replicas=1');
    await isReady();
    assert.is((await client.send('GET', '/api/auth/me')).status, 200, 'the first replica stays');
  });

  test('kubectl delete leaves nothing', async () => {
    await forward?.close();
    await kubectl('delete', '-f', file, '--timeout=100s');
    const kinds = 'crd,clusterroles,clusterrolebindings,validatingadmissionpolicies,validatingadmissionpolicybindings,priorityclasses,ns';
    assert.is(await kubectl('get', kinds, '--selector=app.kubernetes.io/name=podmend', '-o=name'), '');
    assert.not.match(await kubectl('api-resources', '--cached=false', '-o=name'), /podmend\.dev/);
    const left = async () => (await kubectl('get', 'pods,networkpolicies', '-A', '--selector=podmend.dev/mirror', '-o=name')) === '';
    await until(left, { timeoutMs: 60_000, everyMs: 500, what: 'the mirror to be collected' });
  });

  test.run();
}
