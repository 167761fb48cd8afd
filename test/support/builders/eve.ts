import { type EscalationPath, pathsIn } from '../../../src/access/paths/paths.ts';
import { worldOf } from '../../../src/access/paths/world.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';

/** Namespaces of every Pod Security level, powerful accounts, and a binding whose account does not exist. */
export const BASE = `
{kind: ClusterRole, metadata: {name: cluster-admin}, rules: [{apiGroups: ['*'], resources: ['*'], verbs: ['*']}]}
---
{kind: ClusterRole, metadata: {name: secret-reader}, rules: [{apiGroups: [''], resources: [secrets], verbs: [get, list]}]}
---
{kind: ClusterRole, metadata: {name: viewer}, rules: [{apiGroups: [''], resources: [pods], verbs: [get, list, watch]}]}
---
{kind: Namespace, metadata: {name: open}}
---
{kind: Namespace, metadata: {name: base, labels: {pod-security.kubernetes.io/enforce: baseline}}}
---
{kind: Namespace, metadata: {name: shut, labels: {pod-security.kubernetes.io/enforce: restricted}}}
---
{kind: Namespace, metadata: {name: full}}
---
{kind: ResourceQuota, metadata: {name: none, namespace: full}, status: {hard: {pods: '0'}, used: {pods: '0'}}}
---
{kind: ServiceAccount, metadata: {name: boss, namespace: shut}}
---
{kind: ServiceAccount, metadata: {name: plain, namespace: shut}}
---
{kind: ServiceAccount, metadata: {name: boss, namespace: full}}
---
{kind: ServiceAccount, metadata: {name: default, namespace: open}}
---
{kind: ServiceAccount, metadata: {name: default, namespace: base}}
---
{kind: ClusterRoleBinding, metadata: {name: bosses}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: boss, namespace: shut}, {kind: ServiceAccount, name: boss, namespace: full}, {kind: Group, name: bosses}, {kind: User, name: root}]}
---
{kind: ClusterRoleBinding, metadata: {name: ghosts}, roleRef: {kind: ClusterRole, name: cluster-admin}, subjects: [{kind: ServiceAccount, name: ghost, namespace: base}]}
---
{kind: Node, metadata: {name: node-1}}
`;

/** Gives `eve` the rules, cluster-wide or in one namespace. */
export function given(rules: string, namespace?: string, more = ''): KubeObject[] {
  const role = namespace
    ? `{kind: Role, metadata: {name: eves, namespace: ${namespace}}, rules: [${rules}]}`
    : `{kind: ClusterRole, metadata: {name: eves}, rules: [${rules}]}`;
  const binding = namespace
    ? `{kind: RoleBinding, metadata: {name: eves, namespace: ${namespace}}, roleRef: {kind: Role, name: eves}, subjects: [{kind: User, name: eve}]}`
    : `{kind: ClusterRoleBinding, metadata: {name: eves}, roleRef: {kind: ClusterRole, name: eves}, subjects: [{kind: User, name: eve}]}`;
  return loadManifests([BASE, role, binding, more].filter(Boolean).join('\n---\n')) as KubeObject[];
}

/** A rule for the core group, unless another group is given. */
export const rule = (verbs: string, resources: string, group = "''", names = ''): string =>
  `{apiGroups: [${group}], resources: [${resources}], verbs: [${verbs}]${names && `, resourceNames: [${names}]`}}`;
export const RBAC = 'rbac.authorization.k8s.io';
export const CERTS = 'certificates.k8s.io';

/** A path as text: `secrets shop: bind > pod-secrets`. */
export const told = ({ target, steps }: EscalationPath): string =>
  `${target.kind}${target.kind === 'secrets' ? ` ${target.namespace}` : ''}: ${steps.map(({ way }) => way).join(' > ')}`;
/** All paths of eve as texts, sorted. */
export const ofEve = (objects: KubeObject[]): string[] =>
  pathsIn(worldOf(objects, true), ({ name }) => name === 'eve')
    .map(told)
    .toSorted();
