import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../src/config.ts';
import type { FailureDetail, FailureRecord } from '../../src/contract/failure.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { API_VERSION, MIRROR_LABEL, type MirrorPod, type MirrorPodSpec } from '../../src/crd/mirrorpod.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { runAgent } from '../../src/modes/agent.ts';
import { startOperator } from '../../src/modes/operator.ts';
import { type ApiServer, startApiServer } from '../support/cluster/api-server.ts';
import { type ChaosProxy, startChaosProxy } from '../support/network/chaos-proxy.ts';
import { type Client, apiClient } from '../support/network/client.ts';
import { aNamespace, installDefinitions } from '../support/cluster/clusters.ts';
import { longOr } from '../support/runner/long.ts';
import { aSuppression } from '../support/builders/suppression.ts';

export const NODE = 'node-1';
export const NAMESPACE = 'shop';
/** The TTL of mirrors that a test ends itself. It is longer than any trouble and the time to catch up. */
const TTL_SECONDS = longOr(900, 180);

/** A real API server without controllers or a kubelet. Operator and agent reach it through a proxy, tests reach it directly. */
export interface OutageWorld {
  api: ApiServer;
  direct: KubeClient;
  chaos: ChaosProxy;
  /** An administrator of the operator's API. */
  user: Client;
  /** Creates a failing pod: its image cannot be pulled. */
  fails(name: string): Promise<void>;
  heals(name: string): Promise<void>;
  removes(name: string): Promise<void>;
  mirror(name: string, source: string, over?: Partial<MirrorPodSpec>): Promise<MirrorPod>;
  /** Hides a pod, for `forMs` if that is given. */
  suppress(name: string, pod: string, forMs?: number): Promise<void>;
  /** The names of the pods that are shown as failing, in order. */
  shown(): Promise<string[]>;
  /** The only open or hidden record of a pod. */
  record(pod: string): Promise<FailureDetail | undefined>;
  mirrorPods(): Promise<Pod[]>;
  close(): Promise<void>;
}

export const SERVICE_TOKEN = 'outage-service-token';
const WAITING = { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "web:9"' } };
const status = (state: object, isReady: boolean): Pod['status'] => ({
  phase: isReady ? 'Running' : 'Pending',
  startTime: now(),
  conditions: [
    { type: 'PodScheduled', status: 'True', lastTransitionTime: now() },
    { type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime: now() },
  ],
  containerStatuses: [{ name: 'app', image: 'web:9', ready: isReady, restartCount: 0, state }],
});
const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

export async function outageWorld(): Promise<OutageWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-outage-'));
  const api = await startApiServer();
  const direct = connect({ kubeconfigText: api.kubeconfigText });
  await Promise.all([installDefinitions(direct), aNamespace(direct, 'podmend'), aNamespace(direct, NAMESPACE)]);
  const chaos = await startChaosProxy(api.kubeconfig);
  const KUBECONFIG = join(folder, 'kubeconfig');
  await writeFile(KUBECONFIG, chaos.kubeconfigText);
  const graces = { PENDING_GRACE_SECONDS: '1', UNREADY_GRACE_SECONDS: '1', RECOVERY_SECONDS: '1' };
  const common = { KUBECONFIG, SERVICE_TOKEN, ...graces };
  const log = createLog({ level: 'silent' });
  const ofOperator = { ...common, HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data'), MIRROR_LIMITS: '10,50,50' };
  const operator = await startOperator(readConfig(ofOperator, 'operator'), log);
  const ofAgent = { ...common, NODE_NAME: NODE, BACKEND_URL: operator.url };
  const agent = await runAgent({ config: readConfig(ofAgent, 'agent'), log, heartbeatMs: 1_000 });
  const user = apiClient(operator.url);
  await user.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' });

  const setStatus = (name: string, next: Pod['status']) =>
    direct.patch(KINDS.pod, NAMESPACE, name, { status: next }, { type: 'merge', subresource: 'status' });
  const records = async () => [
    ...(await user.get<FailureRecord[]>('/api/pods/failed')),
    ...(await user.get<FailureRecord[]>('/api/pods/suppressed')),
  ];
  return {
    api,
    direct,
    chaos,
    user,
    async fails(name) {
      const spec = { nodeName: NODE, containers: [{ name: 'app', image: 'web:9' }] };
      await direct.create<Pod>(KINDS.pod, { metadata: { name, namespace: NAMESPACE }, spec });
      await setStatus(name, status(WAITING, false));
    },
    heals: async (name) => void (await setStatus(name, status({ running: { startedAt: now() } }, true))),
    removes: async (name) => void (await direct.remove(KINDS.pod, NAMESPACE, name, { graceSeconds: 0 })),
    mirror: (name, source, over = {}) =>
      direct.create<MirrorPod>(KINDS.mirrorPod, {
        apiVersion: API_VERSION,
        kind: 'MirrorPod',
        metadata: { name, namespace: NAMESPACE },
        spec: {
          source: { name: source },
          ttlSeconds: TTL_SECONDS,
          template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } },
          ...over,
        },
      }),
    async suppress(name, pod, forMs) {
      const expirationTime = new Date(Date.now() + (forMs ?? 0)).toISOString();
      const time = forMs === undefined ? {} : { expirationTime };
      await direct.create(KINDS.suppression, aSuppression({ pods: [pod] }, { metadata: { name, namespace: 'podmend' }, ...time }));
    },
    shown: async () => (await user.get<FailureRecord[]>('/api/pods/failed')).map(({ pod_name }) => pod_name).sort(),
    async record(pod) {
      const own = (await records()).filter(({ pod_name }) => pod_name === pod);
      if (own.length > 1) throw new Error(`${own.length} records of ${pod}`);
      return own[0] && user.get<FailureDetail>(`/api/pods/failed/${own[0].id}`);
    },
    mirrorPods: () => direct.list<Pod>(KINDS.pod, { namespace: NAMESPACE, labelSelector: `${MIRROR_LABEL}=true` }),
    async close() {
      chaos.forward();
      await agent.stop();
      await operator.stop();
      direct.close();
      await chaos.close();
      await api.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
