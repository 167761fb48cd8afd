import { CLUSTER_KINDS, type ClusterKindName, type ClusterView, type TrustBundle, trustBundlesOf } from './detectors/cluster-view.ts';
import type { KindName, Objects } from './detectors/view.ts';
import { configMapSource, secretSource } from './observed/config-source.ts';
import type { CoreEvent, KubeObject, Pod } from '../crd/kubernetes.ts';
import { withoutUndefined } from '../crd/without-undefined.ts';
import { projectPodWithResources } from '../kube/project-pod.ts';
import type { KubeClient, Page, Selection } from '../kube/client.ts';
import { ClusterUnavailable, isKubeError, KindNotServed, KubeError } from '../kube/errors.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';

/** The kinds that detectors look at, as the API server names them. */
export const ADVICE_KINDS: Record<KindName, Kind> = {
  Deployment: KINDS.deployment,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
  CronJob: KINDS.cronJob,
  Pod: KINDS.pod,
  Service: KINDS.service,
  PodDisruptionBudget: KINDS.podDisruptionBudget,
  HorizontalPodAutoscaler: KINDS.horizontalPodAutoscaler,
  ResourceQuota: KINDS.resourceQuota,
  PersistentVolumeClaim: KINDS.persistentVolumeClaim,
  Certificate: KINDS.certificate,
  PodMetrics: KINDS.podMetrics,
  Event: KINDS.event,
  ConfigMap: KINDS.configMap,
  Secret: KINDS.secret,
};
/** How a kind is read, if not in the usual way. */
const SPECIAL: { [K in KindName]?: { query?: Selection; keep?(object: KubeObject): KubeObject[] } } = {
  Pod: { keep: (pod) => [projectPodWithResources(pod as Pod)] },
  Event: { query: { fieldSelector: 'involvedObject.kind=Pod,reason=Pulled' }, keep: (event) => pullEvent(event as CoreEvent) },
  ConfigMap: { query: { withManagedFields: true }, keep: (object) => [configMapSource(object)] },
  Secret: { query: { metadataOnly: true }, keep: (object) => [secretSource(object)] },
};
/** Kinds that a cluster may lack, and that another server may serve. */
const OPTIONAL: ReadonlySet<string> = new Set<KindName | ClusterKindName>(['Certificate', 'PodMetrics', ...CLUSTER_KINDS]);
const CLUSTER: Record<ClusterKindName, Kind> = {
  ValidatingWebhookConfiguration: KINDS.validatingWebhookConfiguration,
  MutatingWebhookConfiguration: KINDS.mutatingWebhookConfiguration,
  APIService: KINDS.apiService,
  CustomResourceDefinition: KINDS.customResourceDefinition,
};
const PAGE_SIZE = 250;
/** Custom resource definitions are the largest objects of a cluster. */
const LARGE_PAGE_SIZE = 50;
/** How long a missing kind is not asked for again. An aggregated API that hangs would delay each namespace by the deadline. */
const ABSENT_MS = 10 * 60_000;

export interface Inventory {
  objects: { [K in KindName]?: Objects[K][] };
  /** Kinds that may not be read here, or whose server does not answer. */
  unreadable: KindName[];
  /** Kinds that the cluster does not have, so that no object of them exists. */
  absent: KindName[];
}

export interface ClusterInventory extends ClusterView {
  unreadable: ClusterKindName[];
  absent: ClusterKindName[];
}

type Missing = 'unreadable' | 'absent';

export interface InventoryDeps {
  client: Pick<KubeClient, 'page'>;
  now(): Date;
  /** Whether Secrets are read: only their metadata, never their values. */
  readSecretNames: boolean;
}

/** Reads the objects for the detectors, one kind after the other, because nobody waits for it. Both methods throw ClusterUnavailable. */
export function inventories({ client, now, readSecretNames }: InventoryDeps) {
  const names = (Object.keys(ADVICE_KINDS) as KindName[]).filter((name) => name !== 'Secret' || readSecretNames);
  const missing = new Map<Kind, { until: number; how: Missing }>();

  /** Reads page by page, and keeps only what `keep` returns. */
  const everyPage = async <T>(kind: Kind, query: Selection & { limit: number }, keep: (object: KubeObject) => T[]): Promise<T[]> => {
    const { limit, ...selection } = query;
    const all: T[] = [];
    for (let token: string | undefined = ''; token !== undefined;) {
      const page: Page<KubeObject> = await client.page(kind, selection, { limit, continue: token || undefined });
      all.push(...page.items.flatMap(keep));
      token = page.continueToken;
    }
    return all;
  };
  const read = async <T>(kind: Kind, query: Selection & { limit: number }, keep: (object: KubeObject) => T[]): Promise<T[] | Missing> => {
    const known = missing.get(kind);
    if (known && known.until > now().getTime()) return known.how;
    missing.delete(kind);
    try {
      return await everyPage(kind, query, keep);
    } catch (error) {
      if (isKubeError(error, 403)) return 'unreadable';
      const how = OPTIONAL.has(kind.kind) ? howMissing(error) : undefined;
      if (how === undefined) throw error;
      missing.set(kind, { until: now().getTime() + ABSENT_MS, how });
      return how;
    }
  };

  return {
    async ofNamespace(namespace: string): Promise<Inventory> {
      const objects: Record<string, KubeObject[]> = {};
      const found: Pick<Inventory, Missing> = { unreadable: [], absent: [] };
      for (const name of names) {
        const { query = {}, keep = (object: KubeObject) => [object] } = SPECIAL[name] ?? {};
        const all = await read(ADVICE_KINDS[name], { ...query, namespace, limit: PAGE_SIZE }, keep);
        if (typeof all === 'string') found[all].push(name);
        else objects[name] = all;
      }
      return { objects: objects as Inventory['objects'], ...found };
    },

    /** Keeps only the certificates that these objects trust. */
    async ofCluster(): Promise<ClusterInventory> {
      const bundles: TrustBundle[] = [];
      const found: Pick<ClusterInventory, Missing> = { unreadable: [], absent: [] };
      for (const name of CLUSTER_KINDS) {
        const all = await read(CLUSTER[name], { limit: LARGE_PAGE_SIZE }, (object) => trustBundlesOf(name, object));
        if (typeof all === 'string') found[all].push(name);
        else bundles.push(...all);
      }
      return { bundles, ...found };
    },
  };
}

/** `absent`: not served. `unreadable`: served, but it does not answer. Undefined for other errors. */
function howMissing(error: unknown): Missing | undefined {
  if (error instanceof KindNotServed) return 'absent';
  return error instanceof KubeError || error instanceof ClusterUnavailable ? 'unreadable' : undefined;
}

/** The parts of an event that are kept. Most events say that an image was already there. */
function pullEvent({
  metadata: { name, uid, creationTimestamp },
  message,
  involvedObject,
  source,
  reportingInstance,
  ...rest
}: CoreEvent): KubeObject[] {
  if (!message?.startsWith('Successfully pulled')) return [];
  const { lastTimestamp, eventTime } = rest;
  const event: CoreEvent = withoutUndefined({
    metadata: withoutUndefined({ name, uid, creationTimestamp }),
    ...{ message, lastTimestamp, eventTime, source, reportingInstance },
    involvedObject: involvedObject && withoutUndefined({ name: involvedObject.name }),
  });
  return [event];
}
