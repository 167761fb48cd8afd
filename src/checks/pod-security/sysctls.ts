import type { PodSecurityCheck } from '../check.ts';
import { indexed, mapping } from '../containers.ts';
import { STANDARD } from './standard.ts';

/** Sysctls that only affect the pod itself, with the first Kubernetes version that allows them. */
const ALLOWED: Record<string, number> = {
  'kernel.shm_rmid_forced': 0,
  'net.ipv4.ip_local_port_range': 0,
  'net.ipv4.tcp_syncookies': 0,
  'net.ipv4.ping_group_range': 0,
  'net.ipv4.ip_unprivileged_port_start': 0,
  'net.ipv4.ip_local_reserved_ports': 27,
  'net.ipv4.tcp_keepalive_time': 29,
  'net.ipv4.tcp_fin_timeout': 29,
  'net.ipv4.tcp_keepalive_intvl': 29,
  'net.ipv4.tcp_keepalive_probes': 29,
  'net.ipv4.tcp_rmem': 32,
  'net.ipv4.tcp_wmem': 32,
};

/** The sysctls that a pod may set in that version. */
export function safeSysctls(minor: number): string[] {
  return Object.keys(ALLOWED).filter((name) => (ALLOWED[name] ?? Infinity) <= minor);
}

export const sysctls: PodSecurityCheck = {
  id: 'sysctls',
  title: 'Unsafe sysctls',
  severity: 'medium',
  rationale: 'Other sysctls are not kept apart between pods, or take memory that no limit counts: one pod can stop the node.',
  remediation: 'Remove the sysctl, or set it on the nodes.',
  references: [STANDARD, 'https://kubernetes.io/docs/tasks/administer-cluster/sysctl-cluster/'],
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.7.3'], mitre: ['T1499'] },
  control: { level: 'baseline', since: 0 },
  run({ template: { spec }, minor }) {
    const allowed = new Set(safeSysctls(minor));
    const path = 'spec.securityContext.sysctls';
    const all = indexed(mapping<{ sysctls: { name: string }[] }>(spec.securityContext).sysctls);
    const kept = all.filter(([{ name }]) => allowed.has(name)).map(([sysctl]) => sysctl);
    return all
      .filter(([{ name }]) => !allowed.has(name))
      .map(([{ name }, index]) => ({
        path: `${path}[${index}]`,
        problem: `sets ${name}`,
        cures: [{ path, to: kept.length > 0 ? kept : null }],
      }));
  },
};
