import type { PodSecurityCheck } from '../check.ts';
import { contextOf, contextsOf, owner, placesOf, podContext } from '../containers.ts';
import { hasOwnUsers, STANDARD } from './standard.ts';

export const runAsNonRoot: PodSecurityCheck = {
  id: 'run-as-non-root',
  title: 'May run as root',
  severity: 'medium',
  rationale: 'Root in a container is root for the kernel: a hole in the runtime gives the node, and files of volumes belong to root.',
  remediation: 'Set `securityContext.runAsNonRoot: true` on the pod, and give the image a user other than root.',
  references: [STANDARD],
  frameworks: {
    pod_security: 'restricted',
    nsa: ['Non-root containers and rootless container engines'],
    cis: ['5.2.7'],
    mitre: ['T1611', 'T1548'],
  },
  control: { level: 'restricted', since: 0 },
  run({ template, minor }) {
    if (hasOwnUsers(template, minor)) return [];
    const path = (base: string): string => `${base}.runAsNonRoot`;
    const refused = contextsOf(template).filter(({ context }) => context.runAsNonRoot === false);
    const isPods = typeof podContext(template).runAsNonRoot === 'boolean';
    const silent = isPods ? [] : placesOf(template).filter((place) => typeof contextOf(place).runAsNonRoot !== 'boolean');
    return [
      ...refused.map(({ path: base, place }) => ({
        ...owner(place),
        path: path(base),
        problem: 'may run as root: runAsNonRoot is false',
        cures: place?.isFixed ? [] : [{ path: path(base), to: true }],
      })),
      ...silent.map((place) => ({
        ...owner(place),
        path: path(`${place.path}.securityContext`),
        problem: 'may run as root: neither it nor its pod says runAsNonRoot',
        cures: place.isFixed ? [] : [{ path: path(`${place.path}.securityContext`), to: true }],
      })),
    ];
  },
};
