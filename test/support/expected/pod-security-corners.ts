import type { Level } from '../../../src/checks/check.ts';

// Corner cases of the Pod Security Standards. The expectations were written from the page "Pod Security Standards", before anything was
// compared.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

export interface Corner {
  what: string;
  level: Level;
  minor: number;
  pod: Loose;
  isAllowed: boolean;
}

const STRICT = () => ({
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
});

/** A pod that meets restricted in every version, with one change. */
function pod(change: (spec: Loose, container: Loose, metadata: Loose) => void): Loose {
  const metadata = { name: 'x', annotations: {} };
  const spec = { containers: [{ name: 'app', image: 'x:1', securityContext: STRICT() }], securityContext: {} };
  change(spec, spec.containers[0], metadata);
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec };
}

type Row = [what: string, change: Parameters<typeof pod>[0], isAllowed: (minor: number) => boolean];
const from = (first: number) => (minor: number) => minor >= first;
const always = () => true;
const never = () => false;

function corners(level: Level, minors: readonly number[], rows: readonly Row[]): Corner[] {
  return rows.flatMap(([what, change, isAllowed]) =>
    minors.map((minor) => ({ what, level, minor, pod: pod(change), isAllowed: isAllowed(minor) })),
  );
}

const SYSCTLS: Record<string, (minor: number) => boolean> = {
  'kernel.shm_rmid_forced': always,
  'net.ipv4.ip_local_port_range': always,
  'net.ipv4.ip_unprivileged_port_start': always,
  'net.ipv4.tcp_syncookies': always,
  'net.ipv4.ping_group_range': always,
  'net.ipv4.ip_local_reserved_ports': from(27),
  'net.ipv4.tcp_keepalive_time': from(29),
  'net.ipv4.tcp_fin_timeout': from(29),
  'net.ipv4.tcp_keepalive_intvl': from(29),
  'net.ipv4.tcp_keepalive_probes': from(29),
  'kernel.msgmax': never,
  'net.core.somaxconn': never,
  'net.ipv4.ip_forward': never,
};
const sysctls: Row[] = Object.entries(SYSCTLS).map(([name, isAllowed]) => [
  `sysctl ${name}`,
  (spec) => (spec.securityContext.sysctls = [{ name, value: '1' }]),
  isAllowed,
]);

const seLinux: Row[] = [
  ...(['container_t', 'container_init_t', 'container_kvm_t'].map((type) => [type, always]) as [string, (minor: number) => boolean][]),
  ['container_engine_t', from(31)] as const,
  ['spc_t', never] as const,
  ['Container_t', never] as const,
].map(([type, isAllowed]): Row => [`SELinux type ${type}`, (spec) => (spec.securityContext.seLinuxOptions = { type }), isAllowed]);

const HANDLERS: [string, (container: Loose, handler: Loose) => void][] = [
  ['liveness', (container, handler) => (container.livenessProbe = handler)],
  ['readiness', (container, handler) => (container.readinessProbe = handler)],
  ['startup', (container, handler) => (container.startupProbe = handler)],
  ['postStart', (container, handler) => (container.lifecycle = { postStart: handler })],
  ['preStop', (container, handler) => (container.lifecycle = { preStop: handler })],
];
const probes: Row[] = HANDLERS.flatMap(([handler, put]) =>
  ['httpGet', 'tcpSocket'].flatMap((kind): Row[] => [
    [
      `${handler} ${kind} to another host`,
      (_, container) => put(container, { [kind]: { port: 80, host: '10.0.0.1' } }),
      (minor) => minor < 34,
    ],
    [
      `${handler} ${kind} to the node itself`,
      (_, container) => put(container, { [kind]: { port: 80, host: '127.0.0.1' } }),
      (minor) => minor < 34,
    ],
    [`${handler} ${kind} to the pod`, (_, container) => put(container, { [kind]: { port: 80 } }), always],
  ]),
);

const VOLUMES: [string, Loose, isPlain: boolean, isHostPath?: boolean][] = [
  ['configMap', { name: 'c' }, true],
  ['csi', { driver: 'd.example' }, true],
  ['downwardAPI', { items: [] }, true],
  ['emptyDir', {}, true],
  ['ephemeral', { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } }, true],
  ['image', { reference: 'x' }, true],
  ['persistentVolumeClaim', { claimName: 'c' }, true],
  ['projected', { sources: [] }, true],
  ['secret', { secretName: 's' }, true],
  ['hostPath', { path: '/tmp' }, false, true],
  ['nfs', { server: 's', path: '/' }, false],
  ['iscsi', { targetPortal: 't', iqn: 'iqn.2020-01.x:y', lun: 0 }, false],
  ['fc', { targetWWNs: ['w'], lun: 0 }, false],
  ['cephfs', { monitors: ['m'] }, false],
];
const volumesOf = (level: Level): Row[] =>
  VOLUMES.map(([type, volume, isPlain, isHostPath]) => [
    `volume ${type}`,
    (spec) => (spec.volumes = [{ name: 'v', [type]: volume }]),
    () => isPlain || (level === 'baseline' && !isHostPath),
  ]);

const ALLOWED_CAPABILITIES =
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT';
const capabilities: Row[] = [
  ...ALLOWED_CAPABILITIES.split(' ').map((name): [string, boolean] => [name, true]),
  ...['NET_RAW', 'NET_ADMIN', 'SYS_TIME', 'BPF', 'ALL', 'chown', 'CAP_CHOWN', ''].map((name): [string, boolean] => [name, false]),
].map(([name, isAllowed]): Row => [
  `added capability ${JSON.stringify(name)}`,
  (_, container) => (container.securityContext.capabilities.add = [name]),
  () => isAllowed,
]);

const profiles: Row[] = [
  ['AppArmor field RuntimeDefault', (spec) => (spec.securityContext.appArmorProfile = { type: 'RuntimeDefault' }), always],
  ['AppArmor field Localhost', (spec) => (spec.securityContext.appArmorProfile = { type: 'Localhost', localhostProfile: 'p' }), always],
  ['AppArmor field Unconfined', (spec) => (spec.securityContext.appArmorProfile = { type: 'Unconfined' }), never],
  ['AppArmor field Unconfined of a container', (_, one) => (one.securityContext.appArmorProfile = { type: 'Unconfined' }), never],
  ...(
    [
      ['runtime/default', true],
      ['localhost/p', true],
      ['unconfined', false],
    ] as const
  ).map(([value, isAllowed]): Row => [
    `AppArmor annotation ${value}`,
    (_spec, _one, metadata) => (metadata.annotations['container.apparmor.security.beta.kubernetes.io/app'] = value),
    () => isAllowed,
  ]),
];
const seccompAnnotations: Row[] = (
  [
    ['runtime/default', true],
    ['docker/default', true],
    ['localhost/p', true],
    ['unconfined', false],
  ] as const
).flatMap(([value, isAllowed]) =>
  ['seccomp.security.alpha.kubernetes.io/pod', 'container.seccomp.security.alpha.kubernetes.io/app'].map((key): Row => [
    `seccomp annotation ${key} ${value}`,
    (_spec, _one, metadata) => (metadata.annotations[key] = value),
    // Since v1.19, only the fields count.
    (minor) => isAllowed || minor >= 19,
  ]),
);

/** A Windows pod may not set Linux-only fields. */
const windows: Row[] = [
  ['Windows pod without fields of Linux', (spec, one) => toWindows(spec, one, { runAsNonRoot: true }), from(25)],
  ['Windows pod that may be administrator', (spec, one) => toWindows(spec, one, {}), never],
];
function toWindows(spec: Loose, container: Loose, context: Loose): void {
  spec.os = { name: 'windows' };
  container.securityContext = context;
}

const restricted: Row[] = [
  ['NET_BIND_SERVICE added', (_, one) => (one.securityContext.capabilities.add = ['NET_BIND_SERVICE']), always],
  ['CHOWN added', (_, one) => (one.securityContext.capabilities.add = ['CHOWN']), (minor) => minor < 22],
  ['all dropped in small letters', (_, one) => (one.securityContext.capabilities.drop = ['all']), (minor) => minor < 22],
  ['escalation not forbidden', (_, one) => delete one.securityContext.allowPrivilegeEscalation, (minor) => minor < 8],
  ['no seccomp profile', (_, one) => delete one.securityContext.seccompProfile, (minor) => minor < 19],
  ['user 0', (spec) => (spec.securityContext.runAsUser = 0), (minor) => minor < 23],
  ['user 0 of a container', (_, one) => (one.securityContext.runAsUser = 0), (minor) => minor < 23],
  ['user 1', (spec) => (spec.securityContext.runAsUser = 1), always],
  ['pod may be root, container may not', (spec) => (spec.securityContext.runAsNonRoot = false), never],
  [
    'pod may not be root, container says nothing',
    (spec, one) => {
      spec.securityContext.runAsNonRoot = true;
      delete one.securityContext.runAsNonRoot;
    },
    always,
  ],
  ['init container without a context', (spec) => (spec.initContainers = [{ name: 'first', image: 'x:1' }]), never],
];
const ownUsers: Row[] = [
  [
    'users of its own, and root',
    (spec, one) => {
      spec.hostUsers = false;
      delete one.securityContext.runAsNonRoot;
      one.securityContext.runAsUser = 0;
    },
    from(35),
  ],
];
const unmasked: Row[] = [
  [
    'unmasked /proc with users of its own',
    (spec, one) => Object.assign(spec, { hostUsers: false }) && (one.securityContext.procMount = 'Unmasked'),
    from(35),
  ],
];

export const CORNERS: Corner[] = [
  ...corners('baseline', [24, 27, 28, 29, 36], sysctls),
  ...corners('baseline', [24, 30, 31, 36], seLinux),
  ...corners('baseline', [33, 34, 36], probes),
  ...corners('baseline', [24, 36], volumesOf('baseline')),
  ...corners('restricted', [24, 36], volumesOf('restricted')),
  ...corners('baseline', [24, 36], capabilities),
  ...corners('baseline', [24, 36], profiles),
  ...corners('baseline', [18, 19], seccompAnnotations),
  ...corners('restricted', [24, 25, 36], windows),
  ...corners('restricted', [7, 8, 18, 19, 21, 22, 23, 36], restricted),
  ...corners('restricted', [34, 35], ownUsers),
  ...corners('baseline', [34, 35], unmasked),
];
