import { partsOf } from '../access/aggregate.ts';
import type { PolicyRule, RbacBinding, RbacObjects, RbacRole, RbacSubject } from '../access/objects.ts';
import { type Bound, boundOf } from '../access/rights.ts';
import { listOf as strings } from '../access/rules.ts';
import { CLUSTER_WIDE, type Graph, type GraphNode, type RoleListing } from '../contract/graph.ts';
import { listOf } from '../crd/pod-template.ts';
import { type Canvas, canvas } from './canvas.ts';
import { type IsHidden, isOfNamespace, withoutHiddenRules } from './hidden-names.ts';
import type { Item } from './item.ts';
import { grouped } from './groups.ts';

/** The input of a graph of access rights, without hidden namespaces. */
export interface AccessView {
  objects: RbacObjects;
  /** Whether a ServiceAccount exists; undefined if accounts may not be read. */
  hasAccount(namespace: string, name: string): boolean | undefined;
  /** The pods in the namespaces of the accounts, if they are known. */
  pods: readonly Item[];
}

/** The role that a graph shows. Without a namespace it is a ClusterRole. */
export interface RoleName {
  namespace?: string | undefined;
  name: string;
}

/**
 * A role with its permissions, every binding that refers to it, the subjects of these bindings, and the pods that run as one of them. For
 * an aggregated ClusterRole also the ClusterRoles that it collects. Undefined when there is no such role.
 */
export function drawRole({ namespace, name }: RoleName, view: AccessView): Graph | undefined {
  const { objects } = view;
  const roles = namespace === undefined ? objects.clusterRoles : objects.roles;
  const role = roles.find(({ metadata }) => metadata.name === name && (namespace === undefined || metadata.namespace === namespace));
  if (!role) return undefined;
  const drawn = canvas();
  const head = drawn.draw(roleNode(role, namespace));
  drawPermissions(role, head, drawn);
  if (namespace === undefined) {
    for (const part of partsOf(role, objects.clusterRoles)) drawn.connect(head.id, 'aggregates', drawn.draw(roleNode(part, undefined)).id);
    for (const other of objects.clusterRoles)
      if (partsOf(other, [role]).length > 0) drawn.connect(drawn.draw(roleNode(other, undefined)).id, 'aggregates', head.id);
  }
  for (const bound of boundOf(objects)) if (bound.role === role) drawBinding(bound, head, { drawn, view });
  return grouped(drawn.graph());
}

function roleNode({ metadata, aggregationRule }: RbacRole, namespace: string | undefined): Omit<GraphNode, 'id'> {
  return {
    kind: namespace === undefined ? 'ClusterRole' : 'Role',
    name: metadata.name ?? '',
    namespace: namespace ?? CLUSTER_WIDE,
    status: 'healthy',
    ...(aggregationRule ? { metadata: { aggregated: true } } : {}),
  };
}

/** What a role allows for one resource of one API group, or for one path. */
interface Permission {
  name: string;
  apiGroup: string;
  resource: string;
  path?: string;
  rules: { verbs: string[]; resourceNames: string[] }[];
}

function drawPermissions(role: RbacRole, head: GraphNode, drawn: Canvas): void {
  for (const { name, path, apiGroup, resource, rules } of permissionsOf(listOf(role.rules))) {
    const metadata = {
      ...(path === undefined ? { apiGroup, resource } : { nonResourceURL: path }),
      verbs: unique(rules.flatMap(({ verbs }) => verbs)),
      resourceNames: rules.some(({ resourceNames }) => resourceNames.length === 0)
        ? []
        : unique(rules.flatMap((rule) => rule.resourceNames)),
      // The verbs may apply to different names, so each rule keeps its own.
      ...(rules.length > 1 ? { rules } : {}),
    };
    const node = drawn.draw({ kind: 'Permission', name, namespace: head.namespace, metadata });
    drawn.connect(head.id, 'grants', node.id);
  }
}

/** One permission for each resource of each API group and for each path, in the order of the rules. */
export function permissionsOf(rules: readonly PolicyRule[]): Permission[] {
  const found = new Map<string, Permission>();
  const add = (permission: Omit<Permission, 'rules'>, rule: PolicyRule): void => {
    const known = found.get(permission.name) ?? { ...permission, rules: [] };
    known.rules.push({ verbs: strings(rule.verbs), resourceNames: strings(rule.resourceNames) });
    found.set(permission.name, known);
  };
  for (const rule of rules) {
    for (const apiGroup of strings(rule.apiGroups))
      for (const resource of strings(rule.resources)) add({ name: inGroup(resource, apiGroup), apiGroup, resource }, rule);
    for (const path of strings(rule.nonResourceURLs)) add({ name: path, apiGroup: '', resource: '', path }, rule);
  }
  return [...found.values()];
}

/** `deployments.apps`, `deployments.apps/scale`, `pods`: as kubectl writes it. */
function inGroup(resource: string, apiGroup: string): string {
  const [name = '', ...rest] = resource.split('/');
  return [apiGroup ? `${name}.${apiGroup}` : name, ...rest].join('/');
}

const unique = (list: string[]): string[] => [...new Set(list)];

interface Drawing {
  drawn: Canvas;
  view: AccessView;
}

function drawBinding({ binding, namespace, subjects }: Bound, head: GraphNode, { drawn, view }: Drawing): void {
  const node = drawn.draw({
    kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding',
    name: binding.metadata.name ?? '',
    namespace: namespace ?? CLUSTER_WIDE,
    status: 'healthy',
    metadata: { holds_in: namespace ?? '*' },
  });
  drawn.connect(node.id, 'refers-to', head.id);
  for (const subject of subjects) {
    const who = drawn.draw(subjectNode(subject, view));
    drawn.connect(who.id, 'bound-by', node.id);
    for (const pod of podsOf(subject, view)) {
      const runs = drawn.draw({ kind: 'Pod', name: pod.name, namespace: pod.namespace, status: pod.health.status });
      drawn.connect(runs.id, 'runs-as', who.id);
    }
  }
}

/** Kubernetes has no list of people and groups, so only a ServiceAccount can be missing. */
function subjectNode({ kind, name, namespace = CLUSTER_WIDE }: RbacSubject, { hasAccount }: AccessView): Omit<GraphNode, 'id'> {
  const node = { kind: `Subject:${kind}`, name, namespace };
  const exists = kind === 'ServiceAccount' ? hasAccount(namespace, name) : undefined;
  return { ...node, status: exists === undefined ? 'unknown' : exists ? 'healthy' : 'missing' };
}

function podsOf({ kind, name, namespace }: RbacSubject, { pods }: AccessView): Item[] {
  if (kind !== 'ServiceAccount') return [];
  return pods.filter((pod) => pod.namespace === namespace && pod.references.some((one) => one.relation === 'runs-as' && one.name === name));
}

/** The namespaces of the ServiceAccounts that have this role, in the order in which the bindings name them. */
export function accountNamespacesOf({ namespace, name }: RoleName, objects: RbacObjects): string[] {
  const kind = namespace === undefined ? 'ClusterRole' : 'Role';
  const bound = boundOf(objects).filter(
    (one) =>
      one.binding.roleRef?.kind === kind && one.binding.roleRef.name === name && (namespace === undefined || one.namespace === namespace),
  );
  return unique(bound.flatMap(({ subjects }) => subjects.flatMap((one) => (one.kind === 'ServiceAccount' && one.namespace) || [])));
}

/** Removes all traces of hidden namespaces: their roles, bindings, ServiceAccounts and groups of ServiceAccounts, and their names. */
export function withoutNamespaces(objects: RbacObjects, isHidden: IsHidden): RbacObjects {
  const isShown = ({ metadata }: RbacRole | RbacBinding): boolean => metadata.namespace === undefined || !isHidden(metadata.namespace);
  const withSubjects = (binding: RbacBinding): RbacBinding => ({
    ...binding,
    subjects: listOf(binding.subjects).filter((subject) => !isOfNamespace(subject, isHidden)),
  });
  const withRules = (role: RbacRole): RbacRole => {
    const rules = role.rules && withoutHiddenRules(role.rules, isHidden);
    return rules && rules !== role.rules ? { ...role, rules } : role;
  };
  return {
    clusterRoles: objects.clusterRoles.map(withRules),
    roles: objects.roles.filter(isShown).map(withRules),
    clusterRoleBindings: objects.clusterRoleBindings.map(withSubjects),
    roleBindings: objects.roleBindings.filter(isShown).map(withSubjects),
  };
}

/** The names of all roles, sorted. */
export function listRoles({ clusterRoles, roles }: Pick<RbacObjects, 'clusterRoles' | 'roles'>): RoleListing {
  const byName = (one: { namespace?: string; name: string }, other: { namespace?: string; name: string }): number =>
    compare(one.namespace ?? '', other.namespace ?? '') || compare(one.name, other.name);
  return {
    cluster_roles: clusterRoles.map(({ metadata }) => ({ name: metadata.name ?? '' })).sort(byName),
    roles: roles.map(({ metadata }) => ({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' })).sort(byName),
  };
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
