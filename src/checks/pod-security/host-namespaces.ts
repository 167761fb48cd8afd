import type { PodSecurityCheck } from '../check.ts';
import { STANDARD } from './standard.ts';

const FIELDS = [
  ['hostNetwork', "shares the node's network"],
  ['hostPID', 'sees all processes of the node'],
  ['hostIPC', "shares the node's memory segments and semaphores"],
] as const;

export const hostNamespaces: PodSecurityCheck = {
  id: 'host-namespaces',
  title: "Pod shares the node's namespaces",
  severity: 'high',
  rationale:
    "A pod in the node's network reaches what listens on the node's loopback address and escapes NetworkPolicies. In the node's process namespace it reads the environment of all processes and can signal them.",
  remediation: 'Remove `hostNetwork`, `hostPID` and `hostIPC`. Reach other pods through Services.',
  references: [STANDARD],
  frameworks: {
    pod_security: 'baseline',
    nsa: ['Pod security enforcement'],
    cis: ['5.2.3', '5.2.4', '5.2.5'],
    mitre: ['T1611', 'T1040'],
  },
  control: { level: 'baseline', since: 0 },
  run: ({ template: { spec } }) =>
    FIELDS.filter(([field]) => spec[field] === true).map(([field, problem]) => ({
      path: `spec.${field}`,
      problem,
      cures: [{ path: `spec.${field}`, to: null }],
    })),
};
