import { suite } from 'uvu';
import { refusedPod } from '../../../../src/diagnosis/rules/failed-create/refused.ts';
import { type RefusedPods, refusedPods } from '../../../support/builders/refused-pods.ts';
import { tells, type Told } from '../../../support/builders/told-by-rule.ts';

const refused = suite('pods that a policy or the API server refuses');

const webhook = (why: string) => `admission webhook "policy.corp" denied the request: ${why}`;
const policy = (why: string) =>
  `pods "web-x" is forbidden: ValidatingAdmissionPolicy 'rules.corp' with binding 'all' denied request: ${why}`;
const tooLong = (field: string, value: string, most: number) =>
  `ReplicaSet.apps "x" is invalid: metadata.${field}: Invalid value: "${value}": must be no more than ${most} bytes`;
const LONG = 'w'.repeat(60);
const PRIORITY =
  'pods "web-x" is forbidden: the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0';
const OVERHEAD = "pods \"web-x\" is forbidden: pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";
const init = { initContainers: [{ name: 'setup', image: 'web:1' }] };

const ROWS: [sentence: string, message: string, pods: RefusedPods, expected: Partial<Told> | undefined][] = [
  ['another failure', 'no such thing', { events: [{ type: 'Warning', reason: 'Failed', message: 'no such thing' }] }, undefined],
  // Webhooks.
  [
    'a webhook that refuses them',
    webhook('the pods are too old'),
    {},
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the admission webhook `policy.corp` refuses them: `the pods are too old`.',
      culprit: 'webhook policy.corp: the pods are too old',
      evidence: ['event FailedCreate: Error creating: admission webhook "policy.corp" denied the request: the pods are too old'],
      advice: ['Change the pods as the message of the webhook asks, or ask those who run the webhook.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'],
      corrections: [],
      why: 'Only its message says what the policy requires.',
      look: 'the webhook `policy.corp`: its configuration, its pods, its log',
      isOpen: false,
    },
  ],
  [
    'a webhook that does not answer',
    'Internal error occurred: failed calling webhook "policy.corp": context deadline exceeded: set readOnlyRootFilesystem',
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the admission webhook `policy.corp` does not answer: `context deadline exceeded: set readOnlyRootFilesystem`.',
      culprit: 'webhook policy.corp',
      evidence: [
        'event FailedCreate: Error creating: Internal error occurred: failed calling webhook "policy.corp": context deadline exceeded: set readOnlyRootFilesystem',
      ],
      advice: ['Repair the pods and the Service of the webhook. Until then, nothing that it watches can be created.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations'],
      corrections: [],
      why: 'The webhook does not answer. The manifest is not the cause.',
      look: 'the webhook `policy.corp`: its configuration, its pods, its log',
      isOpen: false,
    },
  ],
  [
    'a webhook whose certificate is not accepted',
    'Internal error occurred: failed calling webhook "policy.corp": Post "https://policy.corp": x509: certificate signed by unknown authority',
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the admission webhook `policy.corp` shows a certificate that the API server does not accept: `Post "https://policy.corp": x509: certificate signed by unknown authority`.',
      advice: [
        'Write the authority of its certificate into `caBundle` of its configuration, or have the certificate made again. Until then, nothing that it watches can be created.',
      ],
      why: 'The webhook shows a certificate that the API server does not accept. The manifest is not the cause.',
    },
  ],
  [
    'a namespace that is being deleted',
    'pods "web-x" is forbidden: unable to create new content in namespace shop because it is being terminated',
    {},
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the namespace `shop` is being deleted.',
      culprit: 'namespace shop is being terminated',
      corrections: [],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get namespace shop -o yaml'],
      why: 'A namespace that is being deleted takes nothing new.',
      look: 'who deleted the namespace, and its finalizers',
    },
  ],
  [
    'a webhook with lines around its demand',
    webhook('\n\nresource Pod/shop/web-x was blocked due to the following policies\n\nteam:\n  ask:  nobody'),
    {},
    { culprit: 'webhook policy.corp: team: ask: nobody' },
  ],
  [
    'a long demand is cut',
    webhook('x'.repeat(300)),
    {},
    {
      culprit: `webhook policy.corp: ${'x'.repeat(179)}`,
    },
  ],
  // Policies.
  [
    'a policy',
    policy('the pods are too old'),
    {},
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the admission policy `rules.corp` refuses them: `the pods are too old`.',
      culprit: 'admission policy rules.corp: the pods are too old',
      evidence: [
        `event FailedCreate: Error creating: pods "web-x" is forbidden: ValidatingAdmissionPolicy 'rules.corp' with binding 'all' denied request: the pods are too old`,
      ],
      advice: ['Change the pods as the message of the policy asks, or ask those who maintain the policy.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get validatingadmissionpolicies,validatingadmissionpolicybindings'],
      corrections: [],
      why: 'Only its message says what the policy requires.',
      look: 'the admission policy `rules.corp` and its binding',
    },
  ],
  [
    'a policy that names a label',
    policy('the label "team" is missing'),
    {},
    {
      corrections: [['guess', 'Give the pods the label `team`', { 'spec.template.metadata.labels.team': 'shop' }, 'no mirror']],
    },
  ],
  [
    'a policy that names a label in braces',
    policy('you need labels: {"team"} or none'),
    {},
    {
      corrections: [['guess', 'Give the pods the label `team`', { 'spec.template.metadata.labels.team': 'shop' }, 'no mirror']],
    },
  ],
  ['a label that the pods have', policy('label team is wanted'), { labels: { team: 'x' } }, { corrections: [] }],
  [
    'a label that the pods lack',
    policy('label team is wanted'),
    { labels: { app: 'x' } },
    {
      corrections: [['guess', 'Give the pods the label `team`', { 'spec.template.metadata.labels.team': 'shop' }, 'no mirror']],
    },
  ],
  ['a policy that names no label', policy('labels must be short'), {}, { corrections: [] }],
  [
    'a policy that names an annotation',
    policy('annotation named corp/owner is wanted'),
    {},
    {
      corrections: [
        ['guess', 'Give the pods the annotation `corp/owner`', { 'spec.template.metadata.annotations["corp/owner"]': 'shop' }, 'no mirror'],
      ],
    },
  ],
  [
    'a policy that names a label and an annotation',
    policy('label "team" or annotation "owner" is wanted'),
    {},
    {
      corrections: [['guess', 'Give the pods the label `team`', { 'spec.template.metadata.labels.team': 'shop' }, 'no mirror']],
    },
  ],
  [
    'a label of a bare pod',
    policy('label "team" is wanted'),
    { manifest: { kind: 'Pod', metadata: {}, spec: { containers: [] } } },
    {
      corrections: [['guess', 'Give the pods the label `team`', { 'metadata.labels.team': 'shop' }, 'no mirror']],
    },
  ],
  [
    'an annotation of a bare pod',
    policy('annotation "owner" is wanted'),
    { manifest: { kind: 'Pod', metadata: {}, spec: { containers: [] } } },
    {
      corrections: [['guess', 'Give the pods the annotation `owner`', { 'metadata.annotations.owner': 'shop' }, 'no mirror']],
    },
  ],
  ['a policy that names no annotation', policy('annotations should not be long'), {}, { corrections: [] }],
  [
    'a policy that names a resource',
    policy('limits.cpu is absent'),
    { pod: init },
    {
      corrections: [['guess', 'Set `limits.cpu` for every container', { 'resources.limits.cpu': '500m' }, 'no mirror']],
    },
  ],
  [
    'a resource that a container has',
    policy('limits.memory is absent'),
    { app: { resources: { limits: { memory: '1Gi' } } } },
    { corrections: [] },
  ],
  [
    'a resource that one container lacks',
    policy('requests.memory is absent'),
    {
      pod: {
        containers: [
          { name: 'a', image: 'a:1', resources: { requests: { memory: '1Gi' } } },
          { name: 'b', image: 'b:1' },
        ],
      },
    },
    {
      corrections: [
        [
          'guess',
          'Set `requests.memory` for every container',
          { 'spec.template.spec.containers[1].resources.requests.memory': '256Mi' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a resource in words',
    policy('every container wants a memory limit of its own'),
    {},
    {
      corrections: [['guess', 'Set `limits.memory` for every container', { 'resources.limits.memory': '256Mi' }, 'no mirror']],
    },
  ],
  // Fields of the security context.
  [
    'a file system that is not read-only',
    policy('root filesystem must be read-only'),
    { pod: init },
    {
      corrections: [
        [
          'guess',
          'Set `readOnlyRootFilesystem` as the policy says',
          {
            'spec.template.spec.initContainers[0].securityContext.readOnlyRootFilesystem': true,
            'securityContext.readOnlyRootFilesystem': true,
          },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a field that the container has already',
    policy('readOnlyRootFilesystem is true in good pods'),
    { app: { securityContext: { readOnlyRootFilesystem: true } } },
    { corrections: [] },
  ],
  [
    'root',
    policy('running as root is not allowed'),
    {},
    {
      corrections: [['guess', 'Set `runAsNonRoot` as the policy says', { 'securityContext.runAsNonRoot': true }, 'no mirror']],
    },
  ],
  [
    'escalation',
    policy('allowPrivilegeEscalation is bad'),
    {},
    {
      corrections: [
        ['guess', 'Set `allowPrivilegeEscalation` as the policy says', { 'securityContext.allowPrivilegeEscalation': false }, 'no mirror'],
      ],
    },
  ],
  [
    'privileges',
    policy('privileged containers are bad'),
    { app: { securityContext: { privileged: true } } },
    {
      corrections: [['guess', 'Set `privileged` as the policy says', { 'securityContext.privileged': false }, 'no mirror']],
    },
  ],
  ['no privileges', policy('use a non-privileged one'), {}, { corrections: [] }],
  [
    'two fields',
    policy('no privileged, and runAsNonRoot'),
    {},
    {
      corrections: [
        [
          'guess',
          'Set `runAsNonRoot`, `privileged` as the policy says',
          { 'securityContext.runAsNonRoot': true, 'securityContext.privileged': false },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'the network of the node',
    policy('hostNetwork and hostPID are bad'),
    { pod: { hostNetwork: true, hostIPC: true } },
    {
      corrections: [['guess', 'Set `hostNetwork` as the policy says', { 'spec.template.spec.hostNetwork': null }, 'no mirror']],
    },
  ],
  [
    'the processes of the node',
    policy('hostPID is bad'),
    { pod: { hostPID: true } },
    {
      corrections: [['guess', 'Set `hostPID` as the policy says', { 'spec.template.spec.hostPID': null }, 'no mirror']],
    },
  ],
  [
    'the memory of the node',
    policy('hostIPC is bad'),
    { pod: { hostIPC: true } },
    {
      corrections: [['guess', 'Set `hostIPC` as the policy says', { 'spec.template.spec.hostIPC': null }, 'no mirror']],
    },
  ],
  // Fields with their values.
  [
    'a field with a truth value',
    policy('spec.automountServiceAccountToken must be false'),
    {},
    {
      corrections: [
        [
          'guess',
          'Set `spec.automountServiceAccountToken` to `false`',
          { 'spec.template.spec.automountServiceAccountToken': false },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a field with a number',
    policy('spec.terminationGracePeriodSeconds has to be equal to 30'),
    {},
    {
      corrections: [
        [
          'guess',
          'Set `spec.terminationGracePeriodSeconds` to `30`',
          { 'spec.template.spec.terminationGracePeriodSeconds': 30 },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a field with a word',
    policy('set spec.securityContext.seccompProfile.type to RuntimeDefault'),
    {},
    {
      corrections: [
        [
          'guess',
          'Set `spec.securityContext.seccompProfile.type` to `RuntimeDefault`',
          { 'spec.template.spec.securityContext.seccompProfile.type': 'RuntimeDefault' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a field that must be set to a value',
    policy('spec.hostUsers must be set to false'),
    {},
    {
      corrections: [['guess', 'Set `spec.hostUsers` to `false`', { 'spec.template.spec.hostUsers': false }, 'no mirror']],
    },
  ],
  [
    'a field that must be equal to a value',
    policy('spec.runtimeClassName must be equal to gvisor.'),
    {},
    {
      corrections: [['guess', 'Set `spec.runtimeClassName` to `gvisor`', { 'spec.template.spec.runtimeClassName': 'gvisor' }, 'no mirror']],
    },
  ],
  ['a field that must be present', policy('spec.priorityClassName should be present'), {}, { corrections: [] }],
  ['a field that must be defined', policy('spec.priorityClassName should be defined'), {}, { corrections: [] }],
  ['a field without a value', policy('spec.priorityClassName must be set'), {}, { corrections: [] }],
  ['a field of the containers', policy('spec.containers.tty must be false'), {}, { corrections: [] }],
  [
    'a field beside others',
    policy('spec.enableServiceLinks to false, and runAsNonRoot'),
    {},
    {
      corrections: [
        ['guess', 'Set `spec.enableServiceLinks` to `false`', { 'spec.template.spec.enableServiceLinks': false }, 'no mirror'],
        ['guess', 'Set `runAsNonRoot` as the policy says', { 'securityContext.runAsNonRoot': true }, 'no mirror'],
      ],
    },
  ],
  [
    'several rules',
    policy('runAsNonRoot; the label is required: team; container without limits'),
    {},
    {
      corrections: [['guess', 'Set `runAsNonRoot` as the policy says', { 'securityContext.runAsNonRoot': true }, 'no mirror']],
    },
  ],
  ['no manifest', policy('runAsNonRoot'), { manifest: 'kind: [' }, { corrections: [] }],
  // Too long.
  [
    'a name that makes a long label',
    tooLong('labels', `web-${LONG}`, 63),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: its name is too long: the label `web-wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww` that Kubernetes makes of it may have 63 characters.',
      culprit: 'name web: longer than 63 characters',
      evidence: [
        'event FailedCreate: Error creating: ReplicaSet.apps "x" is invalid: metadata.labels: Invalid value: "web-wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww": must be no more than 63 bytes',
      ],
      advice: ['Make it again under a shorter name, with at most 2 characters. The name of an object cannot be changed.'],
      commands: ['kubectl describe replicaset web -n shop'],
      corrections: [],
      why: 'The name of an object cannot be changed; it must be made again.',
      look: 'the name of the ReplicaSet',
    },
  ],
  [
    'a long label',
    tooLong('labels', LONG, 40),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the label `wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww` of its pods is too long: 40 characters are allowed.',
      culprit: 'label wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww: longer than 40 characters',
      advice: ['Shorten it to at most 40 characters, wherever it is used.'],
      why: 'Whoever uses the name or label must agree with another one.',
      look: "the labels of the pod's template",
    },
  ],
  ['a longer label is cut', tooLong('labels', 'v'.repeat(300), 63), {}, { culprit: `label ${'v'.repeat(114)}: longer than 63 characters` }],
  [
    'a long name',
    tooLong('name', LONG, 40),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the name `wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww` of its pods is too long: 40 characters are allowed.',
      culprit: 'name wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww: longer than 40 characters',
      advice: ['Shorten it to at most 40 characters, wherever it is used.'],
      why: 'Whoever uses the name or label must agree with another one.',
      look: "the name of the pod's template",
    },
  ],
  [
    'a long name that begins like the workload',
    tooLong('generateName', `web-${LONG}`, 40),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the name `web-wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww` of its pods is too long: 40 characters are allowed.',
      culprit: 'name web-wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww: longer than 40 characters',
      look: "the generateName of the pod's template",
    },
  ],
  // Classes.
  [
    'a priority beside its class',
    PRIORITY,
    { pod: { priority: 7 } },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: they set `priority` themselves, to another value than their priority class.',
      culprit: 'priority 7',
      evidence: [
        'event FailedCreate: Error creating: pods "web-x" is forbidden: the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 0',
      ],
      advice: ['Remove `priority`: the priority class sets it. To have another value, name another class.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get priorityclasses'],
      corrections: [['likely', 'Leave `priority` to the priority class', { 'spec.template.spec.priority': null }, 'no mirror']],
    },
  ],
  ['a priority that the manifest does not show', PRIORITY, {}, { culprit: 'priority', corrections: [] }],
  [
    'a preemption policy beside its class',
    'pods "web-x" is forbidden: the string value of PreemptionPolicy (Never) must not be provided in pod spec',
    { pod: { preemptionPolicy: 'Never' } },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: they set `preemptionPolicy` themselves, to another value than their priority class.',
      culprit: 'preemptionPolicy Never',
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get priorityclasses'],
      corrections: [
        ['likely', 'Leave `preemptionPolicy` to the priority class', { 'spec.template.spec.preemptionPolicy': null }, 'no mirror'],
      ],
    },
  ],
  [
    'overhead beside its class',
    OVERHEAD,
    { pod: { overhead: { cpu: '1' } } },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: they set `overhead` themselves, to another value than their runtime class.',
      culprit: 'overhead',
      advice: ['Remove `overhead`: the runtime class sets it. To have another value, name another class.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get runtimeclasses'],
      corrections: [['likely', 'Leave `overhead` to the runtime class', { 'spec.template.spec.overhead': null }, 'no mirror']],
    },
  ],
  // The API server.
  [
    'another reason',
    'pods "web-x" is forbidden: the moon is full',
    {},
    {
      summary: 'The ReplicaSet `web` cannot create its pods: `pods "web-x" is forbidden: the moon is full`.',
      culprit: 'pods "web-x" is forbidden: the moon is full',
      evidence: ['event FailedCreate: Error creating: pods "web-x" is forbidden: the moon is full'],
      advice: ["Correct what the API server's message names: a field of the pods, or what their account may do."],
      commands: ['kubectl describe replicaset web -n shop'],
      corrections: [],
      why: "The API server's message says why it refuses the pods.",
      look: "the controller's events and the API server's message",
      isOpen: false,
    },
  ],
  [
    'a long reason is cut',
    'y'.repeat(400),
    {},
    {
      summary: `The ReplicaSet \`web\` cannot create its pods: \`${'y'.repeat(299)}…\`.`,
      culprit: 'y'.repeat(200),
    },
  ],
];
for (const [sentence, message, pods, expected] of ROWS) refused(sentence, () => tells(refusedPod(refusedPods(message, pods)), expected));

const NO_KEYS = 'of on and is are must in for with to that which the a from has have not should or you your required missing';
refused('words after a label or an annotation that are no keys', () => {
  for (const word of NO_KEYS.split(' '))
    for (const what of ['label', 'annotation']) tells(refusedPod(refusedPods(policy(`a ${what} ${word} x`))), { corrections: [] });
});

refused.run();
