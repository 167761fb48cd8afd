import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ResourceQuota } from '../../src/crd/quota.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { isKubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { until } from '../support/runner/wait.ts';

interface World {
  sandbox: Sandbox;
  client: KubeClient;
}

const test = suite<World>('quotas of the sandbox');
test.before(async (world) => {
  world.sandbox = await startSandbox();
  world.client = connect({ kubeconfigText: world.sandbox.kubeconfig });
});
test.after(async ({ client, sandbox }) => {
  client?.close();
  await sandbox?.close();
});

const aPod = (name: string, cpu: string) => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu } } }] },
});

test('pods fill a quota exactly, and the next one is refused', async ({ client }) => {
  const quota = { metadata: { name: 'small', namespace: 'default' }, spec: { hard: { 'requests.cpu': '300m' } } };
  await client.create(KINDS.resourceQuota, quota);
  // As floating-point numbers, 0.1 and 0.2 add up to more than 0.3.
  await client.create(KINDS.pod, aPod('one', '100m'));
  await client.create(KINDS.pod, aPod('two', '0.2'));
  const used = async () => {
    const found: ResourceQuota | undefined = await client.read(KINDS.resourceQuota, 'default', 'small');
    return found?.status?.used?.['requests.cpu'] === '300m';
  };
  await until(used, { what: 'the quota to count both pods' });
  try {
    await client.create(KINDS.pod, aPod('three', '1m'));
    assert.unreachable('a third pod was admitted');
  } catch (error) {
    assert.ok(isKubeError(error, 403), String(error));
    assert.match(String(error), 'exceeded quota: small, requested: requests.cpu=1m, used: requests.cpu=300m, limited: requests.cpu=300m');
  }
});

test.run();
