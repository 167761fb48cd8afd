import type { Container, PodTemplate, SecurityContext } from '../crd/kubernetes.ts';
import { fieldPath } from '../crd/field-path.ts';
import { words } from '../crd/present.ts';
import { allContainers, handlersOf, listOf } from '../crd/pod-template.ts';

/** Pod Security Standards, level *baseline* (kubernetes.io/docs/concepts/security/pod-security-standards): the allowed values. */
const CAPABILITIES = words(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT',
);
const SYSCTLS = words(`
  kernel.shm_rmid_forced net.ipv4.ip_local_port_range net.ipv4.ip_unprivileged_port_start net.ipv4.tcp_syncookies
  net.ipv4.ping_group_range net.ipv4.ip_local_reserved_ports net.ipv4.tcp_keepalive_time net.ipv4.tcp_fin_timeout
  net.ipv4.tcp_keepalive_intvl net.ipv4.tcp_keepalive_probes net.ipv4.tcp_rmem net.ipv4.tcp_wmem`);
const SELINUX_TYPES = new Set(['', 'container_t', 'container_init_t', 'container_kvm_t', 'container_engine_t']);

type Rule = [field: string, breaks: boolean];

/** Paths of the fields by which a pod fails Pod Security baseline; none means that it passes. */
export function baselineViolations({ metadata, spec }: PodTemplate): string[] {
  const rules: Rule[] = [
    ...(['hostNetwork', 'hostPID', 'hostIPC'] as const).map((field): Rule => [`spec.${field}`, spec[field] === true]),
    ...listOf(spec.volumes).map((volume, index): Rule => [`spec.volumes[${index}].hostPath`, Boolean(volume.hostPath)]),
    ...contextRules('spec.securityContext', (spec.securityContext ?? {}) as SecurityContext),
    ...listOf(spec.securityContext?.sysctls).map(({ name }, index): Rule => [`spec.securityContext.sysctls[${index}]`, !SYSCTLS.has(name)]),
    ...Object.entries(metadata?.annotations ?? {}).map(([key, value]): Rule => [
      fieldPath('metadata.annotations', key),
      key.startsWith('container.apparmor.security.beta.kubernetes.io/') && value === 'unconfined',
    ]),
    ...(['initContainers', 'containers'] as const).flatMap((list) =>
      listOf(spec[list]).flatMap((container, index) => containerRules(`spec.${list}[${index}]`, container)),
    ),
  ];
  return rules.filter(([, breaks]) => breaks).map(([field]) => field);
}

function containerRules(path: string, container: Container): Rule[] {
  const { privileged, procMount = 'Default', capabilities, ...context } = container.securityContext ?? {};
  return [
    ...contextRules(`${path}.securityContext`, context),
    [`${path}.securityContext.privileged`, privileged === true],
    [`${path}.securityContext.procMount`, procMount !== 'Default'],
    [`${path}.securityContext.capabilities.add`, (capabilities?.add ?? []).some((name) => !CAPABILITIES.has(name))],
    ...listOf(container.ports).map(({ hostPort }, index): Rule => [`${path}.ports[${index}].hostPort`, Boolean(hostPort)]),
    ...handlersOf(container).flatMap(([field, handler]) =>
      (['httpGet', 'tcpSocket'] as const).map((kind): Rule => [`${path}.${field}.${kind}.host`, Boolean(handler?.[kind]?.host)]),
    ),
  ];
}

function contextRules(path: string, context: SecurityContext): Rule[] {
  const { type = '', user, role } = context.seLinuxOptions ?? {};
  return [
    [`${path}.windowsOptions.hostProcess`, context.windowsOptions?.['hostProcess'] === true],
    [`${path}.seLinuxOptions`, !SELINUX_TYPES.has(type) || Boolean(user) || Boolean(role)],
    ...(['seccompProfile', 'appArmorProfile'] as const).map((field): Rule => [
      `${path}.${field}.type`,
      context[field]?.type === 'Unconfined',
    ]),
  ];
}

/** Whether any container of the template takes part of the node for itself, so that two copies cannot live on one node. */
export function hostPortsOf({ spec }: PodTemplate): number[] {
  return allContainers(spec).flatMap((container) => listOf(container.ports).flatMap(({ hostPort }) => (hostPort ? [hostPort] : [])));
}
