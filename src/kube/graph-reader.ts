import { remember } from '../async/cache.ts';
import type { RbacBinding, RbacObjects, RbacRole } from '../access/objects.ts';
import { apiServerWords } from '../access/paths/bootstrap.ts';
import { CLUSTER_WIDE } from '../contract/graph.ts';
import { Refusal } from '../contract/refusal.ts';
import type { KubeObject, Pod } from '../crd/kubernetes.ts';
import type { Item } from '../graphs/item.ts';
import { endpointOf } from '../graphs/project/endpoint.ts';
import { CLUSTER_PROJECTIONS, PROJECTIONS, type Projection } from '../graphs/project/list.ts';
import type { Moment } from '../graphs/project/pod.ts';
import type { Endpoint, NetworkView, Policy } from '../crd/reachability.ts';
import type { NamespaceView } from '../graphs/namespace.ts';
import type { KubeClient, Page } from './client.ts';
import { isKubeError, KindNotServed } from './errors.ts';
import { canBeName, type Kind, KINDS } from './kinds.ts';

/** Answers are cached for this time, so that several people, or one person's clicks, cause only one read. */
const TTL_MS = 5_000;
/** At most this many namespaces are cached at once. 5,000 pods take about 10 MB. */
const MAX_NAMESPACES = 4;
const PAGE_SIZE = 500;
const RBAC_KINDS = {
  Role: KINDS.role,
  RoleBinding: KINDS.roleBinding,
  ClusterRole: KINDS.clusterRole,
  ClusterRoleBinding: KINDS.clusterRoleBinding,
};

const NAMESPACE_KINDS: Record<keyof typeof PROJECTIONS, Kind> = {
  Pod: KINDS.pod,
  Deployment: KINDS.deployment,
  ReplicaSet: KINDS.replicaSet,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
  CronJob: KINDS.cronJob,
  Service: KINDS.service,
  EndpointSlice: KINDS.endpointSlice,
  Ingress: KINDS.ingress,
  NetworkPolicy: KINDS.networkPolicy,
  HorizontalPodAutoscaler: KINDS.horizontalPodAutoscaler,
  PodDisruptionBudget: KINDS.podDisruptionBudget,
  PersistentVolumeClaim: KINDS.persistentVolumeClaim,
  ConfigMap: KINDS.configMap,
  ServiceAccount: KINDS.serviceAccount,
  MirrorPod: KINDS.mirrorPod,
};
const CLUSTER_KINDS: Record<keyof typeof CLUSTER_PROJECTIONS, Kind> = {
  Node: KINDS.node,
  PersistentVolume: KINDS.persistentVolume,
  StorageClass: KINDS.storageClass,
};

/** The kinds besides roles and bindings that decide where rights lead. */
const AROUND_KINDS: Kind[] = [
  KINDS.namespace,
  KINDS.resourceQuota,
  KINDS.serviceAccount,
  KINDS.pod,
  KINDS.deployment,
  KINDS.statefulSet,
  KINDS.daemonSet,
  KINDS.cronJob,
  KINDS.validatingWebhookConfiguration,
  KINDS.mutatingWebhookConfiguration,
];

/** The kinds whose manifests are shown, by their names and plurals in lower case. Secrets are none of them. */
const MANIFEST_KINDS = new Map(
  Object.values({ ...NAMESPACE_KINDS, ...CLUSTER_KINDS, ...RBAC_KINDS }).flatMap((kind): [string, Kind][] => [
    [kind.kind.toLowerCase(), kind],
    [kind.plural, kind],
  ]),
);

/** The objects read for a graph. `missingRights` names each kind that may not be read, as `list ingresses.networking.k8s.io`. */
interface WithRights {
  missingRights: string[];
}

export type NamespaceObjects = Pick<NamespaceView, 'namespace' | 'items' | 'known' | 'secrets'> & WithRights;

export interface AccessObjects extends WithRights {
  objects: RbacObjects;
  /** Whether a ServiceAccount exists; undefined if accounts may not be read. */
  hasAccount(namespace: string, name: string): boolean | undefined;
}

export interface AroundObjects extends WithRights {
  objects: KubeObject[];
}

export interface PodName {
  namespace: string;
  name: string;
}

/** Reads the objects for graphs from the cluster. Every method throws `ClusterUnavailable`. */
export interface GraphReader {
  /** The namespaces that Podmend looks at, sorted. Throws Refusal when they may not be listed. */
  namespaces(): Promise<string[]>;
  /** Everything that the graph of a namespace shows; undefined when there is no such namespace. */
  namespace(name: string): Promise<NamespaceObjects | undefined>;
  /** All roles and bindings. */
  access(): Promise<AccessObjects>;
  /**
   * Besides roles and bindings, reads what `worldOf` needs to follow rights: namespaces, quotas, accounts, pods, workloads, and the names
   * of webhook configurations.
   */
  around(): Promise<AroundObjects>;
  /** The pods of a namespace; empty if they may not be read. */
  pods(namespace: string): Promise<readonly Item[]>;
  /** Two pods, and the policies and labels that decide whether they may connect; undefined if a pod is missing. Throws Refusal without the right. */
  network(from: PodName, to: PodName): Promise<{ from: Endpoint; to: Endpoint; view: NetworkView } | undefined>;
  /** The live object; undefined when there is none. Throws Refusal for kinds that are not shown, or may not be read. */
  manifest(kind: string, namespace: string, name: string): Promise<KubeObject | undefined>;
}

export interface GraphReaderDeps {
  client: Pick<KubeClient, 'page'>;
  /** Only these namespaces are read; empty = all. */
  watchNamespaces: readonly string[];
  /** Set only if the installation grants reading Secrets. */
  secretNames?: ((namespace: string) => Promise<NamespaceView['secrets']>) | undefined;
  graces: Moment['graces'];
  now(): Date;
}

/**
 * Reads the objects of a graph when somebody opens it, and caches projections for some seconds. There is no watch, so nothing runs while
 * nobody looks, and the right to list is enough.
 */
export function graphReader({ client, watchNamespaces, secretNames, graces, now }: GraphReaderDeps): GraphReader {
  const places = watchNamespaces.length > 0 ? [...new Set(watchNamespaces)] : undefined;
  const isThere = async (name: string): Promise<boolean> => {
    if (places) return places.includes(name);
    if (!canBeName(name)) return false;
    const found = await allowed(
      KINDS.namespace,
      listed(client, KINDS.namespace, { name }, ({ metadata }) => metadata.name),
    );
    return found.length > 0;
  };
  const gather = async (namespace: string): Promise<NamespaceObjects | undefined> => {
    if (!(await isThere(namespace))) return undefined;
    const moment = { now: now(), graces };
    const project = async (name: string, kind: Kind, projection: Projection): Promise<[string, Kind, Item[] | undefined]> => [
      name,
      kind,
      await readable(listed(client, kind, { namespace }, (object) => projection(object, moment))),
    ];
    const [secrets, ...lists] = await Promise.all([
      secretNames?.(namespace),
      ...entries(NAMESPACE_KINDS).map(([name, kind]) => project(name, kind, PROJECTIONS[name])),
      ...entries(CLUSTER_KINDS).map(([name, kind]) => project(name, kind, CLUSTER_PROJECTIONS[name])),
    ]);
    return {
      namespace,
      items: lists.flatMap(([, , items]) => items ?? []),
      known: new Set(lists.flatMap(([name, , items]) => (items ? [name] : []))),
      missingRights: lists.flatMap(([, kind, items]) => (items ? [] : [rightOf(kind)])),
      ...(secrets ? { secrets } : {}),
    };
  };
  const everywhere = async <T>(kind: Kind, project: (object: KubeObject) => T | undefined): Promise<T[] | undefined> => {
    const lists: (T[] | undefined)[] = [];
    for (const namespace of kind.namespaced && places ? places : [undefined])
      lists.push(await readable(listed(client, kind, { namespace }, project)));
    return lists.every((list) => list === undefined) ? undefined : lists.flatMap((list) => list ?? []);
  };
  const gatherAccess = async (): Promise<AccessObjects> => {
    const role = (kind: Kind) => everywhere(kind, (object) => slimRole(object as RbacRole));
    const binding = (kind: Kind) => everywhere(kind, (object) => slimBinding(object as RbacBinding));
    const [clusterRoles, roles, clusterRoleBindings, roleBindings, accounts] = await Promise.all([
      role(KINDS.clusterRole),
      role(KINDS.role),
      binding(KINDS.clusterRoleBinding),
      binding(KINDS.roleBinding),
      everywhere(KINDS.serviceAccount, ({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ]);
    const known = accounts && new Set(accounts);
    const read: [Kind, unknown][] = [
      [KINDS.clusterRole, clusterRoles],
      [KINDS.role, roles],
      [KINDS.clusterRoleBinding, clusterRoleBindings],
      [KINDS.roleBinding, roleBindings],
      [KINDS.serviceAccount, accounts],
    ];
    return {
      objects: {
        clusterRoles: clusterRoles ?? [],
        roles: roles ?? [],
        clusterRoleBindings: clusterRoleBindings ?? [],
        roleBindings: roleBindings ?? [],
      },
      hasAccount: (namespace, name) => (places && !places.includes(namespace) ? undefined : known?.has(`${namespace}/${name}`)),
      missingRights: read.flatMap(([kind, list]) => (list ? [] : [rightOf(kind)])),
    };
  };
  const gatherAround = async (): Promise<AroundObjects> => {
    const lists = await Promise.all(
      AROUND_KINDS.map(async (kind) => ({ kind, list: await everywhere(kind, (object) => slimAround(kind.kind, object)) })),
    );
    return {
      objects: lists.flatMap(({ list }) => list ?? []),
      missingRights: lists.flatMap(({ kind, list }) => (list ? [] : [rightOf(kind)])),
    };
  };
  const gatherPods = async (namespace: string): Promise<Item[]> => {
    const moment = { now: now(), graces };
    return (await readable(listed(client, KINDS.pod, { namespace }, (object) => PROJECTIONS.Pod(object, moment)))) ?? [];
  };
  const canRead = (namespace: string): boolean => canBeName(namespace) && (!places || places.includes(namespace));
  const endpoint = async ({ namespace, name }: PodName): Promise<Endpoint | undefined> => {
    if (!canRead(namespace) || !canBeName(name)) return undefined;
    const [pod] = await allowed(
      KINDS.pod,
      listed(client, KINDS.pod, { namespace, name }, (object) => endpointOf(object as Pod)),
    );
    return pod;
  };
  const network: GraphReader['network'] = async (one, other) => {
    const [from, to] = await Promise.all([endpoint(one), endpoint(other)]);
    if (!from || !to) return undefined;
    const both = [...new Set([from.namespace, to.namespace])];
    const [policies, labels] = await Promise.all([
      Promise.all(
        both.map((namespace) =>
          allowed(
            KINDS.networkPolicy,
            listed(client, KINDS.networkPolicy, { namespace }, (object) => object as Policy),
          ),
        ),
      ),
      Promise.all(both.map((name) => readable(listed(client, KINDS.namespace, { name }, ({ metadata }) => metadata)))),
    ]);
    const namespaces = new Map(labels.flatMap((found) => found ?? []).map(({ name = '', labels: own = {} }) => [name, own]));
    return { from, to, view: { policies: policies.flat(), namespaces } };
  };
  const memory = { ttlMs: TTL_MS, now };
  const access = remember(gatherAccess, { ...memory, most: 1 });
  const around = remember(gatherAround, { ...memory, most: 1 });
  return {
    async namespaces() {
      if (places) return [...places].sort();
      const names = await allowed(
        KINDS.namespace,
        listed(client, KINDS.namespace, {}, ({ metadata }) => metadata.name),
      );
      return names.sort();
    },
    namespace: remember(gather, { ...memory, most: MAX_NAMESPACES }),
    access: () => access(''),
    around: () => around(''),
    network,
    pods: remember(gatherPods, { ...memory, most: MAX_NAMESPACES }),
    async manifest(kindName, namespace, name) {
      const kind = MANIFEST_KINDS.get(kindName.toLowerCase());
      if (!kind) throw new Refusal('missing', `Manifests of kind ${kindName} are not shown`);
      if (kind.namespaced ? !canRead(namespace) : namespace !== CLUSTER_WIDE) return undefined;
      if (!canBeName(name)) return undefined;
      const where = kind.namespaced ? { namespace, name } : { name };
      const [found] = await allowed(
        kind,
        listed(client, kind, where, (object) => object),
      );
      return found;
    },
  };
}

interface Where {
  namespace?: string | undefined;
  name?: string;
}

/** Reads page by page and keeps what `project` returns. */
async function listed<T>(
  client: Pick<KubeClient, 'page'>,
  kind: Kind,
  { namespace, name }: Where,
  project: (object: KubeObject) => T | undefined,
): Promise<T[]> {
  const all: T[] = [];
  const fieldSelector = name === undefined ? undefined : `metadata.name=${name.replace(/[\\,=]/g, '\\$&')}`;
  for (let token: string | undefined = ''; token !== undefined;) {
    const page: Page<KubeObject> = await client.page(
      kind,
      { namespace, fieldSelector },
      { limit: PAGE_SIZE, continue: token || undefined },
    );
    for (const object of page.items) {
      const kept = project(object);
      if (kept !== undefined) all.push(kept);
    }
    token = page.continueToken;
  }
  return all;
}

/** Returns undefined when the kind may not be read, and an empty list when the API server does not serve it. */
async function readable<T>(answer: Promise<T[]>): Promise<T[] | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isKubeError(error, 403)) return undefined;
    if (error instanceof KindNotServed) return [];
    throw error;
  }
}

/** Like `readable`, but throws a Refusal that names the missing right. */
async function allowed<T>(kind: Kind, answer: Promise<T[]>): Promise<T[]> {
  const found = await readable(answer);
  if (!found) throw new Refusal('denied', `Podmend lacks the right to ${rightOf(kind)}`);
  return found;
}

function rightOf({ plural, apiVersion }: Kind): string {
  const [group] = apiVersion.includes('/') ? apiVersion.split('/') : [];
  return `list ${plural}${group ? `.${group}` : ''}`;
}

const MIRROR = 'kubernetes.io/config.mirror';

/** The fields that `worldOf` reads. */
function slimAround(kind: string, object: KubeObject): KubeObject {
  const { name = '', namespace, uid, labels, ownerReferences, deletionTimestamp, annotations } = object.metadata;
  const mirror = annotations?.[MIRROR];
  const metadata = {
    name,
    ...(namespace ? { namespace } : {}),
    ...(uid ? { uid } : {}),
    ...(labels && kind === 'Namespace' ? { labels } : {}),
    ...(ownerReferences ? { ownerReferences } : {}),
    ...(deletionTimestamp ? { deletionTimestamp } : {}),
    ...(mirror === undefined ? {} : { annotations: { [MIRROR]: mirror } }),
  };
  const { spec, status, automountServiceAccountToken } = object as KubeObject & {
    spec?: Record<string, unknown>;
    status?: unknown;
    automountServiceAccountToken?: boolean;
  };
  if (kind === 'Pod') {
    const {
      containers,
      initContainers,
      volumes,
      nodeName,
      serviceAccountName,
      securityContext: context,
    } = (spec ?? {}) as unknown as Pod['spec'];
    const { phase, containerStatuses } = (status ?? {}) as NonNullable<Pod['status']>;
    const slim = (list: Pod['spec']['containers'] | undefined) =>
      list?.map(({ name: called, securityContext, volumeMounts, ...more }) => {
        const command = apiServerWords(more);
        return { name: called, securityContext, volumeMounts, ...(command.length > 0 ? { command } : {}) };
      });
    const mounted = volumes?.filter(({ hostPath, projected }) => hostPath ?? projected);
    return {
      kind,
      metadata,
      spec: {
        containers: slim(containers),
        initContainers: slim(initContainers),
        volumes: mounted,
        nodeName,
        serviceAccountName,
        securityContext: context,
      },
      status: { phase, containerStatuses: containerStatuses?.map(({ name: called, state }) => ({ name: called, state })) },
    } as KubeObject;
  }
  if (kind === 'ResourceQuota') return { kind, metadata, spec, status } as KubeObject;
  if (kind === 'ServiceAccount') return { kind, metadata, automountServiceAccountToken } as KubeObject;
  return { kind, metadata, ...(spec ? { spec: accountsOnly(spec) } : {}) } as KubeObject;
}

/** Keeps only the service accounts of a workload's pods. */
function accountsOnly({ template, jobTemplate }: Record<string, unknown>): unknown {
  const of = (pod: unknown) => ({
    spec: { serviceAccountName: (pod as { spec?: { serviceAccountName?: string } } | undefined)?.spec?.serviceAccountName },
  });
  const inner = (jobTemplate as { spec?: { template?: unknown } } | undefined)?.spec?.template;
  return inner === undefined ? { template: of(template) } : { jobTemplate: { spec: { template: of(inner) } } };
}

/** Keeps only the necessary fields of a role, because its annotations can be longer than its rules. */
function slimRole({ metadata: { name, namespace, labels }, rules, aggregationRule }: RbacRole): RbacRole {
  const place = { ...(name ? { name } : {}), ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) };
  return { metadata: place, ...(rules ? { rules } : {}), ...(aggregationRule ? { aggregationRule } : {}) };
}

function slimBinding({ metadata: { name, namespace }, roleRef, subjects }: RbacBinding): RbacBinding {
  return { metadata: { ...(name ? { name } : {}), ...(namespace ? { namespace } : {}) }, roleRef, subjects: subjects ?? [] };
}

const entries = <K extends string, V>(record: Record<K, V>): [K, V][] => Object.entries(record) as [K, V][];
