import { partsOf } from '../../access/aggregate.ts';
import type { RbacBinding, RbacRole, RbacSubject } from '../../access/objects.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { ObjectCheck } from '../check.ts';
import { indexed } from '../containers.ts';
import { isShipped } from './shipped.ts';

// Roles without a binding, and bindings whose role or subject does not exist.

const GOOD_PRACTICES = 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/';

export const missingAccount: ObjectCheck = {
  id: 'missing-account',
  title: 'Rights for an account that does not exist',
  severity: 'medium',
  rationale:
    'Whoever may create accounts in that namespace takes these rights by creating it. Users and groups cannot be checked: Kubernetes does not know which there are.',
  remediation: 'Remove the subject, or correct its name or namespace.',
  references: [GOOD_PRACTICES],
  frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1'], mitre: ['T1078'] },
  kinds: ['RoleBinding', 'ClusterRoleBinding'],
  look(object, { hasAccount }) {
    if (!hasAccount || isShipped(object)) return [];
    const subjects = indexed((object as RbacBinding).subjects ?? undefined);
    const isGone = ({ kind, name, namespace }: Partial<RbacSubject>): boolean =>
      kind === 'ServiceAccount' && hasAccount(String(namespace ?? ''), String(name)) === false;
    const others = subjects.filter(([subject]) => !isGone(subject)).map(([subject]) => subject);
    return subjects
      .filter(([subject]) => isGone(subject))
      .map(([{ name, namespace }, index]) => ({
        path: `subjects[${index}]`,
        about: `ServiceAccount ${namespace}/${name}`,
        problem: 'does not exist',
        cures: [{ path: 'subjects', to: others.length > 0 ? others : null }],
      }));
  },
};

export const unboundRole: ObjectCheck = {
  id: 'unbound-role',
  title: 'Role that nothing binds',
  severity: 'info',
  rationale: 'It gives nobody anything today, and whoever binds it later may not know what it allows.',
  remediation: 'Delete the role, if it is not kept for bindings that come and go.',
  references: [GOOD_PRACTICES],
  frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1'] },
  kinds: ['Role', 'ClusterRole'],
  look: (object, { isBound }) =>
    isShipped(object) || isBound?.(object) !== false
      ? []
      : [{ path: 'metadata.name', about: `The ${object.kind}`, problem: 'is bound to nobody', cures: [] }],
};

/** Whether an account exists. Every namespace has an account named `default`. Undefined in namespaces whose accounts are not all known. */
export function accountFinder(
  accounts: readonly KubeObject[],
  isKnown: (namespace: string) => boolean,
): (namespace: string, name: string) => boolean | undefined {
  const names = new Set(accounts.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`));
  return (namespace, name) => name === 'default' || (isKnown(namespace) ? names.has(`${namespace}/${name}`) : undefined);
}

/** All roles of the cluster and all bindings that are known. */
export interface Bound {
  clusterRoles: readonly RbacRole[];
  bindings: readonly RbacBinding[];
}

/** Whether a binding names the role, or an aggregated role collects it. */
export function roleFinder({ clusterRoles, bindings }: Bound): (role: KubeObject) => boolean {
  const keyOf = (kind: string, namespace: string, name: string): string => `${kind}/${kind === 'Role' ? namespace : ''}/${name}`;
  const bound = new Set(
    bindings.map(({ metadata, roleRef }) => keyOf(String(roleRef?.kind), metadata.namespace ?? '', String(roleRef?.name))),
  );
  const collectors = clusterRoles.filter(({ aggregationRule }) => aggregationRule);
  return (role) =>
    bound.has(keyOf(role.kind ?? '', role.metadata.namespace ?? '', role.metadata.name ?? '')) ||
    (role.kind === 'ClusterRole' && collectors.some((collector) => partsOf(collector, [role as RbacRole]).length > 0));
}
