import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { namesInData, namesInSpec } from '../../../src/models/policy/names.ts';

test('the names of objects that a spec refers to', () => {
  const spec = {
    ...{ serviceAccountName: 'robot', nodeName: 'node', priorityClassName: 'high', runtimeClassName: 'gvisor', schedulerName: 'mine' },
    imagePullSecrets: [{ name: 'pull-a' }, { name: 'pull-b' }],
    containers: [
      {
        name: 'app',
        envFrom: [{ configMapRef: { name: 'cm-ref' } }, { secretRef: { name: 'secret-ref' } }],
        env: [{ valueFrom: { configMapKeyRef: { name: 'cm-key', key: 'k' } } }, { valueFrom: { secretKeyRef: { name: 'secret-key' } } }],
      },
    ],
    volumes: [
      { name: 'v', configMap: { name: 'cm' } },
      { secret: { secretName: 'vs' } },
      { persistentVolumeClaim: { claimName: 'claim' } },
      { projected: { sources: [{ secret: { name: 'projected' } }] } },
      { configMap: null },
      { configMap: { name: 5 } },
    ],
  };
  const names = [
    'claim',
    'cm',
    'cm-key',
    'cm-ref',
    'gvisor',
    'high',
    'node',
    'projected',
    'pull-a',
    'pull-b',
    'robot',
    'secret-key',
    'secret-ref',
    'vs',
  ];
  assert.equal(
    namesInSpec(spec).toSorted((one, other) => (one < other ? -1 : 1)),
    names,
  );
  assert.equal(namesInSpec(null), []);
});

test('the texts of data that could be names', () => {
  const long = 'a'.repeat(253);
  const data = { a: 'web-1', b: ['x', 'a.b', long], c: { d: '1a' }, no: ['Web', 'a_b', '-a', 'a-', 'a b', '', `${long}a`, 7, null] };
  assert.equal(namesInData(data), ['web-1', 'x', 'a.b', long, '1a']);
});

test.run();
