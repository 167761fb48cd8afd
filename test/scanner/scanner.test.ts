import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import type { Finding } from '../../src/contract/finding.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { checkById } from '../../src/checks/list.ts';
import { type Policy, policyOf } from '../../src/checks/policies/policies.ts';
import { runScanner } from '../../src/modes/scanner.ts';
import type { Running } from '../../src/modes/mode.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { passOn } from '../support/network/pass-on.ts';
import { until } from '../support/runner/wait.ts';
import { SERVICE_TOKEN, testApp, type TestApp } from '../support/worlds/app.ts';

// A scanner, an operator's API with its database, and a cluster: from a workload to its findings and back.

/** What stands before an API server and says another minor version. */
async function versionFront(target: string, minor: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming;
    if (url === '/version') return void outgoing.end(JSON.stringify({ minor }));
    passOn(incoming, outgoing, (answered) => request(new URL(url, target), { method, headers }, answered));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** A Kubernetes version that is new enough for all controls. */
const SERVER_MINOR = 36;
const template = {
  metadata: { labels: { app: 'web' } },
  spec: { hostPID: true, containers: [{ name: 'app', image: 'registry.example/web:1' }] },
};
const deployment = {
  metadata: { name: 'web', namespace: 'shop' },
  spec: { replicas: 0, selector: { matchLabels: { app: 'web' } }, template },
} as unknown as KubeObject;

const older = suite('scanner on an older API server');
const ends: (() => unknown)[] = [];
older.after(async () => {
  for (const end of ends.toReversed()) await end();
});

older('checks only what that version of Kubernetes knows', async () => {
  const sandbox = await startSandbox({ noNode: true });
  ends.push(sandbox.close);
  const front = await versionFront(sandbox.url, '33');
  ends.push(front.close);
  const client = connect({ kubeconfigText: sandbox.kubeconfig, silenceMs: 30_000 });
  ends.push(() => client.close());
  const app = await testApp();
  ends.push(() => app.close());
  const folder = await mkdtemp(join(tmpdir(), 'podmend-scanner-'));
  ends.push(() => rm(folder, { recursive: true, force: true }));
  await installDefinitions(client);
  await client.create(KINDS.namespace, { metadata: { name: 'shop' } });
  const containers = [{ ...template.spec.containers[0], livenessProbe: { httpGet: { host: '10.0.0.1', port: 80 } } }];
  const { spec } = deployment as unknown as { spec: object };
  const probed = { ...spec, template: { ...template, spec: { ...template.spec, containers } } };
  await client.create(KINDS.deployment, { ...deployment, spec: probed } as never);
  const kubeconfig = join(folder, 'kubeconfig');
  await writeFile(kubeconfig, sandbox.kubeconfig.replaceAll(sandbox.url, front.url), { mode: 0o600 });
  const backendUrl = await app.app.listen({ host: '127.0.0.1', port: 0 });
  const config = readConfig({ SERVICE_TOKEN, KUBECONFIG: kubeconfig, BACKEND_URL: backendUrl }, 'scanner');
  const scanner = await runScanner({ config, log: createLog({ level: 'silent' }) });
  ends.push(() => scanner.stop());
  const completed = () => app.messages.some((one) => one.type === 'security_rescan_status' && one.data.status === 'completed');
  await until(completed, { what: 'the first pass to end', timeoutMs: 60_000 });
  const found = await app.send('read', { method: 'GET', url: '/api/security/findings?namespace=shop' });
  const checks = found.json<Finding[]>().map(({ check_name }) => check_name);
  // Pod Security has a control for the hosts of probes from v1.34 on.
  assert.equal([checks.includes('host-namespaces'), checks.includes('host-probes')], [true, false]);
});
older.run();

for (const { name, start } of clusters('scanner')) {
  const scanning = suite(`scanner on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let app: TestApp;
  let scanner: Running;
  let folder: string;

  scanning.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText, silenceMs: 30_000 });
    await installDefinitions(client);
    for (const namespace of ['shop', 'podmend'])
      await client.create(KINDS.namespace, {
        metadata: { name: namespace, labels: namespace === 'shop' ? { 'pod-security.kubernetes.io/enforce': 'baseline' } : {} },
      });
    await client.create(KINDS.deployment, deployment as never);
    app = await testApp();
    const backendUrl = await app.app.listen({ host: '127.0.0.1', port: 0 });
    folder = await mkdtemp(join(tmpdir(), 'podmend-scanner-'));
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, cluster.kubeconfigText, { mode: 0o600 });
    const env = { SERVICE_TOKEN, KUBECONFIG: kubeconfig, BACKEND_URL: backendUrl, HIDDEN_NAMESPACES: 'hidden' };
    const config = readConfig(env, 'scanner');
    scanner = await runScanner({ config, log: createLog({ level: 'silent' }) });
  });
  scanning.after(async () => {
    await scanner?.stop();
    await app?.close();
    client?.close();
    await cluster?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const findings = async (query = 'namespace=shop'): Promise<Finding[]> =>
    (await app.send('read', { method: 'GET', url: `/api/security/findings?${query}` })).json<Finding[]>();
  const has = async (check: string, resource = 'web'): Promise<boolean> =>
    (await findings()).some((one) => one.check_name === check && one.resource_name === resource);
  const statuses = (): string[] =>
    app.messages.flatMap((one) => (one.type === 'security_rescan_status' ? [`${one.data.status} ${one.data.reason}`] : []));
  const wait = { timeoutMs: 60_000 };

  scanning('the first pass reports a workload with field, patch and what refuses it', async () => {
    await until(() => statuses().includes('completed start'), { what: 'the first pass to end', ...wait });
    const found = (await findings()).find(({ check_name }) => check_name === 'host-namespaces');
    assert.is(found?.resource_type, 'Deployment');
    assert.equal(found?.details['field_paths'], ['spec.template.spec.hostPID']);
    assert.match(JSON.stringify(found?.details['fix']), 'spec.template.spec.hostPID');
    assert.is(found?.details['enforced_by'], 'Pod Security baseline of the namespace');
  });

  scanning('a change is checked, and a fixed finding is resolved', async () => {
    await client.patch(KINDS.deployment, 'shop', 'web', { spec: { template: { spec: { hostPID: null } } } }, { type: 'merge' } as never);
    await until(async () => !(await has('host-namespaces')), { what: 'the finding to be resolved', ...wait });
    assert.ok(await has('run-as-non-root'));
    const { spec } = template;
    await client.patch(KINDS.deployment, 'shop', 'web', { spec: { template: { spec: { hostPID: spec.hostPID } } } }, {
      type: 'merge',
    } as never);
    await until(() => has('host-namespaces'), { what: 'the finding to be reopened', ...wait });
    const again = (await findings()).find(({ check_name }) => check_name === 'host-namespaces');
    assert.is(again?.status, 'reopened');
  });

  scanning('a trusted registry and a NetworkPolicy change what is found', async () => {
    assert.not(await has('untrusted-registry'));
    const match = { checks: ['untrusted-registry'], images: ['other.example/*'] };
    await client.create(KINDS.suppression, { metadata: { name: 'trust', namespace: 'podmend' }, spec: { reason: 'ours', match } } as never);
    await until(() => has('untrusted-registry'), { what: 'the registry to count', ...wait });
    assert.ok(await has('network-policy'));
    const policy = { metadata: { name: 'all', namespace: 'shop' }, spec: { podSelector: {}, policyTypes: ['Ingress'] } };
    await client.create(KINDS.networkPolicy, policy as never);
    await until(async () => !(await has('network-policy')), { what: 'the policy to count', ...wait });
  });

  scanning('a request leads to a pass that reports its progress and sends no findings', async () => {
    const before = await findings();
    const { statusCode } = await app.send('write', { method: 'POST', url: '/api/security/rescan', payload: { reason: 'audit' } });
    assert.is(statusCode, 200);
    await until(() => statuses().includes('completed audit'), { what: 'the pass to end', ...wait });
    assert.equal(
      statuses().filter((text) => text.endsWith(' audit')),
      ['requested audit', 'started audit', 'completed audit'],
    );
    assert.equal(await findings(), before, 'nothing was written, not even when it was seen last');
  });

  scanning('a change of trusted registries leads to a pass, as the specification shows it', async () => {
    app.deps.hub.publish({ type: 'trusted_registry_change', data: { registry: 'x.example', action: 'added' } });
    await until(() => statuses().includes('completed trusted_registry_change'), { what: 'the pass to end', ...wait });
    assert.ok(statuses().includes('started trusted_registry_change'));
  });

  scanning('roles and bindings are judged, with the one change that takes the power away', async () => {
    const pick = { apiGroups: [''], resources: ['secrets', 'pods'], verbs: ['list'] };
    await client.create(KINDS.role, { metadata: { name: 'peek', namespace: 'shop' }, rules: [pick] } as never);
    const roleFindings = async (check: string, query = 'namespace=shop'): Promise<Finding | undefined> =>
      (await findings(query)).find((one) => one.check_name === check && ['peek', 'watch'].includes(one.resource_name));
    const secrets = await until(() => roleFindings('role-secrets'), { what: 'the role to be judged', ...wait });
    assert.equal(
      (secrets.details['fix'] as { path: string; to: unknown }[]).map(({ path, to }) => [path, to]),
      [['rules[0].resources', ['pods']]],
    );
    assert.ok(await roleFindings('unbound-role'));
    const subjects = [{ kind: 'ServiceAccount', name: 'robot', namespace: 'shop' }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'peek' };
    await client.create(KINDS.roleBinding, { metadata: { name: 'peek', namespace: 'shop' }, roleRef, subjects } as never);
    await until(async () => !(await roleFindings('unbound-role')), { what: 'the binding to count', ...wait });
    await until(() => roleFindings('missing-account'), { what: 'the subject to be missed', ...wait });
    await client.create(KINDS.serviceAccount, { metadata: { name: 'robot', namespace: 'shop' } });
    await until(async () => !(await roleFindings('missing-account')), { what: 'the account to count', ...wait });
    const all = { ...roleRef, kind: 'ClusterRole', name: 'cluster-admin' };
    const hidden = { kind: 'ServiceAccount', name: 'gone', namespace: 'hidden' };
    await client.create(KINDS.clusterRoleBinding, { metadata: { name: 'watch' }, roleRef: all, subjects: [...subjects, hidden] } as never);
    const admin = await until(() => roleFindings('admin-binding', 'namespace=cluster-wide'), { what: 'the binding to be judged', ...wait });
    assert.is(admin.resource_type, 'ClusterRoleBinding');
    // All findings of a resource arrive together.
    assert.not.match(JSON.stringify(await findings('namespace=cluster-wide')), /hidden/);
    await client.remove(KINDS.clusterRoleBinding, '', 'watch');
    await until(async () => !(await roleFindings('admin-binding', 'namespace=cluster-wide')), { what: 'its finding to go', ...wait });
    assert.equal(await findings('namespace=cluster-wide'), [], 'nothing that Kubernetes ships is told');
    await client.remove(KINDS.roleBinding, 'shop', 'peek');
    await client.remove(KINDS.role, 'shop', 'peek');
    await until(async () => !(await roleFindings('role-secrets')), { what: 'the findings of the role to go', ...wait });
  });

  scanning('a policy of ours that is bound refuses what is found, and says so', async () => {
    const policy = policyOf(checkById('run-as-non-root')!, { minor: SERVER_MINOR, trustedRegistries: [] }) as Policy;
    const { spec } = policy.policy;
    await client.create(KINDS.validatingAdmissionPolicy, { ...policy.policy, spec } as never);
    await client.create(KINDS.validatingAdmissionPolicyBinding, policy.binding as never);
    const saying = async () => (await findings()).find(({ check_name }) => check_name === 'run-as-non-root')?.details['enforced_by'];
    await until(async () => (await saying()) === 'the policy podmend-run-as-non-root', { what: 'the policy to be known', ...wait });
    await client.remove(KINDS.validatingAdmissionPolicyBinding, '', 'podmend-run-as-non-root');
    await until(async () => !(await saying()), { what: 'the policy to count no more', ...wait });
  });

  scanning('findings of deleted objects are no longer shown', async () => {
    await client.remove(KINDS.deployment, 'shop', 'web');
    await until(async () => (await findings()).length === 0, { what: 'its findings to go', ...wait });
  });

  scanning.run();
}
