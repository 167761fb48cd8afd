import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clusterUser } from '../support/cluster/user.ts';
import { fillFolder } from '../support/database/store.ts';
import { freePort, type Running, startMode } from '../support/processes/process.ts';
import { tellRestartStory } from './restart.ts';

const CRDS = fileURLToPath(new URL('../../crds/', import.meta.url));
const TOKEN = 'restart-story-token';

/** `podmend sandbox`, `podmend operator` and `podmend agent` as three processes. */
tellRestartStory('the restart story on the sandbox', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-restart-'));
  await fillFolder(folder);
  const sandbox = startMode('sandbox', {});
  const [, kubeconfig = ''] = await sandbox.line(/^kubeconfig: (\S+)$/m);
  const kubectl = await clusterUser(kubeconfig);
  await kubectl('apply', '-f', CRDS);
  await kubectl.apply('{apiVersion: v1, kind: Namespace, metadata: {name: podmend}}');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const common = {
    KUBECONFIG: kubeconfig,
    SERVICE_TOKEN: TOKEN,
    PENDING_GRACE_SECONDS: '3',
    UNREADY_GRACE_SECONDS: '3',
    MIRROR_LIMITS: '10,20,50',
  };
  const agent = startMode('agent', { ...common, BACKEND_URL: url });
  const operators: Running[] = [];
  return {
    url,
    kubectl,
    startOperator: async () => {
      const operator = startMode('operator', { ...common, HOST: '127.0.0.1', PORT: String(port), DATA_DIR: folder });
      operators.push(operator);
      await operator.line(/operator is ready/);
      return operator;
    },
    stop: async () => {
      await kubectl.close();
      for (const operator of operators) await operator.stop();
      await agent.stop();
      await sandbox.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
});
