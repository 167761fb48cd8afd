import { AGENT_SILENT_SECONDS } from '../config.ts';
import type { DismissDeleted } from '../contract/agent.ts';
import type { CoreEvent, KubeObject, Pod } from '../crd/kubernetes.ts';
import type { KubeClient } from '../kube/client.ts';
import { KINDS } from '../kube/kinds.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { collector } from './collect-evidence.ts';
import { controllerWatch, type ControllerWatchDeps } from './controller-watch.ts';
import type { Graces } from '../failures/detect/detect.ts';
import { jobOfIdentity } from '../failures/policy/identity.ts';
import { podWatch } from './pod-watch.ts';
import { projectPod } from '../kube/project-pod.ts';

export interface LeaderWatchDeps {
  client: Pick<KubeClient, 'read' | 'list' | 'page' | 'watch' | 'logs'>;
  cluster: string;
  /** Empty = all. Otherwise nodes cannot be listed, and the nodes with pods of these namespaces are used instead. */
  watchNamespaces: string[];
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  /** Nodes whose agent sent a heartbeat within `silentMs`. */
  liveNodes(now: Date): Promise<string[]>;
  /** Passes a report to the intake in this process. */
  report: ControllerWatchDeps['report'];
  gone(message: DismissDeleted, seenAt: Date): Promise<unknown>;
  /** Open records. Those whose object was deleted or recovered while nobody watched are closed. */
  openRecords?(): Promise<OpenRecord[]>;
  /** How long a node may be silent, in milliseconds. */
  silentMs?: number;
  /** The interval at which nodes are compared with agents, in milliseconds. Default: a sixth of `silentMs`. */
  everyMs?: number;
  /** How often controllers that failed are examined again, in milliseconds. */
  controllersEveryMs?: number;
}

export interface OpenRecord {
  namespace: string;
  pod_name: string;
  pod_uid: string | null;
  node_name: string | null;
  resource_kind: string;
  /** See `recordIdentity`. */
  identity: string;
  /** Uids of the failing pods that a Job's record is about. */
  pods: string[];
}

/** The leader's watch over everything that no agent watches. */
export interface LeaderWatch {
  /** Returns at once, and waits in the background for a cluster that is unavailable. */
  start(): void;
  stop(): Promise<void>;
  /** Nodes that are watched because they have no agent. */
  nodes(): string[];
}

/** Above this many nodes, one watch over all pods costs the API server less than one watch for each node. */
const MAX_NODE_WATCHES = 20;
/** The scopes of watches that are not for one node. A node cannot have one of these names. */
const UNASSIGNED = '';
const EVERYWHERE = '*';

/**
 * Watches pods that have no node yet, pods of nodes without a live agent, and controllers that cannot create their pods. Run it on the
 * leader only.
 */
export function leaderWatch(deps: LeaderWatchDeps): LeaderWatch {
  const { client, now, log, graces, watchNamespaces: namespaces, silentMs = AGENT_SILENT_SECONDS * 1000 } = deps;
  const collect = collector({ client, cluster: deps.cluster, log });
  let begun = now().getTime();
  const isNarrow = namespaces.length > 0;
  const scopes = new Map<string, Cache<Pod>>();
  let uncovered = new Set<string>();
  /** The nodes with a live agent; undefined while they are not known. */
  let live: Set<string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> = Promise.resolve();
  let isStopped = false;

  const closeRecord = (message: DismissDeleted, seenAt: Date) => {
    deps
      .gone(message, seenAt)
      .catch((error: unknown) => log.warn({ err: error }, 'record could not be closed; the next sweep tries again'));
  };
  const watch = podWatch({
    graces,
    now,
    log: log.child({ component: 'leader-watch' }),
    events: ({ metadata: { namespace, uid } }) =>
      client.list<CoreEvent>(KINDS.event, { namespace, fieldSelector: `involvedObject.uid=${uid}` }),
    failed: async ({ pod, failure, events, seenAt }, isLastTry) => {
      if (await collect.isMadeGood(pod)) return { isDue: false, isWorking: true };
      const { report, isLogDue } = await collect.pod(pod, failure, { events, isLastTry });
      await deps.report(report, seenAt);
      return { isDue: isLogDue };
    },
    recovered: (pod, seenAt) => closeRecord({ ...reference(pod), reason: 'recovered' }, seenAt),
  });
  const controllers = controllerWatch({ ...deps, collect, namespaces });
  const nodes = watchKind<KubeObject, KubeObject>(client, KINDS.node, { project: projectNode, log });

  const isOurs = ({ spec }: Pod) => !spec.nodeName || uncovered.has(spec.nodeName);
  const open = (scope: string): Cache<Pod> => {
    const fieldSelector = scope === EVERYWHERE ? undefined : `spec.nodeName=${scope}`;
    const cache = watchKind<Pod, Pod>(client, KINDS.pod, { namespaces, fieldSelector, project: projectPod, log });
    cache.onChange(async ({ type, object }) => {
      if (type !== 'DELETED') return isOurs(object) ? watch.seen(object) : watch.leave(object);
      await left(object, scope);
    });
    void cache.start();
    return cache;
  };
  /** Handles a pod that has left a watch: it was deleted, or assigned to a node whose agent watches it. */
  const left = async (pod: Pod, scope: string) => {
    const seenAt = now();
    const wasOpen = await watch.gone(pod);
    if (scope !== UNASSIGNED) return closeRecord({ ...reference(pod), reason: 'deleted' }, seenAt);
    const { namespace, name = '', uid } = pod.metadata;
    const still = await client.read(KINDS.pod, namespace, name).catch(() => undefined);
    const isThere = still?.metadata.uid === uid;
    if (isThere && still && isOurs(still)) watch.seen(projectPod(still));
    if (wasOpen || !isThere) closeRecord({ ...reference(pod), reason: isThere ? 'recovered' : 'deleted' }, seenAt);
  };

  const silentNodes = async (): Promise<Set<string>> => {
    const instant = now();
    // After a start the heartbeats in the database may be as old as the outage. A clock that was set back counts as a new start.
    begun = Math.min(begun, instant.getTime());
    if (instant.getTime() - begun < silentMs) return new Set();
    live = new Set(await deps.liveNodes(instant));
    const old = ({ metadata }: KubeObject) => instant.getTime() - Date.parse(metadata.creationTimestamp ?? '') >= silentMs;
    const names = isNarrow
      ? (scopes.get(EVERYWHERE)?.list() ?? []).filter(old).map(({ spec }) => spec.nodeName)
      : nodes
          .list()
          .filter(old)
          .map(({ metadata }) => metadata.name);
    return new Set(names.filter((name) => name !== undefined && name !== '' && !live?.has(name)) as string[]);
  };
  const follow = async () => {
    uncovered = await silentNodes();
    const wanted = isNarrow || uncovered.size > MAX_NODE_WATCHES ? [UNASSIGNED, EVERYWHERE] : [UNASSIGNED, ...uncovered];
    for (const [scope, cache] of scopes) {
      if (wanted.includes(scope)) continue;
      scopes.delete(scope);
      await cache.stop();
    }
    for (const scope of wanted) if (!scopes.has(scope)) scopes.set(scope, open(scope));
    // When an agent comes back, it watches its pods itself again. When an agent falls silent, its pods may have been ignored until now.
    for (const pod of watch.pods()) if (!isOurs(pod)) watch.leave(pod);
    for (const pod of scopes.get(EVERYWHERE)?.list() ?? []) if (isOurs(pod)) watch.seen(pod);
  };
  const sweep = async () => {
    if (!deps.openRecords || ![...scopes.values()].every(({ synced }) => synced)) return;
    // The records are read before the pods are examined. In the other order, a report stored in between would be closed at once. A later
    // report, for example from an agent that came back, stays open.
    const seenAt = now();
    const records = await deps.openRecords();
    await watch.idle();
    const staying = new Set([...watch.failing(), ...watch.unsettled()].map(({ pod_uid }) => pod_uid));
    for (const record of records) {
      if (isStopped) return;
      const { node_name: node, resource_kind: kind, pod_uid, pods } = record;
      const job = kind === 'Pod' ? jobOfIdentity(record.identity) : undefined;
      if (kind !== 'Pod') controllers.suspect({ ...record, pods: undefined });
      else if (job) controllers.suspect({ resource_kind: 'Job', namespace: job.namespace, pod_name: job.name, pod_uid: job.uid, pods });
      else if (!node || uncovered.has(node)) {
        if (!staying.has(pod_uid ?? '')) await closeStale(record, { mayBeWell: true, seenAt });
      } else if (live && !live.has(node)) await closeStale(record, { mayBeWell: false, seenAt });
    }
  };
  /** Closes the record of a deleted pod. With `mayBeWell`, also that of a healthy pod: without a node and its agent, nobody can know this. */
  const closeStale = async ({ namespace, pod_name, pod_uid }: OpenRecord, { mayBeWell, seenAt }: { mayBeWell: boolean; seenAt: Date }) => {
    const pod = await client.read(KINDS.pod, namespace, pod_name);
    const isThere = pod !== undefined && (pod_uid === null || pod.metadata.uid === pod_uid);
    if (isThere && !mayBeWell) return;
    await deps.gone({ namespace, pod_name, reason: isThere ? 'recovered' : 'deleted', ...(pod_uid ? { pod_uid } : {}) }, seenAt);
  };
  const once = async () => {
    try {
      await follow();
      await sweep();
    } catch (error) {
      log.warn({ err: error }, 'a pass over nodes without an agent failed; the next one tries again');
    }
    if (!isStopped) timer = setTimeout(again, deps.everyMs ?? silentMs / 6);
  };
  const again = () => void (pass = once());

  return {
    start() {
      void controllers.start();
      if (!isNarrow) void nodes.start();
      again();
    },
    nodes: () => [...uncovered],
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await pass;
      await Promise.all([controllers.stop(), nodes.stop(), ...[...scopes.values()].map((cache) => cache.stop())]);
      await watch.stop();
    },
  };
}

function projectNode({ metadata: { name, uid, resourceVersion, creationTimestamp } }: KubeObject): KubeObject {
  return { metadata: { name, uid, resourceVersion, creationTimestamp } as KubeObject['metadata'] };
}

function reference({ metadata: { uid = '', name = '', namespace = '' } }: Pod) {
  return { pod_uid: uid, pod_name: name, namespace };
}
