import { suite } from 'uvu';
import { exceededQuota, fieldsForQuota } from '../../../../src/diagnosis/rules/failed-create/quota.ts';
import { forbidden, type RefusedPods, refusedPods } from '../../../support/builders/refused-pods.ts';
import { tells, type Told } from '../../../support/builders/told-by-rule.ts';

const quotas = suite('pods that a quota refuses');

const exceeded = (requested: string, used: string, limited: string) =>
  forbidden(`exceeded quota: team, requested: ${requested}, used: ${used}, limited: ${limited}`);
const requests = (cpu: string, memory?: string) => ({ resources: { requests: { cpu, ...(memory ? { memory } : {}) } } });
const CPU = exceeded('requests.cpu=500m', 'requests.cpu=1', 'requests.cpu=1200m');
const PODS = exceeded('pods=1', 'pods=3', 'pods=3');
const scoped = (...scopes: string[]) => ({
  surroundings: { quotas: [{ name: 'team', scopes, hard: { pods: '3' }, used: { pods: '3' } }] },
});
const two = (first: object, second: object = {}) => ({
  containers: [
    { name: 'a', image: 'a:1', ...first },
    { name: 'b', image: 'b:1', ...second },
  ],
});
const owned = (kind: string, wanted: number, status: object): RefusedPods => ({
  owner: { kind, metadata: { name: 'web' }, spec: { replicas: wanted }, status },
});

type Row = [sentence: string, message: string, pods: RefusedPods, expected: Partial<Told> | undefined];
const EXCEEDED: Row[] = [
  ['another failure', forbidden('no'), {}, undefined],
  [
    'a part of the quota is left',
    CPU,
    { app: requests('500m') },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: quota `team` has no room left (`requests.cpu`: a pod asks for `500m`, `1` of `1200m` are used).',
      culprit: 'quota team: requests.cpu',
      evidence: [
        'event FailedCreate: Error creating: pods "web-x" is forbidden: exceeded quota: team, requested: requests.cpu=500m, used: requests.cpu=1, limited: requests.cpu=1200m',
      ],
      advice: ['Raise the quota, delete what the namespace no longer needs, or request less.'],
      commands: ['kubectl describe replicaset web -n shop', 'kubectl describe resourcequota team -n shop'],
      corrections: [['likely', 'Request `200m` of `requests.cpu` in each pod', { 'resources.requests.cpu': '200m' }, 'no mirror']],
      why: 'The namespace has used up its quota.',
      look: 'quota `team` and what uses it',
    },
  ],
  [
    'nothing is used, and one pod is too much',
    exceeded('requests.cpu=2', 'requests.cpu=0', 'requests.cpu=1'),
    { app: requests('2') },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: quota `team` is too small for one pod (`requests.cpu`: at most `1` in all, and one pod asks for `2`).',
      corrections: [['likely', 'Request `1` of `requests.cpu` in each pod', { 'resources.requests.cpu': '1' }, 'no mirror']],
      why: 'The quota does not allow one such pod.',
    },
  ],
  [
    'only one of two is used',
    exceeded('cpu=2,memory=1Gi', 'cpu=0,memory=1Gi', 'cpu=1,memory=1536Mi'),
    { app: requests('2', '1Gi') },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: quota `team` has no room left (`cpu`: a pod asks for `2`, `0` of `1` are used; `memory`: a pod asks for `1Gi`, `1Gi` of `1536Mi` are used).',
      corrections: [
        [
          'likely',
          'Request `1` of `cpu` and `512Mi` of `memory` in each pod',
          { 'resources.requests.cpu': '1', 'resources.requests.memory': '512Mi' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'one of two has no room at all',
    exceeded('cpu=2,memory=1Gi', 'cpu=0,memory=2Gi', 'cpu=1,memory=2Gi'),
    { app: requests('2', '1Gi') },
    { corrections: [] },
  ],
  [
    'numbers that the message lacks',
    exceeded('requests.cpu=2', 'x', 'x'),
    { app: requests('2') },
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: quota `team` has no room left (`requests.cpu`: a pod asks for `2`, `?` of `?` are used).',
      corrections: [],
    },
  ],
  [
    'a limit of memory',
    exceeded('limits.memory=1Gi', 'limits.memory=1Gi', 'limits.memory=1536Mi'),
    { app: { resources: { limits: { memory: '1Gi' } } } },
    {
      corrections: [['guess', 'Request `512Mi` of `limits.memory` in each pod', { 'resources.limits.memory': '512Mi' }, 'no mirror']],
    },
  ],
  [
    'two containers',
    CPU,
    { pod: two(requests('400m'), requests('100m')) },
    {
      corrections: [
        [
          'likely',
          'Request `200m` of `requests.cpu` in each pod',
          { 'resources.requests.cpu': '160m', 'spec.template.spec.containers[1].resources.requests.cpu': '40m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'the pods that are there hold their part',
    CPU,
    { app: requests('500m'), controller: { spec: { replicas: 3 }, status: { replicas: 1 } } },
    {
      corrections: [['likely', 'Request `233m` of `requests.cpu` in each pod', { 'resources.requests.cpu': '233m' }, 'no mirror']],
    },
  ],
  [
    'the pods of a Job',
    CPU,
    { app: requests('500m'), controller: { spec: { parallelism: 4 }, status: { active: 2 } } },
    {
      corrections: [['likely', 'Request `300m` of `requests.cpu` in each pod', { 'resources.requests.cpu': '300m' }, 'no mirror']],
    },
  ],
  [
    'the pods of a DaemonSet',
    CPU,
    { app: requests('500m'), controller: { status: { desiredNumberScheduled: 5, currentNumberScheduled: 1 } } },
    {
      corrections: [['likely', 'Request `140m` of `requests.cpu` in each pod', { 'resources.requests.cpu': '140m' }, 'no mirror']],
    },
  ],
  [
    'more pods than wanted',
    CPU,
    { app: requests('500m'), controller: { spec: { replicas: 1 }, status: { replicas: 2 } } },
    { corrections: [] },
  ],
  [
    'no pods are wanted',
    CPU,
    { app: requests('500m'), controller: { spec: { replicas: 0 }, status: { replicas: 0 } } },
    {
      corrections: [['likely', 'Request `200m` of `requests.cpu` in each pod', { 'resources.requests.cpu': '200m' }, 'no mirror']],
    },
  ],
  [
    'a number of pods',
    PODS,
    {},
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: quota `team` has no room left (`pods`: a pod asks for `1`, `3` of `3` are used).',
      advice: ['Raise the quota, delete what the namespace no longer needs, or run fewer pods.'],
      corrections: [],
    },
  ],
  [
    'a quota of pods without requests',
    PODS,
    scoped('BestEffort'),
    {
      summary:
        'The ReplicaSet `web` cannot create its pods: quota `team` has no room left (`pods`: a pod asks for `1`, `3` of `3` are used). It counts only pods without requests and limits (scope `BestEffort`), as these are.',
      advice: ['Give every container requests: the quota does not count such pods. Or raise the quota.'],
      corrections: [['likely', 'Request CPU and memory', { 'resources.requests': { cpu: '50m', memory: '128Mi' } }, 'no mirror']],
    },
  ],
  [
    'the same, for two containers',
    PODS,
    { ...scoped('BestEffort'), pod: two({}) },
    {
      corrections: [
        [
          'likely',
          'Request CPU and memory',
          {
            'resources.requests': { cpu: '50m', memory: '128Mi' },
            'spec.template.spec.containers[1].resources.requests': { cpu: '50m', memory: '128Mi' },
          },
          'no mirror',
        ],
      ],
    },
  ],
  ['pods with requests', PODS, { ...scoped('BestEffort'), app: requests('1') }, { corrections: [] }],
  ['pods with limits', PODS, { ...scoped('BestEffort'), app: { resources: { limits: { cpu: '1' } } } }, { corrections: [] }],
  [
    'an init container with requests',
    PODS,
    { ...scoped('BestEffort'), pod: { initContainers: [{ name: 'i', image: 'i:1', ...requests('1') }] } },
    { corrections: [] },
  ],
  ['a quota of other pods', PODS, scoped('NotTerminating'), { corrections: [] }],
  [
    'a quota of more than pods',
    exceeded('pods=1,count/x=1', 'pods=3,count/x=1', 'pods=3,count/x=1'),
    scoped('BestEffort'),
    { advice: ['Raise the quota, delete what the namespace no longer needs, or request less.'], corrections: [] },
  ],
  [
    'fewer pods',
    PODS,
    owned('StatefulSet', 4, { replicas: 3, updatedReplicas: 3 }),
    {
      corrections: [['guess', 'Run 3 pods', { 'spec.replicas': 3 }, 'no mirror']],
    },
  ],
  [
    'fewer pods: one',
    PODS,
    owned('Deployment', 4, { replicas: 1, updatedReplicas: 1 }),
    {
      corrections: [['guess', 'Run 1 pod', { 'spec.replicas': 1 }, 'no mirror']],
    },
  ],
  ['fewer pods in an update', PODS, owned('Deployment', 4, { replicas: 3, updatedReplicas: 2 }), { corrections: [] }],
  ['fewer pods: none are there', PODS, owned('Deployment', 4, {}), { corrections: [] }],
  ['fewer pods: all are there', PODS, owned('Deployment', 4, { replicas: 4, updatedReplicas: 4 }), { corrections: [] }],
  ['fewer pods of something else', PODS, owned('ReplicaSet', 4, { replicas: 3, updatedReplicas: 3 }), { corrections: [] }],
];
for (const [sentence, message, pods, expected] of EXCEEDED)
  quotas(sentence, () => tells(exceededQuota(refusedPods(message, pods)), expected));

const needs = (what: string) => forbidden(`failed quota: team: must specify ${what}`);
const NEEDS: Row[] = [
  ['another failure needs no fields', forbidden('no'), {}, undefined],
  [
    'requests and limits that are missing',
    needs('limits.memory for: app; requests.cpu for: app'),
    {},
    {
      summary: 'The ReplicaSet `web` cannot create its pods: quota `team` requires `limits.memory, requests.cpu` of every container.',
      culprit: 'quota team: limits.memory, requests.cpu',
      evidence: [
        'event FailedCreate: Error creating: pods "web-x" is forbidden: failed quota: team: must specify limits.memory for: app; requests.cpu for: app',
      ],
      advice: ['Give every container these requests and limits, or give the namespace a LimitRange with defaults.'],
      commands: ['kubectl describe replicaset web -n shop'],
      corrections: [
        [
          'likely',
          'Set the requests and limits that the quota requires',
          { 'resources.limits.memory': '128Mi', 'resources.requests.cpu': '100m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'a value from the other field',
    needs('limits.memory,requests.cpu'),
    { app: { resources: { requests: { memory: '1Gi', cpu: '1' }, limits: { cpu: '2' } } } },
    {
      culprit: 'quota team: limits.memory, requests.cpu',
      corrections: [['likely', 'Set the requests and limits that the quota requires', { 'resources.limits.memory': '1Gi' }, 'no mirror']],
    },
  ],
  [
    'a request after the limit',
    needs('cpu'),
    { app: { resources: { limits: { cpu: '2' } } } },
    {
      corrections: [['likely', 'Set the requests and limits that the quota requires', { 'resources.requests.cpu': '2' }, 'no mirror']],
    },
  ],
  [
    'disk',
    needs('requests.ephemeral-storage'),
    {},
    {
      corrections: [
        ['likely', 'Set the requests and limits that the quota requires', { 'resources.requests.ephemeral-storage': '256Mi' }, 'no mirror'],
      ],
    },
  ],
  [
    'memory',
    needs('memory'),
    {},
    {
      corrections: [
        ['likely', 'Set the requests and limits that the quota requires', { 'resources.requests.memory': '128Mi' }, 'no mirror'],
      ],
    },
  ],
  [
    'a resource of which no modest value is known',
    needs('requests.nvidia.com/gpu'),
    {},
    { corrections: [['likely', 'Set the requests and limits that the quota requires', {}, 'no mirror']] },
  ],
  [
    'one of two containers',
    needs('limits.cpu for: b'),
    { pod: two({}) },
    {
      culprit: 'quota team: limits.cpu of b',
      corrections: [
        [
          'likely',
          'Set the requests and limits that the quota requires',
          { 'spec.template.spec.containers[1].resources.limits.cpu': '100m' },
          'no mirror',
        ],
      ],
    },
  ],
  [
    'both containers',
    needs('limits.cpu for: a,b'),
    { pod: two({}) },
    {
      culprit: 'quota team: limits.cpu',
      corrections: [
        [
          'likely',
          'Set the requests and limits that the quota requires',
          { 'resources.limits.cpu': '100m', 'spec.template.spec.containers[1].resources.limits.cpu': '100m' },
          'no mirror',
        ],
      ],
    },
  ],
];
for (const [sentence, message, pods, expected] of NEEDS)
  quotas(`fields: ${sentence}`, () => tells(fieldsForQuota(refusedPods(message, pods)), expected));

quotas.run();
