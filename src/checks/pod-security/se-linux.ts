import type { PodSecurityCheck, Violation } from '../check.ts';
import { contextsOf, mapping, owner } from '../containers.ts';
import { STANDARD } from './standard.ts';

const TYPES = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** The SELinux types that a pod may use. `container_engine_t` was added in v1.31. */
export function seLinuxTypes(minor: number): string[] {
  return minor >= 31 ? [...TYPES, 'container_engine_t'] : TYPES;
}

export const seLinux: PodSecurityCheck = {
  id: 'se-linux',
  title: 'SELinux options of its own',
  severity: 'medium',
  rationale:
    "SELinux keeps containers apart by their labels. A type, user or role of the pod's own choice can be one that keeps nothing apart.",
  remediation: 'Remove `user` and `role` from `seLinuxOptions`, and use one of the container types.',
  references: [STANDARD],
  frameworks: { pod_security: 'baseline', nsa: ['Hardening container environments'], cis: ['5.7.3'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template, minor }) =>
    contextsOf(template).flatMap(({ context, path, place }) => {
      const { type, user, role } = mapping<{ type: string; user: string; role: string }>(context.seLinuxOptions);
      const found = (field: string, value: string): Violation => ({
        ...owner(place),
        path: `${path}.seLinuxOptions.${field}`,
        problem: `has SELinux ${field} ${value}`,
        cures: place?.isFixed ? [] : [{ path: `${path}.seLinuxOptions.${field}`, to: null }],
      });
      return [
        ...(seLinuxTypes(minor).includes(type ?? '') ? [] : [found('type', String(type))]),
        ...(user ? [found('user', user)] : []),
        ...(role ? [found('role', role)] : []),
      ];
    }),
};
