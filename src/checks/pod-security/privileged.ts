import type { PodSecurityCheck } from '../check.ts';
import { contextOf, owner, placesOf } from '../containers.ts';
import { STANDARD } from './standard.ts';

export const privileged: PodSecurityCheck = {
  id: 'privileged',
  title: 'Privileged container',
  severity: 'critical',
  rationale: 'A privileged container has all capabilities and all devices of the node: whoever is in it owns the node.',
  remediation: 'Remove `securityContext.privileged`, and add the one capability that the program needs, if any.',
  references: [STANDARD],
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.2.2'], mitre: ['T1611', 'T1610'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template }) =>
    placesOf(template)
      .filter((place) => contextOf(place).privileged === true)
      .map((place) => ({
        ...owner(place),
        path: `${place.path}.securityContext.privileged`,
        problem: 'is privileged',
        cures: place.isFixed ? [] : [{ path: `${place.path}.securityContext.privileged`, to: false }],
      })),
};
