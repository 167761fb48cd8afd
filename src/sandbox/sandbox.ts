import { apiServer } from './api/api.ts';
import type { Api } from './api/api.ts';
import { bootstrap } from './bootstrap.ts';
import { celRules } from './kinds/cel.ts';
import type { Clock } from './clock.ts';
import { machineClock, stoppableClock } from './clock.ts';
import { startControllers } from './controllers/all.ts';
import { Registry } from './kinds/kinds.ts';
import { kubelet } from './kubelet/kubelet.ts';
import { podLogs } from './kubelet/logs.ts';
import { startScheduler } from './scheduler.ts';
import { httpServer } from './api/server.ts';
import { Store } from './store/store.ts';

export { steppedClock, type SteppedClock } from './clock.ts';

/** The options of a sandbox. All have defaults. */
export interface SandboxOptions {
  /** `127.0.0.1`. */
  host?: string;
  /** 0: any free one. */
  port?: number;
  /** The machine's clock by default. Everything in the cluster uses it; timeouts of client requests and watches use the machine's. */
  clock?: Clock;
  /** Divides every wait of the simulated cluster (image pulls, probes, back-off). Timestamps stay true. Default: 1. */
  speed?: number;
  /** Starts no scheduler and no kubelet: the test writes pod status itself. */
  noNode?: boolean;
}

/** A running sandbox. Its state ends with `close()`, which ends every timer and connection. */
export interface Sandbox {
  url: string;
  /** YAML for a file that `KUBECONFIG` names. */
  kubeconfig: string;
  nodeName: string;
  close(): Promise<void>;
}

const VERSION = 'v1.36.0-sandbox';
const NODE_NAME = 'sandbox-node';

/** `insecure-skip-tls-verify` lets clients that expect TLS use plain HTTP. Some clients also require a token. */
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

/** Starts a Kubernetes API server with a simulated node in this process. Throws if the address is not available. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const base = options.clock ?? machineClock();
  const clock = stoppableClock(base, options.speed ?? 1);
  const store = new Store();
  const api: Api = apiServer({ store, registry: new Registry(), clock, cel: celRules() });
  /** `speed` does not shorten `activeDeadlineSeconds`, which is a promise about real time. */
  const deadlineClock = stoppableClock(base, 1);
  const requestClock = stoppableClock(machineClock(), 1);
  const node = kubelet({ api, clock, deadlineClock, nodeName: NODE_NAME });
  const server = httpServer({ api, logs: podLogs(node, api, requestClock), version: VERSION, requestClock });
  const stops = [startControllers(api), ...(options.noNode ? [] : [startScheduler(api), node.start()])];
  const stopClocks = (): void => [clock, deadlineClock, requestClock].forEach((one) => one.stop());
  bootstrap(api, NODE_NAME, VERSION);
  const url = await server.listen(options.host ?? '127.0.0.1', options.port ?? 0).catch((error: unknown) => {
    stopClocks();
    throw error;
  });
  return {
    url,
    kubeconfig: kubeconfigFor(url),
    nodeName: NODE_NAME,
    close: async () => {
      for (const stop of stops) stop();
      stopClocks();
      await server.close();
    },
  };
}
