import type { PodSecurityCheck, Violation } from '../check.ts';
import type { PodTemplate } from '../../crd/kubernetes.ts';
import { contextOf, owner, placesOf } from '../containers.ts';
import { hasOwnUsers, STANDARD } from './standard.ts';

const TEXT = {
  severity: 'high',
  rationale: 'The runtime hides parts of /proc, because through them a process changes the kernel of the node.',
  remediation: 'Remove `securityContext.procMount`. Only containers that build containers need it, in a user namespace of their own.',
  references: [STANDARD, 'https://kubernetes.io/docs/tasks/configure-pod-container/security-context/#proc-access'],
} as const;

export const procMount: PodSecurityCheck = {
  ...TEXT,
  references: [...TEXT.references],
  id: 'proc-mount',
  title: 'Unmasked /proc',
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.7.3'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template, minor }) => (hasOwnUsers(template, minor) ? [] : unmasked(template)),
};

/** Restricted has no exception for user namespaces. */
export const procMountRestricted: PodSecurityCheck = {
  ...TEXT,
  references: [...TEXT.references],
  id: 'proc-mount-restricted',
  title: 'Unmasked /proc in a user namespace',
  severity: 'low',
  frameworks: { pod_security: 'restricted', nsa: ['Pod security enforcement'], cis: ['5.7.3'], mitre: ['T1611'] },
  control: { level: 'restricted', since: 35, replaces: 'proc-mount' },
  run: ({ template }) => unmasked(template),
};

function unmasked(template: PodTemplate): Violation[] {
  return placesOf(template)
    .filter((place) => (contextOf(place).procMount ?? 'Default') !== 'Default')
    .map((place) => {
      const path = `${place.path}.securityContext.procMount`;
      return {
        ...owner(place),
        path,
        problem: `sees /proc ${contextOf(place).procMount}`,
        cures: place.isFixed ? [] : [{ path, to: null }],
      };
    });
}
