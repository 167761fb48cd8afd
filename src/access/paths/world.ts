import { allContainers, listOf } from '../../crd/pod-template.ts';
import { enforcedLevelOf } from '../../crd/pod-security-level.ts';
import type { KubeObject, Pod, PodSpec, Volume } from '../../crd/kubernetes.ts';
import { type ResourceQuota, shortages } from '../../crd/quota.ts';
import { type RbacObjects, rbacObjectsOf, type RbacSubject } from '../objects.ts';
import { boundOf } from '../rights.ts';

/** Something that runs code as a ServiceAccount: a pod, or a workload whose template makes pods. */
export interface Runner {
  namespace: string;
  name: string;
  account: string;
}

export interface RunningPod extends Runner {
  /** Whether the account's token is mounted. */
  hasToken: boolean;
  /** Whether who is inside is root on the node: a privileged container, or the node's root folder. */
  isNode: boolean;
  node: string | undefined;
}

export interface Workload extends Runner {
  /** `deployments.apps` */
  resource: string;
}

/** A namespace, as far as it decides which pods may run in it. */
export interface Place {
  /** What Pod Security enforces. */
  level: 'privileged' | 'baseline' | 'restricted';
  /** The quotas that have no room for one more pod. */
  fullQuotas: readonly string[];
}

/** The identity that a pod or the pods of a workload have. */
export function accountOf({ namespace, account }: Runner): RbacSubject {
  return { kind: 'ServiceAccount', namespace, name: account };
}

/** What is there besides roles and bindings. */
export interface World {
  rbac: RbacObjects;
  places: ReadonlyMap<string, Place>;
  /** `<namespace>/<name>` of the ServiceAccounts that exist. */
  accounts: ReadonlySet<string>;
  pods: readonly RunningPod[];
  /** Only those that nothing else controls: a changed one keeps its change. */
  workloads: readonly Workload[];
}

/** Kinds whose template may be changed after their creation, with their resources (Kubernetes API reference; a Job's may not). */
export const TEMPLATE_RESOURCES = {
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  ReplicaSet: 'replicasets.apps',
  CronJob: 'cronjobs.batch',
  ReplicationController: 'replicationcontrollers',
} as const;

/** Where objects of a file are that name no namespace. */
const DEFAULT_NAMESPACE = 'default';
const CLUSTER_ADMIN = {
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: 'cluster-admin' },
  rules: [
    { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
    { nonResourceURLs: ['*'], verbs: ['*'] },
  ],
};

/**
 * What is in a list of objects of any kind. `isWhole`: they are all that a cluster has. Otherwise they are files: each namespace and account that
 * something names is taken to exist, and so is the ClusterRole cluster-admin, which every cluster has. `rbac` is given where roles and bindings
 * are not among the objects. Nodes are not asked for: a pod that names a cordoned one runs there, and an autoscaler may bring another.
 */
export function worldOf(objects: readonly KubeObject[], isWhole: boolean, rbac: RbacObjects = rolesOf(objects, isWhole)): World {
  const of = (kind: string): KubeObject[] => objects.filter((object) => object.kind === kind);
  const accounts = of('ServiceAccount');
  const quiet = new Set(
    accounts.filter((one) => (one as { automountServiceAccountToken?: boolean }).automountServiceAccountToken === false).map(keyOf),
  );
  const pods = of('Pod')
    .filter((pod) => isRunning(pod as Pod))
    .map((pod) => runningPod(pod as Pod, quiet));
  const workloads = Object.entries(TEMPLATE_RESOURCES).flatMap(([kind, resource]) => of(kind).flatMap((one) => workloadOf(one, resource)));
  const named = isWhole ? [] : namedAccounts(rbac, [...pods, ...workloads]);
  const known = new Set([...accounts.map(keyOf), ...named]);
  return {
    rbac,
    places: placesOf(of('Namespace'), of('ResourceQuota') as ResourceQuota[], isWhole ? [] : namespacesOf(objects, known)),
    accounts: known,
    pods,
    workloads,
  };
}

function rolesOf(objects: readonly KubeObject[], isWhole: boolean): RbacObjects {
  const hasAdmin = objects.some(({ kind, metadata }) => kind === 'ClusterRole' && metadata.name === CLUSTER_ADMIN.metadata.name);
  return rbacObjectsOf(isWhole || hasAdmin ? objects : [...objects, CLUSTER_ADMIN]);
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? DEFAULT_NAMESPACE}/${metadata.name}`;
}

function placesOf(namespaces: KubeObject[], quotas: ResourceQuota[], others: string[]): Map<string, Place> {
  const full = Map.groupBy(
    quotas.filter((quota) => shortages({ containers: [] }, quota).length > 0),
    ({ metadata }) => metadata.namespace ?? DEFAULT_NAMESPACE,
  );
  const place = (name: string, level: Place['level']): [string, Place] => [
    name,
    { level, fullQuotas: (full.get(name) ?? []).map(({ metadata }) => metadata.name ?? '') },
  ];
  return new Map([
    ...others.map((name) => place(name, 'privileged')),
    ...namespaces.map((one) => place(one.metadata.name ?? '', enforcedLevelOf(one)?.level ?? 'privileged')),
  ]);
}

function namespacesOf(objects: readonly KubeObject[], accounts: ReadonlySet<string>): string[] {
  const inside = objects.filter(
    ({ kind = '' }) => kind === 'Role' || kind === 'RoleBinding' || kind === 'Pod' || kind in TEMPLATE_RESOURCES,
  );
  return [
    ...new Set([
      ...inside.map(({ metadata }) => metadata.namespace ?? DEFAULT_NAMESPACE),
      ...[...accounts].map((key) => key.split('/')[0] ?? ''),
    ]),
  ];
}

function namedAccounts(rbac: RbacObjects, runners: Runner[]): string[] {
  const subjects = boundOf(rbac).flatMap(({ subjects: all }) => all.filter(({ kind }) => kind === 'ServiceAccount'));
  return [
    ...subjects.map(({ namespace, name }) => `${namespace}/${name}`),
    ...runners.map(({ namespace, account }) => `${namespace}/${account}`),
  ];
}

/** A manifest that no server has seen has no status: it is meant to run. */
function isRunning({ status }: Pod): boolean {
  return status?.phase === undefined || status.phase === 'Running';
}

function accountName(spec: PodSpec | undefined): string {
  return spec?.serviceAccountName ?? spec?.serviceAccount ?? 'default';
}

function runningPod(pod: Pod, quiet: ReadonlySet<string>): RunningPod {
  const { metadata } = pod;
  const spec: PodSpec = pod.spec ?? { containers: [] };
  const namespace = metadata.namespace ?? DEFAULT_NAMESPACE;
  const account = accountName(spec);
  const volumes = listOf(spec.volumes);
  const mounted = new Set(allContainers(spec).flatMap(({ volumeMounts }) => listOf(volumeMounts).map(({ name }) => name)));
  const isMountedToken = volumes.some((volume) => holdsToken(volume) && mounted.has(volume.name));
  const asks = (spec as { automountServiceAccountToken?: boolean }).automountServiceAccountToken;
  // The server writes the volume into the pod; in a file it is not there yet.
  const isDue = metadata.uid === undefined && (asks ?? !quiet.has(`${namespace}/${account}`));
  const roots = new Set(volumes.filter((volume) => volume.hostPath?.path === '/').map(({ name }) => name));
  const isNode =
    allContainers(spec).some(({ securityContext }) => securityContext?.privileged === true) || [...roots].some((name) => mounted.has(name));
  return { namespace, name: metadata.name ?? '', account, hasToken: isMountedToken || isDue, isNode, node: spec.nodeName };
}

function holdsToken({ projected }: Volume): boolean {
  return listOf(projected?.sources).some((source) => 'serviceAccountToken' in source);
}

function workloadOf(object: KubeObject, resource: string): Workload[] {
  if (listOf(object.metadata.ownerReferences).some(({ controller }) => controller)) return [];
  const { spec } = object as { spec?: { template?: { spec?: PodSpec }; jobTemplate?: { spec?: { template?: { spec?: PodSpec } } } } };
  const template = spec?.jobTemplate?.spec?.template ?? spec?.template;
  const { namespace = DEFAULT_NAMESPACE, name = '' } = object.metadata;
  return [{ namespace, name, account: accountName(template?.spec), resource }];
}
