import type { LabelSelector } from '../crd/selector.ts';
import type { KubeObject } from '../crd/kubernetes.ts';

/** rbac.authorization.k8s.io/v1 PolicyRule. `*` means any; a resource may be `<resource>/<subresource>`. */
export interface PolicyRule {
  verbs?: string[] | null;
  apiGroups?: string[] | null;
  resources?: string[] | null;
  /** Empty or absent = any object. */
  resourceNames?: string[] | null;
  /** Only in ClusterRoles. A `*` at the end stands for any rest. */
  nonResourceURLs?: string[] | null;
}

/** A Role or ClusterRole. Roles have a namespace, and never an aggregation rule. */
export interface RbacRole extends KubeObject {
  rules?: PolicyRule[] | null;
  aggregationRule?: { clusterRoleSelectors?: LabelSelector[] | null } | null;
}

/** Whom a binding names. `kind` is User, Group or ServiceAccount; only ServiceAccounts have a namespace. */
export interface RbacSubject {
  kind: string;
  name: string;
  namespace?: string | undefined;
  apiGroup?: string | undefined;
}

/** A RoleBinding or ClusterRoleBinding. RoleBindings have a namespace. */
export interface RbacBinding extends KubeObject {
  roleRef: { kind: string; name: string; apiGroup?: string };
  subjects?: RbacSubject[] | null;
}

/** All known roles and bindings. A namespace that is not listed grants nothing. */
export interface RbacObjects {
  clusterRoles: RbacRole[];
  roles: RbacRole[];
  clusterRoleBindings: RbacBinding[];
  roleBindings: RbacBinding[];
}

/** Sorts objects of any kind into those four lists, and leaves out all others. */
export function rbacObjectsOf(objects: readonly KubeObject[]): RbacObjects {
  const of = <T extends KubeObject>(kind: string): T[] =>
    objects.filter((object) => object.kind === kind && isRbac(object)) as unknown as T[];
  return {
    clusterRoles: of('ClusterRole'),
    roles: of('Role'),
    clusterRoleBindings: of('ClusterRoleBinding'),
    roleBindings: of('RoleBinding'),
  };
}

/** Other groups have kinds called Role too. */
function isRbac({ apiVersion }: KubeObject): boolean {
  return apiVersion === undefined || apiVersion.startsWith('rbac.authorization.k8s.io/');
}
