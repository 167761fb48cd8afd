import { suite } from 'uvu';
import {
  aboveDefaultLimit,
  exceededClaimRange,
  exceededLimitRange,
  exceededRatio,
} from '../../../../src/diagnosis/rules/failed-create/limit-range.ts';
import { forbidden, type RefusedPods, refusedPods } from '../../../support/builders/refused-pods.ts';
import { tells, type Told } from '../../../support/builders/told-by-rule.ts';

const ranges = suite('pods that a LimitRange refuses');

type Row = [sentence: string, message: string, pods: RefusedPods, expected: Partial<Told> | undefined];
const has = (resources: object) => ({ resources });
const limits = (limits: object) => has({ limits });
const requests = (requests: object) => has({ requests });
const two = (first: object, second: object) => ({
  containers: [
    { name: 'a', image: 'a:1', ...first },
    { name: 'b', image: 'b:1', ...second },
  ],
});
const MOST = forbidden('maximum cpu usage per Container is 1, but limit is 2');
const LEAST = forbidden('minimum memory usage per Container is 64Mi, but request is 32Mi');
const NO_LIMIT = forbidden('maximum memory usage per Container is 1Gi.  No limit is specified');
const NO_REQUEST = forbidden('minimum memory usage per Container is 1Gi.  No request is specified');

const BOUNDS: Row[] = [
  ['another failure', forbidden('no'), {}, undefined],
  [
    'above the maximum',
    MOST,
    { app: limits({ cpu: '2' }) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `1` `cpu` for a container, but `app` has `2`.',
      culprit: 'cpu 2 (maximum 1) of app',
      evidence: ['event FailedCreate: Error creating: pods "web-x" is forbidden: maximum cpu usage per Container is 1, but limit is 2'],
      advice: ['Stay within the LimitRange of the namespace, or have it changed.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl describe limitranges -n shop'],
      corrections: [['likely', 'Stay within `1`', { 'resources.limits.cpu': '1' }, 'no mirror']],
    },
  ],
  [
    'a request above the maximum',
    MOST,
    { app: has({ requests: { cpu: '1500m' }, limits: { cpu: '2' } }) },
    {
      corrections: [['likely', 'Stay within `1`', { 'resources.limits.cpu': '1', 'resources.requests.cpu': '1' }, 'no mirror']],
    },
  ],
  [
    'at the maximum',
    MOST,
    { app: limits({ cpu: '1' }) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `1` `cpu` for a container, but the container has `2`.',
      culprit: 'cpu 2 (maximum 1)',
      corrections: [['certain', 'Stay within `1`', {}, 'no mirror']],
    },
  ],
  [
    'below the minimum',
    LEAST,
    { app: requests({ memory: '32Mi' }) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a minimum of `64Mi` `memory` for a container, but `app` has `32Mi`.',
      culprit: 'memory 32Mi (minimum 64Mi) of app',
      corrections: [['certain', 'Stay within `64Mi`', { 'resources.requests.memory': '64Mi' }, 'no mirror']],
    },
  ],
  ['at the minimum', LEAST, { app: requests({ memory: '64Mi' }) }, { corrections: [['certain', 'Stay within `64Mi`', {}, 'no mirror']] }],
  [
    'a limit that is missing',
    NO_LIMIT,
    { pod: two(limits({ memory: '512Mi' }), {}) },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `1Gi` `memory` for a container.',
      culprit: 'memory limit (maximum 1Gi)',
      corrections: [['likely', 'Stay within `1Gi`', { 'spec.template.spec.containers[1].resources.limits.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'a request that is missing',
    NO_REQUEST,
    {},
    {
      culprit: 'memory request (minimum 1Gi)',
      corrections: [['likely', 'Stay within `1Gi`', { 'resources.requests.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'a number is given: what is missing stays so',
    MOST,
    { pod: two({}, limits({ cpu: '2' })) },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `1` `cpu` for a container, but `b` has `2`.',
      culprit: 'cpu 2 (maximum 1) of b',
      corrections: [['likely', 'Stay within `1`', { 'spec.template.spec.containers[1].resources.limits.cpu': '1' }, 'no mirror']],
    },
  ],
  [
    'two containers',
    MOST,
    { pod: two(limits({ cpu: '3' }), limits({ cpu: '2' })) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `1` `cpu` for a container, but `a`, `b` have more.',
      culprit: 'cpu 2 (maximum 1) of a, b',
    },
  ],
  [
    'two containers below the minimum',
    LEAST,
    { pod: two(requests({ memory: '1Mi' }), requests({ memory: '2Mi' })) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a minimum of `64Mi` `memory` for a container, but `a`, `b` have less.',
    },
  ],
  [
    'two bounds',
    forbidden('[maximum cpu usage per Container is 1, but limit is 2, maximum memory usage per Container is 1Gi, but limit is 4Gi]'),
    { app: limits({ cpu: '2', memory: '4Gi' }) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `1` `cpu` for a container, but `app` has `2`.',
      culprit: 'cpu 2 (maximum 1), memory 4Gi (maximum 1Gi) of app',
      corrections: [['guess', 'Stay within `1` and `1Gi`', { 'resources.limits.cpu': '1', 'resources.limits.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'half of the memory',
    forbidden('maximum memory usage per Container is 1Gi, but limit is 2Gi'),
    { app: limits({ memory: '2Gi' }) },
    {
      corrections: [['likely', 'Stay within `1Gi`', { 'resources.limits.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'a quarter of the CPU',
    forbidden('maximum cpu usage per Container is 1, but limit is 4'),
    { app: limits({ cpu: '4' }) },
    {
      corrections: [['likely', 'Stay within `1`', { 'resources.limits.cpu': '1' }, 'no mirror']],
    },
  ],
  [
    'a quarter of the requested memory',
    forbidden('maximum memory usage per Container is 1Gi, but limit is 1Gi'),
    { app: requests({ memory: '4Gi' }) },
    {
      corrections: [['likely', 'Stay within `1Gi`', { 'resources.requests.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'the pod is above the maximum',
    forbidden('maximum cpu usage per Pod is 2, but limit is 4'),
    { pod: two(limits({ cpu: '3' }), limits({ cpu: '1' })) },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the namespace allows a maximum of `2` `cpu` for a pod, but the pod has `4`.',
      culprit: 'cpu 4 (maximum 2)',
      corrections: [
        [
          'likely',
          'Stay within `2`',
          { 'resources.limits.cpu': '1500m', 'spec.template.spec.containers[1].resources.limits.cpu': '500m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'the requests of the pod are above the maximum',
    forbidden('maximum cpu usage per Pod is 2, but request is 4'),
    { pod: two(requests({ cpu: '3' }), requests({ cpu: '1' })) },
    {
      corrections: [
        [
          'likely',
          'Stay within `2`',
          { 'resources.requests.cpu': '1500m', 'spec.template.spec.containers[1].resources.requests.cpu': '500m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'the pod is below the minimum',
    forbidden('minimum cpu usage per Pod is 2, but request is 1'),
    { pod: two(requests({ cpu: '250m' }), requests({ cpu: '750m' })) },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the namespace allows a minimum of `2` `cpu` for a pod, but the pod has `1`.',
      corrections: [
        [
          'certain',
          'Stay within `2`',
          { 'resources.requests.cpu': '500m', 'spec.template.spec.containers[1].resources.requests.cpu': '1500m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'the limits of the pod are below the minimum',
    forbidden('minimum cpu usage per Pod is 2, but limit is 1'),
    { pod: two(limits({ cpu: '1' }), {}) },
    {
      corrections: [['certain', 'Stay within `2`', { 'resources.limits.cpu': '2' }, 'no mirror']],
    },
  ],
  [
    'the pod has no requests',
    forbidden('minimum memory usage per Pod is 1Gi.  No request is specified'),
    { pod: two({}, {}) },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: the namespace allows a minimum of `1Gi` `memory` for a pod.',
      culprit: 'memory request (minimum 1Gi)',
      corrections: [
        [
          'likely',
          'Stay within `1Gi`',
          { 'resources.requests.memory': '512Mi', 'spec.template.spec.containers[1].resources.requests.memory': '512Mi' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'an amount that cannot be read',
    forbidden('maximum cpu usage per Pod is lots, but limit is 4'),
    { app: limits({ cpu: '4' }) },
    { corrections: [['certain', 'Stay within `lots`', {}, 'no mirror']] },
  ],
  ['no manifest', MOST, { manifest: 'kind: [' }, { corrections: [['certain', 'Stay within `1`', {}, 'no mirror']] }],
];
for (const [sentence, message, pods, expected] of BOUNDS)
  ranges(sentence, () => tells(exceededLimitRange(refusedPods(message, pods)), expected));

const RATIO = forbidden('cpu max limit to request ratio per Container is 4, but provided ratio is 10');
const RATIOS: Row[] = [
  ['another failure', forbidden('no'), {}, undefined],
  [
    'a limit far above its request',
    RATIO,
    { app: has({ requests: { cpu: '100m' }, limits: { cpu: '1' } }) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: the namespace allows a `cpu` limit of at most `4` times its request, but `app` has `1` and requests `100m`.',
      culprit: 'cpu: limit to request ratio above 4 of app',
      evidence: [
        'event FailedCreate: Error creating: pods "web-x" is forbidden: cpu max limit to request ratio per Container is 4, but provided ratio is 10',
      ],
      advice: ['Bring request and limit closer together, or have the LimitRange changed.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl describe limitranges -n shop'],
      corrections: [['likely', 'Request at least 1/4 of the limit', { 'resources.requests.cpu': '250m' }, 'no mirror']],
    },
  ],
  [
    'a limit without a request',
    RATIO,
    { pod: { initContainers: [{ name: 'i', image: 'i:1', ...limits({ cpu: '2' }) }] } },
    {
      corrections: [
        [
          'likely',
          'Request at least 1/4 of the limit',
          { 'spec.template.spec.initContainers[0].resources.requests.cpu': '500m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a limit at the ratio',
    RATIO,
    { app: has({ requests: { cpu: '250m' }, limits: { cpu: '1' } }) },
    { corrections: [['likely', 'Request at least 1/4 of the limit', {}, 'no mirror']] },
  ],
  [
    'a request without a limit',
    RATIO,
    { app: requests({ cpu: '1' }) },
    { corrections: [['likely', 'Request at least 1/4 of the limit', {}, 'no mirror']] },
  ],
];
for (const [sentence, message, pods, expected] of RATIOS)
  ranges(`the ratio: ${sentence}`, () => tells(exceededRatio(refusedPods(message, pods)), expected));

const ABOVE =
  'Pod "web-x" is invalid: spec.containers[0].resources.requests: Invalid value: "1Gi": must be less than or equal to memory limit';
const DEFAULTS: Row[] = [
  ['another failure', forbidden('no'), {}, undefined],
  [
    'the default',
    ABOVE,
    { app: requests({ memory: '1Gi' }) },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: a container requests `1Gi` of `memory`, more than the limit that the LimitRange of the namespace gives it, since it sets none.',
      culprit: 'requests.memory 1Gi above the memory limit',
      evidence: [
        'event FailedCreate: Error creating: Pod "web-x" is invalid: spec.containers[0].resources.requests: Invalid value: "1Gi": must be less than or equal to memory limit',
      ],
      advice: ['Give the container a limit of its own. Without one it gets the default of the LimitRange of the namespace.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl describe limitranges -n shop'],
      corrections: [['likely', 'Set the limit to `1Gi`', { 'resources.limits.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'its own limit',
    ABOVE,
    { app: has({ requests: { memory: '1Gi' }, limits: { memory: '512Mi' } }) },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: a container requests `1Gi` of `memory`, more than its limit.',
      corrections: [['likely', 'Set the limit to `1Gi`', { 'resources.limits.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'a limit that nobody shows',
    ABOVE,
    { manifest: 'kind: [' },
    {
      summary: 'The ReplicaSet `web` cannot create its pods: a container requests `1Gi` of `memory`, more than its limit.',
      corrections: [],
    },
  ],
];
for (const [sentence, message, pods, expected] of DEFAULTS)
  ranges(`a request above ${sentence}`, () => tells(aboveDefaultLimit(refusedPods(message, pods)), expected));

const claim = (why: string): string =>
  `create Pod db-0 in StatefulSet db failed error: failed to create PVC data-db-0: persistentvolumeclaims "data-db-0" is forbidden: ${why}`;
const CLAIMS: Row[] = [
  ['a container above the maximum', MOST, {}, undefined],
  [
    'a claim above the maximum',
    claim('maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 5Gi'),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: its claim `data-db-0` asks for `5Gi`, and the namespace allows at most `1Gi` for a claim.',
      culprit: 'claim data-db-0: storage 5Gi (maximum 1Gi)',
      advice: [
        'Ask for at most `1Gi` in `spec.volumeClaimTemplates`, or have the LimitRange changed. The templates of a StatefulSet cannot be changed: delete it with `--cascade=orphan` and create it again.',
      ],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl describe limitranges -n shop'],
      corrections: [],
    },
  ],
  [
    'a claim below the minimum, in a list of causes',
    claim('[minimum storage usage per PersistentVolumeClaim is 10Gi, but request is 512Mi]'),
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: its claim `data-db-0` asks for `512Mi`, and the namespace allows at least `10Gi` for a claim.',
      culprit: 'claim data-db-0: storage 512Mi (minimum 10Gi)',
    },
  ],
];
for (const [sentence, message, pods, expected] of CLAIMS)
  ranges(sentence, () => tells(exceededClaimRange(refusedPods(message, pods)), expected));

ranges.run();
