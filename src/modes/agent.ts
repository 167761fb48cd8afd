import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config.ts';
import { type Collector, collector } from '../failures/collect.ts';
import type { CoreEvent, Pod } from '../crd/kubernetes.ts';
import type { Graces } from '../failures/detect.ts';
import { type OpenPod, type Patrol, patrol } from '../failures/patrol.ts';
import { projectPod } from '../failures/project.ts';
import { type Reporter, reporter } from '../failures/report.ts';
import { httpClient } from '../http.ts';
import { type Cache, KINDS, type LightClient, connectLight } from '../kube/light.ts';
import type { Logger } from '../log.ts';
import type { Running } from './mode.ts';

export interface AgentOptions {
  config: Config;
  log: Logger;
  /** Ends the agent as `stop` does. */
  signal?: AbortSignal;
  now?: () => Date;
  /** How often the operator hears what fails, in milliseconds; a third of the silence that it suffers. */
  heartbeatMs?: number;
}

const BACKEND_TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Watches the pods of `NODE_NAME` (of all nodes when unset), reports those that fail, and says every minute (as configured) which do. Answers at
 * once: a cluster or an operator that is away is waited for. Throws when there are no credentials for the cluster.
 *
 * Events are listed for a pod that is not well, when it changes or a grace time ends, and not watched: events have no field that
 * names the node, so a watch would bring every agent the events of the whole cluster.
 */
export async function runAgent({
  config,
  log,
  signal,
  now = () => new Date(),
  heartbeatMs = (config.agentSilentSeconds * 1000) / 3,
}: AgentOptions): Promise<Running> {
  const client = connectLight({ kubeconfig: config.kubeconfig, inClusterServer: config.inClusterServer });
  const out = reporter({
    http: httpClient({ timeoutMs: BACKEND_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES }),
    backendUrl: config.backendUrl,
    serviceToken: config.serviceTokens[0] ?? '',
    log,
    now,
  });
  const collect = collector({ client, cluster: config.clusterName, log });
  const watch = watchOver({ graces: config.graces, now, log, client, collect, out });
  const pods = podCache(client, config, log);
  const stopFollowing = follow({ pods, watch, out, now });
  const stopBeating = beat({ config, pods, watch, out, heartbeatMs, now });
  log.info({ node: config.nodeName ?? 'all', server: client.server }, 'agent watches');

  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopFollowing();
    stopBeating();
    await pods.stop();
    await watch.stop();
    await out.stop();
    client.close();
  };
  const stopOnce = () => (stopped ??= stop());
  signal?.addEventListener('abort', () => void stopOnce(), { once: true });
  return { stop: stopOnce };
}

interface Parts {
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  client: LightClient;
  collect: Collector;
  out: Reporter;
}

function watchOver({ graces, now, log, client, collect, out }: Parts): Patrol {
  return patrol({
    graces,
    now,
    log: log.child({ component: 'patrol' }),
    events: ({ metadata: { namespace, uid } }) =>
      client.list<CoreEvent>(KINDS.event, { namespace, fieldSelector: `involvedObject.uid=${uid}` }),
    failed: async ({ pod, failure, events, seenAt }, isLastTry) => {
      const { name, namespace } = pod.metadata;
      const { report, isLogDue } = await collect.pod(pod, failure, { events, isLastTry });
      log.info({ pod: name, namespace, reason: failure.reason, container: failure.container, isLogDue }, 'pod fails');
      out.report({ ...report, observed_at: seenAt.toISOString() });
      return { isDue: isLogDue };
    },
    recovered: (pod, seenAt) => out.gone(reference(pod), { reason: 'recovered', seenAt }),
  });
}

function podCache(client: LightClient, { nodeName, watchNamespaces }: Config, log: Logger): Cache<Pod> {
  return client.follow<Pod, Pod>(KINDS.pod, {
    namespaces: watchNamespaces,
    project: projectPod,
    log: log.child({ component: 'watch' }),
    ...(nodeName ? { fieldSelector: `spec.nodeName=${nodeName}` } : {}),
  });
}

interface Watching {
  pods: Cache<Pod>;
  watch: Patrol;
  out: Reporter;
  now: () => Date;
}

function follow({ pods, watch, out, now }: Watching): () => void {
  return pods.onChange(async ({ type, object }) => {
    if (type !== 'DELETED') return watch.seen(object);
    const seenAt = now();
    await watch.gone(object);
    // Also of pods that look well: the operator may know of a failure from before this agent's start.
    out.gone(reference(object), { reason: 'deleted', seenAt });
  });
}

/** One heartbeat for each node that is watched, the first when everything has been looked at once. Answers its own end. */
function beat({ config, pods, watch, out, heartbeatMs, now }: Watching & { config: Config; heartbeatMs: number }) {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const once = async () => {
    // What is looked at from now on, and told, is news to this heartbeat and not its contradiction.
    const observed_at = now().toISOString();
    await watch.idle();
    const [failing, unsettled, all] = [watch.failing(), watch.unsettled(), watch.pods()];
    const of = (node: string, open: OpenPod[]) => open.filter((pod) => pod.node === node).map(({ node: _node, ...pod }) => pod);
    const nodes = config.nodeName ? [config.nodeName] : [...new Set(all.flatMap(({ spec }) => spec.nodeName ?? []))];
    for (const node of nodes) {
      const count = all.filter(({ spec }) => spec.nodeName === node).length;
      const open = { failing: of(node, failing), unsettled: of(node, unsettled) };
      watch.again((await out.heartbeat(node, { version: packageJson.version, pods: count, ...open, observed_at })) ?? []);
    }
  };
  const again = async () => {
    if (pods.synced) await once();
    if (!isStopped) timer = setTimeout(() => void again(), heartbeatMs);
  };
  void pods.start().then(again);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function reference({ metadata: { uid = '', name = '', namespace = '' } }: Pod) {
  return { pod_uid: uid, pod_name: name, namespace };
}
