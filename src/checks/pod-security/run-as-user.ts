import type { PodSecurityCheck } from '../check.ts';
import { contextsOf, owner } from '../containers.ts';
import { hasOwnUsers, STANDARD } from './standard.ts';

/** The first user id that distributions do not use for system users. */
const SOMEBODY = 1000;

export const runAsUser: PodSecurityCheck = {
  id: 'run-as-user',
  title: 'Runs as user 0',
  severity: 'medium',
  rationale: 'User 0 is root, whatever the image says.',
  remediation: 'Set `runAsUser` to a number other than 0, or remove it and name a user in the image.',
  references: [STANDARD],
  frameworks: {
    pod_security: 'restricted',
    nsa: ['Non-root containers and rootless container engines'],
    cis: ['5.2.7'],
    mitre: ['T1611'],
  },
  control: { level: 'restricted', since: 23 },
  run: ({ template, minor }) =>
    hasOwnUsers(template, minor)
      ? []
      : contextsOf(template)
          .filter(({ context }) => context.runAsUser === 0)
          .map(({ path, place }) => ({
            ...owner(place),
            path: `${path}.runAsUser`,
            problem: 'runs as root: runAsUser is 0',
            cures: place?.isFixed ? [] : [{ path: `${path}.runAsUser`, to: SOMEBODY }],
          })),
};
