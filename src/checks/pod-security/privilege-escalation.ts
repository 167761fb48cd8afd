import type { SecurityContext } from '../../crd/kubernetes.ts';
import type { PodSecurityCheck } from '../check.ts';
import { contextOf, isWindows, mapping, owner, placesOf, texts } from '../containers.ts';
import { STANDARD, WINDOWS_EXEMPT } from './standard.ts';

export const privilegeEscalation: PodSecurityCheck = {
  id: 'privilege-escalation',
  title: 'Privilege escalation allowed',
  severity: 'medium',
  rationale: 'A program with the setuid bit, or with file capabilities, gives a process more rights than it began with.',
  remediation: 'Set `securityContext.allowPrivilegeEscalation: false` on each container.',
  references: [STANDARD],
  frameworks: { pod_security: 'restricted', nsa: ['Pod security enforcement'], cis: ['5.2.6'], mitre: ['T1548', 'T1611'] },
  control: { level: 'restricted', since: 8 },
  run: ({ template, minor }) => {
    if (isWindows(template) && minor >= WINDOWS_EXEMPT) return [];
    return placesOf(template)
      .filter((place) => contextOf(place).allowPrivilegeEscalation !== false)
      .map((place) => {
        const path = `${place.path}.securityContext.allowPrivilegeEscalation`;
        const cures = place.isFixed || needsEscalation(contextOf(place)) ? [] : [{ path, to: false }];
        return { ...owner(place), path, problem: 'may gain privileges', cures };
      });
  },
};

/** With these settings, the API server does not accept `false`. */
function needsEscalation({ privileged, capabilities }: SecurityContext): boolean {
  const added = texts(mapping<{ add: string[] }>(capabilities).add);
  return privileged === true || added.some((name) => name === 'SYS_ADMIN' || name === 'CAP_SYS_ADMIN');
}
