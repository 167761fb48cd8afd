import type { Loose } from '../store/object.ts';

const SAFE_CAPABILITIES = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
);
const SAFE_SYSCTLS = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ping_group_range',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.tcp_wmem',
]);
const SAFE_VOLUMES = new Set([
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'image',
  'persistentVolumeClaim',
  'projected',
  'secret',
]);

const quoted = (names: string[]) => names.map((name) => `"${name}"`).join(', ');
const containers = (names: string[]) => `${names.length === 1 ? 'container' : 'containers'} ${quoted(names)}`;

function baseline(spec: Loose, all: Loose[]): string[] {
  const violations: string[] = [];
  const hosts = ['hostNetwork', 'hostPID', 'hostIPC'].filter((field) => spec[field]);
  if (hosts.length) violations.push(`host namespaces (${hosts.map((field) => `${field}=true`).join(', ')})`);
  const paths = (spec.volumes ?? []).filter((v: Loose) => v.hostPath).map((v: Loose) => v.name);
  if (paths.length) violations.push(`hostPath volumes (${paths.length === 1 ? 'volume' : 'volumes'} ${quoted(paths)})`);
  const ports = all.filter((c) => c.ports?.some((p: Loose) => p.hostPort));
  if (ports.length)
    violations.push(
      `hostPort (${containers(ports.map((c) => c.name))} uses hostPort ${ports.flatMap((c) => c.ports.map((p: Loose) => p.hostPort)).join(', ')})`,
    );
  const privileged = all.filter((c) => c.securityContext?.privileged);
  if (privileged.length)
    violations.push(`privileged (${containers(privileged.map((c) => c.name))} must not set securityContext.privileged=true)`);
  const unsafe = (c: Loose) => (c.securityContext?.capabilities?.add ?? []).filter((name: string) => !SAFE_CAPABILITIES.has(name));
  const capable = all.filter((c) => unsafe(c).length);
  if (capable.length)
    violations.push(
      `non-default capabilities (${containers(capable.map((c) => c.name))} must not include ${quoted(capable.flatMap(unsafe))} in securityContext.capabilities.add)`,
    );
  const unconfined = all.filter((c) => c.securityContext?.seccompProfile?.type === 'Unconfined');
  const isPodUnconfined = spec.securityContext?.seccompProfile?.type === 'Unconfined';
  if (isPodUnconfined || unconfined.length)
    violations.push(
      `seccompProfile (${[...(isPodUnconfined ? ['pod'] : []), ...(unconfined.length ? [containers(unconfined.map((c) => c.name))] : [])].join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined")`,
    );
  const sysctls = (spec.securityContext?.sysctls ?? []).map((s: Loose) => s.name).filter((name: string) => !SAFE_SYSCTLS.has(name));
  if (sysctls.length) violations.push(`forbidden sysctls (${sysctls.join(', ')})`);
  return violations;
}

function restricted(spec: Loose, all: Loose[]): string[] {
  const violations: string[] = [];
  const names = (bad: (c: Loose) => boolean) => all.filter(bad).map((c) => c.name as string);
  const say = (title: string, bad: string[], text: string, subject = '') => {
    if (bad.length) violations.push(`${title} (${subject}${containers(bad)} must set ${text})`);
  };
  say(
    'allowPrivilegeEscalation != false',
    names((c) => c.securityContext?.allowPrivilegeEscalation !== false),
    'securityContext.allowPrivilegeEscalation=false',
  );
  say(
    'unrestricted capabilities',
    names((c) => !c.securityContext?.capabilities?.drop?.includes('ALL')),
    'securityContext.capabilities.drop=["ALL"]',
  );
  const typed = (v: Loose) => Object.keys(v).find((key) => key !== 'name') ?? 'emptyDir';
  const volumes = (spec.volumes ?? []).filter((v: Loose) => !SAFE_VOLUMES.has(typed(v)));
  if (volumes.length)
    violations.push(
      `restricted volume types (${volumes.length === 1 ? 'volume' : 'volumes'} ${quoted(volumes.map((v: Loose) => v.name))} uses restricted volume type ${quoted(volumes.map(typed))})`,
    );
  const pod = spec.securityContext ?? {};
  const isRoot = (c: Loose) => (c.securityContext?.runAsNonRoot ?? pod.runAsNonRoot) !== true;
  say('runAsNonRoot != true', names(isRoot), 'securityContext.runAsNonRoot=true', 'pod or ');
  const rootUsers = all.filter((c) => c.securityContext?.runAsUser === 0).map((c) => c.name as string);
  if (pod.runAsUser === 0 || rootUsers.length)
    violations.push(
      `runAsUser=0 (${[...(pod.runAsUser === 0 ? ['pod'] : []), ...(rootUsers.length ? [containers(rootUsers)] : [])].join(' and ')} must not set runAsUser=0)`,
    );
  const isLoose = (c: Loose) => !['RuntimeDefault', 'Localhost'].includes((c.securityContext?.seccompProfile ?? pod.seccompProfile)?.type);
  say('seccompProfile', names(isLoose), 'securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"', 'pod or ');
  return violations;
}

/** The violations of a Pod Security level, in the words of the admission plugin; empty if there are none. */
export function podSecurityViolations(spec: Loose, level: 'baseline' | 'restricted'): string[] {
  const all = [...(spec.initContainers ?? []), ...(spec.containers ?? [])] as Loose[];
  return level === 'baseline' ? baseline(spec, all) : [...baseline(spec, all), ...restricted(spec, all)];
}
