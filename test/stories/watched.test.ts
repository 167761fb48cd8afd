import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { Finding } from '../../src/contract/finding.ts';
import type { SuppressionPreview, SuppressionRecord } from '../../src/contract/suppression.ts';
import { apiServerAssets } from '../support/cluster/api-server.ts';
import { startAuditedApiServer, requestsOf } from '../support/cluster/audit.ts';
import { clusterUser } from '../support/cluster/user.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { type Installed, installPodmend } from '../support/worlds/installed.ts';
import { until } from '../support/runner/wait.ts';

// An operator on a real API server that has only Roles in two namespaces. Suppressions work in both, and the operator asks for nothing
// outside.

const ACCOUNT = 'podmend-operator';
const SERVICE = { 'x-service-token': 'node-story-token' };
/** A change must take effect within this time. */
const SOON = { timeoutMs: 2_000 };
const CLUSTER_SCOPED = ['nodes', 'persistentvolumes', 'priorityclasses', 'storageclasses'];

/** A pod that never gets a node. */
const pod = (name: string) => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop}
spec: {containers: [{name: app, image: 'web:1'}]}
`;
const suppression = (namespace: string, match: string) => `
apiVersion: podmend.dev/v1alpha1
kind: Suppression
metadata: {name: known, namespace: ${namespace}}
spec: {reason: known and accepted, match: ${match}}
`;

const test = suite('WATCH_NAMESPACES with Roles alone');
let server: Awaited<ReturnType<typeof startAuditedApiServer>>;
let podmend: Installed;

test.before(async () => {
  server = await startAuditedApiServer();
  const admin = await clusterUser(server.kubeconfig);
  await admin.apply('{apiVersion: v1, kind: Node, metadata: {name: node-1}}');
  for (const namespace of ['shop', 'bank']) await admin('create', 'namespace', namespace);
  await admin.close();
  podmend = await installPodmend(server.kubeconfig, { hasControllers: false });
  const { kubectl, client } = podmend;
  await giveRolesInstead(['shop', 'podmend']);
  await kubectl.apply(['tax-1', 'web-1'].map(pod).join('---'));
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: '0/1 nodes are available' }];
  const status = JSON.stringify({ status: { phase: 'Pending', conditions } });
  for (const name of ['tax-1', 'web-1']) await kubectl('patch', 'pod', name, '-n', 'shop', '--subresource=status', '-p', status);
  await podmend.startOperator({ WATCH_NAMESPACES: 'shop' });
  assert.is((await client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' })).status, 200);
  for (const check_name of ['privileged', 'no-probe']) {
    const found = aFindingReport({ check_name, severity: 'low', resource_name: 'db-1' });
    assert.is((await client.send('POST', '/api/security/findings', found, SERVICE)).status, 200);
  }
});
test.after(async () => {
  await podmend?.stop();
  await server?.close();
});

/** Replaces the ClusterRole by Roles with its rules in these namespaces. */
async function giveRolesInstead(namespaces: string[]): Promise<void> {
  const { kubectl } = podmend;
  const { rules } = JSON.parse(await kubectl('get', 'clusterrole', ACCOUNT, '-o', 'json')) as { rules: { resources: string[] }[] };
  const namespaced = rules.flatMap((rule) => {
    const resources = rule.resources.filter((one) => !CLUSTER_SCOPED.includes(one));
    return resources.length > 0 ? [{ ...rule, resources }] : [];
  });
  await kubectl('delete', 'clusterrolebinding', ACCOUNT);
  for (const namespace of namespaces) {
    const metadata = { name: 'narrow', namespace };
    await kubectl.apply(JSON.stringify({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata, rules: namespaced }));
    await kubectl('create', 'rolebinding', 'narrow', '-n', namespace, '--role=narrow', `--serviceaccount=podmend:${ACCOUNT}`);
  }
}

const failing = async () =>
  (await podmend.client.get<FailureRecord[]>('/api/pods/failed'))
    .map(({ pod_name }) => pod_name)
    .toSorted()
    .join();
const found = async () =>
  (await podmend.client.get<Finding[]>('/api/security/findings'))
    .map(({ check_name }) => check_name)
    .toSorted()
    .join();
const shows = (what: () => Promise<string>, expected: string, timeoutMs = SOON.timeoutMs) =>
  until(async () => (await what()) === expected, { timeoutMs, what: `"${expected}" to be shown` });
const isActive = (namespace: string) => podmend.kubectl('wait', 'supp/known', '-n', namespace, '--for=condition=Active', '--timeout=10s');

test('a team’s Suppression hides in its namespace within 2 s, and brings back when it goes', async () => {
  const { kubectl } = podmend;
  await shows(failing, 'tax-1,web-1', 30_000);
  await kubectl.apply(suppression('shop', '{pods: ["tax-*"]}'));
  await shows(failing, 'web-1');
  await isActive('shop');
  await kubectl('delete', 'supp', 'known', '-n', 'shop');
  await shows(failing, 'tax-1,web-1');
});

test('the API makes one in its own namespace, which hides findings, lists both, and takes it away', async () => {
  const { client, kubectl } = podmend;
  await kubectl.apply(suppression('shop', '{pods: ["web-*"]}'));
  await kubectl.apply(suppression('bank', '{pods: ["tax-*"]}'));
  const body = { reason: 'known and accepted', match: { checks: ['privileged'] } };
  const { body: preview } = await client.send<SuppressionPreview>('POST', '/api/suppressions/preview', body);
  assert.equal([preview.matched_failures, preview.matched_findings], [0, 1]);
  const { status, body: made } = await client.send<SuppressionRecord>('POST', '/api/suppressions', body);
  assert.is(status, 200);
  await shows(found, 'no-probe');
  await shows(failing, 'tax-1');
  const listed = await client.get<SuppressionRecord[]>('/api/suppressions');
  assert.equal(
    listed.map(({ namespace, name }) => `${namespace}/${name}`),
    [`podmend/${made.name}`, 'shop/known'],
  );
  assert.is((await client.send('DELETE', `/api/suppressions/${made.name}`)).status, 204);
  await shows(found, 'no-probe,privileged');
});

test('nothing was listed or watched beyond the two namespaces, and no request about Suppressions was refused', async () => {
  const requests = await requestsOf(server.log, ACCOUNT);
  const beyond = requests.filter(
    ({ verb, objectRef }) =>
      ['list', 'watch'].includes(verb) && !['shop', 'podmend'].includes(objectRef?.namespace ?? objectRef?.name ?? ''),
  );
  // The operator asks for cluster-scoped objects, because somebody may allow that. It works without them.
  const named = new Set(beyond.map(({ objectRef }) => objectRef?.resource ?? '').filter((resource) => !CLUSTER_SCOPED.includes(resource)));
  assert.equal([...named], []);
  const ofSuppressions = requests.filter(({ objectRef }) => objectRef?.resource === 'suppressions');
  assert.ok(ofSuppressions.length > 5);
  assert.equal(
    ofSuppressions.filter(({ responseStatus }) => responseStatus?.code === 403).map(({ requestURI }) => requestURI),
    [],
  );
});

if (apiServerAssets()) test.run();
else console.log('SKIP WATCH_NAMESPACES with Roles alone: KUBEBUILDER_ASSETS is not set');
