import type { RbacBinding } from '../../access/objects.ts';
import type { ObjectCheck } from '../check.ts';
import { isShipped } from './shipped.ts';

/** The longest list in a message. */
const MOST_TOLD = 12;

export const unusedRights: ObjectCheck = {
  id: 'unused-rights',
  title: 'Rights that nobody used',
  severity: 'low',
  rationale: 'A right that nobody needs still serves whoever steals a credential of the subject.',
  remediation:
    'Bind a role with the rights that were used. The log proves use, not need: it knows nothing of what happens more rarely than its time span, of requests that the audit policy leaves out, and which of several bindings a request needed.',
  references: [
    'https://kubernetes.io/docs/concepts/security/rbac-good-practices/',
    'https://kubernetes.io/docs/tasks/debug/debug-cluster/audit/',
  ],
  frameworks: { nsa: ['Authentication and authorization', 'Audit Logging'], cis: ['5.1'], mitre: ['T1078'] },
  kinds: ['RoleBinding', 'ClusterRoleBinding'],
  look(object, { usage }) {
    const binding = object as RbacBinding;
    const known = usage && !isShipped(object) ? usage.of(binding) : undefined;
    if (!usage || !known || known.unused.length === 0) return [];
    const { used, unused } = known;
    const role = `${binding.roleRef.kind} ${binding.roleRef.name}`;
    const all = `${unused.length} of ${used.length + unused.length} rights of ${role}`;
    const problem =
      used.length === 0
        ? `was not used from ${usage.span}: no request in the log needed ${role}`
        : `gives ${all} that no request used from ${usage.span}: ${list(unused)}. Used were: ${list(used)}`;
    return [{ path: 'roleRef', about: 'The binding', problem, cures: [] }];
  },
};

function list(texts: string[]): string {
  const more = texts.length - MOST_TOLD;
  return texts.slice(0, MOST_TOLD).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
