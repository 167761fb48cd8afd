import { remember } from '../async/cache.ts';
import type { KubeObject, Pod } from '../crd/kubernetes.ts';
import { ranImages } from '../crd/containers.ts';
import { enforcedLevelOf } from '../crd/pod-security-level.ts';
import { listOf } from '../crd/pod-template.ts';
import { requestsByNode } from '../crd/requests.ts';
import type { WorkloadRef } from '../contract/failure.ts';
import type { ServerAround, Surroundings, VolumeAround } from '../diagnosis/case.ts';
import { hasHistory, type HISTORY, type Revisions, revisionsOf } from '../diagnosis/changes/revisions.ts';
import { settingsOf } from '../diagnosis/facts/settings-around.ts';
import { serversOf } from '../diagnosis/facts/servers.ts';
import {
  portsOf,
  claimOf,
  elsewhere,
  type Behind,
  behindClaims,
  hostPortsOf,
  isFree,
  labelSets,
  limitRangesOf,
  memoryUseOf,
  networkPolicyOf,
  quotaOf,
  type Selectable,
  selectable,
  storageClassOf,
  volumeOf,
  withProblem,
  withVolume,
  withSelected,
} from '../diagnosis/facts/surroundings.ts';
import { MASK } from '../redact/keys.ts';
import type { KubeClient, Page } from './client.ts';
import { ClusterUnavailable, KubeError } from './errors.ts';
import { type Kind, KINDS } from './kinds.ts';

const TTL_MS = 5_000;
const MAX_NAMESPACES = 50;
const MAX_WORKLOADS = 200;
/** At most this many Services of the cluster are read for their names. */
export const MAX_SERVICES = 2_000;
/** At most this many pods are read for their images. This is enough to know a team's tags, without reading a whole large cluster. */
export const MAX_IMAGE_PODS = 2_000;

export interface SurroundingsDeps {
  client: Pick<KubeClient, 'read' | 'list' | 'page'>;
  /** Only these namespaces are read; empty = all. */
  watchNamespaces: readonly string[];
  /** No name from these namespaces is shown with a failure in another namespace. Default: none. */
  hiddenNamespaces?: readonly string[];
  /** Set only if the installation grants reading Secrets. */
  secretNames?: ((namespace: string) => Promise<Surroundings['secrets']>) | undefined;
  now(): Date;
}

/** Reads the surroundings of a failure in this namespace, and the last revisions of `workload`, its root owner. */
export type Around = (namespace: string, workload?: WorkloadRef | null) => Promise<Surroundings>;

/**
 * Reads the objects around a failure in a namespace, and the last revisions of its workload. Kinds that the installation may not read are
 * left out. Answers are shared for some seconds, because many pods often fail at once. Throws `ClusterUnavailable`.
 */
export function surroundingsOf({ client, watchNamespaces, hiddenNamespaces = [], secretNames, now }: SurroundingsDeps): Around {
  const isHidden = (namespace: string): boolean => hiddenNamespaces.includes(namespace);
  const memory = { ttlMs: TTL_MS, now };
  const namespaces = remember((namespace) => gatherNamespace({ client, secretNames }, namespace), { ...memory, most: MAX_NAMESPACES });
  const cluster = remember(() => gatherCluster({ client, watchNamespaces, isHidden }), { ...memory, most: 1 });
  const workloads = remember(
    (key) => {
      const [namespace = '', kind = '', name = ''] = key.split('/');
      return gatherRevisions(client, namespace, { kind, name });
    },
    { ...memory, most: MAX_WORKLOADS },
  );
  return async (namespace, workload) => {
    const [near, { claimUsers, behind, selectables, labels, servers, allServices, ...far }, revisions] = await Promise.all([
      namespaces(namespace),
      cluster(''),
      workload && hasHistory(workload.kind) ? workloads(`${namespace}/${workload.kind}/${workload.name}`) : undefined,
    ]);
    const claims = near.claims?.map((one) => {
      const claim = withVolume(one, behind ?? new Map(), namespace);
      const usedOn = claimUsers?.get(`${namespace}/${claim.name}`);
      return usedOn ? { ...claim, usedOn: [...usedOn] } : claim;
    });
    const services = near.services?.map((service) => (selectables ? withSelected(service, selectables.get(namespace) ?? []) : service));
    const own = servers?.get(namespace);
    return {
      ...near,
      ...(claims ? { claims } : {}),
      ...(services ? { services } : {}),
      ...(own ? { servers: own } : {}),
      ...(labels ? { podLabels: labels.get(namespace) ?? [] } : {}),
      ...(allServices ? { servicesElsewhere: elsewhere(allServices, namespace) } : {}),
      ...far,
      ...(revisions ? { revisions } : {}),
    };
  };
}

type Near = Pick<
  Surroundings,
  'configMaps' | 'settings' | 'secrets' | 'quotas' | 'limitRanges' | 'podSecurity' | 'services' | 'networkPolicies' | 'claims' | 'memoryUse'
>;

async function gatherNamespace(
  { client, secretNames }: Pick<SurroundingsDeps, 'client' | 'secretNames'>,
  namespace: string,
): Promise<Near> {
  const [secrets, quotas, limitRanges, labelled, configMaps, services, networkPolicies, claims, claimEvents, metrics] = await Promise.all([
    secretNames?.(namespace),
    readable(client.list(KINDS.resourceQuota, { namespace })),
    readable(client.list(KINDS.limitRange, { namespace })),
    readable(client.list(KINDS.namespace, { fieldSelector: `metadata.name=${namespace}` })),
    readable(client.list(KINDS.configMap, { namespace })),
    readable(client.list(KINDS.service, { namespace })),
    readable(client.list(KINDS.networkPolicy, { namespace })),
    readable(client.list(KINDS.persistentVolumeClaim, { namespace })),
    readable(client.list(KINDS.event, { namespace, fieldSelector: 'involvedObject.kind=PersistentVolumeClaim' })),
    measured(client.list(KINDS.podMetrics, { namespace })),
  ]);
  return {
    ...(secrets && { secrets }),
    ...(quotas && { quotas: quotas.map(quotaOf) }),
    ...(limitRanges && { limitRanges: limitRanges.flatMap(limitRangesOf) }),
    ...(labelled && { podSecurity: labelled.flatMap((one) => enforcedLevelOf(one) ?? [])[0] ?? null }),
    ...(configMaps && {
      configMaps: configMaps.map(({ metadata, data, binaryData }) => ({
        name: nameOf(metadata),
        keys: Object.keys({ ...data, ...binaryData }),
      })),
    }),
    ...(configMaps && { settings: settingsOf(configMaps) }),
    ...(services && { services: services.map((service) => serviceOf(service)) }),
    ...(networkPolicies && { networkPolicies: networkPolicies.map(networkPolicyOf) }),
    ...(claims && { claims: claims.map((claim) => withProblem(claimOf(claim), claimEvents ?? [])) }),
    ...(metrics && { memoryUse: metrics.flatMap(memoryUseOf) }),
  };
}

function serviceOf(service: KubeObject): NonNullable<Surroundings['services']>[number] {
  const { selector } = (service as { spec?: { selector?: Record<string, string> } }).spec ?? {};
  return { name: nameOf(service.metadata), ...(selector ? { selector } : {}), ...portsOf(service) };
}

const OWNERS: Record<keyof typeof HISTORY, Kind> = {
  Deployment: KINDS.deployment,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
};

/** The revisions that the controller of a workload keeps, found by their labels. */
async function gatherRevisions(
  client: Pick<KubeClient, 'read' | 'list'>,
  namespace: string,
  { kind, name }: WorkloadRef,
): Promise<Revisions | undefined> {
  if (!hasHistory(kind)) return undefined;
  const workload = await readable(client.read(OWNERS[kind], namespace, name));
  if (!workload) return undefined;
  const kept = kind === 'Deployment' ? KINDS.replicaSet : KINDS.controllerRevision;
  const { matchLabels = {} } = (workload as { spec?: { selector?: { matchLabels?: Record<string, string> } } }).spec?.selector ?? {};
  const labelSelector = Object.entries(matchLabels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  const history = await readable(client.list<KubeObject>(kept, { namespace, ...(labelSelector ? { labelSelector } : {}) }));
  return revisionsOf(
    { ...workload, kind },
    (history ?? []).map((object) => ({ ...object, kind: kept.kind })),
  );
}

interface Far extends Pick<Surroundings, 'nodes' | 'storageClasses' | 'volumes' | 'images' | 'hostPorts'> {
  /** The nodes whose pods use a claim, by `NAMESPACE/CLAIM`. */
  claimUsers?: Map<string, Set<string>>;
  /** What claims have from their volumes, by `NAMESPACE/CLAIM`. */
  behind?: Map<string, Behind>;
  /** The labels and ports of the pods that Services select, by namespace. Only set if all pods are known. */
  selectables?: Map<string, Selectable[]>;
  /** The labels of those pods, each set once, by namespace. */
  labels?: Map<string, Record<string, string>[]>;
  /** The Services of all namespaces that may be named. */
  allServices?: KubeObject[];
  /** The pods that run known servers, by namespace. */
  servers?: Map<string, ServerAround[]>;
}

interface Wide {
  client: Pick<KubeClient, 'list' | 'page'>;
  watchNamespaces: readonly string[];
  isHidden(namespace: string): boolean;
}

async function gatherCluster(wide: Wide): Promise<Far> {
  const { client } = wide;
  const [nodes, storageClasses, volumes, allServices, { requested, ...ofPods }] = await Promise.all([
    readable(client.list(KINDS.node)),
    readable(client.list(KINDS.storageClass)),
    readable(client.list(KINDS.persistentVolume)),
    gatherServices(wide),
    gatherPods(wide),
  ]);
  return {
    // A bound volume is of no use to another claim.
    ...(volumes && { behind: behindClaims(volumes) }),
    ...(volumes && { volumes: volumes.filter(isFree).map((volume) => withoutHiddenClaim(volumeOf(volume), wide)) }),
    ...(storageClasses && { storageClasses: storageClasses.map(storageClassOf) }),
    ...(nodes && {
      nodes: nodes.map(({ metadata, spec, status }) => ({
        name: nameOf(metadata),
        labels: metadata.labels ?? {},
        allocatable: status?.allocatable ?? {},
        ...(requested ? { used: requested.get(nameOf(metadata)) ?? {} } : {}),
        taints: (spec?.taints ?? []).map(({ key, value, effect }) => ({ key, effect, ...(value ? { value } : {}) })),
      })),
    }),
    ...(allServices && { allServices }),
    ...ofPods,
  };
}

/** Masks the claim of a volume if its namespace is hidden. The volume still counts as taken. */
function withoutHiddenClaim(volume: VolumeAround, { isHidden }: Wide): VolumeAround {
  return volume.claim !== undefined && isHidden(volume.claim.split('/')[0] ?? '') ? { ...volume, claim: MASK } : volume;
}

/** The first Services of the cluster, without those of hidden namespaces; undefined if none may be read. */
async function gatherServices({ client, watchNamespaces, isHidden }: Wide): Promise<KubeObject[] | undefined> {
  const pages = await Promise.all(
    (watchNamespaces.length > 0 ? watchNamespaces : [undefined]).map((namespace) =>
      readable(client.page<KubeObject>(KINDS.service, { namespace }, { limit: MAX_SERVICES, continue: undefined })),
    ),
  );
  const services = pages.flatMap((page) => page?.items ?? []);
  return pages.every((page) => page === undefined)
    ? undefined
    : services
        .filter(({ metadata }) => !isHidden(metadata.namespace ?? ''))
        .map(({ metadata }) => ({ metadata: namedOnly(metadata) }) as KubeObject);
}

const namedOnly = ({ name, namespace }: KubeObject['metadata']) => ({ name, namespace });

async function gatherPods({
  client,
  watchNamespaces,
  isHidden,
}: Wide): Promise<Omit<Far, 'nodes' | 'storageClasses' | 'volumes'> & { requested?: Map<string, Record<string, number>> }> {
  const images = new Set<string>();
  const hostPorts: NonNullable<Surroundings['hostPorts']> = [];
  const claimUsers = new Map<string, Set<string>>();
  const selectables = new Map<string, Selectable[]>();
  const servers = new Map<string, ServerAround[]>();
  const placed: Pick<Pod, 'spec' | 'status'>[] = [];
  const note = (pod: Pod): void => {
    const { namespace = '' } = pod.metadata;
    const ports = hostPortsOf(pod);
    if (isHidden(namespace)) hostPorts.push(...ports.map((port) => ({ ...port, pod: MASK })));
    else {
      for (const image of ranImages(pod)) images.add(image);
      hostPorts.push(...ports);
    }
    placed.push({ spec: pod.spec, ...(pod.status ? { status: pod.status } : {}) });
    const seen = selectables.get(namespace) ?? [];
    seen.push(selectable(pod));
    selectables.set(namespace, seen);
    const own = serversOf(pod);
    if (own.length > 0) servers.set(namespace, [...(servers.get(namespace) ?? []), ...own]);
    for (const claim of claimsHeldBy(pod)) claimUsers.set(claim, (claimUsers.get(claim) ?? new Set()).add(pod.spec.nodeName ?? ''));
  };
  const { isAnswered, isWhole } = await eachPod(client, watchNamespaces, note);
  if (!isAnswered) return {};
  // The free resources of nodes are only known if all pods of the cluster are known.
  const requested = isWhole && watchNamespaces.length === 0 ? requestsByNode(placed) : undefined;
  const labels = new Map([...selectables].map(([namespace, pods]) => [namespace, labelSets(pods.map((pod) => pod.labels))]));
  return {
    images: [...images],
    hostPorts,
    claimUsers,
    servers,
    ...(isWhole ? { selectables, labels } : {}),
    ...(requested ? { requested } : {}),
  };
}

/** Calls `note` with each pod, at most `MAX_IMAGE_PODS` times. Returns `isWhole` if these were all pods. */
async function eachPod(client: Pick<KubeClient, 'page'>, watchNamespaces: readonly string[], note: (pod: Pod) => void) {
  let left = MAX_IMAGE_PODS;
  let [isAnswered, isWhole] = [false, true];
  for (const namespace of watchNamespaces.length > 0 ? watchNamespaces : [undefined]) {
    let token: string | undefined = '';
    while (token !== undefined && left > 0) {
      const page: Page<Pod> | undefined = await readable(
        client.page(KINDS.pod, { namespace }, { limit: 500, continue: token || undefined }),
      );
      isAnswered ||= page !== undefined;
      isWhole &&= page !== undefined;
      for (const pod of page?.items ?? []) note(pod);
      left -= page?.items.length ?? 0;
      token = page?.continueToken;
    }
    isWhole &&= token === undefined;
  }
  return { isAnswered, isWhole };
}

/** The claims that a pod uses on its node, as `NAMESPACE/CLAIM`. */
function claimsHeldBy({ metadata, spec, status }: Pod): string[] {
  if (!spec?.nodeName || status?.phase === 'Succeeded' || status?.phase === 'Failed') return [];
  return listOf(spec.volumes).flatMap(({ persistentVolumeClaim: claim }) => (claim ? `${metadata.namespace}/${claim.claimName}` : []));
}

/** Returns undefined when the API server refuses because the installation lacks the right. */
async function readable<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof KubeError) return undefined;
    throw error;
  }
}

/** Like `readable`, for the metrics API. It has its own server, which a cluster may lack, or which may be away. */
async function measured<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await readable(answer);
  } catch (error) {
    if (error instanceof ClusterUnavailable) return undefined;
    throw error;
  }
}

const nameOf = ({ name = '' }: { name?: string }): string => name;
