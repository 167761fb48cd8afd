import type { PodSpec } from '../../../../src/crd/kubernetes.ts';
import { type Documented, type Expectation, homeless, node, other } from './documented.ts';

/** A pod that waits for a node, with the scheduler's event. */
function waitsFor(
  page: string,
  spec: Partial<PodSpec>,
  message: string,
  is: Omit<Expectation, 'reason'>,
  others?: Documented['others'],
): Documented {
  return {
    page,
    object: homeless('waiting', spec, message),
    events: [['FailedScheduling', message]],
    ...(others ? { others } : {}),
    is: { reason: 'Unschedulable', ...is },
  };
}

const asks = (requests: Record<string, string>, limits?: Record<string, string>) => ({
  containers: [{ name: 'app', image: 'nginx', resources: { requests, ...(limits ? { limits } : {}) } }],
});
const NO_HELP = (nodes: number) => `preemption: 0/${nodes} nodes are available: ${nodes} Preemption is not helpful for scheduling.`;

/** Pods that cannot be scheduled. */
export const SCHEDULING: Record<string, Documented> = {
  'more memory than any node has (old words)': waitsFor(
    'tasks/configure-pod-container/assign-memory-resource',
    asks({ memory: '1000Gi' }, { memory: '1000Gi' }),
    'No nodes are available that match all of the following predicates:: Insufficient memory (3).',
    { culprit: /memory/ },
  ),
  'more memory than any node has': waitsFor(
    'tasks/configure-pod-container/assign-memory-resource',
    asks({ memory: '1000Gi' }),
    `0/3 nodes are available: 3 Insufficient memory. ${NO_HELP(3)}`,
    { culprit: /memory.*1000Gi|1000Gi.*memory/, fix: ['spec.containers[0].resources.requests.memory'] },
    [node('a'), node('b'), node('c')],
  ),
  'more processors than any node has': waitsFor(
    'tasks/configure-pod-container/assign-cpu-resource',
    asks({ cpu: '100' }),
    'No nodes are available that match all of the following predicates:: Insufficient cpu (3).',
    { culprit: /cpu/ },
  ),
  'a fit failure, node by node': waitsFor(
    'tasks/debug/debug-application/debug-running-pod',
    asks({ cpu: '1' }),
    "pod (nginx-deployment-1370807587-fz9sd) failed to fit in any node\nfit failure on node (kubernetes-node-6ta5): Node didn't have enough resource: CPU, requested: 1000, used: 1420, capacity: 2000\nfit failure on node (kubernetes-node-wul5): Node didn't have enough resource: CPU, requested: 1000, used: 1100, capacity: 2000",
    { culprit: /cpu/i },
  ),
  'dongles that are all taken': waitsFor(
    'tasks/configure-pod-container/extended-resource',
    asks({ 'example.com/dongle': '2' }, { 'example.com/dongle': '2' }),
    'pod (extended-resource-demo-2) failed to fit in any node\nfit failure summary on nodes : Insufficient example.com/dongle (1)',
    { culprit: /example\.com\/dongle/ },
  ),
  'a GPU where no node has one': waitsFor(
    'tasks/manage-gpus/scheduling-gpus',
    asks({}, { 'gpu-vendor.example/example-gpu': '1' }),
    `0/2 nodes are available: 2 Insufficient gpu-vendor.example/example-gpu. ${NO_HELP(2)}`,
    { culprit: /gpu-vendor\.example\/example-gpu/ },
    [node('a'), node('b')],
  ),
  'huge pages that no node sets aside': waitsFor(
    'tasks/manage-hugepages/scheduling-hugepages',
    asks({ memory: '100Mi' }, { 'hugepages-2Mi': '100Mi', memory: '100Mi' }),
    `0/1 nodes are available: 1 Insufficient hugepages-2Mi. ${NO_HELP(1)}`,
    { culprit: /hugepages-2Mi/ },
  ),
  'more disk than any node has': waitsFor(
    'concepts/configuration/manage-resources-containers',
    asks({ 'ephemeral-storage': '2Ti' }),
    `0/4 nodes are available: 4 Insufficient ephemeral-storage. ${NO_HELP(4)}`,
    { culprit: /ephemeral-storage/ },
  ),
  'a node label nearly right': waitsFor(
    'tasks/configure-pod-container/assign-pods-nodes',
    { nodeSelector: { disktype: 'sdd' } },
    `0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector. ${NO_HELP(3)}`,
    { culprit: /disktype.*sdd/, fix: ['spec.nodeSelector.disktype'] },
    [node('worker0', { disktype: 'ssd' }), node('worker1'), node('worker2')],
  ),
  'a node label that no node has (old words)': waitsFor(
    'concepts/scheduling-eviction/assign-pod-node',
    { nodeSelector: { disktype: 'nvme' } },
    "0/4 nodes are available: 4 node(s) didn't match node selector.",
    { culprit: /disktype/ },
  ),
  'a required zone that does not exist': waitsFor(
    'concepts/scheduling-eviction/assign-pod-node',
    {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['antarctica-east1'] }] },
            ],
          },
        },
      },
    },
    `0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector. ${NO_HELP(2)}`,
    { culprit: /topology\.kubernetes\.io\/zone|antarctica-east1/ },
    [node('a', { 'topology.kubernetes.io/zone': 'antarctica-west1' }), node('b', { 'topology.kubernetes.io/zone': 'antarctica-west1' })],
  ),
  'a taint that the pod does not tolerate': waitsFor(
    'concepts/scheduling-eviction/taint-and-toleration',
    {},
    "0/1 nodes are available: 1 node(s) had taint {key1: value1}, that the pod didn't tolerate.",
    { culprit: /key1/ },
    [node('node1', {}, {}, [{ key: 'key1', value: 'value1', effect: 'NoSchedule' }])],
  ),
  'the taint of the control plane': waitsFor(
    'concepts/scheduling-eviction/taint-and-toleration',
    {},
    `0/1 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }. ${NO_HELP(1)}`,
    { culprit: /node-role\.kubernetes\.io\/control-plane/ },
  ),
  'the taint of a node short of disk': waitsFor(
    'concepts/scheduling-eviction/taint-and-toleration',
    {},
    '0/2 nodes are available: 2 node(s) had untolerated taint(s). no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    { culprit: /node\.kubernetes\.io\/disk-pressure|taint/ },
    [
      node('a', {}, {}, [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }]),
      node('b', {}, {}, [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }]),
    ],
  ),
  'several causes at once': waitsFor(
    'concepts/scheduling-eviction/assign-pod-node',
    { nodeSelector: { accelerator: 'tpu' }, ...asks({ cpu: '500m' }) },
    "0/5 nodes are available: 1 Insufficient cpu, 1 node(s) had untolerated taint {dedicated: infra}, 3 node(s) didn't match Pod's node affinity/selector. preemption: 0/5 nodes are available: 1 No preemption victims found for incoming pod, 4 Preemption is not helpful for scheduling.",
    { culprit: /accelerator/ },
  ),
  'a spread that cannot be kept': waitsFor(
    'concepts/scheduling-eviction/topology-spread-constraints',
    {
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { foo: 'bar' } } },
      ],
    },
    `0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.`,
    { culprit: /zone|spread/, fix: ['spec.topologySpreadConstraints[0].whenUnsatisfiable'] },
  ),
  'a spread over a label that nodes lack': waitsFor(
    'concepts/scheduling-eviction/topology-spread-constraints',
    { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zoneA', whenUnsatisfiable: 'DoNotSchedule', labelSelector: {} }] },
    `0/3 nodes are available: 3 node(s) didn't match pod topology spread constraints (missing required label). ${NO_HELP(3)}`,
    { culprit: /zoneA/ },
  ),
  'replicas that keep away from each other': waitsFor(
    'concepts/scheduling-eviction/assign-pod-node',
    {
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: 'store' } }, topologyKey: 'kubernetes.io/hostname' },
          ],
        },
      },
    },
    "0/3 nodes are available: 3 node(s) didn't match pod affinity/anti-affinity, 3 node(s) didn't match pod anti-affinity rules.",
    { culprit: /anti-?affinity/i },
  ),
  'a companion that is not there': waitsFor(
    'concepts/scheduling-eviction/assign-pod-node',
    {
      affinity: {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            {
              labelSelector: { matchExpressions: [{ key: 'security', operator: 'In', values: ['S1'] }] },
              topologyKey: 'topology.kubernetes.io/zone',
            },
          ],
        },
      },
    },
    `0/3 nodes are available: 3 node(s) didn't match pod affinity rules. ${NO_HELP(3)}`,
    { culprit: /affinity|security/i },
  ),
  'a host port that is taken': waitsFor(
    'concepts/configuration/overview',
    { containers: [{ name: 'app', image: 'nginx', ports: [{ containerPort: 80, hostPort: 8080 }] }] },
    `0/1 nodes are available: 1 node(s) didn't have free ports for the requested pod ports. ${NO_HELP(1)}`,
    { culprit: /8080/, fix: ['spec.containers[0].ports[0].hostPort'] },
  ),
  'a volume of another zone': waitsFor(
    'setup/best-practices/multiple-zones',
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'mysql-data' } }] },
    '0/3 nodes are available: 1 Insufficient memory, 2 node(s) had volume node affinity conflict.',
    { culprit: /mysql-data|volume node affinity/, fix: null },
  ),
  'no volume to bind': waitsFor(
    'concepts/storage/storage-classes',
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'local-claim' } }] },
    `0/3 nodes are available: 3 node(s) didn't find available persistent volumes to bind. ${NO_HELP(3)}`,
    { culprit: /local-claim|persistent volume/ },
    [other('PersistentVolumeClaim', 'local-claim', { spec: { storageClassName: 'local-storage' }, status: { phase: 'Pending' } })],
  ),
  'a claim that is not bound (old words)': waitsFor(
    'tasks/configure-pod-container/configure-persistent-volume-storage',
    { volumes: [{ name: 'task-pv-storage', persistentVolumeClaim: { claimName: 'task-pv-claim' } }] },
    'pod has unbound PersistentVolumeClaims (repeated 3 times)',
    { culprit: /task-pv-claim/ },
    [other('PersistentVolumeClaim', 'task-pv-claim', { spec: { storageClassName: 'manual' }, status: { phase: 'Pending' } })],
  ),
  'a claim nearly of that name': waitsFor(
    'tasks/configure-pod-container/configure-persistent-volume-storage',
    { volumes: [{ name: 'task-pv-storage', persistentVolumeClaim: { claimName: 'task-pv-clam' } }] },
    `0/1 nodes are available: persistentvolumeclaim "task-pv-clam" not found. ${NO_HELP(1)}`,
    { culprit: /task-pv-clam\b/, fix: ['spec.volumes[0].persistentVolumeClaim.claimName'] },
    [other('PersistentVolumeClaim', 'task-pv-claim', { status: { phase: 'Bound' } })],
  ),
  'a claim that one pod alone may use': waitsFor(
    'concepts/storage/persistent-volumes',
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'single-writer-only' } }] },
    '0/1 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
    { culprit: /single-writer-only|ReadWriteOncePod/ },
  ),
  'more volumes than a node takes': waitsFor(
    'concepts/storage/storage-limits',
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'v' } }] },
    '0/2 nodes are available: 2 node(s) exceed max volume count.',
    { culprit: /max volume count|volumes/i, fix: null },
  ),
  'nodes that are full of pods': waitsFor(
    'setup/best-practices/cluster-large',
    {},
    '0/3 nodes are available: 3 Too many pods. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    { culprit: /pods/i, fix: null },
  ),
  'nodes that are being drained': waitsFor(
    'tasks/administer-cluster/safely-drain-node',
    {},
    `0/2 nodes are available: 2 node(s) were unschedulable. ${NO_HELP(2)}`,
    { culprit: /unschedulable|cordon/i, fix: null },
  ),
  'a resource claim that nobody made': waitsFor(
    'concepts/scheduling-eviction/dynamic-resource-allocation',
    { resourceClaims: [{ name: 'cat-0', resourceClaimName: 'large-black-cat' }] },
    `0/1 nodes are available: resourceclaim "large-black-cat" not found. ${NO_HELP(1)}`,
    { culprit: /large-black-cat/ },
  ),
  'devices that no node offers': waitsFor(
    'concepts/scheduling-eviction/dynamic-resource-allocation',
    { resourceClaims: [{ name: 'cat-0', resourceClaimTemplateName: 'large-black-cat-claim-template' }] },
    '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.',
    { culprit: /claim/, fix: null },
  ),
  'less room than lower priorities leave': waitsFor(
    'concepts/scheduling-eviction/pod-priority-preemption',
    { priorityClassName: 'high-priority-nonpreempting', ...asks({ cpu: '1' }) },
    '0/2 nodes are available: 2 Insufficient cpu. preemption: not eligible due to preemptionPolicy=Never.',
    { culprit: /cpu/ },
    [node('a'), node('b')],
  ),
};
