import { isProgress } from '../failures/detect/progress.ts';
import type { CoreEvent, Pod } from '../crd/kubernetes.ts';
import { type Cache, KINDS, type LightweightClient } from '../kube/lightweight.ts';
import { projectPod } from '../kube/project-pod.ts';
import type { Logger } from '../log.ts';
import type { Collector } from './collect-evidence.ts';
import { type PodWatch, type PodWatchDeps, podWatch } from './pod-watch.ts';
import type { Reporter } from './send-reports.ts';

export interface NodeWatchDeps extends Pick<PodWatchDeps, 'graces' | 'now'> {
  client: LightweightClient;
  collect: Pick<Collector, 'pod' | 'isMadeGood'>;
  reporter: Pick<Reporter, 'report' | 'gone'>;
  /** If unset, the pods of all nodes are watched. */
  nodeName?: string | undefined;
  /** Empty = all. */
  watchNamespaces: string[];
  log: Logger;
}

/** The pods of a node with their failures. */
export interface NodeWatch extends Pick<PodWatch, 'failing' | 'unsettled' | 'pods' | 'again' | 'idle'> {
  readonly synced: Cache<Pod>['synced'];
  /** Resolves when all pods are listed. If the cluster is away, waits for it. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Watches the pods of one node, and reports pods that fail, recover or are deleted.
 *
 * Events are not watched, because they have no field selector for the node, and every agent would get the events of the whole cluster.
 * Instead, the events of an unhealthy pod are listed when it changes or when a grace time ends.
 */
export function nodeWatch({ client, collect, reporter, nodeName, watchNamespaces, graces, now, log }: NodeWatchDeps): NodeWatch {
  const watch = podWatch({
    graces,
    now,
    log: log.child({ component: 'pod-watch' }),
    events: ({ metadata: { namespace, uid } }) =>
      client.list<CoreEvent>(KINDS.event, { namespace, fieldSelector: `involvedObject.uid=${uid}` }),
    async failed({ pod, failure, events, seenAt }, isLastTry) {
      const { name, namespace } = pod.metadata;
      if (await collect.isMadeGood(pod)) return { isDue: false, isWorking: true };
      const { report, isLogDue } = await collect.pod(pod, failure, { events, isLastTry });
      if (failure.reason === 'PodInitializing' && isProgress(ownLog(report.logs ?? ''))) {
        log.debug({ pod: name, namespace, container: failure.container }, 'the log of the init container moves on; it is not reported');
        return { isDue: false, isWorking: true };
      }
      log.info({ pod: name, namespace, reason: failure.reason, container: failure.container, isLogDue }, 'pod fails');
      reporter.report({ ...report, observed_at: seenAt.toISOString() });
      return { isDue: isLogDue };
    },
    recovered: (pod, seenAt) => reporter.gone(referenceTo(pod), { reason: 'recovered', seenAt }),
  });
  const cache = client.follow<Pod, Pod>(KINDS.pod, {
    namespaces: watchNamespaces,
    project: projectPod,
    log: log.child({ component: 'watch' }),
    ...(nodeName ? { fieldSelector: `spec.nodeName=${nodeName}` } : {}),
  });
  const unsubscribe = cache.onChange(async ({ type, object }) => {
    if (type !== 'DELETED') return watch.seen(object);
    const seenAt = now();
    await watch.gone(object);
    // A healthy pod is reported too: the operator may have a record of it from before this agent started.
    reporter.gone(referenceTo(object), { reason: 'deleted', seenAt });
  });
  return {
    ...watch,
    get synced() {
      return cache.synced;
    },
    start: cache.start,
    async stop() {
      unsubscribe();
      await cache.stop();
      await watch.stop();
    },
  };
}

function referenceTo({ metadata: { uid = '', name = '', namespace = '' } }: Pod) {
  return { pod_uid: uid, pod_name: name, namespace };
}

/** The log of the failing container's present run: the first section of a report's logs, without its heading. */
function ownLog(logs: string): string {
  return (logs.split('\n==> ', 1)[0] ?? '').replace(/^==> .{1,300} <==\n/, '');
}
