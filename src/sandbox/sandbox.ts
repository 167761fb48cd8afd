import { apiServer } from './api.ts';
import type { Api } from './api.ts';
import { bootstrap } from './bootstrap.ts';
import { celRules } from './cel.ts';
import type { Clock } from './clock.ts';
import { machineClock, stoppableClock } from './clock.ts';
import { startControllers } from './controllers/all.ts';
import { Registry } from './kinds.ts';
import { kubelet } from './kubelet/kubelet.ts';
import { podLogs } from './kubelet/logs.ts';
import { startScheduler } from './scheduler.ts';
import { httpServer } from './server.ts';
import { Store } from './store.ts';

/** How a sandbox is to be started; everything has a default. */
export interface SandboxOptions {
  /** `127.0.0.1`. */
  host?: string;
  /** 0: any free one. */
  port?: number;
  clock?: Clock;
  /** Divides every wait of the pretend cluster (image pulls, probes, back-off); time stamps stay true. 1. */
  speed?: number;
}

/** A running sandbox. Its state ends with `close()`, which ends every timer and connection. */
export interface Sandbox {
  url: string;
  /** YAML, ready for a file that `KUBECONFIG` names. */
  kubeconfig: string;
  nodeName: string;
  close(): Promise<void>;
}

const VERSION = 'v1.36.0-sandbox';
const NODE_NAME = 'sandbox-node';

/** `insecure-skip-tls-verify` lets clients that want TLS talk plain HTTP; the token is there because some want one. */
function kubeconfigFor(url: string): string {
  return `apiVersion: v1
kind: Config
current-context: sandbox
clusters:
- name: sandbox
  cluster: {server: "${url}", insecure-skip-tls-verify: true}
contexts:
- name: sandbox
  context: {cluster: sandbox, user: sandbox, namespace: default}
users:
- name: sandbox
  user: {token: sandbox}
`;
}

/** Starts a Kubernetes API server in this process with a pretend node. Throws when the address cannot be had. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const base = options.clock ?? machineClock();
  const clock = stoppableClock(base, options.speed ?? 1);
  const store = new Store();
  const api: Api = apiServer({ store, registry: new Registry(), clock, cel: celRules() });
  const wallClock = stoppableClock(base, 1);
  const node = kubelet({ api, clock, deadlineClock: wallClock, nodeName: NODE_NAME });
  const server = httpServer({ api, logs: podLogs(node, api, wallClock), version: VERSION, requestClock: wallClock });
  const stops = [startControllers(api), startScheduler(api), node.start()];
  bootstrap(api, NODE_NAME, VERSION);
  const url = await server.listen(options.host ?? '127.0.0.1', options.port ?? 0).catch((error: unknown) => {
    clock.stop();
    wallClock.stop();
    throw error;
  });
  return {
    url,
    kubeconfig: kubeconfigFor(url),
    nodeName: NODE_NAME,
    close: async () => {
      for (const stop of stops) stop();
      clock.stop();
      wallClock.stop();
      await server.close();
    },
  };
}
