import { nameSet } from '../../crd/name-set.ts';
import type { PodSecurityCheck } from '../check.ts';
import { contextOf, mapping, owner, placesOf, texts } from '../containers.ts';
import { STANDARD } from './standard.ts';

/** The capabilities that container runtimes grant by default. A pod may list them in `capabilities.add`, because it has them anyway. */
export const RUNTIME_CAPABILITIES = nameSet(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT',
);

export const capabilities: PodSecurityCheck = {
  id: 'capabilities',
  title: 'Added capabilities',
  severity: 'high',
  rationale:
    'Capabilities are parts of what root may do. SYS_ADMIN, SYS_PTRACE or SYS_MODULE lead out of the container; NET_ADMIN and NET_RAW let it redirect traffic.',
  remediation: 'Remove what the program does not need from `securityContext.capabilities.add`.',
  references: [STANDARD, 'https://man7.org/linux/man-pages/man7/capabilities.7.html'],
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.2.8', '5.2.9'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template }) =>
    placesOf(template).flatMap((place) => {
      const added = texts(mapping<{ add: string[] }>(contextOf(place).capabilities).add);
      const refused = added.filter((name) => !RUNTIME_CAPABILITIES.has(name));
      if (refused.length === 0) return [];
      const path = `${place.path}.securityContext.capabilities.add`;
      const kept = added.filter((name) => RUNTIME_CAPABILITIES.has(name));
      const cures = place.isFixed ? [] : [{ path, to: kept.length > 0 ? kept : null }];
      return [{ ...owner(place), path, problem: `adds ${refused.join(', ')}`, cures }];
    }),
};
