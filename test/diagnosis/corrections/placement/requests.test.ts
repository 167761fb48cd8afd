import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { fitRequests, scaled } from '../../../../src/diagnosis/corrections/placement/requests.ts';
import { aPlace, anInput } from '../../../support/builders/cases.ts';
import { correctionRows, guess, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('requests that no node can meet');
const rows = correctionRows(test);

const node = (allocatable: Record<string, string>) => ({ name: 'n', labels: {}, taints: [], allocatable });
const asks = (requests: object, limits: object = {}) => ({ resources: { requests, limits } });
const fits = (resource: string, container: object, nodes: Record<string, string>[] = [{ cpu: '4', memory: '8Gi' }], spec: object = {}) =>
  fitRequests(anInput(container, spec, { surroundings: { nodes: nodes.map(node) } }), resource).corrections;
const CPU = 'resources.requests.cpu';
const MEMORY = 'resources.requests.memory';
rows('a request', {
  'of as much as a node has': [fits('cpu', asks({ cpu: '4' })), guess({ [CPU]: '2' })],
  'of more than the largest of two nodes': [fits('cpu', asks({ cpu: '8' }), [{ cpu: '2' }, { cpu: '4' }]), likely({ [CPU]: '2' })],
  'of more than the only node with it': [fits('cpu', asks({ cpu: '8' }), [{ memory: '1Gi' }, { cpu: '4' }]), likely({ [CPU]: '2' })],
  'that is a fraction, in whole cores': [fits('cpu', asks({ cpu: '100500m' })), likely({ [CPU]: '2' })],
  'of 16 whole cores, which no node has': [fits('cpu', asks({ cpu: '16' })), [...likely({ [CPU]: '16m' }), ...likely({ [CPU]: '2' })]],
  'of 15 whole cores, which no node has': [fits('cpu', asks({ cpu: '15' })), likely({ [CPU]: '2' })],
  'of as many whole cores as a large node has': [
    fits('cpu', asks({ cpu: '32' }), [{ cpu: '32' }]),
    [...likely({ [CPU]: '32m' }), ...guess({ [CPU]: '16' })],
  ],
  'of 64Gi, which no node has': [
    fits('memory', asks({ memory: '64Gi' })),
    [...likely({ [MEMORY]: '64Mi' }), ...likely({ [MEMORY]: '4Gi' })],
  ],
  'of 63Gi, which no node has': [fits('memory', asks({ memory: '63Gi' })), likely({ [MEMORY]: '4Gi' })],
  'of 256Gi, on unknown nodes': [
    fits('memory', asks({ memory: '256Gi' }), []),
    [...likely({ [MEMORY]: '256Mi' }), ...guess({ [MEMORY]: '128Gi' })],
  ],
  'of 255Gi, on unknown nodes': [fits('memory', asks({ memory: '255Gi' }), []), guess({ [MEMORY]: '127Gi' })],
  'of storage, with a slip in its unit': [
    fits('ephemeral-storage', asks({ 'ephemeral-storage': '100Gi' }), [{ 'ephemeral-storage': '10Gi' }]),
    [...likely({ 'resources.requests.ephemeral-storage': '100Mi' }), ...likely({ 'resources.requests.ephemeral-storage': '5Gi' })],
  ],
  'of the second container': [
    fits('cpu', {}, undefined, {
      containers: [
        { name: 'app', image: 'a', ...asks({ cpu: '1' }) },
        { name: 'b', image: 'b', ...asks({ cpu: '8' }) },
      ],
    }),
    likely({ 'spec.containers[1].resources.requests.cpu': '2' }),
  ],
  'that is no quantity': [fits('cpu', asks({ cpu: 'x' })), []],
  'of nothing': [fits('cpu', asks({ cpu: '0' })), []],
  'of a whole pod as a limit': [
    fits('cpu', asks({ cpu: '1' }), undefined, { resources: { limits: { cpu: '8' } } }),
    likely({ 'spec.resources.requests.cpu': '2' }),
  ],
  'of a device that nodes offer under no other name': [
    fits('a.com/gpu', asks({ 'a.com/gpu': '1' }, { 'a.com/gpu': '1' }), [{ 'b.org/tpu': '1', gpu: '1' }]),
    guess({ 'resources.limits["a.com/gpu"]': null, 'resources.requests["a.com/gpu"]': null }),
  ],
});
rows('several requests together', {
  'that fit': [
    fits('cpu', {}, undefined, { containers: [1, 2].map((one) => ({ name: one === 1 ? 'app' : 'b', image: 'a', ...asks({ cpu: '2' }) })) }),
    guess({ [CPU]: '1' }),
  ],
  'of one container and an init container': [
    fits('cpu', asks({ cpu: '1' }), undefined, { initContainers: [{ name: 'i', image: 'a', ...asks({ cpu: '4' }) }] }),
    guess({ 'spec.initContainers[0].resources.requests.cpu': '2' }),
  ],
});
const why = (resource: string, container: object, nodes?: Record<string, string>[]) => fits(resource, container, nodes).map(inWords);
test('a request, in words', () => {
  const counts = 'The scheduler only counts requests. The limits stay as they are.';
  assert.equal(why('cpu', asks({ cpu: '500' })), [
    ['Request `500m` of `cpu`', counts, '`500` looks like a typo in the unit'],
    ['Request `2` of `cpu`', counts, 'no node has more than `4` free, and half of it leaves room for others'],
  ]);
  assert.equal(why('cpu', asks({ cpu: '3' })), [['Request `1500m` of `cpu`', counts, 'a smaller request fits more nodes']]);
  assert.is(why('cpu', asks({}, { cpu: '8' }))[0]?.[1], 'Without a request the limit counts as one.');
  assert.is(why('cpu', asks({ cpu: '8' }, { cpu: '8' }))[0]?.[1], counts);
  assert.equal(why('a.com/gpus', asks({}, { 'a.com/gpus': '1' }), [{ 'a.com/gpu': '1' }]), [
    ['Request `a.com/gpu`', '`a.com/gpus` looks like a typo of `a.com/gpu`.', 'no node offers `a.com/gpus`', 'nodes offer `a.com/gpu`'],
    [
      'Remove the request for `a.com/gpus`',
      'The pod then fits a node. A mirror shows whether the program can work without the device.',
      'no node has it free',
    ],
  ]);
  const both = { containers: ['app', 'b'].map((name) => ({ name, image: 'a', ...asks({ cpu: '3' }) })) };
  assert.equal(inWords(fits('cpu', {}, undefined, both)[0]), [
    'Request `2` of `cpu` in all',
    counts,
    ...['', ''].map(() => 'all containers together may ask for `2`'),
  ]);
});

const share = (field: 'limits' | 'requests', to: number, ...containers: object[]) =>
  scaled(aPlace({}, { containers: containers.map((one, at) => ({ name: `c${at}`, image: 'a', ...one })) }), {
    field,
    resource: 'cpu',
    to,
  }).map(({ path, to: less, why: reason }) => [path.replace('spec.containers', '').replace('.resources', ''), less, reason]);
test('shares of what all containers ask for', () => {
  const all = 'all containers together may ask for `1`';
  assert.equal(share('requests', 1, asks({ cpu: '3' }), asks({}, { cpu: '1' }), {}), [
    ['[0].requests.cpu', '750m', all],
    ['[1].requests.cpu', '250m', all],
  ]);
  assert.equal(share('limits', 1, asks({ cpu: '2' }, { cpu: '2' }), asks({ cpu: '1' })), [
    ['[0].limits.cpu', '1', all],
    ['[0].requests.cpu', '1', 'a request may not be above its limit'],
  ]);
  assert.equal(share('limits', 1, asks({ cpu: '1' }, { cpu: '2' })), [['[0].limits.cpu', '1', all]], 'a request that fits stays');
  assert.equal(share('requests', 4, asks({ cpu: '4' })), [], 'as much as there is');
  assert.equal(share('requests', 0, asks({ cpu: '4' })), [], 'nothing to share');
});

test.run();
