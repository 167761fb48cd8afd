import type { Check } from '../check.ts';
import { accountOf, mountsToken } from './token-automount.ts';

export const defaultAccount: Check = {
  id: 'default-account',
  title: 'Uses the default service account',
  severity: 'low',
  rationale: 'All pods of the namespace that name no account share this one: a right given to one of them is given to all.',
  remediation: 'Make a service account for the workload and name it in `serviceAccountName`.',
  references: ['https://kubernetes.io/docs/concepts/security/rbac-good-practices/'],
  frameworks: { nsa: ['Protecting Pod service account tokens'], cis: ['5.1.5'], mitre: ['T1078', 'T1528'] },
  run: ({ template, around }) =>
    accountOf(template) === 'default' && mountsToken(template, around)
      ? [{ path: 'spec.serviceAccountName', problem: 'uses the default service account, and gets its token', cures: [] }]
      : [],
};
