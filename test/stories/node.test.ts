import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiClient } from '../support/client.ts';
import { type ClusterUser, clusterUser } from '../support/cluster-user.ts';
import { freePort, type Running, startMode } from '../support/process.ts';
import { tellRestartStory } from './restart.ts';
import { tellStory } from './story.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const kubeconfig = process.env['TEST_KUBECONFIG'];

/** Operator and agent as two processes with the rights of `deploy/` and no others, on a cluster with a real kubelet. */
interface Installed {
  url: string;
  kubectl: ClusterUser;
  startOperator(): Promise<Running>;
  stop(): Promise<void>;
}

async function install(admin: string): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-node-'));
  const kubectl = await clusterUser(admin);
  await kubectl('apply', '-f', join(ROOT, 'crds'), '-f', join(ROOT, 'deploy'));
  await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
  const account = async (name: string): Promise<string> => {
    const token = (await kubectl('create', 'token', name, '-n', 'podmend', '--duration=1h')).trim();
    const config = JSON.parse(await kubectl('config', 'view', '--raw', '-o', 'json')) as { users: { user: object }[] };
    for (const user of config.users) user.user = { token };
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const common = { SERVICE_TOKEN: 'node-story-token', PENDING_GRACE_SECONDS: '3', UNREADY_GRACE_SECONDS: '10', RECOVERY_SECONDS: '20' };
  const operatorEnv = {
    ...common,
    KUBECONFIG: await account('podmend-operator'),
    MIRROR_LIMITS: '10,20,50',
    HOST: '127.0.0.1',
    PORT: String(port),
  };
  const node = (await kubectl('get', 'nodes', '-o', 'jsonpath={.items[0].metadata.name}')).trim();
  const agent = startMode('agent', { ...common, KUBECONFIG: await account('podmend-agent'), BACKEND_URL: url, NODE_NAME: node });
  const operators: Running[] = [];
  return {
    url,
    kubectl,
    startOperator: async () => {
      const operator = startMode('operator', { ...operatorEnv, DATA_DIR: join(folder, 'data') });
      operators.push(operator);
      await operator.line(/operator is ready/);
      return operator;
    },
    stop: async () => {
      await agent.stop();
      for (const operator of operators) await operator.stop();
      await kubectl('delete', 'namespace', 'shop', 'shop-preview', 'restart', '--ignore-not-found', '--wait=false');
      await kubectl.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

if (!kubeconfig) {
  console.log('SKIP the stories on a real node: TEST_KUBECONFIG is not set');
} else {
  tellRestartStory('the restart story on a real node', () => install(kubeconfig));
  tellStory('the story on a real node', async () => {
    const installed = await install(kubeconfig);
    await installed.startOperator();
    await installed.kubectl.apply(await readFile(join(ROOT, 'src/modes/shop.yaml'), 'utf8'));
    return { ...installed, client: apiClient(installed.url) };
  });
}
