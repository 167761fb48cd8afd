import type { KubeObject } from '../../../src/crd/kubernetes.ts';

/** A cluster in which each role lets its subjects bind the next ones, so that one search leads through all of them: `count` roles and bindings. */
export function leadingRoles(count: number): KubeObject[] {
  const group = 'rbac.authorization.k8s.io';
  const name = (index: number): string => `role-${index % count}`;
  const of = (kind: string, metadata: object, more: object): KubeObject => ({ kind, metadata, ...more }) as KubeObject;
  const all = Array.from({ length: count }, (_, index) => index);
  return [
    of('Node', { name: 'node-1' }, {}),
    of('Namespace', { name: 'ns' }, {}),
    of('ClusterRole', { name: 'cluster-admin' }, { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }),
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
