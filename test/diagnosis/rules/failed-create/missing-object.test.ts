import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingObject } from '../../../../src/diagnosis/rules/failed-create/missing-object.ts';
import { podSecurityViolation } from '../../../../src/diagnosis/rules/failed-create/pod-security.ts';
import { forbidden, type RefusedPods, refusedPods } from '../../../support/builders/refused-pods.ts';
import { tells, type Told } from '../../../support/builders/told-by-rule.ts';

const pods = suite('pods that name what does not exist, and pods that a level forbids');

type Row = [sentence: string, message: string, pods: RefusedPods, expected: Partial<Told> | undefined];
const ACCOUNT = forbidden('error looking up service account shop/web: serviceaccount "web" not found');
const priority = forbidden('no PriorityClass with name high was found');
const runtime = forbidden('pod rejected: RuntimeClass "gvisor" not found');

const MISSING: Row[] = [
  ['another failure', forbidden('no'), {}, undefined],
  [
    'a service account',
    ACCOUNT,
    { pod: { serviceAccountName: 'web' }, surroundings: { serviceAccounts: ['default', 'webs'] } },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the service account `web` does not exist.',
      culprit: 'service account web',
      evidence: [
        'event FailedCreate: Error creating: pods "web-x" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
      ],
      advice: ['Create the service account `web`, or correct `serviceAccountName`.'],
      commands: [
        'kubectl describe replicaset web -n shop',
        'kubectl get serviceaccounts -n shop',
        'kubectl create serviceaccount web -n shop',
      ],
      corrections: [
        ['likely', 'Use the service account `webs`', { 'spec.template.spec.serviceAccountName': 'webs' }, 'no mirror'],
        ['guess', "Use the namespace's own service account", { 'spec.template.spec.serviceAccountName': null }, 'no mirror'],
      ],
      why: 'Somebody must create the service account with the rights that the program needs. The manifest only names it.',
      look: 'the service accounts of the namespace, and what should have created this one',
    },
  ],
  [
    'a priority class',
    priority,
    { pod: { priorityClassName: 'high' } },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the priority class `high` does not exist.',
      culprit: 'priority class high',
      evidence: ['event FailedCreate: Error creating: pods "web-x" is forbidden: no PriorityClass with name high was found'],
      advice: ['Create the priority class, or correct `priorityClassName`.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get priorityclasses'],
      corrections: [['likely', 'Remove the priority class', { 'spec.template.spec.priorityClassName': null }, 'no mirror']],
    },
  ],
  [
    'a runtime class',
    runtime,
    { pod: { runtimeClassName: 'gvisor' } },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the runtime class `gvisor` does not exist.',
      culprit: 'runtime class gvisor',
      evidence: ['event FailedCreate: Error creating: pods "web-x" is forbidden: pod rejected: RuntimeClass "gvisor" not found'],
      advice: ['Create the runtime class, or correct `runtimeClassName`.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get runtimeclasses'],
      corrections: [['guess', 'Remove the runtime class', { 'spec.template.spec.runtimeClassName': null }, 'no mirror']],
    },
  ],
  [
    'a runtime class of a controller that nobody shows',
    runtime,
    { manifest: 'kind: [' },
    { culprit: 'runtime class gvisor', corrections: [['guess', 'Remove the runtime class', {}, 'no mirror']] },
  ],
];
for (const [sentence, message, parts, expected] of MISSING)
  pods(sentence, () => tells(missingObject(refusedPods(message, parts)), expected));

const violates = (level: string, ...violations: string[]) => forbidden(`violates PodSecurity "${level}:latest": ${violations.join(', ')}`);
const ROOT = 'runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)';
const PORT = 'hostPort (container "app" uses hostPort 8080)';
const FOLDER = 'hostPath volumes (volume "logs")';
const port = { ports: [{ containerPort: 8080, hostPort: 8080 }] };
const user = { securityContext: { runAsUser: 7 } };
const LEVELS: Row[] = [
  ['another failure', forbidden('no'), {}, undefined],
  [
    'fields that are missing',
    violates('restricted', ROOT),
    { app: user },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace enforces Pod Security level `restricted`, and the pods do not meet it: `runAsNonRoot != true`.',
      culprit: 'Pod Security restricted: runAsNonRoot != true',
      evidence: [
        'event FailedCreate: Error creating: pods "web-x" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true (pod or container "app" must set securityContext.runAsNonRoot=true)',
      ],
      advice: [
        'Set the fields that the message names, or move the workload to a namespace with another level.',
        'With `runAsNonRoot` the image needs a user other than root.',
      ],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl get namespace shop --show-labels'],
      corrections: [
        [
          'likely',
          'Meet Pod Security level `restricted`',
          {
            'securityContext.allowPrivilegeEscalation': false,
            'securityContext.runAsNonRoot': true,
            'securityContext.seccompProfile': { type: 'RuntimeDefault' },
            'securityContext.capabilities.drop': ['ALL'],
          },
          'no mirror',
        ],
      ],
      why: 'The workload needs what the level forbids.',
      look: "the namespace's label `pod-security.kubernetes.io/enforce`",
    },
  ],
  [
    'rights that are taken',
    violates('baseline', PORT),
    { app: { ...port, securityContext: { privileged: true } } },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace enforces Pod Security level `baseline`, and the pods do not meet it: `hostPort (8080 of app)`.',
      culprit: 'Pod Security baseline: hostPort (8080 of app)',
      advice: ['If the program needs these rights, run it in a namespace with another level.'],
      corrections: [
        ['guess', 'Meet Pod Security level `baseline`', { 'securityContext.privileged': false, 'ports[0].hostPort': null }, 'no mirror'],
      ],
    },
  ],
  [
    'a folder of the node',
    violates('baseline', FOLDER),
    {
      pod: {
        volumes: [
          { name: 'x', emptyDir: {} },
          { name: 'logs', hostPath: { path: '/var/log' } },
        ],
      },
    },
    {
      culprit: 'Pod Security baseline: hostPath volumes (logs)',
      corrections: [
        [
          'guess',
          'Meet Pod Security level `baseline`',
          { 'spec.template.spec.volumes[1].hostPath': null, 'spec.template.spec.volumes[1].emptyDir': {} },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'namespaces and parameters of the node',
    violates('baseline', 'host namespaces (hostNetwork=true)', 'forbidden sysctls (kernel.msgmax)'),
    { pod: { hostNetwork: true } },
    {
      culprit: 'Pod Security baseline: host namespaces (hostNetwork=true), forbidden sysctls (kernel.msgmax)',
      corrections: [['guess', 'Meet Pod Security level `baseline`', { 'spec.template.spec.hostNetwork': null }, 'no mirror']],
    },
  ],
  [
    'a violation that nobody knows',
    violates('baseline', 'moonlight (container "app" must not shine)'),
    { app: port },
    {
      culprit: 'Pod Security baseline: moonlight',
      advice: ['Set the fields that the message names, or move the workload to a namespace with another level.'],
      corrections: [['guess', 'Meet Pod Security level `baseline`', { 'ports[0].hostPort': null }, 'no mirror']],
    },
  ],
  [
    'no manifest',
    violates('restricted', ROOT),
    { manifest: 'kind: [' },
    {
      advice: [
        'Set the fields that the message names, or move the workload to a namespace with another level.',
        'With `runAsNonRoot` the image needs a user other than root.',
      ],
      corrections: [['guess', 'Meet Pod Security level `restricted`', {}, 'no mirror']],
    },
  ],
  [
    'a namespace is one word of the command',
    violates('restricted', ROOT),
    { namespace: 'shop; rm' },
    { commands: ["kubectl describe replicaset web -n 'shop; rm'", 'kubectl get namespace shoprm --show-labels'] },
  ],
];
for (const [sentence, message, parts, expected] of LEVELS)
  pods(`a level: ${sentence}`, () => tells(podSecurityViolation(refusedPods(message, parts)), expected));

const KNOWN = [
  'allowPrivilegeEscalation != false',
  'unrestricted capabilities',
  'non-default capabilities',
  'runAsNonRoot != true',
  'runAsUser=0',
  'seccompProfile',
  'privileged',
  'hostPort',
  'hostProcess',
  'hostPath volumes',
  'host namespaces',
  'restricted volume types',
  'forbidden sysctls',
  'forbidden AppArmor profile',
  'seLinuxOptions',
  'procMount',
  'probe or lifecycle host',
];
pods('the violations of which a correction is likely', () => {
  const sureness = (violation: string) =>
    podSecurityViolation(refusedPods(violates('restricted', `${violation} (of app)`), { app: user }))?.corrections?.[0]?.confidence;
  for (const violation of KNOWN) assert.is(sureness(violation), 'likely', violation);
  assert.is(sureness('moonlight'), 'guess');
});

pods.run();
