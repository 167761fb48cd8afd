import type { PodTemplate } from '../../crd/kubernetes.ts';
import type { Around, Check } from '../check.ts';

export const tokenAutomount: Check = {
  id: 'token-automount',
  title: 'Token of the service account is mounted',
  severity: 'low',
  rationale: 'Whoever gets into the container finds a token for the Kubernetes API, with all rights of the service account.',
  remediation: 'Set `automountServiceAccountToken: false`, unless the program talks to the Kubernetes API.',
  references: [
    'https://kubernetes.io/docs/tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting',
  ],
  frameworks: { nsa: ['Protecting Pod service account tokens'], cis: ['5.1.6'], mitre: ['T1528', 'T1552'] },
  run: ({ template, around }) =>
    mountsToken(template, around)
      ? [
          {
            path: 'spec.automountServiceAccountToken',
            problem: `gets the token of service account ${accountOf(template)}`,
            cures: [{ path: 'spec.automountServiceAccountToken', to: false }],
          },
        ]
      : [],
};

export const accountOf = ({ spec }: PodTemplate): string => spec.serviceAccountName || spec.serviceAccount || 'default';

/** Whether the pod mounts a token. The setting of the pod decides, or if there is none, the setting of its account. */
export function mountsToken({ spec, ...rest }: PodTemplate, { quietAccounts }: Around): boolean {
  if (typeof spec.automountServiceAccountToken === 'boolean') return spec.automountServiceAccountToken;
  return !quietAccounts?.has(accountOf({ spec, ...rest }));
}
