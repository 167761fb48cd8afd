import { createHash } from 'node:crypto';
import { CLUSTER_WIDE } from '../contract/finding.ts';
import type { KindName } from './detectors/view.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { ADVICE_KINDS } from './read-objects.ts';
import type { KubeClient } from '../kube/client.ts';
import { controller, type Pass } from '../kube/controller.ts';
import { KINDS } from '../kube/kinds.ts';
import { type Cache, watchKind } from '../kube/watch.ts';
import type { Logger } from '../log.ts';

/** Pods, Jobs, quotas and claims change all the time. They are not watched, but examined in the regular pass and with their owners. */
const WATCHED = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Service',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
] as const satisfies KindName[];
export interface AdviceTiming {
  /** The wait after a change. `kubectl apply` changes several objects, which are then examined together. */
  gatherMs: number;
  /** The shortest time between two passes over a namespace that changes all the time. */
  seldomMs: number;
  /** The effect of a change shows only when its pods have run for a while. After this time the namespace is examined again. */
  againMs: number;
  /** How often every namespace is looked at. */
  intervalMs: number;
}

const TIMING: Omit<AdviceTiming, 'intervalMs'> = { gatherMs: 2_000, seldomMs: 15_000, againMs: 180_000 };
/** A key that names no namespace. Its pass enqueues every namespace. */
const EVERY_NAMESPACE = '*';
/** The key of cluster-wide objects. */
const OUTSIDE = '*outside';

export interface AdviceControllerDeps {
  client: Pick<KubeClient, 'page' | 'watch'>;
  advise: {
    /** Looks at one namespace. */
    namespace(name: string): Promise<void>;
    /** Examines cluster-wide objects; not called if only some namespaces are watched. */
    cluster(): Promise<void>;
  };
  /** Namespaces with stored advice. Some of them may no longer exist. */
  kept(): Promise<string[]>;
  /** Empty = all. */
  watchNamespaces: readonly string[];
  timing: Pick<AdviceTiming, 'intervalMs'> & Partial<AdviceTiming>;
  now(): Date;
  log: Logger;
}

/** Of a watched object, only a digest of the fields that its author wrote is kept. */
interface DigestedObject extends KubeObject {
  digest: string;
}

/** Examines a namespace when something in it changes, and all of them at intervals. For the leader. */
export function adviceController({ client, advise, kept, watchNamespaces, now, log, ...deps }: AdviceControllerDeps) {
  const { gatherMs, seldomMs, againMs, intervalMs } = { ...TIMING, ...deps.timing };
  const namespaces = watchNamespaces.length > 0 ? [...new Set(watchNamespaces)] : undefined;
  const changedAt = new Map<string, number>();
  const lookedAt = new Map<string, number>();
  const caches: Cache<DigestedObject>[] = WATCHED.map((name) =>
    watchKind(client, ADVICE_KINDS[name], { namespaces, log, project: digestOf }),
  );
  const places = namespaces ? undefined : watchKind(client, KINDS.namespace, { log, project: digestOf });

  const everywhere = async (): Promise<Pass> => {
    const known = namespaces ?? (places?.list() ?? []).map(({ metadata }) => metadata.name ?? '');
    const stored = (await kept()).filter((namespace) => namespace !== CLUSTER_WIDE);
    for (const namespace of new Set([...known, ...stored])) passes.enqueue(namespace);
    if (!namespaces) passes.enqueue(OUTSIDE);
    return { requeueAfterMs: intervalMs };
  };
  const reconcile = async (key: string): Promise<Pass> => {
    if (key === EVERY_NAMESPACE) return everywhere();
    if (key === OUTSIDE) return advise.cluster();
    await advise.namespace(key);
    lookedAt.set(key, now().getTime());
    const since = now().getTime() - (changedAt.get(key) ?? -Infinity);
    if (since >= 0 && since < againMs) return { requeueAfterMs: againMs - since };
    changedAt.delete(key);
  };
  const passes = controller({ name: 'advice', reconcile, concurrency: 2, log, now });
  const changed = (namespace: string): void => {
    const at = now().getTime();
    changedAt.set(namespace, at);
    const rest = (lookedAt.get(namespace) ?? -Infinity) + seldomMs - at;
    // At most that long, even if the clock was changed.
    passes.enqueue(namespace, Math.min(Math.max(gatherMs, rest), seldomMs));
  };

  const start = async (): Promise<void> => {
    await Promise.all([...caches, ...(places ? [places] : [])].map((cache) => cache.start()));
    // Registered only now, because the first pass examines everything that exists at the start.
    for (const cache of caches)
      cache.onChange(({ object, previous, type }) => {
        if (type !== 'MODIFIED' || previous?.digest !== object.digest) changed(object.metadata.namespace ?? '');
      });
    places?.onChange(({ type, object }) => {
      if (type !== 'MODIFIED') changed(object.metadata.name ?? '');
    });
    for (const cache of caches) cache.onReturn(() => passes.retryNow());
    passes.enqueue(EVERY_NAMESPACE);
    passes.start();
  };
  return {
    /** Returns at once, and waits in the background for a cluster that is unavailable. */
    start: () => void start(),
    async stop(): Promise<void> {
      await passes.stop();
      await Promise.all([...caches, ...(places ? [places] : [])].map((cache) => cache.stop()));
    },
  };
}

/** Without the status and the metadata that the server sets, which change by themselves. */
function digestOf({ metadata, ...rest }: KubeObject): DigestedObject {
  const { name, namespace, uid, resourceVersion, labels, annotations } = metadata;
  const { spec } = rest as { spec?: unknown };
  const digest = createHash('sha1')
    .update(JSON.stringify([spec, labels, annotations]))
    .digest('base64url');
  return { metadata: { name, namespace, uid, resourceVersion } as KubeObject['metadata'], digest };
}
