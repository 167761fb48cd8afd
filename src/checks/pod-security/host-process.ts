import type { PodSecurityCheck } from '../check.ts';
import { contextsOf, mapping, owner } from '../containers.ts';
import { STANDARD } from './standard.ts';

export const hostProcess: PodSecurityCheck = {
  id: 'host-process',
  title: 'Windows HostProcess container',
  severity: 'critical',
  rationale: 'A HostProcess container runs as a process of the Windows node, with its network, its files and the rights of its account.',
  remediation: 'Remove `windowsOptions.hostProcess`. Only drivers and node agents need it; give those a namespace of their own.',
  references: [STANDARD, 'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/'],
  frameworks: { pod_security: 'baseline', cis: ['5.2.11'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template }) =>
    contextsOf(template)
      .filter(({ context }) => mapping<{ hostProcess: boolean }>(context.windowsOptions).hostProcess === true)
      .map(({ path, place }) => ({
        ...owner(place),
        path: `${path}.windowsOptions.hostProcess`,
        problem: 'runs as a process of the Windows node',
        cures: place?.isFixed ? [] : [{ path: `${path}.windowsOptions.hostProcess`, to: null }],
      })),
};
