import type { PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { controller, homeless, loops, one, pod, rejected, waits, container } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';
import { app, crash, guess, likely } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
type Pod = Partial<PodSpec>;
type Is = Omit<Cure, 'reason'>;

const notMade = (reason: string, message: string, spec: Container, is: Is, more: Pod = {}): CureRow => ({
  object: one('shop', waits(reason, message), spec, more),
  is: { reason, ...is },
});
const noConfig = (message: string, spec: Container, is: Is, more: Pod = {}): CureRow =>
  notMade('CreateContainerConfigError', message, spec, is, more);
const noContainer = (message: string, spec: Container, is: Is, more: Pod = {}): CureRow =>
  notMade('CreateContainerError', message, spec, is, more);
const notStarted = (why: string, spec: Container, is: Is, more: Pod = {}): CureRow => ({
  object: one(
    'shop',
    loops(
      128,
      'StartError',
      `failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ${why}`,
    ),
    spec,
    more,
  ),
  is: { reason: 'StartError', ...is },
});
const told = (event: [reason: string, message: string], is: Is, more: Pod = {}, others: CureRow['others'] = []): CureRow => ({
  object: one('shop', waits('ContainerCreating'), {}, more),
  events: [event],
  others,
  is: { reason: event[0], ...is },
});
const noSandbox = (why: string, is: Is, more: Pod = {}): CureRow =>
  told(['FailedCreatePodSandBox', `Failed to create pod sandbox: rpc error: code = Unknown desc = ${why}`], is, more);
const noMount = (volume: string, why: string, is: Is, more: Pod = {}): CureRow =>
  told(['FailedMount', `MountVolume.SetUp failed for volume "${volume}" : ${why}`], is, more);
const noNode = (message: string, more: Pod, is: Is, others: CureRow['others'] = []): CureRow => ({
  object: homeless('shop', more, message),
  others,
  is: { reason: 'Unschedulable', ...is },
});
const refused = (message: string, spec: Pod, is: Is): CureRow => ({
  object: controller('ReplicaSet', 'shop', { containers: [{ name: 'app', image: 'web:1' }], ...spec } as PodSpec),
  events: [['FailedCreate', `Error creating: pods "shop-x" is forbidden: ${message}`]],
  is: { reason: 'FailedCreate', ...is },
});

/** A pod whose init container writes a file with variables. The container wants this key of the file. */
const fromFile = (key: string, command: string, message: string, is: Is, more: object = {}): CureRow => {
  const volumeMounts = [{ name: 'env', mountPath: '/env' }];
  return {
    object: pod(
      'shop',
      {
        volumes: [{ name: 'env', emptyDir: {} }],
        initContainers: [{ name: 'render', image: 'busybox', command: ['sh', '-c', command], volumeMounts }],
        containers: [
          {
            name: 'app',
            image: 'web:1',
            env: [{ name: key, valueFrom: { fileKeyRef: { volumeName: 'env', path: 'app.env', key, ...more } } }],
          },
        ],
      } as PodSpec,
      [
        container('render', { state: { terminated: { exitCode: 0, reason: 'Completed' } }, ready: true }),
        container('app', waits('CreateContainerConfigError', message)),
      ],
    ),
    is: { reason: 'CreateContainerConfigError', ...is },
  };
};
const noKey = (key: string): string =>
  `environment variable key "${key}" not found in file "/var/lib/kubelet/pods/71f0a1eb-9171-4be7-b749-d585490b91aa/volumes/kubernetes.io~empty-dir/env/app.env"`;
const keyTo = (to: string) => ({ [`${app}.env[0].valueFrom.fileKeyRef.key`]: to });

const FILES: Record<string, CureRow> = {
  'a key of a file that an init container writes, with a near one': fromFile(
    'DB_PASSWORD',
    "printf \"DB_USER='shop'\\nDB_PASS='x'\\n\" > /env/app.env",
    noKey('DB_PASSWORD'),
    { culprit: /DB_PASSWORD.*app\.env/, best: keyTo('DB_PASS'), ...likely },
  ),
  'a key of such a file with a slip': fromFile('REDIS_URI', 'echo "REDIS_URL=redis://redis:6379" > /env/app.env', noKey('REDIS_URI'), {
    culprit: /REDIS_URI.*app\.env/,
    best: keyTo('REDIS_URL'),
    ...likely,
  }),
  'a key of such a file in a script of several lines': fromFile(
    'API_TOKN',
    'cat > /env/app.env <<EOF\nAPI_TOKEN=abc\nAPI_URL=http://x\nEOF',
    noKey('API_TOKN'),
    { culprit: /API_TOKN.*app\.env/, best: keyTo('API_TOKEN'), ...likely },
  ),
  'a key of such a file with two near ones': fromFile(
    'API_KEY',
    'echo "API_KEYA=a" > /env/app.env; echo "API_KEYB=b" >> /env/app.env',
    noKey('API_KEY'),
    {
      culprit: /API_KEY.*app\.env/,
      best: keyTo('API_KEYA'),
      ...guess,
    },
  ),
  'a key of such a file that nothing resembles': fromFile('LICENSE', 'echo "DB_USER=shop" > /env/app.env', noKey('LICENSE'), {
    culprit: /LICENSE.*app\.env/,
    best: null,
    says: /init container `render`/i,
  }),
  'a key of a file that another program writes': fromFile('LICENSE', '/render --to /env/app.env', noKey('LICENSE'), {
    culprit: /LICENSE.*app\.env/,
    best: null,
    says: /init container `render`/i,
  }),
  'a file for variables that is none': fromFile('DB_PASS', 'echo {} > /env/app.env', "couldn't parse env file", {
    culprit: /app\.env/,
    best: null,
    says: /NAME='value'/,
  }),
};

const CREATED: Record<string, CureRow> = {
  'read-only recursively, which the runtime cannot do': noConfig(
    'failed to resolve recursive read-only mode: volume "data" requested recursive read-only mode, but it is not supported by the runtime',
    { volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true, recursiveReadOnly: 'Enabled' }] as never },
    { culprit: /recursiveReadOnly|data/, best: { [`${app}.volumeMounts[0].recursiveReadOnly`]: 'IfPossible' }, ...likely },
    { volumes: [{ name: 'data', hostPath: { path: '/srv' } }] },
  ),
  'mounts that the node does not share': noContainer(
    'failed to generate container "3f" spec: failed to generate spec: path "/mnt/csi" is mounted on "/mnt/csi" but it is not a shared mount',
    {
      volumeMounts: [{ name: 'csi', mountPath: '/mnt/csi', mountPropagation: 'Bidirectional' }] as never,
      securityContext: { privileged: true } as never,
    },
    {
      culprit: /mountPropagation|\/mnt\/csi/,
      best: { [`${app}.volumeMounts[0].mountPropagation`]: null },
      ...guess,
      says: /mountPropagation/,
    },
    { volumes: [{ name: 'csi', hostPath: { path: '/mnt/csi' } }] },
  ),
  'mounts of the node that are no slaves': noContainer(
    'failed to generate container "3f" spec: failed to generate spec: path "/" is mounted on "/" but it is not a shared or slave mount',
    { volumeMounts: [{ name: 'root', mountPath: '/host', readOnly: true, mountPropagation: 'HostToContainer' }] as never },
    { culprit: /mountPropagation|\/host/, best: { [`${app}.volumeMounts[0].mountPropagation`]: null }, ...guess },
    { volumes: [{ name: 'root', hostPath: { path: '/' } }] },
  ),
  'an AppArmor profile that the node does not have': noContainer(
    'failed to create containerd container: failed to generate apparmor spec opts: apparmor profile not found k8s-shop-strict',
    { securityContext: { appArmorProfile: { type: 'Localhost', localhostProfile: 'k8s-shop-strict' } } as never },
    {
      culprit: /k8s-shop-strict/,
      best: { [`${app}.securityContext.appArmorProfile`]: { type: 'RuntimeDefault' } },
      ...guess,
      says: /AppArmor/,
    },
  ),
  'an AppArmor profile on a node without AppArmor': notStarted(
    'error during container init: unable to apply apparmor profile: apparmor failed to apply profile: write /proc/self/attr/apparmor/exec: no such file or directory',
    { securityContext: { appArmorProfile: { type: 'RuntimeDefault' } } as never },
    { culprit: /AppArmor/i, best: { [`${app}.securityContext.appArmorProfile`]: null }, ...guess },
  ),
  'labels of SELinux that the node does not know': notStarted(
    'error during container init: failed to set /proc/self/attr/keycreate on procfs: write /proc/self/attr/keycreate: invalid argument',
    { securityContext: { seLinuxOptions: { type: 'container_sshop_t' } } as never },
    { culprit: /seLinuxOptions|container_sshop_t/, best: { [`${app}.securityContext.seLinuxOptions`]: null }, ...guess, says: /SELinux/ },
  ),
  'a resource of a device class that is not prepared': told(
    [
      'FailedPrepareDynamicResources',
      'Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed: DRA driver gpu.example.com is not registered: no plugin found',
    ],
    { culprit: /gpu\.example\.com/, best: null, says: /DRA driver|device driver/ },
    { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } as never,
  ),
  'a volume that is an image, with a folder that it does not have': noContainer(
    'failed to generate container "a1" spec: failed to generate spec: failed to mkdir "": failed to ensure image volume sub path "models/v2" for mount "/models": no such file or directory',
    { volumeMounts: [{ name: 'model', mountPath: '/models', subPath: 'models/v2' }] },
    { culprit: /models\/v2|model\b/, best: { [`${app}.volumeMounts[0].subPath`]: null }, ...guess },
    { volumes: [{ name: 'model', image: { reference: 'registry.example.com/model:1' } }] as never },
  ),
  'users of its own on a file system that cannot map them': notStarted(
    "error during container init: failed to fulfil mount request: failed to set MOUNT_ATTR_IDMAP on /var/lib/kubelet/pods/1/volumes/kubernetes.io~nfs/media: invalid argument (maybe the filesystem used doesn't support idmap mounts on this kernel?)",
    { volumeMounts: [{ name: 'media', mountPath: '/media' }] },
    { culprit: /hostUsers/, best: { 'spec.hostUsers': null }, ...guess, says: /media/ },
    { hostUsers: false, volumes: [{ name: 'media', nfs: { server: 'nfs', path: '/media' } }] } as never,
  ),
};

const PROC =
  'failed to start sandbox "07c9": failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "proc" to rootfs at "/proc": mount src=proc, dst=/proc, dstFd=/proc/thread-self/fd/13, flags=MS_NOSUID|MS_NODEV|MS_NOEXEC: operation not permitted';

const SANDBOXES: Record<string, CureRow> = {
  'users of its own, and no rights to mount proc': noSandbox(
    PROC,
    { culprit: /hostUsers/, best: { 'spec.hostUsers': null }, ...guess },
    {
      hostUsers: false,
    },
  ),
  'users of its own, with too few for all pods': noSandbox(
    'failed to start sandbox "x": could not allocate user namespace: all the UIDs and GIDs were allocated',
    { culprit: /hostUsers/, best: { 'spec.hostUsers': null }, ...guess },
    { hostUsers: false },
  ),
  'users of its own, which gVisor does not give': noSandbox(
    'failed to get sandbox runtime: the handler "gvisor" does not support user namespaces',
    { culprit: /hostUsers/, best: { 'spec.hostUsers': null }, ...guess },
    { hostUsers: false, runtimeClassName: 'gvisor' },
  ),
  'no rights to mount proc, and nothing of it in the pod': noSandbox(PROC, { culprit: /proc/, best: null }),
  'a node whose limit for user namespaces is used up': noSandbox(
    'failed to start sandbox "x": failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: unshare: no space left on device',
    { culprit: /hostUsers/, best: { 'spec.hostUsers': null }, ...guess },
    { hostUsers: false },
  ),
  'a full disk of the node': noSandbox('failed to reserve sandbox name: mkdir /run/containerd/x: no space left on device', {
    culprit: /no space left on device/,
    best: null,
  }),
};

const MOUNTS: Record<string, CureRow> = {
  'a bundle of certificates that nobody made': noMount(
    'roots',
    'unable to get ClusterTrustBundle: clustertrustbundle.certificates.k8s.io "corp-roots" not found',
    {
      culprit: /ClusterTrustBundle corp-roots/,
      best: { 'spec.volumes[0].projected.sources[0].clusterTrustBundle.optional': true },
      ...guess,
    },
    { volumes: [{ name: 'roots', projected: { sources: [{ clusterTrustBundle: { name: 'corp-roots', path: 'ca.pem' } }] } }] as never },
  ),
  'bundles of a signer that nobody made': noMount(
    'roots',
    'combination of signerName and labelSelector matched zero ClusterTrustBundles',
    {
      culprit: /ClusterTrustBundle.*example\.com\/mesh/,
      best: { 'spec.volumes[0].projected.sources[1].clusterTrustBundle.optional': true },
      ...guess,
    },
    {
      volumes: [
        {
          name: 'roots',
          projected: {
            sources: [
              { serviceAccountToken: { path: 'token' } },
              { clusterTrustBundle: { signerName: 'example.com/mesh', path: 'ca.pem' } },
            ],
          },
        },
      ] as never,
    },
  ),
  'a certificate of the pod that its signer refuses': noMount(
    'certs',
    'pod certificate request "shop-x" was permanently denied: reason="UnknownDomain" message="no such trust domain"',
    { culprit: /denied|UnknownDomain/, best: null, says: /signer/ },
    {
      volumes: [
        { name: 'certs', projected: { sources: [{ podCertificate: { signerName: 'example.com/mesh', keyType: 'ED25519' } }] } },
      ] as never,
    },
  ),
  'a folder of Git, which is switched off': noMount(
    'repo',
    'git volumes have been disabled, unable to mount',
    { culprit: /gitRepo|repo/, best: null, says: /init container/ },
    {
      volumes: [{ name: 'repo', gitRepo: { repository: 'https://git.example.com/shop.git' } }] as never,
    },
  ),
  'an inline volume of a driver that has none': noMount(
    'scratch',
    'kubernetes.io/csi: mounter.SetupAt failed to check volume lifecycle mode: volume mode "Ephemeral" not supported by driver ebs.csi.aws.com (only supports ["Persistent"])',
    { culprit: /ebs\.csi\.aws\.com/, best: null, says: /claim/ },
    { volumes: [{ name: 'scratch', csi: { driver: 'ebs.csi.aws.com' } }] as never },
  ),
  'a class of the secrets driver that is not there': noMount(
    'vault',
    'rpc error: code = Unknown desc = failed to get secretproviderclass default/shop-vault, error: SecretProviderClass.secrets-store.csi.x-k8s.io "shop-vault" not found',
    { culprit: /SecretProviderClass.*shop-vault/, best: null },
    {
      volumes: [
        { name: 'vault', csi: { driver: 'secrets-store.csi.k8s.io', volumeAttributes: { secretProviderClass: 'shop-vault' } } },
      ] as never,
    },
  ),
  'a token for a lifetime that the server refuses': noMount(
    'kube-api-access-x',
    'failed to fetch token: serviceaccounts "shop" is forbidden: User "system:node:node-1" cannot create resource "serviceaccounts/token" in API group "" in the namespace "default": no relationship found between node \'node-1\' and this object',
    { culprit: /shop/, best: null },
    { serviceAccountName: 'shop' },
  ),
  'a token of an account that was deleted': noMount(
    'kube-api-access-x',
    'failed to fetch token: serviceaccounts "shop" not found',
    { culprit: /ServiceAccount shop/, best: { 'spec.serviceAccountName': null }, ...guess },
    {
      serviceAccountName: 'shop',
    },
  ),
};

const claimOf = (template: string): Pod => ({ resourceClaims: [{ name: 'gpu', resourceClaimTemplateName: template }] }) as never;

const NODES: Record<string, CureRow> = {
  'a device claim that nobody has made of its template': {
    ...noNode('waiting for dynamic resource controller to create the resourceclaim "gpu"', claimOf('one-gpu'), {
      culprit: /one-gpu/,
      best: null,
      says: /ResourceClaimTemplate/,
    }),
    events: [
      [
        'FailedResourceClaimCreation',
        'PodResourceClaim gpu: cannot find template "one-gpu": resourceclaimtemplate.resource.k8s.io "one-gpu" not found',
      ],
    ],
  },
  'a device claim that is not there': noNode(
    'resourceclaim "gpu-shop" not found',
    { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu-shop' }] } as never,
    { culprit: /gpu-shop/, best: null, says: /Create/ },
  ),
  'a device class that is not there': noNode(
    '0/1 nodes are available: 1 request gpu: device class gpu.example.org does not exist. still not schedulable, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    claimOf('one-gpu'),
    { culprit: /gpu\.example\.org/, best: null, says: /DeviceClass/ },
  ),
  'devices that no node has left': noNode(
    '0/3 nodes are available: 3 cannot allocate all claims. still not schedulable, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    claimOf('one-gpu'),
    { culprit: /one-gpu/, best: null, says: /ResourceSlices/ },
  ),
  'a claim of an ephemeral volume that is not made yet': noNode(
    'waiting for ephemeral volume controller to create the persistentvolumeclaim "shop-scratch"',
    { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } }] as never },
    { culprit: /shop-scratch/, best: null, says: /ephemeral/ },
  ),
  'a claim of the name of an ephemeral one that somebody else made': noNode(
    'PVC default/shop-scratch was not created for pod default/shop (pod is not owner)',
    { volumes: [{ name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'] } } } }] as never },
    { culprit: /shop-scratch/, best: null, says: /owner|another/ },
  ),
  'more zones than there are': noNode(
    "0/2 nodes are available: 2 node(s) didn't match pod topology spread constraints.",
    {
      topologySpreadConstraints: [
        {
          topologyKey: 'topology.kubernetes.io/zone',
          maxSkew: 1,
          minDomains: 3,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: { matchLabels: { app: 'shop' } },
        },
      ] as never,
    },
    { culprit: /minDomains/, best: { 'spec.topologySpreadConstraints[0].minDomains': 2 }, ...likely },
    [nodeIn('a'), nodeIn('b')],
  ),
  'a feature that no node declares': noNode(
    "0/1 nodes are available: 1 node(s) didn't match Pod's required features: [RestartAllContainersOnContainerExits].",
    {},
    { culprit: /RestartAllContainersOnContainerExits/, best: null },
  ),
  'a gang of which too few are there': noNode(
    'waiting for minCount pods from a gang to be waiting on permit',
    {},
    { culprit: /gang|minCount/, best: null },
  ),
};

function nodeIn(zone: string) {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: `node-${zone}`, labels: { 'topology.kubernetes.io/zone': zone } },
    spec: {},
    status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } },
  } as never;
}

const REJECTED: Record<string, CureRow> = {
  'a feature that the node does not have': {
    object: rejected(
      'shop',
      'PodFeatureUnsupported',
      'Pod was rejected: Pod requires node features that are not available: RestartAllContainersOnContainerExits',
    ),
    is: { reason: 'PodFeatureUnsupported', culprit: /RestartAllContainersOnContainerExits/, best: null },
  },
  'devices of two sockets': {
    object: rejected('shop', 'TopologyAffinityError', 'Pod was rejected: Resources cannot be allocated with Topology locality', {
      containers: [{ name: 'app', image: 'web:1', resources: { limits: { cpu: '6', 'example.com/nic': '1' } } }],
    }),
    is: { reason: 'TopologyAffinityError', culprit: /Topology/, best: null, says: /NUMA/ },
  },
};

const REFUSED: Record<string, CureRow> = {
  'a priority as a number beside its class': refused(
    'the integer value of priority (1000) must not be provided in pod spec; priority admission controller computed 0 from the given PriorityClass name',
    { priority: 1000 } as never,
    { culprit: /priority/, best: { 'spec.template.spec.priority': null }, ...likely },
  ),
  'a rule for preemption that contradicts the class': refused(
    'the string value of PreemptionPolicy (Never) must not be provided in pod spec; priority admission controller computed PreemptLowerPriority from the given PriorityClass name',
    { preemptionPolicy: 'Never' } as never,
    { culprit: /preemptionPolicy/, best: { 'spec.template.spec.preemptionPolicy': null }, ...likely },
  ),
  'an overhead that contradicts the class': refused(
    "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
    { runtimeClassName: 'kata', overhead: { cpu: '1' } } as never,
    { culprit: /overhead/, best: { 'spec.template.spec.overhead': null }, ...likely },
  ),
  'an overhead without a class': refused(
    'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
    { overhead: { cpu: '1' } } as never,
    {
      culprit: /overhead/,
      best: { 'spec.template.spec.overhead': null },
      ...likely,
    },
  ),
  'tolerations that the namespace does not allow': refused(
    'pod tolerations (possibly merged with namespace default tolerations) conflict with its namespace whitelist',
    { tolerations: [{ operator: 'Exists' }] } as never,
    { culprit: /toleration/, best: null },
  ),
  'labels for nodes that contradict the namespace': refused(
    'pod node label selector conflicts with its project node label selector',
    { nodeSelector: { pool: 'gpu' } },
    { culprit: /node ?(?:label )?selector/i, best: null },
  ),
};

const whole = (limits: Record<string, string>): Pod => ({ resources: { limits } }) as never;

const WHOLE_POD: Record<string, CureRow> = {
  'a memory limit of the pod as a whole': {
    object: one('shop', loops(137, 'OOMKilled'), {}, whole({ memory: '128Mi' })),
    is: { reason: 'OOMKilled', culprit: /128Mi/, best: { 'spec.resources.limits.memory': /./ }, ...likely },
  },
  'a program that must be process 1': crash(
    's6-overlay-suexec: fatal: can only run as pid 1\n',
    {},
    { culprit: /pid 1/, best: { 'spec.shareProcessNamespace': null }, ...likely },
    [],
    { shareProcessNamespace: true } as never,
  ),
  'a program that must be process 1 and is not, in an ordinary pod': crash(
    's6-overlay-suexec: fatal: can only run as pid 1\n',
    { command: ['sh', '-c', '/init'] },
    { culprit: /pid 1/, best: null },
  ),
};

const VOLUME_IMAGES: Record<string, CureRow> = {
  'an image of a volume that nobody has': {
    object: one(
      'shop',
      waits(
        'ImagePullBackOff',
        'Back-off pulling image "registry.example.com/models/rank:2026-11": ErrImagePull: failed to pull and unpack image "registry.example.com/models/rank:2026-11": not found',
      ),
      { image: 'web:1', volumeMounts: [{ name: 'model', mountPath: '/models' }] },
      { volumes: [{ name: 'model', image: { reference: 'registry.example.com/models/rank:2026-11' } }] as never },
    ),
    is: {
      reason: 'ImagePullBackOff',
      culprit: /models\/rank:2026-11/,
      best: { 'spec.volumes[0].image.reference': /:latest$/ },
      ...guess,
      says: /volume `model`/,
    },
  },
};

/** New and rare fields of a pod, each with the message of its failure. */
export const POD_FIELDS: Record<string, CureRow> = {
  ...FILES,
  ...CREATED,
  ...SANDBOXES,
  ...MOUNTS,
  ...NODES,
  ...REJECTED,
  ...REFUSED,
  ...WHOLE_POD,
  ...VOLUME_IMAGES,
};
