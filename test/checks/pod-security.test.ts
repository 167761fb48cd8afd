import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec, PodTemplate, SecurityContext } from '../../src/crd/kubernetes.ts';
import { applyChanges } from '../../src/crd/field-path.ts';
import { controlsOf, POD_SECURITY_CHECKS, podSecurityViolations } from '../../src/checks/pod-security/index.ts';

// Expected answers come from the Pod Security Standards and the change log of each version, not from our code.

const NEWEST = 36;
const app = (fields: Partial<Container>): PodTemplate => ({ spec: { containers: [{ name: 'app', image: 'x', ...fields }] } });
const context = (securityContext: SecurityContext): PodTemplate => app({ securityContext });
const pod = (spec: Partial<PodSpec>): PodTemplate => ({ spec: { containers: [{ name: 'app', image: 'x' }], ...spec } });
const annotated = (key: string, value: string): PodTemplate => ({ metadata: { annotations: { [key]: value } }, ...pod({}) });
const capable = (add: string[], drop: string[] = []) => context({ capabilities: { add, drop } });
const sysctl = (name: string) => pod({ securityContext: { sysctls: [{ name, value: '1' }] } });
const volume = (source: object) => pod({ volumes: [{ name: 'v', ...source }] });
const WINDOWS = { os: { name: 'windows' } };
const OWN_USERS = { hostUsers: false };
const also = ({ metadata, spec }: PodTemplate, more: Partial<PodSpec>): PodTemplate => ({
  ...(metadata && { metadata }),
  spec: { ...spec, ...more },
});

const NEVER: [number, number] = [1, 0];
const ALWAYS: [number, number] = [0, NEWEST];
const from = (minor: number): [number, number] => [minor, NEWEST];
const until = (minor: number): [number, number] => [0, minor - 1];

/** Sentence, control, pod, and the minor versions in which the control refuses the pod. */
const ROWS: [string, string, PodTemplate, [number, number]][] = [
  ['host process in a container', 'host-process', context({ windowsOptions: { hostProcess: true } }), ALWAYS],
  ['host process in the pod', 'host-process', pod({ securityContext: { windowsOptions: { hostProcess: true } } }), ALWAYS],
  ['no host process', 'host-process', context({ windowsOptions: { hostProcess: false } }), NEVER],
  ['host network', 'host-namespaces', pod({ hostNetwork: true }), ALWAYS],
  ['host processes', 'host-namespaces', pod({ hostPID: true }), ALWAYS],
  ['host IPC', 'host-namespaces', pod({ hostIPC: true }), ALWAYS],
  ['no host network', 'host-namespaces', pod({ hostNetwork: false }), NEVER],
  ['a privileged container', 'privileged', context({ privileged: true }), ALWAYS],
  ['an unprivileged container', 'privileged', context({ privileged: false }), NEVER],
  ['an unsafe capability', 'capabilities', capable(['CHOWN', 'NET_ADMIN']), ALWAYS],
  ['all capabilities', 'capabilities', capable(['ALL']), ALWAYS],
  ['a capability that runtimes give', 'capabilities', capable(['SYS_CHROOT']), NEVER],
  ['the same in lower case is another word', 'capabilities', capable(['chown']), ALWAYS],
  ['a folder of the node', 'host-path', volume({ hostPath: { path: '/tmp' } }), ALWAYS],
  ['a host port', 'host-ports', app({ ports: [{ containerPort: 80, hostPort: 80 }] }), ALWAYS],
  ['host port 0', 'host-ports', app({ ports: [{ containerPort: 80, hostPort: 0 }] }), NEVER],
  ['a probe of another host', 'host-probes', app({ livenessProbe: { httpGet: { port: 80, host: '10.0.0.1' } } }), from(34)],
  ['a TCP probe of another host', 'host-probes', app({ startupProbe: { tcpSocket: { port: 80, host: 'x' } } }), from(34)],
  ['a hook at another host', 'host-probes', app({ lifecycle: { preStop: { httpGet: { port: 80, host: 'x' } } } }), from(34)],
  ['a probe of loopback', 'host-probes', app({ readinessProbe: { httpGet: { port: 80, host: '127.0.0.1' } } }), from(34)],
  ['a probe of the pod', 'host-probes', app({ readinessProbe: { httpGet: { port: 80, host: '' } } }), NEVER],
  ['AppArmor unconfined', 'app-armor', context({ appArmorProfile: { type: 'Unconfined' } }), ALWAYS],
  ['AppArmor unconfined in the pod', 'app-armor', pod({ securityContext: { appArmorProfile: { type: 'Unconfined' } } }), ALWAYS],
  ['AppArmor of the node', 'app-armor', context({ appArmorProfile: { type: 'Localhost', localhostProfile: 'p' } }), NEVER],
  ['AppArmor unconfined by annotation', 'app-armor', annotated('container.apparmor.security.beta.kubernetes.io/app', 'unconfined'), ALWAYS],
  [
    'AppArmor of the node by annotation',
    'app-armor',
    annotated('container.apparmor.security.beta.kubernetes.io/app', 'localhost/p'),
    NEVER,
  ],
  ['a SELinux type of its own', 'se-linux', context({ seLinuxOptions: { type: 'spc_t' } }), ALWAYS],
  ['the SELinux type of container engines', 'se-linux', context({ seLinuxOptions: { type: 'container_engine_t' } }), until(31)],
  ['a SELinux type of containers', 'se-linux', context({ seLinuxOptions: { type: 'container_kvm_t', level: 's0:c1,c2' } }), NEVER],
  ['a SELinux user', 'se-linux', pod({ securityContext: { seLinuxOptions: { user: 'u' } } }), ALWAYS],
  ['a SELinux role', 'se-linux', context({ seLinuxOptions: { role: 'r' } }), ALWAYS],
  ['unmasked /proc', 'proc-mount', context({ procMount: 'Unmasked' }), ALWAYS],
  ['masked /proc', 'proc-mount', context({ procMount: 'Default' }), NEVER],
  ['unmasked /proc in a user namespace', 'proc-mount', also(context({ procMount: 'Unmasked' }), OWN_USERS), until(35)],
  [
    'unmasked /proc in a user namespace, restricted',
    'proc-mount-restricted',
    also(context({ procMount: 'Unmasked' }), OWN_USERS),
    from(35),
  ],
  ['seccomp unconfined', 'seccomp', context({ seccompProfile: { type: 'Unconfined' } }), from(19)],
  ['seccomp unconfined in the pod', 'seccomp', pod({ securityContext: { seccompProfile: { type: 'Unconfined' } } }), from(19)],
  ['seccomp of the runtime', 'seccomp', context({ seccompProfile: { type: 'RuntimeDefault' } }), NEVER],
  ['seccomp unconfined by annotation', 'seccomp', annotated('seccomp.security.alpha.kubernetes.io/pod', 'unconfined'), until(19)],
  ['seccomp of the node by annotation', 'seccomp', annotated('seccomp.security.alpha.kubernetes.io/pod', 'localhost/p'), NEVER],
  [
    "a container's seccomp unconfined by annotation",
    'seccomp',
    annotated('container.seccomp.security.alpha.kubernetes.io/app', 'unconfined'),
    until(19),
  ],
  ["another container's annotation", 'seccomp', annotated('container.seccomp.security.alpha.kubernetes.io/none', 'unconfined'), NEVER],
  ['an unsafe sysctl', 'sysctls', sysctl('kernel.msgmax'), ALWAYS],
  ['a safe sysctl', 'sysctls', sysctl('net.ipv4.ping_group_range'), NEVER],
  ['reserved ports', 'sysctls', sysctl('net.ipv4.ip_local_reserved_ports'), until(27)],
  ['keepalive', 'sysctls', sysctl('net.ipv4.tcp_keepalive_time'), until(29)],
  ['FIN timeout', 'sysctls', sysctl('net.ipv4.tcp_fin_timeout'), until(29)],
  ['receive buffers', 'sysctls', sysctl('net.ipv4.tcp_rmem'), until(32)],
  ['send buffers', 'sysctls', sysctl('net.ipv4.tcp_wmem'), until(32)],
  ['a volume of a file server', 'volume-types', volume({ nfs: { server: 's', path: '/' } }), ALWAYS],
  ['a folder of the node, restricted', 'volume-types', volume({ hostPath: { path: '/tmp' } }), ALWAYS],
  ['a claim', 'volume-types', volume({ persistentVolumeClaim: { claimName: 'c' } }), NEVER],
  ['a CSI volume', 'volume-types', volume({ csi: { driver: 'd' } }), NEVER],
  ['an image as a volume', 'volume-types', volume({ image: { reference: 'x' } }), NEVER],
  ['a volume without a source, an empty folder', 'volume-types', volume({}), NEVER],
  ['escalation not forbidden', 'privilege-escalation', pod({}), from(8)],
  ['escalation forbidden', 'privilege-escalation', context({ allowPrivilegeEscalation: false }), NEVER],
  ['escalation not forbidden on Windows', 'privilege-escalation', pod(WINDOWS), [8, 24]],
  ['user not said', 'run-as-non-root', pod({}), ALWAYS],
  ['user not root', 'run-as-non-root', pod({ securityContext: { runAsNonRoot: true } }), NEVER],
  ['each container not root', 'run-as-non-root', context({ runAsNonRoot: true }), NEVER],
  [
    'the pod may be root, its container not',
    'run-as-non-root',
    also(context({ runAsNonRoot: true }), { securityContext: { runAsNonRoot: false } }),
    ALWAYS,
  ],
  [
    'a container may be root, its pod not',
    'run-as-non-root',
    also(context({ runAsNonRoot: false }), { securityContext: { runAsNonRoot: true } }),
    ALWAYS,
  ],
  ['user not said in a user namespace', 'run-as-non-root', pod(OWN_USERS), until(35)],
  ['user not said on Windows', 'run-as-non-root', pod(WINDOWS), ALWAYS],
  ['user 0', 'run-as-user', context({ runAsUser: 0 }), from(23)],
  ['user 0 in the pod', 'run-as-user', pod({ securityContext: { runAsUser: 0 } }), from(23)],
  ['user 1', 'run-as-user', context({ runAsUser: 1 }), NEVER],
  ['user 0 in a user namespace', 'run-as-user', also(context({ runAsUser: 0 }), OWN_USERS), [23, 34]],
  ['no seccomp profile', 'seccomp-restricted', pod({}), from(19)],
  ['the pod has a seccomp profile', 'seccomp-restricted', pod({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }), NEVER],
  ['each container has a seccomp profile', 'seccomp-restricted', context({ seccompProfile: { type: 'Localhost' } }), NEVER],
  [
    'the pod is unconfined, its container not',
    'seccomp-restricted',
    also(context({ seccompProfile: { type: 'RuntimeDefault' } }), { securityContext: { seccompProfile: { type: 'Unconfined' } } }),
    from(19),
  ],
  ['no seccomp profile on Windows', 'seccomp-restricted', pod(WINDOWS), [19, 24]],
  ['capabilities kept', 'capabilities-restricted', pod({}), from(22)],
  ['capabilities dropped', 'capabilities-restricted', capable(['NET_BIND_SERVICE'], ['ALL']), NEVER],
  ['some capabilities dropped', 'capabilities-restricted', capable([], ['NET_RAW']), from(22)],
  ['dropped, and a harmless one added', 'capabilities-restricted', capable(['CHOWN'], ['ALL']), from(22)],
  ['capabilities kept on Windows', 'capabilities-restricted', pod(WINDOWS), [22, 24]],
];

const standard = suite('Pod Security Standards');

const refuses = (id: string, template: PodTemplate, minor: number): boolean => {
  const level = POD_SECURITY_CHECKS.find((check) => check.id === id)?.control.level ?? 'baseline';
  return podSecurityViolations(template, level, minor).some(({ check }) => check.id === id);
};

for (const [sentence, id, template, [first, last]] of ROWS)
  standard(`${id}: ${sentence}`, () => {
    for (let minor = 0; minor <= NEWEST; minor += 1)
      assert.is(refuses(id, template, minor), minor >= first && minor <= last, `v1.${minor}`);
    assert.is(refuses(id, template, Infinity), last === NEWEST, 'the newest');
  });

standard('every control has a row that it refuses and one that it does not', () => {
  for (const { id } of POD_SECURITY_CHECKS.filter((check) => check.id !== 'host-path' && check.id !== 'proc-mount-restricted')) {
    const rows = ROWS.filter(([, control]) => control === id);
    assert.ok(
      rows.some(([, , , [first, last]]) => first <= last),
      id,
    );
    assert.ok(
      rows.some(([, , , [first, last]]) => first > last),
      id,
    );
  }
});

standard('init containers, sidecars and ephemeral containers are judged as app containers are', () => {
  const bad: Container = { name: 'bad', image: 'x', securityContext: { privileged: true } };
  const lists: Partial<PodSpec>[] = [
    { initContainers: [bad] },
    { initContainers: [{ ...bad, restartPolicy: 'Always' }] },
    { ephemeralContainers: [bad] },
  ];
  for (const spec of lists) {
    const [field] = Object.keys(spec);
    const found = podSecurityViolations(pod(spec), 'baseline', NEWEST);
    assert.equal(
      found.map(({ path, container }) => [path, container]),
      [[`spec.${field}[0].securityContext.privileged`, 'bad']],
    );
  }
});

standard('at restricted, a stricter control takes the place of the one of baseline', () => {
  const ids = (level: 'baseline' | 'restricted', minor: number) => controlsOf(level, minor).map(({ id }) => id);
  assert.ok(ids('baseline', 36).includes('host-path'));
  assert.not(ids('restricted', 36).includes('host-path'));
  assert.ok(ids('restricted', 21).includes('capabilities'));
  assert.not(ids('restricted', 22).includes('capabilities'));
  assert.ok(ids('restricted', 34).includes('proc-mount'));
  assert.not(ids('restricted', 35).includes('proc-mount'));
});

standard('a cure makes its control pass, and no other one fail', () => {
  for (const [sentence, id, template, [first, last]] of ROWS.filter(([, , , versions]) => versions[0] <= versions[1])) {
    const minor = last;
    const failing = (one: PodTemplate) =>
      new Set(podSecurityViolations(one, id === 'host-path' ? 'baseline' : 'restricted', minor).map(({ check }) => check.id));
    const level = POD_SECURITY_CHECKS.find((check) => check.id === id)?.control.level ?? 'baseline';
    const cures = podSecurityViolations(template, level, minor)
      .filter(({ check }) => check.id === id)
      .flatMap((violation) => violation.cures);
    if (id === 'host-path' || id === 'volume-types') {
      assert.equal(cures, [], `${sentence}: no field cures it`);
      continue;
    }
    const cured = applyChanges(template, cures);
    assert.not(refuses(id, cured, minor), `${id}: ${sentence} (v1.${first} to v1.${last})`);
    const before = failing(template);
    assert.equal(
      [...failing(cured)].filter((other) => !before.has(other)),
      [],
      sentence,
    );
  }
});

standard('no change of an ephemeral container is proposed: the API server refuses it', () => {
  let found = 0;
  for (const [sentence, id, { metadata, spec }, [first, last]] of ROWS.filter(([, , , versions]) => versions[0] <= versions[1])) {
    const moved: PodTemplate = { ...(metadata && { metadata }), spec: { ...spec, containers: [], ephemeralContainers: spec.containers } };
    const violations = podSecurityViolations(moved, 'restricted', Math.min(last, NEWEST)).concat(
      podSecurityViolations(moved, 'baseline', first),
    );
    for (const { path, cures } of violations.filter(({ check }) => check.id === id)) {
      found += path.includes('ephemeralContainers') ? 1 : 0;
      assert.not(
        cures.some((cure) => cure.path.includes('ephemeralContainers')),
        `${id}: ${sentence}`,
      );
    }
  }
  assert.ok(found > 30, String(found));
});

standard('escalation is not proposed to be forbidden where the API server refuses that', () => {
  const cures = (securityContext: SecurityContext) =>
    POD_SECURITY_CHECKS.find(({ id }) => id === 'privilege-escalation')!
      .run({ template: context(securityContext), minor: NEWEST })
      .flatMap((one) => one.cures);
  const path = 'spec.containers[0].securityContext.allowPrivilegeEscalation';
  for (const plain of [{}, { privileged: false }, { capabilities: { add: ['NET_ADMIN'] } }])
    assert.equal(cures(plain), [{ path, to: false }]);
  for (const needing of [
    { privileged: true },
    { capabilities: { add: ['CHOWN', 'SYS_ADMIN'] } },
    { capabilities: { add: ['CAP_SYS_ADMIN'] } },
  ])
    assert.equal(cures(needing), []);
});

standard('what is kept of a list that is cured', () => {
  const cures = (id: string, template: PodTemplate) =>
    POD_SECURITY_CHECKS.find((check) => check.id === id)!
      .run({ template, minor: NEWEST })
      .flatMap((one) => one.cures.map(({ to }) => to));
  assert.equal(cures('capabilities', capable(['CHOWN', 'NET_ADMIN', 'KILL'])), [['CHOWN', 'KILL']]);
  assert.equal(cures('capabilities', capable(['NET_ADMIN'])), [null]);
  assert.equal(cures('capabilities-restricted', capable(['CHOWN', 'NET_BIND_SERVICE'], ['ALL'])), [['NET_BIND_SERVICE']]);
  assert.equal(cures('capabilities-restricted', capable(['CHOWN'], ['ALL'])), [null]);
  const [safe, unsafe] = [
    { name: 'net.ipv4.tcp_syncookies', value: '1' },
    { name: 'kernel.msgmax', value: '1' },
  ];
  assert.equal(cures('sysctls', pod({ securityContext: { sysctls: [unsafe, safe] } })), [[safe]]);
  assert.equal(cures('sysctls', pod({ securityContext: { sysctls: [unsafe] } })), [null]);
});

standard('garbage is judged without an error', () => {
  const junk = [null, undefined, 0, 'x', true, [], {}, [null], ['x'], { type: 3 }, [{ name: null }]];
  for (const value of junk) {
    const securityContext = value as never;
    const specs = [
      { containers: value },
      { containers: [{ name: 'a', securityContext }], securityContext },
      { containers: [{ name: 'a', ports: value, livenessProbe: value, lifecycle: { preStop: { httpGet: value } } }], volumes: value },
      { containers: [{ securityContext: { capabilities: value, seLinuxOptions: value, seccompProfile: value, appArmorProfile: value } }] },
      { containers: [{ securityContext: { capabilities: { add: value, drop: value } } }], securityContext: { sysctls: value }, os: value },
    ] as unknown as PodSpec[];
    for (const spec of specs)
      for (const minor of [0, 18, 34, Infinity]) podSecurityViolations({ metadata: value as never, spec }, 'restricted', minor);
  }
});

standard.run();
