import type { Random } from './random.ts';

// Without Kubernetes' own types on purpose: an API server may accept anything that is made here.
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

/** A pod to send to an API server, with a description of its changes for people. */
export interface GeneratedPod {
  pod: Loose;
  did: string[];
}

type Step = (pod: Loose, chosen: Random) => void;

const CONTEXT_STEPS: Record<string, (context: Loose, chosen: Random) => void> = {
  seccomp: (context, { pick }) =>
    (context.seccompProfile = pick([
      { type: 'Unconfined' },
      { type: 'RuntimeDefault' },
      { type: 'Localhost', localhostProfile: 'p.json' },
      undefined,
    ])),
  appArmor: (context, { pick }) =>
    (context.appArmorProfile = pick([
      { type: 'Unconfined' },
      { type: 'RuntimeDefault' },
      { type: 'Localhost', localhostProfile: 'p' },
      undefined,
    ])),
  seLinux: (context, { pick }) =>
    (context.seLinuxOptions = pick([
      { type: 'spc_t' },
      { type: 'container_engine_t' },
      { type: 'container_t' },
      { user: 'u' },
      { role: 'r' },
      { level: 's0:c1' },
      {},
    ])),
  windowsOptions: (context, { pick }) => (context.windowsOptions = pick([{ hostProcess: false }, { runAsUserName: 'x' }, {}])),
  runAsNonRoot: (context, { pick }) => (context.runAsNonRoot = pick([true, false, undefined])),
  runAsUser: (context, { pick }) => (context.runAsUser = pick([0, 1, 1000, undefined])),
};

const CONTAINER_STEPS: Record<string, (container: Loose, chosen: Random) => void> = {
  privileged: ({ securityContext: context }, { pick }) => {
    context.privileged = pick([true, true, false]);
    if (context.privileged) delete context.allowPrivilegeEscalation;
  },
  escalation: ({ securityContext: context }, { pick }) => (context.allowPrivilegeEscalation = pick([true, undefined])),
  added: ({ securityContext: context }, { pick }) =>
    ((context.capabilities ??= {}).add = pick([
      ['NET_BIND_SERVICE'],
      ['CHOWN', 'KILL'],
      ['NET_RAW'],
      ['ALL'],
      ['chown'],
      ['CAP_CHOWN'],
      [],
    ])),
  dropped: ({ securityContext: context }, { pick }) =>
    ((context.capabilities ??= {}).drop = pick([['ALL'], ['all'], ['NET_RAW'], ['KILL', 'ALL'], []])),
  procMount: ({ securityContext: context }, { pick }) => (context.procMount = pick(['Unmasked', 'Default', undefined])),
  port: (container, { pick }) => {
    const number = pick([0, 8080, 31000]);
    container.ports = [{ containerPort: number || 80, ...pick([{ hostPort: number }, {}]) }];
  },
  hook: (container, { pick }) =>
    (container.lifecycle = pick([
      { preStop: { httpGet: { port: 80, host: pick(['', '127.0.0.1', 'x.example']) } } },
      { postStart: { tcpSocket: { port: 80, host: pick(['', '10.0.0.1']) } } },
      { postStart: { exec: { command: ['true'] } } },
    ])),
};

const probe =
  (field: string): Step =>
  (pod, { pick }) => {
    const [container] = pod.spec.containers;
    container[field] = pick([
      { httpGet: { port: 80, ...pick([{}, { host: '' }, { host: '::1' }, { host: 'x.example' }]) } },
      { tcpSocket: { port: 80, ...pick([{}, { host: '10.0.0.1' }]) } },
      { exec: { command: ['true'] } },
    ]);
  };

const VOLUMES: Loose[] = [
  { hostPath: { path: '/tmp' } },
  { emptyDir: {} },
  {},
  { configMap: { name: 'c' } },
  { secret: { secretName: 's' } },
  { downwardAPI: { items: [] } },
  { projected: { sources: [] } },
  { persistentVolumeClaim: { claimName: 'c' } },
  { csi: { driver: 'd.example' } },
  { ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } } },
  { image: { reference: 'x' } },
  { nfs: { server: 's', path: '/' } },
  { iscsi: { targetPortal: 't', iqn: 'iqn.2020-01.x:y', lun: 0 } },
  { gitRepo: { repository: 'r' } },
  { rbd: { monitors: ['m'], image: 'i' } },
  { cephfs: { monitors: ['m'] } },
  { cinder: { volumeID: 'v' } },
  { fc: { targetWWNs: ['w'], lun: 0 } },
  { azureFile: { secretName: 's', shareName: 's' } },
  { azureDisk: { diskName: 'd', diskURI: 'https://x.blob.core.windows.net/y/z.vhd' } },
  { awsElasticBlockStore: { volumeID: 'v' } },
  { gcePersistentDisk: { pdName: 'p' } },
  { glusterfs: { endpoints: 'e', path: 'p' } },
  { flexVolume: { driver: 'd' } },
  { vsphereVolume: { volumePath: 'p' } },
  { portworxVolume: { volumeID: 'v' } },
  { quobyte: { registry: 'r:1', volume: 'v' } },
  { scaleIO: { gateway: 'g', system: 's', volumeName: 'v', secretRef: { name: 's' }, storagePool: 'p' } },
  { storageos: { volumeName: 'v' } },
  { photonPersistentDisk: { pdID: 'p' } },
  { flocker: { datasetName: 'd' } },
];

const SYSCTLS = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
  'kernel.msgmax',
  'net/ipv4/tcp_syncookies',
];

const annotate =
  (keys: string[], values: string[]): Step =>
  (pod, { pick }) =>
    ((pod.metadata.annotations ??= {})[pick(keys)] = pick(values));

const POD_STEPS: Record<string, Step> = {
  // The API server refuses an unmasked /proc without a user namespace.
  'procMount in a user namespace'({ spec }, { pick }) {
    spec.hostUsers = false;
    pick([...spec.containers, ...spec.initContainers]).securityContext.procMount = 'Unmasked';
  },
  hostNetwork: ({ spec }, { pick }) => (spec.hostNetwork = pick([true, false])),
  hostPID: ({ spec }, { pick }) => (spec.hostPID = pick([true, false])),
  hostIPC: ({ spec }, { pick }) => (spec.hostIPC = pick([true, false])),
  hostUsers: ({ spec }, { pick }) => (spec.hostUsers = pick([false, false, true])),
  volume: ({ spec }, { pick }) => (spec.volumes ??= []).push({ name: `v${spec.volumes.length}`, ...structuredClone(pick(VOLUMES)) }),
  sysctl: ({ spec }, { pick }) =>
    (spec.securityContext.sysctls = [...new Set([pick(SYSCTLS), pick(SYSCTLS)])].map((name) => ({ name, value: '1' }))),
  os: ({ spec }, { pick }) => (spec.os = { name: pick(['linux', 'windows']) }),
  'AppArmor annotation': annotate(
    ['container.apparmor.security.beta.kubernetes.io/app', 'container.apparmor.security.beta.kubernetes.io/first'],
    ['unconfined', 'runtime/default', 'localhost/p'],
  ),
  'seccomp annotation': annotate(
    [
      'seccomp.security.alpha.kubernetes.io/pod',
      'container.seccomp.security.alpha.kubernetes.io/app',
      'container.seccomp.security.alpha.kubernetes.io/other',
    ],
    ['unconfined', 'runtime/default', 'docker/default', 'localhost/p'],
  ),
  livenessProbe: probe('livenessProbe'),
  readinessProbe: probe('readinessProbe'),
  startupProbe: probe('startupProbe'),
  hostProcess({ spec }, { pick }) {
    Object.assign(spec, { os: { name: 'windows' }, hostNetwork: true });
    pick([spec.securityContext, spec.containers[0].securityContext]).windowsOptions = { hostProcess: true, runAsUserName: 'x' };
  },
};

const STEPS: Record<string, Step> = {
  ...POD_STEPS,
  ...Object.fromEntries(
    Object.entries(CONTAINER_STEPS).map(([name, step]): [string, Step] => [
      `${name} of a container`,
      (pod, chosen) => step(chosen.pick([...pod.spec.containers, ...pod.spec.initContainers]), chosen),
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(CONTEXT_STEPS).flatMap(([name, step]): [string, Step][] => [
      [
        `${name} of a container`,
        (pod, chosen) => step(chosen.pick([...pod.spec.containers, ...pod.spec.initContainers]).securityContext, chosen),
      ],
      [`${name} of the pod`, (pod, chosen) => step(pod.spec.securityContext, chosen)],
    ]),
  ),
};

/** The name of every change that `podFor` can make. */
export const STEP_NAMES = Object.keys(STEPS);

const STRICT = () => ({
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
});

/** A pod that meets restricted (sometimes only baseline), with up to three changes of `STEP_NAMES`. `first` is the first change. */
export function podFor(first: string, chosen: Random): GeneratedPod {
  const isStrict = chosen.chance(0.7);
  const container = (name: string) => ({ name, image: 'x:1', securityContext: isStrict ? STRICT() : {} });
  const sidecar = { ...container('sidecar'), restartPolicy: 'Always' };
  const pod: Loose = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'generated' },
    spec: {
      securityContext: isStrict && chosen.chance(0.5) ? { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } : {},
      initContainers: chosen.chance(0.5) ? [container('first'), sidecar] : [],
      containers: [container('app'), ...(chosen.chance(0.3) ? [container('other')] : [])],
    },
  };
  const did = [first, ...(chosen.chance(0.6) ? [chosen.pick(STEP_NAMES)] : []), ...(chosen.chance(0.2) ? [chosen.pick(STEP_NAMES)] : [])];
  for (const name of did) STEPS[name]?.(pod, chosen);
  if (pod.spec.os?.name === 'windows') withoutLinux(pod);
  return { pod, did };
}

/** The API server refuses Linux-only fields on a Windows pod. */
function withoutLinux({ spec }: Loose): void {
  for (const context of [spec.securityContext, ...[...spec.containers, ...spec.initContainers].map((one: Loose) => one.securityContext)])
    for (const field of Object.keys(context)) if (field !== 'runAsNonRoot' && field !== 'windowsOptions') delete context[field];
  for (const field of ['hostPID', 'hostIPC', 'hostUsers']) delete spec[field];
}
