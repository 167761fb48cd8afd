import { suite } from 'uvu';
import { outsideConstraints } from '../../../../src/diagnosis/rules/failed-create/openshift.ts';
import { type RefusedPods, refusedPods } from '../../../support/builders/refused-pods.ts';
import { tells, type Told } from '../../../support/builders/told-by-rule.ts';

const constraints = suite('pods that no security context constraint allows');

const outside = (...why: string[]) =>
  `pods "web-x" is forbidden: unable to validate against any security context constraint: [${why.join(', ')}, provider "privileged": Forbidden: not usable by user or serviceaccount]`;
const USER =
  'provider restricted-v2: .containers[0].runAsUser: Invalid value: 1000: must be in the ranges: [1000680000, 1000689999], spec.containers[0].securityContext.runAsUser: Invalid value: 1000: must be in the ranges: [1000680000, 1000689999]';
const GROUP = '.spec.securityContext.fsGroup: Invalid value: []int64{2000}: 2000 is not an allowed group';
const PRIVILEGED = 'spec.containers[0].securityContext.privileged: Invalid value: true: Privileged containers are not allowed';
const PORT = 'spec.containers[0].securityContext.containers[0].hostPort: Invalid value: 80: Host ports are not allowed to be used';

const ROWS: [sentence: string, message: string, pods: RefusedPods, expected: Partial<Told> | undefined][] = [
  ['another refusal', 'pods "web-x" is forbidden: no', {}, undefined],
  [
    'a user and a group of their own',
    outside(USER, GROUP),
    { app: { securityContext: { runAsUser: 1000 } }, pod: { securityContext: { fsGroup: 2000 } } },
    {
      culprit: 'security context constraint: containers[0].securityContext.runAsUser, securityContext.fsGroup',
      corrections: [
        [
          'likely',
          'Leave out `runAsUser` and `fsGroup`',
          {
            'securityContext.runAsUser': null,
            'spec.template.spec.securityContext.fsGroup': null,
          },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'rights that the program may need',
    outside(PRIVILEGED),
    { app: { securityContext: { privileged: true } } },
    {
      corrections: [['guess', 'Leave out `privileged`', { 'securityContext.privileged': null }, 'no mirror']],
    },
  ],
  [
    'a port of the node',
    outside(PORT),
    { app: { ports: [{ containerPort: 80, hostPort: 80 }] } },
    { corrections: [['guess', 'Leave out `hostPort`', { 'ports[0].hostPort': null }, 'no mirror']] },
  ],
  [
    'a field that the pods do not have',
    outside(USER),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: no security context constraint of OpenShift that their account may use allows them (`containers[0].securityContext.runAsUser`).',
      corrections: [],
      commands: ['kubectl describe replicaset web -n shop', 'oc get scc'],
      why: 'Only another constraint lets this pod run.',
      look: 'which constraints the service account `default` may use',
    },
  ],
];
for (const [sentence, message, pods, expected] of ROWS)
  constraints(sentence, () => tells(outsideConstraints(refusedPods(message, pods)), expected));

constraints.run();
