import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest } from '../../src/crd/manifest.ts';
import { apiServerAssets, type ApiServer, startApiServer } from '../support/cluster/api-server.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { until } from '../support/runner/wait.ts';

// Whoever creates Secrets in kube-system takes a place among those who bootstrap nodes, if the API server takes bootstrap tokens. How such a one
// comes to a node is walked in paths.node.test.ts (csr-join).

const test = suite('bootstrap tokens on a real API server');
const GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const SOON = { everyMs: 200 };
const open: Kubectl[] = [];
let server: ApiServer;
let binary = '';

/** A kubectl of the administrator, or of whoever has a token. */
async function as(token?: string): Promise<Kubectl> {
  const config = loadManifest(server.kubeconfigText) as unknown as { users: { user: object }[] };
  if (token) for (const user of config.users) user.user = { token };
  const kubectl = await kubectlFor(binary, dumpManifest(config as unknown as KubeObject));
  open.push(kubectl);
  return kubectl;
}

/** A Secret as somebody writes it who may create Secrets and nothing else. */
const tokenOf = (id: string, secret: string, namespace: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'bootstrap.kubernetes.io/token',
    metadata: { name: `bootstrap-token-${id}`, namespace },
    stringData: {
      'token-id': id,
      'token-secret': secret,
      'usage-bootstrap-authentication': 'true',
      'auth-extra-groups': GROUP,
    },
  });
const EVE = ['--as', 'eve'];
const [SECRET, OTHER] = ['0123456789abcdef', 'fedcba9876543210'];

test.before(async () => {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  binary = found.path;
  server = await startApiServer({ 'enable-bootstrap-token-auth': 'true' });
});
test.after(async () => {
  await Promise.all(open.map((kubectl) => kubectl.close()));
  await server?.close();
});

test('a token of somebody who may only create Secrets is in the groups that it names', async () => {
  const admin = await as();
  for (const namespace of ['kube-system', 'default'])
    for (const kind of ['role', 'rolebinding']) {
      const what = kind === 'role' ? ['--verb=create', '--resource=secrets'] : ['--role=makers', '--user=eve'];
      await until(async () => (await admin(['create', kind, 'makers', '-n', namespace, ...what])).code === 0, {
        ...SOON,
        what: `the ${kind} in ${namespace}`,
      });
    }
  const creates = (id: string, secret: string, namespace: string) => async (): Promise<boolean> =>
    (await admin(['create', '-f', '-', ...EVE], tokenOf(id, secret, namespace))).code === 0;
  await until(creates('def456', OTHER, 'default'), { ...SOON, what: 'eve to create a Secret elsewhere' });
  await until(creates('abc123', SECRET, 'kube-system'), { ...SOON, what: 'eve to create a Secret' });
  const taken = await as(`abc123.${SECRET}`);
  const said = await until(
    async () => {
      const { code, stdout } = await taken(['auth', 'whoami', '-o', 'json']);
      return code === 0 ? stdout : undefined;
    },
    { ...SOON, what: 'the API server to take the token' },
  );
  const { username, groups } = (JSON.parse(said) as { status: { userInfo: { username: string; groups: string[] } } }).status.userInfo;
  assert.equal([username, groups.includes(GROUP)], ['system:bootstrap:abc123', true]);
  // Its Secret is older than the one that was taken.
  const elsewhere = await (await as(`def456.${OTHER}`))(['auth', 'whoami']);
  assert.match(elsewhere.stderr, /Unauthorized|must be logged in/);
});

test('it may do what bindings of the group allow', async () => {
  const admin = await as();
  const eve = await as(`abc123.${SECRET}`);
  const joins = ['auth', 'can-i', 'create', 'certificatesigningrequests.certificates.k8s.io'];
  assert.match((await eve(joins)).stdout, /^no/);
  await admin(['create', 'clusterrolebinding', 'joiners', '--clusterrole=system:node-bootstrapper', `--group=${GROUP}`]);
  await until(async () => (await eve(joins)).stdout.trim() === 'yes', { ...SOON, what: 'the token to request certificates' });
});

if (apiServerAssets()) test.run();
else console.log('SKIP bootstrap tokens on a real API server: KUBEBUILDER_ASSETS is not set');
