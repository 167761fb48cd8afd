import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { fromKubeconfig } from '../../src/kube/kubeconfig.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { type Cache, KINDS, type LightweightClient, connectLightweight } from '../../src/kube/lightweight.ts';
import { clusters } from '../support/cluster/clusters.ts';
import { type FakeApi, fakeApi } from '../support/cluster/fake-api.ts';
import { until } from '../support/runner/wait.ts';

const folder = mkdtempSync(join(tmpdir(), 'podmend-lightweight-'));
// All suites use the folder, one after another. So it is removed at exit.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const access = suite('credentials');
const kubeconfig = (cluster: object, user: object) =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster }],
    users: [{ name: 'u', user }],
  });
const base64 = (text: string) => Buffer.from(text).toString('base64');

access('certificates are in the kubeconfig or in files beside it', () => {
  written('ca.crt', 'CA');
  const path = written(
    'certificates',
    kubeconfig(
      { server: 'https://a:1/', 'certificate-authority': 'ca.crt' },
      { 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') },
    ),
  );
  assert.equal(fromKubeconfig(path), { server: 'https://a:1', tls: { ca: 'CA', cert: 'CERT', key: 'KEY' } });
});

access('a token is in the kubeconfig or in a file; a password works too', () => {
  const server = { server: 'https://a:1' };
  assert.is(fromKubeconfig(written('token', kubeconfig(server, { token: 't' }))).authorization, 'Bearer t');
  written('token.txt', 'from-file\n');
  assert.is(fromKubeconfig(written('file', kubeconfig(server, { tokenFile: 'token.txt', token: 't' }))).authorization, 'Bearer from-file');
  assert.is(fromKubeconfig(written('basic', kubeconfig(server, { username: 'a', password: 'b' }))).authorization, `Basic ${base64('a:b')}`);
});

access('of several kubeconfigs the first that can be read counts', () => {
  const path = written('several', kubeconfig({ server: 'https://a:1', 'insecure-skip-tls-verify': true, 'tls-server-name': 'n' }, {}));
  assert.equal(fromKubeconfig(`${folder}/none:${path}`), { server: 'https://a:1', tls: { servername: 'n', rejectUnauthorized: false } });
  assert.throws(() => fromKubeconfig(`${folder}/none`), /no kubeconfig could be read: .*none/);
});

access('a kubeconfig that cannot work fails at once', () => {
  assert.throws(() => fromKubeconfig(written('exec', kubeconfig({ server: 'https://a:1' }, { exec: {} }))), /exec/);
  assert.throws(() => fromKubeconfig(written('empty', '{}')), /current context names no cluster/);
  assert.throws(() => connectLightweight({}), /KUBECONFIG is not set/);
});

access("inside a cluster the service account's files count", () => {
  written('token', 'account\n');
  assert.is(connectLightweight({ inClusterServer: 'https://10.0.0.1:443', serviceAccountDir: folder }).server, 'https://10.0.0.1:443');
});
access.run();

const following = suite<{ api: FakeApi; client: LightweightClient; cache: Cache<KubeObject>; log: string[] }>('following a kind');
following.before.each(async (context) => {
  context.api = await fakeApi();
  for (const name of ['a', 'b', 'c']) context.api.put(name);
  context.client = connectLightweight({ kubeconfig: written('fake', context.api.kubeconfigText), timeoutMs: 2_000 });
  const timing = { backoffMs: 5, maxBackoffMs: 20, quietMs: 300 };
  context.cache = context.client.follow(KINDS.pod, { project: (pod) => ({ metadata: pod.metadata }), timing });
  context.log = [];
  context.cache.onChange(({ type, object }) => void context.log.push(`${type} ${object.metadata.name}`));
  await context.cache.start();
});
following.after.each(async ({ api, client, cache }) => {
  await cache.stop();
  client.close();
  await api.close();
});

following('lists in pages, then watches', async ({ api, cache, log }) => {
  assert.equal(log, ['ADDED a', 'ADDED b', 'ADDED c']);
  assert.is(cache.get('default', 'a')?.metadata.managedFields, undefined);
  await until(() => api.open.length === 1, { what: 'the watch' });
  api.put('d');
  api.remove('a');
  await until(() => log.length === 5, { what: 'two changes' });
  assert.equal(log.slice(3), ['ADDED d', 'DELETED a']);
});

following('survives a cut, errors, 410 and silence', async ({ api, log }) => {
  await until(() => api.open.length === 1, { what: 'the watch' });
  api.refuse('watch', 500, 503, 410);
  api.open[0]?.destroy();
  api.put('d');
  await until(() => log.includes('ADDED d'), { what: 'the change that was missed' });
  const { watches } = api;
  await until(() => api.watches > watches, { what: 'another watch after silence' });
});

following('answers refusals and absence with their errors', async ({ api, client }) => {
  api.refuse('list', 403, 404);
  const refused = await client.list(KINDS.pod).catch((error: unknown) => error);
  assert.ok(refused instanceof KubeError && refused.code === 403);
  assert.is(await client.read(KINDS.pod, 'default', 'none'), undefined);
  const nobody = connectLightweight({ kubeconfig: written('nobody', kubeconfig({ server: 'http://127.0.0.1:1' }, {})) });
  assert.instance(await nobody.list(KINDS.pod).catch((error: unknown) => error), ClusterUnavailable);
  nobody.close();
});
following.run();

for (const { name, start } of clusters('lightweight client')) {
  const real = suite(`lightweight client on the ${name}`);
  real('lists and follows with its credentials', async () => {
    const cluster = await start();
    const client = connectLightweight({ kubeconfig: written(`real-${name.slice(0, 3)}`, cluster.kubeconfigText) });
    const cache = client.follow(KINDS.namespace, { project: (object) => object });
    await cache.start();
    assert.ok(cache.get(undefined, 'default'));
    await cache.stop();
    client.close();
    await cluster.close();
  });
  real.run();
}
