import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec } from '../../src/crd/kubernetes.ts';
import { type ResourceQuota, shortages } from '../../src/crd/quota.ts';

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
  ['a quota that nobody has counted yet', pod({}), { metadata: {} }, []],
];
for (const [what, spec, one, short] of CASES) test(what, () => assert.equal(shortages(spec, one), short));

test.run();
