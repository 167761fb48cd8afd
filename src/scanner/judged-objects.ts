import type { RbacBinding, RbacRole } from '../access/objects.ts';
import { aroundOf } from '../checks/surroundings.ts';
import type { Around } from '../checks/check.ts';
import type { Bound } from '../checks/roles/dangling.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { Suppression } from '../crd/suppression.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';
import type { Cache, LightweightClient } from '../kube/lightweight.ts';
import type { Logger } from '../log.ts';
import { entriesOf } from '../suppressions/policy/exclusion-entries.ts';
import { effectOf } from '../suppressions/policy/match.ts';
import { projectAdmission, projectAround, projectJudged } from './project.ts';

/** The namespaced kinds that are judged. */
const JUDGED: readonly Kind[] = [
  KINDS.deployment,
  KINDS.statefulSet,
  KINDS.daemonSet,
  KINDS.replicaSet,
  KINDS.job,
  KINDS.cronJob,
  KINDS.pod,
  KINDS.service,
  KINDS.role,
  KINDS.roleBinding,
];
/** The cluster-scoped kinds that are judged. */
const JUDGED_ABOVE: readonly Kind[] = [KINDS.clusterRole, KINDS.clusterRoleBinding];

const RBAC_KINDS: readonly Kind[] = [KINDS.role, KINDS.roleBinding, KINDS.clusterRole, KINDS.clusterRoleBinding];
/** Kinds that can refuse objects on admission: policies, their bindings, and webhooks. */
const ADMISSION: readonly Kind[] = [
  KINDS.validatingAdmissionPolicy,
  KINDS.validatingAdmissionPolicyBinding,
  KINDS.validatingWebhookConfiguration,
];

export interface InventoryDeps {
  client: Pick<LightweightClient, 'follow'>;
  /** Empty = all. */
  watchNamespaces: string[];
  operatorNamespace: string;
  now: () => Date;
  log: Logger;
}

/** The current objects of the cluster: those to judge, and those around them. */
export interface Inventory {
  /** Starts the watches. Resolves after the first full list, or after `withinMs`; kinds that are still missing then arrive later. */
  start(withinMs: number): Promise<void>;
  stop(): Promise<void>;
  /** Kinds that could not be listed: the rights are missing, or the cluster does not answer. */
  missing(): string[];
  /** The keys of all objects to judge. */
  keys(): string[];
  /** The object with that key; undefined when it was deleted or is judged through its owner. */
  get(key: string): KubeObject | undefined;
  around(namespace: string): Around;
}

/** `Deployment/shop/web`; `ClusterRole//web` without a namespace. */
export function keyOf({ kind = '', metadata: { namespace = '', name = '' } }: KubeObject): string {
  return `${kind}/${namespace}/${name}`;
}

/** Watches the cluster and calls `changed` with the keys of objects whose findings may have changed. */
export function inventory(
  { client, watchNamespaces, operatorNamespace, now, log }: InventoryDeps,
  changed: (keys: string[]) => void,
): Inventory {
  const namespaces = watchNamespaces.length > 0 ? watchNamespaces : undefined;
  // With WATCH_NAMESPACES there may be no right to list cluster-scoped kinds.
  const above = <T>(some: readonly T[]): readonly T[] => (namespaces ? [] : some);
  const judged = [...JUDGED, ...above(JUDGED_ABOVE)].map((kind) => ({
    kind,
    cache: client.follow(kind, { namespaces, project: projectJudged, log }),
  }));
  const beside = (kind: Kind, where: { namespace?: string; namespaces?: string[] | undefined }) => ({
    kind,
    cache: client.follow(kind, { ...where, project: projectAround, log }),
  });
  // Kubernetes before v1.30 has no admission policies.
  const admission = above(ADMISSION).map((kind) => ({
    kind,
    cache: client.follow(kind, { project: projectAdmission, mayBeUnserved: true, log }),
  }));
  const policies = beside(KINDS.networkPolicy, { namespaces });
  const accounts = beside(KINDS.serviceAccount, { namespaces });
  const suppressions = beside(KINDS.suppression, { namespace: operatorNamespace });
  const levels = above([KINDS.namespace]).map((kind) => beside(kind, {}));
  const all = [...judged, policies, accounts, suppressions, ...levels, ...admission];
  const byKind = new Map(judged.map(({ kind, cache }) => [kind.kind, cache]));
  let known: ((namespace: string) => Around) | undefined;

  const registries = (): string[] =>
    (suppressions.cache.list(operatorNamespace) as unknown as Suppression[])
      .filter((one) => effectOf(one, now(), operatorNamespace).active)
      .flatMap((one) => entriesOf('registry', one.spec.match));
  const listOf = <T extends KubeObject>(kind: Kind): T[] => (byKind.get(kind.kind)?.list() ?? []) as unknown as T[];
  const bindings = () => [...listOf<RbacBinding>(KINDS.roleBinding), ...listOf<RbacBinding>(KINDS.clusterRoleBinding)].filter(isWhole);
  const rbac = (): Bound | undefined =>
    [KINDS.roleBinding, ...above([KINDS.clusterRoleBinding])].every(({ kind }) => byKind.get(kind)?.synced)
      ? { clusterRoles: listOf<RbacRole>(KINDS.clusterRole), bindings: bindings() }
      : undefined;
  const [vaps, vapBindings, webhooks] = admission.map(({ cache }) => cache);
  const surroundings = () =>
    aroundOf({
      policies: policies.cache.synced ? policies.cache.list() : undefined,
      accounts: accounts.cache.list(),
      trustedRegistries: registries(),
      namespaces: levels.flatMap(({ cache }) => cache.list()),
      rbac: rbac(),
      accountsKnownIn: accounts.cache.synced ? (namespace) => namespace !== '' && (namespaces?.includes(namespace) ?? true) : undefined,
      admission: { policies: vaps?.list() ?? [], bindings: vapBindings?.list() ?? [], webhooks: webhooks?.list() ?? [] },
    });
  /** The roles that a binding names, and those that an aggregated role may collect, because a subject may hold them now. */
  const rolesNear = (object: KubeObject): string[] => {
    const { roleRef, aggregationRule } = object as Partial<RbacBinding & RbacRole>;
    if (aggregationRule) return listOf(KINDS.clusterRole).filter(isWhole).map(keyOf);
    if (!roleRef) return [];
    return [`${roleRef.kind}/${roleRef.kind === 'Role' ? (object.metadata.namespace ?? '') : ''}/${roleRef.name}`];
  };
  const keysIn = (namespace?: string): string[] => judged.flatMap(({ cache }) => cache.list(namespace).filter(isWhole).map(keyOf));

  for (const { kind, cache } of judged)
    cache.onChange(({ object }) => {
      if (RBAC_KINDS.includes(kind)) known = undefined;
      changed([keyOf(object), ...rolesNear(object)]);
    });
  for (const { cache } of admission)
    cache.onChange(() => {
      known = undefined;
      changed(keysIn());
    });
  for (const { kind, cache } of [policies, accounts, suppressions, ...levels])
    cache.onChange(({ object: { metadata } }) => {
      known = undefined;
      const namespace = kind === KINDS.namespace ? metadata.name : kind === KINDS.suppression ? undefined : metadata.namespace;
      changed([...keysIn(namespace), ...(kind === KINDS.serviceAccount ? bindings().filter(naming(metadata)).map(keyOf) : [])]);
    });

  return {
    async start(withinMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, withinMs);
      await Promise.race([Promise.all(all.map(({ cache }) => cache.start())), late.promise]);
      clearTimeout(timer);
      known = undefined;
    },
    async stop() {
      await Promise.all(all.map(({ cache }: { cache: Cache<KubeObject> }) => cache.stop()));
    },
    missing: () => all.filter(({ cache }) => !cache.synced).map(({ kind }) => kind.kind),
    keys: () => keysIn(),
    get(key) {
      const [kind = '', namespace, name = ''] = key.split('/');
      const object = byKind.get(kind)?.get(namespace || undefined, name);
      return object && isWhole(object) ? object : undefined;
    },
    around: (namespace) => (known ??= surroundings())(namespace),
  };
}

/** Whether the object is kept whole. Of an object that is judged through its owner, only the name is kept. */
const isWhole = (object: KubeObject): boolean => 'spec' in object || 'rules' in object || 'roleRef' in object;

/** Whether a binding names the account. */
const naming =
  ({ namespace, name }: KubeObject['metadata']) =>
  ({ subjects }: RbacBinding): boolean =>
    (subjects ?? []).some((subject) => subject?.kind === 'ServiceAccount' && subject.namespace === namespace && subject.name === name);
