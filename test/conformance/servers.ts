import { Agent, fetch as send } from 'undici';
import { loadManifest } from '../../src/crd/manifest.ts';
import { apiServer } from '../../src/sandbox/api/api.ts';
import { bootstrap } from '../../src/sandbox/bootstrap.ts';
import { celRules } from '../../src/sandbox/kinds/cel.ts';
import { machineClock, stoppableClock } from '../../src/sandbox/clock.ts';
import { Registry } from '../../src/sandbox/kinds/kinds.ts';
import { httpServer } from '../../src/sandbox/api/server.ts';
import { kubelet } from '../../src/sandbox/kubelet/kubelet.ts';
import { podLogs } from '../../src/sandbox/kubelet/logs.ts';
import { Store } from '../../src/sandbox/store/store.ts';
import { apiServerAssets, startApiServer } from '../support/cluster/api-server.ts';
import { type RestClient, restClient } from '../support/cluster/rest.ts';

/** An API server to compare, without the rest of a cluster. */
export interface TestServer {
  name: string;
  client: RestClient;
  close(): Promise<void>;
}

/** Only the API server of the sandbox: no scheduler, no controllers, and a node that does not run. */
export async function sandboxServer(): Promise<TestServer> {
  const clock = stoppableClock(machineClock(), 1);
  const api = apiServer({ store: new Store(), registry: new Registry(), clock, cel: celRules() });
  const node = kubelet({ api, clock, deadlineClock: clock, nodeName: 'sandbox-node' });
  const { listen, close } = httpServer({ api, logs: podLogs(node, api, clock), version: 'v1.36.0-sandbox', requestClock: clock });
  bootstrap(api, 'sandbox-node', 'v1.36.0-sandbox');
  const url = await listen('127.0.0.1', 0);
  return {
    name: 'sandbox',
    client: restClient(url),
    close: async () => {
      clock.stop();
      await close();
    },
  };
}

/** A client that authenticates with the certificate of a kubeconfig. */
export function certifiedClient(kubeconfigText: string): { client: RestClient; close(): Promise<void> } {
  // oxlint-disable-next-line typescript/no-explicit-any
  const config = loadManifest(kubeconfigText) as any;
  const [cluster, user] = [config.clusters[0].cluster, config.users[0].user];
  const decoded = (text: string) => Buffer.from(text, 'base64').toString();
  const connect = {
    ca: decoded(cluster['certificate-authority-data']),
    cert: decoded(user['client-certificate-data']),
    key: decoded(user['client-key-data']),
  };
  const dispatcher = new Agent({ connect, bodyTimeout: 0 });
  const secured = ((url: string, init: object) => send(url, { ...init, dispatcher })) as unknown as typeof fetch;
  return { client: restClient(cluster.server, secured), close: () => dispatcher.destroy() };
}

/** etcd and kube-apiserver of `KUBEBUILDER_ASSETS`. */
export async function realServer(): Promise<TestServer> {
  const { kubeconfigText, close } = await startApiServer({ 'disable-admission-plugins': '' });
  const certified = certifiedClient(kubeconfigText);
  return {
    name: 'API server',
    client: certified.client,
    close: async () => {
      await certified.close();
      await close();
    },
  };
}

/** The sandbox, and a real API server if `KUBEBUILDER_ASSETS` is set. Otherwise it prints that the real one is skipped. */
export async function startServers(suite: string): Promise<TestServer[]> {
  if (apiServerAssets()) return Promise.all([sandboxServer(), realServer()]);
  console.log(`SKIP ${suite} on a real API server: KUBEBUILDER_ASSETS is not set`);
  return [await sandboxServer()];
}
