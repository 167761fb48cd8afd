import type { KubeObject } from '../../../src/crd/kubernetes.ts';

const of = (kind: string, metadata: object, more: object): KubeObject => ({ kind, metadata, ...more }) as KubeObject;
const everything = of('ClusterRole', { name: 'cluster-admin' }, { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] });

/** A cluster in which each role lets its subjects bind the next role. So a single search goes through all `count` roles and bindings. */
export function leadingRoles(count: number): KubeObject[] {
  const group = 'rbac.authorization.k8s.io';
  const name = (index: number): string => `role-${index % count}`;
  const all = Array.from({ length: count }, (_, index) => index);
  return [
    of('Node', { name: 'node-1' }, {}),
    of('Namespace', { name: 'ns' }, {}),
    everything,
    ...all.map((index) =>
      of(
        'ClusterRole',
        { name: name(index) },
        {
          rules: [
            {
              apiGroups: [group],
              resources: ['clusterroles'],
              verbs: ['bind', 'escalate'],
              resourceNames: [name(index + 1), name(index + 7)],
            },
            { apiGroups: [group], resources: ['clusterrolebindings'], verbs: ['create'] },
          ],
        },
      ),
    ),
    ...all.map((index) =>
      of(
        'ClusterRoleBinding',
        { name: `binding-${index}` },
        {
          roleRef: { kind: 'ClusterRole', name: name(index) },
          subjects: [{ kind: 'User', name: `user-${index}` }],
        },
      ),
    ),
  ];
}

/** A namespace where `count` accounts may bind and edit every role. Each account has its own role. */
export function equalRoles(count: number): KubeObject[] {
  const rules = [{ apiGroups: ['rbac.authorization.k8s.io'], resources: ['*'], verbs: ['bind', 'escalate', 'create', 'update', 'patch'] }];
  const namespace = 'ns';
  return [
    of('Namespace', { name: namespace }, {}),
    everything,
    ...Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      const [role, account] = [`role-${index}`, `account-${index}`];
      return [
        of('ServiceAccount', { name: account, namespace }, {}),
        of('Role', { name: role, namespace }, { rules }),
        of(
          'RoleBinding',
          { name: `binding-${index}`, namespace },
          { roleRef: { kind: 'Role', name: role }, subjects: [{ kind: 'ServiceAccount', name: account, namespace }] },
        ),
      ];
    }),
  ];
}

/** A namespace where `count` accounts may do everything. Each has a different role, so every account leads to every other one. */
export function fullRoles(count: number): KubeObject[] {
  const namespace = 'ns';
  return [
    of('Namespace', { name: namespace }, {}),
    ...Array.from({ length: count }, (_, index) => index).flatMap((index) => {
      const [role, account] = [`role-${index}`, `account-${index}`];
      const rules = [
        { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: [`map-${index}`] },
      ];
      return [
        of('ServiceAccount', { name: account, namespace }, {}),
        of('Role', { name: role, namespace }, { rules }),
        of(
          'RoleBinding',
          { name: `binding-${index}`, namespace },
          { roleRef: { kind: 'Role', name: role }, subjects: [{ kind: 'ServiceAccount', name: account, namespace }] },
        ),
      ];
    }),
  ];
}
