import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Pod } from '../../../src/crd/kubernetes.ts';
import * as around from '../../../src/modes/offline/surroundings.ts';

const test = suite('what is kept of surroundings');

const SECRET = 'hunter2-tr0ub4dor';
/** Metadata as a cluster has it, of which only the name and the namespace are kept. */
const metadata = {
  name: 'x',
  namespace: 'shop',
  uid: 'u',
  labels: { app: 'web', 'pod-security.kubernetes.io/enforce': 'baseline' },
  annotations: { note: SECRET, 'storageclass.kubernetes.io/is-default-class': 'true' },
};
const named = { name: 'x', namespace: 'shop' };
const container = {
  name: 'app',
  image: 'web:1',
  command: [SECRET],
  env: [
    { name: 'POSTGRES_DB', value: 'orders' },
    { name: 'TOKEN', value: SECRET },
    { name: 'POSTGRES_PASSWORD', value: SECRET },
  ],
  ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }],
};
const keptContainer = {
  name: 'app',
  image: 'web:1',
  env: [{ name: 'POSTGRES_DB', value: 'orders' }],
  ports: [{ containerPort: 81, hostPort: 8081 }],
};

const TABLE: [what: string, keep: (object: never) => KubeObject, object: object, kept: object][] = [
  [
    'a ConfigMap: values that may be settings, the keys of others, no secret',
    around.configMapAround,
    { metadata, data: { size: '4', url: `password=${SECRET}`, big: 'x'.repeat(10_000) }, binaryData: { logo: SECRET } },
    { kind: 'ConfigMap', metadata: named, data: { size: '4', url: 'password=***', big: '', logo: '' } },
  ],
  [
    'a Secret: its type and keys, no value',
    around.secretAround,
    { metadata, type: 'Opaque', data: { password: SECRET, user: SECRET } },
    { kind: 'Secret', metadata: named, type: 'Opaque', data: { password: '', user: '' } },
  ],
  ['a Secret without data', around.secretAround, { metadata }, { kind: 'Secret', metadata: named, data: {} }],
  [
    'a quota: limits and usage',
    around.quotaAround,
    { metadata, spec: { hard: { pods: '4' } }, status: { used: { pods: '2' } } },
    { kind: 'ResourceQuota', metadata: named, spec: { hard: { pods: '4' } }, status: { used: { pods: '2' } } },
  ],
  [
    'a ServiceAccount: its name',
    around.serviceAccountAround,
    { metadata, secrets: [{ name: SECRET }] },
    { kind: 'ServiceAccount', metadata: named },
  ],
  [
    'a Service: ports and selector',
    around.serviceAround,
    { metadata, spec: { ports: [{ port: 80 }], selector: { app: 'web' }, clusterIP: '10.0.0.1' } },
    { kind: 'Service', metadata: named, spec: { ports: [{ port: 80 }], selector: { app: 'web' } } },
  ],
  ['a Service without either', around.serviceAround, { metadata }, { kind: 'Service', metadata: named, spec: { ports: [] } }],
  [
    'a NetworkPolicy: its rules',
    around.networkPolicyAround,
    { metadata, spec: { podSelector: {} } },
    { kind: 'NetworkPolicy', metadata: named, spec: { podSelector: {} } },
  ],
  [
    'a LimitRange: its bounds',
    around.limitRangeAround,
    { metadata, spec: { limits: [{ type: 'Pod' }] } },
    { kind: 'LimitRange', metadata: named, spec: { limits: [{ type: 'Pod' }] } },
  ],
  [
    'a namespace: its Pod Security labels',
    around.namespaceAround,
    { metadata: { ...metadata, namespace: undefined } },
    { kind: 'Namespace', metadata: { name: 'x', labels: { 'pod-security.kubernetes.io/enforce': 'baseline' } } },
  ],
  [
    'a claim: its phase and what it asks for',
    around.claimAround,
    {
      metadata,
      spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: {} }, volumeName: 'v', dataSource: SECRET },
      status: { phase: 'Pending', capacity: {} },
    },
    {
      kind: 'PersistentVolumeClaim',
      metadata: named,
      spec: { storageClassName: 'fast', accessModes: ['ReadWriteOnce'], resources: { requests: {} }, volumeName: 'v' },
      status: { phase: 'Pending' },
    },
  ],
  [
    'a volume: what a claim must ask for, and the claim that it is for',
    around.volumeAround,
    {
      metadata: { name: 'v' },
      spec: {
        storageClassName: 'fast',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: { namespace: 'shop', name: 'data', uid: 'u' },
        csi: { volumeHandle: SECRET },
        nodeAffinity: { required: { nodeSelectorTerms: [] } },
      },
    },
    {
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: {
        storageClassName: 'fast',
        accessModes: ['ReadWriteOnce'],
        capacity: { storage: '1Gi' },
        claimRef: { namespace: 'shop', name: 'data' },
        csi: {},
        nodeAffinity: { required: { nodeSelectorTerms: [] } },
      },
    },
  ],
  [
    'a volume for any claim',
    around.volumeAround,
    { metadata: { name: 'v' }, spec: { capacity: { storage: '1Gi' } } },
    {
      kind: 'PersistentVolume',
      metadata: { name: 'v' },
      spec: { storageClassName: undefined, accessModes: undefined, capacity: { storage: '1Gi' } },
    },
  ],
  [
    'a StorageClass: whether it is the default',
    around.storageClassAround,
    { metadata: { ...metadata, namespace: undefined }, parameters: { key: SECRET } },
    { kind: 'StorageClass', metadata: { name: 'x', annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
  ],
  [
    'a StorageClass that is not',
    around.storageClassAround,
    { metadata: { name: 'y' } },
    { kind: 'StorageClass', metadata: { name: 'y', annotations: { 'storageclass.kubernetes.io/is-default-class': 'false' } } },
  ],
  [
    'a Node: labels, taints, what it offers and its images',
    around.nodeAround,
    {
      metadata: { name: 'n', labels: { zone: 'a' }, annotations: { note: SECRET } },
      spec: { taints: [{ key: 'gpu' }], podCIDR: '10.0.0.0/24' },
      status: { allocatable: { cpu: '2' }, images: [{ names: ['web:1'] }], addresses: [] },
    },
    {
      kind: 'Node',
      metadata: { name: 'n', labels: { zone: 'a' } },
      spec: { taints: [{ key: 'gpu' }] },
      status: { allocatable: { cpu: '2' }, images: [{ names: ['web:1'] }] },
    },
  ],
  [
    'a Node without any of it',
    around.nodeAround,
    { metadata: { name: 'n' } },
    { kind: 'Node', metadata: { name: 'n', labels: {} }, spec: { taints: [] }, status: { allocatable: {}, images: [] } },
  ],
  [
    'a pod: images, the set-up of servers, host ports, claims, and what Services see of it',
    around.podAround,
    {
      metadata,
      spec: {
        nodeName: 'n',
        containers: [container],
        initContainers: [{ name: 'init', image: `https://ann:${SECRET}@example.org/x:1` }],
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
          { name: 's', secret: { secretName: 's' } },
        ],
      },
      status: {
        phase: 'Running',
        podIP: '10.0.0.2',
        conditions: [
          { type: 'Ready', status: 'True', message: SECRET },
          { type: 'Initialized', status: 'True' },
        ],
        containerStatuses: [{ name: 'app', imageID: 'web@sha256:1', state: { waiting: { message: SECRET } } }],
        initContainerStatuses: [{ name: 'init', imageID: 'x@sha256:2' }],
      },
    },
    {
      kind: 'Pod',
      metadata: { ...named, labels: metadata.labels },
      spec: {
        nodeName: 'n',
        containers: [keptContainer],
        initContainers: [{ name: 'init', image: 'https://ann:***@example.org/x:1', ports: undefined }],
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
      },
      status: {
        phase: 'Running',
        conditions: [{ type: 'Ready', status: 'True' }],
        containerStatuses: [{ name: 'app', imageID: 'web@sha256:1' }],
        initContainerStatuses: [{ name: 'init', imageID: 'x@sha256:2' }],
      },
    },
  ],
  [
    'the metrics of a pod: what its containers use',
    around.podMetricsAround,
    { metadata, window: '15s', containers: [{ name: 'app', usage: { memory: '1Mi' } }] },
    { kind: 'PodMetrics', metadata: named, containers: [{ name: 'app', usage: { memory: '1Mi' } }] },
  ],
];
for (const [what, keep, object, kept] of TABLE)
  test(what, () => {
    const found = keep(object as never);
    assert.equal(found, kept as unknown as KubeObject);
    assert.not.match(JSON.stringify(found), SECRET);
  });

test('what the pods of a node request is kept if it is known', () => {
  const node = { metadata: { name: 'n' } };
  assert.equal((around.nodeAround(node, { cpu: 1 }) as { podmendRequested?: object }).podmendRequested, { cpu: 1 });
  assert.not.ok('podmendRequested' in around.nodeAround(node));
});

test('a pod that just began has no lists', () => {
  const { metadata: about, ...rest } = around.podAround({ metadata: { name: 'x' }, spec: { containers: [] } } as Pod);
  assert.equal(about, { name: 'x' });
  assert.equal(JSON.parse(JSON.stringify(rest)), {
    kind: 'Pod',
    spec: { containers: [], initContainers: [] },
    status: { containerStatuses: [], initContainerStatuses: [] },
  });
});

test.run();
