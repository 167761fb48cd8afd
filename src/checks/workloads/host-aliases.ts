import type { Check } from '../check.ts';

export const hostAliases: Check = {
  id: 'host-aliases',
  title: 'Host names of its own',
  severity: 'info',
  rationale: 'Aliases go before DNS: a name of another service can lead to an address of the author\u2019s choice.',
  remediation: 'Use DNS, or a Service of type ExternalName, and remove `hostAliases`.',
  references: ['https://kubernetes.io/docs/tasks/network/customize-hosts-file-for-pods/'],
  frameworks: { nsa: ['Network separation and hardening'], mitre: ['T1557'] },
  run: ({ template: { spec } }) =>
    Array.isArray(spec.hostAliases) && spec.hostAliases.length > 0
      ? [{ path: 'spec.hostAliases', problem: 'names hosts past DNS', cures: [{ path: 'spec.hostAliases', to: null }] }]
      : [],
};
