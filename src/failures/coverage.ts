import type { DismissDeleted } from '../contract/agent.ts';
import type { FailureReport } from '../contract/failure.ts';
import type { CoreEvent, KubeObject, Pod } from '../crd/kubernetes.ts';
import type { KubeClient } from '../kube/connect.ts';
import { KINDS } from '../kube/kinds.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';
import { collector } from './collect.ts';
import { controllerWatch } from './coverage/controllers.ts';
import type { Graces } from './detect.ts';
import { patrol } from './patrol.ts';
import { projectPod } from './project.ts';

export interface CoverageDeps {
  client: Pick<KubeClient, 'read' | 'list' | 'page' | 'watch' | 'logs'>;
  cluster: string;
  /** Empty = all. With some, nodes cannot be listed: then the nodes are those that pods of these namespaces run on. */
  watchNamespaces: string[];
  graces: Graces & { recoverySeconds: number };
  now: () => Date;
  log: Logger;
  /** Nodes whose agent was heard of within 3 minutes. */
  liveNodes(now: Date): Promise<string[]>;
  /** The intake in this process. */
  report(report: FailureReport, seenAt: Date): Promise<unknown>;
  gone(message: DismissDeleted, seenAt: Date): Promise<unknown>;
  /** Open records, to close those whose object went or recovered while nobody looked. */
  openRecords?(): Promise<OpenRecord[]>;
  /** How long a node may be silent, in milliseconds. */
  silentMs?: number;
  /** How often nodes are compared with agents, in milliseconds; a sixth of `silentMs`. */
  everyMs?: number;
  /** How often controllers that failed are looked at again, in milliseconds. */
  controllersEveryMs?: number;
}

export interface OpenRecord {
  namespace: string;
  pod_name: string;
  pod_uid: string | null;
  node_name: string | null;
  resource_kind: string;
}

/** The eyes of the operator's leader, for what no agent sees. */
export interface Coverage {
  /** Resolves at once; a cluster that is away is waited for. */
  start(): void;
  stop(): Promise<void>;
  /** Nodes that are watched for want of an agent. */
  nodes(): string[];
}

const SILENT_MS = 180_000;
/** With more nodes than this one watch over all pods costs the API server less than one each. */
const MAX_NODE_WATCHES = 20;
/** Scopes of watches besides nodes, which have names. */
const UNASSIGNED = '';
const EVERYWHERE = '*';

/**
 * Covers pods that no node has yet, pods of nodes without a live agent, and controllers that cannot create their pods (DESIGN
 * section 4.2). Run it on the leader only.
 */
export function operatorCoverage(deps: CoverageDeps): Coverage {
  const { client, now, log, graces, watchNamespaces: namespaces, silentMs = SILENT_MS } = deps;
  const collect = collector({ client, cluster: deps.cluster, log });
  let begun = now().getTime();
  const isNarrow = namespaces.length > 0;
  const scopes = new Map<string, Cache<Pod>>();
  let uncovered = new Set<string>();
  /** Nodes with a living agent; undefined as long as that is not known. */
  let live: Set<string> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<void> = Promise.resolve();
  let isStopped = false;

  const tell = (message: DismissDeleted, seenAt: Date) => {
    deps
      .gone(message, seenAt)
      .catch((error: unknown) => log.warn({ err: error }, 'record could not be closed; the next sweep tries again'));
  };
  const watch = patrol({
    graces,
    now,
    log: log.child({ component: 'coverage' }),
    events: ({ metadata: { namespace, uid } }) =>
      client.list<CoreEvent>(KINDS.event, { namespace, fieldSelector: `involvedObject.uid=${uid}` }),
    failed: async ({ pod, failure, events, seenAt }, isLastTry) => {
      const { report, isLogDue } = await collect.pod(pod, failure, { events, isLastTry });
      await deps.report(report, seenAt);
      return { isDue: isLogDue };
    },
    recovered: (pod, seenAt) => tell({ ...reference(pod), reason: 'recovered' }, seenAt),
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
  /** A pod that left a watch is gone, or has only got a node: then it is its agent's, and was no failure after all. */
  const left = async (pod: Pod, scope: string) => {
    const seenAt = now();
    const wasOpen = await watch.gone(pod);
    if (scope !== UNASSIGNED) return tell({ ...reference(pod), reason: 'deleted' }, seenAt);
    const { namespace, name = '', uid } = pod.metadata;
    const still = await client.read(KINDS.pod, namespace, name).catch(() => undefined);
    const isThere = still?.metadata.uid === uid;
    if (isThere && still && isOurs(still)) watch.seen(projectPod(still));
    if (wasOpen || !isThere) tell({ ...reference(pod), reason: isThere ? 'recovered' : 'deleted' }, seenAt);
  };

  const silentNodes = async (): Promise<Set<string>> => {
    const instant = now();
    // After a start the last words in the database may be as old as the outage. A clock that was set back is a new start.
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
    // An agent came back: its pods are its own again. One fell silent: its pods may have been passed over so far.
    for (const pod of watch.pods()) if (!isOurs(pod)) watch.leave(pod);
    for (const pod of scopes.get(EVERYWHERE)?.list() ?? []) if (isOurs(pod)) watch.seen(pod);
  };
  const sweep = async () => {
    if (!deps.openRecords || ![...scopes.values()].every(({ synced }) => synced)) return;
    // In this order: a report that is being stored is in neither list yet, and would be closed at once in the other. What is heard of from
    // now on, from an agent that came back for instance, stays open.
    const seenAt = now();
    const records = await deps.openRecords();
    await watch.idle();
    const staying = new Set([...watch.failing(), ...watch.unsettled()].map(({ pod_uid }) => pod_uid));
    for (const record of records) {
      if (isStopped) return;
      const { node_name: node, resource_kind: kind, pod_uid } = record;
      if (kind !== 'Pod') controllers.suspect(record);
      else if (!node || uncovered.has(node)) {
        if (!staying.has(pod_uid ?? '')) await closeStale(record, { mayBeWell: true, seenAt });
      } else if (live && !live.has(node)) await closeStale(record, { mayBeWell: false, seenAt });
    }
  };
  /** Of a node that is gone with its agent nobody can say that a pod is well, only that it is gone too. */
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
      log.warn({ err: error }, 'coverage pass failed; the next one tries again');
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
