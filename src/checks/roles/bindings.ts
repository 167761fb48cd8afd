import type { RbacBinding, RbacSubject } from '../../access/objects.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { CheckTexts, ObjectCheck } from '../check.ts';
import { indexed, mapping } from '../containers.ts';
import { isShipped } from './shipped.ts';

const GOOD_PRACTICES = 'https://kubernetes.io/docs/concepts/security/rbac-good-practices/';
const KINDS = ['RoleBinding', 'ClusterRoleBinding'];
/** The user and the group of requests without credentials. */
export const ANONYMOUS = ['system:anonymous', 'system:unauthenticated'];
/** The groups of all users and of all accounts. */
export const EVERYBODY = ['system:authenticated', 'system:serviceaccounts'];

type IsMeant = (subject: Partial<RbacSubject>, binding: KubeObject) => string | undefined;

/**
 * A check of each subject of a binding. `problemOf` returns the rest of the sentence about the subject, or undefined if there is no
 * problem.
 */
function subjectCheck(texts: Omit<CheckTexts, 'references'>, problemOf: IsMeant): ObjectCheck {
  return {
    ...texts,
    references: [GOOD_PRACTICES],
    kinds: KINDS,
    look: (object) => {
      if (isShipped(object)) return [];
      const subjects = indexed((object as RbacBinding).subjects ?? undefined);
      const found = subjects.flatMap(([subject, index]) => {
        const problem = problemOf(subject, object);
        return problem === undefined ? [] : [{ subject, index, problem }];
      });
      const others = subjects.filter(([subject]) => !found.some((one) => one.subject === subject)).map(([subject]) => subject);
      return found.map(({ subject, index, problem }) => ({
        path: `subjects[${index}]`,
        about: `${String(subject.kind)} ${String(subject.name)}`,
        problem,
        cures: [{ path: 'subjects', to: others.length > 0 ? others : null }],
      }));
    },
  };
}

const roleName = (binding: KubeObject): string => String(mapping<{ name: string }>((binding as RbacBinding).roleRef).name ?? '');

export const adminBinding = subjectCheck(
  {
    id: 'admin-binding',
    title: 'Binding to cluster-admin',
    severity: 'high',
    rationale: '`cluster-admin` may do everything, also what nobody thought of; one stolen credential is the whole cluster.',
    remediation: 'Bind a role with the rights that are needed; keep cluster-admin for a break-glass group.',
    frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1.1'], mitre: ['T1078'] },
  },
  ({ name }, binding) => {
    if (roleName(binding) !== 'cluster-admin' || name === 'system:masters') return undefined;
    const where = binding.kind === 'ClusterRoleBinding' ? 'in the whole cluster' : 'in the namespace';
    return `may do everything ${where}`;
  },
);

export const anonymousBinding = subjectCheck(
  {
    id: 'anonymous-binding',
    title: 'Rights for everybody without a name',
    severity: 'critical',
    rationale: 'Whoever reaches the API server has these rights, without any credential.',
    remediation: 'Remove the subject.',
    frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1'], mitre: ['T1190'] },
  },
  ({ name }) => (ANONYMOUS.includes(String(name)) ? 'is everybody who reaches the API server' : undefined),
);

export const everybodyBinding = subjectCheck(
  {
    id: 'everybody-binding',
    title: 'Rights for all users or all accounts',
    severity: 'high',
    rationale: 'Every pod with a token has these rights, also those of other teams and those that come later.',
    remediation: 'Name the users, groups or accounts that need the role.',
    frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1'], mitre: ['T1078'] },
  },
  ({ kind, name }) => (kind === 'Group' && EVERYBODY.includes(String(name)) ? 'is every user or account' : undefined),
);

export const defaultAccountBinding = subjectCheck(
  {
    id: 'default-account-binding',
    title: 'Rights for the default account',
    severity: 'medium',
    rationale: 'Every pod of the namespace that names no account has these rights.',
    remediation: 'Make an account for the workload, name it in the pod, and bind the role to it.',
    frameworks: { nsa: ['Authentication and authorization'], cis: ['5.1.5'], mitre: ['T1078.001'] },
  },
  ({ kind, name }) => (kind === 'ServiceAccount' && name === 'default' ? 'is the account of every pod that names none' : undefined),
);
