import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec } from '../../src/crd/kubernetes.ts';
import { requestsByNode, requestsOf } from '../../src/crd/requests.ts';

const test = suite('what the scheduler counts');

const asks = (name: string, requests: Record<string, string>, more: Partial<Container> = {}): Container => ({
  name,
  resources: { requests },
  ...more,
});
const limited = (name: string, limits: Record<string, string>): Container => ({ name, resources: { limits } });

const ROWS: [what: string, spec: Partial<PodSpec>, requests: Record<string, number>][] = [
  ['nothing', {}, {}],
  [
    'containers are added',
    { containers: [asks('a', { cpu: '100m' }), asks('b', { cpu: '1', memory: '1Ki' })] },
    { cpu: 1.1, memory: 1024 },
  ],
  ['a limit without a request is the request', { containers: [limited('a', { cpu: '2' })] }, { cpu: 2 }],
  [
    'a request counts, not its limit',
    { containers: [{ name: 'a', resources: { limits: { cpu: '2', memory: '2' }, requests: { cpu: '1' } } }] },
    { cpu: 1, memory: 2 },
  ],
  [
    'the largest init container counts if it asks more than all containers',
    { containers: [asks('a', { cpu: '1' }), asks('b', { cpu: '1' })], initContainers: [asks('i', { cpu: '3' }), asks('j', { cpu: '2' })] },
    { cpu: 3 },
  ],
  [
    'a smaller one does not',
    { containers: [asks('a', { cpu: '2' })], initContainers: [asks('i', { cpu: '1', memory: '5' })] },
    { cpu: 2, memory: 5 },
  ],
  [
    'a sidecar counts beside the containers',
    { containers: [asks('a', { cpu: '1' })], initContainers: [asks('s', { cpu: '1' }, { restartPolicy: 'Always' })] },
    { cpu: 2 },
  ],
  [
    "the pod's own request takes the place of the sum",
    { containers: [asks('a', { cpu: '1', memory: '1' })], resources: { requests: { cpu: '3' } } },
    { cpu: 3, memory: 1 },
  ],
  ['overhead is added', { containers: [asks('a', { cpu: '1' })], overhead: { cpu: '500m', memory: '1' } }, { cpu: 1.5, memory: 1 }],
  ['what is no quantity counts as nothing', { containers: [asks('a', { cpu: 'much' })], overhead: { cpu: '?' } }, { cpu: 0 }],
];
for (const [what, spec, requests] of ROWS)
  test(what, () => assert.equal(Object.fromEntries(requestsOf({ containers: [], ...spec })), requests));

test('each node holds what its pods ask that have not ended', () => {
  const pod = (nodeName: string | undefined, cpu: string, phase?: string) => ({
    spec: { containers: [asks('a', { cpu })], ...(nodeName ? { nodeName } : {}) },
    ...(phase ? { status: { phase } } : {}),
  });
  const pods = [
    pod('one', '1', 'Running'),
    pod('one', '2', 'Pending'),
    pod('two', '1'),
    pod('two', '7', 'Succeeded'),
    pod('one', '7', 'Failed'),
    pod(undefined, '7', 'Pending'),
  ];
  assert.equal(Object.fromEntries(requestsByNode(pods as Parameters<typeof requestsByNode>[0])), {
    one: { pods: 2, cpu: 3 },
    two: { pods: 1, cpu: 1 },
  });
});

test.run();
