import { RUNTIME_CAPABILITIES } from '../pod-security/capabilities.ts';
import { seLinuxTypes } from '../pod-security/se-linux.ts';
import { APPARMOR_ANNOTATION } from '../pod-security/standard.ts';
import { safeSysctls } from '../pod-security/sysctls.ts';
import { PLAIN_VOLUMES } from '../pod-security/volume-types.ts';
import { celList, celText, type Expression, type PolicyOptions } from './cel.ts';

const PROFILES = "['RuntimeDefault', 'Localhost']";
const ALLOWED_PROFILES = `variables.all.all(c, !has(c.seccompProfile) || c.seccompProfile.type in ${PROFILES})`;
const MASKED = "variables.contexts.all(c, c.?procMount.orValue('Default') == 'Default')";
const HANDLERS = '[c.?livenessProbe, c.?readinessProbe, c.?startupProbe, c.?lifecycle.?postStart, c.?lifecycle.?preStop]';

/** From v1.35 on, a pod with its own user namespace is exempt. */
const unlessOwnUsers = ({ minor }: PolicyOptions, expression: string): string =>
  minor >= 35 ? `!variables.spec.?hostUsers.orValue(true) || ${expression}` : expression;

/** The controls of the Pod Security Standards as of v1.30, the first version that has policies. */
export const POD_SECURITY_EXPRESSIONS: Record<string, Expression> = {
  'host-process': () => '!variables.all.exists(c, c.?windowsOptions.?hostProcess.orValue(false))',
  'host-namespaces': () =>
    `!(${['hostNetwork', 'hostPID', 'hostIPC'].map((field) => `variables.spec.?${field}.orValue(false)`).join(' || ')})`,
  privileged: () => '!variables.contexts.exists(c, c.?privileged.orValue(false))',
  capabilities: () => `variables.contexts.all(c, c.?capabilities.?add.orValue([]).all(n, n in ${celList(RUNTIME_CAPABILITIES)}))`,
  'host-path': () => '!variables.volumes.exists(v, has(v.hostPath))',
  'host-ports': () => 'variables.containers.all(c, c.?ports.orValue([]).all(p, p.?hostPort.orValue(0) == 0))',
  'host-probes': () =>
    `variables.containers.all(c, ${HANDLERS}.all(h, h.?httpGet.?host.orValue('') == '' && h.?tcpSocket.?host.orValue('') == ''))`,
  'app-armor': () =>
    `variables.all.all(c, !has(c.appArmorProfile) || c.appArmorProfile.type in ${PROFILES}) && ` +
    `variables.annotations.all(k, !k.startsWith(${celText(APPARMOR_ANNOTATION)}) || ` +
    "variables.annotations[k] in ['', 'runtime/default'] || variables.annotations[k].startsWith('localhost/'))",
  'se-linux': ({ minor }) =>
    `variables.all.all(c, c.?seLinuxOptions.?type.orValue('') in ${celList(seLinuxTypes(minor))} && ` +
    "c.?seLinuxOptions.?user.orValue('') == '' && c.?seLinuxOptions.?role.orValue('') == '')",
  'proc-mount': (options) => unlessOwnUsers(options, MASKED),
  'proc-mount-restricted': () => MASKED,
  seccomp: () => ALLOWED_PROFILES,
  'seccomp-restricted': () =>
    `variables.windows || (${ALLOWED_PROFILES} && (has(variables.pod.seccompProfile) || variables.contexts.all(c, has(c.seccompProfile))))`,
  sysctls: ({ minor }) => `variables.pod.?sysctls.orValue([]).all(s, s.name in ${celList(safeSysctls(minor))})`,
  'volume-types': () => `variables.volumes.all(v, size(v) == 1 || ${celList(PLAIN_VOLUMES)}.exists(t, t in v))`,
  'privilege-escalation': () => 'variables.windows || variables.contexts.all(c, c.?allowPrivilegeEscalation.orValue(true) == false)',
  'run-as-non-root': (options) =>
    unlessOwnUsers(
      options,
      '(variables.pod.?runAsNonRoot.orValue(true) && ' +
        'variables.contexts.all(c, c.?runAsNonRoot.orValue(variables.pod.?runAsNonRoot.orValue(false))))',
    ),
  'run-as-user': (options) => unlessOwnUsers(options, 'variables.all.all(c, c.?runAsUser.orValue(1) != 0)'),
  'capabilities-restricted': () =>
    "variables.windows || variables.contexts.all(c, 'ALL' in c.?capabilities.?drop.orValue([]) && " +
    "c.?capabilities.?add.orValue([]).all(n, n == 'NET_BIND_SERVICE'))",
};
