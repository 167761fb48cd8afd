import { allContainers, listOf } from '../../crd/pod-template.ts';
import { enforcedLevelOf } from '../../crd/pod-security-level.ts';
import type { KubeObject, Pod, PodSpec, Volume } from '../../crd/kubernetes.ts';
import type { ResourceQuota } from '../../crd/quota.ts';
import { BUILT_IN_NAMESPACES, rolesWithFiles } from '../built-in.ts';
import { type RbacObjects, rbacObjectsOf, type RbacSubject } from '../objects.ts';
import { boundOf } from '../rights.ts';
import { takesBootstrapTokens } from './bootstrap.ts';
import { isRootOnNode } from './on-node.ts';
import { type FullQuota, fullQuotas, refusedBy } from './quotas.ts';

/** Something that runs code as a ServiceAccount: a pod, or a workload whose template makes pods. */
export interface Runner {
  namespace: string;
  name: string;
  account: string;
}

export interface RunningPod extends Runner {
  /** Whether the account's token is mounted. */
  hasToken: boolean;
  /** Whether somebody inside is root on the node: a container is privileged, or mounts the node's root folder. */
  isNode: boolean;
  /** Whether a container is running, so that commands can be run in it. */
  isUp: boolean;
  /** Whether it comes from a file on its node, so that nobody can change it through the API. */
  isStatic: boolean;
  /** Whether no controller creates it again when it is deleted. */
  isAlone: boolean;
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
  /** The quotas that leave no room for one more pod, whatever its content. */
  fullQuotas: readonly FullQuota[];
  /** The resources whose object count in a quota is used up: `secrets`, `deployments.apps`. */
  refused: ReadonlySet<string>;
  /** Whether it is being deleted, so that nothing can be created in it. */
  isEnding: boolean;
}

/** The identity of a pod, or of the pods of a workload. */
export function accountOf({ namespace, account }: Runner): RbacSubject {
  return { kind: 'ServiceAccount', namespace, name: account };
}

/** What the cluster has besides roles and bindings. */
export interface World {
  rbac: RbacObjects;
  places: ReadonlyMap<string, Place>;
  /** `<namespace>/<name>` of the ServiceAccounts that exist. */
  accounts: ReadonlySet<string>;
  pods: readonly RunningPod[];
  /** Only workloads without a controller: their changes are not reverted. */
  workloads: readonly Workload[];
  /** The known Secrets that hold a token; none if Secrets may not be read. */
  tokenSecrets: readonly { namespace: string; name: string; account: string }[];
  /** The known webhook configurations; none if they may not be read. */
  webhooks: readonly { kind: string; name: string }[];
  /** Whether the API server is known to accept bootstrap tokens. */
  takesBootstrapTokens: boolean;
}

/** The kinds of configuration by which the API server sends written objects to somebody else. */
export const WEBHOOKS = [
  { kind: 'MutatingWebhookConfiguration', resource: 'mutatingwebhookconfigurations.admissionregistration.k8s.io' },
  { kind: 'ValidatingWebhookConfiguration', resource: 'validatingwebhookconfigurations.admissionregistration.k8s.io' },
];

/**
 * Kinds whose template can be changed after their creation, with their resources (Kubernetes API reference; a Job's template is immutable).
 */
export const TEMPLATE_RESOURCES = {
  Deployment: 'deployments.apps',
  StatefulSet: 'statefulsets.apps',
  DaemonSet: 'daemonsets.apps',
  ReplicaSet: 'replicasets.apps',
  CronJob: 'cronjobs.batch',
  ReplicationController: 'replicationcontrollers',
} as const;

/** The namespace of objects in a file that name none. */
const DEFAULT_NAMESPACE = 'default';

/**
 * What is in a list of objects of any kind. `isWhole`: they are all that a cluster has. Otherwise they are files, taken to lie in a fresh cluster:
 * with the roles and bindings of Kubernetes itself, each namespace and account that something names, and the account `default` of each namespace.
 * `rbac` is given where roles and bindings are not among the objects. Nodes are not asked for: a pod that names a cordoned one runs there, and an autoscaler may bring another.
 */
export function worldOf(
  objects: readonly KubeObject[],
  isWhole: boolean,
  rbac: RbacObjects = isWhole ? rbacObjectsOf(objects) : rolesWithFiles(objects),
): World {
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
  const places = placesOf(of('Namespace'), of('ResourceQuota') as ResourceQuota[], isWhole ? [] : namespacesOf(objects, known));
  // A controller makes it.
  if (!isWhole) for (const namespace of places.keys()) known.add(`${namespace}/default`);
  return {
    rbac,
    places,
    accounts: known,
    pods,
    workloads,
    tokenSecrets: of('Secret').flatMap((one) => tokenSecret(one, known)),
    webhooks: WEBHOOKS.flatMap(({ kind }) => of(kind).map(({ metadata: { name = '' } }) => ({ kind, name }))),
    takesBootstrapTokens: of('Pod').some(takesBootstrapTokens),
  };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? DEFAULT_NAMESPACE}/${metadata.name}`;
}

function placesOf(namespaces: KubeObject[], quotas: ResourceQuota[], others: string[]): Map<string, Place> {
  const quotasIn = Map.groupBy(quotas, ({ metadata }) => metadata.namespace ?? DEFAULT_NAMESPACE);
  const place = (name: string, level: Place['level'], isEnding: boolean): [string, Place] => {
    const own = quotasIn.get(name) ?? [];
    return [name, { level, isEnding, fullQuotas: fullQuotas(own), refused: refusedBy(own) }];
  };
  return new Map([
    ...others.map((name) => place(name, 'privileged', false)),
    ...namespaces.map((one) => {
      const { name = '', deletionTimestamp } = one.metadata;
      return place(name, enforcedLevelOf(one)?.level ?? 'privileged', deletionTimestamp !== undefined);
    }),
  ]);
}

function namespacesOf(objects: readonly KubeObject[], accounts: ReadonlySet<string>): string[] {
  const inside = objects.filter(
    ({ kind = '' }) => kind === 'Role' || kind === 'RoleBinding' || kind === 'Pod' || kind in TEMPLATE_RESOURCES,
  );
  return [
    ...new Set([
      ...BUILT_IN_NAMESPACES,
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

/** A manifest that no server has seen has no status; its pods are assumed to run. */
function isRunning({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && (status?.phase === undefined || status.phase === 'Running');
}

/** A Secret into which the token controller has written the token of an account that exists. */
function tokenSecret({ metadata, ...secret }: KubeObject & { type?: unknown }, accounts: ReadonlySet<string>): World['tokenSecrets'] {
  const { name = '', namespace = DEFAULT_NAMESPACE, annotations } = metadata;
  const account = annotations?.['kubernetes.io/service-account.name'] ?? '';
  const isToken = secret.type === 'kubernetes.io/service-account-token' && accounts.has(`${namespace}/${account}`);
  return isToken ? [{ namespace, name, account }] : [];
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
  // The API server adds the token volume to the pod; in a file it is not there yet.
  const isDue = metadata.uid === undefined && (asks ?? !quiet.has(`${namespace}/${account}`));
  return {
    namespace,
    name: metadata.name ?? '',
    account,
    hasToken: isMountedToken || isDue,
    isNode: isRootOnNode(spec),
    isUp: isUp(pod),
    isStatic: metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined,
    isAlone: !listOf(metadata.ownerReferences).some(({ controller }) => controller),
    node: spec.nodeName,
  };
}

/** Whether a container runs, as far as is known. */
function isUp({ status }: Pod): boolean {
  const statuses = listOf(status?.containerStatuses);
  return statuses.length === 0 || statuses.some(({ state }) => state?.running !== undefined);
}

/** Tokens for other audiences than the API server do not help. */
function holdsToken({ projected }: Volume): boolean {
  return listOf(projected?.sources).some((source) => {
    const { serviceAccountToken: token } = source as { serviceAccountToken?: { audience?: string } };
    return token !== undefined && (!token.audience || /^(https:\/\/)?kubernetes\.default\.svc\b/.test(token.audience));
  });
}

function workloadOf(object: KubeObject, resource: string): Workload[] {
  if (listOf(object.metadata.ownerReferences).some(({ controller }) => controller)) return [];
  const { spec } = object as { spec?: { template?: { spec?: PodSpec }; jobTemplate?: { spec?: { template?: { spec?: PodSpec } } } } };
  const template = spec?.jobTemplate?.spec?.template ?? spec?.template;
  const { namespace = DEFAULT_NAMESPACE, name = '' } = object.metadata;
  return [{ namespace, name, account: accountName(template?.spec), resource }];
}
