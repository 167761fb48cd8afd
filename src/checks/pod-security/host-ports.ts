import type { PodSecurityCheck } from '../check.ts';
import { indexed, owner, placesOf } from '../containers.ts';
import { STANDARD } from './standard.ts';

export const hostPorts: PodSecurityCheck = {
  id: 'host-ports',
  title: 'Port of the node',
  severity: 'medium',
  rationale:
    'A host port opens the container to whoever reaches the node, past Services and some NetworkPolicies. Two pods with the same one cannot run on one node.',
  remediation: 'Remove `hostPort`, and publish the port with a Service.',
  references: [STANDARD],
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.2.13'], mitre: ['T1190'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template }) =>
    placesOf(template).flatMap((place) =>
      indexed(place.container.ports)
        .filter(([{ hostPort }]) => Boolean(hostPort))
        .map(([{ hostPort }, index]) => {
          const path = `${place.path}.ports[${index}].hostPort`;
          return { ...owner(place), path, problem: `takes port ${hostPort} of the node`, cures: place.isFixed ? [] : [{ path, to: null }] };
        }),
    ),
};
