import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { applyChanges, ChangeError, changesOfOwner, fieldPath, isSafe, pathSteps, valueAt } from '../../src/crd/field-path.ts';

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

for (const [path, said] of [
  ['', 'a change needs a field path'],
  ['spec..x', 'not a field path: spec..x'],
  ['a b', 'not a field path: a b'],
  ['spec[1234567]', 'not a field path: spec[1234567]'],
  ['spec.containers.image', 'spec.containers.image: a key in a list'],
  ['spec[0]', 'spec[0]: an index into a mapping'],
  ['spec.containers[0].image.x', 'spec.containers[0].image.x leads through a value that has no fields'],
  ['spec.__proto__.x', 'not a field of a manifest: spec.__proto__.x'],
  ['spec.nodeSelector["__proto__"]', 'not a field of a manifest: spec.nodeSelector["__proto__"]'],
] as const)
  apply(`refuses ${JSON.stringify(path)}`, () => {
    assert.throws(
      () => applyChanges(pod(), [{ path, to: 'x' }]),
      (error: unknown) => error instanceof ChangeError && error.message === said,
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

apply('changes are made in their order, and an undefined value removes too', () => {
  const changes = [
    { path: 'spec.containers[1].name', to: 'b' },
    { path: 'spec.containers[0]', to: null },
    { path: 'spec.nodeSelector', to: undefined },
  ];
  assert.equal(applyChanges<unknown>(pod(), changes), { spec: { containers: [{ name: 'b' }] } });
});

apply('a value is copied into the manifest', () => {
  const to = { list: [1] };
  const changed = applyChanges<unknown>({}, [{ path: 'a', to }]);
  to.list.push(2);
  assert.equal(changed, { a: { list: [1] } });
});

apply('changes of the owner are apart from those of the pod', () => {
  const change = (path: string, of?: 'owner') => ({ path, from: 'web:9', to: 'web:1', why: 'It exists.', ...(of ? { of } : {}) });
  const changes = [change('spec.replicas', 'owner'), change('spec.containers[0].image')];
  assert.equal(applyChanges<unknown>({}, changes), { spec: { containers: [{ image: 'web:1' }] } });
  assert.equal(changesOfOwner(changes), [change('spec.replicas')]);
});

apply('a path has its steps: keys as texts, indexes as numbers', () => {
  const rows: [string, (string | number)[]][] = [
    ['a', ['a']],
    ['a.b_c-1[12]', ['a', 'b_c-1', 12]],
    ['[0].a', [0, 'a']],
    ['a["0"]["x.y/z"]', ['a', '0', 'x.y/z']],
    ['a["quo\\"te"]', ['a', 'quo"te']],
  ];
  for (const [path, steps] of rows) {
    assert.equal(pathSteps(path), steps);
    assert.is(isSafe(path), true);
  }
  assert.is(isSafe('__proto__'), false);
});

apply('a value is null where there is none, or where it is null', () => {
  for (const path of ['spec.x', 'spec.x.y', 'spec.containers[1]', 'spec.containers[0].image.length', 'none'])
    assert.is(valueAt({ ...pod(), none: null }, path), null, path);
  assert.is(valueAt({ a: 0 }, 'a'), 0);
  assert.is(valueAt({ a: false }, 'a'), false);
});

apply.run();
