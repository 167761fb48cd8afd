import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyChanges, ChangeError, fieldPath, valueAt } from '../../src/crd/field-path.ts';

const apply = suite('applying changes');

const pod = () => ({
  spec: { containers: [{ name: 'app', image: 'web:9', command: ['node'] }], nodeSelector: { disk: 'ssd' } as Record<string, string> },
});

const CASES: [sentence: string, path: string, to: unknown, expected: unknown][] = [
  [
    'replaces a field',
    'spec.containers[0].image',
    'web:1',
    { spec: { ...pod().spec, containers: [{ name: 'app', image: 'web:1', command: ['node'] }] } },
  ],
  ['removes a field', 'spec.containers[0].command', null, { spec: { ...pod().spec, containers: [{ name: 'app', image: 'web:9' }] } }],
  ['removes an entry of a list', 'spec.containers[0]', null, { spec: { ...pod().spec, containers: [] } }],
  ['creates missing parents', 'spec.volumes[0].emptyDir', {}, { spec: { ...pod().spec, volumes: [{ emptyDir: {} }] } }],
  [
    'appends at the end',
    'spec.containers[1]',
    { name: 'b' },
    { spec: { ...pod().spec, containers: [...pod().spec.containers, { name: 'b' }] } },
  ],
  [
    'appends beyond the end',
    'spec.containers[7]',
    { name: 'b' },
    { spec: { ...pod().spec, containers: [...pod().spec.containers, { name: 'b' }] } },
  ],
  [
    'reads keys with dots',
    'spec.nodeSelector["kubernetes.io/os"]',
    'linux',
    { spec: { ...pod().spec, nodeSelector: { disk: 'ssd', 'kubernetes.io/os': 'linux' } } },
  ],
  ['removes nothing if there is nothing', 'spec.affinity.nodeAffinity', null, pod()],
];

for (const [sentence, path, to, expected] of CASES)
  apply(sentence, () => {
    const before = pod();
    assert.equal(applyChanges<unknown>(before, [{ path, to }]), expected);
    assert.equal(before, pod(), 'the original is as it was');
  });

for (const path of [
  '',
  'spec..x',
  'spec.containers.image',
  'spec.containers[0].image.x',
  'spec[0]',
  'spec.__proto__.x',
  'spec.nodeSelector["__proto__"]',
  'a b',
])
  apply(`refuses ${JSON.stringify(path)}`, () => {
    assert.throws(
      () => applyChanges(pod(), [{ path, to: 'x' }]),
      (error: unknown) => error instanceof ChangeError,
    );
  });

for (const key of ['constructor', 'prototype', 'toString', 'hasOwnProperty'])
  apply(`a label may be called ${key}`, () => {
    const path = `spec.nodeSelector.${key}`;
    assert.is(valueAt(pod(), path), null);
    const labelled = applyChanges(pod(), [{ path, to: 'x' }]);
    assert.is(valueAt(labelled, path), 'x');
    assert.equal(valueAt(applyChanges(labelled, [{ path, to: null }]), 'spec.nodeSelector'), valueAt(pod(), 'spec.nodeSelector') ?? {});
    assert.is(({} as Record<string, unknown>)['x'], undefined);
  });

apply('paths are written as they are read', () => {
  const path = fieldPath('spec', 'containers', 0, 'resources', 'limits', 'nvidia.com/gpu');
  assert.is(path, 'spec.containers[0].resources.limits["nvidia.com/gpu"]');
  assert.is(valueAt(applyChanges(pod(), [{ path, to: 1 }]), path), 1);
  assert.is(valueAt(pod(), 'spec.containers[4].image'), null);
});

apply.run();
