import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { after } from '../../../builders/pod.ts';
import type { CureRow } from './cure.ts';
import { container, controller, ended, homeless, node, one, other, pod, waits } from '../documented.ts';
import { app, atMost, map, secret } from './rows.ts';

const NO_HELP = 'preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.';
const fromMap = (name: string, key: string) => ({ valueFrom: { configMapKeyRef: { name, key } } });

const homelessRow = (spec: Partial<PodSpec>, message: string, is: object, others: KubeObject[]): CureRow => ({
  object: homeless('waiting', spec, message),
  events: [['FailedScheduling', message]],
  others,
  is: { reason: 'Unschedulable', ...is } as CureRow['is'],
});
const config = (
  message: string,
  spec: Partial<PodSpec['containers'][0]>,
  podSpec: Partial<PodSpec>,
  rest: Omit<CureRow, 'object'>,
): CureRow => ({
  object: one('shop', waits('CreateContainerConfigError', message), spec, podSpec),
  ...rest,
});
const asks = (requests: Record<string, string>, limits?: Record<string, string>): Partial<PodSpec> => ({
  containers: [{ name: 'app', image: 'nginx', resources: { requests, ...(limits ? { limits } : {}) } }],
});
const term = (key: string, values: string[]) => ({
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }] }] },
  },
});
const small = () => [node('a'), node('b'), node('c')];

/** A pod that waits for the key `app.yaml` of its ConfigMap. */
const itemOfReports: Pick<CureRow, 'object' | 'events'> = {
  object: pod(
    'reports',
    {
      containers: [{ name: 'app', image: 'reports', volumeMounts: [{ name: 'conf', mountPath: '/conf' }] }],
      volumes: [{ name: 'conf', configMap: { name: 'reports', items: [{ key: 'app.yaml', path: 'app.yaml' }] } }],
    },
    [container('app', waits('ContainerCreating'))],
  ),
  events: [['FailedMount', 'MountVolume.SetUp failed for volume "conf" : configmap references non-existent config key: app.yaml']],
};

/** What the cluster lacks, or has with another name. */
export const CLUSTER: Record<string, CureRow> = {
  'one ConfigMap that is missing for variables and a volume of two containers': {
    object: pod(
      'shop',
      {
        containers: [
          {
            name: 'app',
            image: 'nginx',
            env: [{ name: 'MODE', ...fromMap('app-config', 'mode') }],
            envFrom: [{ configMapRef: { name: 'app-config' } }],
            volumeMounts: [{ name: 'conf', mountPath: '/etc/app' }],
          },
          { name: 'worker', image: 'nginx', env: [{ name: 'MODE', ...fromMap('app-config', 'mode') }] },
        ],
        volumes: [{ name: 'conf', configMap: { name: 'app-config' } }],
      },
      [container('app', waits('ContainerCreating')), container('worker', waits('ContainerCreating'))],
    ),
    events: [['FailedMount', 'MountVolume.SetUp failed for volume "conf" : configmap "app-config" not found']],
    others: [map('app-configuration', 'mode', 'port'), map('kube-root-ca.crt', 'ca.crt')],
    is: {
      reason: 'FailedMount',
      culprit: /ConfigMap app-config$/,
      best: {
        [`${app}.env[0].valueFrom.configMapKeyRef.name`]: 'app-configuration',
        [`${app}.envFrom[0].configMapRef.name`]: 'app-configuration',
        'spec.containers[1].env[0].valueFrom.configMapKeyRef.name': 'app-configuration',
        'spec.volumes[0].configMap.name': 'app-configuration',
      },
      confidence: ['likely'],
    },
  },
  'a key that is there with other separators and another case': config(
    "couldn't find key DATABASE_URL in ConfigMap default/settings",
    { env: [{ name: 'DATABASE_URL', ...fromMap('settings', 'DATABASE_URL') }] },
    {},
    {
      others: [map('settings', 'database-url', 'cache-url')],
      is: {
        reason: 'CreateContainerConfigError',
        culprit: /key DATABASE_URL in ConfigMap settings/,
        best: { [`${app}.env[0].valueFrom.configMapKeyRef.key`]: 'database-url' },
        confidence: ['certain', 'likely'],
      },
    },
  ),
  'a subPath of a key that the ConfigMap has with another ending': {
    object: one(
      'proxy',
      {
        restartCount: 3,
        state: {
          waiting: {
            reason: 'RunContainerError',
            message:
              'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: error mounting "/var/lib/kubelet/pods/1/volume-subpaths/conf/app/0" to rootfs at "/etc/nginx/nginx.conf": not a directory: Are you trying to mount a directory onto a file (or vice-versa)?: unknown',
          },
        },
      },
      { image: 'nginx', volumeMounts: [{ name: 'conf', mountPath: '/etc/nginx/nginx.conf', subPath: 'nginx.conf' }] },
      { volumes: [{ name: 'conf', configMap: { name: 'proxy-conf' } }] },
    ),
    others: [map('proxy-conf', 'nginx.cnf', 'mime.types')],
    is: {
      reason: 'StartError',
      culprit: /key nginx\.conf in ConfigMap proxy-conf/,
      best: { [`${app}.volumeMounts[0].subPath`]: 'nginx.cnf' },
      confidence: ['likely'],
    },
  },
  'an item of a volume whose key ends otherwise': {
    ...itemOfReports,
    others: [map('reports', 'app.yml')],
    is: {
      reason: 'FailedMount',
      culprit: /key app\.yaml in ConfigMap reports/,
      best: { 'spec.volumes[0].configMap.items[0].key': 'app.yml' },
      confidence: ['certain', 'likely'],
    },
  },
  'an item of a volume whose key came later': {
    ...itemOfReports,
    others: [map('reports', 'app.yaml', 'app.yml')],
    is: {
      reason: 'FailedMount',
      culprit: /key app\.yaml in ConfigMap reports/,
      best: null,
      says: /`reports` has the key `app\.yaml` now/,
    },
  },
  'a Secret whose real name has a prefix': config(
    'secret "db-credentials" not found',
    { env: [{ name: 'PGPASSWORD', valueFrom: { secretKeyRef: { name: 'db-credentials', key: 'password' } } }] },
    {},
    {
      others: [secret('shop-db-credentials', 'user', 'password'), secret('registry', '.dockerconfigjson')],
      is: {
        reason: 'CreateContainerConfigError',
        culprit: /Secret db-credentials/,
        best: { [`${app}.env[0].valueFrom.secretKeyRef.name`]: 'shop-db-credentials' },
        confidence: ['likely'],
      },
    },
  ),
  'a ConfigMap and a Secret that are both missing': config(
    'configmap "cart-conf" not found',
    {
      envFrom: [{ configMapRef: { name: 'cart-conf' } }],
      env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'cart-tokn', key: 'token' } } }],
    },
    {},
    {
      others: [map('cart-config', 'size'), secret('cart-token', 'token')],
      is: {
        reason: 'CreateContainerConfigError',
        culprit: /ConfigMap cart-conf/,
        best: {
          [`${app}.envFrom[0].configMapRef.name`]: 'cart-config',
          [`${app}.env[0].valueFrom.secretKeyRef.name`]: 'cart-token',
        },
        confidence: ['likely'],
      },
    },
  ),
  'a missing ConfigMap where no name is near': config(
    'configmap "feature-flags" not found',
    { envFrom: [{ configMapRef: { name: 'feature-flags' } }] },
    {},
    {
      others: [map('kube-root-ca.crt', 'ca.crt')],
      is: {
        reason: 'CreateContainerConfigError',
        culprit: /ConfigMap feature-flags/,
        best: { [`${app}.envFrom[0].configMapRef.optional`]: true },
        confidence: ['guess'],
      },
    },
  ),
  'a claim whose words are in another order': homelessRow(
    { containers: [{ name: 'app', image: 'nginx' }], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data-web' } }] },
    `0/3 nodes are available: persistentvolumeclaim "data-web" not found. ${NO_HELP}`,
    {
      culprit: /PersistentVolumeClaim data-web/,
      best: { 'spec.volumes[0].persistentVolumeClaim.claimName': 'web-data' },
      confidence: ['likely', 'guess'],
    },
    [other('PersistentVolumeClaim', 'web-data', { spec: {}, status: { phase: 'Bound' } }), ...small()],
  ),
  'processors and memory short at once': homelessRow(
    asks({ cpu: '16', memory: '64Gi' }),
    `0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient memory. ${NO_HELP}`,
    {
      culprit: /cpu request 16|memory request 64Gi/,
      best: { [`${app}.resources.requests.cpu`]: atMost('2'), [`${app}.resources.requests.memory`]: atMost('4Gi') },
      confidence: ['likely'],
    },
    small(),
  ),
  'processors, memory and a device short at once': homelessRow(
    asks({ cpu: '6', memory: '10Gi' }, { cpu: '6', memory: '10Gi', 'nvidia.com/gpu': '1' }),
    `0/3 nodes are available: 3 Insufficient cpu, 3 Insufficient memory, 3 Insufficient nvidia.com/gpu. ${NO_HELP}`,
    {
      culprit: /cpu|memory|nvidia/,
      best: {
        [`${app}.resources.requests.cpu`]: atMost('2'),
        [`${app}.resources.requests.memory`]: atMost('4Gi'),
        [`${app}.resources.limits["nvidia.com/gpu"]`]: null,
      },
      confidence: ['guess'],
    },
    small(),
  ),
  'a selector with a slip, and a request that hides behind it': homelessRow(
    { ...asks({ cpu: '8' }), nodeSelector: { disktype: 'sdd' } },
    `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NO_HELP}`,
    {
      culprit: /disktype=sdd/,
      best: { 'spec.nodeSelector.disktype': 'ssd', [`${app}.resources.requests.cpu`]: atMost('2') },
      confidence: ['likely'],
    },
    [node('a', { disktype: 'ssd' }), node('b', { disktype: 'hdd' }), node('c')],
  ),
  'a selector whose only node is too small': homelessRow(
    { ...asks({ memory: '12Gi' }), nodeSelector: { pool: 'batch' } },
    `0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector. ${NO_HELP}`,
    { culprit: /memory request 12Gi/, best: { [`${app}.resources.requests.memory`]: atMost('4Gi') }, confidence: ['likely'] },
    [node('a', { pool: 'batch' }), node('b', {}, { memory: '32Gi' }), node('c', {}, { memory: '32Gi' })],
  ),
  'a selector whose only node has a taint': homelessRow(
    { containers: [{ name: 'app', image: 'nginx' }], nodeSelector: { pool: 'db' } },
    `0/3 nodes are available: 1 node(s) had untolerated taint {dedicated: db}, 2 node(s) didn't match Pod's node affinity/selector. ${NO_HELP}`,
    {
      culprit: /taint dedicated=db/,
      best: { 'spec.tolerations': [{ key: 'dedicated', operator: 'Equal', value: 'db', effect: 'NoSchedule' }] },
      confidence: ['guess'],
    },
    [node('a', { pool: 'db' }, {}, [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }]), node('b'), node('c')],
  ),
  'a toleration with a slip in its value': homelessRow(
    {
      containers: [{ name: 'app', image: 'nginx' }],
      tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'gpus', effect: 'NoSchedule' }],
    },
    '0/2 nodes are available: 2 node(s) had untolerated taint {dedicated: gpu}. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    { culprit: /dedicated=gpu/, best: { 'spec.tolerations[0].value': 'gpu' }, confidence: ['likely'] },
    ['a', 'b'].map((name) => node(name, {}, {}, [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }])),
  ),
  'a toleration with a slip in its key and any value': homelessRow(
    {
      containers: [{ name: 'app', image: 'nginx' }],
      tolerations: [{ key: 'dedicatd', operator: 'Exists', effect: 'NoSchedule' }],
    },
    '0/2 nodes are available: 2 node(s) had untolerated taint {dedicated: gpu}. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    { culprit: /dedicated=gpu/, best: { 'spec.tolerations[0].key': 'dedicated' }, confidence: ['likely'] },
    ['a', 'b'].map((name) => node(name, {}, {}, [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }])),
  ),
  'a zone that the cluster does not have': homelessRow(
    { containers: [{ name: 'app', image: 'nginx' }], affinity: term('topology.kubernetes.io/zone', ['eu-west-1d', 'eu-west-1e']) },
    `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NO_HELP}`,
    {
      culprit: /zone In eu-west-1d/,
      best: {
        'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values': (
          to: unknown,
        ) => Array.isArray(to) && to.length > 0 && to.every((zone) => ['eu-west-1a', 'eu-west-1b'].includes(zone as string)),
      },
      confidence: ['likely', 'guess'],
    },
    [node('a', { 'topology.kubernetes.io/zone': 'eu-west-1a' }), node('b', { 'topology.kubernetes.io/zone': 'eu-west-1b' })],
  ),
  'a host port that another pod holds': homelessRow(
    { containers: [{ name: 'app', image: 'nginx', ports: [{ containerPort: 80, hostPort: 80 }] }] },
    "0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.",
    {
      culprit: /hostPort 80/,
      best: { [`${app}.ports[0].hostPort`]: null },
      confidence: ['certain', 'likely'],
      says: /edge-gateway/,
    },
    [
      pod(
        'edge-gateway',
        { containers: [{ name: 'app', image: 'envoy', ports: [{ containerPort: 8080, hostPort: 80 }] }], nodeName: 'a' },
        [container('app', { ready: true, state: { running: { startedAt: after(0) } } })],
      ),
      node('a'),
    ],
  ),
  'required anti-affinity with more replicas than nodes': homelessRow(
    {
      containers: [{ name: 'app', image: 'nginx' }],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      } as NonNullable<PodSpec['affinity']>,
    },
    "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules. preemption: 0/2 nodes are available: 2 No preemption victims found for incoming pod.",
    {
      culprit: /anti-affinity app=web/,
      best: {
        'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution': null,
        'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution': (to: unknown) =>
          Array.isArray(to) && to.length === 1,
      },
      confidence: ['certain', 'likely'],
    },
    [node('a'), node('b')],
  ),
  'a claim that wants a class with a slip': homelessRow(
    { containers: [{ name: 'app', image: 'nginx' }], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
    `0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${NO_HELP}`,
    { culprit: /data.*fast-sdd/, best: null, says: /fast-ssd/ },
    [
      other('PersistentVolumeClaim', 'data', { spec: { storageClassName: 'fast-sdd' }, status: { phase: 'Pending' } }),
      other('StorageClass', 'fast-ssd'),
      other('StorageClass', 'standard'),
      ...small(),
    ],
  ),
  'a claim whose class only its event names': homelessRow(
    { containers: [{ name: 'app', image: 'nginx' }], volumes: [{ name: 'd', persistentVolumeClaim: { claimName: 'data' } }] },
    `0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims. ${NO_HELP}`,
    { culprit: /gp3/, best: null, says: /gp3.*does not exist|no storage class.*gp3|gp3.*not exist/ },
    [
      other('PersistentVolumeClaim', 'data', { spec: { storageClassName: 'gp3' }, status: { phase: 'Pending' } }),
      other('Event', 'data.1', {
        type: 'Warning',
        reason: 'ProvisioningFailed',
        message: 'storageclass.storage.k8s.io "gp3" not found',
        lastTimestamp: after(30),
        involvedObject: { kind: 'PersistentVolumeClaim', namespace: 'default', name: 'data' },
      }),
      ...small(),
    ],
  ),
  'a selector and a missing ConfigMap behind it': homelessRow(
    {
      containers: [{ name: 'app', image: 'nginx', envFrom: [{ configMapRef: { name: 'web-settings' } }] }],
      nodeSelector: { 'kubernetes.io/arch': 'amd46' },
    },
    `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NO_HELP}`,
    {
      culprit: /kubernetes\.io\/arch=amd46/,
      best: {
        'spec.nodeSelector["kubernetes.io/arch"]': 'amd64',
        [`${app}.envFrom[0].configMapRef.name`]: 'web-setting',
      },
      confidence: ['likely'],
    },
    [map('web-setting', 'a'), node('a', { 'kubernetes.io/arch': 'amd64' })],
  ),
  'a Job that gave up, with its pod': {
    object: controller(
      'Job',
      'report',
      { restartPolicy: 'Never', containers: [{ name: 'app', image: 'report:1', env: [{ name: 'S3_BUCKT', value: 'x' }] }] },
      {
        status: {
          failed: 2,
          conditions: [
            { type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached the specified backoff limit' },
          ],
        },
      },
    ),
    others: [
      pod(
        'report-x1',
        { restartPolicy: 'Never', containers: [{ name: 'app', image: 'report:1', env: [{ name: 'S3_BUCKT', value: 'x' }] }] },
        [container('app', ended(1))],
        {
          metadata: {
            name: 'report-x1',
            ownerReferences: [{ apiVersion: 'batch/v1', kind: 'Job', name: 'report', uid: 'uid-report', controller: true }],
          },
          status: { phase: 'Failed' },
        },
      ),
    ],
    log: "KeyError: 'S3_BUCKET'\n",
    logPod: 'report-x1',
    is: {
      reason: 'BackoffLimitExceeded',
      culprit: /S3_BUCKET/,
      best: { 'spec.template.spec.containers[0].env[0].name': 'S3_BUCKET' },
      confidence: ['certain', 'likely'],
    },
  },
};
