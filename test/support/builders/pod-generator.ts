import type { PodTemplate } from '../../../src/crd/kubernetes.ts';
import { random, type Random } from './random.ts';

// Without Kubernetes' own types on purpose: an API server may accept anything that is made here.
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

/** A source and a template to try on it. `mutations` describes the changes for people. */
export interface Proposal {
  seed: number;
  source: PodTemplate;
  template: PodTemplate;
  mutations: string[];
}

type Step = (template: Loose, chosen: Random) => void;

const one = (template: Loose, { pick }: Random): Loose => pick([...template.spec.containers, ...(template.spec.initContainers ?? [])]);
const context = (container: Loose): Loose => (container.securityContext ??= {});
const podContext = (template: Loose): Loose => (template.spec.securityContext ??= {});
const push = (owner: Loose, field: string, entry: unknown): void => void (owner[field] ??= []).push(entry);

let names = 0;
const fresh = (prefix: string): string => `${prefix}${(names += 1)}`;

/** A volume and a mount of it in one container. */
const mounted =
  (make: (chosen: Random) => object, mount: (chosen: Random) => object = () => ({})): Step =>
  (template, chosen) => {
    const name = fresh('v');
    push(template.spec, 'volumes', { name, ...make(chosen) });
    push(one(template, chosen), 'volumeMounts', { name, mountPath: `/mnt/${name}`, ...mount(chosen) });
  };
const environment =
  (make: (chosen: Random) => object): Step =>
  (template, chosen) =>
    push(one(template, chosen), 'env', { name: fresh('V').toUpperCase(), ...make(chosen) });

const SECRETS = ['db', 'tls', 'paypal'];
const CLAIMS = ['data', 'cache'];
const FOLDERS = ['/var/log', '/var/log/pods', '/data', '/etc'];
const MAPS = ['settings', 'flags'];

/** Parts of a pod that give it no power. A source has some of them, and a correction adds one. */
const HARMLESS: Record<string, Step> = {
  'another image': (template, chosen) => (one(template, chosen).image = chosen.pick(['web:2', 'busybox:1.35'])),
  'another command': (template, chosen) => (one(template, chosen).command = ['sh', '-c', 'exec web']),
  'a variable': environment(() => ({ value: 'x' })),
  'a variable of a ConfigMap': environment(({ pick }) => ({ valueFrom: { configMapKeyRef: { name: pick(MAPS), key: 'k' } } })),
  'all variables of a ConfigMap': (template, chosen) =>
    push(one(template, chosen), 'envFrom', { configMapRef: { name: chosen.pick(MAPS) } }),
  'a variable of the pod itself': environment(({ pick }) => ({
    valueFrom: { fieldRef: { fieldPath: pick(['metadata.name', 'spec.serviceAccountName', 'status.hostIP']) } },
  })),
  'a ConfigMap as a volume': mounted(({ pick }) => ({ configMap: { name: pick(MAPS) } })),
  'an empty volume': mounted(({ pick }) => ({ emptyDir: pick([{}, { medium: 'Memory', sizeLimit: '1Mi' }]) })),
  'the pod itself as a volume': mounted(() => ({
    downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] },
  })),
  'a projected ConfigMap': mounted(({ pick }) => ({ projected: { sources: [{ configMap: { name: pick(MAPS) } }] } })),
  resources: (template, chosen) => (one(template, chosen).resources = { requests: { cpu: '10m' }, limits: { memory: '64Mi' } }),
  'a readiness probe': (template, { pick }) =>
    (pick(template.spec.containers as Loose[]).readinessProbe = { httpGet: { port: 80, path: '/' } }),
  'a hook': (template, { pick }) =>
    (pick(template.spec.containers as Loose[]).lifecycle = { preStop: { exec: { command: ['sleep', '1'] } } }),
  'a node selector': (template) => (template.spec.nodeSelector = { disk: 'ssd' }),
  'a host name': (template) => (template.spec.hostname = 'web'),
  'a shorter grace time': (template) => (template.spec.terminationGracePeriodSeconds = 5),
  'DNS of its own': (template) => (template.spec.dnsConfig = { options: [{ name: 'ndots', value: '1' }] }),
  'a pod that ends': (template) => (template.spec.restartPolicy = 'Never'),
  'a label': (template) => ((template.metadata.labels ??= {}).tier = 'front'),
  'a note': (template) => ((template.metadata.annotations ??= {}).note = 'seen'),
  'a read-only root': (template, chosen) => (context(one(template, chosen)).readOnlyRootFilesystem = true),
  'a non-root user': (template, chosen) => (context(one(template, chosen)).runAsNonRoot = true),
  'no new privileges': (template, chosen) => (context(one(template, chosen)).allowPrivilegeEscalation = false),
  'the usual seccomp profile': (template) => (podContext(template).seccompProfile = { type: 'RuntimeDefault' }),
  'dropped capabilities': (template, chosen) => (context(one(template, chosen)).capabilities = { drop: ['ALL'] }),
  'no token': (template) => (template.spec.automountServiceAccountToken = false),
  'an own user namespace': (template) => (template.spec.hostUsers = false),
};

/** Parts of a pod that give it power over the node, the cluster or other people's data. */
const POWERFUL: Record<string, Step> = {
  privileged: (template, chosen) => (context(one(template, chosen)).privileged = true),
  'a capability': (template, chosen) =>
    (context(one(template, chosen)).capabilities = { add: [chosen.pick(['NET_ADMIN', 'SYS_ADMIN', 'CHOWN', 'NET_BIND_SERVICE', 'ALL'])] }),
  'privilege escalation': (template, chosen) => (context(one(template, chosen)).allowPrivilegeEscalation = true),
  'root by number': (template, chosen) => (context(chosen.chance(0.5) ? one(template, chosen) : template.spec).runAsUser = 0),
  'another user': (template, chosen) => (context(one(template, chosen)).runAsUser = chosen.pick([1, 1000, 1001])),
  'root allowed': (template, chosen) => (context(chosen.chance(0.5) ? one(template, chosen) : template.spec).runAsNonRoot = false),
  'another group': (template, chosen) => (context(one(template, chosen)).runAsGroup = chosen.pick([0, 5])),
  'unmasked proc': (template, chosen) => {
    template.spec.hostUsers = false;
    context(one(template, chosen)).procMount = 'Unmasked';
  },
  'no seccomp': (template, chosen) =>
    (context(chosen.chance(0.5) ? one(template, chosen) : template.spec).seccompProfile = { type: 'Unconfined' }),
  'a local seccomp profile': (template, chosen) =>
    (context(one(template, chosen)).seccompProfile = { type: 'Localhost', localhostProfile: 'mine.json' }),
  'no AppArmor': (template, chosen) =>
    (context(chosen.chance(0.5) ? one(template, chosen) : template.spec).appArmorProfile = { type: 'Unconfined' }),
  'no AppArmor, by annotation': (template, { pick }) =>
    ((template.metadata.annotations ??= {})[
      `container.apparmor.security.beta.kubernetes.io/${(pick(template.spec.containers as Loose[]) as Loose).name}`
    ] = 'unconfined'),
  'SELinux options': (template, chosen) =>
    (context(chosen.chance(0.5) ? one(template, chosen) : template.spec).seLinuxOptions = chosen.pick([
      { type: 'spc_t' },
      { user: 'root' },
      { type: 'container_t' },
    ])),
  'Windows options': (template, chosen) => (context(one(template, chosen)).windowsOptions = { runAsUserName: 'Administrator' }),
  'a Windows host process': (template) => {
    template.spec.hostNetwork = true;
    podContext(template).windowsOptions = { hostProcess: true };
  },
  'Windows as its system': (template) => (template.spec.os = { name: 'windows' }),
  'Linux as its system': (template) => (template.spec.os = { name: 'linux' }),
  'a supplemental group': (template) => (podContext(template).supplementalGroups = [0]),
  'groups of the image ignored': (template) => (podContext(template).supplementalGroupsPolicy = 'Strict'),
  'a group of its files': (template, { pick }) => (podContext(template).fsGroup = pick([0, 1000])),
  'a sysctl': (template, { pick }) =>
    (podContext(template).sysctls = [
      pick([
        { name: 'kernel.msgmax', value: '1' },
        { name: 'net.ipv4.tcp_syncookies', value: '1' },
      ]),
    ]),
  "the host's network": (template) => (template.spec.hostNetwork = true),
  "the host's processes": (template) => (template.spec.hostPID = true),
  "the host's memory": (template) => (template.spec.hostIPC = true),
  'sight of other containers': (template) => (template.spec.shareProcessNamespace = true),
  "the node's users": (template) => (template.spec.hostUsers = true),
  'a host port': (template, chosen) => push(one(template, chosen), 'ports', { containerPort: 80, hostPort: 8080 }),
  'another service account': (template, { pick }) => (template.spec.serviceAccountName = pick(['admin', 'web'])),
  'its token': (template) => (template.spec.automountServiceAccountToken = true),
  'a runtime class': (template) => (template.spec.runtimeClassName = 'weak'),
  'a toleration': (template) => push(template.spec, 'tolerations', { key: 'control-plane', operator: 'Exists', effect: 'NoSchedule' }),
  'a priority class': (template) => (template.spec.priorityClassName = 'system-node-critical'),
  'a node of its choice': (template) => (template.spec.nodeName = 'control-plane'),
  'a device': (template, chosen) => (one(template, chosen).resources = { limits: { 'example.com/gpu': '1' } }),
  'a resource claim': (template, chosen) => {
    const name = fresh('claim');
    push(template.spec, 'resourceClaims', { name, resourceClaimName: chosen.pick(['gpu', 'nic']) });
    one(template, chosen).resources = { claims: [{ name }] };
  },
  'a variable of a Secret': environment(({ pick }) => ({ valueFrom: { secretKeyRef: { name: pick(SECRETS), key: 'k' } } })),
  'all variables of a Secret': (template, chosen) => push(one(template, chosen), 'envFrom', { secretRef: { name: chosen.pick(SECRETS) } }),
  'a Secret as a volume': mounted(({ pick }) => ({ secret: { secretName: pick(SECRETS) } })),
  'a projected Secret': mounted(({ pick }) => ({ projected: { sources: [{ secret: { name: pick(SECRETS) } }] } })),
  'a projected token': mounted(({ pick }) => ({
    projected: { sources: [{ serviceAccountToken: { path: 't', audience: pick(['vault', 'api']) } }] },
  })),
  'a projected certificate': mounted(() => ({ projected: { sources: [{ clusterTrustBundle: { name: 'roots', path: 'ca.crt' } }] } })),
  'a pull secret': (template, { pick }) => push(template.spec, 'imagePullSecrets', { name: pick(SECRETS) }),
  'a claim': mounted(
    ({ pick, chance }) => ({ persistentVolumeClaim: { claimName: pick(CLAIMS), readOnly: chance(0.5) } }),
    ({ pick }) => pick([{}, { subPath: 'a' }, { subPath: 'a/b' }, { readOnly: true }]),
  ),
  'a raw device of a claim': (template, chosen) => {
    const name = fresh('v');
    push(template.spec, 'volumes', { name, persistentVolumeClaim: { claimName: chosen.pick(CLAIMS) } });
    push(one(template, chosen), 'volumeDevices', { name, devicePath: `/dev/${name}` });
  },
  'a folder of the node': mounted(
    ({ pick }) => ({ hostPath: { path: pick(FOLDERS), ...pick([{}, { type: 'Directory' }, { type: 'DirectoryOrCreate' }]) } }),
    ({ pick }) => pick([{}, { readOnly: true }, { subPath: 'a', readOnly: true }, { mountPropagation: 'HostToContainer' }]),
  ),
  'a network folder': mounted(() => ({ nfs: { server: 'files', path: '/' } })),
  'a disk with a Secret': mounted(({ pick }) => ({
    iscsi: { targetPortal: 'x', iqn: 'iqn.2001-04.com.example:d', lun: 0, secretRef: { name: pick(SECRETS) } },
  })),
  'a CSI volume with a Secret': mounted(({ pick }) => ({
    csi: { driver: 'secrets.example', nodePublishSecretRef: { name: pick(SECRETS) } },
  })),
  'a new claim': mounted(() => ({
    ephemeral: {
      volumeClaimTemplate: {
        spec: {
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Mi' } },
          dataSource: { kind: 'PersistentVolumeClaim', name: 'data' },
        },
      },
    },
  })),
  'an image as a volume': mounted(
    () => ({ image: { reference: 'private/keys:1', pullPolicy: 'IfNotPresent' } }),
    () => ({ readOnly: true }),
  ),
  'a probe of another host': (template, { pick }) =>
    (pick(template.spec.containers as Loose[]).livenessProbe = { httpGet: { host: '169.254.169.254', port: 80, path: '/' } }),
  'a hook to another host': (template, { pick }) =>
    (pick(template.spec.containers as Loose[]).lifecycle = { postStart: { httpGet: { host: '10.0.0.1', port: 80 } } }),
  'an order to a network': (template) => ((template.metadata.annotations ??= {})['k8s.v1.cni.cncf.io/networks'] = 'mgmt'),
  'a container': (template) => push(template.spec, 'containers', { name: fresh('c'), image: 'busybox:1.35' }),
  'an init container': (template) => push(template.spec, 'initContainers', { name: fresh('i'), image: 'busybox:1.35' }),
  'a sidecar': (template) => push(template.spec, 'initContainers', { name: fresh('s'), image: 'busybox:1.35', restartPolicy: 'Always' }),
  'a sidecar with the context of another': (template, chosen) =>
    push(template.spec, 'initContainers', {
      name: fresh('s'),
      image: 'busybox:1.35',
      restartPolicy: 'Always',
      securityContext: structuredClone(one(template, chosen).securityContext ?? {}),
    }),
};

/** Changes that remove, move or rename protections. A protection that the template lost may be the one that restricted its source. */
const LOOSENING: Record<string, Step> = {
  'no context of the pod': (template) => delete template.spec.securityContext,
  'no context of a container': (template, chosen) => delete one(template, chosen).securityContext,
  'a field less in a context': (template, chosen) => {
    const owner = chosen.pick([template.spec, one(template, chosen)]).securityContext ?? {};
    delete owner[chosen.pick(Object.keys(owner).length > 0 ? Object.keys(owner) : ['x'])];
  },
  'a context moved to the pod': (template, chosen) => {
    const container = one(template, chosen);
    const { runAsNonRoot, runAsUser, seccompProfile } = container.securityContext ?? {};
    Object.assign(podContext(template), JSON.parse(JSON.stringify({ runAsNonRoot, runAsUser, seccompProfile })));
    delete container.securityContext;
  },
  'another name of a container': (template, chosen) => (one(template, chosen).name = fresh('n')),
  'a spec field less': (template, { pick }) => {
    const fields = Object.keys(template.spec).filter((field) => !['containers', 'volumes', 'initContainers'].includes(field));
    if (fields.length > 0) delete template.spec[pick(fields)];
  },
  'a mount at another path': (template, chosen) => {
    const mount = (one(template, chosen).volumeMounts ?? [])[0];
    if (mount)
      Object.assign(
        mount,
        chosen.pick([{ subPath: '' }, { subPath: 'a/..' }, { subPath: 'b' }, { readOnly: false }, { mountPath: '/elsewhere' }]),
      );
  },
  'a volume under another name': (template) => {
    const [volume] = template.spec.volumes ?? [];
    if (!volume) return;
    const name = fresh('r');
    for (const container of [...template.spec.containers, ...(template.spec.initContainers ?? [])])
      for (const use of [...(container.volumeMounts ?? []), ...(container.volumeDevices ?? [])])
        if (use.name === volume.name) use.name = name;
    volume.name = name;
  },
  'a volume mounted once more': (template, chosen) => {
    const [volume] = template.spec.volumes ?? [];
    if (volume) push(one(template, chosen), 'volumeMounts', { name: volume.name, mountPath: `/again/${fresh('m')}` });
  },
};

/** Makes a pod meet the Pod Security level *restricted*. */
const RESTRICTED: Step = (template) => {
  Object.assign(podContext(template), { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  for (const container of [...template.spec.containers, ...(template.spec.initContainers ?? [])])
    container.securityContext = { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } };
};

/** Groups of steps that give the same kind of power. If the source has a step of a group, the template may use another step of it. */
const KIN = [
  /Secret|pull secret/,
  /claim|raw device/,
  /folder|mount/,
  /user|root|group|privilege|context/,
  /seccomp|AppArmor|SELinux|Windows|capabilit|proc/,
  /container|sidecar/,
  /host|node/,
  /token|service account/,
];

function steps(template: Loose, chosen: Random, { count, from }: { count: number; from: Record<string, Step>[] }): string[] {
  return Array.from({ length: count }, () => {
    const table = chosen.pick(from);
    const what = chosen.pick(Object.keys(table));
    table[what]?.(template, chosen);
    return what;
  });
}

/** The steps in the same groups as these steps. */
function kinOf(done: string[]): Record<string, Step> {
  const words = KIN.filter((kin) => done.some((what) => kin.test(what)));
  return Object.fromEntries(Object.entries({ ...POWERFUL, ...LOOSENING }).filter(([what]) => words.some((kin) => kin.test(what))));
}

/** The proposal for a seed: a source (a third of them powerful, a third restricted), and its template with one to four changes. */
export function proposal(seed: number): Proposal {
  const chosen = random(seed);
  names = seed * 100;
  const source: Loose = { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'web:11' }] } };
  if (chosen.chance(0.3)) push(source.spec, 'containers', { name: 'helper', image: 'busybox:1.35' });
  if (chosen.chance(0.3)) push(source.spec, 'initContainers', { name: 'init', image: 'busybox:1.35', command: ['true'] });
  steps(source, chosen, { count: chosen.integer(4), from: [HARMLESS] });
  const kind = chosen.integer(3);
  const powers: string[] = [];
  if (kind === 0) powers.push(...steps(source, chosen, { count: 1 + chosen.integer(3), from: [POWERFUL] }));
  if (kind === 1) RESTRICTED(source, chosen);
  if (kind === 1 && chosen.chance(0.4)) powers.push(...steps(source, chosen, { count: 1, from: [POWERFUL] }));
  const template: Loose = structuredClone(source);
  const kin = kinOf(powers);
  const way = chosen.integer(3);
  let from = [HARMLESS, HARMLESS, LOOSENING];
  if (way === 1) from = [POWERFUL, LOOSENING, HARMLESS];
  if (way === 2 && Object.keys(kin).length > 0) from = [kin, kin, HARMLESS];
  return { seed, source, template, mutations: steps(template, chosen, { count: 1 + chosen.integer(4), from }) };
}
