import { existsSync, rmSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { readConfig } from '../../src/config.ts';
import { demoConfig } from '../../src/modes/demo.ts';

const test = suite('the configuration of the demo');

const cluster = { kubeconfig: '/tmp/kubeconfig', nodeName: 'sandbox-node' };
const configOf = (env: NodeJS.ProcessEnv) => demoConfig(readConfig(env, 'demo'), env, cluster);

test('a new folder, a new secret and short grace periods, so that a demo shows pending pods soon', async () => {
  const [one, other] = [await configOf({ CLUSTER_NAME: 'trial' }), await configOf({})];
  for (const { dataDir } of [one, other]) {
    assert.ok(existsSync(dataDir));
    rmSync(dataDir, { recursive: true });
  }
  assert.equal(one.graces, { pendingSeconds: 3, unreadySeconds: 5, recoverySeconds: 20 });
  assert.equal([one.kubeconfig, one.nodeName, one.clusterName], ['/tmp/kubeconfig', 'sandbox-node', 'trial']);
  assert.is.not(one.dataDir, other.dataDir);
  assert.is.not(one.serviceTokens[0], other.serviceTokens[0]);
  assert.ok((one.serviceTokens[0]?.length ?? 0) >= 32 && one.serviceTokens.length === 1);
});

test('what the environment sets counts', async () => {
  const graces = { PENDING_GRACE_SECONDS: '31', UNREADY_GRACE_SECONDS: '32', RECOVERY_SECONDS: '33' };
  const config = await configOf({ DATA_DIR: '/tmp/kept', SERVICE_TOKEN: 'x'.repeat(16), ...graces });
  assert.equal([config.dataDir, config.serviceTokens], ['/tmp/kept', ['x'.repeat(16)]]);
  assert.equal(config.graces, { pendingSeconds: 31, unreadySeconds: 32, recoverySeconds: 33 });
});

test.run();
