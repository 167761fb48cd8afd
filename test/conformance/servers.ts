import { Agent, fetch as send } from 'undici';
import { loadManifest } from '../../src/crd/manifest.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { apiServerAssets, startApiServer } from '../support/api-server.ts';
import { type RestClient, restClient } from '../support/rest.ts';

/** An API server that the same cases are asked of. */
export interface TestServer {
  name: string;
  client: RestClient;
  close(): Promise<void>;
}

async function sandboxServer(): Promise<TestServer> {
  const { url, close } = await startSandbox({ speed: 10 });
  return { name: 'sandbox', client: restClient(url), close };
}

async function realServer(): Promise<TestServer> {
  const { kubeconfigText, close } = await startApiServer();
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
  return {
    name: 'API server',
    client: restClient(cluster.server, secured),
    close: async () => {
      await dispatcher.destroy();
      await close();
    },
  };
}

/** The sandbox, and the real API server of `KUBEBUILDER_ASSETS` when there is one (else a line says that it is missing). */
export async function startServers(suite: string): Promise<TestServer[]> {
  if (apiServerAssets()) return Promise.all([sandboxServer(), realServer()]);
  console.log(`SKIP ${suite} on a real API server: KUBEBUILDER_ASSETS is not set`);
  return [await sandboxServer()];
}
