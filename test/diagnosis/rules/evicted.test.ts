import { suite } from 'uvu';
import { deadline } from '../../../src/diagnosis/rules/deadline.ts';
import { evicted } from '../../../src/diagnosis/rules/evicted.ts';
import { anInput, type CaseParts } from '../../support/builders/cases.ts';
import { tells, type Told } from '../../support/builders/told-by-rule.ts';

const ends = suite('pods that were evicted or reached their deadline');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
}
const out = (message: string, { app = {}, spec = {}, ...more }: Pod = {}) =>
  evicted.answer(
    anInput(app, spec, { failure_reason: 'Evicted', failure_message: message, container: null, container_statuses: [], ...more }),
  );

type Row = [sentence: string, answer: ReturnType<typeof evicted.answer>, expected: Partial<Told> | undefined];
const POD = 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ';
const APP = 'Container app exceeded its local ephemeral storage limit "1Gi". ';
const volume = (limit: string) => `Usage of EmptyDir volume "tmp" exceeds the limit "${limit}". `;
const MEMORY = 'The node was low on resource: memory. Container app was using 500Mi, request is 100Mi, has larger consumption of memory. ';
const limit = (amount: string) => ({ resources: { limits: { 'ephemeral-storage': amount } } });
const two = (first: object, second: object) => ({
  containers: [
    { name: 'a', image: 'a:1', ...first },
    { name: 'app', image: 'b:1', ...second },
  ],
});
const tmp = (sizeLimit: string) => ({
  spec: {
    volumes: [
      { name: 'x', emptyDir: {} },
      { name: 'tmp', emptyDir: { sizeLimit } },
    ],
  },
});

const EVICTED: Row[] = [
  ['nobody was evicted', out('all is well', { failure_reason: 'Failed' }), undefined],
  [
    'the node ran low on memory',
    out(MEMORY),
    {
      summary: 'The pod `web` was evicted: the node ran low on `memory`; container `app` used `500Mi`, more than it requested.',
      culprit: 'memory of the node: container app used 500Mi',
      evidence: [
        'pod status: The node was low on resource: memory. Container app was using 500Mi, request is 100Mi, has larger consumption of memory. ',
      ],
      advice: [
        'Set `requests` to what the pod really uses: pods that use more than they requested are evicted first.',
        'An evicted pod stays as a record. Nothing creates it again: delete it and create it anew.',
      ],
      commands: ['kubectl describe pod web -n shop', 'kubectl describe nodes', 'kubectl top nodes'],
      corrections: [['likely', 'Request `600Mi` of `memory`', { 'resources.requests.memory': '600Mi' }, 'no mirror']],
      why: 'The node ran low. The pod is not the cause.',
      look: 'the conditions and events of the node, and what else runs on it',
    },
  ],
  [
    'more than the limit is not requested',
    out(MEMORY, { app: { resources: { limits: { memory: '512Mi' } } } }),
    {
      corrections: [['likely', 'Request `512Mi` of `memory`', { 'resources.requests.memory': '512Mi' }, 'no mirror']],
    },
  ],
  [
    'the node ran low on disk',
    out('The node was low on resource: ephemeral-storage. Container app was using 2Gi, request is 0, ...'),
    {
      summary: 'The pod `web` was evicted: the node ran low on `ephemeral-storage`; container `app` used `2Gi`, more than it requested.',
      culprit: 'ephemeral-storage of the node: container app used 2Gi',
      corrections: [
        ['likely', 'Request `2457Mi` of `ephemeral-storage`', { 'resources.requests.ephemeral-storage': '2457Mi' }, 'no mirror'],
      ],
    },
  ],
  [
    'the node ran low on inodes',
    out('The node was low on resource: inodes. Container app was using 2000, request is 0, ...'),
    {
      summary: 'The pod `web` was evicted: the node ran low on `inodes`; container `app` used `2000`, more than it requested.',
      corrections: [],
    },
  ],
  [
    'a container that the manifest does not have',
    out(MEMORY.replace('app', 'proxy')),
    { culprit: 'memory of the node: container proxy used 500Mi', corrections: [] },
  ],
  [
    'a condition of the node',
    out('The node had condition: [DiskPressure]. '),
    {
      summary: 'The pod `web` was evicted: the node ran low on `ephemeral-storage`.',
      culprit: 'ephemeral-storage of the node (DiskPressure)',
    },
  ],
  [
    'another condition of the node',
    out('The node had condition: [Tired]. '),
    { summary: 'The pod `web` was evicted: the node has the condition `Tired`.', culprit: 'condition Tired of the node' },
  ],
  [
    'another resource of the node',
    out('The node was low on resource: luck. '),
    { summary: 'The pod `web` was evicted: the node ran low on a resource.', culprit: 'a resource of the node' },
  ],
  [
    'the pod exceeded its limits',
    out(POD, { app: limit('1Gi'), workload: { kind: 'Deployment', name: 'web' } }),
    {
      summary:
        'The pod `web` was evicted: its containers wrote more to the disk of the node than their `ephemeral-storage` limits allow (`1Gi` in all).',
      culprit: 'ephemeral-storage limit 1Gi',
      advice: [
        'Let the program write less (logs, temporary files), or raise the limit to what it needs.',
        'An evicted pod stays as a record. Its controller has created another one.',
      ],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['likely', 'Raise the limit to `2Gi`', { 'resources.limits.ephemeral-storage': '2Gi' }]],
      why: 'Nothing in the manifest caused it.',
    },
  ],
  [
    'the first container with a limit',
    out(POD, { spec: two({}, limit('1Gi')) }),
    {
      corrections: [['likely', 'Raise the limit to `2Gi`', { 'spec.containers[1].resources.limits.ephemeral-storage': '2Gi' }]],
    },
  ],
  ['a limit that the manifest does not have', out(POD), { corrections: [] }],
  [
    'a container exceeded its limit',
    out(APP, { spec: two(limit('4Gi'), limit('1Gi')) }),
    {
      summary: 'The pod `web` was evicted: container `app` wrote more to the disk of the node than its `ephemeral-storage` limit of `1Gi`.',
      culprit: 'ephemeral-storage limit 1Gi',
      corrections: [['likely', 'Raise the limit to `2Gi`', { 'spec.containers[1].resources.limits.ephemeral-storage': '2Gi' }]],
    },
  ],
  [
    'a limit in thousandths',
    out(APP.replace('1Gi', '512m'), { app: limit('512m') }),
    {
      corrections: [['likely', 'Set the limit to `512Mi`', { 'resources.limits.ephemeral-storage': '512Mi' }]],
    },
  ],
  [
    'a small limit',
    out(APP.replace('1Gi', '1Mi'), { app: limit('1Mi') }),
    {
      corrections: [['likely', 'Raise the limit to `256Mi`', { 'resources.limits.ephemeral-storage': '256Mi' }]],
    },
  ],
  [
    'a volume grew',
    out(volume('1Gi'), tmp('1Gi')),
    {
      summary: 'The pod `web` was evicted: volume `tmp` grew beyond its size limit `1Gi`.',
      culprit: 'sizeLimit 1Gi of volume tmp',
      corrections: [['likely', 'Raise the limit to `2Gi`', { 'spec.volumes[1].emptyDir.sizeLimit': '2Gi' }]],
    },
  ],
  [
    'a volume of thousandths',
    out(volume('512m'), tmp('512m')),
    {
      summary:
        'The pod `web` was evicted: volume `tmp` grew beyond its size limit `512m`, which is less than a byte (`m` is a thousandth).',
      corrections: [['likely', 'Set the limit to `512Mi`', { 'spec.volumes[1].emptyDir.sizeLimit': '512Mi' }]],
    },
  ],
  ['a volume that the manifest does not have', out(volume('1Gi')), { corrections: [] }],
  [
    'a taint',
    out('Taint manager deletes the pod', { failure_reason: 'TaintManagerEviction' }),
    {
      summary: 'The pod `web` was evicted: its node got a taint that it does not tolerate.',
      culprit: 'taint of the node',
      commands: ['kubectl describe pod web -n shop'],
      why: 'Nothing in the manifest caused it.',
    },
  ],
  [
    'a request',
    out('Eviction API: evicting', { failure_reason: 'EvictionByEvictionAPI' }),
    { summary: 'The pod `web` was evicted: somebody requested its eviction.', culprit: 'eviction through the API' },
  ],
  [
    'a request and its reason',
    out('Eviction API: evicting', { failure_reason: 'EvictionByEvictionAPI', events: [{ reason: 'Evicted', message: MEMORY }] }),
    { culprit: 'memory of the node: container app used 500Mi' },
  ],
];
for (const [sentence, answer, expected] of EVICTED) ends(`evicted: ${sentence}`, () => tells(answer, expected));

const LATE = 'Pod was active on the node longer than the specified deadline';
const late = ({ app = {}, spec = {}, ...more }: Pod = {}) =>
  deadline.answer(
    anInput(app, spec, {
      failure_reason: 'DeadlineExceeded',
      failure_message: LATE,
      container: null,
      container_statuses: [],
      logs: '==> app (current) <==\nworking\n',
      ...more,
    }),
  );
const job = (spec: object, pod: object, containers = [{ name: 'app', image: 'web:1' }]) => ({
  resource_kind: 'Job',
  manifest: {
    kind: 'Job',
    metadata: { name: 'web' },
    spec: { ...spec, template: { spec: { restartPolicy: 'Never', containers, ...pod } } },
  },
});
const JOB = { workload: { kind: 'Job', name: 'web' } };
const pair = {
  restartPolicy: 'Never',
  activeDeadlineSeconds: 60,
  containers: [
    { name: 'app', image: 'web:1' },
    { name: 'worker', image: 'w:1' },
  ],
};
const done = { name: 'worker', kind: 'app' as const, state: 'terminated' as const, exit_code: 0, ready: false };
const PULL = { reason: 'Failed', message: 'Failed to pull image "web:1": not found' };

const DEADLINES: Row[] = [
  ['nothing was late', late({ failure_reason: 'Failed', failure_message: 'all is well' }), undefined],
  [
    'a server',
    late({ spec: { activeDeadlineSeconds: 60 } }),
    {
      summary: 'The pod `web` was ended because it ran longer than its deadline of `60 s`.',
      culprit: 'activeDeadlineSeconds 60',
      evidence: ['pod status: Pod was active on the node longer than the specified deadline'],
      advice: [
        'Its log shows whether it worked all the time or waited for something. Raise `activeDeadlineSeconds`, or repair what it waits for.',
      ],
      commands: ['kubectl logs web --tail=100 -n shop'],
      corrections: [['likely', 'Remove the deadline', { 'spec.activeDeadlineSeconds': null }, 'no mirror']],
      why: 'The deadline is not in this manifest.',
      look: '`activeDeadlineSeconds` of the pod and of its Job',
    },
  ],
  [
    'told by an event',
    late({ failure_reason: 'Failed', failure_message: '', events: [{ reason: 'x', message: LATE }] }),
    {
      summary: 'The pod `web` was ended because it ran longer than its deadline.',
      evidence: ['event x: Pod was active on the node longer than the specified deadline'],
    },
  ],
  [
    'told by the reason alone',
    late({ failure_message: '' }),
    {
      summary: 'The pod `web` was ended because it ran longer than its deadline.',
      culprit: 'activeDeadlineSeconds',
      evidence: [],
      corrections: [],
    },
  ],
  [
    'a pod of a Job',
    late({ ...JOB, spec: { activeDeadlineSeconds: 200, restartPolicy: 'Always' } }),
    {
      corrections: [['likely', 'Set the deadline to 800 seconds', { 'spec.activeDeadlineSeconds': 800 }, 'no mirror']],
    },
  ],
  [
    'a pod that runs once',
    late({ spec: { activeDeadlineSeconds: 100, restartPolicy: 'Never' } }),
    {
      corrections: [['likely', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror']],
    },
  ],
  [
    'a Job',
    late(job({ activeDeadlineSeconds: 300 }, {})),
    {
      summary: 'The Job `web` was ended because it ran longer than its deadline of `300 s`.',
      culprit: 'activeDeadlineSeconds 300',
      corrections: [['likely', 'Set the deadline to 1200 seconds', { 'spec.activeDeadlineSeconds': 1200 }, 'no mirror']],
    },
  ],
  [
    'each pod of a Job',
    late(job({}, { activeDeadlineSeconds: 300 })),
    {
      summary: 'Each of them was ended because it ran longer than its deadline of `300 s`.',
      corrections: [['likely', 'Set the deadline to 1200 seconds', { 'spec.template.spec.activeDeadlineSeconds': 1200 }, 'no mirror']],
    },
  ],
  [
    'one container of a Job ends and the other does not',
    late({ ...JOB, spec: pair, container_statuses: [done, { ...done, name: 'app', state: 'running', exit_code: null }] }),
    {
      corrections: [
        [
          'guess',
          'Make `app` a sidecar',
          {
            'spec.containers': [{ name: 'worker', image: 'w:1' }],
            'spec.initContainers': [{ name: 'app', image: 'web:1', restartPolicy: 'Always' }],
          },
        ],
        ['guess', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror'],
      ],
    },
  ],
  [
    'the pod of a CronJob',
    late({ workload: { kind: 'CronJob', name: 'web' }, spec: pair, container_statuses: [done] }),
    {
      corrections: [
        [
          'guess',
          'Make `app` a sidecar',
          {
            'spec.containers': [{ name: 'worker', image: 'w:1' }],
            'spec.initContainers': [{ name: 'app', image: 'web:1', restartPolicy: 'Always' }],
          },
        ],
        ['guess', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror'],
      ],
    },
  ],
  [
    'no container of the Job has ended',
    late({ ...JOB, spec: pair }),
    {
      corrections: [['guess', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror']],
    },
  ],
  [
    'an init container of the Job has ended',
    late({ ...JOB, spec: pair, container_statuses: [{ ...done, kind: 'init' }] }),
    {
      corrections: [['guess', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror']],
    },
  ],
  [
    'a pod of no Job',
    late({ spec: pair, container_statuses: [done] }),
    {
      corrections: [['guess', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror']],
    },
  ],
  [
    'a Job with a helper',
    late(
      job({ activeDeadlineSeconds: 300 }, {}, [
        { name: 'app', image: 'web:1' },
        { name: 'istio-proxy', image: 'istio/proxyv2:1' },
      ]),
    ),
    {
      corrections: [
        [
          'guess',
          'Make `istio-proxy` a sidecar',
          {
            'spec.template.spec.containers': [{ name: 'app', image: 'web:1' }],
            'spec.template.spec.initContainers': [{ name: 'istio-proxy', image: 'istio/proxyv2:1', restartPolicy: 'Always' }],
          },
        ],
        ['guess', 'Set the deadline to 1200 seconds', { 'spec.activeDeadlineSeconds': 1200 }, 'no mirror'],
      ],
    },
  ],
  [
    'a workload that is no Job',
    late({ spec: { ...pair, containers: [pair.containers[0], { name: 'istio-proxy', image: 'istio/proxyv2:1' }] } }),
    {
      corrections: [['guess', 'Set the deadline to 600 seconds', { 'spec.activeDeadlineSeconds': 600 }, 'no mirror']],
    },
  ],
  [
    'nothing ran',
    late({ logs: '', spec: { activeDeadlineSeconds: 60 } }),
    {
      corrections: [['guess', 'Remove the deadline', { 'spec.activeDeadlineSeconds': null }, 'no mirror']],
    },
  ],
  ['nothing ran, and the image could not be pulled', late({ logs: '', events: [PULL], spec: { activeDeadlineSeconds: 60 } }), undefined],
  [
    'it ran, and an image could not be pulled',
    late({ events: [PULL], spec: { activeDeadlineSeconds: 60 } }),
    { culprit: 'activeDeadlineSeconds 60' },
  ],
  [
    'it was started',
    late({ logs: '', events: [{ reason: 'Started', message: 'Started container' }], spec: { activeDeadlineSeconds: 60 } }),
    {
      corrections: [['likely', 'Remove the deadline', { 'spec.activeDeadlineSeconds': null }, 'no mirror']],
    },
  ],
  [
    'it runs',
    late({ logs: '', container_statuses: [{ ...done, state: 'running', exit_code: null }], spec: { activeDeadlineSeconds: 60 } }),
    {
      corrections: [['likely', 'Remove the deadline', { 'spec.activeDeadlineSeconds': null }, 'no mirror']],
    },
  ],
  [
    'it has run',
    late({
      logs: '',
      container_statuses: [{ ...done, state: 'waiting', last_state: { state: 'terminated', exit_code: 1 } }],
      spec: { activeDeadlineSeconds: 60 },
    }),
    {
      corrections: [['likely', 'Remove the deadline', { 'spec.activeDeadlineSeconds': null }, 'no mirror']],
    },
  ],
];
for (const [sentence, answer, expected] of DEADLINES) ends(`late: ${sentence}`, () => tells(answer, expected));

ends.run();
