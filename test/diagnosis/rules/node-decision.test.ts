import { suite } from 'uvu';
import { nodeLost, preempted, rejected } from '../../../src/diagnosis/rules/node-decision.ts';
import type { DiagnosisRule } from '../../../src/diagnosis/rules/rule.ts';
import { aPodManifest, anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told } from '../../support/builders/told-by-rule.ts';

const decisions = suite('decisions of nodes');

const decided = (
  rule: DiagnosisRule,
  reason: string,
  message: string,
  { app = {}, spec = {}, ...more }: CaseParts & { app?: object; spec?: object } = {},
) =>
  rule.answer(anInput(app, spec, { failure_reason: reason, failure_message: message, container: null, container_statuses: [], ...more }));

type Row = [sentence: string, answer: ReturnType<DiagnosisRule['answer']>, expected: Partial<Told> | undefined];
const condition = (type: string, status: string, more: object) => ({
  manifest: {
    ...aPodManifest(),
    status: { conditions: [null, { type: 'Ready', status: 'True', reason: 'x' }, { type, status, ...more }] },
  },
});
const TARGET = { reason: 'PreemptionByScheduler', message: 'default-scheduler: preempting' };
const room = (resource: string, requested: number, used: number, capacity: number) =>
  `Pod was rejected: Node didn't have enough resource: ${resource}, requested: ${requested}, used: ${used}, capacity: ${capacity}`;
const requests = (requests: object) => ({ app: { resources: { requests } } });
const profile = { securityContext: { appArmorProfile: { type: 'Localhost' } } };
const ports = { ports: [{ containerPort: 80, hostPort: 8080 }] };

const ROWS: Row[] = [
  // Preemption.
  [
    'preempted',
    decided(preempted, 'Preempted', 'Preempted by pod 1 on node a'),
    {
      summary: 'The pod `web` was ended to make room for a pod of higher priority.',
      culprit: 'preemption by a pod of higher priority',
      evidence: ['pod status: Preempted by pod 1 on node a'],
      advice: [
        'Give the cluster room for both pods, or give this pod a priority class that fits its importance.',
        'The event names the other pod only by its UID. Look for it on the same node.',
      ],
      commands: [
        'kubectl describe pod web -n shop',
        'kubectl get pods -A -o custom-columns=NS:.metadata.namespace,NAME:.metadata.name,UID:.metadata.uid,PRIORITY:.spec.priority',
        'kubectl get priorityclasses',
      ],
      corrections: [],
      why: "The pod is not the cause. A higher priority is a right that only the cluster's administrators should give.",
      look: 'the priorities of the pods on that node and the room in the cluster',
    },
  ],
  [
    'preempted, of a priority class',
    decided(preempted, 'Preempting', '', { spec: { priorityClassName: 'low' } }),
    { summary: 'The pod `web` was ended to make room for a pod of higher priority than its own (`low`).' },
  ],
  [
    'told by an event',
    decided(preempted, 'Failed', '', { events: [{ reason: 'Preempted', message: 'Preempted by pod 1' }] }),
    {
      summary: 'The pod `web` was ended to make room for a pod of higher priority.',
      evidence: ['event Preempted: Preempted by pod 1'],
    },
  ],
  ['another reason is no preemption', decided(preempted, 'Failed', 'all is well'), undefined],
  [
    'a condition says by whom',
    decided(preempted, 'Preempted', 'Preempted by pod 1', condition('DisruptionTarget', 'True', TARGET)),
    {
      evidence: ['pod status: Preempted by pod 1', 'condition DisruptionTarget: PreemptionByScheduler: default-scheduler: preempting'],
    },
  ],
  [
    'a condition without a message',
    decided(preempted, 'Preempted', 'Preempted by pod 1', condition('DisruptionTarget', 'True', { reason: 'Why', message: '' })),
    { evidence: ['pod status: Preempted by pod 1', 'condition DisruptionTarget: Why'] },
  ],
  [
    'a condition that does not hold',
    decided(preempted, 'Preempted', 'Preempted by pod 1', condition('DisruptionTarget', 'False', TARGET)),
    { evidence: ['pod status: Preempted by pod 1'] },
  ],
  [
    'another condition',
    decided(preempted, 'Preempted', 'Preempted by pod 1', condition('PodScheduled', 'True', TARGET)),
    { evidence: ['pod status: Preempted by pod 1'] },
  ],
  [
    'a condition without words',
    decided(preempted, 'Preempted', 'Preempted by pod 1', condition('DisruptionTarget', 'True', { reason: 7 })),
    { evidence: ['pod status: Preempted by pod 1'] },
  ],
  [
    'conditions of another shape',
    decided(preempted, 'Preempted', 'Preempted by pod 1', { manifest: { ...aPodManifest(), status: { conditions: 'none' } } }),
    { evidence: ['pod status: Preempted by pod 1'] },
  ],
  // Lost nodes.
  [
    'lost',
    decided(nodeLost, 'NodeLost', 'Node node-7 which was running pod web is unresponsive'),
    {
      summary: 'The pod `web` was lost with its node, which is away or was shut down.',
      culprit: 'node node-7',
      evidence: ['pod status: Node node-7 which was running pod web is unresponsive'],
      advice: ['Bring the node back or remove it. A controller creates the pod again elsewhere; somebody must create a bare pod again.'],
      commands: ['kubectl get nodes -o wide', 'kubectl describe pod web -n shop'],
      corrections: [],
      why: 'The node failed, not the pod.',
      look: "the node's conditions, its kubelet and its machine",
    },
  ],
  [
    'lost, of a node that only the manifest names',
    decided(nodeLost, 'NodeLost', 'Node which was running pod web is unresponsive', { spec: { nodeName: 'node-3' } }),
    { culprit: 'node node-3' },
  ],
  ['lost, of no known node', decided(nodeLost, 'Shutdown', ''), { culprit: 'node', evidence: [] }],
  ...['NodeShutdown', 'Terminated'].map((reason): Row => [
    reason,
    decided(nodeLost, reason, '', { spec: { nodeName: 'a' } }),
    { culprit: 'node a' },
  ]),
  ['another reason is no lost node', decided(nodeLost, 'Failed', 'all is well'), undefined],
  // Refusals.
  ['another reason is no refusal', decided(rejected, 'Failed', 'all is well'), undefined],
  [
    'no room for CPU',
    decided(rejected, 'OutOfcpu', room('cpu', 2000, 1500, 2000), requests({ cpu: '2' })),
    {
      summary: 'The pod `web` was refused by its node, which does not have enough `cpu`: it asks for `2`, `500m` is free.',
      culprit: 'cpu request 2',
      evidence: ["pod status: Pod was rejected: Node didn't have enough resource: cpu, requested: 2000, used: 1500, capacity: 2000"],
      advice: [
        'Request less `cpu`, or let the scheduler choose a node that has it (no `nodeName`).',
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      commands: ['kubectl describe pod web -n shop', 'kubectl describe nodes'],
      corrections: [['likely', 'Request `250m` of `cpu`', { 'resources.requests.cpu': '250m' }]],
      why: 'The pod does not fit this node.',
      look: "kubelet's log on the node, its device plugins and labels",
    },
  ],
  [
    'no room for memory',
    decided(rejected, 'OutOfmemory', room('memory', 2147483648, 3221225472, 4294967296), requests({ memory: '2Gi' })),
    {
      summary: 'The pod `web` was refused by its node, which does not have enough `memory`: it asks for `2Gi`, `1Gi` is free.',
      culprit: 'memory request 2Gi',
      corrections: [['likely', 'Request `512Mi` of `memory`', { 'resources.requests.memory': '512Mi' }]],
    },
  ],
  [
    'more used than there is',
    decided(rejected, 'OutOfcpu', room('cpu', 2000, 3000, 2000), requests({ cpu: '2' })),
    {
      summary: 'The pod `web` was refused by its node, which does not have enough `cpu`: it asks for `2`, `0` is free.',
      corrections: [],
    },
  ],
  [
    'no room for what the manifest does not ask for',
    decided(rejected, 'OutOfcpu', room('cpu', 2000, 1500, 2000)),
    {
      summary: 'The pod `web` was refused by its node, which does not have enough `cpu`: it asks for too much, `500m` is free.',
      culprit: 'cpu request',
      corrections: [],
    },
  ],
  [
    'the node of the manifest',
    decided(rejected, 'OutOfcpu', room('cpu', 2000, 1500, 2000), { spec: { nodeName: 'node-7; rm' } }),
    { commands: ['kubectl describe pod web -n shop', 'kubectl describe node node-7rm'] },
  ],
  [
    'a host port',
    decided(rejected, 'NodePorts', 'Pod was rejected: Predicate NodePorts failed', { app: ports }),
    {
      summary: 'The pod `web` was refused by its node: `NodePorts` (`hostPort 8080`).',
      culprit: 'hostPort 8080',
      advice: [
        "Compare what the pod requires with the node's labels and devices.",
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      corrections: [['likely', 'Remove the host port', { 'ports[0].hostPort': null }, 'no mirror']],
    },
  ],
  [
    'a parameter of the kernel',
    decided(rejected, 'SysctlForbidden', 'Pod was rejected: forbidden sysctl: "kernel.msgmax" not allowlisted', {
      spec: { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '1' }] } },
    }),
    {
      summary: 'The pod `web` was refused by its node: the node does not allow the kernel parameter `kernel.msgmax`.',
      culprit: 'sysctl kernel.msgmax',
      corrections: [['likely', 'Remove the kernel parameter `kernel.msgmax`', { 'spec.securityContext.sysctls': null }]],
    },
  ],
  [
    'no NUMA node',
    decided(rejected, 'TopologyAffinityError', 'Resources cannot be allocated with Topology locality'),
    {
      summary: 'The pod `web` was refused by its node: no NUMA node of it has all CPUs, memory and devices that the pod wants together.',
      culprit: 'TopologyAffinityError: resources of one NUMA node',
      advice: [
        "Compare what the pod requires with the node's labels and devices.",
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      corrections: [],
    },
  ],
  [
    'another operating system',
    decided(rejected, 'PodOSNotSupported', 'Failed to admit pod', { spec: { os: { name: 'windows' } } }),
    {
      summary: 'The pod `web` was refused by its node: the pod is for the operating system `windows`, and the node runs another one.',
      culprit: 'os windows',
      corrections: [['likely', 'Remove `os: windows`', { 'spec.os': null }]],
    },
  ],
  [
    'another operating system that the manifest does not name',
    decided(rejected, 'PodOSNotSupported', 'Failed to admit pod'),
    {
      summary: 'The pod `web` was refused by its node: `PodOSNotSupported` (`PodOSNotSupported: Failed to admit pod`).',
      culprit: 'PodOSNotSupported: Failed to admit pod',
      corrections: [],
    },
  ],
  [
    'AppArmor',
    decided(rejected, 'AppArmor', 'Cannot enforce AppArmor: not enabled', {
      app: profile,
      spec: { ...profile, initContainers: [{ name: 'i', image: 'i:1', ...profile }] },
    }),
    {
      summary: 'The pod `web` was refused by its node: `AppArmor` (`AppArmor: Cannot enforce AppArmor: not enabled`).',
      culprit: 'AppArmor: Cannot enforce AppArmor: not enabled',
      advice: [
        'Remove the AppArmor profile, or let the pod run on nodes whose kernel enforces it.',
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      corrections: [
        [
          'guess',
          'Remove the AppArmor profile',
          {
            'spec.securityContext.appArmorProfile': null,
            'spec.initContainers[0].securityContext.appArmorProfile': null,
            'securityContext.appArmorProfile': null,
          },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'AppArmor that the manifest does not ask for',
    decided(rejected, 'AppArmor', 'Cannot enforce AppArmor: not enabled'),
    { corrections: [] },
  ],
  [
    'a policy of groups',
    decided(rejected, 'SupplementalGroupsPolicyNotSupported', 'not supported', {
      spec: { securityContext: { supplementalGroupsPolicy: 'Strict' } },
    }),
    {
      summary:
        'The pod `web` was refused by its node: `SupplementalGroupsPolicyNotSupported` (`SupplementalGroupsPolicyNotSupported: not supported`).',
      culprit: 'SupplementalGroupsPolicyNotSupported: not supported',
      advice: [
        "Compare what the pod requires with the node's labels and devices.",
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      corrections: [
        ['guess', 'Remove the policy for supplemental groups', { 'spec.securityContext.supplementalGroupsPolicy': null }, 'no mirror'],
      ],
    },
  ],
  [
    'another word',
    decided(rejected, 'UnexpectedAdmissionError', 'UnexpectedAdmissionError', {
      spec: { securityContext: { supplementalGroupsPolicy: 'Strict' } },
    }),
    {
      summary: 'The pod `web` was refused by its node: `UnexpectedAdmissionError`.',
      culprit: 'UnexpectedAdmissionError',
      advice: [
        "Compare what the pod requires with the node's labels and devices.",
        'A refused pod stays as a record and is never tried again. Create it again.',
      ],
      corrections: [],
    },
  ],
  [
    'another word and why',
    decided(rejected, 'UnexpectedAdmissionError', 'Allocate failed: no device'),
    {
      summary:
        'The pod `web` was refused by its node: `UnexpectedAdmissionError` (`UnexpectedAdmissionError: Allocate failed: no device`).',
      culprit: 'UnexpectedAdmissionError: Allocate failed: no device',
    },
  ],
  [
    'labels',
    decided(rejected, 'NodeAffinity', 'Predicate NodeAffinity failed', { spec: { nodeName: 'a', nodeSelector: { disk: 'ssd' } } }),
    {
      summary: 'The pod `web` was refused by its node: the node does not have the labels that the pod requires (`disk=ssd`).',
      culprit: 'disk=ssd',
      corrections: [
        ['guess', 'Let the scheduler choose the node', { 'spec.nodeName': null }],
        ['likely', 'Remove `disk=ssd` from the node selector', { 'spec.nodeSelector.disk': null }],
      ],
    },
  ],
  [
    'labels of a pod that the scheduler placed',
    decided(rejected, 'NodeAffinity', 'Predicate NodeAffinity failed'),
    {
      summary: 'The pod `web` was refused by its node: the node does not have the labels that the pod requires.',
      culprit: 'NodeAffinity',
      corrections: [],
    },
  ],
];
for (const [sentence, answer, expected] of ROWS) decisions(sentence, () => tells(answer, expected));

decisions.run();
