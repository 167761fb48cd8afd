import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Suppression } from '../../src/crd/suppression.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { controller } from '../../src/kube/controller.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { podmendOperator } from '../../src/kube/operator.ts';
import { watchKind } from '../../src/kube/watch.ts';
import { createLog } from '../../src/log.ts';
import { type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { fakeApi } from '../support/cluster/fake-api.ts';
import { aSuppression } from '../support/builders/suppression.ts';
import { until } from '../support/runner/wait.ts';

const log = createLog({ level: 'silent' });

const life = suite('life of an operator');
/** An operator that watches pods. Each change queues the key of the pod and the key `everybody`. */
async function begin() {
  const api = await fakeApi();
  const client = connect({ kubeconfigText: api.kubeconfigText });
  const pods = watchKind(client, KINDS.pod, { project: (pod) => pod, timing: { backoffMs: 10, maxBackoffMs: 20 } });
  const passes: string[] = [];
  const failing = new Set<string>();
  const reconcile = async (key: string) => {
    passes.push(key);
    if (failing.has(key)) throw new Error('told to fail');
  };
  const target = controller({ name: 'test', log, reconcile });
  const operator = podmendOperator(client, log).when(KINDS.pod, pods, target, ({ metadata }) => [`default/${metadata.name}`, 'everybody']);
  const end = async () => {
    await operator.drain();
    client.close();
    await api.close();
  };
  return { api, pods, passes, failing, operator, end };
}

life('existing and changed objects get their passes, deleted ones too', async () => {
  const { api, passes, operator, end } = await begin();
  api.put('a');
  await operator.start();
  await until(() => passes.includes('default/a') && passes.includes('everybody') && api.open.length === 1, { what: 'first passes' });
  passes.length = 0;
  api.put('b');
  api.remove('a');
  await until(() => passes.includes('default/a') && passes.includes('default/b'), { what: 'passes over changes' });
  await end();
});

life('objects of a cache that was started earlier get their passes too', async () => {
  const { api, pods, passes, operator, end } = await begin();
  api.put('a');
  await pods.start();
  await operator.start();
  await until(() => passes.includes('default/a'), { what: 'a pass' });
  await end();
});

life('it starts while the cluster is away, outlives errors of every kind, and stops without ending the process', async () => {
  const { api, passes, operator, end } = await begin();
  api.refuse('list', 500, 403);
  await operator.start();
  api.put('a');
  await until(() => passes.includes('default/a') && api.open.length === 1, { what: 'a pass after the outage' });
  api.emit({ type: 'ERROR', object: { code: 500, message: 'etcd' } });
  await until(() => api.watches > 1 && api.open.length === 1, { what: 'a new watch' });
  api.open[0]!.destroy();
  await until(() => api.watches > 2 && api.open.length === 1, { what: 'another watch' });
  operator.stop();
  await end();
});

life('passes that failed during an outage run when the cluster is back, not when their backoff is over', async () => {
  const { api, passes, failing, operator, end } = await begin();
  failing.add('default/a');
  api.put('a');
  await operator.start();
  await until(() => passes.filter((key) => key === 'default/a').length === 5 && api.open.length === 1, { what: 'passes that fail' });
  failing.clear();
  const before = passes.length;
  api.refuse('watch', 503, 503);
  api.open[0]!.destroy();
  // By its own backoff, the next pass would come 4 s later.
  await until(() => passes.length > before, { what: 'the pass that does not' });
  await end();
});

life('a broken kubeconfig of the surroundings does not reach it', () => {
  const before = process.env['KUBECONFIG'];
  process.env['KUBECONFIG'] = '/does/not/exist';
  const client = connect({
    kubeconfigText:
      '{current-context: c, contexts: [{name: c, context: {cluster: c, user: c}}], users: [{name: c, user: {}}], clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]}',
  });
  try {
    podmendOperator(client, log);
    assert.throws(() => connect({}), /ENOENT/);
  } finally {
    if (before === undefined) delete process.env['KUBECONFIG'];
    else process.env['KUBECONFIG'] = before;
  }
});
life.run();

for (const { name, start } of clusters('status writing')) {
  const test = suite(`status on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  test.before(async () => {
    cluster = await start();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    await installDefinitions(client);
  });
  test.after(async () => {
    client.close();
    await cluster.close();
  });

  test('it is written once, drops fields that no longer exist, and a lost race is a 409', async () => {
    const cache = watchKind(client, KINDS.suppression, { project: (one: Suppression) => one });
    const passes = controller({ name: 'test', log, reconcile: async () => undefined });
    const operator = podmendOperator(client, log).when(KINDS.suppression, cache, passes);
    const { metadata, ...rest } = aSuppression({ pods: ['a'] });
    const made = await client.create(KINDS.suppression, { ...rest, metadata: { name: metadata.name!, namespace: 'default' } });
    const read = async () => (await client.read(KINDS.suppression, 'default', 'known'))!;
    await operator.writeStatus(KINDS.suppression, made, { matchedFailures: 1, matchedFindings: 2 });
    const first = await read();
    assert.equal(first.status, { matchedFailures: 1, matchedFindings: 2 });
    await operator.writeStatus(KINDS.suppression, first, { matchedFailures: 1, matchedFindings: 2 });
    assert.is((await read()).metadata.resourceVersion, first.metadata.resourceVersion);
    await operator.writeStatus(KINDS.suppression, first, { matchedFailures: 1 });
    assert.equal((await read()).status, { matchedFailures: 1 });
    const lost = await operator.writeStatus(KINDS.suppression, first, { matchedFailures: 9 }).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.instance(lost, KubeError);
    assert.is((lost as KubeError).code, 409);
    await operator.drain();
  });
  test.run();
}
