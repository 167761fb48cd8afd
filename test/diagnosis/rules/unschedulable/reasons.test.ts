import { suite } from 'uvu';
import { unschedulable } from '../../../../src/diagnosis/rules/unschedulable.ts';
import { explainReason } from '../../../../src/diagnosis/rules/unschedulable/reasons.ts';
import { SCHEDULING_CAUSES } from '../../../../src/diagnosis/facts/scheduling.ts';
import * as assert from 'uvu/assert';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { tells, type Told } from '../../../support/builders/told-by-rule.ts';

const reasons = suite('reasons of the scheduler');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
}
const placed = (message: string, { app = {}, spec = {}, ...parts }: Pod = {}) =>
  unschedulable.answer(
    anInput(app, spec, { failure_reason: 'Unschedulable', failure_message: message, container: null, container_statuses: [], ...parts }),
  );
const all = (why: string) => `0/3 nodes are available: ${why}. preemption: 0/3 nodes are available: 3 No preemption victims found.`;
const requests = (requests: object) => ({ app: { resources: { requests } } });
const node = (name: string, more: object = {}) => ({ name, labels: {}, allocatable: {}, taints: [], ...more });
const nodes = (...list: object[]) => ({ surroundings: { nodes: list } }) as CaseParts;
const claim = (claimName: string) => ({ name: 'd', persistentVolumeClaim: { claimName } });
const claimed = (...names: string[]) => ({ spec: { volumes: names.map(claim) } });
const terms = (kind: string, ...required: object[]) => ({
  spec: { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: required } } },
});
const term = { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'cache', tier: 'x' } } };
const device = (more: object) => ({ spec: { resourceClaims: [{ name: 'gpu', ...more }] } });

type Row = [sentence: string, answer: ReturnType<typeof unschedulable.answer>, expected: Partial<Told> | undefined];
const ROWS: Row[] = [
  ['nothing about nodes', placed('all is well', { failure_reason: 'Pending' }), undefined],
  [
    'a resource',
    placed(all('3 Insufficient cpu'), requests({ cpu: '8' })),
    {
      summary: 'The pod `web` cannot be scheduled: not enough `cpu` is free (the pod requests `8`) (3 of 3 nodes).',
      culprit: 'cpu request 8',
      evidence: [
        'pod status: 0/3 nodes are available: 3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found.',
      ],
      advice: ["Lower the pod's request for `cpu` to what it needs, or add nodes that have it."],
      commands: ['kubectl describe pod web -n shop', 'kubectl describe nodes'],
      corrections: [['guess', 'Request `4` of `cpu`', { 'resources.requests.cpu': '4' }]],
      why: 'What is missing lies outside the pod: no field of its manifest provides it.',
      look: 'what the nodes have and what their pods request (`kubectl describe nodes`)',
    },
  ],
  [
    'a resource of which the largest node is known',
    placed(all('3 Insufficient cpu'), { ...requests({ cpu: '8' }), ...nodes(node('a', { allocatable: { cpu: '4' } })) }),
    {
      summary:
        'The pod `web` cannot be scheduled: not enough `cpu` is free (the pod requests `8`, the largest node has `4`) (3 of 3 nodes).',
      corrections: [['likely', 'Request `2` of `cpu`', { 'resources.requests.cpu': '2' }]],
    },
  ],
  [
    'a resource of which the free part is known',
    placed(all('3 Insufficient cpu'), { ...requests({ cpu: '8' }), ...nodes(node('a', { allocatable: { cpu: '4' }, used: { cpu: 1 } })) }),
    {
      summary:
        'The pod `web` cannot be scheduled: not enough `cpu` is free (the pod requests `8`, the most that a node has free is `3`) (3 of 3 nodes).',
    },
  ],
  [
    'a resource that nobody offers',
    placed(all('3 Insufficient example.com/gpu'), { app: { resources: { limits: { 'example.com/gpu': 1 } } }, ...nodes(node('a')) }),
    {
      summary: 'The pod `web` cannot be scheduled: no node offers `example.com/gpu` (the pod requests `1`) (3 of 3 nodes).',
      culprit: 'example.com/gpu request 1',
    },
  ],
  [
    'such a resource, and no nodes are known',
    placed(all('3 Insufficient example.com/gpu')),
    {
      summary: 'The pod `web` cannot be scheduled: not enough `example.com/gpu` is free (3 of 3 nodes).',
      culprit: 'example.com/gpu request',
    },
  ],
  [
    'a workload',
    placed(all('3 Too many pods'), { resource_kind: 'Deployment' }),
    {
      summary: 'The pod of the Deployment `web` cannot be scheduled: nodes already run as many pods as they may (3 of 3 nodes).',
      culprit: 'too many pods',
      advice: ['Add nodes, or raise the kubelet setting `maxPods`.'],
      commands: ['kubectl describe deployment web -n shop', 'kubectl describe nodes'],
      corrections: [],
      look: "the nodes' pod counts",
    },
  ],
  [
    'labels',
    placed(all("3 node(s) didn't match Pod's node affinity/selector"), { spec: { nodeSelector: { disk: 'ssd' } } }),
    {
      summary: 'The pod `web` cannot be scheduled: no node has the labels that the pod requires (`disk=ssd`) (3 of 3 nodes).',
      culprit: 'disk=ssd',
      advice: ['Correct `nodeSelector` or the required node affinity, or label a node.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [['likely', 'Remove `disk=ssd` from the node selector', { 'spec.nodeSelector.disk': null }]],
      look: 'the labels of the nodes',
    },
  ],
  [
    'labels that the pod does not name',
    placed(all("3 node(s) didn't match Pod's node affinity/selector")),
    {
      summary: 'The pod `web` cannot be scheduled: no node has the labels that the pod requires (3 of 3 nodes).',
      culprit: 'node affinity/selector',
    },
  ],
  [
    'a taint',
    placed(all('3 node(s) had untolerated taint {team: shop}')),
    {
      summary: 'The pod `web` cannot be scheduled: nodes have the taint `team=shop` that the pod does not tolerate (3 of 3 nodes).',
      culprit: 'taint team=shop',
      advice: ['Add a toleration when the pod belongs on these nodes; otherwise add nodes without the taint.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl describe nodes'],
      corrections: [
        ['guess', 'Tolerate `team=shop`', { 'spec.tolerations': [{ key: 'team', operator: 'Equal', value: 'shop' }] }, 'no mirror'],
      ],
      look: "the nodes' taints and conditions",
    },
  ],
  [
    'a taint of a node with a problem',
    placed(all('3 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }')),
    {
      culprit: 'taint node.kubernetes.io/disk-pressure',
      advice: ['The node itself has a problem (`node.kubernetes.io/disk-pressure`): repair the node, not the pod.'],
    },
  ],
  [
    'a taint without a name',
    placed(all('3 node(s) had taints that the pod did not tolerate')),
    {
      summary: 'The pod `web` cannot be scheduled: nodes have taints that the pod does not tolerate (3 of 3 nodes).',
      culprit: 'taint',
    },
  ],
  [
    'no claim',
    placed(all('persistentvolumeclaim "data" not found'), {
      ...claimed('data'),
      surroundings: { claims: [{ name: 'date', phase: 'Bound', storageClass: '', accessModes: [], size: '1Gi' }] },
    } as Pod),
    {
      summary: 'The pod `web` cannot be scheduled: the claim `data` does not exist.',
      culprit: 'PersistentVolumeClaim data',
      advice: ['Create the claim `data`, or correct `claimName`.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get persistentvolumeclaims -n shop', 'kubectl get storageclasses'],
      corrections: [['likely', 'Use the claim `date`', { 'spec.volumes[0].persistentVolumeClaim.claimName': 'date' }, 'no mirror']],
      look: 'the claims of the namespace',
    },
  ],
  [
    'claims without volumes',
    placed(all('pod has unbound immediate PersistentVolumeClaims'), claimed('a', 'b')),
    {
      summary: 'The pod `web` cannot be scheduled: its claims `a`, `b` are not bound to volumes.',
      culprit: 'PersistentVolumeClaim a, b',
      advice: [
        "Look at the claim's events. Its storage class must exist and be able to provision, or a volume of that size and access mode must exist.",
      ],
      commands: ['kubectl describe pod web -n shop', 'kubectl get persistentvolumeclaims -n shop', 'kubectl get storageclasses'],
      corrections: [],
      look: "the claim's events and storage class",
    },
  ],
  [
    'a claim that the pod does not name',
    placed(all('pod has unbound immediate PersistentVolumeClaims')),
    { summary: 'The pod `web` cannot be scheduled: its claim is not bound to a volume.', culprit: 'PersistentVolumeClaim' },
  ],
  [
    'a claim of an ephemeral volume',
    placed(all('pod has unbound immediate PersistentVolumeClaims'), {
      spec: {
        volumes: [
          { name: 'x', emptyDir: {} },
          { name: 'e', ephemeral: {} },
        ],
      },
    }),
    {
      summary: 'The pod `web` cannot be scheduled: its claim `web-e` is not bound to a volume.',
      culprit: 'PersistentVolumeClaim web-e',
      corrections: [['guess', 'Use an empty volume', { 'spec.volumes[1].ephemeral': null, 'spec.volumes[1].emptyDir': {} }]],
    },
  ],
  [
    'a claim that goes',
    placed(all('persistentvolumeclaim "data" is being deleted')),
    {
      summary: 'The pod `web` cannot be scheduled: somebody has deleted its claim `data`, which stays only until no pod uses it any more.',
      culprit: 'PersistentVolumeClaim data is being deleted',
      advice: [
        'To keep the data, set `persistentVolumeReclaimPolicy: Retain` on its PersistentVolume first. `kubectl describe pvc` shows under `Used By` which pods hold the claim; stop them, and the claim is gone. Then remove `spec.claimRef` from the volume and create the claim again with its `volumeName`, or let the pod name another claim.',
      ],
      commands: ['kubectl describe pod web -n shop', 'kubectl get persistentvolumeclaims -n shop', 'kubectl get storageclasses'],
      corrections: [],
      look: 'who deleted the claim, and the reclaim policy of its volume',
    },
  ],
  [
    'a claim that is not made yet',
    placed(all('waiting for ephemeral volume controller to create the persistentvolumeclaim "web-e"')),
    {
      summary: 'The pod `web` cannot be scheduled: the claim `web-e` of its ephemeral volume has not been made yet.',
      culprit: 'PersistentVolumeClaim web-e',
      advice: [
        'The ephemeral volume controller makes the claim. Its event on the pod says why it could not: a quota, a policy, or a claim of that name.',
      ],
      commands: ['kubectl describe pod web -n shop', 'kubectl get persistentvolumeclaims -n shop', 'kubectl get storageclasses'],
      corrections: [],
      look: 'the claims of the namespace and their owners',
    },
  ],
  [
    'a claim of somebody else',
    placed(all('PVC shop/web-e was not created for pod')),
    {
      summary: 'The pod `web` cannot be scheduled: the claim `web-e` of its ephemeral volume is there, and belongs to another owner.',
      culprit: 'PersistentVolumeClaim web-e',
      advice: [
        'A claim of an ephemeral volume is called after pod and volume, and somebody has made another one of that name. Rename the volume or the pod, or delete that claim if nobody needs its data.',
      ],
    },
  ],
  [
    'another trouble with a claim',
    placed(all('3 node(s) did not have enough free storage'), claimed('data')),
    {
      summary: 'The pod `web` cannot be scheduled: a claim prevents it: `3 node(s) did not have enough free storage` (3 of 3 nodes).',
      culprit: 'PersistentVolumeClaim data',
      advice: ['Look at the claim and its storage class.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get persistentvolumeclaims -n shop', 'kubectl get storageclasses'],
      corrections: [],
      look: "the claim's events and storage class",
    },
  ],
  [
    'a host port',
    placed(all("3 node(s) didn't have free ports for the requested pod ports"), {
      app: { ports: [{ containerPort: 80, hostPort: 8080 }] },
    }),
    {
      summary: 'The pod `web` cannot be scheduled: its host port is taken (3 of 3 nodes).',
      culprit: 'hostPort 8080',
      advice: ['Remove `hostPort` (a Service gives an address), or free the port on a node.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [['likely', 'Remove the host port', { 'ports[0].hostPort': null }, 'no mirror']],
      look: 'the pods with host ports on each node',
    },
  ],
  [
    'anti-affinity',
    placed(all("3 node(s) didn't match pod anti-affinity rules"), terms('podAntiAffinity', term, { topologyKey: 'zone' })),
    {
      summary: 'The pod `web` cannot be scheduled: its anti-affinity forbids the nodes on which other pods already run (3 of 3 nodes).',
      culprit: 'pod anti-affinity app=cache, tier=x',
      advice: ['Add nodes, or make the anti-affinity a preference (`preferredDuring…`).'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [
        [
          'likely',
          'Make the anti-affinity a preference',
          {
            'spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution': null,
            'spec.affinity.podAntiAffinity.preferredDuringSchedulingIgnoredDuringExecution': [
              {
                weight: 100,
                podAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { app: 'cache', tier: 'x' } } },
              },
              { weight: 100, podAffinityTerm: { topologyKey: 'zone' } },
            ],
          },
          'no mirror',
        ],
      ],
      look: 'the pods that its anti-affinity names, and their nodes',
    },
  ],
  ['anti-affinity that nobody shows', placed(all("3 node(s) didn't match pod anti-affinity rules")), { culprit: 'pod anti-affinity' }],
  [
    'affinity',
    placed(all("3 node(s) didn't match pod affinity rules"), terms('podAffinity', { ...term, namespaces: ['a', 'b'] })),
    {
      summary: 'The pod `web` cannot be scheduled: no node runs the pods that its affinity requires (3 of 3 nodes).',
      culprit: 'pod affinity app=cache,tier=x in namespaces a, b',
      advice: ['Correct the labels of the required pod affinity, or make it a preference.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [
        [
          'likely',
          'Make the affinity a preference',
          {
            'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution': null,
            'spec.affinity.podAffinity.preferredDuringSchedulingIgnoredDuringExecution': [
              {
                weight: 100,
                podAffinityTerm: {
                  topologyKey: 'zone',
                  labelSelector: { matchLabels: { app: 'cache', tier: 'x' } },
                  namespaces: ['a', 'b'],
                },
              },
            ],
          },
          'no mirror',
        ],
      ],
      look: 'the pods that its affinity names',
    },
  ],
  [
    'affinity by a key that no node has',
    placed(all("3 node(s) didn't match pod affinity rules"), {
      ...terms('podAffinity', term, { topologyKey: 'rack' }),
      ...nodes(node('a', { labels: { zone: 'x' } })),
    }),
    { culprit: 'pod affinity topologyKey rack' },
  ],
  [
    'spread',
    placed(all("3 node(s) didn't match pod topology spread constraints"), {
      spec: {
        topologySpreadConstraints: [
          { topologyKey: 'zone', maxSkew: 1, minDomains: 3, whenUnsatisfiable: 'DoNotSchedule' },
          { topologyKey: 'host', maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule' },
        ],
      },
    }),
    {
      summary: 'The pod `web` cannot be scheduled: its topology spread constraint cannot be met (3 of 3 nodes).',
      culprit: 'topology spread constraint zone (minDomains 3), host',
      advice: ['Allow more skew or `ScheduleAnyway`, or add nodes in the other zones.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      look: 'the zones of the nodes and of the other replicas',
    },
  ],
  [
    'no scheduler',
    placed('no scheduler named fast has looked at it', { spec: { schedulerName: 'fast' } }),
    {
      summary: 'The pod `web` cannot be scheduled: no scheduler named `fast` has looked at it.',
      culprit: 'scheduler fast',
      advice: ['Correct `schedulerName`, or start that scheduler.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [['likely', "Use the cluster's own scheduler", { 'spec.schedulerName': null }]],
      look: 'the pods of the scheduler, and its log',
    },
  ],
  [
    'a volume elsewhere',
    placed(all('3 node(s) had volume node affinity conflict'), claimed('a', 'b')),
    {
      summary: 'The pod `web` cannot be scheduled: its volume can be used only on nodes that do not fit (3 of 3 nodes).',
      culprit: 'volume node affinity of claim a, b',
      advice: ['Place the pod in the zone of its volume, or create a volume where nodes are.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get persistentvolumeclaims -n shop', 'kubectl get storageclasses'],
      corrections: [],
      look: "the volume's node affinity and the zones of the nodes",
    },
  ],
  [
    'a volume on nodes that are gone',
    placed(all("3 node(s) didn't match PersistentVolume's node affinity"), {
      ...claimed('a'),
      surroundings: {
        claims: [
          { name: 'a', phase: 'Bound', nodes: 'zone=b|c' },
          { name: 'x', phase: 'Bound', nodes: 'zone=a' },
        ],
      },
    }),
    {
      summary:
        'The pod `web` cannot be scheduled: the volume of its claim `a` can be used only on nodes with `zone=b|c`, and none fits (3 of 3 nodes).',
      culprit: 'volume node affinity zone=b|c of claim a',
      advice: [
        'Bring such a node back, or let the pod run on it. If it is gone for good, delete the claim and its pod: a new volume has none of the data.',
      ],
      corrections: [],
    },
  ],
  ['a volume elsewhere of no known claim', placed(all('3 node(s) had volume node affinity conflict')), { culprit: 'volume node affinity' }],
  [
    'too many volumes',
    placed(all('3 node(s) exceed max volume count')),
    {
      summary: 'The pod `web` cannot be scheduled: nodes already have as many volumes attached as they may (3 of 3 nodes).',
      culprit: 'max volume count',
      advice: ['Add nodes, or use fewer volumes per node.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl describe nodes'],
      corrections: [],
      look: 'the volumes attached to each node',
    },
  ],
  [
    'cordoned nodes',
    placed(all('3 node(s) were unschedulable')),
    {
      summary: 'The pod `web` cannot be scheduled: nodes are cordoned (3 of 3 nodes).',
      culprit: 'cordoned node',
      advice: ['Uncordon the node when the work on it is done (`kubectl uncordon`).'],
      commands: ['kubectl describe pod web -n shop', 'kubectl describe nodes'],
      corrections: [],
      look: 'nodes that are `SchedulingDisabled`',
    },
  ],
  [
    'a name of a node',
    placed(all("3 node(s) didn't match the requested node name")),
    {
      summary: 'The pod `web` cannot be scheduled: no node has the name that the pod requires (3 of 3 nodes).',
      culprit: 'node name',
      advice: ['Correct the node name.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [],
      look: 'the names of the nodes',
    },
  ],
  [
    'no nodes',
    placed('no nodes available to schedule pods'),
    {
      summary: 'The pod `web` cannot be scheduled: the cluster has no nodes.',
      culprit: 'no nodes',
      advice: ['Add a node.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [],
      look: 'the nodes of the cluster',
    },
  ],
  [
    'no template of a device claim',
    placed(all('cannot allocate all claims'), {
      events: [
        { reason: 'x', message: 'hello' },
        { reason: 'FailedResourceClaimCreation', message: 'resourceclaimtemplate.resource.k8s.io "gpus" not found' },
      ],
    }),
    {
      summary: 'The pod `web` cannot be scheduled: the ResourceClaimTemplate `gpus` does not exist, so its device claim cannot be made.',
      culprit: 'ResourceClaimTemplate gpus',
      advice: ['Create the ResourceClaimTemplate in this namespace, or correct `resourceClaimTemplateName`.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get resourceclaims -n shop', 'kubectl get deviceclasses,resourceslices'],
      corrections: [],
      look: '`kubectl get resourceclaimtemplates` in the namespace',
    },
  ],
  [
    'no class of devices',
    placed(all('3 request gpu: device class gpu.example does not exist')),
    {
      summary:
        'The pod `web` cannot be scheduled: the DeviceClass `gpu.example` that its device claim asks for does not exist (3 of 3 nodes).',
      culprit: 'DeviceClass gpu.example',
      advice: ['Install the device driver that brings this DeviceClass, or correct `deviceClassName` in the claim or its template.'],
      look: '`kubectl get deviceclasses`',
    },
  ],
  [
    'no device claim',
    placed(all('resourceclaim "gpus" not found')),
    {
      summary: 'The pod `web` cannot be scheduled: the ResourceClaim `gpus` does not exist.',
      culprit: 'ResourceClaim gpus',
      advice: ['Create the ResourceClaim `gpus` in this namespace, or correct `resourceClaimName`.'],
      look: '`kubectl get resourceclaims` in the namespace',
    },
  ],
  [
    'no devices left',
    placed(all('3 cannot allocate all claims'), device({ resourceClaimName: 'gpus' })),
    {
      summary: 'The pod `web` cannot be scheduled: no node has the devices left that its claim asks for (3 of 3 nodes).',
      culprit: 'ResourceClaim gpus',
      advice: [
        'Compare what the claim asks for with what the nodes offer in their ResourceSlices, and see which other claims hold devices.',
      ],
      look: 'ResourceClaims, DeviceClasses and ResourceSlices',
    },
  ],
  [
    'no devices left, of a template',
    placed(all('3 cannot allocate all claims'), device({ resourceClaimTemplateName: 'many' })),
    { culprit: 'ResourceClaim many' },
  ],
  [
    'no devices left, of a claim with its own name only',
    placed(all('3 cannot allocate all claims'), device({})),
    { culprit: 'ResourceClaim gpu' },
  ],
  [
    'another trouble with devices',
    placed(all('3 DRA is slow')),
    { summary: 'The pod `web` cannot be scheduled: a device claim cannot be met: `3 DRA is slow` (3 of 3 nodes).' },
  ],
  [
    'something else',
    placed(all('3 node(s) are tired')),
    {
      summary: 'The pod `web` cannot be scheduled: `3 node(s) are tired` (3 of 3 nodes).',
      culprit: '3 node(s) are tired',
      advice: ['Change what the scheduler names, in the pod or on the nodes.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes --show-labels'],
      corrections: [],
      look: "the scheduler's events",
    },
  ],
  // Several reasons.
  [
    'what the pod can change comes first',
    placed(
      all('1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 1 node(s) were unschedulable, 1 Insufficient cpu'),
    ),
    {
      summary:
        'The pod `web` cannot be scheduled: not enough `cpu` is free (1 of 3 nodes); nodes are cordoned (1 of 3 nodes); nodes have the taint `node-role.kubernetes.io/control-plane` that the pod does not tolerate (1 of 3 nodes).',
      culprit: 'cpu request',
    },
  ],
  ['a reason for more nodes comes first', placed(all('1 Insufficient cpu, 2 Insufficient memory')), { culprit: 'memory request' }],
  [
    'labels that some node has matter less',
    placed(all("2 node(s) didn't match Pod's node affinity/selector, 1 Insufficient cpu"), {
      spec: { nodeSelector: { disk: 'ssd' } },
      ...nodes(node('a', { labels: { disk: 'ssd' } })),
    }),
    { culprit: 'cpu request' },
  ],
  [
    'labels that no node has',
    placed(all("2 node(s) didn't match Pod's node affinity/selector, 1 Insufficient cpu"), {
      spec: { nodeSelector: { disk: 'ssd' } },
      ...nodes(node('a')),
    }),
    { culprit: 'disk=ssd' },
  ],
  [
    'resources that lack on the same nodes',
    placed(all('3 Insufficient cpu, 3 Insufficient memory'), {
      ...requests({ cpu: '8', memory: '64Gi' }),
      ...nodes(node('a', { allocatable: { cpu: '4', memory: '16Gi' } })),
    }),
    {
      corrections: [
        [
          'likely',
          'Request `2` of `cpu` and request `64Mi` of `memory`',
          { 'resources.requests.cpu': '2', 'resources.requests.memory': '64Mi' },
        ],
        [
          'likely',
          'Request `2` of `cpu` and request `8Gi` of `memory`',
          { 'resources.requests.cpu': '2', 'resources.requests.memory': '8Gi' },
        ],
      ],
    },
  ],
  [
    'resources that lack on different nodes',
    placed(all('1 Insufficient cpu, 2 Insufficient memory'), {
      ...requests({ cpu: '8', memory: '64Gi' }),
      ...nodes(node('a', { allocatable: { cpu: '4', memory: '16Gi' } })),
    }),
    {
      corrections: [
        ['likely', 'Request `64Mi` of `memory`', { 'resources.requests.memory': '64Mi' }],
        ['likely', 'Request `8Gi` of `memory`', { 'resources.requests.memory': '8Gi' }],
        ['likely', 'Request `2` of `cpu`', { 'resources.requests.cpu': '2' }],
      ],
    },
  ],
];
for (const [sentence, answer, expected] of ROWS) reasons(sentence, () => tells(answer, expected));

reasons('every cause has an explanation and a command', () => {
  for (const cause of SCHEDULING_CAUSES) {
    const { because, culprit, advice, whereToLook, commands } = explainReason(anInput(), { cause, nodes: 1, subject: 'x', text: 'why' });
    for (const text of [because, culprit, advice, whereToLook]) assert.ok(text.length > 2, `${cause}: ${text}`);
    const wanted = /^claim|^volume-node/.test(cause)
      ? 'kubectl get persistentvolumeclaims -n shop'
      : cause === 'device-claim'
        ? 'kubectl get resourceclaims -n shop'
        : ['resource', 'too-many-pods', 'taint', 'volume-count', 'cordoned'].includes(cause)
          ? 'kubectl describe nodes'
          : 'kubectl get nodes --show-labels';
    assert.is(commands[0], wanted, cause);
  }
});

reasons.run();
