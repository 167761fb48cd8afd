import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec } from '../../src/crd/kubernetes.ts';
import { askedOf, type ResourceQuota, shortages } from '../../src/crd/quota.ts';

const test = suite('quota');

const pod = (resources: Container['resources'], ...inits: Container['resources'][]): PodSpec => ({
  containers: [
    { name: 'a', resources: resources ?? {} },
    { name: 'b', resources: resources ?? {} },
  ],
  initContainers: inits.map((one, index) => ({ name: `i${index}`, resources: one ?? {} })),
});
const quota = (hard: Record<string, string>, used: Record<string, string> = {}, spec: ResourceQuota['spec'] = {}): ResourceQuota => ({
  metadata: { name: 'q' },
  spec,
  status: { hard, used },
});
const cpu = (amount: string) => ({ requests: { cpu: amount } });

const CASES: [what: string, spec: PodSpec, quota: ResourceQuota, short: string[]][] = [
  ['room', pod(cpu('100m')), quota({ 'requests.cpu': '1' }, { 'requests.cpu': '800m' }), []],
  [
    'no room for both containers',
    pod(cpu('100m')),
    quota({ 'requests.cpu': '1' }, { 'requests.cpu': '900m' }),
    ['requests.cpu: 0.2 asked, 0.1 left'],
  ],
  ['an init container that asks more', pod(cpu('100m'), cpu('1')), quota({ cpu: '900m' }), ['cpu: 1 asked, 0.9 left']],
  [
    'a limit that is the request',
    pod({ limits: { memory: '1Gi' } }),
    quota({ 'requests.memory': '1Gi' }),
    ['requests.memory: 2147483648 asked, 1073741824 left'],
  ],
  ['pods', pod({}), quota({ pods: '2', 'count/pods': '3' }, { pods: '2', 'count/pods': '2' }), ['pods: 1 asked, 0 left']],
  ['other objects', pod({}), quota({ services: '0', 'count/secrets': '0' }), []],
  ['a scoped quota', pod({}), quota({ pods: '0' }, {}, { scopes: ['BestEffort'] }), []],
  ['a quota for some pods', pod({}), quota({ pods: '0' }, {}, { scopeSelector: { matchExpressions: [] } }), []],
  ['scopes that are none', pod({}), quota({ pods: '0' }, {}, { scopes: [] }), ['pods: 1 asked, 0 left']],
  ['exactly enough', pod(cpu('100m')), quota({ 'requests.cpu': '1' }, { 'requests.cpu': '800m' }), []],
  ['more used than allowed', pod(cpu('100m')), quota({ cpu: '1' }, { cpu: '2' }), ['cpu: 0.2 asked, 0 left']],
  ['a bound that is none', pod(cpu('100m')), quota({ cpu: 'much' }), []],
  [
    'several, in the order of the quota',
    pod({ requests: { cpu: '1' }, limits: { memory: '1k' } }),
    quota({ pods: '0', 'limits.memory': '1k', cpu: '1' }),
    ['pods: 1 asked, 0 left', 'limits.memory: 2000 asked, 1000 left', 'cpu: 2 asked, 1 left'],
  ],
  ['a quota that nobody has counted yet', pod({}), { metadata: {} }, []],
];
for (const [what, spec, one, short] of CASES) test(what, () => assert.equal(shortages(spec, one), short));

const ASKED: [resource: string, amount: number][] = [
  ['pods', 1],
  ['count/pods', 1],
  ['cpu', 0.4],
  ['requests.cpu', 0.4],
  ['limits.cpu', 2],
  ['memory', 20],
  ['limits.memory', 20],
  ['ephemeral-storage', 6],
  ['requests.ephemeral-storage', 6],
  ['limits.ephemeral-storage', 0],
  ['requests.nvidia.com/gpu', 0],
  ['count/cpu', 0],
];
for (const [resource, amount] of ASKED)
  test(`of ${resource}, a pod takes ${amount}`, () =>
    assert.is(askedOf(pod({ requests: { cpu: '200m', 'ephemeral-storage': '3' }, limits: { cpu: '1', memory: '10' } }), resource), amount));

test.run();
