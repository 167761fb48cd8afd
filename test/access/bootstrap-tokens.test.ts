import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest } from '../../src/crd/manifest.ts';
import { apiServerAssets, type ApiServer, startApiServer } from '../support/cluster/api-server.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { until } from '../support/runner/wait.ts';

// Who can create Secrets in kube-system can create a bootstrap token and become a member of the bootstrappers' group.
// The API server must accept bootstrap tokens for that. paths.node.test.ts (csr-join) shows the way from there to a node.

const test = suite('bootstrap tokens on a real API server');
const GROUP = 'system:bootstrappers:kubeadm:default-node-token';
const SOON = { everyMs: 200 };
const open: Kubectl[] = [];
let server: ApiServer;
let binary = '';

/** A kubectl of the administrator, or of the owner of `token`. */
async function as(token?: string): Promise<Kubectl> {
  const config = loadManifest(server.kubeconfigText) as unknown as { users: { user: object }[] };
  if (token) for (const user of config.users) user.user = { token };
  const kubectl = await kubectlFor(binary, dumpManifest(config as unknown as KubeObject));
  open.push(kubectl);
  return kubectl;
}

/** A bootstrap token as a Secret. Creating it needs only the right to create Secrets. */
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

test('who may only create Secrets can make a token, which is in the groups that it names', async () => {
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
  // The server has accepted a newer token. So it has seen this older Secret too, and still refuses it.
  const elsewhere = await (await as(`def456.${OTHER}`))(['auth', 'whoami']);
  assert.match(elsewhere.stderr, /Unauthorized|must be logged in/);
});

test('the token has the rights of its group', async () => {
  const admin = await as();
  const eve = await as(`abc123.${SECRET}`);
  const joins = ['auth', 'can-i', 'create', 'certificatesigningrequests.certificates.k8s.io'];
  assert.match((await eve(joins)).stdout, /^no/);
  await admin(['create', 'clusterrolebinding', 'joiners', '--clusterrole=system:node-bootstrapper', `--group=${GROUP}`]);
  await until(async () => (await eve(joins)).stdout.trim() === 'yes', { ...SOON, what: 'the token to request certificates' });
});

if (apiServerAssets()) test.run();
else console.log('SKIP bootstrap tokens on a real API server: KUBEBUILDER_ASSETS is not set');
