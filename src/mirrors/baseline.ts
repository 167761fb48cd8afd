import type { Container, Handler, PodTemplate, SecurityContext } from '../crd/kubernetes.ts';
import { allContainers, listOf } from './strip.ts';

/** Pod Security Standards, level *baseline* (kubernetes.io/docs/concepts/security/pod-security-standards): the allowed values. */
const CAPABILITIES = new Set([
  ...['AUDIT_WRITE', 'CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'FSETID', 'KILL', 'MKNOD', 'NET_BIND_SERVICE', 'SETFCAP', 'SETGID'],
  ...['SETPCAP', 'SETUID', 'SYS_CHROOT'],
]);
const SYSCTLS = new Set([
  ...['kernel.shm_rmid_forced', 'net.ipv4.ip_local_port_range', 'net.ipv4.ip_unprivileged_port_start', 'net.ipv4.tcp_syncookies'],
  ...['net.ipv4.ping_group_range', 'net.ipv4.ip_local_reserved_ports', 'net.ipv4.tcp_keepalive_time', 'net.ipv4.tcp_fin_timeout'],
  ...['net.ipv4.tcp_keepalive_intvl', 'net.ipv4.tcp_keepalive_probes', 'net.ipv4.tcp_rmem', 'net.ipv4.tcp_wmem'],
]);
const SELINUX_TYPES = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

/** Paths of the fields by which a pod fails Pod Security baseline; none means that it passes. */
export function baselineViolations({ metadata, spec }: PodTemplate): string[] {
  const found: string[] = [];
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC'] as const) if (spec[field]) found.push(`spec.${field}`);
  for (const [index, volume] of listOf(spec.volumes).entries()) if (volume.hostPath) found.push(`spec.volumes[${index}].hostPath`);
  found.push(...contextViolations('spec.securityContext', spec.securityContext as SecurityContext | undefined));
  for (const [index, sysctl] of listOf(spec.securityContext?.sysctls).entries())
    if (!SYSCTLS.has(sysctl.name)) found.push(`spec.securityContext.sysctls[${index}]`);
  for (const [key, value] of Object.entries(metadata?.annotations ?? {}))
    if (key.startsWith('container.apparmor.security.beta.kubernetes.io/') && value === 'unconfined')
      found.push(`metadata.annotations[${JSON.stringify(key)}]`);
  for (const list of ['initContainers', 'containers'] as const)
    for (const [index, container] of listOf(spec[list]).entries()) found.push(...containerViolations(`spec.${list}[${index}]`, container));
  return found;
}

function containerViolations(path: string, container: Container): string[] {
  const context = container.securityContext;
  const found = contextViolations(`${path}.securityContext`, context);
  if (context?.privileged) found.push(`${path}.securityContext.privileged`);
  if ((context?.procMount ?? 'Default') !== 'Default') found.push(`${path}.securityContext.procMount`);
  if ((context?.capabilities?.add ?? []).some((name) => !CAPABILITIES.has(name))) found.push(`${path}.securityContext.capabilities.add`);
  for (const [index, port] of listOf(container.ports).entries()) if (port.hostPort) found.push(`${path}.ports[${index}].hostPort`);
  const handlers: [string, Handler | undefined][] = [
    ...(['livenessProbe', 'readinessProbe', 'startupProbe'] as const).map((field): [string, Handler | undefined] => [
      field,
      container[field],
    ]),
    ...(['postStart', 'preStop'] as const).map((hook): [string, Handler | undefined] => [`lifecycle.${hook}`, container.lifecycle?.[hook]]),
  ];
  for (const [field, handler] of handlers)
    for (const kind of ['httpGet', 'tcpSocket'] as const) if (handler?.[kind]?.host) found.push(`${path}.${field}.${kind}.host`);
  return found;
}

function contextViolations(path: string, context: SecurityContext | undefined): string[] {
  const found: string[] = [];
  if (context?.windowsOptions?.['hostProcess']) found.push(`${path}.windowsOptions.hostProcess`);
  const { type = '', user, role } = context?.seLinuxOptions ?? {};
  if (!SELINUX_TYPES.has(type) || user || role) found.push(`${path}.seLinuxOptions`);
  for (const profile of ['seccompProfile', 'appArmorProfile'] as const)
    if (context?.[profile]?.type === 'Unconfined') found.push(`${path}.${profile}.type`);
  return found;
}

/** Whether any container of the template takes part of the node for itself, so that two copies cannot live on one node. */
export function hostPortsOf({ spec }: PodTemplate): number[] {
  return allContainers(spec).flatMap((container) => listOf(container.ports).flatMap(({ hostPort }) => (hostPort ? [hostPort] : [])));
}
