import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiClient, type Client } from '../network/client.ts';
import { type ClusterUser, clusterUser } from '../cluster/user.ts';
import { inCompleteNamespaces } from '../cluster/complete-namespaces.ts';
import { until } from '../runner/wait.ts';
import { freePort, type Running, startMode } from '../processes/process.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const GRACES = { PENDING_GRACE_SECONDS: '3', UNREADY_GRACE_SECONDS: '10', RECOVERY_SECONDS: '20' };

type Env = Record<string, string>;

/**
 * Podmend on a real cluster, with the definitions and rights of `deploy/` and no others. Operator and agent are processes beside the
 * cluster.
 */
export interface Installed {
  url: string;
  client: Client;
  /** kubectl as the administrator of the cluster. */
  kubectl: ClusterUser;
  /** The name of the cluster's first node. Empty if there is none. */
  node: string;
  /**
   * Starts the operator and waits until it is ready. A later one gets the database and the port of the earlier one. `env` is added to the
   * usual environment.
   */
  startOperator(env?: Env): Promise<Running>;
  /** Starts an agent for the node. */
  startAgent(env?: Env): Running;
  /**
   * A kubeconfig with the rights of a ServiceAccount in `podmend`. `server` replaces the address, for a proxy on loopback in front of the
   * API server.
   */
  kubeconfigOf(account: 'podmend-operator' | 'podmend-agent', server?: string): Promise<string>;
  /** Ends what was started and deletes these namespaces, without waiting until they are gone. */
  stop(namespaces?: string[]): Promise<void>;
}

/**
 * `admin` is the path of a disposable cluster's kubeconfig (`TEST_KUBECONFIG`). Needs kubectl. `hasControllers` is false for an API server
 * alone (`startApiServer`): there, nobody completes a namespace, so nothing waits for that.
 */
export async function installPodmend(admin: string, { hasControllers = true } = {}): Promise<Installed> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-node-'));
  const user = await clusterUser(admin);
  const kubectl = hasControllers ? inCompleteNamespaces(user) : user;
  await kubectl('apply', '-f', join(ROOT, 'crds'), '-f', join(ROOT, 'deploy/base'));
  await kubectl('wait', '--for=condition=Established', 'crd', '--all', '--timeout=30s');
  // If a definition is deleted before the API server can list its objects, it stays forever ("storage is (re)initializing").
  await until(() => kubectl('get', 'podmend', '-A').then(() => true), { what: 'the API server to list all kinds' });
  const kubeconfigOf: Installed['kubeconfigOf'] = async (account, server) => {
    const token = (await kubectl('create', 'token', account, '-n', 'podmend', '--duration=2h')).trim();
    const config = JSON.parse(await kubectl('config', 'view', '--raw', '-o', 'json')) as Kubeconfig;
    for (const user of config.users) user.user = { token };
    // The proxy speaks plain HTTP, so the kubeconfig must not ask for a certificate.
    if (server) for (const one of config.clusters) one.cluster = { server, 'insecure-skip-tls-verify': true };
    const path = join(folder, `${account}-${started++}`);
    await writeFile(path, JSON.stringify(config), { mode: 0o600 });
    return path;
  };
  let started = 0;
  const running: Running[] = [];
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const [node = ''] = (await kubectl('get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}')).trim().split(' ');
  const common = { ...GRACES, SERVICE_TOKEN: 'node-story-token' };
  const ofOperator = {
    ...common,
    KUBECONFIG: await kubeconfigOf('podmend-operator'),
    MIRROR_LIMITS: '10,20,50',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
  };
  const ofAgent = { ...common, KUBECONFIG: await kubeconfigOf('podmend-agent'), BACKEND_URL: url, NODE_NAME: node };
  const start = (mode: string, env: Env): Running => {
    const one = startMode(mode, env);
    running.push(one);
    return one;
  };
  return {
    url,
    client: apiClient(url),
    kubectl,
    node,
    kubeconfigOf,
    startOperator: async (env = {}) => {
      const operator = start('operator', { ...ofOperator, ...env });
      await operator.line(/operator is ready/);
      return operator;
    },
    startAgent: (env = {}) => start('agent', { ...ofAgent, ...env }),
    stop: async (namespaces = []) => {
      for (const one of running.toReversed()) await one.stop();
      if (namespaces.length > 0) await kubectl('delete', 'namespace', ...namespaces, '--ignore-not-found', '--wait=false');
      await kubectl.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Kubeconfig {
  clusters: { cluster: object }[];
  users: { user: object }[];
}
