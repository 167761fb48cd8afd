import type { PodSecurityCheck, Violation } from '../check.ts';
import { contextOf, isWindows, mapping, owner, placesOf, texts, type Place } from '../containers.ts';
import { STANDARD, WINDOWS_EXEMPT } from './standard.ts';

export const capabilitiesRestricted: PodSecurityCheck = {
  id: 'capabilities-restricted',
  title: 'Capabilities not dropped',
  severity: 'low',
  rationale: 'The runtime gives a dozen capabilities that most programs never use, among them raw sockets and changing owners of files.',
  remediation: 'Set `securityContext.capabilities.drop: ["ALL"]` on each container; only NET_BIND_SERVICE may be added back.',
  references: [STANDARD],
  frameworks: { pod_security: 'restricted', nsa: ['Pod security enforcement'], cis: ['5.2.8', '5.2.10'], mitre: ['T1611'] },
  control: { level: 'restricted', since: 22, replaces: 'capabilities' },
  run: ({ template, minor }) => (isWindows(template) && minor >= WINDOWS_EXEMPT ? [] : placesOf(template).flatMap(kept)),
};

function kept(place: Place): Violation[] {
  const { add, drop } = mapping<{ add: string[]; drop: string[] }>(contextOf(place).capabilities);
  const base = `${place.path}.securityContext.capabilities`;
  const refused = texts(add).filter((name) => name !== 'NET_BIND_SERVICE');
  const allowed = texts(add).filter((name) => name === 'NET_BIND_SERVICE');
  const found = (field: string, problem: string, to: unknown): Violation => ({
    ...owner(place),
    path: `${base}.${field}`,
    problem,
    cures: place.isFixed ? [] : [{ path: `${base}.${field}`, to }],
  });
  return [
    ...(texts(drop).includes('ALL') ? [] : [found('drop', 'does not drop all capabilities', ['ALL'])]),
    ...(refused.length > 0 ? [found('add', `adds ${refused.join(', ')}`, allowed.length > 0 ? allowed : null)] : []),
  ];
}
