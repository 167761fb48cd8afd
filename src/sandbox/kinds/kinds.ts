import type { Loose } from '../store/object.ts';

/** A column of `kubectl get`, as CRDs declare it; builtin kinds have functions instead (`table.ts`). */
export interface PrinterColumn {
  name: string;
  type: string;
  jsonPath: string;
  priority?: number;
  format?: string;
  description?: string;
}

/** One version of a kind that the server serves. */
export interface Kind {
  group: string;
  version: string;
  kind: string;
  plural: string;
  singular: string;
  shortNames: string[];
  categories: string[];
  namespaced: boolean;
  hasStatus: boolean;
  hasScale: boolean;
  /** The server counts changes of the spec in `metadata.generation`. */
  hasGeneration: boolean;
  verbs: string[];
  /** Versions and groups with the same storage hold the same objects. */
  storage: string;
  /** Name in `schemas.json`, or the structural schema of a custom resource. */
  schema: string | Record<string, Loose> | undefined;
  columns?: PrinterColumn[];
  isCustom?: boolean;
}

const ALL = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];

/** `apps/v1` or `v1`. */
export const apiVersionOf = (kind: { group: string; version: string }): string =>
  kind.group ? `${kind.group}/${kind.version}` : kind.version;

const PACKAGES: Record<string, string> = {
  '': 'io.k8s.api.core.v1',
  'apiextensions.k8s.io': 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1',
};
const schemaName = (group: string, version: string, kind: string) =>
  `${PACKAGES[group] ?? `io.k8s.api.${group.split('.')[0] as string}.${version}`}.${kind}`;

/**
 * group/version, kind, plural, short names, marks. Marks: n namespaced, e category `api-extensions`, s status, g generation, a category `all`, x scale,
 * c create only. Order is that of the real server's discovery.
 */
const BUILTIN = `
v1 Binding bindings - nc
v1 ConfigMap configmaps cm n
v1 Endpoints endpoints ep n
v1 Event events ev n
v1 LimitRange limitranges limits n
v1 Namespace namespaces ns s
v1 Node nodes no s
v1 PersistentVolumeClaim persistentvolumeclaims pvc ns
v1 PersistentVolume persistentvolumes pv s
v1 Pod pods po nsga
v1 ResourceQuota resourcequotas quota ns
v1 Secret secrets - n
v1 ServiceAccount serviceaccounts sa n
v1 Service services svc nsa
events.k8s.io/v1 Event events ev n
authentication.k8s.io/v1 SelfSubjectReview selfsubjectreviews - c
authentication.k8s.io/v1 TokenReview tokenreviews - c
authorization.k8s.io/v1 LocalSubjectAccessReview localsubjectaccessreviews - nc
authorization.k8s.io/v1 SelfSubjectAccessReview selfsubjectaccessreviews - c
authorization.k8s.io/v1 SelfSubjectRulesReview selfsubjectrulesreviews - c
authorization.k8s.io/v1 SubjectAccessReview subjectaccessreviews - c
autoscaling/v2 HorizontalPodAutoscaler horizontalpodautoscalers hpa nsa
batch/v1 CronJob cronjobs cj nsga
batch/v1 Job jobs - nsga
networking.k8s.io/v1 Ingress ingresses ing nsg
networking.k8s.io/v1 NetworkPolicy networkpolicies netpol ng
policy/v1 PodDisruptionBudget poddisruptionbudgets pdb nsg
rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings - -
rbac.authorization.k8s.io/v1 ClusterRole clusterroles - -
rbac.authorization.k8s.io/v1 RoleBinding rolebindings - n
rbac.authorization.k8s.io/v1 Role roles - n
storage.k8s.io/v1 StorageClass storageclasses sc -
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicy validatingadmissionpolicies - sge
admissionregistration.k8s.io/v1 ValidatingAdmissionPolicyBinding validatingadmissionpolicybindings - ge
apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions crd,crds sge
apps/v1 ControllerRevision controllerrevisions - n
apps/v1 DaemonSet daemonsets ds nsga
apps/v1 Deployment deployments deploy nsgax
apps/v1 ReplicaSet replicasets rs nsgax
apps/v1 StatefulSet statefulsets sts nsgax
scheduling.k8s.io/v1 PriorityClass priorityclasses pc g
coordination.k8s.io/v1 Lease leases - n
node.k8s.io/v1 RuntimeClass runtimeclasses - -
discovery.k8s.io/v1 EndpointSlice endpointslices - ng
`;

function builtin(line: string): Kind {
  const [groupVersion, kind, plural, short, marks] = line.split(' ') as [string, string, string, string, string];
  const [group, version] = groupVersion.includes('/') ? (groupVersion.split('/') as [string, string]) : ['', groupVersion];
  return {
    group,
    version,
    kind,
    plural,
    singular: kind.toLowerCase(),
    shortNames: short === '-' ? [] : short.split(','),
    categories: marks.includes('a') ? ['all'] : marks.includes('e') ? ['api-extensions'] : [],
    namespaced: marks.includes('n'),
    hasStatus: marks.includes('s'),
    hasScale: marks.includes('x'),
    hasGeneration: marks.includes('g'),
    verbs: marks.includes('c') ? ['create'] : plural === 'namespaces' ? ALL.filter((verb) => verb !== 'deletecollection') : ALL,
    storage: plural === 'events' ? 'events' : `${group}/${plural}`,
    schema: schemaName(group, version, kind),
  };
}

/** The kinds that are served now: the builtin ones and those of the installed CustomResourceDefinitions. */
export class Registry {
  #kinds: Kind[] = BUILTIN.trim().split('\n').map(builtin);
  #byPath = new Map<string, Kind>();

  constructor() {
    for (const kind of this.#kinds) this.#byPath.set(`${apiVersionOf(kind)}/${kind.plural}`, kind);
  }

  all(): Kind[] {
    return this.#kinds;
  }

  byPlural(group: string, version: string, plural: string): Kind | undefined {
    return this.#byPath.get(`${apiVersionOf({ group, version })}/${plural}`);
  }

  byKind(apiVersion: string, kind: string): Kind | undefined {
    return this.#kinds.find((k) => k.kind === kind && apiVersionOf(k) === apiVersion);
  }

  /** A builtin kind by its plural. If two groups have it, the core one. */
  builtin(plural: string): Kind {
    const found = this.#kinds.find((k) => k.plural === plural && !k.isCustom);
    if (!found) throw new Error(`no builtin kind ${plural}`);
    return found;
  }

  /** Replaces the kinds that a CustomResourceDefinition (its `storage`) serves. An empty list removes them. */
  setCustom(storage: string, kinds: Kind[]): void {
    this.#kinds = [...this.#kinds.filter((k) => k.storage !== storage), ...kinds];
    this.#byPath = new Map(this.#kinds.map((k) => [`${apiVersionOf(k)}/${k.plural}`, k]));
  }

  /** One kind for each storage, to visit every object once. */
  storages(): Kind[] {
    return [...new Map(this.#kinds.filter((k) => k.verbs.includes('list')).map((k) => [k.storage, k])).values()];
  }
}
