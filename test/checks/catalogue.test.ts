import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeObject } from '../../src/checks/judge.ts';
import { checkById, CHECKS } from '../../src/checks/list.ts';
import type { CheckTexts, Control } from '../../src/checks/check.ts';
import { AROUND, BAD, good } from '../support/builders/judged-objects.ts';

// What each check says of itself. Levels and their order are from the Pod Security Standards, controls from the CIS Kubernetes Benchmark
// 1.10, sections from the NSA/CISA Kubernetes Hardening Guide 1.2, techniques from MITRE ATT&CK for containers.

const POD = 'Pod security enforcement';
const ENV = 'Hardening container environments';
const ROOTLESS = 'Non-root containers and rootless container engines';
const IMAGE = 'Building secure container images';
const NET = 'Network separation and hardening';
const AUTH = 'Authentication and authorization';
const ROLES = ['Role', 'ClusterRole'];
const BINDINGS = ['RoleBinding', 'ClusterRoleBinding'];

/**
 * Critical: who gets in has the node or the cluster. High: one step is missing to that, or a secret is open. Medium: a line of defence is
 * gone, or others can be harmed. Low: a protection is not switched on. Info: often right as it is.
 *
 * `[id, severity, title, level and the control that it replaces, NSA, CIS, MITRE, kinds if not those with pods]`
 */
const FACTS: [string, string, string, string, string, string, string, string[]?][] = [
  ['host-process', 'critical', 'Windows HostProcess container', 'baseline', '', '5.2.11', 'T1611'],
  ['host-namespaces', 'high', "Pod shares the node's namespaces", 'baseline', POD, '5.2.3 5.2.4 5.2.5', 'T1611 T1040'],
  ['privileged', 'critical', 'Privileged container', 'baseline', POD, '5.2.2', 'T1611 T1610'],
  ['capabilities', 'high', 'Added capabilities', 'baseline', POD, '5.2.8 5.2.9', 'T1611'],
  ['host-path', 'high', "Volume from the node's file system", 'baseline', POD, '5.2.12', 'T1611'],
  ['host-ports', 'medium', 'Port of the node', 'baseline', POD, '5.2.13', 'T1190'],
  ['host-probes', 'medium', 'Probe or hook sent to another host', 'baseline', POD, '', 'T1090'],
  ['app-armor', 'medium', 'AppArmor switched off', 'baseline', ENV, '5.7.3', 'T1611'],
  ['se-linux', 'medium', 'SELinux options of its own', 'baseline', ENV, '5.7.3', 'T1611'],
  ['proc-mount', 'high', 'Unmasked /proc', 'baseline', POD, '5.7.3', 'T1611'],
  ['seccomp', 'medium', 'Seccomp switched off', 'baseline', ENV, '5.7.2', 'T1611'],
  ['sysctls', 'medium', 'Unsafe sysctls', 'baseline', POD, '5.7.3', 'T1499'],
  ['volume-types', 'low', 'Volume of a type that restricted forbids', 'restricted host-path', POD, '5.7.3', 'T1611'],
  ['privilege-escalation', 'medium', 'Privilege escalation allowed', 'restricted', POD, '5.2.6', 'T1548 T1611'],
  ['run-as-non-root', 'medium', 'May run as root', 'restricted', ROOTLESS, '5.2.7', 'T1611 T1548'],
  ['run-as-user', 'medium', 'Runs as user 0', 'restricted', ROOTLESS, '5.2.7', 'T1611'],
  ['seccomp-restricted', 'low', 'No seccomp profile', 'restricted seccomp', ENV, '5.7.2', 'T1611'],
  ['capabilities-restricted', 'low', 'Capabilities not dropped', 'restricted capabilities', POD, '5.2.8 5.2.10', 'T1611'],
  ['proc-mount-restricted', 'low', 'Unmasked /proc in a user namespace', 'restricted proc-mount', POD, '5.7.3', 'T1611'],
  ['runtime-socket', 'critical', 'Socket of the container runtime', '', POD, '5.2.12', 'T1611 T1610'],
  ['node-folder', 'critical', 'Folder that the node works with', '', POD, '5.2.12', 'T1611 T1552'],
  ['mount-propagation', 'high', 'Mounts reach the node', '', POD, '', 'T1611'],
  ['secret-in-env', 'high', 'Secret in plain text in an environment variable', '', 'Secrets', '5.4.1', 'T1552'],
  ['secret-in-arguments', 'high', 'Secret in plain text on the command line', '', 'Secrets', '5.4.1', 'T1552'],
  ['untrusted-registry', 'high', 'Image from a registry that is not trusted', '', IMAGE, '5.5.1', 'T1525 T1610'],
  ['image-tag', 'medium', 'Image without a fixed version', '', IMAGE, '5.5.1', 'T1525'],
  ['memory-limit', 'medium', 'No memory limit', '', 'Resource policies', '', 'T1499 T1496'],
  ['network-policy', 'low', 'No NetworkPolicy', '', 'Network policies', '5.3.2', 'T1046'],
  [
    'token-automount',
    'low',
    'Token of the service account is mounted',
    '',
    'Protecting Pod service account tokens',
    '5.1.6',
    'T1528 T1552',
  ],
  ['default-account', 'low', 'Uses the default service account', '', 'Protecting Pod service account tokens', '5.1.5', 'T1078 T1528'],
  ['writable-root', 'low', 'Root file system is writable', '', 'Immutable container file systems', '5.7.3', 'T1525 T1543'],
  ['shared-processes', 'low', 'Containers share their processes', '', POD, '', 'T1552'],
  ['resource-requests', 'low', 'No resource requests', '', 'Resource policies', '', 'T1499'],
  ['readiness-probe', 'low', 'No readiness probe', '', '', '', 'T1499'],
  ['liveness-probe', 'info', 'No liveness probe', '', '', '', 'T1499'],
  ['secret-as-env', 'info', 'Secret as an environment variable', '', 'Secrets', '5.4.1', 'T1552'],
  ['image-digest', 'info', 'Image without a digest', '', IMAGE, '5.5.1', 'T1525'],
  ['host-aliases', 'info', 'Host names of its own', '', NET, '', 'T1557'],
  ['default-namespace', 'info', 'Runs in the namespace default', '', 'Namespaces', '5.7.1 5.7.4', ''],
  ['external-ips', 'high', 'Service with external IPs', '', NET, '', 'T1557', ['Service']],
  ['node-port', 'low', 'Service of type NodePort', '', NET, '', 'T1190', ['Service']],
  ['load-balancer-sources', 'info', 'Load balancer for all addresses', '', NET, '', 'T1190', ['Service']],
  ['removed-api', 'medium', 'API version that Kubernetes has removed', '', 'Upgrading and application security practices', '', ''],
  ['role-everything', 'critical', 'Role allows everything', '', AUTH, '5.1.3', 'T1098.006', ROLES],
  ['role-secrets', 'high', 'Role reads all Secrets', '', AUTH, '5.1.2', 'T1552.007', ROLES],
  ['role-exec', 'high', 'Role runs commands in pods', '', AUTH, '5.1', 'T1609', ROLES],
  ['role-ephemeral-containers', 'high', 'Role adds containers to running pods', '', AUTH, '5.1', 'T1609', ROLES],
  ['role-port-forward', 'medium', 'Role forwards ports of pods', '', AUTH, '5.1', 'T1210', ROLES],
  ['role-node-proxy', 'high', 'Role speaks to kubelets', '', AUTH, '5.1.10', 'T1609', ROLES],
  ['role-tokens', 'high', 'Role makes tokens of accounts', '', AUTH, '5.1.13', 'T1528', ROLES],
  ['role-escalate', 'critical', 'Role writes rules that nobody checks', '', AUTH, '5.1.8', 'T1098.006', ROLES],
  ['role-bind', 'critical', 'Role binds roles that it does not hold', '', AUTH, '5.1.8', 'T1098.006', ROLES],
  ['role-impersonate', 'critical', 'Role takes other identities', '', AUTH, '5.1.8', 'T1078', ROLES],
  ['role-certificates', 'high', 'Role approves certificates', '', AUTH, '5.1.11', 'T1098', ROLES],
  ['role-webhooks', 'high', 'Role registers admission webhooks', '', AUTH, '5.1.12', 'T1557', ROLES],
  ['role-volumes', 'medium', 'Role makes volumes of node folders', '', AUTH, '5.1.9', 'T1611', ROLES],
  ['role-wildcard', 'medium', 'Role with a wildcard', '', AUTH, '5.1.3', '', ROLES],
  ['admin-binding', 'high', 'Binding to cluster-admin', '', AUTH, '5.1.1', 'T1078', BINDINGS],
  ['anonymous-binding', 'critical', 'Rights for everybody without a name', '', AUTH, '5.1', 'T1190', BINDINGS],
  ['everybody-binding', 'high', 'Rights for all users or all accounts', '', AUTH, '5.1', 'T1078', BINDINGS],
  ['default-account-binding', 'medium', 'Rights for the default account', '', AUTH, '5.1.5', 'T1078.001', BINDINGS],
  ['missing-account', 'medium', 'Rights for an account that does not exist', '', AUTH, '5.1', 'T1078', BINDINGS],
  ['unbound-role', 'info', 'Role that nothing binds', '', AUTH, '5.1', '', ROLES],
  ['unused-rights', 'low', 'Rights that nobody used', '', `${AUTH}, Audit Logging`, '5.1', 'T1078', BINDINGS],
];

/** `[id, what it says of its first bad object, the fields that it proposes to change and their new values]` */
const SAID: [string, string, ...[path: string, to: unknown][]][] = [
  ['host-process', 'The pod runs as a process of the Windows node.', ['context.windowsOptions.hostProcess', null]],
  ['host-namespaces', 'The pod sees all processes of the node.', ['hostPID', null]],
  ['privileged', 'Container app is privileged.', ['app.context.privileged', false]],
  ['capabilities', 'Container app adds NET_RAW.', ['app.context.capabilities.add', ['NET_BIND_SERVICE']]],
  ['host-path', 'Volume v is /opt/data of the node.'],
  ['host-ports', 'Container app takes port 80 of the node.', ['app.ports[0].hostPort', null]],
  ['host-probes', 'Container app makes the kubelet ask 127.0.0.1.', ['app.livenessProbe.httpGet.host', null]],
  ['app-armor', 'Container app has AppArmor profile Unconfined.', ['app.context.appArmorProfile', { type: 'RuntimeDefault' }]],
  ['se-linux', 'Container app has SELinux type spc_t.', ['app.context.seLinuxOptions.type', null]],
  ['proc-mount', 'Container app sees /proc Unmasked.', ['app.context.procMount', null]],
  ['seccomp', 'Container app has seccomp profile Unconfined.', ['app.context.seccompProfile', { type: 'RuntimeDefault' }]],
  ['sysctls', 'The pod sets kernel.msgmax.', ['context.sysctls', null]],
  ['volume-types', 'Volume v is of type nfs.'],
  ['privilege-escalation', 'Container app may gain privileges.', ['app.context.allowPrivilegeEscalation', false]],
  ['run-as-non-root', 'Container app may run as root: neither it nor its pod says runAsNonRoot.', ['app.context.runAsNonRoot', true]],
  ['run-as-user', 'Container app runs as root: runAsUser is 0.', ['app.context.runAsUser', 1000]],
  [
    'seccomp-restricted',
    'Container app has no seccomp profile, and its pod has none.',
    ['app.context.seccompProfile', { type: 'RuntimeDefault' }],
  ],
  ['capabilities-restricted', 'Container app does not drop all capabilities.', ['app.context.capabilities.drop', ['ALL']]],
  ['proc-mount-restricted', 'Container app sees /proc Unmasked.', ['app.context.procMount', null]],
  ['runtime-socket', 'Volume v (/var/run/docker.sock) reaches the container runtime of the node.'],
  ['node-folder', 'Volume v (/) is of the system.'],
  ['mount-propagation', 'Container app shows the node what it mounts below /v.', ['app.volumeMounts[0].mountPropagation', null]],
  ['secret-in-env', 'Container app has a secret in its variable DB_PASSWORD.'],
  ['secret-in-arguments', 'Container app has a secret in its args.'],
  ['untrusted-registry', 'Container app runs an image from docker.io.'],
  ['image-tag', 'Container app names no version of its image.'],
  ['memory-limit', 'Container app has no memory limit.'],
  ['token-automount', 'The pod gets the token of service account web.', ['automountServiceAccountToken', false]],
  ['default-account', 'The pod uses the default service account, and gets its token.'],
  ['writable-root', 'Container app can write to its root file system.', ['app.context.readOnlyRootFilesystem', true]],
  ['shared-processes', 'The pod lets its containers see the processes of each other.', ['shareProcessNamespace', null]],
  ['resource-requests', 'Container app requests no cpu.'],
  ['readiness-probe', 'Container app serves a port and has no readiness probe.'],
  ['liveness-probe', 'Container app serves a port and has no liveness probe.'],
  ['secret-as-env', 'Container app gets a Secret as its variable KEY.'],
  ['image-digest', 'Container app names its image without a digest.'],
  ['host-aliases', 'The pod names hosts past DNS.', ['hostAliases', null]],
  ['default-namespace', 'The pod runs in the namespace default.'],
  ['external-ips', 'The Service takes addresses of its own choice.', ['spec.externalIPs', null]],
  [
    'node-port',
    'The Service opens a port on every node.',
    ['spec.type', 'ClusterIP'],
    ['spec.ports[1].nodePort', null],
    ['spec.externalTrafficPolicy', null],
  ],
  ['load-balancer-sources', 'The load balancer takes connections from all addresses.'],
  ['removed-api', 'The manifest uses apps/v1beta2, which Kubernetes 1.16 removed: use apps/v1.'],
  ['role-everything', 'Rule 1 allows everything.'],
  ['role-secrets', 'Rule 2 reads all Secrets.', ['rules[1].resources', ['configmaps']]],
  ['role-exec', 'Rule 1 runs commands in pods.', ['rules[0].verbs', ['get']]],
  ['role-ephemeral-containers', 'Rule 1 adds containers to running pods.', ['rules[0].resources', ['pods']]],
  ['role-port-forward', 'Rule 1 forwards ports of pods.'],
  ['role-node-proxy', 'Rule 1 speaks to kubelets.'],
  ['role-tokens', 'Rule 1 makes tokens of all accounts.'],
  ['role-escalate', 'Rule 1 writes any rule into roles.', ['rules[0].verbs', ['get', 'update']]],
  ['role-bind', 'Rule 2 binds any role.'],
  ['role-impersonate', 'Rule 1 takes any identity.'],
  ['role-certificates', 'Rule 1 approves certificates.'],
  ['role-webhooks', 'Rule 1 registers admission webhooks.', ['rules[0].verbs', ['get']]],
  ['role-volumes', 'Rule 1 makes volumes of node folders.', ['rules[0].verbs', ['get']]],
  ['role-wildcard', 'Rule 1 allows all verbs.'],
  ['admin-binding', 'User ann may do everything in the whole cluster.', ['subjects', [{ kind: 'Group', name: 'system:masters' }]]],
  ['anonymous-binding', 'Group system:unauthenticated is everybody who reaches the API server.', ['subjects', null]],
  ['everybody-binding', 'Group system:authenticated is every user or account.', ['subjects', [{ kind: 'User', name: 'ann' }]]],
  ['default-account-binding', 'ServiceAccount default is the account of every pod that names none.', ['subjects', null]],
  ['missing-account', 'ServiceAccount shop/gone does not exist.', ['subjects', [{ kind: 'User', name: 'gone' }]]],
  ['unbound-role', 'The ClusterRole is bound to nobody.'],
  [
    'unused-rights',
    'The binding gives 1 of 2 rights of ClusterRole reader that no request used from 2026-05-01T10:00:00Z to 2026-05-02T10:00:00Z (24 hours): list pods. Used were: get pods.',
  ],
];

/** The pages that explain each check, below the documentation of Kubernetes if they are no address. */
const PAGES: Record<string, string> = {
  'concepts/security/pod-security-standards/':
    'host-process host-namespaces privileged capabilities host-path host-ports host-probes app-armor se-linux proc-mount seccomp sysctls volume-types privilege-escalation run-as-non-root run-as-user seccomp-restricted capabilities-restricted proc-mount-restricted',
  'tasks/configure-pod-container/create-hostprocess-pod/': 'host-process',
  'https://man7.org/linux/man-pages/man7/capabilities.7.html': 'capabilities',
  'concepts/storage/volumes/#hostpath': 'host-path runtime-socket node-folder',
  'tutorials/security/apparmor/': 'app-armor',
  'tasks/configure-pod-container/security-context/#proc-access': 'proc-mount proc-mount-restricted',
  'tutorials/security/seccomp/': 'seccomp seccomp-restricted',
  'tasks/administer-cluster/sysctl-cluster/': 'sysctls',
  'concepts/storage/volumes/#mount-propagation': 'mount-propagation',
  'concepts/security/secrets-good-practices/': 'secret-in-env secret-in-arguments secret-as-env',
  'concepts/containers/images/': 'untrusted-registry',
  'concepts/containers/images/#image-names': 'image-tag image-digest',
  'tasks/configure-pod-container/assign-memory-resource/': 'memory-limit',
  'concepts/services-networking/network-policies/': 'network-policy',
  'tasks/configure-pod-container/configure-service-account/#opt-out-of-api-credential-automounting': 'token-automount',
  'concepts/security/rbac-good-practices/':
    'default-account role-everything role-secrets role-exec role-ephemeral-containers role-port-forward role-node-proxy role-tokens role-escalate role-bind role-impersonate role-certificates role-webhooks role-volumes role-wildcard admin-binding anonymous-binding everybody-binding default-account-binding missing-account unbound-role unused-rights',
  'tasks/configure-pod-container/security-context/': 'writable-root',
  'tasks/configure-pod-container/share-process-namespace/': 'shared-processes',
  'concepts/configuration/manage-resources-containers/': 'resource-requests',
  'concepts/configuration/liveness-readiness-startup-probes/': 'readiness-probe liveness-probe',
  'tasks/network/customize-hosts-file-for-pods/': 'host-aliases',
  'concepts/overview/working-with-objects/namespaces/': 'default-namespace',
  'concepts/services-networking/service/#external-ips': 'external-ips',
  'https://github.com/kubernetes/kubernetes/issues/97076': 'external-ips',
  'concepts/services-networking/service/#type-nodeport': 'node-port',
  'tasks/access-application-cluster/configure-cloud-provider-firewall/': 'load-balancer-sources',
  'reference/using-api/deprecation-guide/': 'removed-api',
  'tasks/debug/debug-cluster/audit/': 'unused-rights',
};

const catalogue = suite('the catalogue of checks');
const words = (text: string, separator: string): string[] => (text === '' ? [] : text.split(separator));

catalogue('has these checks in this order: first the Pod Security Standards, in the order of the standard', () =>
  assert.equal(
    CHECKS.map(({ id }) => id),
    FACTS.map(([id]) => id),
  ),
);

for (const [id, severity, title, standard, nsa, cis, mitre, kinds] of FACTS)
  catalogue(`${id}: ${title}`, () => {
    const check = checkById(id) as CheckTexts & { control?: Control; kinds?: string[] };
    const [level, replaces] = words(standard, ' ');
    const { pod_security, ...frameworks } = check.frameworks;
    assert.equal([check.severity, check.title, check.kinds], [severity, title, kinds]);
    assert.equal([pod_security, check.control?.level, check.control?.replaces], [level, level, replaces]);
    const known = Object.entries({ nsa: words(nsa, ', '), cis: words(cis, ' '), mitre: words(mitre, ' ') });
    assert.equal(frameworks, Object.fromEntries(known.filter(([, list]) => list.length > 0)));
  });

/** The field as the table names it: without the way to the pod. */
const short = (path: string): string =>
  path.replace('spec.template.spec.', '').replace('containers[0].', 'app.').replace('securityContext', 'context');

for (const [id, message, ...changes] of SAID)
  catalogue(`${id} says: ${message}`, () => {
    const [, object] = BAD.find(([one]) => one === id)!;
    const found = judgeObject(object, { minor: 36, around: AROUND }).find(({ check_name }) => check_name === id)!;
    const { title, rationale, references, frameworks, remediation, severity } = checkById(id)!;
    assert.equal([found.message, found.remediation, found.severity], [message, remediation, severity]);
    assert.equal(
      [found.details.title, found.details.rationale, found.details.references, found.details.frameworks],
      [title, rationale, references, frameworks],
    );
    const fix = found.details.fix ?? [];
    assert.equal(
      fix.map(({ path, to }) => [short(path), to]),
      changes,
    );
    for (const { why } of fix) assert.is(why, title);
  });

catalogue('network-policy says: The pod is selected by no NetworkPolicy.', () => {
  const [found] = judgeObject(good(), { minor: 36, around: { ...AROUND, policySelectors: [] } });
  assert.equal(
    [found?.check_name, found?.message, found?.details.fix],
    ['network-policy', 'The pod is selected by no NetworkPolicy.', undefined],
  );
});

catalogue('each check refers to the pages that explain it', () => {
  const known = Object.entries(PAGES).map(
    ([page, ids]) => [page.startsWith('https:') ? page : `https://kubernetes.io/docs/${page}`, ids.split(' ')] as const,
  );
  for (const { id, references } of CHECKS) {
    const wanted = known.flatMap(([page, ids]) => (ids.includes(id) ? [page] : []));
    assert.equal(new Set(references), new Set(wanted), id);
  }
});

catalogue.run();
